import TouchConfig
import TouchCore
import TouchInput
import TouchMeasure
import TouchViews

/// The picture during a test: the task, the instruction, the progress, and a marker under each finger.
final class TestScreen {
  let tree: ViewTree
  let pipeline: InputPipeline
  private let views: [String: View]
  private let cells: [View]
  /// The places of the cells on the display as it is built in, from 0 to 1.
  private let parts: [Rect<NormalizedSpace>]
  private let arm: Double
  private let canvas: Size
  private var isFlickered = false

  /// The columns and rows of rubbed cells, each of smaller ones as fine as the limit requires.
  private static let columns = 32
  private static let rows = 20
  private static let white = Color(red: 0xff, green: 0xff, blue: 0xff)
  private static let black = Color(red: 0, green: 0, blue: 0)
  private static let green = Color(red: 0x1f, green: 0x7a, blue: 0x3a)
  /// The colour of a partly rubbed cell.
  private static let amber = Color(red: 0x5e, green: 0x4a, blue: 0x1c)
  private static let dark = Color(red: 0x1c, green: 0x24, blue: 0x2e)

  /// - Parameter display: the display, its rotation and its canvas.
  init(display: DisplaySettings, geometry: DisplayGeometry) throws(ConfigurationError) {
    canvas = geometry.canvasSize
    let line = (canvas.height / 16).rounded()
    let font = min(max((line / 2).rounded(), 6), 30)
    arm = min(max((canvas.height / 16).rounded(), 6), 60)
    var cellLines = ""
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        let (width, height) = (canvas.width / Double(Self.columns), canvas.height / Double(Self.rows))
        cellLines +=
          "    - {id: cell-\(row)-\(column), hidden: true, "
          + "frame: [\(Double(column) * width + 1), \(Double(row) * height + 1), \(width - 2), \(height - 2)]}\n"
      }
    }
    var configuration = try Configuration.parse(
      text: """
        highlight: {view: {style: none}, touches: true}
        window:
          subviews:
        \(cellLines)    - {id: area, hidden: true, frame: [0, 0, \(canvas.width), \(canvas.height)]}
            - {id: patch, hidden: true, frame: [\(canvas.width * 0.85), 0, \(canvas.width * 0.15), \(canvas.height * 0.15)], background: "#000"}
            - {id: bar, hidden: true, frame: [0, 0, 1, 4]}
            - {id: across, hidden: true, frame: [0, 0, \(2 * arm + 1), 3], background: "#fff"}
            - {id: down, hidden: true, frame: [0, 0, 3, \(2 * arm + 1)], background: "#fff"}
            - {id: task, kind: label, frame: [0, \(canvas.height * 0.2 - line), \(canvas.width), \(line)], font: {size: \(font), align: center}}
            - {id: keys, kind: label, frame: [0, \(canvas.height * 0.2), \(canvas.width), \(line)], font: {size: \((font * 0.7).rounded(.up)), align: center, color: "#8a97a5"}}
            - {id: track, frame: [\(canvas.width * 0.2), \(canvas.height * 0.8), \(canvas.width * 0.6), 8], background: "#1c242e", corner_radius: 4}
            - {id: done, frame: [\(canvas.width * 0.2), \(canvas.height * 0.8), 0, 8], background: "#30d158", corner_radius: 4}
        """, file: "test")
    configuration.display = display
    configuration.input.cursor = .never
    tree = ViewTree(configuration, canvasSize: canvas)
    pipeline = InputPipeline(tree, geometry: geometry)
    views = tree.viewsByID
    cells = (0..<Self.rows).flatMap { row in (0..<Self.columns).map { (row, $0) } }
      .compactMap { [tree] in tree.viewsByID["cell-\($0.0)-\($0.1)"] }
    let display = geometry.displaySize
    parts = cells.map { cell in
      let box: Rect<DisplaySpace> = geometry.displayFromWindow.bounding(
        Rect<WindowSpace>(
          x: cell.layoutRect.minX, y: cell.layoutRect.minY, width: cell.layoutRect.size.width,
          height: cell.layoutRect.size.height))
      return Rect(
        x: box.minX / display.width, y: box.minY / display.height, width: box.size.width / display.width,
        height: box.size.height / display.height)
    }
    tree.window.fixedTarget = tree.window
    tree.window.isMultipleTouchEnabled = true
  }

  /// - Parameter progress: the progress from 0 to 1.
  func show(_ task: TestTask, progress: Double) {
    for id in ["bar", "across", "down", "area", "patch"] { views[id]?.isHidden = true }
    for cell in cells {
      cell.isHidden = true
      cell.appearance.background = Self.dark
    }
    switch task.shape {
    case .cross(let place): showCross(at: point(place))
    case .line(let from, let to): showBar(from: point(from), to: point(to))
    case .cells: for cell in cells { cell.isHidden = false }
    case .area: showArea(isTouched: false)
    case .pattern:
      for cell in cells { cell.isHidden = false }
      flicker()
    case .text: break
    }
    say(task.instruction)
    write("Keys: a again, s skip this test, n next, q end", on: "keys")
    show(progress: progress)
  }

  func show(progress: Double) {
    views["done"]?.layoutRect.size.width = canvas.width * 0.6 * min(max(progress, 0), 1)
  }

  func say(_ sentence: String) { write(sentence, on: "task") }

  private func write(_ sentence: String, on label: String) {
    try? views[label]?.set(ViewSetting(.text, sentence))
  }

  /// Turns each cell to the other colour: changes everywhere disturb a panel most.
  func flicker() {
    for (index, cell) in cells.enumerated() {
      let isOdd = !(index / Self.columns + index % Self.columns).isMultiple(of: 2)
      cell.appearance.background = isOdd == isFlickered ? Self.white : Self.black
    }
    isFlickered.toggle()
  }

  /// Shows at once whether a finger is down, with a patch for a photodiode that turns from black to white.
  func showArea(isTouched: Bool) {
    views["patch"]?.isHidden = false
    views["patch"]?.appearance.background = isTouched ? Self.white : Self.black
    views["area"]?.isHidden = false
    views["area"]?.appearance.background = isTouched ? Self.green : Self.dark
  }

  /// Shows the rubbed and partly rubbed cells around a place of the built-in display, as the user sees the
  /// map. Both places and reach are from 0 to 1.
  func show(_ map: RubMap, around place: Point<NormalizedSpace>, reach: Double) {
    for (cell, part) in zip(cells, parts) {
      guard part.minX <= place.x + reach, part.maxX >= place.x - reach, part.minY <= place.y + reach,
        part.maxY >= place.y - reach
      else { continue }
      let share = map.share(of: part)
      let color = share >= 1 ? Self.green : share > 0 ? Self.amber : Self.dark
      if cell.appearance.background != color { cell.appearance.background = color }
    }
  }

  func point(_ place: Point<NormalizedSpace>) -> WindowPoint {
    let display = pipeline.geometry.displaySize
    return pipeline.geometry.windowFromDisplay.map(
      Point<DisplaySpace>(x: place.x * display.width, y: place.y * display.height))
  }

  private func showCross(at point: WindowPoint) {
    for id in ["across", "down"] {
      guard let view = views[id] else { continue }
      let size = view.layoutRect.size
      view.layoutRect = LocalRect(
        x: point.x - (size.width - 1) / 2, y: point.y - (size.height - 1) / 2, width: size.width,
        height: size.height)
      view.isHidden = false
    }
  }

  /// Shows a bar along the way, turned about its middle.
  private func showBar(from: WindowPoint, to: WindowPoint) {
    guard let bar = views["bar"] else { return }
    let length = from.distance(to: to)
    guard length > 0 else { return }
    let (across, down) = ((to.x - from.x) / length, (to.y - from.y) / length)
    bar.layoutRect = LocalRect(
      x: (from.x + to.x) / 2 - length / 2, y: (from.y + to.y) / 2 - 2, width: length, height: 4)
    bar.transform = AffineTransform(a: across, b: down, c: -down, d: across, tx: 0, ty: 0)
    bar.appearance.background = Self.white
    bar.isHidden = false
  }
}
