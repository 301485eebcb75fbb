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
      "a size that goes to 0 is a lift, and one that comes back a touch of its own",
      ["id=1 x=10 y=20 major=6", "major=0", "x=11", "major=5", "id=-1"],
      ["began 1 10,20", "ended 1 10,20", "began 2 11,20", "ended 2 11,20"]
    ),
    (
      "a size that is always 0 says nothing", ["id=1 x=10 y=20 major=0", "x=11", "id=-1"],
      ["began 1 10,20", "moved 1 11,20", "ended 1 11,20"]
    ),
    (
      "a size of 0 that an earlier contact left says nothing of the next one",
      ["id=1 x=10 y=20 major=6", "major=0", "id=-1", "id=2 x=30"],
      ["began 1 10,20", "ended 1 10,20", "began 2 30,20"]
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
