import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// A tree that is edited at random, and a display that follows it by its damage alone.
private struct EditedScene {
  let window: Window
  private(set) var views: [View] = []
  private var count = 0

  init(_ random: inout SeededGenerator, size: Size) {
    window = randomWindow(&random, size: size)
    collect(window)
  }

  private mutating func collect(_ view: View) {
    for subview in view.subviews {
      views.append(subview)
      collect(subview)
    }
  }

  /// Changes one thing; says which.
  mutating func edit(_ random: inout SeededGenerator) -> String {
    guard let view = views.randomElement(using: &random) else { return "nothing" }
    let kind = Int.random(in: 0..<25, using: &random)
    switch kind {
    case 0: view.layoutRect.origin = LocalPoint(x: random.number(-20...120), y: random.number(-20...90))
    case 1: view.layoutRect.size = Size(width: random.number(0...90), height: random.number(0...70))
    case 2: view.bounds.origin = LocalPoint(x: random.number(-9...9), y: random.number(-9...9))
    case 3: view.transform = rotation([0, 30, -30, 90, 180].randomElement(using: &random) ?? 0)
    case 4: view.transform = .scale(x: random.number(-1.5...1.5), y: random.number(0...1.5))
    case 5: view.anchorPoint = Point(x: random.number(-1...2), y: random.number(0...1))
    case 6: view.alpha = [0, 0.4, 1].randomElement(using: &random) ?? 1
    case 7: view.isHidden.toggle()
    case 8: view.clipsToBounds.toggle()
    case 9: view.appearance.background = random.chance(0.8) ? random.color() : nil
    case 10: view.appearance.cornerRadius = random.number(0...30)
    case 11: view.appearance.border = .init(color: random.color(), width: random.number(0...9))
    case 12:
      var behavior = view.hitBehavior ?? HitBehavior()
      behavior.z = Double(Int.random(in: -1...1, using: &random))
      view.hitBehavior = behavior
    case 13:
      if let control = view as? Control {
        if random.chance(0.5) { control.isSelected.toggle() } else { control.isEnabled.toggle() }
        control.isHighlighted = random.chance(0.5)
      }
    case 14:
      let text = random.chance(0.2) ? "" : "text \(random.number(0...99))"
      if let label = view as? Label { label.text = text }
      if let button = view as? Button { button.text = text }
    case 15:
      if let image = view as? ImageView { image.mode = random.chance(0.5) ? .center : .fill }
    case 16:
      // What lies far away may have something near in it.
      let far: Double = [-3e5, 2e7, 1e9].randomElement(using: &random) ?? 0
      view.layoutRect.origin.x += far
      view.bounds.origin.x += random.chance(0.7) ? far : 0
    case 17: view.transform = .scale(x: 1e-5, y: 1e5)
    case 18:
      let parent = random.chance(0.3) ? window : views.randomElement(using: &random) ?? window
      parent.insertSubview(view, at: Int.random(in: 0...3, using: &random))
    case 19:
      // Of views that are pages, each is one now and then.
      let pages = view as? PagesView ?? PagesView(id: "pages of \(view.id)", frame: view.layoutRect)
      if pages.superview == nil {
        view.superview?.addSubview(pages)
        pages.addSubview(view)
        views.append(pages)
      }
      pages.page = pages.subviews.randomElement(using: &random)
    case 20: view.shadow = random.chance(0.7) ? randomShadow(&random) : nil
    case 21: view.gradient = random.chance(0.7) ? randomGradient(&random) : nil
    case 22: view.borderGradient = random.chance(0.7) ? randomGradient(&random) : nil
    case 23: view.corners = randomCorners(&random)
    default:
      view.removeFromSuperview()
      views.removeAll { $0.window == nil }
      count += 1
      let new = dressedView("new \(count)", &random)
      (views.randomElement(using: &random) ?? window).addSubview(new)
      views.append(new)
    }
    return "edit \(kind) of \(view.id)"
  }

  private func dressedView(_ id: String, _ random: inout SeededGenerator) -> View {
    view(
      id, random.number(-30...100), random.number(-30...80), random.number(5...70), random.number(5...60),
      random.color().hex, radius: random.number(0...20))
  }
}

extension View {
  /// Calls `body` while a painter visits every view, wherever it lies.
  fileprivate func whileAllAreVisited(_ body: () -> Void) {
    var known: [(view: View, bounds: IndexBox?)] = []
    func note(_ view: View) {
      known.append((view, view.knownPaintedBounds))
      view.knownPaintedBounds = IndexBox(.everything)
      for subview in view.subviews { note(subview) }
    }
    note(self)
    body()
    for (view, bounds) in known { view.knownPaintedBounds = bounds }
  }
}

@Suite("A tree that changes")
struct TreeEditTests {
  private static let size = Size(width: 160, height: 120)

  private func style(_ random: inout SeededGenerator) -> HighlightStyle {
    var style = HighlightStyle()
    style.view.shape = HighlightStyle.Shape.allCases.randomElement(using: &random) ?? .glow
    style.path.shape = HighlightStyle.Shape.allCases.randomElement(using: &random) ?? .glow
    style.view.fade = random.chance(0.5) ? 0.3 : nil
    style.touches.trail = random.chance(0.3) ? 0.2 : 0
    return style
  }

  @Test(arguments: 0..<48)
  func `painting the damage gives the same picture as painting everything, after any edit under any touch`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed &+ 77_000)
    var scene = EditedScene(&random, size: Self.size)
    let window = scene.window
    let geometry = DisplayGeometry(
      displaySize: Size(width: seed.isMultiple(of: 2) ? 160 : 197, height: 120), canvasSize: Self.size)
    let followed = try Surface(width: Int(geometry.displaySize.width), height: 120)
    let fresh = try Surface(width: followed.width, height: followed.height)
    let painter = try Painter(geometry: geometry)
    let highlights = Highlights(style: style(&random), canvas: geometry.canvasBounds)
    let dispatcher = Dispatcher(window: window)
    var fingers: [ContactID] = []
    var damage = Damage()
    damage.add(geometry.displayBoundsInWindow)
    var time = Timestamp.zero
    var edits: [String] = []
    for step in 0..<60 {
      time.microseconds += Int64.random(in: 0...80_000, using: &random)
      for _ in 0..<Int.random(in: 0...3, using: &random) { edits.append(scene.edit(&random)) }
      let place = WindowPoint(x: random.number(0...160), y: random.number(0...120))
      var change: TouchChange
      if fingers.isEmpty || random.chance(0.3) && fingers.count < 3 {
        fingers.append(ContactID(device: DeviceID(rawValue: 1), serial: step))
        change = TouchChange(contact: fingers[fingers.count - 1], kind: .began, location: place)
      } else {
        let isLast = random.chance(0.4)
        change = TouchChange(contact: fingers[0], kind: isLast ? .ended : .moved, location: place)
        if isLast { fingers.removeFirst() }
      }
      dispatcher.dispatch([change], at: time)
      window.takeDamage(into: &damage)
      highlights.update(touches: dispatcher.touches, cursor: nil, at: time, into: &damage)
      painter.paint(window, highlights: highlights, damage: damage, on: followed)
      damage.removeAll()
      painter.paintAll(window, highlights: highlights, on: fresh)
      if let difference = firstDifference(followed, fresh) {
        Issue.record("seed \(seed), step \(step): \(difference) after \(edits.suffix(4))")
        return
      }
    }
  }

  @Test(arguments: 0..<16)
  func `a copy that is brought up to date now and then is the display's picture`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 55_000)
    var scene = EditedScene(&random, size: Self.size)
    let geometry = DisplayGeometry(
      displaySize: Size(width: 120, height: 160), canvasSize: Self.size, rotation: .quarter)
    let display = try Surface(width: 120, height: 160)
    let copy = try Surface(width: 120, height: 160)
    let renderer = try Renderer(
      display: display, geometry: geometry, style: style(&random), background: random.color())
    let dispatcher = Dispatcher(window: scene.window)
    for step in 0..<60 {
      _ = scene.edit(&random)
      renderer.update(
        dispatcher, cursor: WindowPoint(x: random.number(0...160), y: random.number(0...120)),
        at: Timestamp(microseconds: Int64(step) * 16_000))
      if random.chance(0.1) { renderer.forgetCopy() }
      guard random.chance(0.4) else { continue }
      renderer.updateCopy(of: scene.window, on: copy)
      #expect(!renderer.isCopyOutdated)
      if let difference = firstDifference(copy, display) {
        Issue.record("seed \(seed), step \(step): \(difference)")
        return
      }
    }
  }

  @Test(arguments: 0..<48)
  func `leaving out the views outside the damage changes no pixel, after any edit`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 99_000)
    var scene = EditedScene(&random, size: Self.size)
    let geometry = DisplayGeometry(
      displaySize: Size(width: seed.isMultiple(of: 2) ? 160 : 197, height: 120), canvasSize: Self.size)
    let culled = try Surface(width: Int(geometry.displaySize.width), height: 120)
    let visited = try Surface(width: culled.width, height: culled.height)
    let painter = try Painter(geometry: geometry)
    var edits: [String] = []
    for step in 0..<60 {
      for _ in 0..<Int.random(in: 1...3, using: &random) { edits.append(scene.edit(&random)) }
      var damage = Damage()
      damage.add(
        WindowRect(
          x: random.number(-20...160), y: random.number(-20...120), width: random.number(0.1...60),
          height: random.number(0.1...60)))
      painter.paint(scene.window, highlights: nil, damage: damage, on: culled)
      scene.window.whileAllAreVisited {
        painter.paint(scene.window, highlights: nil, damage: damage, on: visited)
      }
      if let difference = firstDifference(culled, visited) {
        Issue.record("seed \(seed), step \(step): \(difference) after \(edits.suffix(4))")
        return
      }
    }
  }
}
