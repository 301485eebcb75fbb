import TouchConfig
import TouchCore
import TouchInput
import TouchMeasure
import TouchViews

/// The picture of a calibration: one cross at a time, and a line of text.
final class CalibrationScreen {
  let tree: ViewTree
  let pipeline: InputPipeline
  private let targets: CalibrationTargets
  private let cross: [View]
  private let label: View?
  private let arm: Double

  private static let waiting = Color(red: 0xff, green: 0xff, blue: 0xff)
  private static let pressed = Color(red: 0x30, green: 0xd1, blue: 0x58)

  /// - Parameter display: the display, its rotation and its canvas.
  init(
    display: DisplaySettings, geometry: DisplayGeometry, targets: CalibrationTargets
  ) throws(ConfigurationError) {
    let canvas = geometry.canvasSize
    let height = (canvas.height / 12).rounded()
    let font = min(max((height / 2.5).rounded(), 6), 36)
    // The arms are three units wide, with the target in the middle, and long enough for aiming.
    arm = min(max((canvas.height / 16).rounded(), 6), 60)
    var configuration = try Configuration.parse(
      text: """
        highlight: {view: {style: none}, touches: false}
        window:
          subviews:
            - {id: across, frame: [0, 0, \(2 * arm + 1), 3]}
            - {id: down, frame: [0, 0, 3, \(2 * arm + 1)]}
            - id: says
              kind: label
              frame: [0, \(canvas.height / 2), \(canvas.width), \(height)]
              font: {size: \(font), align: center}
        """, file: "calibrate")
    configuration.display = display
    configuration.input.cursor = .never
    tree = ViewTree(configuration, canvasSize: geometry.canvasSize)
    pipeline = InputPipeline(tree, geometry: geometry)
    self.targets = targets
    cross = ["across", "down"].compactMap { [tree] in tree.viewsByID[$0] }
    label = tree.viewsByID["says"]
    let window = tree.window
    window.fixedTarget = window
    window.isMultipleTouchEnabled = true
  }

  func show(_ index: Int) {
    let target = targets.points[index]
    for view in cross {
      let size = view.layoutRect.size
      view.layoutRect = LocalRect(
        x: target.x - (size.width - 1) / 2, y: target.y - (size.height - 1) / 2, width: size.width,
        height: size.height)
    }
    mark(isPressed: false)
  }

  func mark(isPressed: Bool) {
    for view in cross { view.appearance.background = isPressed ? Self.pressed : Self.waiting }
  }

  func say(_ sentence: String) { try? label?.set(ViewSetting(.text, sentence)) }
}
