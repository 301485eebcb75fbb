import TouchCore

extension Configuration {
  /// A gesture that a view, or the window, looks for. What is nil has the recogniser's own default.
  package struct Gesture: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      case tap
      case longPress = "long_press"
      case pan, swipe, pinch, rotation
      case screenEdgePan = "screen_edge_pan"
    }

    /// The id as written, or one made up that is unlike every id of the file.
    package var id: String
    package var kind: Kind
    /// The index of the view in `views`; nil for the window.
    package var owner: Int?
    /// The number of fingers; only a pan has a range.
    package var touches: ClosedRange<Int>?
    /// The number of taps: of a tap, or before a long press.
    package var taps: Int?
    /// The longest tap or swipe, or the shortest press, in seconds.
    package var duration: Double?
    /// The longest wait between taps, in seconds.
    package var interval: Double?
    /// The distance that fingers move before the gesture is recognised, or must not move, in window units.
    package var movement: Double?
    /// The largest distance of a swipe to the side, in window units.
    package var deviation: Double?
    package var directions: Set<SwipeGestureRecognizer.Direction>?
    /// The edges of the screen at which a finger may begin, and how far from them, in window units.
    package var edges: Set<ScreenEdgePanGestureRecognizer.Edge>?
    package var edgeWidth: Double?
    /// The id of the view that a pan moves, a pinch scales and a rotation turns.
    package var transforms: String?
    package var handlers: [String] = []
    /// The ids of gestures that must fail first.
    package var requireToFail: [String] = []
    /// The ids of gestures that may be found at the same time.
    package var simultaneousWith: [String] = []
    package var cancelsTouchesInView = true
    package var delaysTouchesBegan = false
    package var delaysTouchesEnded = true
    package var isEnabled = true
    package var place: SourceLocation

    package init(id: String, kind: Kind, owner: Int?, place: SourceLocation) {
      (self.id, self.kind, self.owner, self.place) = (id, kind, owner, place)
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
    case .screenEdgePan: recognizer = makeScreenEdgePan()
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

  private func makeScreenEdgePan() -> GestureRecognizer {
    let pan = ScreenEdgePanGestureRecognizer(id: id)
    if let edges { pan.edges = edges }
    if let edgeWidth { pan.edgeWidth = edgeWidth }
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
