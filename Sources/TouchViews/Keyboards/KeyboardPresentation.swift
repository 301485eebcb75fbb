import TouchCore

/// The appearance of a keyboard for a field, and its disappearance.
extension KeyboardView {
  /// Shows the keyboard for the text that is edited now, or for another one.
  /// - Parameter timing: the timing in pictures.
  func come(for first: any KeyInput, in window: Window, _ timing: Timing) {
    let wasHidden = isHidden
    if wasHidden {
      showLetters()
      let tap = TapGestureRecognizer(id: "\(id).outside")
      tap.cancelsTouchesInView = false
      tap.action = { [weak self, weak tap] _ in
        if let tap, tap.state == .ended { self?.endEditing(under: tap) }
      }
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

  /// Hides the keyboard, and abandons the texts that its fingers are about to type.
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

  /// Changes the views around the keyboard, which move with it in pictures. Without
  /// motion nothing is laid out, because the keyboard may just be added to a window.
  private func change(_ timing: Timing, _ changes: () -> Void) {
    if timing != .off, let window { window.animate(timing, changes) } else { changes() }
  }

  /// The place where pictures show the keyboard in motion; nil while it does not move.
  private var seenPlace: LocalPoint? {
    guard case .point(let place)? = window?.animator?.presented(.place, of: self) else { return nil }
    return place
  }

  /// The place where the keyboard is invisible: below the lower edge of its superview.
  private var away: LocalPoint? {
    superview.map { LocalPoint(x: layoutRect.minX, y: max(layoutRect.minY, $0.bounds.maxY)) }
  }

  /// Moves the keyboard in pictures, also while it is already hidden.
  /// - Parameter end: the place at the end; nil for its own.
  private func slide(from start: LocalPoint, to end: LocalPoint?, _ timing: Timing) {
    guard let window, !window.reducesMotion, let animator = window.runningAnimator else { return }
    // The keys do not grow, whatever their former layout.
    animator.end(self)
    let group = animator.group(timing)
    animator.move(.place, of: self, from: .point(start), to: end.map { .point($0) }, in: group)
    if end != nil { animator.move(.concealment, of: self, from: .flag(false), to: .flag(false), in: group) }
  }

  /// Ends editing if a finger is beside the keyboard and the field, once the keyboard has arrived.
  private func endEditing(under tap: TapGestureRecognizer) {
    guard let window, seenPlace == nil, !bounds.contains(tap.location(in: self)) else { return }
    if let first = window.firstResponder?.coordinateView, first.bounds.contains(tap.location(in: first)) {
      return
    }
    window.endEditing(true)
  }
}
