import TouchCore

/// The settings of one handler, as a configuration declares it.
package struct HandlerSettings: Hashable, Sendable {
  /// What the handler does, and with what.
  package enum Kind: Hashable, Sendable {
    /// Starts a command at each of the triggers; never with a shell. The first word is a program: a bare name, which is
    /// searched in PATH, or a path. A process that takes longer than the limit, in seconds, is ended; nil for no limit.
    case exec(on: Set<HandlerTrigger>, command: [String], timeLimit: Double?)
    /// Loads a shared object. `path` is a bare file name, which is searched in the plugin folders, or a path;
    /// `configJSON` is one JSON object, keys in the file's order; `budget`: how long a call may take, in seconds.
    case plugin(path: String, configJSON: String, budget: Double = HandlerSettings.defaultBudget)
    /// Starts a program that speaks the protocol on its standard input and output. `wants` is what it gets unless it says
    /// otherwise; `forwards`: whether the next responder gets the touches too.
    case process(command: [String], wants: Set<ProcessEvent>, configJSON: String, forwards: Bool)
  }

  /// How long a command may run where no limit is given, in seconds.
  package static let defaultTimeLimit = 10.0

  /// How long a call into a plugin may take where no budget is given, in seconds.
  package static let defaultBudget = 0.005

  /// The name under which responders refer to the handler; unique in a file.
  package var name: String
  package var kind: Kind
  /// Whether the handler gets touches before the hit view does, on the way down to it.
  package var captures: Bool

  package init(name: String, kind: Kind, captures: Bool = false) {
    self.name = name
    self.kind = kind
    self.captures = captures
  }
}

/// What a process handler can ask for, of the responders and gestures that name it.
package enum ProcessEvent: String, CaseIterable, Sendable {
  /// Phases of a touch.
  case began, moved, ended, cancelled
  /// Only for views with `tracking: slide_over`.
  case entered, left
  /// What a control sends, and its value when a touch changes it.
  case action, value
  /// A gesture that begins, changes or ends.
  case gesture
  /// A key that is pressed while the responder is in the chain of what is focused.
  case press
  /// What a barcode scanner has read.
  case scanned
  /// What is written in a text field, after each change that is typed.
  case text

  /// What a process gets that asks for nothing else: everything but movement.
  package static let usual: Set<ProcessEvent> = [.began, .ended, .cancelled, .action, .value, .gesture]

  /// The event of a touch's phase; nil for stationary, which is not delivered.
  package init?(_ phase: Touch.Phase) {
    guard phase != .stationary else { return nil }
    self.init(rawValue: phase.rawValue)
  }
}

/// What an exec handler can be set to run on, by its name in a configuration.
package enum HandlerTrigger: String, CaseIterable, Sendable {
  /// Phases of a touch; the states of a gesture too, where changed counts as moved.
  case began, moved, ended, cancelled
  /// Only for views with `tracking: slide_over`.
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
  case valueChanged = "value_changed"
  case rowAction = "row_action"
  case editingBegan = "editing_began"
  case editingChanged = "editing_changed"
  case editingEnded = "editing_ended"
  case returned
  /// What a mouse or a tablet does other than touching.
  case pointerEntered = "pointer_entered"
  case pointerMoved = "pointer_moved"
  case pointerLeft = "pointer_left"
  case pointerWheel = "pointer_wheel"
  case pointerPressed = "pointer_pressed"
  case pointerReleased = "pointer_released"
  case pointerCancelled = "pointer_cancelled"
  /// What a key does while the responder is in the chain of what is focused.
  case pressBegan = "press_began"
  case pressChanged = "press_changed"
  case pressEnded = "press_ended"
  case pressCancelled = "press_cancelled"
  /// A barcode scanner has read a text.
  case scanned

  /// The trigger of a touch's phase; nil for stationary, which is not delivered.
  package init?(_ phase: Touch.Phase) {
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

  /// The trigger of a control's action.
  package init(_ action: Control.Action) {
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
    case .valueChanged: self = .valueChanged
    case .rowAction: self = .rowAction
    case .editingBegan: self = .editingBegan
    case .editingChanged: self = .editingChanged
    case .editingEnded: self = .editingEnded
    case .returned: self = .returned
    }
  }

  /// The trigger of a gesture's state; nil for possible and failed, which are not delivered.
  package init?(_ state: GestureRecognizer.State) {
    switch state {
    case .began: self = .began
    case .changed: self = .moved
    case .ended: self = .ended
    case .cancelled: self = .cancelled
    case .possible, .failed: return nil
    }
  }

  /// The trigger of a press's phase; nil for stationary, which is not delivered.
  package init?(_ phase: Press.Phase) {
    switch phase {
    case .began: self = .pressBegan
    case .changed: self = .pressChanged
    case .ended: self = .pressEnded
    case .cancelled: self = .pressCancelled
    case .stationary: return nil
    }
  }

  /// The trigger of a pointer event.
  package init(_ kind: PointerEvent.Kind) {
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
