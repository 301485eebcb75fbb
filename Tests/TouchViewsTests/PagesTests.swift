import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

@Suite struct PagesTests {
  private let stage = Stage()
  private let pages = PagesView(id: "pages", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
  private let home = View(id: "home", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
  private let settings = View(id: "settings", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
  private let about = View(id: "about", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
  private let ok = Button(id: "ok", frame: LocalRect(x: 100, y: 100, width: 100, height: 100))

  init() {
    stage.add(pages)
    for page in [home, settings, about] { pages.addSubview(page) }
    home.addSubview(ok)
    stage.window.damage.removeAll()
  }

  private func hit(_ x: Double, _ y: Double) -> String? {
    stage.window.hitView(at: WindowPoint(x: x, y: y), with: nil)?.id
  }

  @Test func `the first subview is shown, and no other one is hit`() {
    #expect(pages.page === home)
    #expect(hit(150, 150) == "ok")
    #expect(hit(300, 300) == "home")
    #expect(settings.hitTestRefusal == .otherPage && settings.isConcealed && !settings.isHidden)
  }

  @Test func `another page is hit and drawn once it is shown`() {
    pages.page = settings
    #expect(hit(150, 150) == "settings")
    #expect(stage.window.damage.rects == [pages.windowFrame])
    stage.window.damage.removeAll()
    pages.page = settings
    pages.page = View(id: "stranger")
    #expect(stage.window.damage.isEmpty && pages.page === settings)
  }

  @Test func `a page that is hidden stays so when it is shown`() {
    settings.isHidden = true
    pages.page = settings
    #expect(settings.isConcealed && hit(150, 150) == "pages")
    settings.isHidden = false
    #expect(hit(150, 150) == "settings")
    pages.page = home
    #expect(!settings.isHidden && settings.isConcealed)
  }

  @Test func `next and previous stop at the ends`() throws {
    var shown: [String?] = []
    for target in [PagesView.Target.previous, .next, .next, .next, .previous, .id("home")] {
      try pages.show(target)
      shown.append(pages.page?.id)
    }
    #expect(shown == ["home", "settings", "about", "about", "settings", "home"])
    #expect(throws: PropertyError.self) { try pages.show(.id("ok")) }
    #expect(pages.page === home)
    #expect([PagesView.Target("next"), .init("previous"), .init("home")] == [.next, .previous, .id("home")])
  }

  @Test func `touches on the page that goes are cancelled along their chain`() {
    stage.frame((1, .began, 150, 150), (2, .began, 350, 350))
    _ = stage.diary.take()
    pages.page = settings
    #expect(
      stage.diary.take() == [
        "ok.touchCancel", "ok.cancelled 1", "home.cancelled 2", "pages.cancelled 2", "window.cancelled 2",
        "application.cancelled 2",
      ])
    #expect(!ok.isHighlighted && stage.dispatcher.touches.isEmpty)
  }

  @Test func `a touch outside the page that goes is left alone`() {
    let bar = stage.add(View(id: "bar", frame: LocalRect(x: 0, y: 380, width: 400, height: 20)))
    stage.frame((1, .began, 10, 390))
    pages.page = settings
    #expect(stage.dispatcher.touches.map(\.view?.id) == [bar.id])
  }

  @Test func `a button that turns its own page ends its touch and cancels the others there`() {
    let turner = Turner { pages.page = settings }
    ok.handlers = [turner]
    stage.frame((1, .began, 150, 150), (2, .began, 350, 350))
    _ = stage.diary.take()
    stage.frame((1, .ended, 150, 150))
    #expect(
      stage.diary.take() == [
        "ok.touchUpInside", "ok.ended 1", "home.cancelled 2", "pages.cancelled 2", "window.cancelled 2",
        "application.cancelled 2",
      ])
    #expect(hit(150, 150) == "settings")
  }

  @Test func `a swipe on the pages turns them, whatever page it is on`() {
    let swipe = SwipeGestureRecognizer(id: "swipe")
    swipe.directions = [.left]
    swipe.action = { [pages] _ in try? pages.show(.next) }
    pages.addGestureRecognizer(swipe)
    var shown: [String?] = []
    for serial in 1...3 {
      stage.drag([(300, 300), (200, 300), (100, 300), (50, 300)], firstSerial: serial)
      shown.append(pages.page?.id)
    }
    #expect(shown == ["settings", "about", "about"])
  }

  @Test func `when the page itself is removed the first of the others is shown`() {
    pages.page = settings
    settings.removeFromSuperview()
    #expect(pages.page === home)
    #expect(!settings.isConcealed)
    home.removeFromSuperview()
    about.removeFromSuperview()
    #expect(pages.page == nil && hit(150, 150) == "pages")
    pages.addSubview(about)
    #expect(pages.page === about && hit(150, 150) == "about")
  }

  // MARK: The indicator

  @Test func `there is a dot for each page, and that of the page that is shown is the brighter one`() throws {
    func dots() -> [Bool] { pages.indicator?.dots.map(\.isCurrent) ?? [] }
    #expect(dots() == [])
    pages.showsIndicator = true
    #expect(dots() == [true, false, false])
    pages.page = about
    #expect(dots() == [false, false, true])
    about.removeFromSuperview()
    #expect(dots() == [true, false])
    pages.addSubview(about)
    #expect(dots() == [true, false, false] && pages.pages.map(\.id) == ["home", "settings", "about"])
    let indicator = try #require(pages.indicator)
    pages.page = indicator
    #expect(pages.page === home)
    #expect(throws: PropertyError.self) { try pages.show(.id(indicator.id)) }
    pages.showsIndicator = false
    #expect(dots() == [] && pages.subviews.count == 3)
  }

  /// The source of each is `UIPageControl`: a tap on one side of it moves to the next or the previous page.
  @Test(
    arguments: [
      (205.0, ["settings", "about", "about"]), (195, ["home", "home", "home"]),
      (231, ["settings", "about", "about"]),
      (100, ["home", "home", "home"]),
    ] as [(Double, [String])])
  func `a tap on the right half of the dots shows the next page, one on the left half the previous one`(
    x: Double, expected: [String]
  ) {
    pages.showsIndicator = true
    // A page that comes later is behind them, too.
    about.removeFromSuperview()
    pages.addSubview(about)
    let shown = (1...3).map { serial in
      stage.frame((serial, .began, x, 390))
      stage.frame((serial, .ended, x, 390))
      return pages.page?.id ?? ""
    }
    #expect(shown == expected)
  }

  @Test func `the dots are at the bottom in the middle, and leave the rest of it to the page`() {
    pages.showsIndicator = true
    stage.window.layoutIfNeeded()
    #expect(hit(200, 380) == "pages.indicator" && hit(150, 390) == "home" && hit(250, 390) == "home")
    pages.layoutRect.size = Size(width: 200, height: 200)
    stage.window.layoutIfNeeded()
    #expect(pages.indicator?.layoutRect == LocalRect(x: 68, y: 174, width: 64, height: 26))
  }

  @Test func `the change is reported, whether a touch or a program caused it`() throws {
    let watcher = ValueWatcher()
    stage.dispatcher.observer = watcher
    try pages.show(.next)
    try pages.show(.id("settings"))
    pages.page = home
    #expect(watcher.lines == ["pages settings", "pages home"])
  }
}

/// Does something when a button is pressed.
private final class Turner: ControlHandler {
  let name = "turner"
  private let turn: () -> Void

  init(_ turn: @escaping () -> Void) {
    self.turn = turn
  }

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    .forward
  }

  func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    if action == .touchUpInside { turn() }
  }
}

@Suite struct RotationTests {
  @Test(arguments: [
    (0.0, 0.0, 1.0), (90, 1, 0), (180, 0, -1), (270, -1, 0), (-90, -1, 0), (360, 0, 1), (-270, 1, 0),
    (30, 0.5, 0.8660254037844386), (45, 0.7071067811865475, 0.7071067811865476),
    (-135, -0.7071067811865475, -0.7071067811865476), (100.5, 0.9832549075639546, -0.18223552549214744),
    (3630, 0.5, 0.8660254037844386),
  ])
  func `a rotation has the sine and the cosine of its angle, and right angles are exact`(
    degrees: Double, sine: Double, cosine: Double
  ) {
    let turn = AffineTransform.rotation(degrees: degrees)
    let limit = degrees.truncatingRemainder(dividingBy: 90) == 0 ? 0 : 2e-16
    #expect(abs(turn.b - sine) <= limit && abs(turn.a - cosine) <= limit)
    #expect(turn.c == -turn.b && turn.d == turn.a && turn.tx == 0 && turn.ty == 0)
  }
}
