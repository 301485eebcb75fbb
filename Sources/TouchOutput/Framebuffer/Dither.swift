/// Eight bits of intensity in fewer steps: the pixels of a pattern of 8 × 8 take the step below or the one above, in the
/// proportion in which the intensity lies between them. (Bayer, 1973.)
///
/// The pattern is anchored to the display, so that a part that is painted again comes out as it was.
enum Dither {
  static let side = 8
  static let cellCount = side * side

  /// For each cell of the pattern, row by row, how many sixty-fourths of a step it takes before the cell rises.
  static let thresholds: [Int] = (0..<cellCount).map { cell in
    let (x, y) = (cell % side, cell / side)
    // The bits of x ^ y and y, alternating, the lowest ones highest.
    return (0..<3).reduce(0) { sum, bit in
      sum << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1
    }
  }

  /// The cell of a pixel of the display.
  @inline(__always)
  static func cell(x: Int, y: Int) -> Int { (y & (side - 1)) * side + (x & (side - 1)) }

  /// The step below an intensity, and how many sixty-fourths of the way to the next one it is.
  ///
  /// An intensity less than one away from a step's own is that step everywhere: such colours were chosen for the display,
  /// and would come out speckled by the error of writing them in eight bits.
  ///
  /// - Parameters:
  ///   - intensity: 0 … 255.
  ///   - last: the highest step; the first is 0.
  static func split(_ intensity: Int, last: Int) -> (step: Int, fraction: Int) {
    // Distances are in parts of `last`, so that all of it is in whole numbers.
    let nearest = (intensity * last + 127) / 255
    if abs(intensity * last - nearest * 255) < last { return (nearest, 0) }
    let step = intensity * last / 255
    return (step, ((intensity * last - step * 255) * cellCount + 127) / 255)
  }
}
