extension Array {
  /// Removes everything and keeps the storage, of one element at most, faster than `removeAll`.
  @inlinable @inline(__always)
  package mutating func clear() {
    while !isEmpty { removeLast() }
  }
}

/// The life of a contact in the window. (`UITouch`.)
public final class Touch {
  /// The phase of a touch. (`UITouch.Phase`.)
  public enum Phase: String, CaseIterable, Sendable {
    /// The finger went down.
    case began
    /// The finger moved.
    case moved
    /// The finger rests while another touch of the event changes.
    case stationary
    /// The finger lifted.
    case ended
    /// The touch was broken off without an end.
    case cancelled
    /// The finger slid onto a view. It is reported only to views with `tracking: slide_over`
    /// (`View.tracking`), and is no phase of the touch itself.
    case entered
    /// The finger slid off such a view.
    case left
  }

  /// The source of a touch. (`UITouch.TouchType`.)
  public enum TouchType: Hashable, Sendable {
    /// A finger, a pen or a mouse, at the place that it shows.
    case direct
    /// A key that presses the focused item. The location is the middle of that item.
    case indirect
  }

  /// The source of the touch. (`UITouch.type`.)
  public internal(set) var type = TouchType.direct
  /// A number that is unique over all devices for the life of the dispatcher, from 1.
  public private(set) var id: Int
  /// The contact that the touch follows.
  public private(set) var contact: ContactID
  /// The phase in the event that is being delivered. (`UITouch.phase`.)
  public internal(set) var phase = Phase.began
  /// The finger's location in window space. It may lie outside the window.
  public internal(set) var location: WindowPoint
  /// The finger's location in the previous event, in window space.
  public internal(set) var previousLocation: WindowPoint
  /// The time of the last change.
  public internal(set) var timestamp: Timestamp
  /// The tap count: 1 for a first tap, 2 if it follows another one closely, and so on. (`UITouch.tapCount`.)
  public internal(set) var tapCount = 1
  /// The device's measurements of the contact apart from its position, in the device's own units.
  public internal(set) var attributes: ContactAttributes
  /// The view that was hit at began. It never changes, even if the finger leaves it or it is removed.
  public internal(set) var view: View?
  /// The responders from the hit view to the application, as they were at began.
  public internal(set) var chain: ResponderChain?
  /// The positions since the previous event, oldest first; the last one is `location`.
  /// (`UIEvent.coalescedTouches(for:)`.)
  public internal(set) var coalescedSamples: [Sample] = []

  /// One reported position of a touch, with its time.
  public struct Sample: Hashable, Sendable {
    /// The reported position, in window space.
    public var location: WindowPoint
    /// The frame's time, on the kernel's monotonic clock.
    public var timestamp: Timestamp

    /// - Parameters:
    ///   - location: in window space.
    ///   - timestamp: on the kernel's monotonic clock.
    public init(location: WindowPoint, timestamp: Timestamp) {
      (self.location, self.timestamp) = (location, timestamp)
    }
  }

  /// The place and time at which the finger went down.
  public private(set) var beganSample: Sample

  /// The recognisers that look at the touch. (`UITouch.gestureRecognizers`.)
  public internal(set) var gestureRecognizers: [GestureRecognizer] = []
  /// Whether a recognised gesture took the touch from its view.
  public package(set) var isTaken = false
  /// Whether the touch ended or was cancelled. Its view may not have got that yet.
  private(set) var isOver = false
  /// The innermost private view at the beginning; nil for none. Handlers without began get no later phase.
  var privateView: View?
  /// The part of the current phase that others than the view may get.
  var disclosed = Disclosure.all
  var delayState = TouchDelays.DelayState.new
  /// The touch's real state while it shows another one.
  var actual: Snapshot?

  /// Whether views are entered and left as the finger slides over them.
  public internal(set) var isSliding = false
  /// The view with `tracking: slide_over` below a sliding finger; nil for none.
  public internal(set) var slidOver: View?

  /// The stops of the chain that still get the touch.
  var route = Route.upTo(0)

  var isClaimed: Bool {
    if case .only = route { return true }
    return false
  }

  enum Route: Hashable {
    /// The first stops of the chain, which saw began. Later ones get nothing of the touch.
    case upTo(Int)
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
    (self.id, self.contact, self.location, self.previousLocation) = (id, contact, location, location)
    (self.timestamp, self.attributes) = (timestamp, attributes)
    beganSample = Sample(location: location, timestamp: timestamp)
    coalescedSamples.append(beganSample)
  }

  /// Makes a touch for an action that no finger causes. Its id is 0, and it has no view.
  package convenience init(ofNoFingerAt location: WindowPoint, timestamp: Timestamp) {
    self.init(
      id: 0, contact: ContactID(device: DeviceID(rawValue: 0), serial: 0), location: location,
      timestamp: timestamp,
      attributes: ContactAttributes())
    phase = .stationary
  }

  /// Becomes the touch of another contact, after it is over and nothing else holds it.
  func begin(
    id: Int, contact: ContactID, location: WindowPoint, timestamp: Timestamp, attributes: ContactAttributes
  ) {
    (self.id, self.contact, self.attributes, self.timestamp) = (id, contact, attributes, timestamp)
    (self.location, previousLocation) = (location, location)
    (phase, tapCount, isTaken, isOver) = (.began, 1, false, false)
    (view, chain, slidOver, isSliding) = (nil, nil, nil, false)
    (route, delayState, actual) = (.upTo(0), .new, nil)
    (privateView, disclosed) = (nil, .all)
    type = .direct
    gestureRecognizers.clear()
    pending.clear()
    beganSample = Sample(location: location, timestamp: timestamp)
    coalescedSamples.clear()
    coalescedSamples.append(beganSample)
  }

  /// The positions since the last event that are not delivered yet.
  private var pending: [Sample] = []

  var hasPendingMoves: Bool { !pending.isEmpty }

  /// Keeps a position for the next event.
  func note(_ change: TouchChange, at time: Timestamp) {
    attributes = change.attributes
    pending.append(Sample(location: change.location, timestamp: time))
  }

  /// Becomes moved, to the last of the noted positions.
  func takePendingMoves() {
    guard let last = pending.last else { return }
    swap(&coalescedSamples, &pending)
    pending.clear()
    previousLocation = location
    location = last.location
    timestamp = last.timestamp
    phase = .moved
  }

  /// Becomes ended or cancelled at the change's location, which includes a move of the same frame.
  func end(_ change: TouchChange, at time: Timestamp) {
    if phase != .moved || timestamp != time { previousLocation = location }
    location = change.location
    timestamp = time
    phase = change.kind == .cancelled ? .cancelled : .ended
    isOver = true
  }

  func cancel(at time: Timestamp) {
    previousLocation = location
    timestamp = time
    phase = .cancelled
    isOver = true
  }

  /// Becomes stationary, because only other touches changed.
  func rest() {
    previousLocation = location
    coalescedSamples.clear()
    phase = .stationary
  }

  /// Returns the finger's location in a view's bounds space, or in window space for nil.
  /// (`UITouch.location(in:)`.)
  public func location(in view: View?) -> LocalPoint {
    view?.convertFromWindow(location) ?? LocalPoint(x: location.x, y: location.y)
  }

  /// Returns the finger's previous location in a view's bounds space, or in window space for nil.
  /// (`UITouch.previousLocation(in:)`.)
  public func previousLocation(in view: View?) -> LocalPoint {
    view?.convertFromWindow(previousLocation) ?? LocalPoint(x: previousLocation.x, y: previousLocation.y)
  }
}

// The touch as its view sees it, if a phase was delayed or a gesture took it.
extension Touch {
  struct Snapshot {
    var phase: Phase
    var location, previousLocation: WindowPoint
    var timestamp: Timestamp
    var coalescedSamples: [Sample]

    init(_ touch: Touch) {
      phase = touch.phase
      location = touch.location
      previousLocation = touch.previousLocation
      timestamp = touch.timestamp
      coalescedSamples = touch.coalescedSamples
    }

    mutating func follow(_ touch: Touch) {
      location = touch.location
      timestamp = touch.timestamp
      coalescedSamples.append(contentsOf: touch.coalescedSamples)
    }

    /// Whether two touches changed in the same way in one frame.
    func isOfOneEvent(with other: Self) -> Bool { phase == other.phase && timestamp == other.timestamp }
  }

  /// Shows another phase, until `showActual()`.
  func show(_ phase: Phase) {
    park()
    self.phase = phase
  }

  /// Shows an earlier state of the touch, until `showActual()`.
  func show(_ snapshot: Snapshot) {
    park()
    become(snapshot)
  }

  /// Shows the touch's real state again.
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

  private func park() { if actual == nil { actual = Snapshot(self) } }
}

// The part of a touch for others than its view, which may become private under a finger.
extension Touch {
  package enum Disclosure: Hashable, Sendable {
    case all
    /// Only that it is over: its beginning was reported, and its view became private since.
    case end
    case nothing
  }

  /// The part of one of its phases that goes to observers without access to private views.
  package func disclosure(in phase: Phase) -> Disclosure {
    disclosure(in: phase, isPrivate: view?.privateView != nil, wasPrivate: privateView != nil)
  }

  /// Returns the part of a phase that a responder's handlers may get, maybe withheld now.
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

  /// Runs `body` while the touch shows only that it was cancelled, at the place where it began.
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
