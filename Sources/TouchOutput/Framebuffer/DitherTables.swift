/// What each cell of the dithering pattern makes of each intensity: a channel's share of the pixel. The shares of a
/// pixel's channels are added.
final class DitherTables {
  /// Where a pixel's shares come from.
  enum Source {
    /// Red, green and blue, each with a table of its own.
    case color
    /// The pixel's luma, in one table.
    case grey
  }

  let source: Source
  /// `[cell][channel][intensity]`
  private let shares: UnsafeMutablePointer<UInt16>
  private let count: Int
  private let channelCount: Int

  /// Nil for a coding that dithering does not apply to: more than 16 bits, or a map that is not ours.
  init?(_ coding: PixelCoding) {
    let channels: [(_ step: Int) -> Int]
    let lasts: [Int]
    switch coding {
    case .fields(let format) where format.bitsPerPixel <= 16:
      let spare = Int(format.spareBits)
      channels = [
        { spare | $0 << Int(format.red.offset) }, { $0 << Int(format.green.offset) },
        { $0 << Int(format.blue.offset) },
      ]
      lasts = [format.red, format.green, format.blue].map { 1 << Int($0.length) - 1 }
      source = .color
    case .cube(let channel, let side):
      let offset = Int(channel.offset)
      channels = [{ ($0 * side * side) << offset }, { ($0 * side) << offset }, { $0 << offset }]
      lasts = [side - 1, side - 1, side - 1]
      source = .color
    case .grey(let channel, let isInverted):
      let last = 1 << Int(channel.length) - 1
      channels = [{ (isInverted ? last - $0 : $0) << Int(channel.offset) }]
      lasts = [last]
      source = .grey
    case .fields, .fixedMap:
      return nil
    }
    channelCount = channels.count
    count = Dither.cellCount * channelCount * 256
    shares = .allocate(capacity: count)
    shares.initialize(repeating: 0, count: count)
    for channel in channels.indices { fill(channel, last: lasts[channel], share: channels[channel]) }
  }

  deinit {
    shares.deallocate()
  }

  private func fill(_ channel: Int, last: Int, share: (_ step: Int) -> Int) {
    for intensity in 0..<256 {
      let (step, fraction) = Dither.split(intensity, last: last)
      for cell in 0..<Dither.cellCount {
        let risen = Dither.thresholds[cell] < fraction ? step + 1 : step
        shares[(cell * channelCount + channel) * 256 + intensity] = UInt16(truncatingIfNeeded: share(risen))
      }
    }
  }

  /// Gives `body` the framebuffer's value of one pixel after the other.
  ///
  /// - Parameters:
  ///   - pixels: `0xAARRGGBB`, `count` of them.
  ///   - x: the first one's place on the display; `y` too.
  @inline(__always)
  func forEach(
    _ pixels: UnsafePointer<UInt32>, count: Int, x: Int, y: Int,
    _ body: (_ index: Int, _ value: UInt16) -> Void
  ) {
    switch source {
    case .color:
      for index in 0..<count {
        let pixel = Int(pixels[index])
        let cell = shares + Dither.cell(x: x + index, y: y) * 768
        body(index, cell[pixel >> 16 & 255] &+ cell[256 + pixel >> 8 & 255] &+ cell[512 + pixel & 255])
      }
    case .grey:
      for index in 0..<count {
        let cell = shares + Dither.cell(x: x + index, y: y) * 256
        body(index, cell[Int(Luma.of(pixels[index]))])
      }
    }
  }
}

/// How bright a colour looks.
enum Luma {
  /// 0 … 255, of `0xAARRGGBB`. (ITU-R BT.601.) The weights add up to 256, so white is 255.
  @inline(__always)
  static func of(_ pixel: UInt32) -> UInt32 {
    ((pixel >> 16 & 255) * 77 + (pixel >> 8 & 255) * 150 + (pixel & 255) * 29) >> 8
  }
}
