import TouchCore

/// The explanation of a hit test: the views that were asked, and why each did or did not answer.
package final class HitExplanation: DispatchObserver {
  /// A view that was asked, with the point in its own bounds space.
  package struct Question {
    package var view: View
    package var point: LocalPoint
    /// The answer of `point(inside:)`; nil if it was not asked.
    package var inside: Bool?
    package var redirect: (target: View, inside: Bool)?
  }

  /// The point in the space of the view where the hit test began.
  private let point: LocalPoint
  private let start: View
  package private(set) var questions: [Question] = []
  package private(set) var hit: View?

  /// Performs the hit test at a point in the bounds space of the view where it begins.
  package init(at point: LocalPoint, from start: View) {
    (self.point, self.start) = (point, start)
    hit = start.hitView(at: point, with: Event(observer: self))
  }

  /// Leaves out the questions inside private views, which are then the answer themselves.
  func leaveOutPrivateViews() {
    questions.removeAll { $0.view.disclosed !== $0.view }
    hit = hit?.disclosed
  }

  package var windowPoint: WindowPoint { start.convertToWindow(point) }

  package func observe(_ step: DispatchStep) {
    switch step {
    case .hitTest(let view, let point): questions.append(Question(view: view, point: point))
    case .pointInside(let view, let inside): note(view, inside)
    case .hit, .dropped, .chain, .delivery, .touch, .gesture, .pointer, .press, .report: break
    }
  }

  private func note(_ view: View, _ inside: Bool) {
    guard let last = questions.indices.last else { return }
    if questions[last].view === view && questions[last].inside == nil {
      questions[last].inside = inside
    } else {
      questions[last].redirect = (view, inside)
    }
  }

  package var sentences: [String] { questions.map { "\($0.view.id): " + sentence($0) } }

  // MARK: Words

  private func sentence(_ question: Question) -> String {
    let view = question.view
    if let window = view.window, window === view, question.inside == nil, let target = window.fixedTarget,
      target === hit
    {
      return "fixed_target, so \(target.id) answers wherever the point is"
    }
    // A view that refuses is not asked for the point, but its answer is worth knowing.
    let inside = question.inside ?? view.point(inside: question.point, with: nil)
    let place = "point \(question.point.text) " + self.place(view, inside)
    if let refusal = view.hitTestRefusal {
      let rest = view.subviews.isEmpty ? "" : ", and everything in it"
      let shown = view.enclosingPages?.page.map { ", since \($0.id) is shown" }
      let page = refusal == .otherPage ? shown ?? "" : ""
      return "\(place); \(refusal.rawValue)\(page), so skipped\(rest)"
    }
    guard view.convertsPoints else { return "\(place); its transform has no inverse, so skipped" }
    if let redirect = question.redirect {
      if redirect.inside && hit === redirect.target {
        return "\(place); the point is in \(redirect.target.id) too, to which it redirects, so that answers"
      }
      return "\(place); not in \(redirect.target.id), to which it redirects" + ending(view, inside)
    }
    return place + ending(view, inside)
  }

  private func place(_ view: View, _ inside: Bool) -> String {
    let area: String
    switch view.hitBehavior?.shape ?? .rect() {
    case .rect(nil): area = "bounds"
    case .children: area = "the shape of its children"
    case let shape: area = "shape " + HitBehaviorText.shape(shape)
    }
    let slop = view.hitBehavior.map { $0.slop != .zero } ?? false ? " and hit slop" : ""
    return (inside ? "inside " : "outside ") + area + slop
  }

  private func ending(_ view: View, _ inside: Bool) -> String {
    let behavior = view.hitBehavior ?? HitBehavior()
    if let answerer, answerer !== view, let child = view.subview(towards: answerer), wasAsked(child) {
      return "; its subview \(child.id) answered"
    }
    if answerer === view { return "; " + (inside ? answer(view, behavior) : enlarged(view)) }
    if !inside {
      let asked = behavior.overflows && !view.clipsToBounds && !view.subviews.isEmpty
      return asked ? "; overflow_hits, but no subview answered, so skipped" : ", so skipped"
    }
    let reason = behavior.pointerEvents == .boxNone ? "box-none" : "only its children"
    return "; \(reason), and no subview answered, so skipped"
  }

  /// Returns the sentence for a view that answered for a point beside it.
  private func enlarged(_ view: View) -> String {
    let side = view.minimumHitSize.plain
    return "in the \(side) × \(side) units around its centre, and no other view of "
      + "\(view.superview?.id ?? "") is hit there, so it answers"
  }

  /// The view that answered: the hit view, or the one that redirected to it.
  private var answerer: View? {
    guard let hit else { return nil }
    return questions.last { $0.redirect.map { $0.inside && $0.target === hit } ?? false }?.view ?? hit
  }

  private func answer(_ view: View, _ behavior: HitBehavior) -> String {
    if behavior.pointerEvents == .boxOnly { return "box-only, so it answers without asking its subviews" }
    return view.subviews.isEmpty ? "no subviews, so it answers" : "no subview answered, so it answers"
  }

  private func wasAsked(_ view: View) -> Bool { questions.contains { $0.view === view } }
}

extension View {
  fileprivate var convertsPoints: Bool { superview == nil || convertFromSuperview(.zero).isFinite }

  fileprivate func subview(towards descendant: View) -> View? {
    var view: View? = descendant
    while let current = view, current.superview !== self { view = current.superview }
    return view
  }
}
