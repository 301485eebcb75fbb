/// What the views hear of touches that gesture recognisers look at: nothing, while one of them delays; cancelled, when
/// one takes the touch; everything else as if there were no gestures. (`UIGestureRecognizer.cancelsTouchesInView`,
/// `delaysTouchesBegan`, `delaysTouchesEnded`.)
///
/// A view hears of its touches in the order in which the fingers did things. So what a recogniser keeps back holds up all
/// that happens on the same view later, of other fingers too, and what is let go comes before what happens now. A second tap
/// thus waits while a double tap keeps the end of the first: a view without `isMultipleTouchEnabled` would have two touches
/// at once, and a control would lose the second press. UIKit documents began, began, cancelled, cancelled for a double tap
/// on one view; here its view gets began and cancelled, and never hears of the second touch, as of every touch that
/// is taken before its began is let go. Touches on other views wait for nothing. A cancelled waits for nothing either.
struct TouchDelays {
  /// How far a touch is let through to its view.
  enum DelayState {
    /// It has just begun.
    case new
    /// The view hears of it.
    case open
    /// The view has heard nothing yet: the began is kept back.
    case delayed
    /// It is over, and the view has not heard of that: the end is kept back.
    case cancelling
    /// The view hears no more of it.
    case closed
  }

  /// Something that a touch did and of which its view has not heard.
  private struct Kept {
    let touch: Touch
    var look: Touch.Look
  }

  /// Touches that recognisers looked at, or that wait for one of those, until their views have heard all that they are to
  /// hear.
  private(set) var watched: [Touch] = []
  /// What is kept back, in the order in which it happened.
  private var kept: [Kept] = []
  /// Reused.
  private var group: [Touch] = []
  private var passing: [Touch] = []

  mutating func watch(_ touch: Touch) {
    watched.append(touch)
  }

  /// Delivers what may be delivered: first of what was kept back, then of the batch.
  mutating func pass(_ batch: [Touch], by delivery: inout Delivery, with event: Event) {
    takeAway(by: &delivery, with: event)
    breakOff(batch, by: &delivery, with: event)
    passing.removeAll(keepingCapacity: true)
    for phase in Self.phases {
      for touch in batch where touch.phase == phase && admits(touch) { passing.append(touch) }
    }
    release(by: &delivery, with: event)
    delivery.deliver(passing, with: event)
  }

  private static let phases: [Touch.Phase] = [.began, .moved, .ended, .cancelled]

  /// Delivers what nothing keeps back any more, and forgets the touches that are done with. Answers whether there was
  /// anything to deliver.
  mutating func finish(by delivery: inout Delivery, with event: Event) -> Bool {
    let hasTaken = takeAway(by: &delivery, with: event)
    let hasReleased = release(by: &delivery, with: event)
    watched.removeAll { touch in touch.isOver && !kept.contains { $0.touch === touch } }
    return hasTaken || hasReleased
  }

  /// Whether something is kept back that a view would have to hear before anything else.
  private func holdsUp(_ view: View?) -> Bool {
    kept.contains { $0.touch.view === view }
  }

  // MARK: Taking away

  /// The views of touches that a gesture took get cancelled, if they knew of them.
  @discardableResult
  private mutating func takeAway(by delivery: inout Delivery, with event: Event) -> Bool {
    group.removeAll(keepingCapacity: true)
    for touch in watched where touch.isTaken && touch.phase != .cancelled && touch.delayState != .closed {
      if touch.delayState == .open || touch.delayState == .cancelling { group.append(touch) }
      forget(touch)
    }
    guard !group.isEmpty else { return false }
    for touch in group { touch.show(.cancelled) }
    delivery.deliver(group, with: event)
    for touch in group { touch.showAsItIs() }
    return true
  }

  /// Cancels the touches that hold up their views, before what waits for them is let go.
  private mutating func breakOff(_ batch: [Touch], by delivery: inout Delivery, with event: Event) {
    group.removeAll(keepingCapacity: true)
    for touch in batch where touch.phase == .cancelled && touch.delayState != .closed && holdsUp(touch.view) {
      if touch.delayState == .open || touch.delayState == .cancelling { group.append(touch) }
      forget(touch)
    }
    if !group.isEmpty { delivery.deliver(group, with: event) }
  }

  private mutating func forget(_ touch: Touch) {
    kept.removeAll { $0.touch === touch }
    touch.delayState = .closed
  }

  // MARK: Keeping back

  /// Whether the view hears at once of what a touch does now. If not, it is kept back, or the view hears no more of the
  /// touch.
  private mutating func admits(_ touch: Touch) -> Bool {
    // One that was shut out has no chain to go along.
    guard touch.chain != nil else { return false }
    switch (touch.delayState, touch.phase) {
    case (.closed, _): return false
    case (_, .cancelled):
      let isKnown = touch.delayState != .delayed
      forget(touch)
      return isKnown
    case (.delayed, _), (.cancelling, _):
      keep(touch)
      return false
    case (.new, _):
      touch.delayState = touch.isBeganDelayed || holdsUp(touch.view) ? .delayed : .open
    case (.open, .ended):
      touch.delayState = touch.isEndDelayed || holdsUp(touch.view) ? .cancelling : .closed
    case (.open, _):
      guard holdsUp(touch.view) else { return true }
      keep(touch)
      return false
    }
    guard touch.delayState == .delayed || touch.delayState == .cancelling else { return true }
    keep(touch)
    return false
  }

  private mutating func keep(_ touch: Touch) {
    if !watched.contains(where: { $0 === touch }) { watched.append(touch) }
    if touch.phase == .moved, let index = indexOfLastMove(touch) {
      kept[index].look.follow(touch)
    } else {
      kept.append(Kept(touch: touch, look: Touch.Look(touch)))
    }
  }

  /// The moves that are kept of a touch, if nothing but moves was kept since: then the next one joins them.
  private func indexOfLastMove(_ touch: Touch) -> Int? {
    for index in kept.indices.reversed() {
      guard kept[index].look.phase == .moved else { return nil }
      if kept[index].touch === touch { return index }
    }
    return nil
  }

  // MARK: Letting go

  /// Delivers what nothing keeps back any more. Answers whether there was anything.
  @discardableResult
  private mutating func release(by delivery: inout Delivery, with event: Event) -> Bool {
    var hasReleased = false
    while let first = kept.indices.first(where: { isFree($0, after: $0) }) {
      // What happened at once is delivered at once.
      var end = first + 1
      while end < kept.endIndex, kept[end].look.isOfOneEvent(with: kept[first].look),
        isFree(end, after: first)
      {
        end += 1
      }
      group.removeAll(keepingCapacity: true)
      for item in kept[first..<end] {
        item.touch.show(item.look)
        switch item.look.phase {
        case .began: item.touch.delayState = .open
        case .ended: item.touch.delayState = .closed
        case .moved, .stationary, .cancelled, .entered, .left: break
        }
        group.append(item.touch)
      }
      kept.removeSubrange(first..<end)
      delivery.deliver(group, with: event)
      for touch in group { touch.showAsItIs() }
      hasReleased = true
    }
    return hasReleased
  }

  /// Whether the view may hear of what was kept: no recogniser keeps it, nor anything that happened on the view before it.
  ///
  /// - Parameter first: what was kept from there on does not count.
  private func isFree(_ index: Int, after first: Int) -> Bool {
    let item = kept[index]
    switch item.look.phase {
    case .began where item.touch.isBeganDelayed: return false
    case .ended where item.touch.isEndDelayed: return false
    case .began, .moved, .stationary, .ended, .cancelled, .entered, .left:
      return !kept[..<first].contains { $0.touch.view === item.touch.view }
    }
  }
}
