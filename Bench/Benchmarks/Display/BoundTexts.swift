import TouchConfig
import TouchCore
import TouchExpressions
import TouchPixels
import TouchRender
import TouchViews

/// 200 texts on a display of 800 × 480 that follow values, of which 50 change each second.
final class BoundTexts {
  static let (width, height) = (800, 480)

  private static let file = """
    values: {fast: 0, slow: 0}
    styles: {text: {kind: label, font: {size: 12}}}
    window:
      subviews:
        - repeat:
            for: 50
            id: "fast-{index}"
            view: {style: text, frame: ["{index % 10 * 80}", "{floor(index / 10) * 24}", 80, 24], text: "{fast + index:.1f}"}
        - repeat:
            for: 150
            id: "slow-{index}"
            view: {style: text, frame: ["{index % 10 * 80}", "{floor(index / 10) * 24 + 120}", 80, 24], text: "{slow + index:.1f}"}

    """
  /// After so many changes the texts are those of before: each one was drawn once.
  private static let round = 10

  private let tree: ViewTree
  private let painter: Painter
  private let display: any Screen
  private var damage = Damage()
  private var second = 0
  private var entries = [PropertyValue.Entry(key: "fast", value: .number(0))]

  init(on display: any Screen) throws {
    self.display = display
    let configuration = try Configuration.parse(text: Self.file, file: "texts.yaml")
    tree = ViewTree(configuration, canvasSize: display.size)
    painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
    for _ in 0..<2 * Self.round { step() }
  }

  /// Changes 50 texts, and paints them.
  ///
  /// - Returns: how many texts were computed since the start.
  @discardableResult func step() -> Int {
    second += 1
    entries[0].value = .number(Double(second % Self.round))
    try? tree.bindings.values.set(entries, at: Timestamp(microseconds: Int64(second) * 1_000_000))
    tree.bindings.settle()
    tree.window.takeDamage(into: &damage)
    painter.paint(tree.window, highlights: nil, damage: damage, on: display)
    damage.removeAll()
    return tree.bindings.computations
  }
}

/// 400 texts that follow sliders, and a finger beside them whose moves change nothing.
final class UnchangedTexts {
  private static let file = """
    window:
      subviews:
    \((0..<400).map { "    - {id: s\($0), kind: slider, frame: [0, 0, 80, 12]}" }.joined(separator: "\n"))
    \((0..<400).map { "    - {kind: label, frame: [0, 0, 80, 12], text: \"{s\($0).value}\"}" }.joined(separator: "\n"))

    """

  private let tree: ViewTree
  private let dispatcher: Dispatcher
  private var changes = [
    TouchChange(
      contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: .began,
      location: WindowPoint(x: 400, y: 440))
  ]
  private var frame = 0

  init() throws {
    let configuration = try Configuration.parse(text: Self.file, file: "unchanged.yaml")
    tree = ViewTree(configuration, canvasSize: Size(width: 800, height: 480))
    dispatcher = Dispatcher(window: tree.window)
    for _ in 0..<2 {
      step()
      changes[0].kind = .moved
    }
  }

  /// Moves the finger, and computes what has changed.
  ///
  /// - Returns: the number of texts that were computed since the start.
  @discardableResult func step() -> Int {
    frame += 1
    changes[0].location.x = Double(400 + frame % 100)
    dispatcher.dispatch(changes, at: Timestamp(microseconds: Int64(frame) * 10_000))
    dispatcher.flush()
    tree.bindings.settle()
    return tree.bindings.computations
  }
}
