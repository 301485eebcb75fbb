/// When a handler that is not told of everything is told, as configurations name it.
public enum Occasion: String, CaseIterable, Sendable {
  /// Phases of a touch; the states of a gesture too, where changed counts as moved.
  case began, moved, ended, cancelled
  /// Only for views that touches slide over.
  case entered, left
  /// What a mouse or a tablet does besides touching.
  case pointerEntered = "pointer_entered"
  case pointerMoved = "pointer_moved"
  case pointerLeft = "pointer_left"
  case pointerWheel = "pointer_wheel"
  case pointerPressed = "pointer_pressed"
  case pointerReleased = "pointer_released"
  case pointerCancelled = "pointer_cancelled"

  /// Nil for stationary, of which nobody is told.
  public init?(_ phase: Touch.Phase) {
    switch phase {
    case .began: self = .began
    case .moved: self = .moved
    case .ended: self = .ended
    case .cancelled: self = .cancelled
    case .entered: self = .entered
    case .left: self = .left
    case .stationary: return nil
    }
  }

  /// Nil for the states of which no handler is told.
  public init?(_ state: GestureRecognizer.State) {
    switch state {
    case .began: self = .began
    case .changed: self = .moved
    case .ended: self = .ended
    case .cancelled: self = .cancelled
    case .possible, .failed: return nil
    }
  }

  /// Every kind is an occasion.
  public init(_ kind: PointerEvent.Kind) {
    switch kind {
    case .entered: self = .pointerEntered
    case .moved: self = .pointerMoved
    case .left: self = .pointerLeft
    case .wheel: self = .pointerWheel
    case .pressed: self = .pointerPressed
    case .released: self = .pointerReleased
    case .cancelled: self = .pointerCancelled
    }
  }
}
