import DispatchFuzzing
import Testing
import TouchCore
import TouchInput

/// Kernel multitouch protocol A: every frame lists its contacts.
@Suite struct ProtocolATrackerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frames: [String]
    var changes: [String]
    var isPressed = false
  }

  static let rows = [
    Row(
      testDescription: "a finger comes, goes on, and is gone when an empty list comes",
      frames: ["x=10 y=20 mt", "x=11 y=20 mt", "mt"],
      changes: ["began 1 10,20", "moved 1 11,20", "ended 1 11,20"]),
    Row(
      testDescription: "two fingers in one frame",
      frames: ["x=10 y=20 mt x=500 y=400 mt", "x=500 y=400 mt", "mt"],
      changes: ["began 1 10,20", "began 2 500,400", "ended 1 10,20", "moved 2 500,400", "ended 2 500,400"]),
    Row(
      testDescription: "their order in the list says nothing",
      frames: ["x=10 y=20 mt x=500 y=400 mt", "x=510 y=400 mt x=20 y=20 mt"],
      changes: ["began 1 10,20", "began 2 500,400", "moved 1 20,20", "moved 2 510,400"]),
    Row(
      testDescription: "the nearest is meant for all together, not for each alone",
      // The second line is nearest to both; taking it for the first finger would throw the other across the
      // screen.
      frames: ["x=100 y=0 mt x=200 y=0 mt", "x=160 y=0 mt x=240 y=0 mt"],
      changes: ["began 1 100,0", "began 2 200,0", "moved 1 160,0", "moved 2 240,0"]),
    Row(
      testDescription:
        "the nearest is so in x and in y: fingers that pass each other in x, one above the other",
      frames: ["x=100 y=50 mt x=200 y=400 mt", "x=190 y=60 mt x=110 y=390 mt"],
      changes: ["began 1 100,50", "began 2 200,400", "moved 1 190,60", "moved 2 110,390"]),
    Row(
      testDescription: "and fingers that pass each other in y, side by side",
      frames: ["x=50 y=100 mt x=700 y=200 mt", "x=60 y=190 mt x=690 y=110 mt"],
      changes: ["began 1 50,100", "began 2 700,200", "moved 1 60,190", "moved 2 690,110"]),
    Row(
      testDescription: "a finger that lifts and one that lands in one frame",
      frames: ["id=4 x=10 y=20 mt", "id=5 x=500 y=400 mt"],
      changes: ["began 1 10,20", "ended 1 10,20", "began 2 500,400"]),
    Row(
      testDescription: "tracking ids say which is which, wherever they are",
      frames: ["id=4 x=10 y=20 mt id=5 x=500 y=400 mt", "id=5 x=10 y=20 mt id=4 x=500 y=400 mt"],
      changes: ["began 1 10,20", "began 2 500,400", "moved 1 500,400", "moved 2 10,20"]),
    Row(
      testDescription: "the tool type may come first (Creality K1 Max)",
      frames: ["tool=0 id=0 x=458 y=1 mt touch=1", "tool=0 id=0 x=450 y=2 mt", "mt touch=0"],
      changes: ["began 1 458,1", "moved 1 450,2", "ended 1 450,2"]),
    Row(
      testDescription: "a list may stop with BTN_TOUCH alone (N-Trig)",
      frames: ["x=10 y=20 mt touch=1", "x=11 y=20 mt", "touch=0"],
      changes: ["began 1 10,20", "moved 1 11,20", "ended 1 11,20"]),
    Row(
      testDescription: "a frame that lists nothing changes nothing: a key does not lift",
      frames: ["x=10 y=20 mt", "volume=1", "volume=0", "x=12 y=20 mt"],
      changes: ["began 1 10,20", "moved 1 12,20"]),
    Row(
      testDescription: "the last SYN_MT_REPORT may be missing",
      frames: ["x=10 y=20", "x=12 y=20", "touch=0"],
      changes: ["began 1 10,20", "moved 1 12,20", "ended 1 12,20"]),
    Row(
      testDescription: "a tracking id of −1 is not a contact",
      frames: ["id=3 x=10 y=20 mt", "id=-1 x=10 y=20 mt"], changes: ["began 1 10,20", "ended 1 10,20"]),
    Row(
      testDescription: "a contact known by its id may leave out what did not change, another one may not",
      frames: ["id=3 x=10 y=20 mt", "id=3 x=11 mt x=5 mt", "mt"],
      changes: ["began 1 10,20", "moved 1 11,20", "ended 1 11,20"]),
    Row(
      testDescription: "an id without a place is a contact that has lifted",
      frames: ["id=3 x=10 y=20 mt touch=1", "id=3 mt touch=0", "id=4 x=30 y=20 mt"],
      changes: ["began 1 10,20", "ended 1 10,20", "began 2 30,20"]),
    Row(
      testDescription:
        "the one of two fingers that has no place has lifted, whatever else is reported about it",
      frames: ["id=3 x=10 y=20 mt id=4 x=500 y=400 mt touch=1", "id=3 tool=0 mt id=4 x=501 y=400 mt"],
      changes: ["began 1 10,20", "began 2 500,400", "ended 1 10,20", "moved 2 501,400"]),
    Row(
      testDescription: "an id that is listed twice is one contact",
      frames: ["id=3 x=10 y=20 mt id=3 x=11 y=20 mt", "mt"], changes: ["began 1 10,20", "ended 1 10,20"]),
    Row(
      testDescription: "a palm is never delivered, and a finger that turns into one is cancelled for good",
      frames: [
        "id=1 tool=2 x=10 y=20 mt", "id=1 tool=0 x=11 y=20 mt", "mt", "id=2 tool=0 x=5 y=5 mt",
        "id=2 tool=2 x=6 y=5 mt", "id=2 tool=0 x=7 y=5 mt", "mt", "id=3 x=8 y=5 mt",
      ],
      changes: ["began 1 5,5", "cancelled 1 6,5", "began 2 8,5"]),
    Row(
      testDescription: "a finger at a distance is not a touch",
      frames: ["distance=9 x=10 y=20 mt", "distance=0 x=10 y=20 mt", "distance=4 x=11 y=20 mt", "mt"],
      changes: ["began 1 10,20", "ended 1 11,20"]),
    Row(
      testDescription: "a size of 0 is a lift, and listed on it stays lifted",
      frames: [
        "major=5 x=10 y=20 mt", "major=0 x=10 y=20 mt", "major=0 x=10 y=20 mt", "major=4 x=10 y=20 mt",
      ],
      changes: ["began 1 10,20", "ended 1 10,20", "began 2 10,20"]),
    Row(
      testDescription: "of two fingers the one without a size has lifted",
      frames: [
        "major=5 x=10 y=20 mt major=5 x=500 y=400 mt", "major=0 x=10 y=20 mt major=5 x=501 y=400 mt",
        "major=5 x=502 y=400 mt",
      ],
      changes: [
        "began 1 10,20", "began 2 500,400", "ended 1 10,20", "moved 2 501,400", "moved 2 502,400",
      ]),
    Row(
      testDescription: "a size that is always 0 says nothing",
      frames: ["major=0 x=10 y=20 mt", "major=0 x=11 y=20 mt"], changes: ["began 1 10,20", "moved 1 11,20"]),
    Row(
      testDescription: "an overrun cancels, and what is listed then begins",
      frames: ["x=10 y=20 mt", "resync", "x=11 y=20 mt", "mt"],
      changes: ["began 1 10,20", "cancelled 1 10,20", "began 2 11,20", "ended 2 11,20"]),
    Row(
      testDescription: "what was down at the start is swallowed until it lifts",
      frames: ["x=10 y=20 mt", "x=11 y=20 mt x=500 y=400 mt", "mt", "x=10 y=20 mt"],
      changes: ["began 1 500,400", "ended 1 500,400", "began 2 10,20"], isPressed: true),
    Row(
      testDescription: "what lifted before it was heard of swallows nothing",
      frames: ["mt", "x=10 y=20 mt"], changes: ["began 1 10,20"], isPressed: true),
  ]

  @Test(arguments: rows)
  func `lists become contacts`(_ row: Row) {
    let source = ContactScript.panel(slots: nil, initial: InitialState(isPressed: row.isPressed))
    #expect(ContactScript.play(source, row.frames) == row.changes)
  }

  @Test func `pressure, size and tool are carried on`() {
    let source = ContactScript.panel(slots: nil)
    let change = ContactScript.changes(
      source, [ContactScript.frame("x=1 y=2 pressure=44 major=5 distance=0 tool=1 mt")]
    ).first
    #expect(change?.attributes.pressure == 44)
    #expect(change?.attributes.touchMajor == 5)
    #expect(change?.attributes.distance == 0)
    #expect(change?.attributes.tool == .pen)
  }

  @Test func `more contacts than any hand has are ignored, and reported once`() {
    let source = ContactScript.panel(slots: nil)
    let list = (0..<40).map { "x=\($0 * 10) y=\($0 * 5) mt" }.joined(separator: " ")
    let changes = ContactScript.play(source, [list, list, "mt"])
    #expect(changes.count { $0.hasPrefix("began") } == 32)
    #expect(changes.count { $0.hasPrefix("ended") } == 32)
    #expect(source.takeNotices() == [.tooManyContacts(32)])
  }

  @Test func `a device that goes cancels what is down, and what stays down is dead`() {
    let source = ContactScript.panel(slots: nil)
    _ = ContactScript.play(source, ["x=10 y=20 mt"])
    var changes: [TouchChange] = []
    source.cancelAll(pointer: Pointer(bounds: ContactScript.geometry.canvasBounds), into: &changes)
    #expect(changes.map(\.kind) == [.cancelled])
    #expect(ContactScript.play(source, ["x=11 y=20 mt", "mt", "x=12 y=20 mt"]) == ["began 2 12,20"])
  }

  /// Fingers that come, move and go at random, written in both protocols.
  @Test(arguments: [true, false], 1...50 as ClosedRange<UInt64>)
  func `the same fingers are the same contacts in both protocols`(hasIDs: Bool, seed: UInt64) {
    var random = RandomSource(seed: seed)
    var fingers: [Int: (id: Int, x: Int, y: Int)] = [:]
    var nextID = 1
    var slots: [String] = []
    var lists: [String] = []
    for _ in 0..<200 {
      var words: [String] = []
      for index in 0..<5 {
        switch (fingers[index], Int.random(in: 0..<8, using: &random)) {
        case (nil, 0):
          // In a lane of its own, and in no way that could be taken for another finger's.
          let finger = (
            nextID, Int.random(in: 0..<100, using: &random) + index * 150,
            Int.random(in: 0..<480, using: &random)
          )
          fingers[index] = finger
          nextID += 1
          words.append("slot=\(index) id=\(finger.0) x=\(finger.1) y=\(finger.2)")
        case (.some, 0):
          fingers[index] = nil
          words.append("slot=\(index) id=-1")
        case (let finger?, _):
          let y = min(479, max(0, finger.y + Int.random(in: -3...3, using: &random)))
          fingers[index]?.y = y
          words.append("slot=\(index) y=\(y)")
        case (nil, _): break
        }
        // Without ids, a finger that takes another's place in one frame cannot be distinguished from it.
        if !hasIDs && words.last?.contains("id=") == true { break }
      }
      for (index, finger) in fingers.sorted(by: { $0.key < $1.key })
      where !words.contains(where: { $0.hasPrefix("slot=\(index) ") }) {
        words.append("slot=\(index) y=\(finger.y)")
      }
      guard !words.isEmpty else { continue }
      slots.append(words.joined(separator: " "))
      let list = fingers.values.sorted { $0.id < $1.id }
        .map { (hasIDs ? "id=\($0.id) " : "") + "x=\($0.x) y=\($0.y) mt" }
      lists.append(list.isEmpty ? "mt" : list.joined(separator: " "))
    }
    let one = ContactScript.panel(slots: 5)
    let other = ContactScript.panel(slots: nil)
    for (slot, list) in zip(slots, lists) {
      let expected = ContactScript.play(one, [slot]).sorted()
      #expect(ContactScript.play(other, [list]).sorted() == expected, "\(slot) as \(list)")
    }
    #expect(slots.count > 100)
  }
}
