/// Two fingers that turn about each other. (`UIRotationGestureRecognizer`.)
public final class RotationGestureRecognizer: PairGestureRecognizer {
  /// How far the fingers turned, clockwise on the screen, in radians; several turns add up.
  /// (`UIRotationGestureRecognizer.rotation`.)
  public private(set) var rotation = 0.0

  /// The pair as it was last seen.
  private var last: FingerPair?

  public override var kind: String { "rotation" }

  public override var values: GestureValues {
    var values = GestureValues()
    values.angle = rotation
    values.angularVelocity = velocity
    return values
  }

  override var measure: Double { rotation }

  override func start(_ pair: FingerPair?) { last = pair }

  override func follow(_ pair: FingerPair) -> Double {
    guard let before = last else { return 0 }
    rotation += before.way.angle(to: pair.way)
    last = pair
    return abs(rotation) * pair.distance / 2
  }

  public override func reset() {
    rotation = 0
    super.reset()
  }
}
