/// Events in a private view stay in the program. Others see only the view's id, kind and place.
extension View {
  /// The outermost private view around this one, which may be this one itself; nil for none.
  public final var privateView: View? {
    var found: View?
    var next: View? = self
    while let view = next {
      if view.isPrivate { found = view }
      next = view.superview
    }
    return found
  }

  /// The view that others see in place of this one: the outermost private view around it, or itself.
  package final var disclosed: View { privateView ?? self }

  /// Whether a responder's handlers get no events on this view: it is in a private view, and the responder is
  /// outside and not named there by the file.
  package final func isWithheld(from responder: Responder) -> Bool {
    let place = responder.coordinateView
    var next: View? = self
    while let view = next, view !== place {
      if view.isPrivate { return true }
      next = view.superview
    }
    return false
  }

  final var innermostPrivateView: View? {
    var next: View? = self
    while let view = next {
      if view.isPrivate { return view }
      next = view.superview
    }
    return nil
  }

  package final var containsPrivateViews: Bool {
    // A list in place of recursion, because a tree may be deeper than the stack allows.
    var waiting = [self]
    while let view = waiting.popLast() {
      if view.isPrivate { return true }
      waiting += view.storedSubviews
    }
    return false
  }
}

extension GestureRecognizer {
  /// Whether the recogniser belongs to a private view, or follows a finger on one. Its location and its
  /// movement would show what is pressed.
  public final var isPrivate: Bool {
    if let view, view.privateView != nil { return true }
    return attempt.contains { $0.view?.privateView != nil }
  }

  /// The id that others see: that of the outermost private view around its own view, or its own.
  package final var disclosedID: String { view?.privateView?.id ?? id }

  /// Whether its own view's handlers do not get it: a finger is on a private view inside.
  final var isWithheld: Bool {
    guard let view else { return false }
    return attempt.contains { $0.view?.isWithheld(from: view) ?? false }
  }
}

extension DispatchStep {
  /// Whether it happened in a private view, so that no client, no log and no trace of a run may get it.
  public var isPrivate: Bool {
    switch self {
    case .hitTest(let view, _), .pointInside(let view, _): view.privateView != nil
    case .hit(_, let view): view?.privateView != nil
    case .dropped(let touch), .chain(let touch, _): touch.view?.privateView != nil
    case .delivery(let touch, let responder, _), .touch(let touch, let responder, _, _):
      switch touch.disclosed {
      case .nothing: true
      case .end: false
      // Whether a responder around the view may get the touch was decided before.
      case .all:
        responder.coordinateView.map { $0.privateView != nil && !(touch.view?.isDescendant(of: $0) ?? false) }
          ?? false
      }
    case .gesture(let gesture): gesture.isPrivate
    case .report(let report): report.isPrivate
    case .press(let press, let responder, _):
      press.responder?.coordinateView?.privateView != nil || responder.coordinateView?.privateView != nil
    case .pointer(let event, let responder, _):
      event.view.privateView != nil || responder.coordinateView?.privateView != nil
    }
  }
}
