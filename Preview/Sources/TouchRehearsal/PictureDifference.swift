import TouchCore
import TouchPixels
import TouchSystem
import TouchViews

/// The difference between two pictures.
struct PictureDifference {
  private let sizes: (found: String, expected: String)?
  private let count: Int
  private let total: Int
  /// The first pixel that differs.
  private let first: (x: Int, y: Int, found: Color, expected: Color)?

  /// - Parameter shades: the difference of red, green or blue that does not count.
  /// - Returns: nil if nothing differs.
  init?(_ found: Surface, _ expected: Surface, shades: Int) {
    guard found.width == expected.width, found.height == expected.height else {
      sizes = ("\(found.width)×\(found.height)", "\(expected.width)×\(expected.height)")
      (count, total, first) = (0, 0, nil)
      return
    }
    var (count, first): (Int, Int?) = (0, nil)
    for index in 0..<found.width * found.height
    where Self.differs(found.pixels[index], expected.pixels[index], by: shades) {
      count += 1
      if first == nil { first = index }
    }
    guard let first else { return nil }
    let (y, x) = first.quotientAndRemainder(dividingBy: found.width)
    (sizes, self.count, total) = (nil, count, found.width * found.height)
    self.first = (x, y, found.color(x: x, y: y), expected.color(x: x, y: y))
  }

  private static func differs(_ one: UInt32, _ other: UInt32, by shades: Int) -> Bool {
    guard one != other else { return false }
    return [UInt32(0), 8, 16].contains { shift in
      let (first, second) = (Int(one >> shift & 0xff), Int(other >> shift & 0xff))
      return abs(first - second) > shades
    }
  }

  /// Returns the difference as the end of a sentence; nil if it is tolerated.
  ///
  /// - Parameter tolerance: the share of the pixels that may differ, in per cent.
  func words(tolerating tolerance: Double) -> String? {
    if let sizes { return "it has \(sizes.found) pixels, and not \(sizes.expected)" }
    let share = Double(count) / Double(total) * 100
    guard share > tolerance, let first else { return nil }
    let rounded = (share * 1000).rounded(.up) / 1000
    return "\(rounded.plain) % of its pixels differ, and \(tolerance.plain) % may; the first is "
      + "\(first.x),\(first.y), with \(first.found.hex) and not \(first.expected.hex)"
  }
}
