/// Fingers that are dragged. (`UIPanGestureRecognizer`.)
///
/// It begins when the middle of enough fingers has moved far enough, changes while enough of them are down,
/// and ends when all have lifted. (`UIPanGestureRecognizer.h`)
open class PanGestureRecognizer: GestureRecognizer {
  /// The fewest fingers with which it begins. (`UIPanGestureRecognizer.minimumNumberOfTouches`.)
  public final var minimumNumberOfTouches = 1
  /// The most fingers with which it begins; those that follow are left out.
  public final var maximumNumberOfTouches = Int.max
  /// The distance that the fingers move before it begins, in window units.
  public final var minimumMovement = 10.0

  /// The travel up to the last time that a finger was added or removed, in window units.
  private var base = WindowVector.zero
  /// The middle of the fingers at that time.
  private var anchor = WindowPoint.nowhere
  private var travel = WindowVector.zero
  private var speed = WindowVector.zero
  private var velocityTracker = VelocityTracker()

  open override var kind: String { "pan" }
  public final override var isContinuous: Bool { true }

  /// Returns the movement of the fingers since they went down, or since `setTranslation`. A finger that joins
  /// or leaves does not make it jump. (`UIPanGestureRecognizer.translation(in:)`.)
  ///
  /// - Parameter view: the view in whose bounds space it is; nil for window space.
  public final func translation(in view: View?) -> LocalVector { Self.seen(travel, in: view) }

  /// Returns the speed of the fingers, in units of a view's bounds space a second.
  /// (`UIPanGestureRecognizer.velocity(in:)`.)
  public final func velocity(in view: View?) -> LocalVector { Self.seen(speed, in: view) }

  /// Sets the translation from which further movement counts.
  /// (`UIPanGestureRecognizer.setTranslation(_:in:)`.)
  ///
  /// - Parameters:
  ///   - translation: the new result of `translation(in:)`, most often zero.
  ///   - view: the view in whose bounds space it is; nil for window space.
  public final func setTranslation(_ translation: LocalVector, in view: View?) {
    travel = view?.convertToWindow(translation) ?? WindowVector(x: translation.x, y: translation.y)
    base = travel
    anchor = windowLocation
  }

  private static func seen(_ vector: WindowVector, in view: View?) -> LocalVector {
    view?.convertFromWindow(vector) ?? LocalVector(x: vector.x, y: vector.y)
  }

  public final override var values: GestureValues {
    var values = GestureValues()
    values.translation = translation(in: view)
    values.velocity = velocity(in: view)
    return values
  }

  open override func touchesBegan(_ touches: [Touch], with event: Event) {
    if self.touches.count > maximumNumberOfTouches {
      guard state != .possible else { return transition(to: .failed) }
      touches.forEach(ignore)
    }
    restart(at: Self.middle(of: self.touches))
    if isUnmoved { velocityTracker.note(x: 0, y: 0, at: event.timestamp) }
  }

  open override func touchesMoved(_ touches: [Touch], with event: Event) {
    // Movement of too few fingers does not count.
    guard self.touches.count >= minimumNumberOfTouches else { return restart(at: windowLocation) }
    measure(at: event.timestamp)
    if state != .possible {
      transition(to: .changed)
    } else if begins(after: travel) {
      transition(to: .began)
    }
  }

  open override func touchesEnded(_ touches: [Touch], with event: Event) {
    let left = self.touches.count - touches.count
    if self.touches.count >= minimumNumberOfTouches { measure(at: event.timestamp, moved: false) }
    if left == 0 { return transition(to: state != .possible || wanted == .began ? .ended : .failed) }
    restart(at: Self.middle(of: self.touches, without: touches))
    letGoOfLifted(touches)
  }

  open override func reset() {
    base = .zero
    travel = .zero
    speed = .zero
    velocityTracker.removeAll()
    anchor = .nowhere
  }

  /// Whether the gesture begins. (In UIKit, `UIGestureRecognizerDelegate.gestureRecognizerShouldBegin(_:)`
  /// decides.)
  ///
  /// - Parameter travel: the movement of the fingers, in window units.
  open func begins(after travel: WindowVector) -> Bool { travel.length >= minimumMovement }

  private var isUnmoved: Bool { base == .zero && travel == .zero && state == .possible }

  private func restart(at middle: WindowPoint) {
    base = travel
    anchor = middle
  }

  private func measure(at time: Timestamp, moved: Bool = true) {
    let middle = windowLocation
    if moved { noteSamples() }
    if anchor.isFinite && middle.isFinite { travel = base + middle.vector(from: anchor) }
    if moved { velocityTracker.note(x: travel.x, y: travel.y, at: time) }
    let velocity = velocityTracker.velocity(at: time)
    speed = WindowVector(x: velocity.x, y: velocity.y)
  }

  /// Notes a single finger's earlier places in this event, which after a long turn may contain a whole flick.
  private func noteSamples() {
    guard touches.count == 1, let touch = touches.first, anchor.isFinite else { return }
    for sample in touch.coalescedSamples.dropLast() where sample.location.isFinite {
      let travel = base + sample.location.vector(from: anchor)
      velocityTracker.note(x: travel.x, y: travel.y, at: sample.timestamp)
    }
  }
}
