import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// What handlers and observers get of private views: a pad with two keys in it, in a root view that has
/// handlers too.
@Suite("Private views") struct PrivacyTests {
  /// Writes down what it gets.
  private final class Listener: ControlHandler {
    let name: String
    let captures: Bool
    let isExternal: Bool
    private(set) var heard: [String] = []

    init(_ name: String, captures: Bool = false, isExternal: Bool = true) {
      (self.name, self.captures, self.isExternal) = (name, captures, isExternal)
    }

    func handle(
      _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
    ) -> Disposition {
      heard.append("\(phase.rawValue) \(touches[0].view?.id ?? "none")")
      return .forward
    }

    func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
      heard.append("\(action.rawValue) \(control.id)")
    }

    func handle(_ gesture: GestureRecognizer, event: Event) {
      heard.append("\(gesture.id) \(gesture.state.rawValue)")
    }

    func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
      heard.append("pointer \(pointer.view.id)")
      return .forward
    }
  }

  private let stage = Stage()
  private let root: View
  private let pad: View
  private let key: Button
  private let digit: Label
  private let lamp: View

  init() {
    root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
    pad = View(id: "pad", frame: LocalRect(x: 0, y: 0, width: 200, height: 200))
    key = Button(id: "key", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    digit = Label(id: "digit", frame: LocalRect(x: 100, y: 0, width: 100, height: 100))
    lamp = View(id: "lamp", frame: LocalRect(x: 200, y: 200, width: 100, height: 100))
    stage.add(root)
    stage.add(pad, to: root)
    stage.add(key, to: pad)
    stage.add(digit, to: pad)
    stage.add(lamp, to: root)
    // A key that forwards, so that the chain is walked to its end.
    key.forwards = true
    pad.isPrivate = true
  }

  /// Handlers of each responder, by its name.
  private func listen() -> [String: Listener] {
    var listeners: [String: Listener] = [:]
    for responder in [key, pad, root, stage.window, stage.application] as [Responder] {
      let listener = Listener(responder.id)
      responder.handlers = [listener]
      listeners[responder.id] = listener
    }
    return listeners
  }

  @Test func `handlers in the private view hear of it, and those around it do not`() throws {
    let listeners = listen()
    stage.tap(10, 10)
    let touch = ["began key", "ended key"]
    #expect(listeners["key"]?.heard.filter { touch.contains($0) } == touch)
    #expect(listeners["key"]?.heard.contains("touchUpInside key") == true)
    #expect(listeners["pad"]?.heard.filter { touch.contains($0) } == touch)
    // No action goes up to them either.
    for name in ["root", "window", "application"] { #expect(listeners[name]?.heard == [], "\(name)") }
    stage.tap(210, 210)
    for name in ["root", "window", "application"] {
      #expect(listeners[name]?.heard == ["began lamp", "ended lamp"], "\(name)")
    }
  }

  @Test func `what captures touches on their way down, and what hears of the pointer, is no exception`() {
    let capturing = Listener("capturing", captures: true)
    let pointing = Listener("pointing")
    root.handlers = [capturing, pointing]
    stage.tap(10, 10)
    let pointers = PointerDispatcher(window: stage.window)
    for point in [WindowPoint(x: 10, y: 10), WindowPoint(x: 10, y: 310)] {
      let change = PointerChange(kind: .wheel(x: 0, y: 1), device: DeviceID(rawValue: 1), location: point)
      pointers.dispatch([change], at: stage.time)
    }
    #expect(capturing.heard == ["pointer root"] && pointing.heard == ["pointer root"])
  }

  @Test func `the steps of the file itself are done wherever a finger is`() {
    let steps = Listener("steps", isExternal: false)
    root.handlers = [steps]
    stage.tap(10, 10)
    #expect(steps.heard == ["touchDown key", "began key", "touchUpInside key", "ended key"])
  }

  @Test(arguments: [(true, []), (false, ["tap ended"])] as [(Bool, [String])])
  func `a gesture of another view with a finger on the private one is kept from programs`(
    isExternal: Bool, expected: [String]
  ) {
    key.forwards = false
    let listener = Listener("listener", isExternal: isExternal)
    let tap = TapGestureRecognizer(id: "tap")
    tap.handlers = [listener]
    root.addGestureRecognizer(tap)
    stage.tap(110, 10)
    #expect(listener.heard == expected)
    stage.tap(110, 310)
    #expect(listener.heard.count == expected.count + 1)
  }

  /// Collects whether each step is private.
  private final class Steps: DispatchObserver {
    private(set) var open: [String] = []
    private(set) var closed = 0

    func observe(_ step: DispatchStep) {
      guard !step.isPrivate else {
        closed += 1
        return
      }
      open.append("\(step)".prefix { $0 != "(" }.description)
    }
  }

  @Test func `every step of a touch in it is private, but for the way there`() {
    let steps = Steps()
    stage.dispatcher.observer = steps
    stage.tap(10, 10)
    // Window and root are asked whether they are hit.
    #expect(Set(steps.open).isSubset(of: ["hitTest", "pointInside"]) && steps.closed > 10)
    key.text = "2"
    #expect(!steps.open.contains("text"))
  }

  @Test func `the outermost private view stands for what is in it`() {
    digit.isPrivate = true
    #expect(digit.disclosed === pad && key.disclosed === pad && pad.disclosed === pad)
    #expect(root.disclosed === root && root.privateView == nil && stage.window.containsPrivateViews)
    // A handler of the pad is not one of the private view in it.
    #expect(digit.isWithheld(from: pad) && !key.isWithheld(from: pad) && !digit.isWithheld(from: digit))
    #expect(key.isWithheld(from: stage.application))
  }

  @Test func `a label is a property like others, and private is none`() throws {
    try lamp.set([PropertyValue.Entry(key: "label", value: .text("Lamp"))])
    #expect(lamp.accessibilityLabel == "Lamp" && ViewProperty.label.value(of: lamp) == .text("Lamp"))
    try lamp.set([PropertyValue.Entry(key: "label", value: .text("none"))], isText: true)
    #expect(lamp.accessibilityLabel == nil && ViewProperty.label.value(of: lamp) == .null)
    #expect(throws: PropertyError.self) {
      try lamp.set([PropertyValue.Entry(key: "label", value: .text(" "))])
    }
    #expect(throws: PropertyError.self) {
      try lamp.set([PropertyValue.Entry(key: "private", value: .flag(false))])
    }
  }
}
