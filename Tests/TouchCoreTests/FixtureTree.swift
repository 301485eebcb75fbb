import TouchCore
import TouchViews

/// A view tree made from a fixture.
struct FixtureTree {
  let root: View
  private(set) var views: [String: View] = [:]
  private(set) var logged: Set<String> = []
  private let features: Set<String>

  init(_ node: Fixture.Node, features: [String] = []) {
    self.features = Set(features)
    root = Self.makeView(node)
    fill(root, from: node)
    for case let view as ScriptedView in views.values {
      view.target = view.script.target.flatMap { views[$0] }
    }
  }

  private mutating func fill(_ view: View, from node: Fixture.Node) {
    views[node.id] = view
    if node.log == true { logged.insert(node.id) }
    view.hitBehavior = behavior(node)
    for child in node.children ?? [] {
      let subview = Self.makeView(child)
      view.addSubview(subview)
      fill(subview, from: child)
    }
  }

  /// A node's extensions count only where the case has switched them on.
  private func behavior(_ node: Fixture.Node) -> HitBehavior {
    var behavior = HitBehavior()
    if features.contains("zOrder"), let z = node.z { behavior.z = z }
    if features.contains("overflowHit") { behavior.overflows = true }
    if features.contains("pointerEvents"), let events = node.pointerEvents {
      behavior.pointerEvents = HitBehavior.PointerEvents(rawValue: events) ?? .auto
    }
    if features.contains("hitSlop"), let slop = node.hitSlop {
      behavior.slop = Insets(top: slop[0], left: slop[1], bottom: slop[2], right: slop[3])
    }
    if features.contains("shape"), let shape = node.shape { behavior.shape = Self.shape(shape) }
    return behavior
  }

  private static func shape(_ shape: Fixture.Shape) -> HitShape {
    let rect = shape.rect.map(Self.rect)
    return switch shape.type {
    case "roundRect": .roundRect(rect, radius: shape.radius ?? 0)
    case "ellipse", "circle": .ellipse(rect)
    case "polygon": .polygon(HitPolygon((shape.points ?? []).map { Point(x: $0[0], y: $0[1]) }))
    default: .rect(rect)
    }
  }

  private static func rect(_ numbers: [Double]) -> LocalRect {
    LocalRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  private static func makeView(_ node: Fixture.Node) -> View {
    let view: View
    if let script = node.override {
      view = ScriptedView(id: node.id, frame: rect(node.frame), script: script)
    } else if node.kind == "control" {
      view = Control(id: node.id, frame: rect(node.frame))
    } else {
      view = View(id: node.id, frame: rect(node.frame))
    }
    if let origin = node.boundsOrigin { view.bounds.origin = LocalPoint(x: origin[0], y: origin[1]) }
    if let anchor = node.anchor { view.anchorPoint = Point(x: anchor[0], y: anchor[1]) }
    if let m = node.transform {
      view.transform = AffineTransform(a: m[0], b: m[1], c: m[2], d: m[3], tx: m[4], ty: m[5])
    }
    view.alpha = node.alpha ?? 1
    view.isHidden = node.hidden ?? false
    view.isUserInteractionEnabled = node.interaction ?? true
    view.clipsToBounds = node.clip ?? false
    if let enabled = node.enabled { (view as? Control)?.isEnabled = enabled }
    if let controller = node.vc { view.viewController = ViewController(id: controller) }
    return view
  }
}

/// A subclass as an application would write it, with the overrides that a case asks for.
final class ScriptedView: View {
  let script: Fixture.Override
  var target: View?

  init(id: String, frame: LocalRect, script: Fixture.Override) {
    self.script = script
    super.init(id: id, frame: frame)
  }

  override func hitTest(_ point: LocalPoint, with event: Event?) -> View? {
    switch script.hitTest {
    case "fixed": return target
    case "redirectIfInside":
      if let target, target.point(inside: convert(point, to: target), with: event) { return target }
      return super.hitTest(point, with: event)
    case "childrenOutsideBounds":
      if let hit = super.hitTest(point, with: event) { return hit }
      for subview in subviews.reversed() {
        let inside = subview.convertFromSuperview(point)
        if subview.bounds.contains(inside) { return subview }
      }
      return nil
    case "passThrough":
      let hit = super.hitTest(point, with: event)
      return hit === self ? nil : hit
    default: return super.hitTest(point, with: event)
    }
  }

  override func point(inside point: LocalPoint, with event: Event?) -> Bool {
    guard script.pointInside == "unionOfChildFrames" else { return super.point(inside: point, with: event) }
    return subviews.contains { $0.frame.contains(point) }
  }
}
