import TouchPixels

extension FramebufferReport {
  /// What a driver's numbers say of its pixels, and what had to be guessed.
  struct Pixels: Equatable {
    var coding: PixelCoding
    /// In memory.
    var bitsPerPixel: Int
    var order: PixelOrder
    /// Must be written before the pixels mean what `coding` says.
    var colorMap: ColorMap?
    var notices: [String]
  }

  /// - Parameter path: the device's, for messages.
  /// - Throws: `DisplayError` of kind `unsupported` or `contradictory`, with the numbers.
  func pixels(path: String) throws(DisplayError) -> Pixels {
    try checkKind(path)
    let depth = PixelDepth(self)
    var pixels = Pixels(
      coding: .grey(wholePixel(depth.bits), isInverted: false), bitsPerPixel: depth.bits,
      order: pixelOrder, colorMap: nil, notices: [depth.notice].compactMap(\.self))
    switch visual {
    case .mono01, .mono10:
      // Black is all bits set in the one, none in the other, however many they are. (kernel `fb/api.rst`)
      try check(wholePixel(depth.bits), depth, path)
      pixels.coding = .grey(wholePixel(depth.bits), isInverted: visual == .mono01)
    case .pseudoColor:
      try readWritableMap(into: &pixels, depth, path)
    case .staticPseudoColor:
      let channel = indexChannel(depth.bits)
      try check(channel, depth, path)
      pixels.coding = grayscale == 1 ? .grey(channel, isInverted: false) : .fixedMap(channel)
    default:
      try readChannels(into: &pixels, depth, path)
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
      pixels.coding = .grey(channel, isInverted: false)
      pixels.colorMap = .grey(count: count)
    } else {
      pixels.coding = .cube(channel, side: side)
      pixels.colorMap = .cube(side: side, count: count)
    }
  }

  private func readChannels(
    into pixels: inout Pixels, _ depth: PixelDepth, _ path: String
  ) throws(DisplayError) {
    // Three times the same bits are one channel: grey.
    if red == green, green == blue, red.length > 0 {
      try check(red, depth, path, longest: 16)
      pixels.coding = .grey(red, isInverted: false)
      if visual == .directColor { pixels.colorMap = .grey(count: 1 << Int(red.length)) }
      return
    }
    var channels = (red: red, green: green, blue: blue, transparency: transparency)
    if red.length + green.length + blue.length == 0, let usual = Self.usualChannels[depth.bits] {
      channels = (usual.red, usual.green, usual.blue, PixelFormat.Channel(offset: 0, length: 0))
      pixels.notices.append(
        "the driver does not say where in \(depth.bits) bits its channels are: taking red "
          + "\(usual.red.text), green \(usual.green.text), blue \(usual.blue.text)")
    }
    do throws(PixelFormat.Contradiction) {
      let format = try PixelFormat(
        bitsPerPixel: depth.bits, red: channels.red, green: channels.green, blue: channels.blue,
        transparency: channels.transparency)
      pixels.coding = .fields(format)
      if visual == .directColor { pixels.colorMap = .linear(for: format) }
    } catch {
      throw DisplayError(
        .contradictory, path: path,
        detail: "the driver's pixel format makes no sense: \(error); this is a bug of the driver")
    }
  }

  private static let usualChannels:
    [Int: (red: PixelFormat.Channel, green: PixelFormat.Channel, blue: PixelFormat.Channel)] = [
      16: (.init(offset: 11, length: 5), .init(offset: 5, length: 6), .init(offset: 0, length: 5)),
      24: (.init(offset: 16, length: 8), .init(offset: 8, length: 8), .init(offset: 0, length: 8)),
      32: (.init(offset: 16, length: 8), .init(offset: 8, length: 8), .init(offset: 0, length: 8)),
    ]

  private func wholePixel(_ bits: Int) -> PixelFormat.Channel {
    PixelFormat.Channel(offset: 0, length: UInt32(clamping: bits))
  }

  /// The bits of an entry's number: what red says, which green and blue repeat, or the whole pixel.
  /// (kernel `fb_bitfield`: "for pseudocolor, offset and length should be the same for all".)
  private func indexChannel(_ bits: Int) -> PixelFormat.Channel {
    red.length > 0 && red == green && green == blue && red.end <= UInt64(bits) ? red : wholePixel(bits)
  }

  /// Of pixels that share a byte. The kernel's own drawing puts the left one lowest on little-endian machines, and turns
  /// that round for drivers that say so. (`FB_NONSTD_REV_PIX_IN_B`)
  private var pixelOrder: PixelOrder {
    isReversed || nonstandard & 2 != 0 ? .highestFirst : .lowestFirst
  }

  /// Refuses steps of grey and colour maps that are larger than any driver has them.
  ///
  /// - Parameter longest: how many bits a step or an entry's number may have.
  private func check(
    _ channel: PixelFormat.Channel, _ depth: PixelDepth, _ path: String, longest: UInt32 = 8
  ) throws(DisplayError) {
    guard [1, 2, 4, 8, 16].contains(depth.bits), channel.length <= longest,
      channel.end <= UInt64(depth.bits)
    else {
      throw DisplayError(
        .unsupported, path: path,
        detail:
          "\(bitsPerPixel) bits per pixel with visual \(visual.name) is not built; 1, 2, 4 and 8 bits are. "
          + Self.advice)
    }
  }

  private static let advice = "Set another depth, for example with fbset -depth 32"

  /// Refuses what is not built, whatever its numbers.
  private func checkKind(_ path: String) throws(DisplayError) {
    guard type == 0 else {
      throw DisplayError(
        .unsupported, path: path,
        detail: "the memory layout is type \(type); only packed pixels (type 0) are built")
    }
    let visuals: [Visual] = [.mono01, .mono10, .trueColor, .pseudoColor, .directColor, .staticPseudoColor]
    guard visuals.contains(visual), grayscale <= 1 else {
      let code = grayscale > 1 ? " and format code \(grayscale)" : ""
      throw DisplayError(
        .unsupported, path: path,
        detail:
          "\(bitsPerPixel) bits per pixel with visual \(visual.name)\(code) is not built. \(Self.advice)")
    }
    guard !isReversed || bitsPerPixel < 8 else {
      throw DisplayError(
        .unsupported, path: path, detail: "a channel has its most significant bit right (msb_right)")
    }
  }
}
