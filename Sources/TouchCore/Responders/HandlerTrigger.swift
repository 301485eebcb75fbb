/// When a handler that is not told of everything is told, as configurations name it.
public enum HandlerTrigger: String, CaseIterable, Sendable {
  /// Phases of a touch; the states of a gesture too, where changed counts as moved.
  case began, moved, ended, cancelled
  /// Only for views that touches slide over.
  case entered, left
  /// A touch that lifts inside: touchUpInside of a control, ended inside any other view.
  case pressed
  /// What a control sends. (`Control.Action`)
  case touchDown = "touch_down"
  case touchDownRepeat = "touch_down_repeat"
  case touchDragInside = "touch_drag_inside"
  case touchDragOutside = "touch_drag_outside"
  case touchDragEnter = "touch_drag_enter"
  case touchDragExit = "touch_drag_exit"
  case touchUpInside = "touch_up_inside"
  case touchUpOutside = "touch_up_outside"
  case touchCancel = "touch_cancel"
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

  /// Every action is an occasion.
  public init(_ action: Control.Action) {
    switch action {
    case .touchDown: self = .touchDown
    case .touchDownRepeat: self = .touchDownRepeat
    case .touchDragInside: self = .touchDragInside
    case .touchDragOutside: self = .touchDragOutside
    case .touchDragEnter: self = .touchDragEnter
    case .touchDragExit: self = .touchDragExit
    case .touchUpInside: self = .touchUpInside
    case .touchUpOutside: self = .touchUpOutside
    case .touchCancel: self = .touchCancel
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
