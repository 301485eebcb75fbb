/// The shares of a channel in a pixel's value, by cell of the pattern and intensity. Their sum is the value.
final class DitherTables {
  /// The origin of a pixel's shares.
  enum Source {
    case color
    /// The pixel's luma, in one table.
    case grey
  }

  let source: Source
  /// `[cell][channel][intensity]`
  private let shares: UnsafeMutablePointer<UInt16>
  private let count, channelCount: Int

  /// Fails for a format that is not dithered: more than 16 bits, or a fixed colour map.
  init?(_ format: PixelFormat) {
    let channels: [(_ step: Int) -> Int]
    let lasts: [Int]
    switch format {
    case .channels(let layout) where layout.bitsPerPixel <= 16:
      let spare = Int(layout.spareBits)
      channels = [
        { spare | $0 << Int(layout.red.offset) }, { $0 << Int(layout.green.offset) },
        { $0 << Int(layout.blue.offset) },
      ]
      lasts = [layout.red, layout.green, layout.blue].map { 1 << Int($0.length) - 1 }
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
    case .channels, .fixedMap: return nil
    }
    channelCount = channels.count
    count = Dither.cellCount * channelCount * 256
    shares = .allocate(capacity: count)
    shares.initialize(repeating: 0, count: count)
    for channel in channels.indices { fill(channel, last: lasts[channel], share: channels[channel]) }
  }

  deinit { shares.deallocate() }

  private func fill(_ channel: Int, last: Int, share: (_ step: Int) -> Int) {
    for intensity in 0..<256 {
      let (step, fraction) = Dither.split(intensity, last: last)
      for cell in 0..<Dither.cellCount {
        let risen = Dither.thresholds[cell] < fraction ? step + 1 : step
        shares[(cell * channelCount + channel) * 256 + intensity] = UInt16(truncatingIfNeeded: share(risen))
      }
    }
  }

  /// Calls `body` with the framebuffer's value of `count` pixels, `0xAARRGGBB`, from a place of the display.
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

enum Luma {
  /// Returns the luma of `0xAARRGGBB`, from 0 to 255. (ITU-R BT.601) The weights add up to 256.
  @inline(__always)
  static func of(_ pixel: UInt32) -> UInt32 {
    ((pixel >> 16 & 255) * 77 + (pixel >> 8 & 255) * 150 + (pixel & 255) * 29) >> 8
  }
}

/// Ordered dithering of eight bits of intensity to fewer steps, by a pattern of 8 × 8 pixels. (Bayer, 1973)
/// It is anchored to the display, so that painting a part again gives the same pixels.
enum Dither {
  static let side = 8
  static let cellCount = side * side

  /// The pattern's thresholds, row by row, in 64ths of a step. Intensities above one take the step above.
  static let thresholds: [Int] = (0..<cellCount).map { cell in
    let (x, y) = (cell % side, cell / side)
    // The bits of x ^ y and y alternate. The lowest ones come first.
    return (0..<3).reduce(0) { sum, bit in sum << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1 }
  }

  @inline(__always)
  static func cell(x: Int, y: Int) -> Int { (y & (side - 1)) * side + (x & (side - 1)) }

  /// Returns the step below an intensity of 0 … 255, and its distance in 64ths of the way to the next one. An
  /// intensity less than one away from a step is that step in every cell: a colour chosen for the display
  /// must not show the rounding error of its eight bits as speckles.
  static func split(_ intensity: Int, last: Int) -> (step: Int, fraction: Int) {
    // Distances are multiplied by `last` to stay whole numbers.
    let nearest = (intensity * last + 127) / 255
    if abs(intensity * last - nearest * 255) < last { return (nearest, 0) }
    let step = intensity * last / 255
    return (step, ((intensity * last - step * 255) * cellCount + 127) / 255)
  }

  /// Returns the least remainder of intensity × `last` / 255 at which a cell takes the step above, as `split`
  /// does; 255 for none. `last` is 2ⁿ − 1 for a channel of n ≤ 8 bits.
  static func bound(_ threshold: Int, last: Int) -> Int {
    let risen = (255 * (threshold + 1) - 127 + cellCount - 1) / cellCount
    return max(last, min(256 - last, risen))
  }
}
