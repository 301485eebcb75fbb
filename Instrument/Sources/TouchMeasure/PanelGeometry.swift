import TouchCore
import TouchInput

/// The panel as its user sees it, top left corner first, up to `PanelGeometry.size`. Millimetres where the panel's size
/// is known, else units of the device.
package enum PanelSpace {}

package typealias PanelPoint = Point<PanelSpace>

/// How the axes of a panel lie to its picture: swapped first, then inverted.
package struct PanelOrientation: Equatable, Sendable {
  package var isSwapped = false
  package var invertsX = false
  package var invertsY = false

  package init() {}

  /// The orientation that is nearest to a calibration's.
  package init(_ matrix: AffineTransform) {
    isSwapped = abs(matrix.b) + abs(matrix.c) > abs(matrix.a) + abs(matrix.d)
    invertsX = (isSwapped ? matrix.c : matrix.a) < 0
    invertsY = (isSwapped ? matrix.b : matrix.d) < 0
  }

  /// From what the device reports to what the user sees.
  package func map(_ point: Point<NormalizedSpace>) -> Point<NormalizedSpace> {
    let x = isSwapped ? point.y : point.x
    let y = isSwapped ? point.x : point.y
    return Point(x: invertsX ? 1 - x : x, y: invertsY ? 1 - y : y)
  }

  /// From what the user sees to what the device reports.
  package func unmap(_ point: Point<NormalizedSpace>) -> Point<NormalizedSpace> {
    let x = invertsX ? 1 - point.x : point.x
    let y = invertsY ? 1 - point.y : point.y
    return isSwapped ? Point(x: y, y: x) : Point(x: x, y: y)
  }

  /// The clockwise turn that it is, in degrees, as the key `rotation` has it; nil for a mirror image.
  package var rotation: Int? {
    switch (isSwapped, invertsX, invertsY) {
    case (false, false, false): 0
    case (true, true, false): 90
    case (false, true, true): 180
    case (true, false, true): 270
    default: nil
    }
  }

  /// As a calibration: libinput's six numbers, row by row.
  package var calibration: [Double] {
    func row(_ isInverted: Bool, _ isOfX: Bool) -> [Double] {
      let factor = isInverted ? -1.0 : 1.0
      return [isOfX ? factor : 0, isOfX ? 0 : factor, isInverted ? 1 : 0]
    }
    return row(invertsX, !isSwapped) + row(invertsY, isSwapped)
  }
}

/// From device units to the panel.
package struct PanelGeometry: Sendable {
  /// Of the panel as its user sees it, in units of `PanelSpace`.
  package let size: Size
  /// Whether its size is known. Limits in millimetres need it.
  package let isInMillimetres: Bool
  /// Whether the axes' resolution would make it a panel that nobody builds. Firmware that does not know its size declares one
  /// unit a millimetre.
  package let isImplausible: Bool
  package let orientation: PanelOrientation
  /// How far a position may seem to move while a finger does not: one unit of the device on both axes.
  package let grain: Double
  /// In millimetres: from a watch to a whiteboard.
  private static let sides = 10.0...3000
  private let x: AxisRange
  private let y: AxisRange

  /// - Parameters:
  ///   - x: the range of the device's x axis, with its resolution.
  ///   - y: the same for y.
  ///   - millimetres: the panel's size as its user sees it; nil to take it from the axes' resolution.
  package init(
    x: AxisRange, y: AxisRange, millimetres: Size? = nil, orientation: PanelOrientation = PanelOrientation()
  ) {
    self.x = x
    self.y = y
    self.orientation = orientation
    // As libinput reckons it: from the first to the last unit.
    let units = (
      x: max(1, Double(x.maximum) - Double(x.minimum)), y: max(1, Double(y.maximum) - Double(y.minimum))
    )
    let declared =
      x.resolution > 0 && y.resolution > 0
      ? Size(width: units.x / Double(x.resolution), height: units.y / Double(y.resolution)) : nil
    isImplausible =
      declared.map { size in
        !Self.sides.contains(size.width) || !Self.sides.contains(size.height)
      } ?? false
    isInMillimetres = millimetres != nil || declared != nil && !isImplausible
    if let millimetres {
      size = millimetres
    } else {
      let width = isInMillimetres ? declared?.width ?? units.x : units.x
      let height = isInMillimetres ? declared?.height ?? units.y : units.y
      size =
        orientation.isSwapped ? Size(width: height, height: width) : Size(width: width, height: height)
    }
    let (width, height) =
      orientation.isSwapped
      ? (size.width / units.y, size.height / units.x) : (size.width / units.x, size.height / units.y)
    grain = (width * width + height * height).squareRoot()
  }

  /// What a careful finger trembles by, in units of the panel: a thousandth, which is about 0.2 mm.
  package var tremor: Double { max(size.width, size.height) / 1000 }

  /// So many millimetres in units of the panel. Where its size is not known, one of 200 mm is assumed.
  package func length(_ millimetres: Double) -> Double {
    isInMillimetres ? millimetres : millimetres * max(size.width, size.height) / 200
  }

  /// From 0 to 1 on both axes as the device reports them; beyond that where it reports more than its range.
  package func normalized(_ position: Point<DeviceSpace>) -> Point<NormalizedSpace> {
    Point(
      x: (position.x - Double(x.minimum)) / max(1, Double(x.maximum) - Double(x.minimum)),
      y: (position.y - Double(y.minimum)) / max(1, Double(y.maximum) - Double(y.minimum)))
  }

  /// From 0 to 1 on both axes as the device reports them, of a place as its user sees it.
  package func normalized(_ point: PanelPoint) -> Point<NormalizedSpace> {
    orientation.unmap(Point(x: point.x / size.width, y: point.y / size.height))
  }

  package func point(_ position: Point<DeviceSpace>) -> PanelPoint {
    point(orientation.map(normalized(position)))
  }

  /// - Parameter place: as the user sees it, from 0 to 1.
  package func point(_ place: Point<NormalizedSpace>) -> PanelPoint {
    PanelPoint(x: place.x * size.width, y: place.y * size.height)
  }
}

/// What four touched corners say of the axes.
package struct MappingFault: Sendable {
  /// What is wrong, in words; empty for nothing.
  package private(set) var sentences: [String] = []
  package private(set) var orientation = PanelOrientation()
  /// The calibration that puts it right: libinput's six numbers. Nil if a rotation does, or nothing has to.
  package private(set) var calibration: [Double]?

  /// How far a corner may be from its mark, as a part of the panel: a finger is that wide.
  private static let reach = 0.06
  /// In millimetres: on a small panel, a finger is wider than that part of it.
  private static let fingerReach = 6.0

  /// - Parameters:
  ///   - samples: where the marks were, and what the device reported. Nil when they lie on a line.
  ///   - size: of the panel in millimetres; nil where it is not known.
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

  /// As a part of one side of the panel.
  private static func reach(_ side: Double?) -> Double {
    side.map { max(reach, fingerReach / max($0, 1)) } ?? reach
  }

  private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
