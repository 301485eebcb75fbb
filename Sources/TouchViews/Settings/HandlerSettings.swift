import TouchCore

package struct HandlerSettings: Hashable, Sendable {
  /// The action of the handler, and its settings.
  package enum Kind: Hashable, Sendable {
    /// Starts a command at each of the triggers, never with a shell. The first word is a program: a path, or
    /// a bare name, which is searched in PATH. A process is ended after the time limit in seconds, if any.
    case exec(on: Set<HandlerTrigger>, command: [String], timeLimit: Double?)
    /// Loads a shared object. `path` is a path, or a bare file name, which is searched in the plugin folders.
    /// `configJSON` is one JSON object, keys in the file's order. `budget` is the longest call in seconds.
    case plugin(path: String, configJSON: String, budget: Double = HandlerSettings.defaultBudget)
    /// Starts a program that speaks the protocol on its standard input and output. `wants` is its
    /// default choice of events. `forwards` tells whether the next responder gets the touches too.
    case process(command: [String], wants: Set<ProcessEvent>, configJSON: String, forwards: Bool)
  }

  /// The default limit of a command's time, in seconds.
  package static let defaultTimeLimit = 10.0

  /// The default budget of a call into a plugin, in seconds.
  package static let defaultBudget = 0.005

  /// The name under which responders refer to the handler; unique in a file.
  package var name: String
  package var kind: Kind
  /// Whether the handler gets touches before the hit view, on the way down to it.
  package var captures: Bool

  package init(name: String, kind: Kind, captures: Bool = false) {
    (self.name, self.kind, self.captures) = (name, kind, captures)
  }
}

/// An event that a process handler can request of the responders and gestures that name it.
package enum ProcessEvent: String, CaseIterable, Sendable {
  /// Phases of a touch.
  case began, moved, ended, cancelled
  /// A finger that slides. Only views with `tracking: slide_over` report it.
  case entered, left
  /// An action of a control, and its value when a touch changes it.
  case action, value
  /// A gesture that begins, changes or ends.
  case gesture
  /// A key that is pressed while the responder is in the focus chain.
  case press
  case scanned
  /// The text of a field after each change by typing.
  case text

  /// The events of a process that requests none: all except movement.
  package static let usual: Set<ProcessEvent> = [.began, .ended, .cancelled, .action, .value, .gesture]

  /// Makes the event of a touch's phase; nil for stationary, which is not delivered.
  package init?(_ phase: Touch.Phase) {
    guard phase != .stationary else { return nil }
    self.init(rawValue: phase.rawValue)
  }
}

/// A trigger of an exec handler, by its name in a configuration.
package enum HandlerTrigger: String, CaseIterable, Sendable {
  /// Phases of a touch, and states of a gesture, where changed counts as moved.
  case began, moved, ended, cancelled
  /// A finger that slides. Only views with `tracking: slide_over` report it.
  case entered, left
  /// A touch that lifts inside: `touchUpInside` of a control, `ended` inside any other view.
  case pressed
  /// Actions of a control. (`Control.Action`)
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
  /// Events of a mouse or a tablet other than touches.
  case pointerEntered = "pointer_entered"
  case pointerMoved = "pointer_moved"
  case pointerLeft = "pointer_left"
  case pointerWheel = "pointer_wheel"
  case pointerPressed = "pointer_pressed"
  case pointerReleased = "pointer_released"
  case pointerCancelled = "pointer_cancelled"
  /// Phases of a key that is pressed while the responder is in the focus chain.
  case pressBegan = "press_began"
  case pressChanged = "press_changed"
  case pressEnded = "press_ended"
  case pressCancelled = "press_cancelled"
  case scanned

  /// Makes the trigger of a touch's phase; nil for stationary, which is not delivered.
  package init?(_ phase: Touch.Phase) { self.init(rawValue: phase.rawValue) }

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

  /// Makes the trigger of a gesture's state; nil for possible and failed, which are not delivered.
  package init?(_ state: GestureRecognizer.State) {
    self.init(rawValue: state == .changed ? "moved" : state.rawValue)
  }

  /// Makes the trigger of a press's phase; nil for stationary, which is not delivered.
  package init?(_ phase: Press.Phase) { self.init(rawValue: "press_" + phase.rawValue) }

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
