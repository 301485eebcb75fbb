import Testing
import TouchCore
import TouchInput

/// Frames in, contact changes out, in the words of the kernel's protocol.
@Suite struct TrackerTests {
  private static let device = DeviceID(rawValue: 1)
  private static let geometry = DisplayGeometry(displaySize: Size(width: 800, height: 480))

  private func panel(slots: Int = 2, initial: InitialState = InitialState()) -> TouchSource {
    var capabilities = DeviceCapabilities()
    capabilities.axes[EventCode.absMTPositionX] = AxisRange(minimum: 0, maximum: 799)
    capabilities.axes[EventCode.absMTPositionY] = AxisRange(minimum: 0, maximum: 479)
    capabilities.slotCount = slots
    return TouchSource(
      device: Self.device, kind: .multitouch, capabilities: capabilities, initial: initial,
      geometry: Self.geometry)
  }

  private func singleTouch(button: UInt16 = EventCode.btnTouch, pressed: Bool = false) -> TouchSource {
    var capabilities = DeviceCapabilities()
    capabilities.axes[EventCode.absX] = AxisRange(minimum: 10000, maximum: 20000)
    capabilities.axes[EventCode.absY] = AxisRange(minimum: -2000, maximum: 2000)
    capabilities.keys = [button]
    return TouchSource(
      device: Self.device, kind: .singleTouch, capabilities: capabilities,
      initial: InitialState(isPressed: pressed), geometry: Self.geometry)
  }

  private func play(
    _ source: TouchSource, _ frames: [RawEvent]..., cause: InputFrame.Cause = .report
  ) -> [String] {
    var pointer = Pointer(bounds: Self.geometry.canvasBounds)
    var changes: [TouchChange] = []
    for events in frames {
      source.apply(InputFrame(cause: cause, events: events), pointer: &pointer, into: &changes)
    }
    return changes.map {
      "\($0.kind) \($0.contact.serial) \(Int($0.location.x)),\(Int($0.location.y))"
    }
  }

  private func slot(_ value: Int32) -> RawEvent { abs(EventCode.absMTSlot, value) }
  private func id(_ value: Int32) -> RawEvent { abs(EventCode.absMTTrackingID, value) }
  private func x(_ value: Int32) -> RawEvent { abs(EventCode.absMTPositionX, value) }
  private func y(_ value: Int32) -> RawEvent { abs(EventCode.absMTPositionY, value) }
  private func tool(_ value: Int32) -> RawEvent { abs(EventCode.absMTToolType, value) }
  private func abs(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.abs, code: code, value: value)
  }
  private func key(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.key, code: code, value: value)
  }
  private func rel(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.rel, code: code, value: value)
  }

  @Test func `two fingers of one frame begin together and end apart`() {
    let changes = play(
      panel(), [id(1), x(10), y(20), slot(1), id(2), x(30), y(40)], [slot(0), id(-1)], [slot(1), id(-1)])
    #expect(changes == ["began 1 10,20", "began 2 30,40", "ended 1 10,20", "ended 2 30,40"])
  }

  @Test func `an axis that is not sent again keeps the slots old value`() {
    #expect(
      play(panel(), [id(1), x(10), y(20)], [id(-1)], [id(2), x(50)]) == [
        "began 1 10,20", "ended 1 10,20", "began 2 50,20",
      ])
  }

  @Test func `a tap inside one frame is not lost`() {
    #expect(play(panel(), [id(1), x(10), y(20), id(-1)]) == ["began 1 10,20", "ended 1 10,20"])
  }

  @Test func `a new contact may follow the old one in the same frame`() {
    #expect(
      play(panel(), [id(1), x(10), y(20)], [id(-1), id(2), x(90)]) == [
        "began 1 10,20", "ended 1 10,20", "began 2 90,20",
      ])
  }

  @Test func `a contact that goes in a resync is cancelled`() {
    let source = panel()
    #expect(play(source, [id(1), x(10), y(20)]) == ["began 1 10,20"])
    #expect(play(source, [id(-1)], [id(2)], cause: .resync) == ["cancelled 1 10,20", "began 2 10,20"])
  }

  @Test func `a contact that was down before is swallowed until it lifts`() {
    let down = InitialState(slots: [InitialState.Slot(trackingID: 5, x: 1, y: 2), InitialState.Slot()])
    #expect(
      play(panel(initial: down), [x(7)], [id(-1)], [id(6), x(8)]) == ["began 1 8,2"])
  }

  @Test func `events before the first slot event speak of the slot that the device was at`() {
    let state = InitialState(slots: [InitialState.Slot(), InitialState.Slot(x: 3, y: 4)], currentSlot: 1)
    #expect(play(panel(initial: state), [id(7), x(9)]) == ["began 1 9,4"])
  }

  @Test func `a palm is never delivered and a finger that turns palm is cancelled for good`() {
    #expect(play(panel(), [id(1), tool(2), x(10), y(20)], [x(11)], [tool(0)], [id(-1)]) == [])
    #expect(
      play(panel(), [id(1), x(10), y(20)], [tool(2)], [tool(0), x(11)], [id(-1)]) == [
        "began 1 10,20", "cancelled 1 10,20",
      ])
  }

  @Test func `the tool type of a palm outlives the contact`() {
    #expect(
      play(panel(), [id(1), tool(2)], [id(-1)], [id(2), x(1)], [id(-1)], [tool(0), id(3)]) == ["began 1 1,0"])
  }

  @Test(
    arguments: [
      (
        "another id is another finger", [[1, 10], [2, 30], [-1]],
        ["began 1 10", "ended 1 10", "began 2 30", "ended 2 30"]
      ),
      (
        "in one frame too", [[1, 10, 2, 30], [-1]], ["began 1 10", "ended 1 10", "began 2 30", "ended 2 30"]
      ),
      (
        "the same id is the same finger", [[1, 10], [1, 30], [-1]],
        ["began 1 10", "moved 1 30", "ended 1 30"]
      ),
      (
        "after a lift the same id is another finger", [[1, 10], [-1], [1, 30]],
        ["began 1 10", "ended 1 10", "began 2 30"]
      ),
    ] as [(String, [[Int32]], [String])])
  func `a tracking id begins a contact that has another one, and ends what was in its slot`(
    _ name: String, _ frames: [[Int32]], _ expected: [String]
  ) {
    let source = panel()
    var changes: [String] = []
    for frame in frames {
      // Ids, each but −1 with its x.
      var events: [RawEvent] = []
      for (place, value) in frame.enumerated() { events.append(place % 2 == 0 ? id(value) : x(value)) }
      changes += play(source, events)
    }
    #expect(changes == expected.map { $0 + ",0" }, "\(name)")
    #expect(source.takeNotices() == [])
  }

  @Test func `a contact of another tool needs no lift before it`() {
    // As the kernel reports a pen in a finger's slot.
    #expect(
      play(panel(), [id(1), tool(0), x(10), y(20)], [id(2), tool(2), x(11)], [id(3), tool(0), x(12)]) == [
        "began 1 10,20", "ended 1 10,20", "began 2 12,20",
      ])
  }

  @Test func `one id in two slots is two contacts and reported once`() {
    let source = panel()
    let changes = play(
      source, [id(7), x(10), y(20), slot(1), id(7), x(30), y(40)], [id(-1)], [slot(0), id(-1)])
    #expect(changes == ["began 1 10,20", "began 2 30,40", "ended 2 30,40", "ended 1 10,20"])
    #expect(source.takeNotices() == [.sharedTrackingID(id: 7, slots: 0, 1)])
    #expect(source.takeNotices() == [])
  }

  @Test func `an id may change its slot within a frame`() {
    let source = panel()
    let changes = play(
      source, [id(7), x(10), y(20)], [slot(1), id(7), x(10), y(20), slot(0), id(-1)])
    #expect(changes == ["began 1 10,20", "ended 1 10,20", "began 2 10,20"])
    #expect(source.takeNotices() == [])
  }

  @Test(arguments: [2, -1, .max] as [Int32])
  func `values of a slot that does not exist are ignored`(number: Int32) {
    let source = panel()
    let changes = play(
      source, [id(1), x(10), y(20)], [slot(number), id(9), x(700)], [slot(0), x(11)], [id(-1)])
    #expect(changes == ["began 1 10,20", "moved 1 11,20", "ended 1 11,20"])
    #expect(source.takeNotices() == [.unknownSlot(number)])
  }

  @Test func `a position outside the range is mapped as it is and reported once`() {
    let source = panel()
    #expect(
      play(source, [id(1), x(499), y(-3616)], [y(-3615)]) == ["began 1 499,-3616", "moved 1 499,-3615"])
    #expect(source.takeNotices() == [.outOfRange(axis: .y, value: -3616, minimum: 0, maximum: 479)])
  }

  @Test func `a position outside the range is hit tested on the panel`() {
    var pointer = Pointer(bounds: Self.geometry.canvasBounds)
    var changes: [TouchChange] = []
    panel().apply(InputFrame(events: [id(1), x(499), y(-3616)]), pointer: &pointer, into: &changes)
    #expect(changes.map(\.hitLocation) == [WindowPoint(x: 499, y: 0)])
    #expect(changes.map(\.location) == [WindowPoint(x: 499, y: -3616)])
  }

  @Test func `the first unit of a turned panel is still on it`() throws {
    let geometry = DisplayGeometry(displaySize: Size(width: 800, height: 480), rotation: .half)
    let mapping = Mapping(
      x: AxisRange(minimum: 0, maximum: 799), y: AxisRange(minimum: 0, maximum: 479), geometry: geometry)
    let location = mapping.map(Point(x: 0, y: 0))
    #expect(location == WindowPoint(x: 800, y: 480))
    #expect(geometry.canvasBounds.contains(mapping.hitLocation(for: location)))
  }

  @Test func `a finger on the bars around the canvas is not moved onto it`() {
    let geometry = DisplayGeometry(
      displaySize: Size(width: 1000, height: 300), canvasSize: Size(width: 400, height: 300))
    let mapping = Mapping(
      x: AxisRange(minimum: 0, maximum: 999), y: AxisRange(minimum: 0, maximum: 299), geometry: geometry)
    let location = mapping.map(Point(x: 200, y: 150))
    #expect(location == WindowPoint(x: -100, y: 150))
    #expect(mapping.hitLocation(for: location) == location)
  }

  @Test func `the button may come before the position`() {
    let changes = play(
      singleTouch(),
      [key(EventCode.btnTouch, 1), abs(EventCode.absX, 15000), abs(EventCode.absY, 0)],
      [abs(EventCode.absX, 20000)], [key(EventCode.btnTouch, 0)])
    #expect(changes == ["began 1 399,239", "moved 1 799,239", "ended 1 799,239"])
  }

  @Test func `a screen with a mouse button is pressed by it`() {
    let changes = play(
      singleTouch(button: EventCode.btnLeft), [abs(EventCode.absX, 10000), key(EventCode.btnLeft, 1)])
    #expect(changes == ["began 1 0,239"])
  }

  @Test func `a press that was there before is swallowed until it lifts`() {
    let changes = play(
      singleTouch(pressed: true), [abs(EventCode.absX, 10000)], [key(EventCode.btnTouch, 0)],
      [key(EventCode.btnTouch, 1)])
    #expect(changes == ["began 1 0,239"])
  }

  @Test func `a mouse moves a pointer that stays in the window`() {
    let source = TouchSource(
      device: Self.device, kind: .relativePointer, capabilities: DeviceCapabilities(),
      initial: InitialState(), geometry: Self.geometry)
    let changes = play(
      source, [rel(EventCode.relX, -5000), rel(EventCode.relY, -5000)],
      [rel(EventCode.relX, 100), rel(EventCode.relY, 50), key(EventCode.btnLeft, 1)],
      [rel(EventCode.relX, 5000)], [rel(EventCode.relX, -9)], [key(EventCode.btnLeft, 0)])
    #expect(changes == ["began 1 100,50", "moved 1 799,50", "moved 1 790,50", "ended 1 790,50"])
  }

  @Test func `a device that goes cancels what is down and nothing else`() {
    let source = panel()
    _ = play(source, [id(1), x(10), y(20), slot(1), id(2)], [id(-1)])
    var changes: [TouchChange] = []
    source.cancelAll(pointer: Pointer(bounds: Self.geometry.canvasBounds), into: &changes)
    source.cancelAll(pointer: Pointer(bounds: Self.geometry.canvasBounds), into: &changes)
    #expect(changes.map(\.kind) == [.cancelled])
    #expect(changes.map(\.contact.serial) == [1])
  }
}
