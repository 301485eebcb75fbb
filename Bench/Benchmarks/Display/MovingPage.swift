import TouchCore
import TouchPixels
import TouchRender
import TouchViews

/// Two pages side by side, each as large as a display of 800 × 480, and an animation that slides from one to
/// the other and back. A page has a gradient behind it, and each of its cards a shadow.
final class MovingPage {
  static let (width, height) = (800, 480)

  private let window = Window(size: Size(width: Double(width), height: Double(height)))
  private let pages = View(id: "pages")
  private let dispatcher: Dispatcher
  private let renderer: Renderer
  private var time = Timestamp.zero
  private var frame = 0

  /// Between two pictures, in microseconds.
  private static let pause: Int64 = 16_667
  /// Pictures of one animation.
  private static let stroke = 160

  init(on display: any Screen) throws {
    let (width, height) = (Double(Self.width), Double(Self.height))
    pages.layoutRect = LocalRect(x: 0, y: 0, width: 2 * width, height: height)
    window.addSubview(pages)
    for (id, colors, lit) in [
      ("one", ["#1b2834", "#0d141b"], "#3aa6ff"), ("two", ["#2a1d33", "#140d19"], "#f5b942"),
    ] {
      let page = View(
        id: id, frame: LocalRect(x: id == "one" ? 0 : width, y: 0, width: width, height: height))
      page.gradient = Gradient(colors.compactMap { Color(hex: $0) }, angle: 180)
      for index in 0..<12 {
        let (column, row) = (Double(index % 4), Double(index / 4))
        let card = View(
          id: "\(id)-\(index)",
          frame: LocalRect(x: 20 + column * 195, y: 20 + row * 150, width: 175, height: 130))
        card.background = Color(hex: "#24303c")
        card.cornerRadius = 12
        card.shadow = Shadow()
        let label = Label("Room \(index + 1)", frame: LocalRect(x: 12, y: 10, width: 150, height: 30))
        let bar = ProgressView(
          id: "\(id)-\(index)-bar", frame: LocalRect(x: 12, y: 60, width: 150, height: 12))
        bar.controlValue?.number = Double(index) / 12
        let button = Button("On", frame: LocalRect(x: 12, y: 86, width: 70, height: 34))
        button.background = Color(hex: lit)
        button.cornerRadius = 8
        for view in [label, bar, button] { card.addSubview(view) }
        page.addSubview(card)
      }
      pages.addSubview(page)
    }
    dispatcher = Dispatcher(window: window)
    renderer = try Renderer(
      display: display, geometry: DisplayGeometry(displaySize: display.size), style: HighlightStyle(),
      background: Color(red: 0, green: 0, blue: 0))
    renderer.update(dispatcher, cursor: nil, at: time)
    // There and back, so that everything is known.
    for _ in 0..<2 * Self.stroke { step() }
    begin()
  }

  private func begin() {
    let place = pages.layoutRect.minX == 0 ? -Double(Self.width) : 0
    window.animate(Timing(Double(Int64(Self.stroke) * Self.pause) / 1_000_000)) {
      pages.layoutRect.origin.x = place
    }
    // It begins when time passes.
    dispatcher.advance(to: time.advanced(byMicroseconds: 1))
  }

  /// One picture: time goes on, and what moved is painted. Returns where the pages are seen.
  @discardableResult
  func step() -> Double {
    if frame % Self.stroke == 0, frame < 2 * Self.stroke { begin() }
    frame += 1
    time = time.advanced(byMicroseconds: Self.pause)
    dispatcher.advance(to: time)
    renderer.update(dispatcher, cursor: nil, at: time)
    return window.animator?.presenting { pages.layoutRect.minX } ?? 0
  }
}
