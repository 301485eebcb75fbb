/// Delays and withdraws views' touches, as gesture recognisers require. (`UIGestureRecognizer`'s
/// `cancelsTouchesInView`, `delaysTouchesBegan`, `delaysTouchesEnded`.)
///
/// One touch, as its view sees it; `[x]` is what the view gets:
///
/// ```
///            began, and no delay            ended, and no delay
///      new ───────[began]──────→ delivering ────[ended]────→ finished
///       │                          ↑   │                        ↑
///       │ a recogniser delays it,  │   │ a recogniser delays    │ nothing delays
///       │ or the view is held up   │   │ the end, or the view   │ it any more
///       ↓                          │   ↓ is held up             │
///      beganDelayed ────[began]────┘  endDelayed ────[ended]────┘
///
///      delivering, endDelayed ─ a gesture takes the touch, or it is cancelled ─[cancelled]─→ finished
///      new, beganDelayed ────── a gesture takes the touch ─────────────────────────────────→ finished
///      beganDelayed ─────────── the touch is cancelled ────────────────────────────────────→ finished
/// ```
/// A view gets its touches in the order in which the fingers acted. A delayed phase therefore holds up all
/// later phases on the same view, of other fingers too, and released phases go before the present one. A
/// second tap thus waits while a double tap delays the end of the first. Otherwise a view without
/// `isMultipleTouchEnabled` would have two touches at once, and a control would lose the second press.
///
/// UIKit documents began, began, cancelled, cancelled for a double tap on one view. Here the view gets began
/// and cancelled, and nothing of the second touch, as of every touch that is taken before its began is
/// released. Other views are not held up, and cancelled is never delayed.
struct TouchDelays {
  /// The part of a touch that the view has got. The diagram above has the transitions.
  enum DelayState {
    /// Nothing yet: the touch has just begun.
    case new
    /// All of the touch so far, except moves while the view is held up.
    case delivering
    /// Nothing yet: began is delayed, and all that follows it.
    case beganDelayed
    /// All but the end, which is delayed.
    case endDelayed
    /// All that it will get.
    case finished
  }

  private struct DelayedPhase {
    let touch: Touch
    var state: Touch.Snapshot
  }

  /// Touches that have recognisers, or that are held up by such a touch, until they are finished.
  private(set) var watched: [Touch] = []
  private var delayed: [DelayedPhase] = []
  /// Kept for its storage.
  private var group: [Touch] = []
  private var passing: [Touch] = []

  /// Lets go of the last touches.
  mutating func forgetEnded() {
    group.clear()
    passing.clear()
  }

  mutating func watch(_ touch: Touch) { watched.append(touch) }

  /// Delivers what may be delivered: first the delayed phases, then the batch.
  mutating func pass(_ batch: [Touch], by delivery: inout Delivery, with event: Event) {
    takeAway(by: &delivery, with: event)
    if !delayed.isEmpty { breakOff(batch, by: &delivery, with: event) }
    // A single touch needs no order of phases and no second list. (A tap takes 19.2 % more instructions
    // without this.)
    if batch.count == 1 {
      let isAdmitted = admits(batch[0])
      release(by: &delivery, with: event)
      if isAdmitted { delivery.deliver(batch, with: event) }
      return
    }
    passing.clear()
    for phase in Self.phases {
      for touch in batch where touch.phase == phase && admits(touch) { passing.append(touch) }
    }
    release(by: &delivery, with: event)
    delivery.deliver(passing, with: event)
  }

  /// The phases in the order in which a frame delivers them.
  static let phases: [Touch.Phase] = [.began, .moved, .ended, .cancelled]

  /// Delivers phases no longer delayed, forgets touches that are over, and returns whether any was delivered.
  mutating func finish(by delivery: inout Delivery, with event: Event) -> Bool {
    // There are no gestures.
    if watched.isEmpty && delayed.isEmpty { return false }
    let hasTaken = takeAway(by: &delivery, with: event)
    let hasReleased = release(by: &delivery, with: event)
    watched.removeAll { touch in touch.isOver && !delayed.contains { $0.touch === touch } }
    return hasTaken || hasReleased
  }

  /// Whether the touch's view has to get a delayed phase before anything else.
  private func holdsUp(_ touch: Touch) -> Bool {
    !delayed.isEmpty && delayed.contains { $0.touch.view === touch.view }
  }

  // MARK: Withdrawal

  /// Cancels the touches that a gesture took, in the views that got their began.
  @discardableResult
  private mutating func takeAway(by delivery: inout Delivery, with event: Event) -> Bool {
    if watched.isEmpty { return false }
    group.clear()
    for touch in watched where touch.isTaken && touch.phase != .cancelled && touch.delayState != .finished {
      if touch.delayState == .delivering || touch.delayState == .endDelayed { group.append(touch) }
      forget(touch)
    }
    guard !group.isEmpty else { return false }
    for touch in group { touch.show(.cancelled) }
    delivery.deliver(group, with: event)
    for touch in group { touch.showActual() }
    return true
  }

  /// Delivers cancelled to views held up by the touch, before the phases behind it.
  private mutating func breakOff(_ batch: [Touch], by delivery: inout Delivery, with event: Event) {
    group.clear()
    for touch in batch where touch.phase == .cancelled && touch.delayState != .finished && holdsUp(touch) {
      if touch.delayState == .delivering || touch.delayState == .endDelayed { group.append(touch) }
      forget(touch)
    }
    if !group.isEmpty { delivery.deliver(group, with: event) }
  }

  private mutating func forget(_ touch: Touch) {
    delayed.removeAll { $0.touch === touch }
    touch.delayState = .finished
  }

  // MARK: Delaying

  /// Whether the view gets a touch's phase at once; else that is delayed, or the touch finished.
  private mutating func admits(_ touch: Touch) -> Bool {
    // An excluded touch has no chain.
    guard touch.chain != nil else { return false }
    switch (touch.delayState, touch.phase) {
    case (.finished, _): return false
    case (_, .cancelled):
      let isKnown = touch.delayState != .beganDelayed
      forget(touch)
      return isKnown
    case (.beganDelayed, _), (.endDelayed, _):
      delay(touch)
      return false
    case (.new, _): touch.delayState = touch.isBeganDelayed || holdsUp(touch) ? .beganDelayed : .delivering
    case (.delivering, .ended):
      touch.delayState = touch.isEndDelayed || holdsUp(touch) ? .endDelayed : .finished
    case (.delivering, _):
      guard holdsUp(touch) else { return true }
      delay(touch)
      return false
    }
    guard touch.delayState == .beganDelayed || touch.delayState == .endDelayed else { return true }
    delay(touch)
    return false
  }

  private mutating func delay(_ touch: Touch) {
    if !watched.contains(where: { $0 === touch }) { watched.append(touch) }
    if touch.phase == .moved, let index = indexOfLastMove(touch) {
      delayed[index].state.follow(touch)
    } else {
      delayed.append(DelayedPhase(touch: touch, state: Touch.Snapshot(touch)))
    }
  }

  /// The delayed moves of a touch, which the next move joins if only moves were delayed since.
  private func indexOfLastMove(_ touch: Touch) -> Int? {
    for index in delayed.indices.reversed() {
      guard delayed[index].state.phase == .moved else { return nil }
      if delayed[index].touch === touch { return index }
    }
    return nil
  }

  // MARK: Releasing

  /// Delivers the phases that are no longer delayed. Returns whether there were any.
  @discardableResult
  private mutating func release(by delivery: inout Delivery, with event: Event) -> Bool {
    var hasReleased = false
    while let first = delayed.indices.first(where: { isFree($0, after: $0) }) {
      // Phases of one frame are delivered together.
      var end = first + 1
      while end < delayed.endIndex, delayed[end].state.isOfOneEvent(with: delayed[first].state),
        isFree(end, after: first)
      {
        end += 1
      }
      group.clear()
      for item in delayed[first..<end] {
        item.touch.show(item.state)
        switch item.state.phase {
        case .began: item.touch.delayState = .delivering
        case .ended: item.touch.delayState = .finished
        case .moved, .stationary, .cancelled, .entered, .left: break
        }
        group.append(item.touch)
      }
      delayed.removeSubrange(first..<end)
      delivery.deliver(group, with: event)
      for touch in group { touch.showActual() }
      hasReleased = true
    }
    return hasReleased
  }

  /// Whether a delayed phase can be delivered: no recogniser delays it, nor an earlier phase of the same
  /// view, up to an index.
  private func isFree(_ index: Int, after first: Int) -> Bool {
    let item = delayed[index]
    switch item.state.phase {
    case .began where item.touch.isBeganDelayed: return false
    case .ended where item.touch.isEndDelayed: return false
    case .began, .moved, .stationary, .ended, .cancelled, .entered, .left:
      return !delayed[..<first].contains { $0.touch.view === item.touch.view }
    }
  }
}

extension Touch {
  /// Whether the view has got began and gets the finger's changes.
  package var isInView: Bool { delayState == .delivering }

  fileprivate var isBeganDelayed: Bool {
    !gestureRecognizers.isEmpty
      && gestureRecognizers.contains { $0.state == .possible && $0.delaysTouchesBegan }
  }

  fileprivate var isEndDelayed: Bool {
    !gestureRecognizers.isEmpty
      && gestureRecognizers.contains {
        $0.state == .possible && ($0.delaysTouchesEnded || $0.delaysTouchesBegan)
      }
  }
}
