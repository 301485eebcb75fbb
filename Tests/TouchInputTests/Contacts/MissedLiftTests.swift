import Testing
import TouchCore
import TouchInput

/// Panels that never report that a finger lifts, and panels that look as if they were such.
@Suite struct MissedLiftTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Nil for a device that lists its contacts.
    var slots: Int? = 2
    var initial = InitialState()
    var frames: [String]
    var changes: [String]
  }

  static let rows = [
    Row(
      testDescription: "a contact that goes on far away after a rest is another one",
      frames: ["at=0 id=1 x=100 y=100", "at=40 x=101", "at=1000 x=700 y=400", "at=2000 x=100"],
      changes: [
        "began 1 100,100", "moved 1 101,100", "cancelled 1 101,100", "began 2 700,400", "cancelled 2 700,400",
        "began 3 100,400",
      ]),
    Row(
      testDescription: "it is the same without slots", slots: nil,
      frames: ["at=0 x=100 y=100 mt", "at=1000 x=700 y=400 mt", "at=1040 x=701 y=400 mt"],
      changes: ["began 1 100,100", "cancelled 1 100,100", "began 2 700,400", "moved 2 701,400"]),
    Row(
      testDescription: "ends come first, then begins, then moves",
      frames: [
        "at=0 slot=0 id=1 x=100 y=100 slot=1 id=2 x=400 y=100", "at=900 slot=0 x=110",
        "at=1000 slot=0 x=120 slot=1 x=100 y=400",
      ],
      changes: [
        "began 1 100,100", "began 2 400,100", "moved 1 110,100", "cancelled 2 400,100", "began 3 100,400",
        "moved 1 120,100",
      ]),
    Row(
      testDescription: "what was down at the start of such a panel does not keep it from being touched",
      initial: InitialState(slots: [InitialState.Slot(trackingID: 5, x: 100, y: 100)]),
      frames: ["at=0 x=101", "at=1000 x=700"], changes: ["began 1 700,100"]),
    Row(
      testDescription: "a finger that sets out after a rest goes on",
      frames: ["at=0 id=1 x=100 y=100", "at=5000 x=280", "at=5040 x=600"],
      changes: ["began 1 100,100", "moved 1 280,100", "moved 1 600,100"]),
    Row(
      testDescription: "a fast finger on a slow panel goes on",
      frames: ["at=0 id=1 x=0 y=100", "at=40 x=300", "at=80 x=600", "at=120 x=0", "at=600 x=700"],
      changes: [
        "began 1 0,100", "moved 1 300,100", "moved 1 600,100", "moved 1 0,100", "moved 1 700,100",
      ]),
    Row(
      testDescription: "a device that was seen to lift is believed",
      frames: ["at=0 id=1 x=100 y=100", "at=10 id=-1", "at=20 id=2 x=100", "at=2000 x=700"],
      changes: ["began 1 100,100", "ended 1 100,100", "began 2 100,100", "moved 2 700,100"]),
    Row(
      testDescription: "a contact may be anywhere after an overrun",
      frames: ["at=0 id=1 x=100 y=100", "at=1000 resync x=700"],
      changes: ["began 1 100,100", "moved 1 700,100"]),
    Row(
      testDescription: "what is heard of all the time does not rest", slots: nil,
      frames: (0...20).map { "at=\($0 * 100) x=100 y=100 mt" } + ["at=2100 x=700 y=100 mt"],
      changes: ["began 1 100,100"] + Array(repeating: "moved 1 100,100", count: 20) + ["moved 1 700,100"]),
  ]

  @Test(arguments: rows)
  func `a contact goes on, or is another one`(_ row: Row) {
    let source = ContactScript.panel(slots: row.slots, initial: row.initial)
    #expect(ContactScript.play(source, row.frames) == row.changes)
    let isReported = source.takeNotices().contains { if case .missedLift = $0 { true } else { false } }
    #expect(isReported == row.changes.contains { $0.hasPrefix("cancelled") || row.initial.slots.count == 1 })
  }

  @Test(arguments: [
    (DeviceKind.singleTouch, ["began 1 100,100", "cancelled 1 100,100", "began 2 700,100"]),
    (.absolutePointer, ["began 1 100,100", "moved 1 700,100"]),
  ])
  func `a button that stays down is another touch on a screen, and a drag of a pointer`(
    _ kind: DeviceKind, _ changes: [String]
  ) {
    var capabilities = DeviceCapabilities()
    capabilities.axes[EventCode.absX] = AxisRange(minimum: 0, maximum: 799)
    capabilities.axes[EventCode.absY] = AxisRange(minimum: 0, maximum: 479)
    capabilities.keys = [EventCode.btnTouch]
    let source = TouchSource(
      device: DeviceID(rawValue: 1), kind: kind, capabilities: capabilities, initial: InitialState(),
      geometry: ContactScript.geometry)
    #expect(ContactScript.play(source, ["at=0 sx=100 sy=100 touch=1", "at=900 sx=700"]) == changes)
  }

  @Test func `the notice says how long nothing was heard`() {
    let source = ContactScript.panel(slots: 1)
    _ = ContactScript.play(source, ["at=0 id=1 x=0 y=0", "at=1500 x=700"])
    #expect(source.takeNotices() == [.missedLift(milliseconds: 1500)])
    #expect(InputNotice.missedLift(milliseconds: 1500).sentence.contains("after 1500 ms of silence"))
  }
}
