import DispatchFuzzing
import Glibc
import Testing
import TouchCore
import TouchViews

/// Random trees, random edits, random points: the index finds what the walk finds.
///
/// 220 000 points are asked for in all; TOUCHTREE_PROBES says how many instead, and `make nightly` asks for
/// two million.
@Suite struct HitIndexPropertyTests {
  private static let fresh = UInt64.random(in: 0 ... .max)

  private static var probes: Int {
    if let text = getenv("TOUCHTREE_PROBES"), let number = Int(String(cString: text)) {
      return number
    }
    return 220_000
  }

  @Test(arguments: [1, fresh])
  func `the index answers as the walk does`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    var asked = 0
    var hits = 0
    while asked < Self.probes / 2 {
      var forest = Forest(&random)
      for _ in 0..<20 {
        forest.edit(&random)
        for _ in 0..<25 {
          let point = forest.point(&random)
          let found = forest.root.hitView(at: point, with: nil)
          let walked = forest.root.hitView(at: point, with: forest.watched)
          asked += 1
          if walked !== forest.root && walked != nil { hits += 1 }
          guard found === walked else {
            let names = [found, walked].map { $0?.id ?? "nothing" }
            Issue.record("seed \(seed), probe \(asked) at \(point): index and walk find \(names)")
            return
          }
        }
      }
    }
    #expect(hits > asked / 4, "too few probes hit a view")
  }
}

private typealias Matrix = TouchCore.AffineTransform

/// A tree whose containers have few subviews, or enough for a list of boxes, or for a tree of them.
private struct Forest {
  /// An observer sees the walk.
  let watched = Event(observer: SilentObserver())

  let root: View
  /// The length of a unit: 1 in most trees. Elsewhere coordinates are so small or large that 32-bit floats
  /// lose digits, go down to zero or up to infinity.
  private let unit: Double
  private var views: [View] = []
  private var serial = 0

  init(_ random: inout RandomSource) {
    unit = random.oneIn(4) ? Self.units.randomElement(using: &random) ?? 1 : 1
    root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: 1000 * unit, height: 1000 * unit))
    let isWild = random.oneIn(8)
    let count =
      random.oneIn(100)
      ? Int.random(in: 240...400, using: &random) : Int.random(in: 2...90, using: &random)
    add(count, to: root, &random, isWild: isWild)
    for container in views where random.oneIn(20) {
      add(Int.random(in: 1...50, using: &random), to: container, &random, isWild: isWild)
    }
  }

  private static let units = [
    .leastNonzeroMagnitude, 1e-300, 1e-47, 1e-43, 1e-20, 1e-3, 1e5, 1e13, 1e35, 3.4e35, 1e200, 1e304,
  ]

  private mutating func add(_ count: Int, to parent: View, _ random: inout RandomSource, isWild: Bool) {
    for _ in 0..<count {
      let view = makeView(&random, within: parent.bounds, isWild: isWild)
      for _ in 0..<2 { change(view, &random) }
      views.append(view)
      parent.addSubview(view)
    }
  }

  private mutating func makeView(_ random: inout RandomSource, within bounds: LocalRect, isWild: Bool) -> View
  {
    serial += 1
    let rect = rect(&random, within: bounds)
    if isWild && random.oneIn(30) { return Wild(id: "wild\(serial)", frame: rect) }
    if random.oneIn(4) { return Control(id: "control\(serial)", frame: rect) }
    if random.oneIn(10) { return PagesView(id: "pages\(serial)", frame: rect) }
    return View(id: "view\(serial)", frame: rect)
  }

  private func rect(_ random: inout RandomSource, within bounds: LocalRect) -> LocalRect {
    let width = max(bounds.size.width, 10 * unit)
    let height = max(bounds.size.height, 10 * unit)
    func whole(_ number: Double, _ random: inout RandomSource) -> Double {
      random.oneIn(2) ? number.rounded() : number
    }
    return LocalRect(
      x: whole(.random(in: -0.2 * width...width, using: &random), &random),
      y: whole(.random(in: -0.2 * height...height, using: &random), &random),
      width: whole(.random(in: 0...width / 3, using: &random), &random),
      height: whole(.random(in: 0...height / 3, using: &random), &random))
  }

  // MARK: Edits

  mutating func edit(_ random: inout RandomSource) {
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      guard let view = views.randomElement(using: &random) else { return }
      switch Int.random(in: 0..<12, using: &random) {
      case 0: view.removeFromSuperview()
      case 1: (views.randomElement(using: &random) ?? root).addSubview(view)
      case 2: root.insertSubview(view, at: .random(in: 0...root.subviews.count, using: &random))
      case 3: root.addSubview(view)
      case 4, 5: view.layoutRect = rect(&random, within: view.superview?.bounds ?? root.bounds)
      default: change(view, &random)
      }
    }
  }

  private func change(_ view: View, _ random: inout RandomSource) {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: view.isHidden.toggle()
    case 1: view.isUserInteractionEnabled.toggle()
    case 2: view.alpha = random.oneIn(2) ? 0.01 : 1
    case 3: (view as? Control)?.isEnabled.toggle()
    case 4: view.clipsToBounds.toggle()
    case 5, 6: view.transform = transform(&random)
    case 7: view.bounds.origin = LocalPoint(x: .random(in: -50...50, using: &random), y: 7.25)
    case 8: view.anchorPoint = Point(x: .random(in: 0...1, using: &random), y: 0)
    case 9, 10: view.hitBehavior = behavior(&random)
    case 11: view.hitBehavior = nil
    case 12:
      view.isHidden = false
      view.isUserInteractionEnabled = true
      view.alpha = 1
    case 14: view.minimumHitSize = random.oneIn(2) ? 60 * unit : 0
    case 13: if let pages = view as? PagesView { pages.page = pages.subviews.randomElement(using: &random) }
    default: break
    }
  }

  private func transform(_ random: inout RandomSource) -> Matrix {
    let angle = Double.random(in: 0...6.3, using: &random)
    let scale = Double.random(in: 0.2...3, using: &random)
    let turned = Matrix(
      a: cos(angle) * scale, b: sin(angle) * scale, c: -sin(angle) * scale, d: cos(angle) * scale, tx: 0,
      ty: 0)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return .identity
    case 2: return Matrix(a: -1, b: 0, c: 0, d: 1, tx: 3, ty: 0)
    case 3: return Matrix(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    case 4: return Matrix(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0)
    case 5: return Matrix(a: 1, b: 2, c: 2, d: 4.000_000_000_01, tx: 0, ty: 0)
    case 6: return Matrix(a: 1e-7, b: 0, c: 0, d: 1e7, tx: 0, ty: 0)
    case 7: return Matrix(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    case 8: return Matrix(a: 1, b: 0, c: 0, d: 1, tx: 1e15, ty: -1e15)
    default: return turned
    }
  }

  private func behavior(_ random: inout RandomSource) -> HitBehavior {
    var behavior = HitBehavior()
    if random.oneIn(2) {
      behavior.slop = Insets(top: 5, left: .random(in: 0...40, using: &random), bottom: 0.1, right: 30)
    }
    if random.oneIn(3) {
      behavior.pointerEvents = HitBehavior.PointerEvents.allCases.randomElement(using: &random) ?? .auto
    }
    behavior.overflows = random.oneIn(3)
    if random.oneIn(4) { behavior.z = Double(Int.random(in: -2...2, using: &random)) }
    if random.oneIn(40) { behavior.redirect = views.randomElement(using: &random) }
    let box = random.oneIn(2) ? nil : LocalRect(x: 2, y: 3, width: 25.5, height: 40)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: behavior.shape = .rect(box)
    case 1: behavior.shape = .roundRect(box, radius: 9)
    case 2: behavior.shape = .ellipse(box)
    case 3:
      behavior.shape = .polygon(HitPolygon([Point(x: -4, y: 0), Point(x: 50, y: 9), Point(x: 20, y: 60)]))
    case 4: behavior.shape = .children
    default: break
    }
    return behavior
  }

  // MARK: Points

  /// Anywhere, or on a corner or an edge of a view, or the next number on either side of it, where rounding
  /// would show.
  func point(_ random: inout RandomSource) -> LocalPoint {
    guard !random.oneIn(3), let view = views.randomElement(using: &random), view.isDescendant(of: root) else {
      return LocalPoint(
        x: .random(in: -20...1020, using: &random) * unit, y: .random(in: -20...1020, using: &random) * unit)
    }
    let xs = [view.bounds.minX, view.bounds.midX, view.bounds.maxX, view.bounds.maxX.nextDown]
    let ys = [view.bounds.minY, view.bounds.midY, view.bounds.maxY, view.bounds.minY.nextDown]
    let local = LocalPoint(
      x: xs.randomElement(using: &random) ?? 0, y: ys.randomElement(using: &random) ?? 0)
    var point = view.convert(local, to: root)
    if random.oneIn(3) { point.x = random.oneIn(2) ? point.x.nextUp : point.x.nextDown }
    if random.oneIn(3) { point.y = random.oneIn(2) ? point.y.nextUp : point.y.nextDown }
    return point
  }
}

/// A subclass that can be hit where no box of it is.
private final class Wild: View {
  override func point(inside point: LocalPoint, with event: Event?) -> Bool {
    abs(point.x + point.y).truncatingRemainder(dividingBy: 90) < 3
  }
}

private final class SilentObserver: DispatchObserver {
  func observe(_ step: DispatchStep) {}
}
