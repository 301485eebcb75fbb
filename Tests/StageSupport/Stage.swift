import TouchCore
import TouchViews

/// A window of 400×400 with a few views, a dispatcher, and a diary of everything that was delivered.
public final class Stage {
  public let application = ApplicationResponder()
  public let window = Window(size: Size(width: 400, height: 400))
  public let diary = Diary()
  public let dispatcher: Dispatcher
  public let presses: PressDispatcher
  public private(set) var time = Timestamp.zero

  public init() {
    dispatcher = Dispatcher(window: window)
    presses = PressDispatcher(window: window)
    window.application = application
    dispatcher.observer = diary
  }

  /// Adds a view to the window, or to another view.
  @discardableResult
  public func add<V: View>(_ view: V, to parent: View? = nil) -> V {
    (parent ?? window).addSubview(view)
    return view
  }

  /// One frame, 10 ms after the one before.
  public func frame(_ changes: (serial: Int, kind: TouchChange.Kind, x: Double, y: Double)...) {
    time.microseconds += 10_000
    dispatcher.dispatch(
      changes.map {
        TouchChange(
          contact: ContactID(device: DeviceID(rawValue: 1), serial: $0.serial), kind: $0.kind,
          location: WindowPoint(x: $0.x, y: $0.y))
      }, at: time)
  }

  public func wait(seconds: Double) {
    time.microseconds += Int64(seconds * 1_000_000)
  }

  /// Lets time pass, and tells the dispatcher.
  public func rest(seconds: Double) {
    wait(seconds: seconds)
    dispatcher.advance(to: time)
  }

  /// Fingers down, by each point, and up, all in step; each delivered at once.
  public func drag(_ paths: [(x: Double, y: Double)]..., firstSerial: Int = 1) {
    for step in 0...(paths[0].count) {
      time.microseconds += 10_000
      let kind: TouchChange.Kind = step == 0 ? .began : step == paths[0].count ? .ended : .moved
      dispatcher.dispatch(
        paths.enumerated().map { index, path in
          let point = path[min(step, path.count - 1)]
          return TouchChange(
            contact: ContactID(device: DeviceID(rawValue: 1), serial: firstSerial + index), kind: kind,
            location: WindowPoint(x: point.x, y: point.y))
        }, at: time)
      dispatcher.flush()
    }
  }

  /// What one key of a keyboard does, 10 ms after what was before.
  public func key(
    _ kind: PressChange.Kind, _ code: KeyCode, typing text: String = "", with modifiers: KeyModifiers = [],
    device: Int = 9
  ) {
    time.microseconds += 10_000
    let key = Key(code, characters: text, modifierFlags: modifiers)
    presses.dispatch([PressChange(device: DeviceID(rawValue: device), kind: kind, key: key)], at: time)
  }

  /// A key down and up.
  public func press(_ code: KeyCode, typing text: String = "", with modifiers: KeyModifiers = []) {
    key(.began, code, typing: text, with: modifiers)
    key(.ended, code)
  }

  /// What is focused, with its part: `list.2`; nil for nothing.
  public var focused: String? {
    window.focusSystem.focusedItem.map { item in
      item.view.id + (item.part.map { ".\($0)" } ?? "")
    }
  }

  public func tap(_ x: Double, _ y: Double, serial: Int = 1) {
    drag([(x, y)], firstSerial: serial)
  }
}

/// What was delivered, as `responder.phase`, and what controls sent.
public final class Diary: DispatchObserver {
  public private(set) var lines: [String] = []
  public private(set) var hits: [String] = []
  public private(set) var hitTests = 0

  init() {}

  public func observe(_ step: DispatchStep) {
    switch step {
    case .touch(let touch, let responder, _, let captured):
      lines.append((captured ? "captured " : "") + "\(responder.id).\(touch.phase.rawValue) \(touch.id)")
    case .report:
      if case .control(let control, let action, _)? = step.viewStep {
        lines.append("\(control.id).\(action.rawValue)")
      }
    case .hit(_, let view): hits.append(view?.id ?? "none")
    case .gesture(let gesture): lines.append("\(gesture.id).\(gesture.state.rawValue)")
    case .dropped(let touch): lines.append("dropped \(touch.id)")
    case .press(let press, let responder, _):
      lines.append("\(responder.id).\(press.phase.rawValue) \(press.key.keyCode.name)")
    case .hitTest(let view, _): hitTests += view is Window ? 1 : 0
    default: break
    }
  }

  public func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
