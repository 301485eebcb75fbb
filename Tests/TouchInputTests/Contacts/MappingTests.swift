import Testing
import TouchCore
import TouchInput

@Suite struct MappingTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var raw: (Double, Double)
    var window: (Double, Double)
    var display = Size(width: 800, height: 480)
    var canvas: Size?
    var scale = DisplayGeometry.Scale.fit
    var rotation = DisplayGeometry.Rotation.none
    var range = (x: AxisRange(minimum: 0, maximum: 799), y: AxisRange(minimum: 0, maximum: 479))
    var settings = Mapping.Settings()
  }

  private static let odd = (
    x: AxisRange(minimum: 10000, maximum: 20000), y: AxisRange(minimum: -2000, maximum: 2000)
  )

  private static func settings(_ change: (inout Mapping.Settings) -> Void) -> Mapping.Settings {
    var settings = Mapping.Settings()
    change(&settings)
    return settings
  }

  static let rows = [
    Row(testDescription: "units that are pixels map to themselves", raw: (123, 45), window: (123, 45)),
    Row(testDescription: "the last unit stays inside", raw: (799, 479), window: (799, 479)),
    Row(testDescription: "any minimum", raw: (10000, -2000), window: (0, 0), range: odd),
    Row(
      testDescription: "a range that ends before it begins is one unit, and no place is nowhere", raw: (0, 0),
      window: (0, 0), range: (AxisRange(minimum: 0, maximum: -1), AxisRange(minimum: 0, maximum: -9))),
    Row(
      testDescription: "a value outside the range goes outside the window", raw: (20001, 2001),
      window: (800, 480), range: odd),
    Row(
      testDescription: "a smaller canvas, fitted with bars", raw: (640, 400), window: (400, 240),
      display: Size(width: 1280, height: 800), canvas: Size(width: 800, height: 480),
      range: (AxisRange(minimum: 0, maximum: 1279), AxisRange(minimum: 0, maximum: 799))),
    Row(
      testDescription: "a touch in the bars lies outside the canvas", raw: (0, 0), window: (0, -10),
      display: Size(width: 1280, height: 800), canvas: Size(width: 800, height: 480),
      range: (AxisRange(minimum: 0, maximum: 1279), AxisRange(minimum: 0, maximum: 799))),
    Row(
      testDescription: "a display turned by 90 turns its input", raw: (799, 0), window: (0, 1),
      rotation: .quarter),
    Row(
      testDescription: "a display turned by 180", raw: (0, 0), window: (800, 480), rotation: .half),
    Row(
      testDescription: "a display turned by 270", raw: (0, 0), window: (480, 0), rotation: .threeQuarters),
    Row(
      testDescription: "a device turned by 90", raw: (0, 0), window: (800, 0),
      settings: settings { $0.rotation = .quarter }),
    Row(
      testDescription: "a calibration that mirrors x", raw: (0, 0), window: (800, 0),
      settings: settings { $0.calibration = AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0) }),
    Row(
      testDescription: "a device that covers half of the canvas", raw: (400, 240), window: (600, 240),
      settings: settings { $0.output = WindowRect(x: 400, y: 0, width: 400, height: 480) }),
    Row(
      testDescription: "an output region of a turned display", raw: (400, 0), window: (0, 400),
      rotation: .quarter,
      settings: settings { $0.output = WindowRect(x: 0, y: 0, width: 480, height: 800) }),
  ]

  @Test(arguments: rows)
  func `device positions reach the window`(_ row: Row) {
    let geometry = DisplayGeometry(
      displaySize: row.display, canvasSize: row.canvas, scale: row.scale, rotation: row.rotation)
    let mapping = Mapping(x: row.range.x, y: row.range.y, settings: row.settings, geometry: geometry)
    let point = mapping.map(Point(x: row.raw.0, y: row.raw.1))
    #expect(abs(point.x - row.window.0) < 1e-9)
    #expect(abs(point.y - row.window.1) < 1e-9)
  }
}
