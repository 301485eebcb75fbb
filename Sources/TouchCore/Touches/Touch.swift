extension Array {
  /// Removes everything and keeps the memory, for the buffers of a frame, which have an element or none.
  /// (`removeAll(keepingCapacity: true)` replaces a range, which takes longer.)
  @inlinable @inline(__always)
  package mutating func clear() {
    while !isEmpty { removeLast() }
  }
}

/// A contact's life in the window. (`UITouch`.)
public final class Touch {
  /// Where a touch is in its life. (`UITouch.Phase`.)
  public enum Phase: String, CaseIterable, Sendable {
    /// The finger went down.
    case began
    /// It is somewhere else.
    case moved
    /// It rests while another one of the event does something.
    case stationary
    /// It lifted.
    case ended
    /// The touch was broken off without an end.
    case cancelled
    /// A finger slid onto a view: only for views with `tracking: slide_over` (`View.tracking`). Not a phase of the touch
    /// itself.
    case entered
    /// The same for a finger that slid off a view.
    case left
  }

  /// Where a touch comes from. (`UITouch.TouchType`.)
  public enum TouchType: Hashable, Sendable {
    /// A finger, a pen or a mouse, at the place that it shows.
    case direct
    /// A key that presses what is focused: its location is the middle of that, and nobody points there.
    case indirect
  }

  /// (`UITouch.type`.)
  public internal(set) var type = TouchType.direct
  /// Unique over all devices for the life of the dispatcher, counted from 1.
  public private(set) var id: Int
  /// The contact that the touch follows.
  public private(set) var contact: ContactID
  /// What the touch did in the event that is being delivered. (`UITouch.phase`.)
  public internal(set) var phase = Phase.began
  /// Where the finger is, in window space. It may lie outside the window.
  public internal(set) var location: WindowPoint
  /// Where the finger was in the event before, in window space.
  public internal(set) var previousLocation: WindowPoint
  /// When the touch last changed.
  public internal(set) var timestamp: Timestamp
  /// 1 for a first tap, 2 when it follows another one closely, and so on. (`UITouch.tapCount`.)
  public internal(set) var tapCount = 1
  /// What the device reports of the contact apart from its position, in the device's own units.
  public internal(set) var attributes: ContactAttributes
  /// The view that was hit at began. It never changes, wherever the finger goes, not even when the view goes.
  public internal(set) var view: View?
  /// From the hit view to the application, as it was at began.
  public internal(set) var chain: ResponderChain?
  /// Every position since the event before, oldest first; the last one is `location`.
  /// (`UIEvent.coalescedTouches(for:)`.)
  public internal(set) var coalescedSamples: [Sample] = []

  /// One reported position of a touch, with its time.
  public struct Sample: Hashable, Sendable {
    /// The reported position, in window space.
    public var location: WindowPoint
    /// The frame's, on the kernel's monotonic clock.
    public var timestamp: Timestamp

    /// The location is in window space.
    public init(location: WindowPoint, timestamp: Timestamp) {
      self.location = location
      self.timestamp = timestamp
    }
  }

  /// Where and when the finger came down.
  public private(set) var beganSample: Sample

  /// The recognisers that look at the touch. (`UITouch.gestureRecognizers`.)
  public internal(set) var gestureRecognizers: [GestureRecognizer] = []
  /// Whether a recognised gesture took the touch from its view.
  public package(set) var isTaken = false
  /// Whether the touch ended or was cancelled. Its view may not have got that yet.
  private(set) var isOver = false
  /// The innermost private view that was around the touch's view when it began; nil if there was none. Who did not get its began because of
  /// that gets no later phase either, even if the view is no longer private.
  var privateView: View?
  /// What others may learn of it in the phase that is being delivered, where somebody watches.
  var telling = Disclosure.all
  var delayState = TouchDelays.DelayState.new
  /// What the touch really does, while it shows something else.
  var actual: Snapshot?

  /// Whether the views that the finger slides over get entered and left.
  public internal(set) var isSliding = false
  /// The view with `tracking: slide_over` that a sliding finger is over; nil if there is none.
  public internal(set) var slidOver: View?

  /// The stops of the chain that still get the touch.
  var route = Route.upTo(0)

  /// Whether one responder claimed it.
  var isClaimed: Bool {
    if case .only = route { return true }
    return false
  }

  enum Route: Hashable {
    /// The first stops of the chain, which saw began; the later ones get nothing of the touch.
    case upTo(Int)
    /// The one stop that claimed the touch.
    case only(Int)

    var stops: Range<Int> {
      switch self {
      case .upTo(let count): 0..<count
      case .only(let index): index..<index + 1
      }
    }
  }

  init(
    id: Int, contact: ContactID, location: WindowPoint, timestamp: Timestamp, attributes: ContactAttributes
  ) {
    self.id = id
    self.contact = contact
    self.location = location
    self.previousLocation = location
    self.timestamp = timestamp
    self.attributes = attributes
    beganSample = Sample(location: location, timestamp: timestamp)
    coalescedSamples.append(beganSample)
  }

  /// Stands for none, where an action is sent that no finger causes. Its id is 0, and it has no view.
  package convenience init(ofNoFingerAt location: WindowPoint, timestamp: Timestamp) {
    self.init(
      id: 0, contact: ContactID(device: DeviceID(rawValue: 0), serial: 0), location: location,
      timestamp: timestamp,
      attributes: ContactAttributes())
    phase = .stationary
  }

  /// Becomes the touch of another contact, as if it were new. The dispatcher does so with a touch that is over and that
  /// nothing else has.
  func begin(
    id: Int, contact: ContactID, location: WindowPoint, timestamp: Timestamp, attributes: ContactAttributes
  ) {
    (self.id, self.contact, self.attributes, self.timestamp) = (id, contact, attributes, timestamp)
    (self.location, previousLocation) = (location, location)
    (phase, tapCount, isTaken, isOver) = (.began, 1, false, false)
    (view, chain, slidOver, isSliding) = (nil, nil, nil, false)
    (route, delayState, actual) = (.upTo(0), .new, nil)
    (privateView, telling) = (nil, .all)
    type = .direct
    gestureRecognizers.clear()
    pending.clear()
    beganSample = Sample(location: location, timestamp: timestamp)
    coalescedSamples.clear()
    coalescedSamples.append(beganSample)
  }

  /// Positions since the last event, not delivered yet.
  private var pending: [Sample] = []

  var hasPendingMoves: Bool { !pending.isEmpty }

  /// Keeps a position for the next event.
  func note(_ change: TouchChange, at time: Timestamp) {
    attributes = change.attributes
    pending.append(Sample(location: change.location, timestamp: time))
  }

  /// Becomes moved, to the last of the positions that were noted.
  func takePendingMoves() {
    guard let last = pending.last else { return }
    swap(&coalescedSamples, &pending)
    pending.clear()
    previousLocation = location
    location = last.location
    timestamp = last.timestamp
    phase = .moved
  }

  /// Becomes ended or cancelled, where the change says. A move of the same frame is part of it.
  func end(_ change: TouchChange, at time: Timestamp) {
    if phase != .moved || timestamp != time { previousLocation = location }
    location = change.location
    timestamp = time
    phase = change.kind == .cancelled ? .cancelled : .ended
    isOver = true
  }

  /// Becomes cancelled where it is.
  func cancel(at time: Timestamp) {
    previousLocation = location
    timestamp = time
    phase = .cancelled
    isOver = true
  }

  /// Becomes stationary: another touch changed, this one did not.
  func rest() {
    previousLocation = location
    coalescedSamples.clear()
    phase = .stationary
  }

  /// Where the finger is in a view's bounds space; nil means the window's. (`UITouch.location(in:)`.)
  public func location(in view: View?) -> LocalPoint {
    view?.convertFromWindow(location) ?? LocalPoint(x: location.x, y: location.y)
  }

  /// Where the finger was in a view's bounds space; nil means the window's. (`UITouch.previousLocation(in:)`.)
  public func previousLocation(in view: View?) -> LocalPoint {
    view?.convertFromWindow(previousLocation) ?? LocalPoint(x: previousLocation.x, y: previousLocation.y)
  }
}

// A touch as its view sees it, where that is not what the finger does now: a phase that was delayed, or cancelled because a
// gesture took the touch.
extension Touch {
  /// What a touch did at one time.
  struct Snapshot {
    var phase: Phase
    var location: WindowPoint
    var previousLocation: WindowPoint
    var timestamp: Timestamp
    var coalescedSamples: [Sample]

    init(_ touch: Touch) {
      phase = touch.phase
      location = touch.location
      previousLocation = touch.previousLocation
      timestamp = touch.timestamp
      coalescedSamples = touch.coalescedSamples
    }

    /// Joins a later move to this one.
    mutating func follow(_ touch: Touch) {
      location = touch.location
      timestamp = touch.timestamp
      coalescedSamples.append(contentsOf: touch.coalescedSamples)
    }

    /// Whether two touches did the same in one frame.
    func isOfOneEvent(with other: Self) -> Bool { phase == other.phase && timestamp == other.timestamp }
  }

  /// Shows another phase, until `showActual()`.
  func show(_ phase: Phase) {
    park()
    self.phase = phase
  }

  /// Shows what the touch did before, until `showActual()`.
  func show(_ snapshot: Snapshot) {
    park()
    become(snapshot)
  }

  /// Shows again what the touch really does.
  func showActual() {
    guard let actual else { return }
    become(actual)
    self.actual = nil
  }

  private func become(_ snapshot: Snapshot) {
    phase = snapshot.phase
    location = snapshot.location
    previousLocation = snapshot.previousLocation
    timestamp = snapshot.timestamp
    coalescedSamples = snapshot.coalescedSamples
  }

  private func park() {
    if actual == nil { actual = Snapshot(self) }
  }
}

// What others than the view itself may learn of a touch: a view may become private, or cease to be, under a finger.
extension Touch {
  package enum Disclosure: Hashable, Sendable {
    case all
    /// That it is over, and neither how nor where: they were told of its beginning, and its view has become private since.
    case end
    case nothing
  }

  /// What those may learn of one of its phases who learn nothing of private views.
  package func disclosure(in phase: Phase) -> Disclosure {
    disclosure(in: phase, isPrivate: view?.privateView != nil, wasPrivate: privateView != nil)
  }

  /// What a responder's handlers may learn of one of its phases.
  ///
  /// - Parameter isPrivate: whether its view is withheld from the responder now.
  func disclosure(in phase: Phase, to responder: Responder, isPrivate: Bool) -> Disclosure {
    guard isPrivate || privateView != nil else { return .all }
    return disclosure(in: phase, isPrivate: isPrivate, wasPrivate: wasWithheld(from: responder))
  }

  private func disclosure(in phase: Phase, isPrivate: Bool, wasPrivate: Bool) -> Disclosure {
    switch (wasPrivate, isPrivate, phase) {
    case (true, _, _): .nothing
    case (false, false, _): .all
    case (false, true, .ended), (false, true, .cancelled): .end
    case (false, true, .began), (false, true, .moved), (false, true, .stationary), (false, true, .entered),
      (false, true, .left):
      .nothing
    }
  }

  /// Whether it began in a private view that the responder is not in.
  private func wasWithheld(from responder: Responder) -> Bool {
    guard let privateView else { return false }
    let place = responder.coordinateView
    var next = view
    while let view = next, view !== privateView {
      if view === place { return false }
      next = view.superview
    }
    // Or it has left the tree since.
    return privateView !== place
  }

  /// Shows a touch that was cancelled where it began, while `body` runs: what those are told who may learn that it is over and no more.
  package func showingEnd(_ body: () -> Void) {
    let (now, attributes) = (Snapshot(self), attributes)
    phase = .cancelled
    (location, previousLocation) = (beganSample.location, beganSample.location)
    coalescedSamples = []
    self.attributes = ContactAttributes()
    body()
    become(now)
    self.attributes = attributes
  }
}
