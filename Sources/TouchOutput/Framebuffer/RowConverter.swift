import TouchPixels

/// Turns rows of composed pixels into a framebuffer's own bytes.
///
/// pixman converts to the layouts of 24 and 32 bits that it knows, and a packer that works from the bit fields to the
/// others; up to 16 bits everything is dithered.
final class RowConverter {
  private enum Method {
    /// The composed pixels are the framebuffer's pixels.
    case copy
    /// pixman converts into this row, which lies over `row`.
    case pixman(PixmanRow)
    case bitFields(PixelFormat)
    case dithered(DitherTables)
    case nearest(NearestColors)
  }

  private let layout: FramebufferLayout
  private let method: Method
  private let row: UnsafeMutableRawPointer
  /// Nil where every pixel is kept as it was composed.
  private let reading: PixelReading?

  /// - Parameter fixedMap: what a device whose colour map cannot be written says of it; nil where it says nothing.
  init(layout: FramebufferLayout, fixedMap: ColorMap? = nil) {
    self.layout = layout
    // pixman wants rows of whole words.
    let stride = ((layout.lead + layout.width) * layout.bitsPerPixel + 31) / 32 * 4
    row = .allocate(byteCount: stride, alignment: 16)
    row.initializeMemory(as: UInt8.self, repeating: 0, count: stride)
    let coding = Self.coding(of: layout, fixedMap)
    method = Self.method(for: layout, coding, fixedMap, row: row, stride: stride)
    reading = PixelReading(coding, layout: layout, fixedMap: fixedMap)
  }

  deinit {
    row.deallocate()
  }

  /// What pixels mean, where a fixed map that has only greys, or that its own driver does not know, counts as greys.
  private static func coding(of layout: FramebufferLayout, _ fixedMap: ColorMap?) -> PixelCoding {
    guard case .fixedMap(let channel) = layout.coding else { return layout.coding }
    if let fixedMap, !fixedMap.isFlat, fixedMap.isRisingGrey == nil { return layout.coding }
    return .grey(channel, isInverted: fixedMap?.isRisingGrey == false)
  }

  private static func method(
    for layout: FramebufferLayout, _ coding: PixelCoding, _ fixedMap: ColorMap?, row: UnsafeMutableRawPointer,
    stride: Int
  ) -> Method {
    if case .fixedMap(let channel) = coding, let fixedMap {
      return .nearest(NearestColors(fixedMap, shift: Int(channel.offset)))
    }
    if let tables = DitherTables(coding) { return .dithered(tables) }
    guard case .fields(let format) = coding else { return .copy }
    if format.isSurfaceFormat { return .copy }
    if let row = PixmanRow(format, width: layout.width, memory: row, stride: stride) { return .pixman(row) }
    return .bitFields(format)
  }

  /// The bytes of composed pixels of one row. The memory is good until the next call.
  ///
  /// - Parameters:
  ///   - x: the first pixel on the display. Where pixels share bytes, it begins one, or is the display's first.
  ///   - y: the row on the display.
  func convert(_ target: Target, x: Int, y: Int, count: Int) -> UnsafeRawBufferPointer {
    let (surfaceX, surfaceY) = (x - target.originX, y - target.originY)
    let source = UnsafePointer(target.surface.pixels + (surfaceY * target.surface.width + surfaceX))
    let lead = (layout.lead + x) % layout.pixelsPerByte
    let byteCount = ((lead + count) * layout.bitsPerPixel + 7) / 8
    switch method {
    case .copy:
      return UnsafeRawBufferPointer(start: source, count: byteCount)
    case .pixman(let row): row.convert(target.surface, x: surfaceX, y: surfaceY, count: count)
    case .bitFields(let format):
      packBitFields(format, source, count: count)
    case .dithered(let tables):
      pack(lead: lead, byteCount: byteCount) { store in
        tables.forEach(source, count: count, x: x, y: y, store)
      }
    case .nearest(let colors):
      pack(lead: lead, byteCount: byteCount) { store in
        for index in 0..<count { store(index, colors.value(of: source[index])) }
      }
    }
    return UnsafeRawBufferPointer(start: row, count: byteCount)
  }

  /// Copies composed pixels to a framebuffer's memory: those rows and no byte beside them. The memory is written
  /// from low to high addresses and never read.
  ///
  /// - Parameters:
  ///   - rect: on the display; where pixels share bytes, whole ones. (`FramebufferLayout.wholeBytes`)
  ///   - memory: the first byte of the framebuffer's memory.
  /// - Returns: how many bytes were written.
  @discardableResult
  func write(_ rect: PixelRect, of target: Target, to memory: UnsafeMutableRawPointer) -> Int {
    let visible = rect.intersection(target.area).intersection(layout.bounds)
    guard !visible.isEmpty else { return 0 }
    let start = layout.bytes(ofRow: 0, from: visible.minX, to: visible.maxX).lowerBound
    var written = 0
    for y in visible.minY..<visible.maxY {
      let row = convert(target, x: visible.minX, y: y, count: visible.width)
      UnsafeMutableRawBufferPointer(start: memory + (start + y * layout.stride), count: row.count)
        .copyMemory(from: row)
      written += row.count
    }
    return written
  }
}

// MARK: Reading back

extension RowConverter {
  /// Leaves of a picture of the whole display what the framebuffer keeps of it.
  func reduce(_ picture: Surface) {
    guard let reading else { return }
    let target = Target(surface: picture)
    for y in 0..<layout.height {
      reading.read(convert(target, x: 0, y: y, count: layout.width), into: picture.pixels + y * picture.width)
    }
  }
}

// MARK: Packing

extension RowConverter {
  /// Lets `fill` store pixels of up to 16 bits.
  ///
  /// - Parameter lead: pixels of the first byte that come before the first one.
  @inline(__always)
  private func pack(lead: Int, byteCount: Int, _ fill: (_ store: (Int, UInt16) -> Void) -> Void) {
    let bytes = row.assumingMemoryBound(to: UInt8.self)
    switch layout.bitsPerPixel {
    case 16:
      let words = row.assumingMemoryBound(to: UInt16.self)
      fill { words[$0] = $1 }
    case 8:
      fill { bytes[$0] = UInt8(truncatingIfNeeded: $1) }
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

  /// 24 and 32 bits.
  private func packBitFields(_ format: PixelFormat, _ source: UnsafePointer<UInt32>, count: Int) {
    let (red, green, blue, spare) = (format.red, format.green, format.blue, format.spareBits)
    @inline(__always) func packed(_ index: Int) -> UInt32 {
      let pixel = source[index]
      return spare | red.place(pixel >> 16 & 255) | green.place(pixel >> 8 & 255) | blue.place(pixel & 255)
    }
    if format.bitsPerPixel == 32 {
      let target = row.assumingMemoryBound(to: UInt32.self)
      for index in 0..<count { target[index] = packed(index) }
      return
    }
    // Three bytes, lowest first as the little-endian machines that Linux framebuffers live in keep them.
    let target = row.assumingMemoryBound(to: UInt8.self)
    for index in 0..<count {
      let pixel = packed(index)
      target[index * 3] = UInt8(truncatingIfNeeded: pixel)
      target[index * 3 + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
      target[index * 3 + 2] = UInt8(truncatingIfNeeded: pixel >> 16)
    }
  }
}
