import Testing
import TouchCore
import TouchInput

/// The pipeline step by step, in plain numbers, against the one matrix that `Mapping` makes of it.
@Suite struct MappingPipelineTests {
  /// libinput's order: x' = a·x + b·y + c, y' = d·x + e·y + f.
  typealias Calibration = (a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

  struct Case {
    var calibration: Calibration
    var deviceTurns: Int
    var output: WindowRect?
    var displayTurns: Int
    var canvas: Size?
    var scale: DisplayGeometry.Scale
  }

  private static let x = AxisRange(minimum: -2000, maximum: 2095)
  private static let y = AxisRange(minimum: 10_000, maximum: 13_000)
  private static let display = Size(width: 1280, height: 800)

  private static let calibrations: [Calibration] = [
    (1, 0, 0, 0, 1, 0), (0, 1, 0, 1, 0, 0), (-1, 0, 1, 0, 1, 0), (1.1, 0.03, -0.05, -0.02, 0.93, 0.04),
  ]

  static var cases: [Case] {
    var cases: [Case] = []
    for calibration in calibrations {
      for deviceTurns in 0..<4 {
        for displayTurns in 0..<4 {
          for output in [nil, WindowRect(x: 100, y: 50, width: 300, height: 200)] {
            for canvas in [nil, Size(width: 800, height: 480), Size(width: 333, height: 777)] {
              for scale in DisplayGeometry.Scale.allCases {
                cases.append(
                  Case(
                    calibration: calibration, deviceTurns: deviceTurns, output: output,
                    displayTurns: displayTurns, canvas: canvas, scale: scale))
              }
            }
          }
        }
      }
    }
    return cases
  }

  /// absinfo → normalised → calibration → rotation → output region, or the display and its canvas.
  static func expected(_ raw: (Double, Double), _ row: Case) -> (Double, Double) {
    var u = (raw.0 - Double(x.minimum)) / (Double(x.maximum) - Double(x.minimum) + 1)
    var v = (raw.1 - Double(y.minimum)) / (Double(y.maximum) - Double(y.minimum) + 1)
    let m = row.calibration
    (u, v) = (m.a * u + m.b * v + m.c, m.d * u + m.e * v + m.f)
    for _ in 0..<row.deviceTurns { (u, v) = (1 - v, u) }
    // What is seen is turned clockwise on the panel: the way back is counterclockwise.
    for _ in 0..<row.displayTurns { (u, v) = (v, 1 - u) }
    if let output = row.output {
      return (output.minX + u * output.size.width, output.minY + v * output.size.height)
    }
    let isUpright = row.displayTurns % 2 == 0
    let seen = isUpright ? display : Size(width: display.height, height: display.width)
    var canvas = row.canvas ?? seen
    let fit = (x: seen.width / canvas.width, y: seen.height / canvas.height)
    let factor: (x: Double, y: Double) =
      switch row.scale {
      case .fit, .extend: (min(fit.x, fit.y), min(fit.x, fit.y))
      case .fill: (max(fit.x, fit.y), max(fit.x, fit.y))
      case .stretch: fit
      case .none: (1, 1)
      }
    // Its canvas has the display's shape, and so no bars.
    if row.scale == .extend { canvas = Size(width: seen.width / factor.x, height: seen.height / factor.y) }
    let bar = (
      x: ((seen.width - canvas.width * factor.x) / 2).rounded(.down),
      y: ((seen.height - canvas.height * factor.y) / 2).rounded(.down)
    )
    return ((u * seen.width - bar.x) / factor.x, (v * seen.height - bar.y) / factor.y)
  }

  @Test
  func `every combination of the steps is the steps one after another, in the range and far outside it`() {
    let rotations: [DisplayGeometry.Rotation] = [.none, .quarter, .half, .threeQuarters]
    for row in Self.cases {
      let geometry = DisplayGeometry(
        displaySize: Self.display, canvasSize: row.canvas, scale: row.scale,
        rotation: rotations[row.displayTurns])
      var settings = Mapping.Settings()
      let m = row.calibration
      settings.calibration = AffineTransform(a: m.a, b: m.d, c: m.b, d: m.e, tx: m.c, ty: m.f)
      settings.rotation = rotations[row.deviceTurns]
      settings.output = row.output
      let mapping = Mapping(x: Self.x, y: Self.y, settings: settings, geometry: geometry)
      for raw in [
        (-2000.0, 10_000.0), (2095, 10_000), (-2000, 13_000), (2095, 13_000), (17, 11_234), (-90_000, 90_000),
      ] {
        let location = mapping.map(Point(x: raw.0, y: raw.1))
        let (x, y) = Self.expected(raw, row)
        #expect(
          abs(location.x - x) < 1e-6 && abs(location.y - y) < 1e-6,
          "\(raw) to \(location), not \((x, y)): \(row)")
        let hit = mapping.hitLocation(for: location)
        let area = mapping.coveredArea
        #expect(
          hit.x >= area.minX && hit.x < area.maxX && hit.y >= area.minY && hit.y < area.maxY,
          "\(hit) is not in \(area): \(row)")
      }
    }
    #expect(Self.cases.count == 1920)
  }

  @Test func `panels with regions of their own keep their contacts apart`() {
    func panel(_ id: Int, _ output: WindowRect) -> TouchSource {
      var capabilities = DeviceCapabilities()
      capabilities.axes[EventCode.absMTPositionX] = AxisRange(minimum: 0, maximum: 99)
      capabilities.axes[EventCode.absMTPositionY] = AxisRange(minimum: 0, maximum: 99)
      capabilities.slotCount = 1
      var settings = Mapping.Settings()
      settings.output = output
      return TouchSource(
        device: DeviceID(rawValue: id), kind: .multitouch, capabilities: capabilities,
        initial: InitialState(),
        settings: settings, geometry: ContactScript.geometry)
    }
    let left = panel(1, WindowRect(x: 0, y: 0, width: 400, height: 480))
    let right = panel(2, WindowRect(x: 400, y: 0, width: 400, height: 480))
    let frames = [ContactScript.frame("id=1 x=50 y=50")]
    let changes = ContactScript.changes(left, frames) + ContactScript.changes(right, frames)
    #expect(changes.map(\.location) == [WindowPoint(x: 200, y: 240), WindowPoint(x: 600, y: 240)])
    #expect(Set(changes.map(\.contact)).count == 2)
  }
}
