import TouchCore
import TouchInput

/// The space of the panel as its user sees it, to `PanelGeometry.size`, in millimetres or device units.
package enum PanelSpace {}

package typealias PanelPoint = Point<PanelSpace>

/// The orientation of a panel's axes against its picture: swapped first, then inverted.
package struct PanelOrientation: Equatable, Sendable {
  package var isSwapped = false
  package var invertsX = false
  package var invertsY = false

  package init() {}

  /// Makes the orientation nearest to a calibration's.
  package init(_ matrix: AffineTransform) {
    isSwapped = abs(matrix.b) + abs(matrix.c) > abs(matrix.a) + abs(matrix.d)
    invertsX = (isSwapped ? matrix.c : matrix.a) < 0
    invertsY = (isSwapped ? matrix.b : matrix.d) < 0
  }

  /// Returns the place that the user sees for a place that the device reports.
  package func map(_ point: Point<NormalizedSpace>) -> Point<NormalizedSpace> {
    let x = isSwapped ? point.y : point.x
    let y = isSwapped ? point.x : point.y
    return Point(x: invertsX ? 1 - x : x, y: invertsY ? 1 - y : y)
  }

  /// Returns the place that the device reports for a place that the user sees.
  package func unmap(_ point: Point<NormalizedSpace>) -> Point<NormalizedSpace> {
    let x = invertsX ? 1 - point.x : point.x
    let y = invertsY ? 1 - point.y : point.y
    return isSwapped ? Point(x: y, y: x) : Point(x: x, y: y)
  }

  /// The clockwise turn in degrees, for the key `rotation`; nil for a mirror image.
  package var rotation: Int? {
    switch (isSwapped, invertsX, invertsY) {
    case (false, false, false): 0
    case (true, true, false): 90
    case (false, true, true): 180
    case (true, false, true): 270
    default: nil
    }
  }

  /// The orientation as a calibration: libinput's six numbers, row by row.
  package var calibration: [Double] {
    func row(_ isInverted: Bool, _ isOfX: Bool) -> [Double] {
      let factor = isInverted ? -1.0 : 1.0
      return [isOfX ? factor : 0, isOfX ? 0 : factor, isInverted ? 1 : 0]
    }
    return row(invertsX, !isSwapped) + row(invertsY, isSwapped)
  }
}

package struct PanelGeometry: Sendable {
  /// The size of the panel as its user sees it, in units of `PanelSpace`.
  package let size: Size
  /// Whether the size is known. Limits in millimetres require it.
  package let isInMillimetres: Bool
  /// Whether the axes' resolution gives an impossible size, as of one unit per millimetre.
  package let isImplausible: Bool
  package let orientation: PanelOrientation
  /// The apparent movement of a still finger: one step of the values, a unit unless learned.
  package internal(set) var grain: Double
  /// One unit of the device along each axis as the user sees it, in units of the panel.
  let unit: Size
  /// The possible sides in millimetres, from a watch to a whiteboard.
  private static let sides = 10.0...3000
  private let x, y: AxisRange

  /// - Parameters:
  ///   - x: the range of the device's x axis, with its resolution.
  ///   - y: the range of the device's y axis, with its resolution.
  ///   - millimetres: the panel's size as its user sees it; nil to take it from the axes' resolution.
  package init(
    x: AxisRange, y: AxisRange, millimetres: Size? = nil, orientation: PanelOrientation = PanelOrientation()
  ) {
    (self.x, self.y, self.orientation) = (x, y, orientation)
    // As libinput computes it, from the first to the last unit.
    let units = (
      x: max(1, Double(x.maximum) - Double(x.minimum)), y: max(1, Double(y.maximum) - Double(y.minimum))
    )
    let declared =
      x.resolution > 0 && y.resolution > 0
      ? Size(width: units.x / Double(x.resolution), height: units.y / Double(y.resolution)) : nil
    isImplausible =
      declared.map { size in !Self.sides.contains(size.width) || !Self.sides.contains(size.height) } ?? false
    isInMillimetres = millimetres != nil || declared != nil && !isImplausible
    if let millimetres {
      size = millimetres
    } else {
      let width = isInMillimetres ? declared?.width ?? units.x : units.x
      let height = isInMillimetres ? declared?.height ?? units.y : units.y
      size = orientation.isSwapped ? Size(width: height, height: width) : Size(width: width, height: height)
    }
    let (width, height) =
      orientation.isSwapped
      ? (size.width / units.y, size.height / units.x) : (size.width / units.x, size.height / units.y)
    unit = Size(width: width, height: height)
    grain = (width * width + height * height).squareRoot()
  }

  /// The tremble of a careful finger, in units of the panel: a thousandth, which is about 0.2 mm.
  package var tremor: Double { max(size.width, size.height) / 1000 }

  /// Returns whether a finger that leaves or comes may be last or first seen at a point.
  func isAtEdge(_ point: PanelPoint) -> Bool {
    let near = min(length(10), min(size.width, size.height) / 6)
    return min(point.x, point.y, size.width - point.x, size.height - point.y) < near
  }

  /// Returns millimetres in units of the panel, of 200 mm if its size is unknown.
  package func length(_ millimetres: Double) -> Double {
    isInMillimetres ? millimetres : millimetres * max(size.width, size.height) / 200
  }

  /// Returns a position from 0 to 1 as the device reports it, or beyond its range.
  package func normalized(_ position: Point<DeviceSpace>) -> Point<NormalizedSpace> {
    Point(
      x: (position.x - Double(x.minimum)) / max(1, Double(x.maximum) - Double(x.minimum)),
      y: (position.y - Double(y.minimum)) / max(1, Double(y.maximum) - Double(y.minimum)))
  }

  /// Returns a place that the user sees, from 0 to 1 on both axes as the device reports them.
  package func normalized(_ point: PanelPoint) -> Point<NormalizedSpace> {
    orientation.unmap(Point(x: point.x / size.width, y: point.y / size.height))
  }

  package func point(_ position: Point<DeviceSpace>) -> PanelPoint {
    point(orientation.map(normalized(position)))
  }

  /// - Parameter place: the place as the user sees it, from 0 to 1.
  package func point(_ place: Point<NormalizedSpace>) -> PanelPoint {
    PanelPoint(x: place.x * size.width, y: place.y * size.height)
  }
}

/// The faults of the axes by four touched corners.
package struct MappingFault: Sendable {
  /// The faults in words; empty if there are none.
  package private(set) var sentences: [String] = []
  package private(set) var orientation = PanelOrientation()
  /// The calibration that corrects the fault, as in libinput; nil for a rotation or none.
  package private(set) var calibration: [Double]?

  /// The farthest distance of a corner from its mark, as a part of the panel: the width of a finger.
  private static let reach = 0.06
  /// The same in millimetres. On a small panel, a finger is wider than that part of it.
  private static let fingerReach = 6.0

  /// Makes it of marks with reported positions and a size in millimetres, if known. It fails on a line.
  package init?(_ samples: [CalibrationFit.Sample], size: Size? = nil) {
    guard let fit = CalibrationFit(samples) else { return nil }
    orientation = PanelOrientation(fit.matrix)
    if let rotation = orientation.rotation {
      if rotation != 0 { sentences.append("the axes are turned by \(rotation)° against the picture") }
    } else {
      if orientation.isSwapped { sentences.append("x and y are swapped") }
      if orientation.invertsX { sentences.append("\(orientation.isSwapped ? "y" : "x") is inverted") }
      if orientation.invertsY { sentences.append("\(orientation.isSwapped ? "x" : "y") is inverted") }
      calibration = orientation.calibration
    }
    let farthest =
      samples.map { sample in
        let place = orientation.map(sample.touched)
        return max(
          abs(place.x - sample.target.x) / Self.reach(size?.width),
          abs(place.y - sample.target.y) / Self.reach(size?.height))
      }.max() ?? 0
    guard farthest > 1 else { return }
    let matrix = fit.matrix
    let scaleX = abs(orientation.isSwapped ? matrix.c : matrix.a)
    let scaleY = abs(orientation.isSwapped ? matrix.b : matrix.d)
    let largest =
      samples.map { sample in
        let place = orientation.map(sample.touched)
        return max(abs(place.x - sample.target.x), abs(place.y - sample.target.y))
      }.max() ?? 0
    sentences.append(
      max(abs(scaleX - 1), abs(scaleY - 1)) > Self.reach
        ? "the axes are scaled: the picture is \(Self.rounded(1 / scaleX)) × \(Self.rounded(1 / scaleY)) of their range"
        : "the axes are shifted by up to \(Self.rounded(largest * 100)) % of the panel")
    calibration = [matrix.a, matrix.c, matrix.tx, matrix.b, matrix.d, matrix.ty]
  }

  private static func reach(_ side: Double?) -> Double {
    side.map { max(reach, fingerReach / max($0, 1)) } ?? reach
  }

  private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
