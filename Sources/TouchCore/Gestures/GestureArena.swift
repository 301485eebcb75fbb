/// Decides between the recognisers of a window's touches: which is recognised, which waits, and which fails.
///
/// The rules are UIKit's. A recogniser of a view in front is asked before those behind it. A recognised one
/// makes the others of its touches fail, unless the two go together. One that requires another to fail waits
/// for that. (`UIGestureRecognizer.canPrevent(_:)` and `require(toFail:)`, and its delegate's simultaneous
/// recognition.)
///
/// A recogniser requests a state with `transition(to:)`, which is kept as `wanted`. `settle` decides until
/// nothing changes any more. The states are those of `GestureRecognizer.State`, and the questions are asked
/// in this order:
///
/// ```
///      possible, wants failed ──────────────────────────────────────────────→ failed
///      possible, wants began or ended
///         │
///         ├─ a view keeps the gesture for itself ──────────────────────────────→ failed
///         ├─ isShutOut: a recogniser of the same touches is under way, or is
///         │  about to be recognised and goes first, and prevents this one ──→ failed
///         ├─ isBlocked: one that must fail first is still possible ─────────→ stays possible, asked again later
///         └─ otherwise ─────→ began (continuous) or ended (discrete)
///               │
///               ├─ each other possible recogniser that `loses` to it ───────→ failed
///               └─ with `cancelsTouchesInView`, its touches are taken: `TouchDelays` cancels them in their views
///
///      began or changed, wants changed, ended or cancelled ─────────────────→ that state
/// ```
/// At the end of a turn, recognisers that have ended, been cancelled or failed let go of their touches, and
/// are possible again.
final class GestureArena {
  /// The recognisers that have touches, in the order in which they are asked.
  private var active: [GestureRecognizer] = []
  /// Kept for its storage.
  private var group: [Touch] = []

  var isIdle: Bool { active.isEmpty }

  func forgetEnded() { group.clear() }

  var deadline: Timestamp? {
    var next: Timestamp?
    for recognizer in active {
      guard let due = recognizer.deadline else { continue }
      next = next.map { min($0, due) } ?? due
    }
    return next
  }

  // MARK: Touches

  /// Gives a touch to the recognisers of its view and of that view's ancestors, from the view outwards.
  func enter(_ touch: Touch, from view: View) {
    guard view.isSelfOrAncestor(where: { !$0.gestureRecognizers.isEmpty }) else { return }
    var ancestor: View? = view
    while let current = ancestor {
      for recognizer in current.gestureRecognizers where accepts(touch, recognizer, from: view) {
        recognizer.touches.append(touch)
        recognizer.attempt.append(touch)
        touch.gestureRecognizers.append(recognizer)
        if !active.contains(where: { $0 === recognizer }) { active.append(recognizer) }
      }
      ancestor = current.superview
    }
  }

  private func accepts(_ touch: Touch, _ recognizer: GestureRecognizer, from view: View) -> Bool {
    // A discrete recogniser that has found its gesture and waits for others to fail takes no further touches.
    guard recognizer.isEnabled, recognizer.isContinuous || recognizer.wanted == nil else { return false }
    var ancestor: View? = view
    while let current = ancestor {
      if !current.gestureRecognizer(recognizer, shouldReceive: touch) { return false }
      if current === recognizer.view { return true }
      ancestor = current.superview
    }
    return true
  }

  /// Passes the changed touches to the recognisers, and decides.
  func take(_ touches: [Touch], with event: Event) {
    // By index: no recogniser is removed before `settle`.
    for index in active.indices {
      send(active[index], touches, .began, event)
      send(active[index], touches, .moved, event)
      send(active[index], touches, .ended, event)
      send(active[index], touches, .cancelled, event)
    }
    settle(with: event)
  }

  private func send(
    _ recognizer: GestureRecognizer, _ touches: [Touch], _ phase: Touch.Phase, _ event: Event
  ) {
    group.clear()
    for touch in touches
    where touch.phase == phase && recognizer.attempt.contains(where: { $0 === touch }) {
      group.append(touch)
    }
    guard !group.isEmpty else { return }
    switch phase {
    case .began:
      recognizer.touchesBegan(group, with: event)
      // A touch that joins a gesture in progress goes nowhere else.
      guard recognizer.state != .possible, recognizer.cancelsTouchesInView else { return }
      for touch in group where recognizer.touches.contains(where: { $0 === touch }) { touch.isTaken = true }
    case .moved: recognizer.touchesMoved(group, with: event)
    case .ended: recognizer.touchesEnded(group, with: event)
    case .cancelled: recognizer.touchesCancelled(group, with: event)
    case .stationary, .entered, .left: break
    }
  }

  /// Calls the recognisers whose deadline has passed, and decides.
  func reachDeadline(_ time: Timestamp, with event: Event) {
    for recognizer in active {
      guard let due = recognizer.deadline, due <= time else { continue }
      recognizer.deadlinePassed(with: event)
      // A deadline that stays in the past would be reached again without end.
      if let due = recognizer.deadline, due <= time { recognizer.transition(to: .failed) }
    }
    settle(with: event)
  }

  /// Decides what came up during a delivery: a handler may turn a recogniser off.
  func resume(with event: Event) {
    if active.contains(where: { $0.wanted != nil && !isBlocked($0) }) { settle(with: event) }
  }

  /// Removes a touch that a responder claimed from every gesture.
  func withdraw(_ touch: Touch, with event: Event) {
    let recognizers = touch.gestureRecognizers
    for recognizer in recognizers { recognizer.touchesCancelled([touch], with: event) }
    settle(with: event)
  }

  func cancel(with event: Event, where isAffected: (GestureRecognizer) -> Bool) {
    breakOff(where: isAffected)
    settle(with: event)
  }

  /// Cancels the attempts of some recognisers without deciding, which the next call does.
  func breakOff(where isAffected: (GestureRecognizer) -> Bool) {
    for recognizer in active where isAffected(recognizer) { recognizer.transition(to: .cancelled) }
  }

  // MARK: Deciding

  private func settle(with event: Event) {
    repeat {
      askViews()
      while active.contains(where: { decide($0, event) }) {}
      finishAttempts()
      // A recogniser without fingers and without a deadline would wait forever.
      for recognizer in active where recognizer.touches.isEmpty && recognizer.wanted == nil {
        if recognizer.deadline == nil { recognizer.transition(to: .failed) }
      }
    } while active.contains { $0.wanted != nil && !isBlocked($0) }
  }

  /// Asks the views of recognisers about to leave `possible`, before these make others fail.
  private func askViews() {
    for recognizer in active where recognizer.state == .possible && !recognizer.isAllowed {
      guard recognizer.wanted == .began || recognizer.wanted == .ended else { continue }
      recognizer.isAllowed = recognizer.isAllowedByViews
      if !recognizer.isAllowed { recognizer.transition(to: .failed) }
    }
  }

  /// Gives a recogniser the state that it wants, if the others allow it. Returns whether a state changed.
  private func decide(_ recognizer: GestureRecognizer, _ event: Event) -> Bool {
    guard let wanted = recognizer.wanted else { return false }
    switch (recognizer.state, wanted) {
    case (.possible, .failed): fail(recognizer, event)
    case (.possible, _):
      if isShutOut(recognizer) {
        fail(recognizer, event)
      } else if isBlocked(recognizer) {
        return false
      } else {
        recognize(recognizer, wanted, event)
      }
    default: enter(wanted, recognizer, event)
    }
    return true
  }

  private func enter(_ state: GestureRecognizer.State, _ recognizer: GestureRecognizer, _ event: Event) {
    recognizer.wanted = nil
    recognizer.state = state
    event.observer?.observe(.gesture(recognizer))
    guard state != .failed else { return }
    recognizer.action?(recognizer)
    guard !recognizer.handlers.isEmpty else { return }
    let isWithheld = recognizer.isWithheld
    for handler in recognizer.handlers where !(isWithheld && handler.isExternal) {
      handler.handle(recognizer, event: event)
    }
  }

  private func fail(_ recognizer: GestureRecognizer, _ event: Event) { enter(.failed, recognizer, event) }

  private func recognize(
    _ recognizer: GestureRecognizer, _ wanted: GestureRecognizer.State, _ event: Event
  ) {
    if recognizer.isContinuous {
      enter(.began, recognizer, event)
      // The gesture ended while it waited.
      if wanted == .ended { enter(.ended, recognizer, event) }
    } else {
      enter(.ended, recognizer, event)
    }
    for other in active where other !== recognizer && other.state == .possible {
      if loses(other, to: recognizer) { fail(other, event) }
    }
    if recognizer.cancelsTouchesInView { for touch in recognizer.attempt { touch.isTaken = true } }
  }

  private func loses(_ other: GestureRecognizer, to recognizer: GestureRecognizer) -> Bool {
    let shares = share(other, recognizer)
    if other.failureRequirements.contains(where: { $0 === recognizer }) && (shares || other.wanted != nil) {
      return true
    }
    return shares && !other.isCompanion(of: recognizer) && recognizer.canPrevent(other)
  }

  private func share(_ one: GestureRecognizer, _ other: GestureRecognizer) -> Bool {
    one.attempt.contains { touch in other.attempt.contains { $0 === touch } }
  }

  /// Whether a requirement has not failed yet.
  private func isBlocked(_ recognizer: GestureRecognizer) -> Bool {
    recognizer.failureRequirements.contains { $0.state == .possible && !$0.attempt.isEmpty }
  }

  /// Whether another recogniser has these touches already, or is about to get them.
  private func isShutOut(_ recognizer: GestureRecognizer) -> Bool {
    active.contains { other in
      guard other !== recognizer, share(other, recognizer), !other.isCompanion(of: recognizer) else {
        return false
      }
      switch other.state {
      case .began, .changed: return other.canPrevent(recognizer)
      // Both are found at once: a double tap goes before the single tap that it ends with.
      case .possible:
        return (other.wanted == .began || other.wanted == .ended) && !isBlocked(other)
          && other.canPrevent(recognizer) && !recognizer.canPrevent(other)
      case .ended, .cancelled, .failed: return false
      }
    }
  }

  // MARK: The end

  /// Releases the touches of recognisers that have finished, and the fingers that lifted.
  private func finishAttempts() {
    for recognizer in active {
      switch recognizer.state {
      case .ended, .cancelled, .failed: finish(recognizer)
      case .possible, .began, .changed: recognizer.removeLifted()
      }
    }
    active.removeAll { $0.attempt.isEmpty }
  }

  private func finish(_ recognizer: GestureRecognizer) {
    recognizer.removeLifted()
    for touch in recognizer.attempt { touch.gestureRecognizers.removeAll { $0 === recognizer } }
    recognizer.touches.removeAll(keepingCapacity: true)
    recognizer.attempt.removeAll(keepingCapacity: true)
    recognizer.wanted = nil
    recognizer.isAllowed = false
    recognizer.reset()
    recognizer.state = .possible
  }
}
