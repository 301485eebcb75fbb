import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

@Suite("What moves in pictures") struct AnimationTests {
  private static let size = Size(width: 160, height: 120)

  private func timing(_ random: inout SeededGenerator) -> Timing {
    Timing(
      [0, 0.05, 0.3].randomElement(using: &random) ?? 0, delay: random.chance(0.2) ? 0.05 : 0,
      curve: AnimationCurve.allCases.randomElement(using: &random) ?? .linear)
  }

  private func change(_ view: View, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: view.layoutRect.origin = LocalPoint(x: random.number(-40...120), y: random.number(-40...90))
    case 1: view.layoutRect.size = Size(width: random.number(0...90), height: random.number(0...70))
    case 2: view.bounds.origin = LocalPoint(x: random.number(-30...30), y: random.number(-30...30))
    case 3:
      view.transform =
        random.chance(0.5)
        ? .rotation(degrees: random.number(-180...180))
        : .scale(x: random.number(-1.5...1.5), y: random.number(0...1.5))
    case 4: view.alpha = random.number(0...1)
    case 5: view.appearance.background = random.chance(0.8) ? random.color() : nil
    default:
      view.appearance.cornerRadius = random.number(0...20)
      view.appearance.border =
        random.chance(0.5) ? .init(color: random.color(), width: random.number(0...9)) : nil
    }
  }

  /// What a program does between two pictures without an animation.
  private func interfere(_ views: inout [View], _ window: Window, _ random: inout SeededGenerator) {
    guard let view = views.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: view.isHidden.toggle()
    case 1: view.clipsToBounds.toggle()
    case 2: (view as? Label)?.text = "text \(random.number(0...99))"
    case 3:
      view.removeFromSuperview()
      views.removeAll { $0.window == nil }
    case 4:
      let new = randomView("new", &random, in: Self.size)
      (views.randomElement(using: &random) ?? window).addSubview(new)
      views.append(new)
    case 5:
      let pages = PagesView(id: "pages", frame: view.layoutRect)
      view.superview?.addSubview(pages)
      for index in 0..<3 { pages.addSubview(randomView("page \(index)", &random, in: Self.size)) }
      views += [pages] + pages.pages
    default: change(view, &random)
    }
  }

  @Test(arguments: 0..<64)
  func `painting the damage of any step gives the same picture as painting everything`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 31_000)
    let window = randomWindow(&random, size: Self.size)
    var views: [View] = []
    func collect(_ view: View) {
      for subview in view.subviews {
        views.append(subview)
        collect(subview)
      }
    }
    collect(window)
    let geometry = DisplayGeometry(
      displaySize: Size(width: seed.isMultiple(of: 2) ? 160 : 197, height: 120), canvasSize: Self.size)
    let followed = try Surface(width: Int(geometry.displaySize.width), height: 120)
    let fresh = try Surface(width: followed.width, height: followed.height)
    let background = random.color()
    let renderer = try Renderer(
      display: followed, geometry: geometry, style: HighlightStyle(), background: background)
    let painter = try Painter(geometry: geometry, background: background)
    let dispatcher = Dispatcher(window: window)
    var time = Timestamp.zero
    var moved = 0
    for step in 0..<60 {
      time.microseconds += Int64.random(in: 1...30_000, using: &random)
      if random.chance(0.3) { interfere(&views, window, &random) }
      if random.chance(0.3) {
        let count = Int.random(in: 1...3, using: &random)
        window.animate(timing(&random)) {
          for _ in 0..<count { if let view = views.randomElement(using: &random) { change(view, &random) } }
        }
      }
      if random.chance(0.2), let pages = views.compactMap({ $0 as? PagesView }).randomElement(using: &random)
      {
        let transition = PagesView.Transition.allCases.randomElement(using: &random) ?? .fade
        if let page = pages.pages.randomElement(using: &random) {
          try pages.show(.id(page.id), by: transition)
        }
      }
      if random.chance(0.9) { dispatcher.advance(to: time) }
      renderer.update(dispatcher, cursor: nil, at: time)
      func paintEverything() { painter.paintAll(window, highlights: nil, on: fresh) }
      if let animator = window.animator { animator.presenting(paintEverything) } else { paintEverything() }
      if window.animator?.nextStep != nil { moved += 1 }
      if let difference = firstDifference(followed, fresh) {
        Issue.record("seed \(seed), step \(step): \(difference)")
        return
      }
    }
    if seed == 0 { #expect(moved > 5, "something moved") }
    // What has not begun yet does so first.
    for seconds in [0.001, 2] {
      time = time.advanced(bySeconds: seconds)
      dispatcher.advance(to: time)
      renderer.update(dispatcher, cursor: nil, at: time)
    }
    #expect(renderer.nextStep(of: window) == nil)
    painter.paintAll(window, highlights: nil, on: fresh)
    #expect(firstDifference(followed, fresh) == nil, "at rest")
  }

  // MARK: Controls

  @Test(arguments: 0..<16)
  func `controls that fingers press and leave fade in their damage, and rest`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 77_000)
    let window = Window(size: Self.size)
    window.appearance.background = hex("#101418")
    var states = StateColors()
    states.fade = 0.15
    (states.selected, states.disabled) = (hex("#3d8bfd"), seed.isMultiple(of: 3) ? nil : hex("#222933"))
    let button = Button(id: "button", frame: LocalRect(x: 5, y: 5, width: 70, height: 30))
    button.appearance.background = hex("#222933")
    if seed.isMultiple(of: 4) { button.gradient = Gradient([hex("#3d8bfd"), hex("#1d4b9d")]) }
    let knob = Switch(id: "switch", frame: LocalRect(x: 90, y: 5, width: 51, height: 31))
    let slider = Slider(id: "slider", frame: LocalRect(x: 5, y: 40, width: 70, height: 30))
    let segments = SegmentedControl(id: "segments", frame: LocalRect(x: 80, y: 42, width: 75, height: 24))
    (segments.segments, segments.selectedIndex) = (["a", "b", "c"], 0)
    let list = ListView(id: "list", frame: LocalRect(x: 5, y: 75, width: 150, height: 44))
    (list.rows, list.rowHeight) = (["one", "two", "three"], 14)
    for control in [button, knob, slider, segments, list] as [Control] {
      control.stateColors = states
      window.addSubview(control)
    }
    let geometry = DisplayGeometry(displaySize: Size(width: 197, height: 148), canvasSize: Self.size)
    let followed = try Surface(width: 197, height: 148)
    let fresh = try Surface(width: 197, height: 148)
    var style = HighlightStyle()
    (style.view.shape, style.touches.showsMarker) = (.none, false)
    let renderer = try Renderer(
      display: followed, geometry: geometry, style: style, background: hex("#101418"))
    let painter = try Painter(geometry: geometry, background: hex("#101418"))
    let dispatcher = Dispatcher(window: window)
    var (time, serial, isDown, moved) = (Timestamp.zero, 0, false, 0)
    for step in 0..<120 {
      time.microseconds += Int64.random(in: 1...40_000, using: &random)
      if random.chance(0.4) {
        if !isDown { serial += 1 }
        let place = WindowPoint(x: random.number(0...160), y: random.number(0...120))
        dispatcher.dispatch(
          [
            TouchChange(
              contact: ContactID(device: DeviceID(rawValue: 1), serial: serial),
              kind: isDown ? .ended : .began, location: place)
          ], at: time)
        isDown.toggle()
      }
      if random.chance(0.1) { button.isSelected.toggle() }
      if random.chance(0.1) { button.isEnabled.toggle() }
      dispatcher.advance(to: time)
      renderer.update(dispatcher, cursor: nil, at: time)
      func paintEverything() { painter.paintAll(window, highlights: nil, on: fresh) }
      if let animator = window.animator { animator.presenting(paintEverything) } else { paintEverything() }
      if window.animator?.nextStep != nil { moved += 1 }
      if let difference = firstDifference(followed, fresh) {
        Issue.record("seed \(seed), step \(step): \(difference)")
        return
      }
    }
    #expect(moved > 10, "something faded")
    time = time.advanced(bySeconds: 1)
    dispatcher.advance(to: time)
    #expect(window.animator?.nextStep == nil)
  }

  // MARK: Steps of two transitions

  private func scene() throws -> (window: Window, pages: PagesView) {
    let window = Window(size: Size(width: 320, height: 200))
    window.appearance.background = hex("#0b1016")
    label("Home", 12, 6, 200, 24, size: 16, in: window)
    let pages = PagesView(id: "pages", frame: LocalRect(x: 20, y: 36, width: 280, height: 150))
    window.addSubview(pages)
    for (id, color) in [("one", "#1d3b53"), ("two", "#553a1d")] {
      let page = view(id, 0, 0, 280, 150, color, radius: 12, in: pages)
      label("Page \(id)", 16, 12, 200, 30, size: 22, in: page)
      button("Press", 16, 90, 120, 44, "#3aa6ff", in: page)
    }
    return (window, pages)
  }

  @Test(arguments: [PagesView.Transition.slide, .push, .fade])
  func `the steps of a transition`(transition: PagesView.Transition) throws {
    let (window, pages) = try scene()
    let geometry = DisplayGeometry(displaySize: Size(width: 320, height: 200))
    let display = try Surface(width: 320, height: 200)
    let renderer = try Renderer(
      display: display, geometry: geometry, style: HighlightStyle(), background: hex("#0b1016"))
    let dispatcher = Dispatcher(window: window)
    renderer.update(dispatcher, cursor: nil, at: .zero)
    try pages.show(.next, by: transition)
    for step in 0...3 {
      let time = Timestamp(microseconds: 1000 + Int64(step) * 80_000)
      dispatcher.advance(to: time)
      renderer.update(dispatcher, cursor: nil, at: time)
      try expectGolden(display, "transition-\(transition.rawValue)-\(step)")
    }
  }

  @Test func `a shadow of a page that slides does not lie over the other page`() throws {
    let window = Window(size: Size(width: 200, height: 100))
    window.appearance.background = hex("#ffffff")
    let pages = PagesView(id: "pages", frame: window.bounds)
    window.addSubview(pages)
    for id in ["one", "two"] {
      let page = View(id: id, frame: window.bounds)
      pages.addSubview(page)
      view("\(id).card", 60, 20, 140, 60, "#1d3b53", in: page).shadow = Shadow(blur: 40)
    }
    let display = try Surface(width: 200, height: 100)
    let renderer = try Renderer(
      display: display, geometry: DisplayGeometry(displaySize: Size(width: 200, height: 100)),
      style: HighlightStyle(), background: hex("#ffffff"))
    let dispatcher = Dispatcher(window: window)
    try pages.show(.next, by: .slide)
    dispatcher.advance(to: Timestamp(microseconds: 1))
    dispatcher.advance(to: Timestamp(microseconds: 150_000))
    renderer.update(dispatcher, cursor: nil, at: Timestamp(microseconds: 150_000))
    let row = (0..<200).map { display.color(x: $0, y: 50) }
    let card = try #require(row.firstIndex(of: hex("#1d3b53")))
    let end = try #require(row[card...].firstIndex { $0 != hex("#1d3b53") })
    #expect(card < 60 && row[end..<end + 8].allSatisfy { $0 == hex("#ffffff") })
  }
}
