/// Dithers pixels to 16 bits, eight at once, to the same values as `DitherTables`. A cell of the pattern
/// takes the step above an intensity when the remainder, of 255 parts of a step, reaches the bound of the
/// cell's threshold (`Dither.bound`). So the step is (intensity × last + 255 − bound) / 255, rounded down.
final class DitheredWords {
  /// Eight pixels, `0xAARRGGBB`.
  private typealias Pixels = SIMD8<UInt32>
  private typealias Words = SIMD8<UInt16>

  /// 256 − bound, for eight pixels of a row. The extra 1 makes the division exact.
  private struct Cells {
    var red, green, blue: Words
  }

  /// The constants of a conversion: each channel's highest step, the value of one step, and the spare bits.
  private struct Channels {
    var (redLast, redUnit) = (Words(), Words())
    var (greenLast, greenUnit) = (Words(), Words())
    var (blueLast, blueUnit) = (Words(), Words())
    var spare = Words()

    init(_ layout: ChannelLayout) {
      func last(_ field: BitField) -> Words {
        Words(repeating: UInt16(truncatingIfNeeded: 1 << field.length - 1))
      }
      func unit(_ field: BitField) -> Words {
        Words(repeating: UInt16(truncatingIfNeeded: 1 << field.offset))
      }
      (redLast, redUnit) = (last(layout.red), unit(layout.red))
      (greenLast, greenUnit) = (last(layout.green), unit(layout.green))
      (blueLast, blueUnit) = (last(layout.blue), unit(layout.blue))
      spare = Words(repeating: UInt16(truncatingIfNeeded: layout.spareBits))
    }

    @inline(__always)
    func words(_ pixels: Pixels, _ cells: Cells) -> Words {
      // Blue and green in the even halves of pixels, red and alpha in the odd ones.
      let halves = unsafeBitCast(pixels, to: SIMD16<UInt16>.self)
      let (low, high) = (halves.evenHalf, halves.oddHalf)
      return spare | Self.steps(high & 255, redLast, cells.red) &* redUnit
        | Self.steps(low &>> 8, greenLast, cells.green) &* greenUnit
        | Self.steps(low & 255, blueLast, cells.blue) &* blueUnit
    }

    @inline(__always)
    private static func steps(_ intensities: Words, _ last: Words, _ cells: Words) -> Words {
      // Divides by 255: (n + 1 + (n + 1) / 256) / 256.
      let sums = intensities &* last &+ cells
      return (sums &+ (sums &>> 8)) &>> 8
    }
  }

  private let channels: Channels
  /// `[row of the pattern][column of the first pixel]`
  private let cells: UnsafeMutablePointer<Cells>

  /// An area of one colour: the values of eight pixels from a cell of the pattern on.
  private struct Area {
    var color: UInt32
    var cell: Int
    var words: Words
  }

  /// The most recent areas, by colour and cell.
  private let areas: UnsafeMutablePointer<Area>
  private static let areaCount = 64

  private static let width = Words.scalarCount

  /// Fails for a layout without 16 bits, or with more than eight for a channel.
  init?(_ format: PixelFormat) {
    guard case .channels(let layout) = format, layout.bitsPerPixel == 16,
      [layout.red, layout.green, layout.blue].allSatisfy({ $0.length <= 8 })
    else { return nil }
    channels = Channels(layout)
    cells = .allocate(capacity: Dither.cellCount)
    areas = .allocate(capacity: Self.areaCount)
    areas.initialize(repeating: Area(color: 0, cell: -1, words: Words()), count: Self.areaCount)
    for cell in 0..<Dither.cellCount {
      func row(_ channel: BitField) -> Words {
        var words = Words()
        for column in 0..<Self.width {
          let threshold = Dither.thresholds[Dither.cell(x: cell + column, y: cell / Dither.side)]
          words[column] = UInt16(256 - Dither.bound(threshold, last: 1 << Int(channel.length) - 1))
        }
        return words
      }
      (cells + cell).initialize(
        to: Cells(red: row(layout.red), green: row(layout.green), blue: row(layout.blue)))
    }
  }

  deinit {
    cells.deallocate()
    areas.deallocate()
  }

  /// Stores the framebuffer's values of `count` pixels, `0xAARRGGBB`, of one row. In areas of one colour they
  /// repeat after eight pixels, so only the end of such an area has to be found.
  func convert(
    _ source: UnsafePointer<UInt32>, count: Int, x: Int, y: Int, into target: UnsafeMutableRawPointer
  ) {
    let width = Self.width
    guard count >= width else { return convertFew(source, count: count, x: x, y: y, into: target) }
    let cell = Dither.cell(x: x, y: y)
    // Copies, which no store into the target can change: they stay in registers.
    let (channels, cells) = (channels, cells[cell])
    // The starts of the last whole block and of the last two.
    let (lastBlock, lastPair) = (source + (count - width), source + (count - 2 * width))
    var (next, end) = (source, target)
    while next <= lastPair {
      let first = next.pointee
      let color = Pixels(repeating: first)
      guard Self.areZero(Self.pair(next, without: color)) else {
        Self.store(channels.words(Self.pixels(next), cells), end)
        next += width
        end += 2 * width
        continue
      }
      let values = words(first, color, cell)
      repeat {
        Self.store(values, end)
        Self.store(values, end + 2 * width)
        next += 2 * width
        end += 4 * width
      } while next <= lastPair
        && Self.areZero(Self.pair(next, without: color))
    }
    if next <= lastBlock {
      Self.store(channels.words(Self.pixels(next), cells), end)
      next += width
    }
    guard next < source + count else { return }
    // The last block ends with the row, and overlaps the one before it.
    let ends = self.cells[Dither.cell(x: x + count - width, y: y)]
    Self.store(channels.words(Self.pixels(lastBlock), ends), target + 2 * (count - width))
  }

  /// Returns the values of eight pixels of one colour. A screen has few colours, which take turns.
  @inline(__always)
  private func words(_ color: UInt32, _ pixels: Pixels, _ cell: Int) -> Words {
    let slot = Int(truncatingIfNeeded: (color &* 0x9e37_79b1) >> 26) ^ cell
    let known = areas + slot
    if known.pointee.color != color || known.pointee.cell != cell {
      known.pointee = Area(color: color, cell: cell, words: channels.words(pixels, cells[cell]))
    }
    return known.pointee.words
  }

  private func convertFew(
    _ source: UnsafePointer<UInt32>, count: Int, x: Int, y: Int, into target: UnsafeMutableRawPointer
  ) {
    var pixels = Pixels()
    for index in 0..<count { pixels[index] = source[index] }
    let words = channels.words(pixels, cells[Dither.cell(x: x, y: y)])
    for index in 0..<count { target.storeBytes(of: words[index], toByteOffset: index * 2, as: UInt16.self) }
  }

  /// Returns the bits in which two blocks differ from a colour.
  @inline(__always)
  private static func pair(_ source: UnsafePointer<UInt32>, without color: Pixels) -> Pixels {
    (pixels(source) ^ color) | (pixels(source + width) ^ color)
  }

  @inline(__always)
  private static func pixels(_ source: UnsafePointer<UInt32>) -> Pixels {
    UnsafeRawPointer(source).loadUnaligned(as: Pixels.self)
  }

  @inline(__always)
  private static func store(_ words: Words, _ target: UnsafeMutableRawPointer) {
    target.storeBytes(of: words, as: Words.self)
  }

  @inline(__always)
  private static func areZero(_ pixels: Pixels) -> Bool {
    let sum = unsafeBitCast(pixels.lowHalf | pixels.highHalf, to: SIMD2<UInt64>.self)
    return sum[0] | sum[1] == 0
  }
}
