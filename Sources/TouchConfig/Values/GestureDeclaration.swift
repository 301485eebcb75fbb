public import TouchCore

extension Configuration {
  /// A gesture that a view, or the window, looks for. What is nil has the recogniser's own default.
  public struct Gesture: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
      case tap
      case longPress = "long_press"
      case pan, swipe, pinch, rotation
    }

    /// As written, or made up and unlike every id of the file.
    public var id: String
    public var kind: Kind
    /// Where in `views` the view is; nil for the window.
    public var owner: Int?
    /// How many fingers; only a pan has a range.
    public var touches: ClosedRange<Int>?
    /// How many taps: of a tap, or before a long press.
    public var taps: Int?
    /// The longest tap or swipe, or the shortest press, in seconds.
    public var duration: Double?
    /// The longest wait between taps, in seconds.
    public var interval: Double?
    /// How far fingers move before the gesture is found, or must not move, in window units.
    public var movement: Double?
    /// How far a swipe may stray to the side, in window units.
    public var deviation: Double?
    /// Those that a swipe may have.
    public var directions: Set<SwipeGestureRecognizer.Direction>?
    /// The names of the gesture's handlers.
    public var handlers: [String] = []
    /// The ids of gestures that must fail first.
    public var requireToFail: [String] = []
    /// The ids of gestures that may be found at the same time.
    public var simultaneousWith: [String] = []
    public var cancelsTouchesInView = true
    public var delaysTouchesBegan = false
    public var delaysTouchesEnded = true
    public var isEnabled = true
    /// Where the gesture begins in the file.
    public var place: SourceLocation

    public init(id: String, kind: Kind, owner: Int?, place: SourceLocation) {
      self.id = id
      self.kind = kind
      self.owner = owner
      self.place = place
    }
  }
}

extension Configuration.Gesture {
  /// The recogniser itself, without its relations and handlers.
  func makeRecognizer() -> GestureRecognizer {
    let recognizer: GestureRecognizer
    switch kind {
    case .tap: recognizer = makeTap()
    case .longPress: recognizer = makeLongPress()
    case .pan: recognizer = makePan()
    case .swipe: recognizer = makeSwipe()
    case .pinch: recognizer = setUp(PinchGestureRecognizer(id: id))
    case .rotation: recognizer = setUp(RotationGestureRecognizer(id: id))
    }
    recognizer.cancelsTouchesInView = cancelsTouchesInView
    recognizer.delaysTouchesBegan = delaysTouchesBegan
    recognizer.delaysTouchesEnded = delaysTouchesEnded
    recognizer.isEnabled = isEnabled
    return recognizer
  }

  private func makeTap() -> GestureRecognizer {
    let tap = TapGestureRecognizer(id: id)
    if let touches { tap.numberOfTouchesRequired = touches.lowerBound }
    if let taps { tap.numberOfTapsRequired = taps }
    if let duration { tap.maximumDuration = duration }
    if let interval { tap.maximumInterval = interval }
    if let movement { tap.allowableMovement = movement }
    return tap
  }

  private func makeLongPress() -> GestureRecognizer {
    let press = LongPressGestureRecognizer(id: id)
    if let touches { press.numberOfTouchesRequired = touches.lowerBound }
    if let taps { press.numberOfTapsRequired = taps }
    if let duration { press.minimumPressDuration = duration }
    if let movement { press.allowableMovement = movement }
    return press
  }

  private func makePan() -> GestureRecognizer {
    let pan = PanGestureRecognizer(id: id)
    if let touches {
      pan.minimumNumberOfTouches = touches.lowerBound
      pan.maximumNumberOfTouches = touches.upperBound
    }
    if let movement { pan.minimumMovement = movement }
    return pan
  }

  private func setUp(_ recognizer: PairGestureRecognizer) -> GestureRecognizer {
    if let movement { recognizer.minimumMovement = movement }
    return recognizer
  }

  private func makeSwipe() -> GestureRecognizer {
    let swipe = SwipeGestureRecognizer(id: id)
    if let touches { swipe.numberOfTouchesRequired = touches.lowerBound }
    if let directions { swipe.directions = directions }
    if let duration { swipe.maximumDuration = duration }
    if let movement { swipe.minimumMovement = movement }
    if let deviation { swipe.maximumDeviation = deviation }
    return swipe
  }
}
