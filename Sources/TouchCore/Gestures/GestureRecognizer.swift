/// Looks for one gesture in the touches on a view and its subviews. (`UIGestureRecognizer`.)
///
/// Recognisers see touches before the hit view does, and all of them, even those that a view without
/// `isMultipleTouchEnabled` does not get. A subclass overrides the four touch methods and calls `transition(to:)`; whether
/// and when that becomes its state depends on the other recognisers of the same touches.
///
/// All distances that a recogniser is set up with are in window units, so that they mean the same on the glass wherever
/// the view is scaled; what it reports is in the bounds space of its view.
open class GestureRecognizer {
  /// Where a recogniser is in its gesture. (`UIGestureRecognizer.State`.)
  ///
  /// ```
  ///      discrete                         continuous (`isContinuous`)
  ///
  ///      possible ──→ ended               possible ──→ began ──→ changed ⟲ ──→ ended
  ///         │                                │            │         │
  ///         └───────→ failed                 │            └─────────┴────────→ cancelled
  ///                                          └─────────────────────────────→ failed
  /// ```
  /// After ended, cancelled or failed it is possible again, before the next touch. A continuous gesture may go from began
  /// to ended without a change.
  public enum State: String, CaseIterable, Sendable {
    /// Nothing is found yet.
    case possible
    /// A gesture that goes on was found.
    case began
    /// It went on.
    case changed
    /// It is complete. A gesture that is over when it is found, such as a tap, goes straight here. (`recognized` is
    /// another name of this state in UIKit.)
    case ended
    /// It was broken off: undo what it started.
    case cancelled
    /// The touches do not form this gesture.
    case failed
  }

  /// A name that is unique in its tree.
  public let id: String
  /// The view whose touches are looked at. The view keeps the recogniser, not the other way round.
  public internal(set) final weak var view: View?
  /// Where the recogniser is in its gesture. After the end it is possible again, before the next touch.
  public internal(set) final var state = State.possible
  /// Whether it gets touches. Turning it off cancels the gesture in progress. (`UIGestureRecognizer.isEnabled`.)
  public final var isEnabled = true {
    didSet { if !isEnabled { view?.window?.dispatcher?.gestureWithdrew(self) } }
  }
  /// Whether the hit view gets cancelled for the touches in which the gesture is found, and nothing after that.
  /// (`UIGestureRecognizer.cancelsTouchesInView`.)
  public final var cancelsTouchesInView = true
  /// Whether all of a touch is kept from the hit view while this recogniser is still possible.
  /// (`UIGestureRecognizer.delaysTouchesBegan`.)
  public final var delaysTouchesBegan = false
  /// Whether a touch's end is kept from the hit view while this recogniser is still possible: otherwise the view would
  /// act on the first tap of a double tap. (`UIGestureRecognizer.delaysTouchesEnded`.)
  public final var delaysTouchesEnded = true

  /// Called in order whenever the gesture is found, changes or ends.
  public final var handlers: [any Handler] = []
  /// Called first. (`UIGestureRecognizer.addTarget(_:action:)`.)
  public final var action: ((GestureRecognizer) -> Void)?

  /// The fingers that are down in this attempt, in the order in which they came. In `touchesEnded` and
  /// `touchesCancelled` those that go are still among them.
  public internal(set) final var touches: [Touch] = []
  /// The touches of this attempt, those that lifted included.
  package final var attempt: [Touch] = []
  /// The state that the recogniser requested, until the arena decides.
  package final var wanted: State?
  /// Whether the views have allowed it to leave `possible` in this attempt.
  final var isAllowed = false
  /// The middle of the fingers when the last one lifted, in window space.
  private var lastLocation = WindowPoint.nowhere

  /// The recognisers that must fail before this one can be recognised.
  public private(set) final var failureRequirements: [GestureRecognizer] = []
  private var companions: [ObjectIdentifier] = []

  /// - Parameter id: unique in the tree, for traces, messages and handlers; empty for one that needs no name.
  public init(id: String = "") {
    self.id = id
  }

  // MARK: Relations

  /// Makes this recogniser wait until the other one has failed, and fail if that one is recognised. The other must not
  /// wait for this one already, directly or through others: then the call does nothing, since neither could be recognised.
  /// (`UIGestureRecognizer.require(toFail:)`.)
  public final func require(toFail other: GestureRecognizer) {
    guard !other.waits(for: self) else { return }
    failureRequirements.append(other)
  }

  /// As `require(toFail:)` without the search for circles, for a caller that has excluded them.
  package final func requireAcyclic(toFail other: GestureRecognizer) {
    failureRequirements.append(other)
  }

  /// Looks at each recogniser once, however many ways lead to it, and without recursion.
  private func waits(for other: GestureRecognizer) -> Bool {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var waiting = [self]
    while let next = waiting.popLast() {
      if next === other { return true }
      for required in next.failureRequirements where seen.insert(ObjectIdentifier(required)).inserted {
        waiting.append(required)
      }
    }
    return false
  }

  /// Lets this recogniser and the other one be recognised at the same time.
  /// (`UIGestureRecognizerDelegate.gestureRecognizer(_:shouldRecognizeSimultaneouslyWith:)`.)
  public final func recognizeSimultaneously(with other: GestureRecognizer) {
    companions.append(ObjectIdentifier(other))
  }

  /// It is enough that one of the two allows it.
  final func isCompanion(of other: GestureRecognizer) -> Bool {
    companions.contains(ObjectIdentifier(other)) || other.companions.contains(ObjectIdentifier(self))
  }

  /// Whether this recogniser, once it is recognised, makes the other one fail.
  /// (`UIGestureRecognizer.canPrevent(_:)`.)
  open func canPrevent(_ other: GestureRecognizer) -> Bool { true }

  // MARK: For subclasses

  /// The kind of gesture, by its name in a configuration.
  open var kind: String { "gesture" }

  /// Whether the gesture goes on for a while (began, changed, ended) or is over when it is found (ended).
  open var isContinuous: Bool { false }

  /// When `deadlinePassed(with:)` has to be called, on the kernel's monotonic clock; nil while nothing depends on time.
  open var deadline: Timestamp? { nil }

  /// Touches went down; `self.touches` contains them. (`UIGestureRecognizer.touchesBegan(_:with:)`.)
  open func touchesBegan(_ touches: [Touch], with event: Event) {}
  /// The recogniser's touches moved. (`UIGestureRecognizer.touchesMoved(_:with:)`.)
  open func touchesMoved(_ touches: [Touch], with event: Event) {}
  /// The recogniser's touches were lifted. (`UIGestureRecognizer.touchesEnded(_:with:)`.)
  open func touchesEnded(_ touches: [Touch], with event: Event) {}
  /// The touches were broken off: they cannot be part of a gesture.
  open func touchesCancelled(_ touches: [Touch], with event: Event) { transition(to: .cancelled) }
  /// The deadline has passed; the event has its time.
  open func deadlinePassed(with event: Event) {}
  /// The attempt is over; the next touch begins a new one. (`UIGestureRecognizer.reset()`.)
  open func reset() {}

  /// Requests a state. A request that the diagram of `State` does not allow is ignored.
  public final func transition(to next: State) {
    switch (state, next) {
    case (.possible, .cancelled), (.possible, .failed): wanted = .failed
    case (.possible, .began), (.possible, .changed):
      if wanted == nil { wanted = .began }
    case (.possible, .ended), (.began, .ended), (.changed, .ended):
      if wanted != .failed { wanted = .ended }
    case (.began, .changed), (.changed, .changed):
      if wanted == nil { wanted = .changed }
    case (.began, .cancelled), (.changed, .cancelled), (.began, .failed), (.changed, .failed):
      wanted = .cancelled
    default: break
    }
  }

  /// Leaves a touch out of this attempt. (`UIGestureRecognizer.ignore(_:for:)`.)
  public final func ignore(_ touch: Touch) {
    touches.removeAll { $0 === touch }
    attempt.removeAll { $0 === touch }
    touch.gestureRecognizers.removeAll { $0 === self }
  }

  /// Removes fingers that lift from an attempt that goes on with others and has found nothing yet. Otherwise the view of a
  /// lifted finger would wait for its end as long as the others rest: a button could not be pressed while another finger
  /// rests on a view with a pan. A finger that lifts after the gesture was found stays part of it. (UIKit documents no rule
  /// for this.)
  final func letGoOfLifted(_ touches: [Touch]) {
    if state == .possible && wanted == nil { touches.forEach(ignore) }
  }

  // MARK: Reading

  /// Where the gesture is in window space: for most the middle of the fingers, or of the last ones when none is down; for a swipe where
  /// it began, and for taps the middle of the first one. (`location(in: nil)`.)
  public final var windowLocation: WindowPoint {
    foundLocation ?? (touches.isEmpty ? lastLocation : Self.middle(of: touches))
  }

  /// The place of a gesture that was found, where that is not the fingers'.
  var foundLocation: WindowPoint? { nil }

  /// The middle of the fingers in a view's bounds space; nil means the window's.
  /// (`UIGestureRecognizer.location(in:)`.)
  public final func location(in view: View?) -> LocalPoint {
    let location = windowLocation
    return view?.convertFromWindow(location) ?? LocalPoint(x: location.x, y: location.y)
  }

  /// What the gesture measures, in the bounds space of its view.
  open var values: GestureValues { GestureValues() }

  /// Whether no view from those of the touches out to the recogniser's own keeps the gesture for itself.
  /// (`UIView.gestureRecognizerShouldBegin(_:)`.)
  package final var isAllowedByViews: Bool {
    attempt.allSatisfy { touch in
      var ancestor = touch.view
      while let current = ancestor {
        if !current.gestureRecognizerShouldBegin(self) { return false }
        if current === view { return true }
        ancestor = current.superview
      }
      return true
    }
  }

  /// The middle of touches in window space, without those that are leaving.
  static func middle(of touches: [Touch], without leaving: [Touch] = []) -> WindowPoint {
    var x = 0.0
    var y = 0.0
    var count = 0.0
    for touch in touches where !leaving.contains(where: { $0 === touch }) {
      x += touch.location.x
      y += touch.location.y
      count += 1
    }
    return count == 0 ? .nowhere : WindowPoint(x: x / count, y: y / count)
  }

  /// The middle of points; nowhere if there are none.
  static func middle(of points: some Collection<WindowPoint>) -> WindowPoint {
    guard !points.isEmpty else { return .nowhere }
    let sum = points.reduce(into: WindowVector.zero) { $0 = $0 + WindowVector(x: $1.x, y: $1.y) }
    return WindowPoint(x: sum.x / Double(points.count), y: sum.y / Double(points.count))
  }

  /// Removes the fingers that lifted; keeps the location of the last ones.
  final func removeLifted() {
    guard touches.contains(where: \.isOver) else { return }
    let location = windowLocation
    touches.removeAll(where: \.isOver)
    if touches.isEmpty { lastLocation = location }
  }
}

/// What a gesture measures apart from its location; nil for what its kind does not measure.
public struct GestureValues: Hashable, Sendable {
  /// How far the fingers went since they came down, in the bounds space of the recogniser's view.
  public var translation: LocalVector?
  /// How fast they go, in units of that space a second.
  public var velocity: LocalVector?
  /// How far apart the fingers are, as a multiple of how far apart they were.
  public var scale: Double?
  /// How fast the scale changes, a second.
  public var scaleVelocity: Double?
  /// How far the fingers turned, clockwise, in radians. More than one turn counts on.
  public var angle: Double?
  /// How fast they turn, in radians a second.
  public var angularVelocity: Double?
  /// The direction of a recognised swipe; nil for other gestures.
  public var direction: SwipeGestureRecognizer.Direction?

  /// Nothing is measured, until it is set.
  public init() {}
}

extension View {
  /// Gives a recogniser the touches on this view and its subviews. If it belongs to another view, it is removed there
  /// first. (`UIView.addGestureRecognizer(_:)`.)
  public final func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    recognizer.view = self
    gestureRecognizers.append(recognizer)
  }

  /// Gives a recogniser the touches on this view and its subviews, and calls a closure whenever its gesture is found, changes or
  /// ends. (`UIView.addGestureRecognizer(_:)` and `UIGestureRecognizer.addTarget(_:action:)`.)
  public final func addGestureRecognizer<Recognizer: GestureRecognizer>(
    _ recognizer: Recognizer, action: @escaping (Recognizer) -> Void
  ) {
    // The recogniser calls it with itself.
    recognizer.action = { action(unsafeDowncast($0, to: Recognizer.self)) }
    addGestureRecognizer(recognizer)
  }

  /// Cancels the recogniser's gesture and removes it. Does nothing if it is not this view's.
  /// (`UIView.removeGestureRecognizer(_:)`.)
  public final func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view === self else { return }
    window?.dispatcher?.gestureWithdrew(recognizer)
    gestureRecognizers.removeAll { $0 === recognizer }
    recognizer.view = nil
  }
}
