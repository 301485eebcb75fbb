import Testing
import TouchCore
import TouchInput

/// A mouse's frames, and what responders receive.
///
///     window 400×300 ─┬─ panel 0,0 200×300 ── knob 50,50 100×100
///                     └─ other 200,0 200×300
@Suite struct PointerTests {
  private final class Room {
    let window = Window(size: Size(width: 400, height: 300))
    let panel = View(id: "panel", frame: LocalRect(x: 0, y: 0, width: 200, height: 300))
    let knob = View(id: "knob", frame: LocalRect(x: 50, y: 50, width: 100, height: 100))
    let other = View(id: "other", frame: LocalRect(x: 200, y: 0, width: 200, height: 300))
    let dispatcher: Dispatcher
    let pointers: PointerDispatcher
    let mouse: TouchSource
    let diary = PointerDiary()
    var pointer = Pointer(bounds: WindowRect(x: 0, y: 0, width: 400, height: 300))
    private var time = Timestamp.zero

    init(kind: DeviceKind = .relativePointer, speed: Double = 1) {
      window.addSubview(panel)
      panel.addSubview(knob)
      window.addSubview(other)
      dispatcher = Dispatcher(window: window)
      pointers = PointerDispatcher(window: window)
      for responder in [window, panel, knob, other] { responder.handlers = [diary] }
      var capabilities = DeviceCapabilities()
      capabilities.axes[EventCode.absX] = AxisRange(minimum: 0, maximum: 399)
      capabilities.axes[EventCode.absY] = AxisRange(minimum: 0, maximum: 299)
      mouse = TouchSource(
        device: DeviceID(rawValue: 3), kind: kind, capabilities: capabilities, initial: InitialState(),
        speed: speed, geometry: DisplayGeometry(displaySize: Size(width: 400, height: 300)))
    }

    /// Plays frames of one turn, `CODE=VALUE` separated by spaces, and returns what was received.
    func play(_ frames: String...) -> [String] {
      for events in frames {
        time.microseconds += 8000
        var changes: [TouchChange] = []
        let frame = InputFrame(time: time, events: events.split(separator: " ").map(Self.event))
        mouse.apply(frame, pointer: &pointer, into: &changes)
        pointers.dispatch(pointer.changes, at: time)
        pointer.removeChanges()
        dispatcher.dispatch(changes, at: time)
      }
      dispatcher.flush()
      pointers.flush()
      return diary.take()
    }

    private static func event(_ text: Substring) -> RawEvent {
      let parts = text.split(separator: "=")
      let codes: [Substring: (UInt16, UInt16)] = [
        "x": (EventCode.rel, EventCode.relX), "y": (EventCode.rel, EventCode.relY),
        "wheel": (EventCode.rel, EventCode.relWheel), "fine": (EventCode.rel, EventCode.relWheelHiRes),
        "hwheel": (EventCode.rel, EventCode.relHWheel), "hfine": (EventCode.rel, EventCode.relHWheelHiRes),
        "left": (EventCode.key, EventCode.btnLeft), "right": (EventCode.key, 0x111),
        "middle": (EventCode.key, 0x112), "task": (EventCode.key, 0x117), "joystick": (EventCode.key, 0x120),
        "X": (EventCode.abs, EventCode.absX), "Y": (EventCode.abs, EventCode.absY),
      ]
      let (type, code) = codes[parts[0]] ?? (0, 0)
      return RawEvent(type: type, code: code, value: Int32(parts[1]) ?? 0)
    }
  }

  /// Into the top left corner, and from there to a place.
  private func at(_ x: Int, _ y: Int) -> String { "x=\(x) y=\(y)" }
  private let corner = "x=-1000 y=-1000"

  // MARK: Hover

  @Test func `the view under the pointer and all around it are entered moved on and left`() {
    let room = Room()
    #expect(
      room.play(corner, at(60, 70)) == [
        "window entered (60, 70) knob", "panel entered (60, 70) knob", "knob entered (10, 20) knob",
      ])
    #expect(
      room.play(at(1, 0)) == [
        "knob moved (11, 20) knob", "panel moved (61, 70) knob", "window moved (61, 70) knob",
      ])
    #expect(
      room.play(at(0, 100)) == [
        "knob left (11, 20) knob", "window moved (61, 170) panel", "panel moved (61, 170) panel",
      ])
    #expect(
      room.play(at(200, 0)) == [
        "panel left (61, 170) panel", "window moved (261, 170) other", "other entered (61, 170) other",
      ])
  }

  @Test func `motions of one turn are one`() {
    let room = Room()
    _ = room.play(corner, at(60, 70))
    #expect(room.play(at(1, 0), at(1, 0), at(1, 0)).first == "knob moved (13, 20) knob")
    #expect(room.play("y=100", "y=-100").count == 3, "nobody saw it leave")
  }

  @Test func `while the left button is down there is a touch and no hover`() {
    let room = Room()
    _ = room.play(corner, at(60, 70))
    #expect(
      room.play("left=1") == [
        "knob left (10, 20) knob", "panel left (60, 70) knob", "window left (60, 70) knob", "knob began",
        "panel began", "window began",
      ])
    #expect(room.play(at(150, 0)) == ["knob moved", "panel moved", "window moved"])
    #expect(
      room.play("left=0") == [
        "knob ended", "panel ended", "window ended", "window entered (210, 70) other",
        "other entered (10, 70) other",
      ])
  }

  @Test func `a click in one frame neither ends nor begins a hover`() {
    let room = Room()
    _ = room.play(corner, at(60, 70))
    #expect(
      room.play("left=1 left=0").map { $0.split(separator: " ").last } == [
        "began", "began", "began", "ended", "ended", "ended",
      ])
    #expect(room.play(at(1, 0)).first == "knob moved (11, 20) knob")
  }

  @Test func `a pointer that is set aside hovers nowhere until it moves`() {
    let room = Room()
    _ = room.play(corner, at(210, 10))
    room.pointers.rest(at: .zero)
    #expect(room.diary.take() == ["other left (10, 10) other", "window left (210, 10) other"])
    room.pointers.flush()
    #expect(room.diary.take() == [])
    #expect(room.play(at(1, 0)) == ["window entered (211, 10) other", "other entered (11, 10) other"])
  }

  @Test func `a view that leaves the window is left`() {
    let room = Room()
    _ = room.play(corner, at(60, 70))
    room.panel.removeFromSuperview()
    room.pointers.flush()
    #expect(
      room.diary.take().map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "knob left", "panel left", "window left",
      ])
    #expect(room.play(at(1, 0)) == ["window entered (61, 70) window"])
  }

  @Test func `a device that goes leaves and lets go of its buttons`() {
    let room = Room()
    _ = room.play(corner, at(210, 10), "right=1")
    room.pointers.lose(DeviceID(rawValue: 9), at: .zero)
    #expect(room.diary.take() == [])
    room.pointers.lose(DeviceID(rawValue: 3), at: .zero)
    #expect(
      room.diary.take() == [
        "other left (10, 10) other", "window left (210, 10) other", "other right cancelled (10, 10) other",
        "window right cancelled (210, 10) other",
      ])
    room.pointers.cancelAll(at: .zero)
    #expect(room.diary.take() == [])
  }

  // MARK: Wheel

  @Test(arguments: [
    ("wheel=1", "wheel 0 1"), ("wheel=-2 hwheel=3", "wheel 3 -2"), ("fine=120 wheel=1", "wheel 0 1"),
    ("wheel=-1 fine=-120", "wheel 0 -1"), ("fine=30", "wheel 0 0.25"), ("hfine=-60", "wheel -0.5 0"),
    ("hwheel=1 fine=60", "wheel 1 0.5"),
  ])
  func `a wheel turn is reported once at any resolution`(events: String, expected: String) {
    let room = Room()
    _ = room.play(corner, at(210, 10))
    #expect(
      room.play(events) == ["other \(expected) (10, 10) other", "window \(expected) (210, 10) other"])
  }

  @Test func `a wheel comes after the motion before it and stops where it is handled`() {
    let room = Room()
    room.diary.handles = "panel"
    #expect(
      room.play(corner, at(60, 70) + " wheel=1") == [
        "window entered (60, 70) knob", "panel entered (60, 70) knob", "knob entered (10, 20) knob",
        "knob wheel 0 1 (10, 20) knob", "panel wheel 0 1 (60, 70) knob",
      ])
  }

  // MARK: Buttons

  @Test func `other buttons are reported and do not press`() {
    let room = Room()
    _ = room.play(corner, at(210, 10))
    #expect(
      room.play("right=1", "middle=1") == [
        "other right pressed (10, 10) other", "window right pressed (210, 10) other",
        "other middle pressed (10, 10) other", "window middle pressed (210, 10) other",
      ])
    #expect(room.dispatcher.touches.isEmpty)
    #expect(
      room.play("right=2", "joystick=1", "task=0") == [], "a repetition, no button of a mouse, never pressed")
    #expect(room.play("right=0").first == "other right released (10, 10) other")
  }

  @Test func `a release reaches the views that received the press`() {
    let room = Room()
    room.diary.handles = "panel"
    _ = room.play(corner, at(60, 70))
    #expect(
      room.play("right=1") == ["knob right pressed (10, 20) knob", "panel right pressed (60, 70) knob"])
    room.diary.handles = nil
    _ = room.play(at(200, 0))
    #expect(
      room.play("right=0") == ["knob right released (210, 20) knob", "panel right released (260, 70) knob"])
  }

  // MARK: The pointer itself

  @Test func `the speed is a factor and there is no acceleration`() {
    let room = Room(speed: 0.25)
    _ = room.play(corner, corner, corner)
    for _ in 0..<3 { _ = room.play("x=1") }
    #expect(room.pointer.location == WindowPoint(x: 0.75, y: 0))
    _ = room.play("x=400 y=40")
    #expect(room.pointer.location == WindowPoint(x: 100.75, y: 10))
    _ = room.play("x=99999")
    #expect(room.pointer.location == WindowPoint(x: 399, y: 10), "never beyond the window")
  }

  @Test func `a tablet moves the pointer to where it is`() {
    let room = Room(kind: .absolutePointer)
    #expect(room.play("X=210 Y=10") == ["window entered (210, 10) other", "other entered (10, 10) other"])
    #expect(room.pointer.location == WindowPoint(x: 210, y: 10))
    #expect(
      room.play("left=1").filter { !$0.contains("left") } == ["other began", "window began"])
    #expect(room.play("left=0 X=220").last == "other entered (20, 10) other")
    #expect(room.play("wheel=1").first == "other wheel 0 1 (20, 10) other")
  }
}

/// Records what it receives.
private final class PointerDiary: Handler {
  let name = "diary"
  /// Who handles wheels and buttons.
  var handles: String?
  private var lines: [String] = []

  func take() -> [String] {
    defer { lines.removeAll() }
    return lines
  }

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    lines.append("\(responder.id) \(phase.rawValue)")
    return .forward
  }

  func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    let what =
      switch pointer.kind {
      case .entered: "entered"
      case .moved: "moved"
      case .left: "left"
      case .wheel(let x, let y): "wheel \(text(x)) \(text(y))"
      case .pressed(let button): "\(button) pressed"
      case .released(let button): "\(button) released"
      case .cancelled(let button): "\(button) cancelled"
      }
    let place = pointer.location(in: responder.coordinateView)
    lines.append("\(responder.id) \(what) (\(text(place.x)), \(text(place.y))) \(pointer.view.id)")
    return handles == responder.id ? .handled : .forward
  }

  private func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}
