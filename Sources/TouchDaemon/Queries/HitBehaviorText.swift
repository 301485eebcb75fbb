import TouchCore

/// A view's hit behavior for people, in the words of the configuration.
package enum HitBehaviorText {
  /// What differs from the default.
  package static func parts(of behavior: HitBehavior) -> [String] {
    var parts: [String] = []
    if behavior.slop != .zero { parts.append("hit slop \(slop(behavior.slop))") }
    if behavior.pointerEvents != .auto { parts.append("pointer events \(behavior.pointerEvents.rawValue)") }
    if behavior.shape != .rect() { parts.append("shape \(shape(behavior.shape))") }
    if behavior.overflows { parts.append("overflow hits") }
    if let target = behavior.redirect { parts.append("redirect \(target.id)") }
    if behavior.z != 0 { parts.append("z \(behavior.z.plain)") }
    return parts
  }

  /// One number where all sides are alike, else `[top, left, bottom, right]`.
  private static func slop(_ slop: Insets) -> String {
    let sides = [slop.top, slop.left, slop.bottom, slop.right]
    if sides.allSatisfy({ $0 == slop.top }) { return slop.top.plain }
    return "[" + sides.map(\.plain).joined(separator: ", ") + "]"
  }

  package static func shape(_ shape: HitShape) -> String {
    func place(_ rect: LocalRect?) -> String {
      rect.map {
        " (\($0.origin.x.plain), \($0.origin.y.plain), \($0.size.width.plain), \($0.size.height.plain))"
      } ?? ""
    }
    return switch shape {
    case .rect(let rect): "rect" + place(rect)
    case .roundRect(let rect, let radius): "round_rect" + place(rect) + " radius \(radius.plain)"
    case .ellipse(let rect): "ellipse" + place(rect)
    case .polygon(let polygon): "polygon of \(polygon.points.count) points"
    case .children: "children"
    }
  }
}
