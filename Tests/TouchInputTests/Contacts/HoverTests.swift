import Testing
import TouchCore
import TouchInput

/// Contacts in slots that are there without touching.
@Suite struct HoverTests {
  @Test(arguments: [
    (
      "a finger at a distance is not a touch until it lands",
      ["id=1 x=10 y=20 distance=3", "x=11", "distance=0"],
      ["began 1 11,20"]
    ),
    (
      "one that rises again has ended, and lands as another touch",
      ["id=1 x=10 y=20 distance=0", "distance=2", "x=12", "distance=0", "id=-1"],
      ["began 1 10,20", "ended 1 10,20", "began 2 12,20", "ended 2 12,20"]
    ),
    ("one that never lands never was", ["id=1 x=10 y=20 distance=3", "x=11", "id=-1"], []),
    (
      "the distance of a slot outlives its contact",
      ["id=1 x=10 y=20 distance=3", "id=-1", "id=2 x=5", "distance=0"], ["began 1 5,20"]
    ),
    (
      "a hovering palm stays dead when it lands",
      ["id=1 x=10 y=20 tool=2 distance=3", "distance=0", "tool=0"], []
    ),
    (
      "a palm that rises was cancelled, not ended",
      ["id=1 x=10 y=20", "tool=2 distance=3", "tool=0 distance=0"],
      ["began 1 10,20", "cancelled 1 10,20"]
    ),
    (
      "what ends comes before what begins",
      ["id=1 x=10 y=20", "distance=2 slot=1 id=2 x=30 y=40"],
      ["began 1 10,20", "ended 1 10,20", "began 2 30,40"]
    ),
  ])
  func `only what touches is a contact`(_ name: String, _ frames: [String], _ changes: [String]) {
    #expect(ContactScript.play(ContactScript.panel(slots: 2), frames) == changes, "\(name)")
  }

  /// Firmware rounds the size of a light finger down to 0. Frames like those of real panels.
  @Test(arguments: [
    (
      "Sitronix 1403:5001: the size toggles between 1 and 0 in a drag",
      ["id=1 x=100 y=20 major=1", "x=110 major=0", "x=120 major=1", "x=130 major=0", "x=140", "id=-1"],
      [
        "began 1 100,20", "moved 1 110,20", "moved 1 120,20", "moved 1 130,20", "moved 1 140,20",
        "ended 1 140,20",
      ]
    ),
    (
      "Stantum 1f87:0002: two fingers, of which one is light",
      [
        "slot=0 id=1 x=10 y=20 major=8 slot=1 id=2 x=300 y=40 major=7",
        "slot=0 x=11 major=0 slot=1 x=301", "slot=0 x=12 major=5 slot=1 x=302 major=0",
        "slot=0 id=-1 slot=1 id=-1",
      ],
      [
        "began 1 10,20", "began 2 300,40", "moved 1 11,20", "moved 2 301,40", "moved 1 12,20",
        "moved 2 302,40", "ended 1 12,20", "ended 2 302,40",
      ]
    ),
    (
      "Atmel 03eb:8409: the size is 0 as the finger lands",
      ["id=1 x=10 y=20 major=0", "x=11 major=4", "major=0", "x=12", "id=-1"],
      ["began 1 10,20", "moved 1 11,20", "moved 1 11,20", "moved 1 12,20", "ended 1 12,20"]
    ),
    (
      "ELAN 04f3:200a: the size is 0 in the last report before the lift",
      ["id=1 x=10 y=20 major=3", "x=11 major=0", "id=-1"],
      ["began 1 10,20", "moved 1 11,20", "ended 1 11,20"]
    ),
    (
      "the size of a finger before says nothing of the next one",
      ["id=1 x=10 y=20 major=6", "major=0", "id=-1", "id=2 x=30", "id=-1"],
      ["began 1 10,20", "moved 1 10,20", "ended 1 10,20", "began 2 30,20", "ended 2 30,20"]
    ),
    (
      "a pressure of 0 is a light finger, too",
      ["id=1 x=10 y=20 pressure=30", "x=11 pressure=0", "x=12 pressure=9", "id=-1"],
      ["began 1 10,20", "moved 1 11,20", "moved 1 12,20", "ended 1 12,20"]
    ),
    (
      "and so is a tool without a width",
      ["id=1 x=10 y=20 width=4 major=4", "x=11 width=0 major=0", "x=12 width=4 major=4", "id=-1"],
      ["began 1 10,20", "moved 1 11,20", "moved 1 12,20", "ended 1 12,20"]
    ),
    (
      "a palm without a size stays dead",
      ["id=1 x=10 y=20 tool=2 major=9", "major=0", "tool=0 major=5", "id=-1"], []
    ),
    (
      "a finger that has risen has ended, whatever its size",
      ["id=1 x=10 y=20 major=5 distance=0", "distance=2 major=0", "distance=0", "id=-1"],
      ["began 1 10,20", "ended 1 10,20", "began 2 10,20", "ended 2 10,20"]
    ),
  ])
  func `a finger in a slot touches until the slot is empty`(
    _ name: String, _ frames: [String], _ changes: [String]
  ) {
    let source = ContactScript.panel(slots: 2)
    #expect(ContactScript.play(source, frames) == changes, "\(name)")
    #expect(source.takeNotices() == [])
  }

  @Test func `a size of 0 is passed on as it is`() {
    let changes = ContactScript.changes(
      ContactScript.panel(slots: 1), ["id=1 x=10 y=20 major=6", "major=0"].map(ContactScript.frame))
    #expect(changes.map(\.attributes.touchMajor) == [6, 0])
  }

  @Test func `a finger on a panel with a button touches until the button is up, whatever its pressure`() {
    var capabilities = DeviceCapabilities()
    capabilities.axes[EventCode.absX] = AxisRange(minimum: 0, maximum: 799)
    capabilities.axes[EventCode.absY] = AxisRange(minimum: 0, maximum: 479)
    capabilities.axes[EventCode.absPressure] = AxisRange(minimum: 0, maximum: 255)
    capabilities.keys = [EventCode.btnTouch]
    let source = TouchSource(
      device: DeviceID(rawValue: 1), kind: .singleTouch, capabilities: capabilities, initial: InitialState(),
      geometry: ContactScript.geometry)
    func pressure(_ value: Int32) -> RawEvent {
      RawEvent(type: EventCode.abs, code: EventCode.absPressure, value: value)
    }
    var frames = ["sx=10 sy=20 touch=1", "sx=11", "sx=12", "touch=2", "touch=0"].map(ContactScript.frame)
    frames[0].events.append(pressure(90))
    frames[1].events.append(pressure(0))
    let changes = ContactScript.changes(source, frames)
    #expect(changes.map(\.kind) == [.began, .moved, .moved, .ended])
  }

  @Test func `one that hovered when it was opened is not swallowed`() {
    let initial = InitialState(slots: [InitialState.Slot(trackingID: 5, x: 1, y: 2, distance: 7)])
    #expect(
      ContactScript.play(ContactScript.panel(slots: 1, initial: initial), ["x=9", "distance=0"]) == [
        "began 1 9,2"
      ])
  }

  @Test func `a panel without a button is touched while it is pressed`() {
    var capabilities = DeviceCapabilities()
    capabilities.axes[EventCode.absX] = AxisRange(minimum: 0, maximum: 799)
    capabilities.axes[EventCode.absY] = AxisRange(minimum: 0, maximum: 479)
    capabilities.axes[EventCode.absPressure] = AxisRange(minimum: 0, maximum: 255)
    let source = TouchSource(
      device: DeviceID(rawValue: 1), kind: .singleTouch, capabilities: capabilities, initial: InitialState(),
      geometry: ContactScript.geometry)
    func frame(_ values: (UInt16, Int32)...) -> InputFrame {
      InputFrame(events: values.map { RawEvent(type: EventCode.abs, code: $0.0, value: $0.1) })
    }
    let (x, y, pressure) = (EventCode.absX, EventCode.absY, EventCode.absPressure)
    let changes = ContactScript.changes(
      source,
      [
        frame((x, 5)), frame((x, 10), (y, 20), (pressure, 90)), frame((x, 11), (pressure, 95)),
        frame((pressure, 99)), frame((x, 700), (y, 0), (pressure, 0)), frame((x, 10)),
      ])
    #expect(
      changes.map { "\($0.kind) \(Int($0.location.x)),\(Int($0.location.y))" } == [
        "began 10,20", "moved 11,20", "moved 11,20", "ended 11,20",
      ])
    #expect(changes.map(\.attributes.pressure) == [90, 95, 99, 0])
  }

  @Test func `a position that fits the other axis is taken for a range declared the wrong way round`() {
    let source = ContactScript.panel(slots: 1)
    _ = ContactScript.play(source, ["id=1 x=10 y=470", "y=700", "y=900"])
    #expect(
      source.takeNotices() == [
        .transposed(axis: .y, value: 700, minimum: 0, maximum: 479),
        .outOfRange(axis: .y, value: 900, minimum: 0, maximum: 479),
      ])
  }
}
