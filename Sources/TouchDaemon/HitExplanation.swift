import TouchCore

/// Says in words, for each view that a hit test asks, why it did or did not answer.
public final class HitExplanation: DispatchObserver {
  /// One sentence for each view, in the order in which they are asked.
  public private(set) var lines: [String] = []
  /// The point that the view was asked about, in its own bounds space.
  private var asked: (view: View, point: LocalPoint)?

  public init() {}

  public func observe(_ step: DispatchStep) {
    switch step {
    case .hitTest(let view, let point):
      asked = (view, point)
      guard let refusal = view.hitTestRefusal else { return }
      lines.append("\(place(of: point, in: view)); \(refusal.rawValue), so skipped")
    case .pointInside(let view, let inside):
      guard let asked, asked.view === view else { return }
      lines.append(place(of: asked.point, in: view) + consequence(for: view, inside: inside))
    case .hit, .chain, .dropped, .touch, .control: return
    }
  }

  private func place(of point: LocalPoint, in view: View) -> String {
    guard point.isFinite else { return "\(view.id): no point, since a transform on the way has no inverse" }
    return "\(view.id): point \(point.text) \(view.bounds.contains(point) ? "inside" : "outside") bounds"
  }

  private func consequence(for view: View, inside: Bool) -> String {
    if !inside {
      return (view.hitBehavior?.overflows ?? false)
        ? "; what reaches beyond them is asked all the same" : "; so it is skipped, and all that is in it"
    }
    return view.subviews.isEmpty ? "; it answers" : "; what is in it is asked first, front to back"
  }
}
