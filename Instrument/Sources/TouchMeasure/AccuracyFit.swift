import TouchCore

/// The common part of the offsets of touches on marks: a panel's shift, scale, rotation, shear and keystone,
/// by least squares over the place, for each axis `a + b·u + c·v + d·u·v`. One touch may be the hand's error,
/// 25 are not.
package struct AccuracyFit: Sendable {
  /// An estimate with its standard error, in the same unit.
  package struct Estimate: Sendable {
    package var value, error: Double

    /// The distance in millimetres by which one unit of the value moves a point at the panel's edge.
    package var reach = 0.0
  }

  /// The length of the mean offset at the panel's middle, in units of the panel.
  package private(set) var shift: Estimate
  /// The scale in per cent, of the axis at whose edge it is farther.
  package private(set) var scale: Estimate
  /// The clockwise rotation in degrees.
  package private(set) var rotation: Estimate
  /// The shear in degrees.
  package private(set) var shear: Estimate
  /// The difference of two opposite sides in per cent, of the pair at whose corners it is farther.
  package private(set) var keystone: Estimate
  /// The standard deviation of the rest on one axis, in units of the panel.
  package private(set) var rest: Estimate
  /// The rest at each mark, in units of the panel: the vector from the fitted place to the touch.
  package private(set) var rests: [(mark: PanelPoint, rest: Vector<PanelSpace>)] = []
  /// The deviation of most touches. It keeps a distortion from hiding in the spread that it causes.
  private var usual = 0.0
  /// The largest rest that neighbours share, and so the panel's, with its place, in units of the panel.
  package private(set) var local: (estimate: Estimate, from: PanelPoint, to: PanelPoint)
  package private(set) var middle: (mark: PanelPoint, touch: PanelPoint)

  private static let fewest = 9
  /// The standard deviations beyond which a touch counts as slipped and is left out.
  private static let farthest = 5.0
  /// The standard errors that nothing reaches by chance once in 1500 panels. (Student's t, 70 degrees)
  private static let luckOfOne = 3.6
  /// The same for the largest of eighty lengths of two axes. ((1 + 5.5² / 70)^-35 = 0.0004 %)
  package static let luckOfMany = 5.5

  package typealias Touch = (mark: PanelPoint, touch: PanelPoint)

  /// Fails for too few touches, and for touches on a line.
  package init?(_ touches: [Touch], in geometry: PanelGeometry) {
    let all = touches.filter(\.touch.isFinite)
    guard let first = Solution(all, in: geometry) else { return nil }
    // The few slipped touches do not move the median deviation.
    let deviations = all.map { first.residual($0) }.sorted()
    let bound = max(Self.farthest * deviations[deviations.count / 2], geometry.length(1))
    let kept = all.filter { first.residual($0) <= bound }
    let solution = kept.count < all.count ? Solution(kept, in: geometry) ?? first : first
    let (x, y, errors) = (solution.x, solution.y, solution.errors)
    let (halfWidth, halfHeight) = (geometry.size.width / 2, geometry.size.height / 2)

    shift = Estimate(value: (x[0] * x[0] + y[0] * y[0]).squareRoot(), error: errors[0])
    scale = Self.more(
      Estimate(value: 100 * x[1] / halfWidth, error: 100 * errors[1] / halfWidth, reach: halfWidth / 100),
      Estimate(value: 100 * y[2] / halfHeight, error: 100 * errors[2] / halfHeight, reach: halfHeight / 100))
    let degrees = 180 / Double.pi
    let (ofY, ofX) = (y[1] / halfWidth, x[2] / halfHeight)
    let error =
      ((errors[1] / halfWidth) * (errors[1] / halfWidth)
      + (errors[2] / halfHeight) * (errors[2] / halfHeight)).squareRoot() * degrees
    rotation = Estimate(
      value: (ofY - ofX) / 2 * degrees, error: error / 2, reach: max(halfWidth, halfHeight) / degrees)
    shear = Estimate(value: (ofY + ofX) * degrees, error: error, reach: min(halfWidth, halfHeight) / degrees)
    keystone = Self.more(
      Estimate(value: 200 * x[3] / halfWidth, error: 200 * errors[3] / halfWidth, reach: halfWidth / 200),
      Estimate(value: 200 * y[3] / halfHeight, error: 200 * errors[3] / halfHeight, reach: halfHeight / 200))
    // The standard error of a deviation. (Normal distribution: one part in the root of twice the degrees.)
    rest = Estimate(
      value: solution.deviation, error: solution.deviation / (2 * Double(solution.degrees)).squareRoot())
    let middle = PanelPoint(x: halfWidth, y: halfHeight)
    self.middle = (middle, PanelPoint(x: middle.x + x[0], y: middle.y + y[0]))
    local = (Estimate(value: 0, error: 0), middle, middle)
    findRests(all, from: solution, in: geometry)
    findLocal(in: geometry)
  }

  /// Whether the keystone certainly explains more than the scale: a short side makes half of it.
  package var isRatherKeystone: Bool { abs(keystone.value) - 2 * keystone.error > abs(scale.value) }

  /// The mark with the largest rest, and the end of that rest.
  var farthest: (from: PanelPoint, to: PanelPoint) {
    func length(_ rest: Vector<PanelSpace>) -> Double { rest.x * rest.x + rest.y * rest.y }
    guard let worst = rests.max(by: { length($0.rest) < length($1.rest) }) else {
      return (middle.mark, middle.touch)
    }
    return (worst.mark, PanelPoint(x: worst.mark.x + worst.rest.x, y: worst.mark.y + worst.rest.y))
  }

  /// Returns the rest at a place, smoothed over marks by a quarter at the distance of two, and its
  /// uncertainty in a touch's standard deviations; nil without marks.
  package func rest(at place: PanelPoint, in geometry: PanelGeometry)
    -> (rest: Vector<PanelSpace>, share: Double)?
  {
    let spacing = (geometry.size.width * geometry.size.height / Double(max(1, rests.count))).squareRoot()
    var (x, y, weights, squares) = (0.0, 0.0, 0.0, 0.0)
    for (mark, rest) in rests {
      let distance = place.distance(to: mark) / spacing
      let weight = Self.weight(distance)
      x += weight * rest.x
      y += weight * rest.y
      weights += weight
      squares += weight * weight
    }
    guard weights > 0 else { return nil }
    return (Vector(x: x / weights, y: y / weights), squares.squareRoot() / weights)
  }

  /// Finds the rests at the marks, with a distortion that neighbours share, which the fit would follow.
  private mutating func findRests(_ all: [Touch], from solution: Solution, in geometry: PanelGeometry) {
    var (fit, most) = (solution, Self.luckOfMany)
    let spacing = (geometry.size.width * geometry.size.height / Double(max(1, all.count))).squareRoot()
    for (mark, reach) in all.flatMap({ [($0.mark, spacing), ($0.mark, 2 * spacing)] }) {
      guard let other = Solution(all, in: geometry, bump: (mark, reach)) else { continue }
      let bump = (other.x[4] * other.x[4] + other.y[4] * other.y[4]).squareRoot()
      guard bump > most * other.errors[4] else { continue }
      (fit, most) = (other, bump / other.errors[4])
    }
    rests = all.map { ($0.mark, fit.rest($0)) }
    // A distortion must not hide in its own spread. A median length is 1.1774 normal deviations.
    let lengths = rests.map { ($0.rest.x * $0.rest.x + $0.rest.y * $0.rest.y).squareRoot() }
    usual = min(fit.deviation, lengths.sorted()[lengths.count / 2] / 1.1774)
    let slipped = rests.indices.filter { index in
      let (mark, rest) = rests[index]
      guard lengths[index] > max(Self.farthest * 1.1774 * usual, geometry.length(1)) else { return false }
      // A distortion's middle is no slipped touch if the marks around are off in its direction.
      var others = self
      others.rests.remove(at: index)
      guard let around = others.rest(at: mark, in: geometry) else { return true }
      let along = (around.rest.x * rest.x + around.rest.y * rest.y) / lengths[index]
      return along <= Self.luckOfOne * around.share * usual
    }
    for index in slipped.reversed() { rests.remove(at: index) }
  }

  /// Returns the weight of a mark at a distance: a quarter at the distance of two marks.
  private static func weight(_ distance: Double) -> Double {
    1 / (1 + 3 * distance * distance * distance * distance)
  }

  private mutating func findLocal(in geometry: PanelGeometry) {
    for (mark, _) in rests {
      guard let (rest, share) = rest(at: mark, in: geometry) else { continue }
      let value = (rest.x * rest.x + rest.y * rest.y).squareRoot()
      guard value.isFinite, value > local.estimate.value else { continue }
      local = (
        Estimate(value: value, error: share * usual), mark, PanelPoint(x: mark.x + rest.x, y: mark.y + rest.y)
      )
    }
  }

  private static func more(_ one: Estimate, _ other: Estimate) -> Estimate {
    abs(other.value) * other.reach > abs(one.value) * one.reach ? other : one
  }

  /// The eight unknowns, and two for a distortion. Places are ±1 at the panel's edges.
  private struct Solution {
    private let half: Size
    /// The coefficients of the offsets along each axis, in units of the panel.
    private(set) var x: [Double]
    private(set) var y: [Double]
    /// The standard errors, which are alike for both axes.
    private(set) var errors: [Double]
    private(set) var deviation = 0.0
    /// The degrees of freedom of the deviation, which is that of both axes.
    private(set) var degrees = 1
    private let bump: (place: PanelPoint, reach: Double)?

    init?(_ touches: [Touch], in geometry: PanelGeometry, bump: (place: PanelPoint, reach: Double)? = nil) {
      self.bump = bump
      let unknowns = bump == nil ? 4 : 5
      x = Array(repeating: 0, count: unknowns)
      (y, errors) = (x, x)
      half = Size(width: geometry.size.width / 2, height: geometry.size.height / 2)
      guard touches.count >= AccuracyFit.fewest, half.width > 0, half.height > 0 else { return nil }
      var matrix = Array(repeating: x, count: unknowns)
      var (toX, toY) = (x, y)
      for touch in touches {
        let terms = terms(touch.mark)
        for row in 0..<unknowns {
          for column in 0..<unknowns { matrix[row][column] += terms[row] * terms[column] }
          toX[row] += terms[row] * (touch.touch.x - touch.mark.x)
          toY[row] += terms[row] * (touch.touch.y - touch.mark.y)
        }
      }
      guard let inverse = Self.inverse(matrix) else { return nil }
      for row in 0..<unknowns {
        for column in 0..<unknowns {
          x[row] += inverse[row][column] * toX[column]
          y[row] += inverse[row][column] * toY[column]
        }
      }
      let squares = touches.reduce(0) { sum, touch in
        let residual = residual(touch)
        return sum + residual * residual
      }
      degrees = 2 * (touches.count - unknowns)
      deviation = (squares / Double(degrees)).squareRoot()
      errors = (0..<unknowns).map { deviation * inverse[$0][$0].squareRoot() }
      guard (x + y + errors).allSatisfy(\.isFinite) else { return nil }
    }

    private func terms(_ mark: PanelPoint) -> [Double] {
      let (u, v) = (mark.x / half.width - 1, mark.y / half.height - 1)
      guard let bump else { return [1, u, v, u * v] }
      return [1, u, v, u * v, AccuracyFit.weight(mark.distance(to: bump.place) / bump.reach)]
    }

    /// Returns the vector from a touch's fitted place, with a distortion, to the touch.
    func rest(_ touch: Touch) -> Vector<PanelSpace> { left(of: touch, by: terms(touch.mark).prefix(4)) }

    private func left(of touch: Touch, by terms: ArraySlice<Double>) -> Vector<PanelSpace> {
      func offset(_ factors: [Double]) -> Double { zip(terms, factors).reduce(0) { $0 + $1.0 * $1.1 } }
      return Vector(x: touch.touch.x - touch.mark.x - offset(x), y: touch.touch.y - touch.mark.y - offset(y))
    }

    func residual(_ touch: Touch) -> Double {
      let rest = left(of: touch, by: terms(touch.mark)[...])
      return (rest.x * rest.x + rest.y * rest.y).squareRoot()
    }

    /// Returns the inverse by Gauss and Jordan's method with pivots; nil for touches on a line.
    private static func inverse(_ matrix: [[Double]]) -> [[Double]]? {
      let unknowns = matrix.indices
      var rows = unknowns.map { row in matrix[row] + unknowns.map { $0 == row ? 1.0 : 0 } }
      for column in unknowns {
        guard let pivot = (column..<matrix.count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
          abs(rows[pivot][column]) > 1e-6
        else { return nil }
        rows.swapAt(column, pivot)
        let divisor = rows[column][column]
        rows[column] = rows[column].map { $0 / divisor }
        for row in unknowns where row != column {
          let factor = rows[row][column]
          rows[row] = zip(rows[row], rows[column]).map { $0 - factor * $1 }
        }
      }
      return rows.map { Array($0.suffix(matrix.count)) }
    }
  }
}
