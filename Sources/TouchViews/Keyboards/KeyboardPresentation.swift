import TouchCore

/// How a keyboard comes for a field, and goes.
extension KeyboardView {
  /// Comes for what is edited now, or for another.
  ///
  /// - Parameter timing: how pictures go there.
  func come(for first: any KeyInput, in window: Window, _ timing: Timing) {
    let wasHidden = isHidden
    if wasHidden {
      showLetters()
      let tap = TapGestureRecognizer(id: "\(id).outside")
      tap.cancelsTouchesInView = false
      tap.action = { [unowned self, unowned tap] _ in if tap.state == .ended { endEditing(under: tap) } }
      window.addGestureRecognizer(tap)
      outside = tap
    }
    let seen = seenPlace
    change(timing) {
      isHidden = false
      if placesItself {
        superview?.bringSubviewToFront(self)
        place(in: window)
      }
      avoidance.end()
      if placesItself, let view = first.coordinateView { avoidance.reveal(view, above: self, in: window) }
    }
    if wasHidden, timing != .off, let away { slide(from: seen ?? away, to: nil, timing) }
  }

  /// Goes, with all that its fingers are about to type.
  func leave(_ timing: Timing) {
    if let outside {
      outside.view?.removeGestureRecognizer(outside)
      self.outside = nil
    }
    typing.fingers.removeAll()
    typing.shiftFinger = nil
    fades.removeAll()
    showBubbles()
    deadline = nil
    let (wasHidden, seen) = (isHidden, seenPlace)
    change(timing) {
      avoidance.end()
      if !isAlways { isHidden = true }
    }
    guard !isAlways, !wasHidden, timing != .off, let away else { return }
    slide(from: seen ?? layoutRect.origin, to: away, timing)
  }

  /// Changes the views around it, in pictures along with it. Where nothing moves, nothing is laid out either: it may be on its way
  /// into a window.
  private func change(_ timing: Timing, _ changes: () -> Void) {
    if timing != .off, let window { window.animate(timing, changes) } else { changes() }
  }

  /// Where pictures show it on its way; nil while it does not move.
  private var seenPlace: LocalPoint? {
    guard case .point(let place)? = window?.animator?.presented(.place, of: self) else { return nil }
    return place
  }

  /// Where nothing of it is seen: below the lower edge of what it is in.
  private var away: LocalPoint? {
    superview.map { LocalPoint(x: layoutRect.minX, y: max(layoutRect.minY, $0.bounds.maxY)) }
  }

  /// Has pictures show it come, or go while it is there no more.
  ///
  /// - Parameter end: nil for where it is.
  private func slide(from start: LocalPoint, to end: LocalPoint?, _ timing: Timing) {
    guard let window, !window.reducesMotion, let animator = window.runningAnimator else { return }
    // Its keys do not grow, however it was laid out before.
    animator.end(self)
    let group = animator.group(timing)
    animator.move(.place, of: self, from: .point(start), to: end.map { .point($0) }, in: group)
    if end != nil {
      animator.move(.concealment, of: self, from: .flag(false), to: .flag(false), in: group)
    }
  }

  /// A finger beside the keyboard and the field ends editing, once the keyboard has arrived.
  private func endEditing(under tap: TapGestureRecognizer) {
    guard let window, seenPlace == nil, !bounds.contains(tap.location(in: self)) else { return }
    if let first = window.firstResponder?.coordinateView, first.bounds.contains(tap.location(in: first)) {
      return
    }
    window.endEditing(true)
  }
}
