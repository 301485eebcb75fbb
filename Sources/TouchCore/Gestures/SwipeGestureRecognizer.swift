/// A fast movement in one direction. (`UISwipeGestureRecognizer`.)
///
/// It is recognised as soon as the fingers have gone far enough, while they are still down.
public final class SwipeGestureRecognizer: GestureRecognizer {
  /// The direction of a swipe in the window. (`UISwipeGestureRecognizer.Direction`.)
  public enum Direction: String, CaseIterable, Sendable {
    /// From left to right.
    case right
    /// From right to left.
    case left
    /// From the lower edge to the upper one.
    case up
    /// From the upper edge to the lower one.
    case down
  }

  /// The directions that are recognised.
  public var directions: Set<Direction> = [.right]
  /// The exact number of fingers. (`UISwipeGestureRecognizer.numberOfTouchesRequired`.)
  public var numberOfTouchesRequired = 1
  /// The distance that the fingers have to go, in window units.
  public var minimumMovement = 50.0
  /// The largest deviation to the side, in window units.
  public var maximumDeviation = 50.0
  /// The longest duration, in seconds.
  public var maximumDuration = 0.5

  private var due: Timestamp?
  private var found: Direction?
  private var start: WindowPoint?

  public override var kind: String { "swipe" }

  /// The middle of the places where the fingers went down. (`UISwipeGestureRecognizer.h`)
  override var foundLocation: WindowPoint? { start }

  public override var deadline: Timestamp? { wanted == nil ? due : nil }

  public override var values: GestureValues {
    var values = GestureValues()
    values.direction = found
    return values
  }

  public override func deadlinePassed(with event: Event) { transition(to: .failed) }

  public override func touchesBegan(_ touches: [Touch], with event: Event) {
    if due == nil { due = event.timestamp.advanced(bySeconds: maximumDuration) }
    if self.touches.count > numberOfTouchesRequired { transition(to: .failed) }
  }

  public override func touchesMoved(_ touches: [Touch], with event: Event) { evaluate() }

  public override func touchesEnded(_ touches: [Touch], with event: Event) {
    evaluate()
    if wanted == nil { transition(to: .failed) }
  }

  public override func reset() {
    due = nil
    found = nil
    start = nil
  }

  /// The movement of the middle of the fingers since they went down.
  private var travel: WindowVector {
    var travel = WindowVector.zero
    for touch in touches { travel = travel + touch.location.vector(from: touch.beganSample.location) }
    let count = Double(max(touches.count, 1))
    return WindowVector(x: travel.x / count, y: travel.y / count)
  }

  private func evaluate() {
    guard wanted == nil else { return }
    let travel = travel
    let isAcross = abs(travel.x) >= abs(travel.y)
    let (along, aside) = isAcross ? (travel.x, travel.y) : (travel.y, travel.x)
    let direction: Direction = isAcross ? (along > 0 ? .right : .left) : (along > 0 ? .down : .up)
    if abs(aside) > maximumDeviation { return transition(to: .failed) }
    guard abs(along) >= minimumMovement else { return }
    guard directions.contains(direction) else { return transition(to: .failed) }
    guard touches.count == numberOfTouchesRequired else { return }
    found = direction
    start = Self.middle(of: touches.lazy.map(\.beganSample.location))
    transition(to: .ended)
  }
}
