import CTouchtree
import TouchCore

/// Describes gestures to a plugin.
final class GestureDescriber {
  private let identifiers = IdentifierTable()

  /// Its texts are valid until the next call.
  func describe(_ gesture: GestureRecognizer, state: Int32, event: Event) -> touchtree_gesture {
    identifiers.beginCall()
    let place = gesture.location(in: gesture.view)
    let values = gesture.values
    return touchtree_gesture(
      size: UInt32(MemoryLayout<touchtree_gesture>.size),
      state: state,
      time_us: event.timestamp.microseconds,
      gesture: identifiers.text(of: gesture.id),
      view: identifiers.text(of: gesture.view?.id ?? ""),
      kind: gesture.kindCode,
      direction: values.direction?.code ?? TOUCHTREE_DIRECTION_NONE,
      touches: UInt32(clamping: gesture.touches.count),
      reserved: 0,
      x: place.x, y: place.y,
      window_x: gesture.windowLocation.x, window_y: gesture.windowLocation.y,
      translation_x: values.translation?.x ?? .nan, translation_y: values.translation?.y ?? .nan,
      velocity_x: values.velocity?.x ?? .nan, velocity_y: values.velocity?.y ?? .nan,
      scale: values.scale ?? .nan, scale_velocity: values.scaleVelocity ?? .nan,
      angle: values.angle ?? .nan, angular_velocity: values.angularVelocity ?? .nan)
  }
}

extension GestureRecognizer {
  /// 0 for one of a kind that the interface does not know.
  fileprivate var kindCode: Int32 {
    switch self {
    case is TapGestureRecognizer: TOUCHTREE_TAP
    case is LongPressGestureRecognizer: TOUCHTREE_LONG_PRESS
    case is PanGestureRecognizer: TOUCHTREE_PAN
    case is SwipeGestureRecognizer: TOUCHTREE_SWIPE
    case is PinchGestureRecognizer: TOUCHTREE_PINCH
    case is RotationGestureRecognizer: TOUCHTREE_ROTATION
    default: 0
    }
  }
}

extension GestureRecognizer.State {
  /// Nil for what no handler hears of.
  var code: Int32? {
    switch self {
    case .began: TOUCHTREE_GESTURE_BEGAN
    case .changed: TOUCHTREE_GESTURE_CHANGED
    case .ended: TOUCHTREE_GESTURE_ENDED
    case .cancelled: TOUCHTREE_GESTURE_CANCELLED
    case .possible, .failed: nil
    }
  }
}

extension SwipeGestureRecognizer.Direction {
  fileprivate var code: Int32 {
    switch self {
    case .right: TOUCHTREE_DIRECTION_RIGHT
    case .left: TOUCHTREE_DIRECTION_LEFT
    case .up: TOUCHTREE_DIRECTION_UP
    case .down: TOUCHTREE_DIRECTION_DOWN
    }
  }
}
