import TouchPixels

extension FramebufferReport {
  /// The pixels that a driver's numbers describe, with the corrections made to them.
  struct Pixels: Equatable {
    var format: PixelFormat
    var bitsPerPixel: Int
    var order: PixelOrder
    /// The colour map that has to be written to the device before its pixels have the meaning in `format`.
    var colorMap: ColorMap?
    var notices: [String]
  }

  func pixels(path: String) throws(DisplayError) -> Pixels {
    try checkKind(path)
    let depth = PixelDepth(self)
    var pixels = Pixels(
      format: .grey(wholePixel(depth.bits), isInverted: false), bitsPerPixel: depth.bits,
      order: pixelOrder, colorMap: nil, notices: [depth.notice].compactMap(\.self))
    switch visual {
    case .mono01, .mono10:
      // MONO01: black has all bits set; MONO10: black has none. (kernel `fb/api.rst`)
      try check(wholePixel(depth.bits), depth, path)
      pixels.format = .grey(wholePixel(depth.bits), isInverted: visual == .mono01)
    case .pseudoColor: try readWritableMap(into: &pixels, depth, path)
    case .staticPseudoColor:
      let channel = indexChannel(depth.bits)
      try check(channel, depth, path)
      pixels.format = grayscale == 1 ? .grey(channel, isInverted: false) : .fixedMap(channel)
    default: try readChannels(into: &pixels, depth, path)
    }
    return pixels
  }

  private func readWritableMap(
    into pixels: inout Pixels, _ depth: PixelDepth, _ path: String
  ) throws(DisplayError) {
    let channel = indexChannel(depth.bits)
    try check(channel, depth, path)
    let count = 1 << Int(channel.length)
    let side = ColorMap.cubeSide(count: count)
    if grayscale == 1 || side < 2 {
      pixels.format = .grey(channel, isInverted: false)
      pixels.colorMap = .grey(count: count)
    } else {
      pixels.format = .cube(channel, side: side)
      pixels.colorMap = .cube(side: side, count: count)
    }
  }

  private func readChannels(
    into pixels: inout Pixels, _ depth: PixelDepth, _ path: String
  ) throws(DisplayError) {
    // Three colours with the same bits are one channel of grey.
    if red == green, green == blue, red.length > 0 {
      try check(red, depth, path, longest: 16)
      pixels.format = .grey(red, isInverted: false)
      if visual == .directColor { pixels.colorMap = .grey(count: 1 << Int(red.length)) }
      return
    }
    var channels = (red: red, green: green, blue: blue, transparency: transparency)
    if red.length + green.length + blue.length == 0, let usual = Self.usualChannels[depth.bits] {
      channels = (usual.red, usual.green, usual.blue, BitField(offset: 0, length: 0))
      pixels.notices.append(
        "the driver does not report where in \(depth.bits) bits its channels are: assuming red "
          + "\(usual.red.text), green \(usual.green.text), blue \(usual.blue.text)")
    }
    do throws(ChannelLayout.Contradiction) {
      let layout = try ChannelLayout(
        bitsPerPixel: depth.bits, red: channels.red, green: channels.green, blue: channels.blue,
        transparency: channels.transparency)
      pixels.format = .channels(layout)
      if visual == .directColor { pixels.colorMap = .linear(for: layout) }
    } catch {
      throw DisplayError(
        .contradictory, path: path,
        detail: "the driver's pixel format contradicts itself: \(error); this is a bug of the driver")
    }
  }

  private static let usualChannels: [Int: (red: BitField, green: BitField, blue: BitField)] = [
    16: (.init(offset: 11, length: 5), .init(offset: 5, length: 6), .init(offset: 0, length: 5)),
    24: (.init(offset: 16, length: 8), .init(offset: 8, length: 8), .init(offset: 0, length: 8)),
    32: (.init(offset: 16, length: 8), .init(offset: 8, length: 8), .init(offset: 0, length: 8)),
  ]

  private func wholePixel(_ bits: Int) -> BitField { BitField(offset: 0, length: UInt32(clamping: bits)) }

  /// Returns the bits of an index into the colour map: those of all three channels if they agree, else the
  /// whole pixel. (kernel `fb_bitfield`: "for pseudocolor, offset and length should be the same for all".)
  private func indexChannel(_ bits: Int) -> BitField {
    red.length > 0 && red == green && green == blue && red.end <= UInt64(bits) ? red : wholePixel(bits)
  }

  /// The order of pixels that share a byte: the left one lowest, unless a driver has FB_NONSTD_REV_PIX_IN_B.
  private var pixelOrder: PixelOrder { isReversed || nonstandard & 2 != 0 ? .highestFirst : .lowestFirst }

  /// Rejects grey scales and colour maps with more bits than any driver's.
  private func check(
    _ channel: BitField, _ depth: PixelDepth, _ path: String, longest: UInt32 = 8
  ) throws(DisplayError) {
    guard [1, 2, 4, 8, 16].contains(depth.bits), channel.length <= longest, channel.end <= UInt64(depth.bits)
    else {
      throw DisplayError(
        .unsupported, path: path,
        detail:
          "\(bitsPerPixel) bits per pixel with visual \(visual.name) is not supported; 1, 2, 4 and 8 bits are. "
          + Self.advice)
    }
  }

  private static let advice = "Set another depth, for example with fbset -depth 32"

  /// Rejects memory layouts and visuals that are not supported.
  private func checkKind(_ path: String) throws(DisplayError) {
    guard type == 0 else {
      throw DisplayError(
        .unsupported, path: path,
        detail: "the memory layout is type \(type); only packed pixels (type 0) are supported")
    }
    let visuals: [Visual] = [.mono01, .mono10, .trueColor, .pseudoColor, .directColor, .staticPseudoColor]
    guard visuals.contains(visual), grayscale <= 1 else {
      let code = grayscale > 1 ? " and format code \(grayscale)" : ""
      throw DisplayError(
        .unsupported, path: path,
        detail:
          "\(bitsPerPixel) bits per pixel with visual \(visual.name)\(code) is not supported. \(Self.advice)")
    }
    guard !isReversed || bitsPerPixel < 8 else {
      throw DisplayError(
        .unsupported, path: path,
        detail: "a channel has its most significant bit right (msb_right), which is not supported")
    }
  }
}

/// The number of bits that a pixel takes in memory. Drivers may report a wrong one.
struct PixelDepth: Equatable {
  /// 1, 2, 4, 8, 16, 24 or 32; any other number is the driver's own and cannot be used.
  let bits: Int
  /// The assumption made instead of the driver's number, as a log message.
  let notice: String?

  private static let stored = [1, 2, 4, 8, 16, 24, 32]

  /// Uses the reported depth if it is possible, else derives one from the rows and channels.
  init(_ report: FramebufferReport) {
    let reported = Int(report.bitsPerPixel)
    let reach = Self.reach(of: report)
    let row = Int(report.offsetX) + Int(report.width)
    let stride = Int(report.lineLength)
    func fits(_ bits: Int) -> Bool { reach <= bits && (row * bits + 7) / 8 <= stride }
    func fillsRow(_ bits: Int) -> Bool {
      fits(bits) && max(row, Int(report.virtualWidth)) * bits == stride * 8
    }
    let isStored = Self.stored.contains(reported)
    if isStored && fits(reported) {
      (bits, notice) = (reported, nil)
      return
    }
    let wider = isStored ? [] : Self.stored.filter { $0 > max(reported, 8) }
    guard reported > 0, let found = Self.stored.last(where: fillsRow) ?? wider.first(where: fits) else {
      (bits, notice) = (reported, nil)
      return
    }
    bits = found
    // 15 and 18 bits are stored in 16 and 24 or 32, and many drivers count only the bits that are used.
    notice =
      wider.contains(found)
      ? nil
      : "the driver reports \(reported) bits per pixel, but its rows of \(stride) bytes and its channels have "
        + "\(found): assuming \(found)"
  }

  private static func reach(of report: FramebufferReport) -> Int {
    let channels = [report.red, report.green, report.blue]
    return Int(channels.filter { $0.length > 0 }.map(\.end).max() ?? 0)
  }
}
