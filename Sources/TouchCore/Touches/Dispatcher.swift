/// Turns contacts into touches: it finds each touch's view once, keeps its chain, and delivers every phase.
/// (`UIApplication.sendEvent(_:)` and `UIWindow.sendEvent(_:)`.)
///
/// Moves wait for `flush()`, so that a turn of the loop delivers one moved event for any number of frames.
/// Began, ended and cancelled are delivered at once, after the moves that came before.
public final class Dispatcher {
  /// The tree in which touches find their views.
  public let window: Window
  /// The limits for `Touch.tapCount`; tap gestures have limits of their own.
  public var tapSettings = TapSettings()
  /// The touches that are down, in the order in which they began.
  public private(set) var touches: [Touch] = []
  /// The observer of every step of hit testing and delivery, held strongly; nil for none.
  public var observer: (any DispatchObserver)? {
    get { event.observer }
    set { event.observer = newValue }
  }

  private let event = Event()
  private var delivery = Delivery()
  private let gestures = GestureArena()
  private var delays = TouchDelays()
  private var slide = TouchSlide()
  private var tapCounter = TapCounter()
  private var timed: [View] = []
  private var nextTouchID = 1
  /// The last touch that ended, for the next contact if unused. (A tap takes 10.4 % more without it.)
  private var spare: Touch?
  /// The chain of the last touch, which is often that of the next one. (9.5 % of a tap on the same view.)
  private var lastChain: ResponderChain?
  private var now = Timestamp.zero
  /// The time up to which deadlines are reached, or were last. Each deadline is reached at its own time.
  package private(set) var present = Timestamp.zero
  private var isDispatching = false
  /// The time of the event that is being delivered; nil between events.
  package var eventTime: Timestamp? { isDispatching ? now : nil }
  /// The event that is being delivered; nil between events.
  package var currentEvent: Event? { isDispatching ? event : nil }
  /// Frames that arrived during a delivery, and are dispatched after it.
  private var backlog: [(changes: [TouchChange], time: Timestamp)] = []
  /// Touches whose view left the window during a delivery.
  private var orphans: [Touch] = []
  /// The touches of the current frame, kept for its storage.
  private var batch: [Touch] = []
  /// The views of touches that a key makes, until they begin.
  private var indirectViews: [(contact: ContactID, view: View)] = []
  /// The points of the hit tests of the batch's new touches, in window space.
  private var hitLocations: [WindowPoint] = []

  /// - Parameter window: the tree that gets the touches. It has one dispatcher at a time; a later one
  ///   replaces it.
  public init(window: Window) {
    self.window = window
    touches.reserveCapacity(32)
    batch.reserveCapacity(32)
    window.dispatcher = self
  }

  deinit {
    // A later dispatcher may have taken its place.
    if window.dispatcher === self { window.dispatcher = nil }
  }

  /// Dispatches the changes of one frame.
  ///
  /// Contacts that ended in the frame are delivered before those that began in it, and those that did both
  /// come last. A contact that follows another in the same frame thus finds the view free. Unknown contacts
  /// are ignored: they began before this dispatcher, or were cancelled.
  ///
  /// - Parameters:
  ///   - changes: in window space.
  ///   - time: the frame's, on the kernel's monotonic clock.
  public func dispatch(_ changes: [TouchChange], at time: Timestamp) {
    guard !changes.isEmpty else { return }
    guard !isDispatching else {
      backlog.append((changes, time))
      return
    }
    // A touch sees the layout of earlier settings, such as which control is below its finger.
    if window.needsLayout { window.layoutIfNeeded() }
    reachDeadlines(until: time) { $0 < time }
    if changes.contains(where: { $0.kind != .moved }) { deliverPendingMoves() }
    now = max(now, time)
    noteMoves(changes, at: time)
    guard changes.contains(where: { $0.kind != .moved }) else { return }
    deliverEnds(changes)
    if deliverBegins(changes) {
      // A contact may begin, move and end in one frame.
      noteMoves(changes, at: now) { $0.phase == .began && $0.timestamp == now }
      deliverEnds(changes)
    }
    finishTurn()
  }

  /// Delivers the moves since the last event. The loop calls it once a turn.
  public func flush() {
    guard !isDispatching else { return }
    deliverPendingMoves()
    finishTurn()
  }

  /// Cancels every touch along its recorded chain: for a console switch, a new configuration, or the end of
  /// the program. (`UITouch.Phase.cancelled`.)
  ///
  /// - Parameter time: on the kernel's monotonic clock.
  public func cancelAllTouches(at time: Timestamp) {
    cancel(at: time) { _ in true }
    guard !isDispatching, !gestures.isIdle else { return }
    batch.clear()
    deliver { gestures.cancel(with: event) { _ in true } }
  }

  // MARK: Time

  /// The time at which `advance(to:)` has to be called, if nothing else happens before; nil while no gesture
  /// waits and no view has a deadline.
  public var deadline: Timestamp? { deadline { _ in true } }

  /// The next deadline that does not repeat: a held control may repeat forever.
  package var finalDeadline: Timestamp? { deadline { !$0.mayRepeatDeadline } }

  private func deadline(where counts: (View) -> Bool) -> Timestamp? {
    var next = gestures.deadline
    for view in timed where counts(view) {
      guard let due = view.deadline else { continue }
      next = next.map { min($0, due) } ?? due
    }
    if let due = window.motionDue { next = min(next ?? due, due) }
    return next
  }

  /// Advances the time to `time`, and decides the gestures whose deadline has come. `dispatch` does this too,
  /// up to the frame's time.
  public func advance(to time: Timestamp) {
    guard !isDispatching else { return }
    reachDeadlines(until: time) { $0 <= time }
    finishTurn()
  }

  private func reachDeadlines(until time: Timestamp, where isReached: (Timestamp) -> Bool) {
    present = max(present, time)
    guard let first = deadline, isReached(first) else { return }
    // A finger that moved away in time is no long press.
    deliverPendingMoves()
    while let due = deadline, isReached(due) {
      now = max(now, due)
      batch.clear()
      deliver {
        gestures.reachDeadline(due, with: event)
        for view in timed where view.deadline.map({ $0 <= due }) ?? false { view.deadlinePassed(with: event) }
        if let motionDue = window.motionDue, motionDue <= due { window.motion?.timePassed(to: present) }
      }
      timed.removeAll { $0.deadline == nil }
    }
  }

  func watchDeadline(of view: View) {
    if !timed.contains(where: { $0 === view }) { timed.append(view) }
  }

  /// Cancels the gesture of a recogniser that was turned off or removed from its view.
  func gestureWithdrew(_ recognizer: GestureRecognizer) {
    guard !recognizer.attempt.isEmpty else { return }
    // During a delivery, this is left to its end.
    guard !isDispatching else { return recognizer.transition(to: .cancelled) }
    batch.clear()
    deliver { gestures.cancel(with: event) { $0 === recognizer } }
    finishTurn()
  }

  // MARK: Frames

  private func touch(for contact: ContactID) -> Touch? { touches.first { $0.contact == contact } }

  private func noteMoves(
    _ changes: [TouchChange], at time: Timestamp, where isMeant: (Touch) -> Bool = { _ in true }
  ) {
    for change in changes where change.kind == .moved {
      guard let touch = touch(for: change.contact), isMeant(touch) else { continue }
      touch.note(change, at: time)
    }
  }

  private func deliverPendingMoves() {
    batch.clear()
    for touch in touches where touch.hasPendingMoves { batch.append(touch) }
    guard !batch.isEmpty else { return }
    for touch in batch { touch.takePendingMoves() }
    deliver()
  }

  /// Ends and cancels touches, with the moves of the same frame.
  private func deliverEnds(_ changes: [TouchChange]) {
    batch.clear()
    var ends = false
    for touch in touches where touch.hasPendingMoves {
      touch.takePendingMoves()
      batch.append(touch)
    }
    for change in changes {
      guard change.kind == .ended || change.kind == .cancelled, let touch = touch(for: change.contact)
      else { continue }
      touch.end(change, at: now)
      if !batch.contains(where: { $0 === touch }) { batch.append(touch) }
      ends = true
    }
    guard !batch.isEmpty else { return }
    deliver()
    if ends { removeEndedTouches() }
  }

  /// Returns whether a touch began.
  private func deliverBegins(_ changes: [TouchChange]) -> Bool {
    batch.clear()
    hitLocations.clear()
    for change in changes where change.kind == .began && touch(for: change.contact) == nil {
      let touch = makeTouch(for: change)
      touches.append(touch)
      batch.append(touch)
      hitLocations.append(change.hitLocation)
    }
    guard !batch.isEmpty else { return false }
    // An override of the hit test may change the tree. That waits, as during delivery.
    isDispatching = true
    prepareEvent()
    for index in batch.indices { findView(for: batch[index], at: hitLocations[index]) }
    deliver()
    return true
  }

  // MARK: Began

  private func makeTouch(for change: TouchChange) -> Touch {
    let id = nextTouchID
    nextTouchID += 1
    // The event still has the last touches, and with them `spare`.
    event.touches.clear()
    if isKnownUniquelyReferenced(&spare), let touch = spare.take() {
      touch.begin(
        id: id, contact: change.contact, location: change.location, timestamp: now,
        attributes: change.attributes)
      return touch
    }
    return Touch(
      id: id, contact: change.contact, location: change.location, timestamp: now,
      attributes: change.attributes)
  }

  /// Fixes the touch's view and chain. (`UITouch.view` stays for the touch's whole life.)
  private func findView(for touch: Touch, at location: WindowPoint) {
    // The steps contain the point, and wait until `touchWillBegin` may have made the view private.
    let asked = touches.count > 1 ? HeldSteps(of: event) : nil
    let hit =
      indirectViews.isEmpty
      ? window.hitView(at: location, with: event)
      : indirectView(of: touch) ?? window.hitView(at: location, with: event)
    touch.view = hit
    asked?.release(event)
    let isAdmitted = hit.map { MultipleTouchPolicy.admits(touch, to: $0, among: touches) } ?? false
    if isAdmitted { hit?.touchWillBegin(touch, with: event) }
    asked?.report()
    if event.isWatched { event.observer?.observe(.hit(touch, view: hit)) }
    guard let hit else { return }
    // A pinch needs both fingers on a view that itself gets only the first, or on two views that exclude each
    // other. ("Recognizers ignore the exclusive touch setting for views": Apple's sample code Touches.)
    gestures.enter(touch, from: hit)
    guard isAdmitted else {
      event.observer?.observe(.dropped(touch))
      return
    }
    if !touch.gestureRecognizers.isEmpty { delays.watch(touch) }
    slide.start(touch, on: hit)
    touch.tapCount = tapCounter.count(for: touch, settings: tapSettings)
    lastChain = chain(from: hit)
    touch.chain = lastChain
    if event.isWatched, let chain = lastChain { event.observer?.observe(.chain(touch, chain)) }
  }

  /// Returns the chain from a view, shared by touches that are grouped by it.
  private func chain(from view: View) -> ResponderChain {
    if let lastChain, lastChain.isSame(from: view) { return lastChain }
    for touch in touches { if let chain = touch.chain, chain.isSame(from: view) { return chain } }
    guard isKnownUniquelyReferenced(&lastChain), let lastChain else { return ResponderChain(from: view) }
    lastChain.follow(from: view)
    return lastChain
  }

  private func indirectView(of touch: Touch) -> View? {
    guard let index = indirectViews.firstIndex(where: { $0.contact == touch.contact }) else { return nil }
    touch.type = .indirect
    return indirectViews.remove(at: index).view
  }

  // MARK: Keys

  /// Begins a touch on a view, whatever lies over it: that of a key that presses the focused item, at its
  /// middle in window space.
  func dispatchIndirect(_ contact: ContactID, on view: View, at location: WindowPoint, time: Timestamp) {
    indirectViews.append((contact, view))
    dispatch([TouchChange(contact: contact, kind: .began, location: location)], at: time)
  }

  /// Runs an action of a view for a key. The touch is one that its actions can name and nothing else sees.
  func actIndirectly(
    on view: View, by device: DeviceID, at time: Timestamp, _ act: (Touch, Event) -> Void
  ) {
    let rect: WindowRect = view.windowFrame
    now = max(now, time)
    let touch = Touch(
      id: nextTouchID, contact: ContactID(device: device, serial: -nextTouchID),
      location: WindowPoint(x: rect.midX, y: rect.midY), timestamp: now, attributes: ContactAttributes())
    nextTouchID += 1
    (touch.view, touch.chain, touch.type) = (view, ResponderChain(from: view), .indirect)
    // The touch neither began nor moved, so its results wait for nothing.
    touch.phase = .stationary
    guard !isDispatching else { return act(touch, event) }
    prepareEvent()
    isDispatching = true
    act(touch, event)
    isDispatching = false
    finishTurn()
  }

  // MARK: Delivery

  private func prepareEvent() {
    event.timestamp = now
    event.touches.clear()
    for index in touches.indices { event.touches.append(touches[index]) }
  }

  private func deliver() {
    deliver { if !gestures.isIdle { gestures.take(batch, with: event) } }
  }

  /// Delivers the batch, after gestures have been looked for.
  private func deliver(after lookForGestures: () -> Void) {
    isDispatching = true
    for touch in touches where !batch.contains(where: { $0 === touch }) { touch.rest() }
    prepareEvent()
    lookForGestures()
    if slide.isUsed {
      slide.abandon(touches, with: event)
      slide.follow(batch, in: window, with: event)
    }
    delays.pass(batch, by: &delivery, with: event)
    // Each round delivers delayed phases, and a handler may decide further gestures.
    repeat {
      if gestures.isIdle { continue }
      for touch in delays.watched where touch.isClaimed && !touch.gestureRecognizers.isEmpty {
        gestures.withdraw(touch, with: event)
      }
      gestures.resume(with: event)
    } while delays.finish(by: &delivery, with: event)
    isDispatching = false
  }

  private func removeEndedTouches() {
    for touch in touches {
      if touch.phase == .ended { tapCounter.note(touch, settings: tapSettings) }
      if touch.phase == .cancelled { tapCounter.forget(touch) }
      if touch.isOver { spare = touch }
    }
    touches.removeAll { $0.phase == .ended || $0.phase == .cancelled }
  }

  // MARK: Cancelling

  private func cancel(at time: Timestamp, where isAffected: (Touch) -> Bool) {
    if isDispatching {
      for touch in touches where isAffected(touch) { orphans.append(touch) }
      return
    }
    now = max(now, time)
    deliverPendingMoves()
    batch.clear()
    for touch in touches where isAffected(touch) {
      touch.cancel(at: now)
      batch.append(touch)
    }
    // Fingers that lifted while a gesture delays the end.
    for touch in delays.watched
    where touch.isOver && isAffected(touch) && !batch.contains(where: { $0 === touch }) {
      touch.cancel(at: now)
      batch.append(touch)
    }
    guard !batch.isEmpty else { return }
    deliver()
    removeEndedTouches()
    finishTurn()
  }

  /// Cancels the touches in a subtree that left the window, along their chains. Hiding or disabling a view
  /// does not cancel them. (`UIView.removeFromSuperview()`.) The recognisers of views that stay keep their
  /// fingers: a list goes on scrolling when the row under the finger is removed.
  func subtreeLeft(_ view: View) {
    // Both would retain the view.
    (spare, lastChain) = (nil, nil)
    let isIn = { (touch: Touch) in touch.view?.isDescendant(of: view) ?? false }
    let isFollowed = { (touch: Touch) in
      touch.gestureRecognizers.contains { !($0.view?.isDescendant(of: view) ?? true) }
    }
    for touch in touches where isIn(touch) && isFollowed(touch) { touch.isTaken = true }
    if !isDispatching {
      for touch in delays.watched where isIn(touch) && isFollowed(touch) { touch.isTaken = true }
    }
    cancel(at: now) { isIn($0) && !isFollowed($0) }
    let isLeaving = { (recognizer: GestureRecognizer) in recognizer.view?.isDescendant(of: view) ?? true }
    // During a delivery, they are left to its end.
    guard !isDispatching else { return gestures.breakOff(where: isLeaving) }
    if !gestures.isIdle {
      batch.clear()
      deliver { gestures.cancel(with: event, where: isLeaving) }
    }
    forgetEnded()
  }

  /// Releases what would retain removed views until the next touch or deadline.
  private func forgetEnded() {
    timed.removeAll { $0.deadline == nil }
    batch.clear()
    event.touches.clear()
    gestures.forgetEnded()
    delays.forgetEnded()
    delivery.forgetEnded()
  }

  /// Handles what came up during a delivery: views that left the window, and further frames.
  private func finishTurn() {
    while !orphans.isEmpty {
      let left = orphans
      orphans.removeAll()
      cancel(at: now) { touch in left.contains { $0 === touch } }
    }
    while !backlog.isEmpty {
      let next = backlog.removeFirst()
      dispatch(next.changes, at: next.time)
    }
  }
}
