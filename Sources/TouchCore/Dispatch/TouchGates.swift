/// What the views hear of touches that gesture recognisers look at: nothing, while one of them delays; cancelled, when
/// one takes the touch; everything else as if there were no gestures. (`UIGestureRecognizer.cancelsTouchesInView`,
/// `delaysTouchesBegan`, `delaysTouchesEnded`.)
struct TouchGates {
  /// How far a touch is let through to its view.
  enum Gate {
    /// It has just begun.
    case fresh
    /// The view hears of it.
    case open
    /// The view has heard nothing yet: a recogniser delays the began.
    case withheld
    /// It is over, and the view has not heard of that: a recogniser delays the end.
    case closing
    /// The view hears no more of it.
    case closed
  }

  /// Touches that recognisers looked at, until their views have heard all that they are to hear.
  private(set) var watched: [Touch] = []
  /// Reused.
  private var group: [Touch] = []
  private var passing: [Touch] = []

  mutating func watch(_ touch: Touch) {
    watched.append(touch)
  }

  /// Delivers what may be delivered: of the batch, and of what was kept back.
  mutating func pass(_ batch: [Touch], by delivery: inout Delivery, with event: Event) {
    for touch in watched where touch.gate == .withheld && touch.phase == .moved { touch.keepMoves() }
    takeAway(by: &delivery, with: event)
    let released = release(by: &delivery, with: event)
    passing.removeAll(keepingCapacity: true)
    for touch in batch where admits(touch) && !(touch.phase == .moved && released.contains { $0 === touch }) {
      passing.append(touch)
    }
    delivery.deliver(passing, with: event)
  }

  /// Delivers the ends that nothing delays any more, and forgets the touches that are done with.
  mutating func finish(by delivery: inout Delivery, with event: Event) {
    takeAway(by: &delivery, with: event)
    collect { $0.gate == .closing && !$0.isEndDelayed }
    for touch in group { touch.gate = .closed }
    delivery.deliver(group, with: event)
    watched.removeAll { $0.isOver && $0.gate != .withheld && $0.gate != .closing }
  }

  private mutating func collect(where isMeant: (Touch) -> Bool) {
    group.removeAll(keepingCapacity: true)
    for touch in watched where isMeant(touch) { group.append(touch) }
  }

  /// The views of touches that a gesture took get cancelled, if they knew of them.
  private mutating func takeAway(by delivery: inout Delivery, with event: Event) {
    collect { $0.isTaken && $0.phase != .cancelled && ($0.gate == .open || $0.gate == .closing) }
    for touch in watched where touch.isTaken && touch.phase != .cancelled { touch.gate = .closed }
    guard !group.isEmpty else { return }
    for touch in group { touch.show(.cancelled) }
    delivery.deliver(group, with: event)
    for touch in group { touch.showAsItIs() }
  }

  /// Delivers began, and the moves since, of touches that nothing delays any more.
  private mutating func release(by delivery: inout Delivery, with event: Event) -> [Touch] {
    collect { $0.gate == .withheld && !$0.isBeganDelayed && $0.phase != .cancelled }
    guard !group.isEmpty else { return [] }
    let released = group
    for touch in released {
      touch.gate = .open
      touch.showBegan()
    }
    delivery.deliver(released, with: event)
    for touch in released { touch.showKeptMoves() }
    delivery.deliver(released.filter { $0.phase == .moved }, with: event)
    for touch in released { touch.showAsItIs() }
    // One that ended just now is in the batch, and the event; one that ended before is told of only here.
    let ended = released.filter { touch in
      touch.phase == .ended && !event.touches.contains { $0 === touch }
    }
    for touch in ended { touch.gate = touch.isEndDelayed ? .closing : .closed }
    delivery.deliver(ended.filter { $0.gate == .closed }, with: event)
    return released
  }

  /// Whether the view hears of what a touch does now; notes what comes of it.
  private func admits(_ touch: Touch) -> Bool {
    switch (touch.gate, touch.phase) {
    case (.closed, _), (.closing, .ended): return false
    case (.fresh, _):
      touch.gate = touch.isBeganDelayed ? .withheld : .open
      return touch.gate == .open
    case (.withheld, .cancelled):
      touch.gate = .closed
      return false
    case (.withheld, _): return false
    case (.open, .ended) where touch.isEndDelayed:
      touch.gate = .closing
      return false
    case (.open, .ended), (_, .cancelled):
      touch.gate = .closed
      return true
    case (.open, _), (.closing, _): return true
    }
  }
}
