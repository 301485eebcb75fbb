import TouchCore

extension ViewKind {
  package static let control = ViewKind(
    "control", "a control", "controls", .actions, .number(isStepped: false)
  ) {
    Control(id: $0)
  }
}

/// A view that turns touches into actions and does not forward them. (`UIControl`.)
///
/// For each touch it sends touchDown, then touchDragInside or touchDragOutside for each move. A touch that
/// crosses the border sends touchDragEnter or touchDragExit before. The end is touchUpInside, touchUpOutside
/// or touchCancel. (`UIControl.beginTracking(_:with:)` and those after it.)
open class Control: View {
  /// An action that a control sends to its handlers. (`UIControl.Event`.)
  public enum Action: String, CaseIterable, Sendable {
    /// A finger went down on the control.
    case touchDown
    /// A finger went down again, within the time of a repeated tap.
    case touchDownRepeat
    /// The finger moved inside of the control or near it.
    case touchDragInside
    /// The finger moved farther away.
    case touchDragOutside
    /// The finger came back.
    case touchDragEnter
    /// The finger left.
    case touchDragExit
    /// The finger lifted inside of the control or near it: the control was pressed.
    case touchUpInside
    /// The finger lifted farther away.
    case touchUpOutside
    /// The touch was cancelled. Its effects are to be undone.
    case touchCancel
    /// A touch changed the control's value. A program that sets the value does not cause it.
    case valueChanged
    /// An action behind a row of a list was done: see `ListView.swiped`. (`UIContextualAction`'s handler.)
    case rowAction
    /// Editing of a text field began. (`editingDidBegin`)
    case editingBegan
    /// The text of a text field changed, other than by a program. (`editingChanged`)
    case editingChanged
    /// Editing of a text field ended. (`editingDidEnd`)
    case editingEnded
    /// The return key was pressed in a text field. (`editingDidEndOnExit`)
    case returned
  }

  /// Whether the control can be hit. A control that is disabled during a touch
  /// follows it to its end. (`UIControl.isEnabled`.)
  public final var isEnabled: Bool {
    get { !isDisabled }
    set {
      let old = ownStates
      isDisabled = !newValue
      if old != ownStates { fadeStates(from: old) }
    }
  }
  /// Whether a touch is on the control and inside its tracking area. (`UIControl.isHighlighted`.)
  public internal(set) final var isHighlighted = false {
    didSet {
      guard oldValue != isHighlighted else { return }
      setNeedsDisplay()
      fadeStates(from: ControlStates(isPressed: oldValue, isSelected: isSelected, isDisabled: isDisabled))
    }
  }
  /// Whether the control is drawn as selected. Only the program changes it. (`UIControl.isSelected`.)
  public final var isSelected = false {
    didSet {
      guard oldValue != isSelected else { return }
      setNeedsDisplay()
      fadeStates(from: ControlStates(isPressed: isHighlighted, isSelected: oldValue, isDisabled: isDisabled))
    }
  }
  /// The value of the control with its limits and its step; nil for a control without one, such as a button.
  /// Setting it sends no action. Controls of a kind have it as a plain number too, such as `Slider.value`.
  open var controlValue: ControlValue? {
    get { storedValue }
    set {
      let old = storedValue
      guard newValue != old else { return }
      let window = window
      window?.motion?.willDraw(self, isShown: true)
      storedValue = newValue
      timesSet &+= 1
      changes &+= 1
      valueDidChange(from: old)
      window?.observe(ViewStep.value(self))
    }
  }
  final var storedValue: ControlValue?

  /// The text that it shows, or its value.
  open override var spokenValue: String? {
    shownText ?? controlValue.map { $0.isFlag ? ($0.isOn ? "on" : "off") : $0.text }
  }

  /// The distance from the bounds, in the control's own units, up to which a touch that began on it counts as
  /// inside. iOS uses 70 points.
  public final var trackingOutset = 70.0

  /// The row of a list whose action was done last, and that action; nil for a control without such rows.
  package var doneRowAction: (row: Int, action: String)? { nil }

  /// The words for the values between two limits, where a file can write them otherwise than as numbers: "a
  /// time from 06:30 to 21:00".
  package func words(from minimum: Double, to maximum: Double) -> String? { nil }

  /// The advice for a step that the control cannot have; nil for one that it can.
  package func advice(forStep step: Double) -> String? { nil }

  /// Whether the letters that it holds are kept from everybody, and so are not copied.
  package var isConfidential: Bool { false }

  /// Whether an action comes after the end of the touch that caused it.
  package func comesLate(_ action: Action) -> Bool { false }

  /// The touch that is being tracked, and whether it was inside when it was last seen.
  private var tracked: (touch: Touch, wasInside: Bool)?
  /// The tracked touch. (`UIControl.isTracking`.)
  public final var trackedTouch: Touch? { tracked?.touch }
  /// Whether the tracked touch was inside the tracking area at its last report. (`UIControl.isTouchInside`.)
  public final var isTouchInside: Bool { tracked?.wasInside ?? false }
  private var slidingTouches = 0

  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    isControl = true
    forwards = false
    mayRepeatDeadline = true
  }

  open override class var standardHitTestClass: View.Type { Control.self }

  open override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    if tracked == nil, let touch = touches.first(where: { beginTracking($0, with: event) }) {
      tracked = (touch, true)
      isHighlighted = true
      send(.touchDown, touch, event)
      if touch.tapCount > 1 { send(.touchDownRepeat, touch, event) }
    }
    return super.touchesBegan(touches, with: event)
  }

  open override func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition {
    if let (touch, wasInside) = tracked, touches.contains(where: { $0 === touch }) {
      let inside = isInsideTrackingArea(touch)
      tracked?.wasInside = inside
      isHighlighted = inside || slidingTouches > 0
      continueTracking(touch, with: event)
      if inside != wasInside { send(inside ? .touchDragEnter : .touchDragExit, touch, event) }
      send(inside ? .touchDragInside : .touchDragOutside, touch, event)
    }
    return super.touchesMoved(touches, with: event)
  }

  open override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    if let touch = tracked?.touch, touches.contains(where: { $0 === touch }) {
      let inside = isInsideTrackingArea(touch)
      tracked?.wasInside = inside
      endTracking(touch, with: event)
      stopTracking()
      send(inside ? .touchUpInside : .touchUpOutside, touch, event)
    }
    return super.touchesEnded(touches, with: event)
  }

  open override func touchesCancelled(_ touches: [Touch], with event: Event) -> Disposition {
    if let touch = tracked?.touch, touches.contains(where: { $0 === touch }) {
      cancelTracking(touch, with: event)
      stopTracking()
      send(.touchCancel, touch, event)
    }
    return super.touchesCancelled(touches, with: event)
  }

  // MARK: Focus

  /// Whether keys can reach the control; true unless `isFocusable` is false.
  open override var canBecomeFocused: Bool { isFocusable ?? true }

  /// Returns whether keys change the value, which is a number with a range. A press turns a switch over.
  open override func canAdjustFocus(of part: Int?) -> Bool {
    guard focusPartCount == 0, let value = controlValue else { return false }
    return !value.isFlag && value.maximum > value.minimum
  }

  /// Changes the value by its step, or without one by a twentieth of its range.
  open override func adjustFocus(
    of part: Int?, by steps: Int, wraps: Bool, _ touch: Touch, _ event: Event
  ) {
    guard let old = controlValue else { return }
    var new = old
    let step = old.step > 0 ? old.step : (old.maximum - old.minimum) / 20
    for _ in 0..<abs(steps) {
      let isEnd = new.number == (steps > 0 ? old.maximum : old.minimum)
      new.number =
        isEnd && wraps ? (steps > 0 ? old.minimum : old.maximum) : new.neighbor(above: steps > 0, by: step)
    }
    guard new != old else { return }
    controlValue = new
    send(.valueChanged, touch, event)
  }

  // MARK: Tracking

  /// Begins to track a touch. Returns whether the control follows it; by default true. Otherwise the
  /// touch causes no action, and the control is not highlighted. (`UIControl.beginTracking(_:with:)`.)
  open func beginTracking(_ touch: Touch, with event: Event) -> Bool { true }

  /// Follows a move of the tracked touch, before the drag actions. (`UIControl.continueTracking(_:with:)`.)
  open func continueTracking(_ touch: Touch, with event: Event) {}

  /// Ends tracking, before touchUpInside or touchUpOutside. (`UIControl.endTracking(_:with:)`.)
  open func endTracking(_ touch: Touch, with event: Event) {}

  /// Cancels tracking, before touchCancel. (`UIControl.cancelTracking(with:)`.)
  open func cancelTracking(_ touch: Touch, with event: Event) {}

  /// Redraws the value after a change, by a touch or by a program.
  func valueDidChange(from old: ControlValue?) {}

  open override func touchEntered(_ touch: Touch, with event: Event) -> Disposition {
    // The control's own touch causes its actions in `touchesMoved`.
    if touch.view !== self {
      slidingTouches += 1
      isHighlighted = true
      send(.touchDragEnter, touch, event)
    }
    return super.touchEntered(touch, with: event)
  }

  open override func touchLeft(
    _ touch: Touch, _ reason: Touch.Leaving, with event: Event
  ) -> Disposition {
    if touch.view !== self {
      slidingTouches -= 1
      isHighlighted = slidingTouches > 0 || (tracked?.wasInside ?? false)
      switch reason {
      case .moved: send(.touchDragExit, touch, event)
      case .ended: send(.touchUpInside, touch, event)
      case .cancelled: send(.touchCancel, touch, event)
      }
    }
    return super.touchLeft(touch, reason, with: event)
  }

  // MARK: Appearance

  /// Whether the states change the background. Controls with parts show their states on these.
  var showsStatesBehind: Bool { true }
  /// Whether the control draws its background where it belongs.
  var paintsOwnBackground: Bool { false }
  /// The border of the present state; nil for that of the control.
  var stateBorder: Appearance.Border? { nil }
  /// The colour of the ring around a selected control.
  var markColor: Color { .white }
  var drawsIntoCorners: Bool { false }

  private func stopTracking() {
    tracked = nil
    deadline = nil
    isHighlighted = slidingTouches > 0
  }

  func isInsideTrackingArea(_ touch: Touch) -> Bool {
    // A finger that slides is in one view at a time.
    if touch.isSliding { return touch.slidOver === self }
    return bounds.outset(by: trackingOutset).contains(touch.location(in: self))
  }

  /// Returns whether a recogniser of another view waits for one tap of one finger.
  final func isSingleTap(ofOther recognizer: GestureRecognizer) -> Bool {
    guard let tap = recognizer as? TapGestureRecognizer, tap.view !== self else { return false }
    return tap.numberOfTapsRequired == 1 && tap.numberOfTouchesRequired == 1
  }

  /// Sends an action to the control's handlers, and up the responder chain to those of its ancestors, the
  /// window and the application, once to each. A private view around the control withholds it from handlers
  /// outside: see `View.isWithheld`. A subclass whose value a touch changes sends `valueChanged` afterwards.
  /// (`UIControl.sendActions(for:)`, `UIApplication.sendAction(_:to:from:for:)` to nil.)
  public final func send(_ action: Action, _ touch: Touch, _ event: Event) {
    event.observer?.observe(.report(ViewStep.control(self, action: action, touch: touch)))
    for handler in handlers { handler.handle(action, touch: touch, event: event, from: self) }
    if let chain = touch.chain, let start = chain.responders.firstIndex(where: { $0 === self }) {
      send(action, touch, event, up: chain.responders[start...])
    } else {
      // The chain is another view's if a finger slid here, or a program sends the action.
      send(action, touch, event, up: ResponderChain(from: self).responders[...])
    }
  }

  /// Sends an action that a key, a letter or a program causes. Handlers get a touch without
  /// a finger, with the id 0, in the middle of the control. (`UIControl.sendActions(for:)`.)
  public final func send(_ action: Action) {
    let dispatcher = window?.dispatcher
    let time = dispatcher.map { max($0.present, $0.eventTime ?? $0.present) } ?? .zero
    let middle = convertToWindow(LocalPoint(x: bounds.midX, y: bounds.midY))
    send(
      action, Touch(ofNoFingerAt: middle, timestamp: time),
      dispatcher?.currentEvent ?? Event(at: time, observer: dispatcher?.observer))
  }

  /// - Parameter chain: the chain from this control on.
  private func send(_ action: Action, _ touch: Touch, _ event: Event, up chain: ArraySlice<Responder>) {
    for index in chain.indices.dropFirst() where !chain[index].handlers.isEmpty {
      let isWithheld = isWithheld(from: chain[index])
      for handler in chain[index].handlers
      where !(isWithheld && handler.isExternal)
        && !chain[..<index].contains(where: { $0.handlers.contains { $0 === handler } })
      {
        handler.handle(action, touch: touch, event: event, from: self)
      }
    }
  }
}

extension View {
  /// The touch that a control tracks; nil for any other view.
  package final var controlTouch: Touch? { control?.trackedTouch }

  /// The view as a control; nil for any other view.
  package final var control: Control? { isControl ? unsafeDowncast(self, to: Control.self) : nil }
}

extension Control.Action: ViewAction {}

/// A handler that gets the actions of controls.
public protocol ControlHandler: Handler {
  /// Handles an action of the control to which the handler is attached, or of one whose chain contains the
  /// handler's responder. Actions go up the chain whether or not touches are forwarded.
  /// (`UIApplication.sendAction(_:to:from:for:)` to nil.)
  func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control)
}

extension ControlHandler {
  /// Passes on the actions of controls, and ignores those of other views.
  public func handle(_ action: some ViewAction, touch: Touch, event: Event, from view: View) {
    guard let action = action as? Control.Action, let control = view.control else { return }
    handle(action, touch: touch, event: event, from: control)
  }
}
