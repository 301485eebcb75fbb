import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// A list in a scroll view, a finger on it, and the time.
private final class Scene {
  let window = Window(size: Size(width: 320, height: 240))
  let scrollView = ScrollView(id: "scroll", frame: LocalRect(x: 20, y: 20, width: 200, height: 200))
  let list = ListView(id: "list")
  let dispatcher: Dispatcher
  private var time = Timestamp.zero

  init() {
    window.appearance.background = hex("#101418")
    scrollView.appearance.background = hex("#1b232c")
    list.rows = (1...20).map { "Row number \($0)" }
    list.isArranged = true
    scrollView.addSubview(list)
    window.addSubview(scrollView)
    let grid = ScrollView(id: "grid", frame: LocalRect(x: 230, y: 20, width: 80, height: 200))
    for index in 0..<40 {
      let (row, column) = index.quotientAndRemainder(dividingBy: 4)
      view(
        "\(index)", Double(column) * 40 + 2, Double(row) * 40 + 2, 36, 36,
        index % 3 == 0 ? "#3aa6ff" : "#f5b942",
        radius: 6, in: grid)
    }
    window.addSubview(grid)
    dispatcher = Dispatcher(window: window)
    window.layoutIfNeeded()
  }

  func frame(_ kind: TouchChange.Kind, _ x: Double, _ y: Double, finger: Int = 1) {
    time.microseconds += 10_000
    let change = TouchChange(
      contact: ContactID(device: DeviceID(rawValue: 1), serial: finger), kind: kind,
      location: WindowPoint(x: x, y: y))
    dispatcher.dispatch([change], at: time)
    dispatcher.flush()
  }

  /// Other content, a scroll view in it, and a view in front.
  func decorate(_ random: inout SeededGenerator) {
    if random.chance(0.5) {
      list.removeFromSuperview()
      for index in 0..<Int.random(in: 3...9, using: &random) {
        scrollView.addSubview(randomView("content \(index)", &random, in: Size(width: 200, height: 600)))
      }
      let inner = ScrollView(
        id: "inner", frame: LocalRect(x: 10.5, y: random.number(0...300), width: 150, height: 120))
      inner.appearance.background = hex("#402010")
      inner.appearance.cornerRadius = random.chance(0.5) ? 9 : 0
      list.appearance.background = random.chance(0.5) ? random.color() : nil
      inner.addSubview(list)
      scrollView.addSubview(inner)
    }
    scrollView.appearance.background = random.chance(0.7) ? hex("#1b232c") : random.color()
    if random.chance(0.3) { scrollView.appearance.cornerRadius = random.number(0...30) }
    if random.chance(0.2) {
      scrollView.appearance.border = Appearance.Border(color: random.color(), width: random.number(0.5...6))
    }
    if random.chance(0.3) { scrollView.scrolling.contentSize = Size(width: 300, height: 700) }
    if random.chance(0.2) { scrollView.alpha = random.number(0.3...1) }
    if random.chance(0.2) {
      scrollView.transform = .scale(x: random.number(0.5...1.2), y: random.number(0.5...1.2))
    }
    if random.chance(0.5) {
      let front = randomView("front", &random, in: window.bounds.size)
      front.isUserInteractionEnabled = false
      window.addSubview(front)
    }
    window.layoutIfNeeded()
  }

  /// Changes something in the content, or around it.
  func change(_ random: inout SeededGenerator) {
    let view = scrollView.subviews.randomElement(using: &random) ?? scrollView
    switch Int.random(in: 0..<9, using: &random) {
    case 0: list.selectedRow = Int.random(in: 0..<list.rows.count, using: &random)
    case 1: list.rows = (0..<Int.random(in: 3...30, using: &random)).map { "row \($0)" }
    case 2: view.appearance.background = random.color()
    case 3: view.isHidden.toggle()
    // The indicators follow the size of the content with the next layout.
    case 4 where scrollView.scrolling.contentSize != nil: view.layoutRect.origin.x += random.number(-5...5)
    case 5: scrollView.appearance.background = random.color()
    case 6: scrollView.addSubview(randomView("new", &random, in: Size(width: 200, height: 600)))
    case 7: window.appearance.background = random.color()
    default:
      // What changes while it cannot be seen is seen later.
      scrollView.isHidden = true
      view.alpha = random.number(0...1)
      scrollView.isHidden = false
    }
  }

  func rest(seconds: Double) {
    time = time.advanced(bySeconds: seconds)
    dispatcher.advance(to: time)
  }
}

@Suite struct ScrollPainterTests {
  @Test(arguments: [1, 2])
  func `a list that a finger scrolls, with its indicator, and a grid that scrolls along both axes`(scale: Int)
    throws
  {
    let scene = Scene()
    scene.list.selectedRow = 4
    scene.frame(.began, 100, 190)
    scene.frame(.moved, 100, 90)
    scene.frame(.began, 300, 190, finger: 2)
    scene.frame(.moved, 260, 150, finger: 2)
    try expectGolden(paint(scene.window, width: 320 * scale, height: 240 * scale), "scroll-\(scale)")
  }

  @Test func `a row that is swiped, with the actions behind it`() throws {
    let scene = Scene()
    scene.list.trailingActions = ["Delete", "More"]
    scene.list.destructiveActions = ["Delete"]
    scene.list.textStyle = textStyle(16, "#e8eef4", .left)
    scene.frame(.began, 180, 85)
    scene.frame(.moved, 120, 85)
    scene.frame(.moved, 72, 85)
    try expectGolden(paint(scene.window, width: 320, height: 240), "list-swiped")
  }

  @Test func `beyond its edge the content stretches, and the indicator shrinks`() throws {
    let scene = Scene()
    scene.list.selectedRow = 0
    scene.frame(.began, 100, 60)
    scene.frame(.moved, 100, 200)
    scene.frame(.began, 240, 60, finger: 2)
    scene.frame(.moved, 300, 180, finger: 2)
    try expectGolden(paint(scene.window, width: 320, height: 240), "scroll-stretched")
  }

  @Test func `pages that slide: a picture on the way, and each step paints what has moved`() throws {
    let window = Window(size: Size(width: 160, height: 100))
    let pages = PagesView(id: "p", frame: LocalRect(x: 10, y: 10, width: 140, height: 80))
    (pages.slideAxis, pages.showsIndicator) = (.horizontal, true)
    window.addSubview(pages)
    for (id, color) in [("a", "#3aa6ff"), ("b", "#f5b942"), ("c", "#7ad07a")] {
      let page = View(id: id)
      (page.isArranged, page.appearance.background) = (true, hex(color))
      pages.addSubview(page)
      view("\(id)1", 20, 20, 100, 30, "#101418", radius: 8, in: page)
    }
    let dispatcher = Dispatcher(window: window)
    let followed = try Surface(width: 160, height: 100)
    let painter = try Painter(
      geometry: DisplayGeometry(displaySize: followed.size, canvasSize: window.bounds.size))
    painter.paintAll(window, highlights: nil, on: followed)
    window.damage.removeAll()
    var damage = Damage()
    var time = Timestamp.zero
    func step(_ kind: TouchChange.Kind?, _ x: Double = 0) throws {
      time.microseconds += 16_667
      if let kind {
        let contact = ContactID(device: DeviceID(rawValue: 1), serial: 1)
        dispatcher.dispatch(
          [TouchChange(contact: contact, kind: kind, location: WindowPoint(x: x, y: 80))], at: time)
        dispatcher.flush()
      } else {
        dispatcher.advance(to: time)
      }
      damage.removeAll()
      window.takeDamage(into: &damage)
      painter.paint(window, highlights: nil, damage: damage, on: followed)
      let fresh = try paint(window, width: 160, height: 100)
      #expect(firstDifference(followed, fresh) == nil, "at \(time.microseconds)")
    }
    try step(.began, 140)
    for x in [120.0, 100, 80] { try step(.moved, x) }
    try expectGolden(paint(window, width: 160, height: 100), "pages-slide")
    try step(.ended, 80)
    for _ in 0..<60 { try step(nil) }
    #expect(pages.page?.id == "b" && dispatcher.deadline == nil)
  }

  @Test func `a row that a finger holds`() throws {
    let scene = Scene()
    scene.list.selectedRow = 2
    scene.frame(.began, 100, 80)
    scene.rest(seconds: 0.2)
    #expect(scene.list.pressedRow == 1)
    try expectGolden(paint(scene.window, width: 320, height: 240), "scroll-pressed")
  }

  @Test func `the mark on a list that is touched ends where the scroll view does`() {
    let scene = Scene()
    scene.scrollView.contentOffset.y = 100
    #expect(scene.list.boundsInSight == LocalRect(x: 0, y: 100, width: 200, height: 200))
    var damage = Damage()
    let highlights = Highlights(style: HighlightStyle())
    scene.frame(.began, 100, 80)
    highlights.update(touches: scene.dispatcher.touches, cursor: nil, at: .zero, into: &damage)
    let area = scene.scrollView.windowFrame.outset(by: 40)
    #expect(damage.rects.allSatisfy { $0.intersection(area) == $0 }, "\(damage.rects)")
  }

  @Test(arguments: 0..<40)
  func `while it scrolls, the damage is all that has to be painted`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scene = Scene()
    let scale = random.chance(0.4) ? 1 : random.number(0.4...2.5)
    let size = Size(width: (320 * scale).rounded(), height: (240 * scale).rounded())
    let geometry = DisplayGeometry(
      displaySize: size, canvasSize: scene.window.bounds.size, rotation: random.chance(0.3) ? .half : .none)
    scene.window.pixelsPerUnit = geometry.pixelsPerUnit
    if random.chance(0.2) { scene.scrollView.transform = rotation(random.number(0...360)) }
    if random.chance(0.3) { scene.scrollView.appearance.cornerRadius = 20 }
    var style = HighlightStyle()
    style.view.shape = HighlightStyle.Shape.allCases.randomElement(using: &random) ?? .glow
    let highlights = Highlights(style: style, canvas: geometry.canvasBounds)
    let (painter, everything) = (try Painter(geometry: geometry), try Painter(geometry: geometry))
    let followed = try Surface(width: Int(size.width), height: Int(size.height))
    let fresh = try Surface(width: Int(size.width), height: Int(size.height))
    painter.paintAll(scene.window, highlights: nil, on: followed)
    var damage = Damage()
    scene.window.takeDamage(into: &damage)
    var (isDown, x, y) = (false, 0.0, 0.0)
    for step in 0..<25 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where isDown:
        scene.frame(.ended, x, y)
        isDown = false
      case _ where !isDown:
        if random.chance(0.5) { scene.rest(seconds: random.number(0...0.9)) }
        (x, y) = (random.number(0...320), random.number(0...240))
        scene.frame(.began, x, y)
        isDown = true
      case 1: scene.rest(seconds: random.number(0...0.4))
      case 2: scene.list.selectedRow = Int.random(in: 0..<scene.list.rows.count, using: &random)
      case 3: scene.list.rows = (0..<Int.random(in: 3...30, using: &random)).map { "row \($0)" }
      default:
        (x, y) = (x + random.number(-40...40), y + random.number(-60...60))
        scene.frame(.moved, x, y)
      }
      damage.removeAll()
      scene.window.takeDamage(into: &damage)
      highlights.update(touches: scene.dispatcher.touches, cursor: nil, at: .zero, into: &damage)
      painter.paint(scene.window, highlights: highlights, damage: damage, on: followed)
      everything.paintAll(scene.window, highlights: highlights, on: fresh)
      #expect(firstDifference(followed, fresh) == nil, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: [0.0, 12])
  func `a list paints only what scrolls in, and forgets its pixels when its indicator has faded`(
    radius: Double
  )
    throws
  {
    let scene = Scene()
    scene.scrollView.appearance.cornerRadius = radius
    let painter = try Painter(geometry: DisplayGeometry(displaySize: scene.window.bounds.size))
    let display = try Surface(width: 320, height: 240)
    func paint() -> KeptContent? {
      var damage = Damage()
      scene.window.takeDamage(into: &damage)
      painter.paint(scene.window, highlights: nil, damage: damage, on: display)
      return scene.scrollView.keptContent as? KeptContent
    }
    #expect(paint() == nil)
    scene.frame(.began, 100, 190)
    scene.frame(.moved, 100, 150)
    let kept = try #require(paint())
    // A pixel that is painted once more has another colour.
    let marked: UInt32 = 0xffff_00ff
    for index in 0..<200 * 200 { kept.surface.pixels[index] = marked }
    scene.frame(.moved, 100, 143)
    #expect(paint() === kept)
    var rows = Set<Int>()
    for index in 0..<200 * 200 where kept.surface.pixels[index] != marked { rows.insert(index / 200) }
    #expect(rows.count == 7)
    #expect(display.color(x: 100, y: 100).hex == "#ff00ff")
    #expect(display.color(x: 100, y: 215).hex != "#ff00ff")
    // A row that changes is painted with the line above it, and no other.
    scene.list.selectedRow = 4
    _ = paint()
    let row = scene.list.convertToWindow(scene.list.rect(of: 4).origin).y
    #expect(display.color(x: 100, y: Int(row) + 1).hex != "#ff00ff")
    #expect(display.color(x: 100, y: Int(row) - 2).hex == "#ff00ff")
    scene.frame(.ended, 100, 143)
    for _ in 0..<100 {
      scene.rest(seconds: 0.05)
      _ = paint()
    }
    #expect(scene.scrollView.keptContent == nil)
  }

  @Test(arguments: 0..<12)
  func `what is kept of a content is what painting all of it gives`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 5000)
    let scene = Scene()
    scene.decorate(&random)
    let size =
      [Size(width: 320, height: 240), Size(width: 213, height: 160), Size(width: 480, height: 360)]
      .randomElement(using: &random) ?? .zero
    let rotation = DisplayGeometry.Rotation.allCases.randomElement(using: &random) ?? .none
    let isUpright = rotation == .none || rotation == .half
    let geometry = DisplayGeometry(
      displaySize: isUpright ? size : Size(width: size.height, height: size.width),
      canvasSize: scene.window.bounds.size, scale: random.chance(0.2) ? .stretch : .fit, rotation: rotation)
    scene.window.pixelsPerUnit = geometry.pixelsPerUnit
    let highlights = Highlights(style: HighlightStyle(), canvas: geometry.canvasBounds)
    let (painter, everything) = (try Painter(geometry: geometry), try Painter(geometry: geometry))
    func display() throws -> Surface {
      try Surface(width: Int(geometry.displaySize.width), height: Int(geometry.displaySize.height))
    }
    let (followed, fresh, copy) = (try display(), try display(), try display())
    for display in [followed, copy] { painter.paintAll(scene.window, highlights: nil, on: display) }
    var (damage, copyDamage) = (Damage(), Damage())
    scene.window.takeDamage(into: &damage)
    var (isDown, x, y) = (false, 0.0, 0.0)
    for step in 0..<30 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where isDown:
        scene.frame(.ended, x, y)
        isDown = false
      case 1, 2: scene.change(&random)
      case _ where !isDown:
        if random.chance(0.5) { scene.rest(seconds: random.number(0...0.9)) }
        (x, y) = (random.number(20...220), random.number(20...220))
        scene.frame(.began, x, y)
        isDown = true
      case 3: scene.rest(seconds: random.number(0...0.4))
      default:
        (x, y) = (x + random.number(-30...30), y + random.number(-60...60))
        scene.frame(.moved, x, y)
      }
      // Several changes may come between two pictures.
      if random.chance(0.3) { continue }
      damage.removeAll()
      scene.window.takeDamage(into: &damage)
      highlights.update(touches: scene.dispatcher.touches, cursor: nil, at: .zero, into: &damage)
      copyDamage.add(damage)
      painter.paint(scene.window, highlights: highlights, damage: damage, on: followed)
      everything.paintAll(scene.window, highlights: highlights, on: fresh)
      #expect(firstDifference(followed, fresh) == nil, "seed \(seed), step \(step)")
      guard random.chance(0.2) else { continue }
      painter.paint(scene.window, highlights: highlights, damage: copyDamage, on: copy)
      copyDamage.removeAll()
      #expect(firstDifference(copy, fresh) == nil, "seed \(seed), step \(step): the copy")
    }
  }
}
