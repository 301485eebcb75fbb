import TouchPixels

/// Converts composed rows to a framebuffer's bytes: by pixman or `pack` from 24 bits on, dithered below.
final class RowConverter {
  private enum Method {
    /// The framebuffer's pixels are those of the surface.
    case copy
    /// pixman converts into this row, which uses the memory of `row`.
    case pixman(PixmanRow)
    case channels(ChannelLayout)
    case dithered(DitherTables)
    /// The channels of 16 bits, several pixels at once.
    case ditheredWords(DitheredWords)
    case nearest(NearestColors)
  }

  private let layout: FramebufferLayout
  private let method: Method
  private let row: UnsafeMutableRawPointer
  private let rowLength: Int
  /// The decoder of the framebuffer's values; nil if the framebuffer keeps every colour.
  private let decoder: PixelDecoder?

  /// - Parameter fixedMap: the colour map that the device reports and
  ///   that cannot be changed; nil if it reports none.
  init(layout: FramebufferLayout, fixedMap: ColorMap? = nil) {
    self.layout = layout
    // pixman wants rows of whole words.
    let stride = ((layout.lead + layout.width) * layout.bitsPerPixel + 31) / 32 * 4
    rowLength = stride
    row = .allocate(byteCount: stride * Dither.side, alignment: 16)
    row.initializeMemory(as: UInt8.self, repeating: 0, count: stride * Dither.side)
    let format = Self.format(of: layout, fixedMap)
    method = Self.method(for: layout, format, fixedMap, row: row, stride: stride)
    decoder = PixelDecoder(format, layout: layout, fixedMap: fixedMap)
  }

  deinit { row.deallocate() }

  /// Returns the layout's format. A fixed map with only greys, or that is not reported, counts as greys.
  private static func format(of layout: FramebufferLayout, _ fixedMap: ColorMap?) -> PixelFormat {
    guard case .fixedMap(let channel) = layout.format else { return layout.format }
    if let fixedMap, !fixedMap.isFlat, fixedMap.isRisingGrey == nil { return layout.format }
    return .grey(channel, isInverted: fixedMap?.isRisingGrey == false)
  }

  private static func method(
    for layout: FramebufferLayout, _ format: PixelFormat, _ fixedMap: ColorMap?, row: UnsafeMutableRawPointer,
    stride: Int
  ) -> Method {
    if case .fixedMap(let channel) = format, let fixedMap {
      return .nearest(NearestColors(fixedMap, shift: Int(channel.offset)))
    }
    if let words = DitheredWords(format) { return .ditheredWords(words) }
    if let tables = DitherTables(format) { return .dithered(tables) }
    guard case .channels(let channels) = format else { return .copy }
    guard let pixman = channels.pixmanLayout else { return .channels(channels) }
    if pixman.isSurfaceLayout { return .copy }
    guard let row = PixmanRow(pixman, width: layout.width, memory: row, stride: stride) else {
      return .channels(channels)
    }
    return .pixman(row)
  }

  /// Returns the bytes of composed pixels of one row. The memory is valid until the next call.
  /// - Parameters:
  ///   - x: the first pixel on the display. Where pixels share
  ///     bytes, it is the first of a byte or of the display.
  ///   - y: the row on the display.
  ///   - place: the row of the memory that is used, for formats that are dithered; the others use the first.
  func convert(_ target: Target, x: Int, y: Int, count: Int, place: Int = 0) -> UnsafeRawBufferPointer {
    let (surfaceX, surfaceY) = (x - target.originX, y - target.originY)
    let source = UnsafePointer(target.surface.pixels + (surfaceY * target.surface.width + surfaceX))
    let lead = (layout.lead + x) % layout.pixelsPerByte
    let byteCount = ((lead + count) * layout.bitsPerPixel + 7) / 8
    switch method {
    case .copy: return UnsafeRawBufferPointer(start: source, count: byteCount)
    case .pixman(let row): row.convert(target.surface, x: surfaceX, y: surfaceY, count: count)
    case .channels(let channels): pack(channels, source, count: count)
    case .dithered(let tables):
      let row = row + place * rowLength
      pack(into: row, lead: lead, byteCount: byteCount) { store in
        tables.forEach(source, count: count, x: x, y: y, store)
      }
      return UnsafeRawBufferPointer(start: row, count: byteCount)
    case .ditheredWords(let words):
      let row = row + place * rowLength
      words.convert(source, count: count, x: x, y: y, into: row)
      return UnsafeRawBufferPointer(start: row, count: byteCount)
    case .nearest(let colors):
      pack(into: row, lead: lead, byteCount: byteCount) { store in
        for index in 0..<count { store(index, colors.value(of: source[index])) }
      }
    }
    return UnsafeRawBufferPointer(start: row, count: byteCount)
  }

  /// Converts composed pixels and passes on their rows, only the
  /// bytes of these pixels, from low to high addresses.
  /// - Parameters:
  ///   - rect: the pixels on the display; where pixels share bytes,
  ///     whole bytes. (`FramebufferLayout.wholeBytes`)
  ///   - pixel: the colour that fills all of `rect`, which is then not composed; nil if it is composed.
  ///   - store: gets rows whose memory is valid until it returns.
  /// - Returns: the number of stored bytes.
  @discardableResult
  func write(
    _ rect: PixelRect, of target: Target, filledWith pixel: UInt32? = nil, _ store: (FramebufferRows) -> Void
  ) -> Int {
    let visible = rect.intersection(target.area).intersection(layout.bounds)
    guard !visible.isEmpty else { return 0 }
    if let pixel {
      if isDithered { return fillDithered(visible, with: pixel, on: target, store) }
      // Rows as wide as the display may be stored all at once.
      guard visible.width == layout.width else { return fill(visible, with: pixel, on: target, store) }
      target.fill(visible, with: pixel)
    }
    let (x, count) = (visible.minX, visible.width)
    var rows = FramebufferRows(
      byteCount: 0, offset: layout.bytes(ofRow: visible.minY, from: x, to: visible.maxX).lowerBound)
    if case .copy = method {
      let rowLength = target.surface.width
      let top = target.surface.pixels + (visible.minY - target.originY) * rowLength
      rows.first = UnsafeRawPointer(top + (x - target.originX))
      (rows.byteCount, rows.count, rows.step) = (count * 4, visible.height, rowLength * 4)
      store(rows)
      return rows.byteCount * rows.count
    }
    var written = 0
    for y in visible.minY..<visible.maxY {
      let row = convert(target, x: x, y: y, count: count)
      (rows.first, rows.byteCount) = (row.baseAddress, row.count)
      store(rows)
      rows.offset += layout.stride
      written += row.count
    }
    return written
  }

  private var isDithered: Bool {
    switch method {
    case .dithered, .ditheredWords: true
    case .copy, .pixman, .channels, .nearest: false
    }
  }

  /// Stores rows of one pixel without dithering: one row is painted and converted for all.
  private func fill(
    _ rect: PixelRect, with pixel: UInt32, on target: Target, _ store: (FramebufferRows) -> Void
  ) -> Int {
    var top = rect
    top.maxY = rect.minY + 1
    target.fill(top, with: pixel)
    let row = convert(target, x: rect.minX, y: rect.minY, count: rect.width)
    store(
      FramebufferRows(
        first: row.baseAddress, byteCount: row.count, count: rect.height,
        offset: layout.bytes(ofRow: rect.minY, from: rect.minX, to: rect.maxX).lowerBound))
    return row.count * rect.height
  }

  /// Stores rows of one dithered pixel. They repeat after eight, which are painted and converted once.
  private func fillDithered(
    _ rect: PixelRect, with pixel: UInt32, on target: Target, _ store: (FramebufferRows) -> Void
  ) -> Int {
    var top = rect
    top.maxY = min(rect.maxY, rect.minY + Dither.side)
    target.fill(top, with: pixel)
    var rows = FramebufferRows(
      byteCount: 0, offset: layout.bytes(ofRow: rect.minY, from: rect.minX, to: rect.maxX).lowerBound)
    for place in 0..<top.height {
      rows.byteCount =
        convert(target, x: rect.minX, y: top.minY + place, count: rect.width, place: place).count
    }
    for index in 0..<rect.height {
      rows.first = UnsafeRawPointer(row + index % Dither.side * rowLength)
      store(rows)
      rows.offset += layout.stride
    }
    return rows.byteCount * rect.height
  }

  /// Converts composed pixels into the framebuffer's memory. Rows of one pixel are filled there.
  @discardableResult
  func write(
    _ rect: PixelRect, of target: Target, filledWith pixel: UInt32? = nil, to memory: UnsafeMutableRawPointer
  ) -> Int {
    if let pixel, case .copy = method, layout.bitsPerPixel == 32 {
      let visible = rect.intersection(target.area).intersection(layout.bounds)
      guard !visible.isEmpty else { return 0 }
      let place = layout.bytes(ofRow: visible.minY, from: visible.minX, to: visible.maxX).lowerBound
      Target.fill(
        visible.height, from: memory + place, step: layout.stride, count: visible.width, with: pixel)
      return visible.width * visible.height * 4
    }
    if pixel == nil, case .ditheredWords(let words) = method {
      let visible = rect.intersection(target.area).intersection(layout.bounds)
      guard !visible.isEmpty else { return 0 }
      var place = layout.bytes(ofRow: visible.minY, from: visible.minX, to: visible.maxX).lowerBound
      let rowLength = target.surface.width
      var source =
        target.surface.pixels
        + ((visible.minY - target.originY) * rowLength + (visible.minX - target.originX))
      for y in visible.minY..<visible.maxY {
        words.convert(source, count: visible.width, x: visible.minX, y: y, into: memory + place)
        (place, source) = (place + layout.stride, source + rowLength)
      }
      return visible.width * visible.height * 2
    }
    return write(rect, of: target, filledWith: pixel) { rows in
      rows.forEach(stride: layout.stride) { row, place in
        UnsafeMutableRawBufferPointer(start: memory + place, count: row.count).copyMemory(from: row)
      }
    }
  }
}

/// Rows of a framebuffer's own bytes that lie below one another.
struct FramebufferRows {
  var first: UnsafeRawPointer?
  var byteCount: Int
  var count = 1
  /// The bytes from one row to the next in this memory; 0 if all rows are the same one.
  var step = 0
  /// The offset of the first byte in the framebuffer's memory.
  var offset: Int

  /// Calls `body` with each row and its place in the framebuffer's memory, `stride` bytes apart.
  func forEach(stride: Int, _ body: (UnsafeRawBufferPointer, Int) -> Void) {
    guard let first else { return }
    for row in 0..<count {
      body(UnsafeRawBufferPointer(start: first + row * step, count: byteCount), offset + row * stride)
    }
  }
}

// MARK: Reading back

extension RowConverter {
  /// Reduces a picture of the whole display to the colours that the framebuffer can show.
  func reduce(_ picture: Surface) {
    guard let decoder else { return }
    let target = Target(surface: picture)
    for y in 0..<layout.height {
      decoder.read(convert(target, x: 0, y: y, count: layout.width), into: picture.pixels + y * picture.width)
    }
  }
}

// MARK: Packing

extension RowConverter {
  /// Stores pixels of up to 16 bits in the row, after `lead` pixels in its first byte.
  @inline(__always)
  private func pack(
    into row: UnsafeMutableRawPointer, lead: Int, byteCount: Int,
    _ fill: (_ store: (Int, UInt16) -> Void) -> Void
  ) {
    let bytes = row.assumingMemoryBound(to: UInt8.self)
    switch layout.bitsPerPixel {
    case 16:
      let words = row.assumingMemoryBound(to: UInt16.self)
      fill { words[$0] = $1 }
    case 8: fill { bytes[$0] = UInt8(truncatingIfNeeded: $1) }
    default:
      bytes.update(repeating: 0, count: byteCount)
      let (bits, perByte, order) = (layout.bitsPerPixel, layout.pixelsPerByte, layout.order)
      fill { index, value in
        let place = lead + index
        bytes[place / perByte] |= UInt8(
          truncatingIfNeeded: Int(value) << order.shift(slot: place % perByte, bits: bits))
      }
    }
  }

  /// Stores pixels of 24 and 32 bits in the row.
  private func pack(_ layout: ChannelLayout, _ source: UnsafePointer<UInt32>, count: Int) {
    let (red, green, blue, spare) = (layout.red, layout.green, layout.blue, layout.spareBits)
    @inline(__always) func packed(_ index: Int) -> UInt32 {
      let pixel = source[index]
      return spare | red.place(pixel >> 16 & 255) | green.place(pixel >> 8 & 255) | blue.place(pixel & 255)
    }
    if layout.bitsPerPixel == 32 {
      let target = row.assumingMemoryBound(to: UInt32.self)
      for index in 0..<count { target[index] = packed(index) }
      return
    }
    // Three bytes, the lowest first: machines with Linux framebuffers are little-endian.
    let target = row.assumingMemoryBound(to: UInt8.self)
    for index in 0..<count {
      let pixel = packed(index)
      target[index * 3] = UInt8(truncatingIfNeeded: pixel)
      target[index * 3 + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
      target[index * 3 + 2] = UInt8(truncatingIfNeeded: pixel >> 16)
    }
  }
}

/// Finds the colour on the screen of a framebuffer's value: the inverse of `RowConverter`.
struct PixelDecoder {
  private enum Meaning {
    case channels(ChannelLayout)
    /// `0xFFRRGGBB` for each value of a channel.
    case entries([UInt32], BitField)
  }

  private let meaning: Meaning
  private let layout: FramebufferLayout

  /// Fails if the framebuffer keeps eight bits of each channel, so that no colour changes. A fixed map with
  /// only greys comes as the format `grey`.
  init?(_ format: PixelFormat, layout: FramebufferLayout, fixedMap: ColorMap?) {
    switch format {
    case .channels(let channels):
      guard [channels.red, channels.green, channels.blue].contains(where: { $0.length < 8 }) else {
        return nil
      }
      meaning = .channels(channels)
    case .grey(let channel, let isInverted):
      let last = UInt32(1) << channel.length - 1
      let greys = (0...last).map {
        Self.opaque | Self.widen(isInverted ? last - $0 : $0, channel.length) * 0x01_0101
      }
      meaning = .entries(greys, channel)
    case .cube(let channel, let side):
      meaning = .entries(Self.colors(of: .cube(side: side, count: 1 << Int(channel.length))), channel)
    case .fixedMap(let channel):
      guard let fixedMap else { return nil }
      meaning = .entries(Self.colors(of: fixedMap), channel)
    }
    self.layout = layout
  }

  /// Reads a whole row, from the byte with the first pixel, into `0xFFRRGGBB` for each pixel.
  func read(_ bytes: UnsafeRawBufferPointer, into colors: UnsafeMutablePointer<UInt32>) {
    for index in 0..<layout.width {
      let value = value(bytes, index)
      switch meaning {
      case .channels(let channels):
        let red = Self.intensity(value, channels.red) << 16
        let green = Self.intensity(value, channels.green) << 8
        colors[index] = Self.opaque | red | green | Self.intensity(value, channels.blue)
      case .entries(let entries, let channel):
        colors[index] = entries[Int((value & channel.mask) >> channel.offset)]
      }
    }
  }

  private func value(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
    let bits = layout.bitsPerPixel
    guard bits >= 8 else {
      let (byte, slot) = (layout.lead + index).quotientAndRemainder(dividingBy: layout.pixelsPerByte)
      return UInt32(bytes[byte]) >> UInt32(layout.order.shift(slot: slot, bits: bits))
        & (1 << UInt32(bits) - 1)
    }
    let size = bits / 8
    var value: UInt32 = 0
    for byte in 0..<size { value |= UInt32(bytes[index * size + byte]) << UInt32(8 * byte) }
    return value
  }

  private static let opaque: UInt32 = 0xff00_0000

  private static func colors(of map: ColorMap) -> [UInt32] {
    map.red.indices.map { entry in
      opaque | UInt32(map.red[entry] >> 8) << 16 | UInt32(map.green[entry] >> 8) << 8
        | UInt32(map.blue[entry] >> 8)
    }
  }

  @inline(__always)
  private static func intensity(_ value: UInt32, _ channel: BitField) -> UInt32 {
    widen((value & channel.mask) >> channel.offset, channel.length)
  }

  /// Returns a channel's step as eight bits, its part of full intensity, as `Dither` does.
  @inline(__always)
  private static func widen(_ step: UInt32, _ length: UInt32) -> UInt32 {
    let last = UInt32(1) << length - 1
    return (step * 255 + last / 2) / last
  }
}
