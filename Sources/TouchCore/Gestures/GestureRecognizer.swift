/// Looks for one gesture in the touches on a view and its subviews. (`UIGestureRecognizer`.)
///
/// A recogniser sees touches before the hit view does. It sees all of them, even those that a view without
/// `isMultipleTouchEnabled` does not get. A subclass overrides the four touch methods and calls
/// `transition(to:)`. The other recognisers of the same touches decide whether and when that becomes its
/// state.
///
/// All distances that a recogniser is set up with are in window units, so that they mean the same on the
/// glass however the view is scaled. What it reports is in the bounds space of its view.
open class GestureRecognizer {
  /// The state of a recogniser in its gesture. (`UIGestureRecognizer.State`.)
  ///
  /// ```
  ///      discrete                         continuous (`isContinuous`)
  ///
  ///      possible ──→ ended               possible ──→ began ──→ changed ⟲ ──→ ended
  ///         │                                │            │         │
  ///         └───────→ failed                 │            └─────────┴────────→ cancelled
  ///                                          └─────────────────────────────→ failed
  /// ```
  /// After ended, cancelled or failed it is possible again, before the next touch. A continuous gesture may
  /// go from began to ended without a change.
  public enum State: String, CaseIterable, Sendable {
    /// No gesture is found yet.
    case possible
    /// A continuous gesture was found.
    case began
    /// The gesture continued.
    case changed
    /// The gesture is complete. A discrete gesture, such as a tap, goes straight here. (`recognized` is
    /// another name of this state in UIKit.)
    case ended
    /// The gesture was broken off: undo what it started.
    case cancelled
    /// The touches do not form this gesture.
    case failed
  }

  /// The recogniser's name, unique in its tree.
  public let id: String
  /// The view whose touches are looked at. The view keeps the recogniser, not the other way round.
  public internal(set) final weak var view: View?
  /// The state in the gesture. After the end it is possible again, before the next touch.
  public internal(set) final var state = State.possible
  /// Whether the recogniser gets touches. Turning it off cancels the gesture in progress.
  /// (`UIGestureRecognizer.isEnabled`.)
  public final var isEnabled = true {
    didSet { if !isEnabled { view?.window?.dispatcher?.gestureWithdrew(self) } }
  }
  /// Whether the hit view's touches are cancelled when the gesture is found. The view gets nothing of them
  /// after that. (`UIGestureRecognizer.cancelsTouchesInView`.)
  public final var cancelsTouchesInView = true
  /// Whether a touch is kept from the hit view as a whole while this recogniser is still possible.
  /// (`UIGestureRecognizer.delaysTouchesBegan`.)
  public final var delaysTouchesBegan = false
  /// Whether a touch's end is kept from the hit view while this recogniser is still possible. Otherwise the
  /// view would act on the first tap of a double tap. (`UIGestureRecognizer.delaysTouchesEnded`.)
  public final var delaysTouchesEnded = true

  /// The handlers that are called in order whenever the gesture is found, changes or ends.
  public final var handlers: [any Handler] = []
  /// The closure that is called before the handlers. (`UIGestureRecognizer.addTarget(_:action:)`.)
  public final var action: ((GestureRecognizer) -> Void)?

  /// The fingers of this attempt that are down, in the order in which they went down. In `touchesEnded` and
  /// `touchesCancelled` they still include those that lift.
  public internal(set) final var touches: [Touch] = []
  /// The touches of this attempt, with those that lifted.
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

  /// - Parameter id: unique in the tree, for traces, messages and handlers; empty for a recogniser that needs
  ///   no name.
  public init(id: String = "") { self.id = id }

  // MARK: Relations

  /// Makes this recogniser wait until the other one has failed, and fail if that one is recognised. The call
  /// does nothing if the other already waits for this one, directly or through others: neither could be
  /// recognised. (`UIGestureRecognizer.require(toFail:)`.)
  public final func require(toFail other: GestureRecognizer) {
    guard !other.waits(for: self) else { return }
    failureRequirements.append(other)
  }

  /// Does the same as `require(toFail:)` without the search for circles, which the caller has excluded.
  package final func requireAcyclic(toFail other: GestureRecognizer) { failureRequirements.append(other) }

  /// Whether this recogniser waits for another, maybe through others, each visited once.
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

  /// Whether either of the two allows simultaneous recognition.
  final func isCompanion(of other: GestureRecognizer) -> Bool {
    companions.contains(ObjectIdentifier(other)) || other.companions.contains(ObjectIdentifier(self))
  }

  /// Whether this recogniser, once it is recognised, makes the other one fail.
  /// (`UIGestureRecognizer.canPrevent(_:)`.)
  open func canPrevent(_ other: GestureRecognizer) -> Bool { true }

  // MARK: For subclasses

  /// The kind of gesture, by its name in a configuration.
  open var kind: String { "gesture" }

  /// Whether the gesture is continuous (began, changed, ended) or discrete (ended).
  open var isContinuous: Bool { false }

  /// The time at which `deadlinePassed(with:)` has to be called, on the kernel's monotonic clock; nil while
  /// nothing depends on time.
  open var deadline: Timestamp? { nil }

  /// Called when touches went down; `self.touches` contains them.
  /// (`UIGestureRecognizer.touchesBegan(_:with:)`.)
  open func touchesBegan(_ touches: [Touch], with event: Event) {}
  /// Called when touches moved. (`UIGestureRecognizer.touchesMoved(_:with:)`.)
  open func touchesMoved(_ touches: [Touch], with event: Event) {}
  /// Called when touches were lifted. (`UIGestureRecognizer.touchesEnded(_:with:)`.)
  open func touchesEnded(_ touches: [Touch], with event: Event) {}
  /// Called when touches were broken off and cannot be part of a gesture.
  open func touchesCancelled(_ touches: [Touch], with event: Event) { transition(to: .cancelled) }
  /// Called when the deadline has passed; the event has its time.
  open func deadlinePassed(with event: Event) {}
  /// Called when the attempt is over; the next touch begins a new one. (`UIGestureRecognizer.reset()`.)
  open func reset() {}

  /// Requests a state. A request that the diagram of `State` does not allow is ignored.
  public final func transition(to next: State) {
    switch (state, next) {
    case (.possible, .cancelled), (.possible, .failed): wanted = .failed
    case (.possible, .began), (.possible, .changed): if wanted == nil { wanted = .began }
    case (.possible, .ended), (.began, .ended), (.changed, .ended): if wanted != .failed { wanted = .ended }
    case (.began, .changed), (.changed, .changed): if wanted == nil { wanted = .changed }
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

  /// Removes fingers that lift from an attempt that goes on with others and has found nothing yet. Otherwise
  /// a button could not be pressed while another finger rests on a view with a pan. (UIKit documents no rule
  /// for this.)
  final func letGoOfLifted(_ touches: [Touch]) {
    if state == .possible && wanted == nil { touches.forEach(ignore) }
  }

  // MARK: Reading

  /// The location of the gesture in window space: the middle of the fingers, or of the last ones when none is
  /// down. A swipe has the place where it began, and taps have the middle of the first one. (`location(in:
  /// nil)`.)
  public final var windowLocation: WindowPoint {
    foundLocation ?? (touches.isEmpty ? lastLocation : Self.middle(of: touches))
  }

  /// The location of a found gesture that does not follow the fingers.
  var foundLocation: WindowPoint? { nil }

  /// The middle of the fingers in a view's bounds space; nil means the window's.
  /// (`UIGestureRecognizer.location(in:)`.)
  public final func location(in view: View?) -> LocalPoint {
    let location = windowLocation
    return view?.convertFromWindow(location) ?? LocalPoint(x: location.x, y: location.y)
  }

  /// The measurements of the gesture, in the bounds space of its view.
  open var values: GestureValues { GestureValues() }

  /// Whether no view up to the recogniser's keeps the gesture. (`UIView.gestureRecognizerShouldBegin(_:)`)
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

  static func middle(of points: some Collection<WindowPoint>) -> WindowPoint {
    guard !points.isEmpty else { return .nowhere }
    let sum = points.reduce(into: WindowVector.zero) { $0 = $0 + WindowVector(x: $1.x, y: $1.y) }
    return WindowPoint(x: sum.x / Double(points.count), y: sum.y / Double(points.count))
  }

  /// Removes the fingers that lifted, and keeps the location of the last ones.
  final func removeLifted() {
    guard touches.contains(where: \.isOver) else { return }
    let location = windowLocation
    touches.removeAll(where: \.isOver)
    if touches.isEmpty { lastLocation = location }
  }
}

/// The measurements of a gesture apart from its location; nil for those that its kind does not measure.
public struct GestureValues: Hashable, Sendable {
  /// The movement of the fingers since they went down, in the bounds space of the recogniser's view.
  public var translation: LocalVector?
  /// The speed of the fingers, in units of that space a second.
  public var velocity: LocalVector?
  /// The distance between the fingers, as a multiple of their first distance.
  public var scale: Double?
  /// The change of the scale in a second.
  public var scaleVelocity: Double?
  /// The clockwise turn of the fingers, in radians. Several turns add up.
  public var angle: Double?
  /// The speed of the turn, in radians a second.
  public var angularVelocity: Double?
  /// The direction of a recognised swipe; nil for other gestures.
  public var direction: SwipeGestureRecognizer.Direction?

  /// Makes values that are all nil.
  public init() {}
}

extension View {
  /// Gives a recogniser the touches on this view and its subviews. It is removed from any other view first.
  /// (`UIView.addGestureRecognizer(_:)`.)
  public final func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    recognizer.view = self
    gestureRecognizers.append(recognizer)
  }

  /// Gives a recogniser the touches on this view and its subviews, and calls a closure whenever its gesture
  /// is found, changes or ends. (`UIView.addGestureRecognizer(_:)` and
  /// `UIGestureRecognizer.addTarget(_:action:)`.)
  public final func addGestureRecognizer<Recognizer: GestureRecognizer>(
    _ recognizer: Recognizer, action: @escaping (Recognizer) -> Void
  ) {
    // The cast is safe: the recogniser passes itself.
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
