import DispatchFuzzing
import Testing
import TouchCore

@testable import TouchInput

/// Contacts as a device with slots reports them.
@Suite struct SlotWriterTests {
  private static let device = DeviceID(rawValue: 1)

  private func change(
    _ serial: Int, _ kind: TouchChange.Kind, _ x: Int32 = 0, _ y: Int32 = 0
  ) -> SlotWriter.Change {
    SlotWriter.Change(contact: ContactID(device: Self.device, serial: serial), kind: kind, x: x, y: y)
  }

  /// The frames of changes, as words.
  private func frames(_ writer: inout SlotWriter, _ changes: SlotWriter.Change...) -> [String] {
    let names: [UInt16: String] = [
      0x00: "x", 0x01: "y", 0x2f: "slot", 0x35: "X", 0x36: "Y", 0x37: "tool", 0x39: "id", 0x14a: "touch",
    ]
    var frames: [String] = []
    writer.write(changes) { frame in
      frames.append(
        frame.events.map { "\(names[$0.code] ?? "\($0.code)") \($0.value)" }.joined(separator: ", "))
    }
    return frames
  }

  @Test func `a contact has a slot, and is the device's position`() {
    var writer = SlotWriter(slotCount: 2, usesPalms: true)
    #expect(
      frames(&writer, change(1, .began, 10, 20)) == [
        "id 0, tool 0, X 10, Y 20, touch 1, x 10, y 20"
      ])
    #expect(frames(&writer, change(1, .moved, 11, 20)) == ["tool 0, X 11, Y 20, x 11, y 20"])
    #expect(
      frames(&writer, change(2, .began, 5, 5)) == [
        "slot 1, id 1, tool 0, X 5, Y 5, x 11, y 20"
      ])
    #expect(
      frames(&writer, change(1, .ended, 12, 20)) == [
        "slot 0, tool 0, X 12, Y 20, id -1, x 5, y 5"
      ])
    #expect(frames(&writer, change(2, .ended, 5, 5)) == ["slot 1, tool 0, X 5, Y 5, id -1, touch 0"])
    #expect(writer.isEmpty)
  }

  @Test func `a contact that is cancelled is a palm, and lifts in the next frame`() {
    var writer = SlotWriter(slotCount: 1, usesPalms: true)
    _ = frames(&writer, change(1, .began, 10, 20))
    #expect(frames(&writer, change(1, .cancelled)) == ["tool 2", "id -1, touch 0"])
    #expect(frames(&writer, change(2, .began, 1, 2)) == ["id 1, tool 0, X 1, Y 2, touch 1, x 1, y 2"])
  }

  @Test func `without palms a contact that is cancelled lifts`() {
    var writer = SlotWriter(slotCount: 1, usesPalms: false)
    _ = frames(&writer, change(1, .began, 10, 20))
    #expect(frames(&writer, change(1, .cancelled, 10, 20)) == ["id -1, touch 0"])
    #expect(writer.isEmpty)
  }

  @Test func `a slot changes hands in two frames`() {
    var writer = SlotWriter(slotCount: 1, usesPalms: true)
    _ = frames(&writer, change(1, .began, 10, 20))
    #expect(
      frames(&writer, change(1, .ended, 10, 20), change(2, .began, 30, 40)) == [
        "tool 0, X 10, Y 20, id -1, touch 0", "id 1, tool 0, X 30, Y 40, touch 1, x 30, y 40",
      ])
    #expect(
      frames(&writer, change(2, .ended, 30, 40), change(3, .began, 1, 1), change(3, .ended, 1, 1)).count == 3)
  }

  @Test func `a contact without a slot is left out for its life`() {
    var writer = SlotWriter(slotCount: 1, usesPalms: true)
    _ = frames(&writer, change(1, .began))
    #expect(frames(&writer, change(2, .began)) == [])
    _ = frames(&writer, change(1, .ended))
    #expect(frames(&writer, change(2, .moved), change(2, .ended)) == [])
  }

  @Test func `ids count to 65535 and begin again, and the oldest contact stays the device's position`() {
    var writer = SlotWriter(slotCount: 3, usesPalms: true)
    for serial in 0..<65_535 { _ = frames(&writer, change(serial, .began), change(serial, .ended)) }
    _ = frames(&writer, change(65_535, .began, 7, 7))
    let wrapped = frames(&writer, change(65_536, .began, 9, 9))
    #expect(
      wrapped.first?.contains("id 0") == true && wrapped.first?.hasSuffix("x 7, y 7") == true, "\(wrapped)")
  }

  /// Whatever happens together, who reads the device sees the same lives, each whole.
  @Test(arguments: 0..<200)
  func `read again, the contacts are the same`(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let slots = Int.random(in: 1...5, using: &random)
    var writer = SlotWriter(slotCount: slots, usesPalms: true)
    let range = AxisRange(minimum: 0, maximum: 999)
    let tracker = ProtocolBTracker(
      device: Self.device, slotCount: slots, rangeX: range, rangeY: range, initial: InitialState())
    var down: [Int: Int] = [:]
    var lives: [String] = []
    var last = 0
    var frameCount: Int64 = 0
    func read(_ frame: InputFrame, into seen: inout [ContactChange]) {
      var frame = frame
      frameCount += 1
      frame.time = Timestamp(microseconds: frameCount * 10_000)
      tracker.apply(frame, into: &seen)
    }
    for _ in 0..<60 {
      var changes: [SlotWriter.Change] = []
      var expected: [String] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let (x, y) = (Int32.random(in: 0...999, using: &random), Int32.random(in: 0...999, using: &random))
        if down.isEmpty || random.oneIn(3), down.count < slots {
          last += 1
          down[last] = last
          changes.append(change(last, .began, x, y))
          expected.append("began \(x) \(y)")
        } else if let finger = down.keys.sorted().randomElement(using: &random) {
          let kind: TouchChange.Kind = random.oneIn(2) ? .ended : .cancelled
          down[finger] = nil
          changes.append(change(finger, kind, x, y))
          expected.append(kind == .ended ? "ended \(x) \(y)" : "cancelled")
        }
      }
      var seen: [ContactChange] = []
      writer.write(changes) { read($0, into: &seen) }
      let words = seen.compactMap { change in
        switch change.kind {
        case .began: "began \(Int(change.position.x)) \(Int(change.position.y))"
        case .ended: "ended \(Int(change.position.x)) \(Int(change.position.y))"
        case .cancelled: "cancelled"
        case .moved: nil
        }
      }
      #expect(words.sorted() == expected.sorted(), "\(changes)")
      lives += words
    }
    #expect(lives.count { $0.hasPrefix("began") } == last)
    var seen: [ContactChange] = []
    writer.cancelAll { read($0, into: &seen) }
    #expect(seen.count { $0.kind == .cancelled } == down.count && writer.isEmpty)
  }
}
