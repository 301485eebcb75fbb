import TouchCore
import TouchPixels
import TouchRender
import TouchViews

/// A list of 200 rows that fills a display of 800 × 480, and a finger that drags it up and down.
final class ScrollingList {
  static let (width, height) = (800, 480)
  private static let rows = 200
  /// The way of the finger in one direction, in frames of 12 units.
  private static let stroke = 30

  private let window = Window(size: Size(width: Double(width), height: Double(height)))
  private let scrollView = ScrollView(id: "list.scroll")
  private let dispatcher: Dispatcher
  private let painter: Painter
  private let display: any Screen
  private var damage = Damage()
  private var change = TouchChange(
    contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: .began,
    location: WindowPoint(x: 400, y: 440))
  private var frame = 0
  private var changes: [TouchChange] = []

  init(on display: any Screen) throws {
    self.display = display
    let list = ListView(id: "list")
    list.rows = (1...Self.rows).map { "Row \($0): the quick brown fox jumps over the lazy dog" }
    for view in [scrollView, list] { view.isArranged = true }
    scrollView.appearance.background = Color(hex: "#101418")
    scrollView.addSubview(list)
    window.addSubview(scrollView)
    dispatcher = Dispatcher(window: window)
    painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
    changes.reserveCapacity(1)
    paint()
    move(.began)
    // Once through all rows, so that each text is known, and once with the finger.
    for row in stride(from: 0, to: Self.rows, by: 10) {
      scrollView.contentOffset.y = Double(row) * list.rowHeight
      paint()
    }
    scrollView.contentOffset = .zero
    paint()
    for _ in 0..<2 * Self.stroke { step() }
  }

  private func move(_ kind: TouchChange.Kind) {
    change.kind = kind
    changes.clear()
    changes.append(change)
    dispatcher.dispatch(changes, at: Timestamp(microseconds: Int64(frame) * 10_000))
    dispatcher.flush()
  }

  private func paint() {
    window.takeDamage(into: &damage)
    painter.paint(window, highlights: nil, damage: damage, on: display)
    damage.removeAll()
  }

  /// One frame: the finger goes on, and what it moved is painted. Returns the offset.
  @discardableResult
  func step() -> Double {
    frame += 1
    let isUp = frame / Self.stroke % 2 == 0
    change.location.y += isUp ? -12 : 12
    move(.moved)
    paint()
    return scrollView.contentOffset.y
  }
}
