import Glibc
import TouchConfig
import TouchCore
import TouchExpressions
import TouchInput
import TouchOutput
import TouchPixels
import TouchRender
import TouchViews

/// A motion in an example of the repository, back and forth, on a display of any size.
final class Motion {
  enum Kind: String, CaseIterable {
    /// Two pages of kiosk.yaml that slide.
    case page
    /// A sheet over kiosk.yaml that rises and goes.
    case sheet
    /// The lamps of kiosk.yaml, which a finger flings.
    case list
    /// The chart of kiosk.yaml, which gets a value in each frame.
    case chart
    /// The keyboard of name.yaml, which comes and goes.
    case keyboard
  }

  private let kind: Kind
  private let tree: ViewTree
  private let pipeline: InputPipeline
  private let renderer: Renderer
  private let sheet = SheetView(id: "bench")
  private var time = Timestamp.zero
  private var turns = 0
  /// The frames of a finger's present way; 0 while it is lifted.
  private var way = 0
  private var change = TouchChange(
    contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: .began, location: .zero)

  /// Between two frames, in microseconds.
  private static let pause: Int64 = 16_667

  /// Reads "page@1920x1080", or "page@1920x1080@90" for a display that is turned; nil for anything else.
  convenience init?(_ scene: String, _ depth: MemoryFramebuffer.Depth) throws {
    let parts = scene.split(separator: "@")
    guard parts.count > 1, let kind = Kind(rawValue: String(parts[0])) else { return nil }
    let size = parts[1].split(separator: "x").compactMap { Int($0) }
    let rotation = DisplayGeometry.Rotation(rawValue: parts.count > 2 ? Int(parts[2]) ?? 0 : 0)
    guard size.count == 2, let rotation else { return nil }
    try self.init(
      kind, on: MemoryFramebuffer(width: size[0], height: size[1], depth: depth), rotation: rotation)
  }

  init(
    _ kind: Kind, on display: any Screen, rotation: DisplayGeometry.Rotation = .none
  ) throws {
    self.kind = kind
    let configuration = try Configuration.load(
      path: "config/examples/\(kind == .keyboard ? "name" : "kiosk").yaml")
    var canvas = configuration.canvasLayout
    canvas.rotation = rotation
    let geometry = canvas.geometry(on: display.size)
    tree = ViewTree(configuration, geometry: geometry)
    pipeline = InputPipeline(tree, geometry: geometry)
    renderer = try Renderer(
      display: display, geometry: geometry, style: configuration.highlight,
      background: configuration.display.background)
    if kind == .list { try pages?.show(.id("lights")) }
    for text in ["Delete all songs?", "They cannot be brought back.", "Delete", "Cancel"] {
      let button = Button(
        text, frame: LocalRect(x: 20, y: Double(sheet.subviews.count) * 50, width: 300, height: 44))
      sheet.addSubview(button)
    }
    // Twice there and back, so that everything is known.
    while turns < 4 { step() }
  }

  private var pages: PagesView? { tree.viewsByID["screens"] as? PagesView }

  /// One frame: time goes on, and what moved is painted. Returns whether anything was.
  @discardableResult
  func step() -> Bool {
    time = time.advanced(byMicroseconds: Self.pause)
    switch kind {
    case .chart: grow()
    case .list where way > 0: drag()
    default: if renderer.nextStep(of: tree.window) == nil { turn() }
    }
    pipeline.advance(to: time)
    pipeline.endTurn()
    tree.bindings.settle()
    return renderer.update(pipeline.dispatcher, cursor: nil, at: time)
  }

  /// Begins the motion, or the one back.
  private func turn() {
    turns += 1
    let isForth = turns % 2 == 1
    switch kind {
    case .page: try? pages?.show(.id(isForth ? "lights" : "home"), by: .slide)
    case .sheet: isForth ? sheet.present(over: tree.window) : sheet.dismiss()
    case .keyboard: (tree.viewsByID["email"] as? TextInput)?.isEditing = isForth
    case .list: drag()
    case .chart: break
    }
  }

  /// A finger that goes across half of the window in six frames.
  private func drag() {
    let height = tree.window.bounds.height
    let isUp = turns % 2 == 1
    let share = Double(way) / 12
    change.kind = way == 0 ? .began : way == 6 ? .ended : .moved
    change.location = WindowPoint(
      x: tree.window.bounds.width / 2, y: height * (isUp ? 0.75 - share : 0.25 + share))
    pipeline.apply([change], at: time)
    way = way == 6 ? 0 : way + 1
  }

  private func grow() {
    turns += 1
    let value = 10 + 8 * sin(Double(turns) / 20) + Double(turns % 3) / 10
    try? tree.bindings.values.set(
      [PropertyValue.Entry(key: "outside", value: .number(value))],
      at: Timestamp(microseconds: Int64(turns) * 10_000_000))
  }
}
