import Foundation
import TouchMeasure

@testable import TouchCore
@testable import TouchInput
@testable import TouchRecordings

/// Numbers that look random, and are the same for the same seed.
struct ModelDice {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// From 0 to 1.
  mutating func share() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }

  /// Normally distributed. (Box and Muller.)
  mutating func normal(_ deviation: Double) -> Double {
    let radius = (-2 * log(max(share(), 1e-12))).squareRoot()
    return deviation * radius * cos(2 * .pi * share())
  }
}

/// What may be wrong with a panel.
enum PlantedFault: String, CaseIterable {
  case shift, scale, rotation, keystone
  case brokenLine, ghostInDrag, doubledTaps, mergingPinch, stuckContact, leakedSlot, stall, split
  case deadSpot, deadStrip, lateReports, jumps, swaps, jitter, scatteredTaps, deadCell
  case lostLift, lostOnce
  case bulge, bentEdge, heldStart, closeFingers, crossedFingers, pulledRest, lostRest, chargerNoise,
    chargerGhost
  case scatteredLanding, jumpingLift, wobblingTaps, shortStalls, lastLift, slowBursts
}

/// The protocol by which a panel reports.
enum PanelKind: CaseIterable {
  case slots, protocolA, singleTouch, pen
  /// A frame of light beams, which reports in steps of 1 mm.
  case infrared
  /// A panel that rounds to 0.5 mm.
  case rounded

  var fingers: Int { self == .singleTouch || self == .pen ? 1 : 10 }

  /// The step of its positions, in millimetres; 0 for its units.
  var step: Double {
    switch self {
    case .infrared: 1
    case .rounded: 0.5
    case .slots, .protocolA, .singleTouch, .pen: 0
    }
  }
}

/// What a panel does with a finger whose middle is beyond its edge.
enum PanelEdge: CaseIterable {
  /// It reports the finger's pad, at the edge.
  case holds
  /// The contact ends.
  case ends
}

/// A panel that a hand or a robot takes through all tasks of a test: what it reports, with its marks.
///
/// The hand aims to 1 mm, trembles by 0.2 mm, and rolls its fingertip by 1.2 mm at landing and lift, each
/// time in another direction.
struct ModelledPanel {
  let size: Size
  /// In milliseconds.
  let interval: Double
  /// In units a millimetre.
  let resolution: Double
  let touchedBy: PanelOperator
  let fault: PlantedFault?
  /// Whether the whole panel is rubbed, which is most of a test.
  let rubs: Bool
  let edge: PanelEdge
  let kind: PanelKind
  private var dice: ModelDice
  private(set) var frames: [InputFrame] = []
  private(set) var marks: [Recording.Mark] = []
  private var time = 0.0
  private var nextID: Int32 = 1
  private var ids: [Int: Int32] = [:]
  private var lastPlaces: [Int: (Int32, Int32)] = [:]
  /// The position of a device with one contact, which it keeps while nothing touches it.
  private var pointer: (Int32, Int32)?
  private var isStuck = false
  /// Whether the first slot does not lift any more.
  private var isHeld = false

  typealias Place = (x: Double, y: Double)

  init(
    _ touchedBy: PanelOperator, size: Size = Size(width: 200, height: 120), rate: Double = 100,
    resolution: Double = 20, fault: PlantedFault? = nil, rubs: Bool = true, edge: PanelEdge = .holds,
    kind: PanelKind = .slots, seed: Int
  ) {
    self.touchedBy = touchedBy
    self.edge = edge
    self.kind = kind
    self.size = size
    self.fault = fault
    self.rubs = rubs
    self.resolution = resolution
    interval = 1000 / rate
    dice = ModelDice(seed: seed)
    run()
  }

  private var isHand: Bool { touchedBy == .hand }

  var measurement: PanelMeasurement {
    var capabilities = DeviceCapabilities()
    let (x, y) = (Int32(size.width * resolution), Int32(size.height * resolution))
    let ranges = [
      AxisRange(minimum: 0, maximum: x, resolution: Int32(resolution)),
      AxisRange(minimum: 0, maximum: y, resolution: Int32(resolution)),
    ]
    capabilities.keys = [EventCode.btnTouch]
    capabilities.properties = [1]
    let isSingle = kind.fingers == 1
    if isSingle {
      capabilities.axes = [EventCode.absX: ranges[0], EventCode.absY: ranges[1]]
      if kind == .pen { capabilities.keys.insert(EventCode.btnToolPen) }
    } else {
      capabilities.axes = [
        EventCode.absMTPositionX: ranges[0], EventCode.absMTPositionY: ranges[1],
        EventCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65535),
      ]
      if kind != .protocolA {
        capabilities.axes[EventCode.absMTSlot] = AxisRange(minimum: 0, maximum: 9)
        capabilities.slotCount = 10
      }
    }
    let description = DeviceDescription(
      name: "Model", bus: 0x18, vendor: 0xeef, product: 2, version: 1, capabilities: capabilities)
    return PanelMeasurement(
      description, as: isSingle ? .singleTouch : .multitouch, initial: InitialState(untouched: capabilities),
      frames: frames, marks: TestMarks(marks, end: Timestamp(microseconds: Int64(time * 1000))))
  }

  // MARK: The panel

  /// Where a finger is reported.
  private func reported(_ place: Place) -> Place {
    let (x, y) = (place.x - size.width / 2, place.y - size.height / 2)
    switch fault {
    case .shift: return (place.x + 8, place.y)
    case .scale:
      // A small panel's edge is 4 mm off, too.
      let scale = max(0.05, 8 / size.width)
      return (place.x + scale * x, place.y + scale * y)
    case .rotation:
      let angle = max(3 * Double.pi / 180, 8 / size.width)
      return (
        size.width / 2 + x * cos(angle) - y * sin(angle), size.height / 2 + x * sin(angle) + y * cos(angle)
      )
    case .keystone: return (place.x + max(0.06, 24 / size.width) * x * y / size.height, place.y)
    case .bulge:
      // A part of the panel is pulled to the right.
      let distance = hypot(place.x - 0.75 * size.width, place.y - 0.3 * size.height) / (0.2 * size.width)
      return (place.x + 12 * exp(-distance * distance), place.y)
    case .bentEdge:
      return (place.x, place.y < 15 ? place.y + 6 * sin(Double.pi * place.x / size.width) : place.y)
    default: return place
    }
  }

  private func isDead(_ place: Place) -> Bool {
    switch fault {
    case .deadSpot: return hypot(place.x - 0.3 * size.width, place.y - 0.6 * size.height) < 7
    case .deadStrip: return place.x < 10
    default: return false
    }
  }

  /// Whether a finger is beyond a panel whose contacts end there.
  private func isBeyond(_ place: Place) -> Bool {
    edge == .ends && !((0...size.width).contains(place.x) && (0...size.height).contains(place.y))
  }

  /// Whether the panel does not tell that the finger of the first slot lifts.
  private mutating func losesLift() -> Bool {
    let step = marks.last?.text ?? ""
    switch fault {
    case .lostLift:
      if step == "edge left" { isHeld = true }
      return isHeld
    case .lostOnce: return step == "grid 0.5,0.5"
    case .lastLift: return step == "noise pattern"
    default: return false
    }
  }

  /// One frame: where the fingers are, by their slot; those that are not there have lifted.
  private mutating func frame(_ fingers: [Int: Place]) {
    var seen = fingers.filter { !isDead($0.value) && !isBeyond(reported($0.value)) }
    // Of several fingers, such a panel sees one.
    if kind.fingers == 1, let first = seen.keys.min() { seen = [first: seen[first] ?? (0, 0)] }
    var units: [Int: (Int32, Int32)] = [:]
    for (slot, place) in seen {
      var at = reported(place)
      if ids[slot] == nil, fault == .scatteredLanding {
        at = (at.x + dice.normal(4), at.y + dice.normal(4))
      }
      units[slot] = self.units(at)
    }
    if fault == .jumpingLift {
      let lifting = lastPlaces.filter { seen[$0.key] == nil }
      if !lifting.isEmpty {
        // The last report is 10 mm beside the finger.
        let off = Int32(10 * resolution)
        send(
          units.merging(lifting.mapValues { (max(0, $0.0 > off ? $0.0 - off : $0.0 + off), $0.1) }) {
            one, _ in one
          })
        time += interval
      }
    }
    send(units)
    time += interval
  }

  /// A place in the panel's units, rounded as the panel does.
  private func units(_ at: Place) -> (Int32, Int32) {
    func unit(_ place: Double, _ side: Double) -> Int32 {
      let inside = min(max(place, 0), side)
      let rounded = kind.step > 0 ? (inside / kind.step).rounded() * kind.step : inside
      return Int32(min(rounded, side) * resolution)
    }
    return (unit(at.x, size.width), unit(at.y, size.height))
  }

  /// One frame of the contacts that the panel sees.
  private mutating func send(_ places: [Int: (Int32, Int32)]) {
    var places = places
    for slot in ids.keys where places[slot] == nil && slot == 0 && losesLift() {
      places[slot] = lastPlaces[slot]
    }
    let events: [RawEvent]
    switch kind {
    case .slots, .infrared, .rounded: events = slotEvents(places)
    case .protocolA: events = listEvents(places)
    case .singleTouch, .pen: events = pointerEvents(places)
    }
    for slot in ids.keys where places[slot] == nil { ids[slot] = nil }
    lastPlaces = places
    // The kernel passes on no frame without events.
    guard !events.isEmpty else { return }
    let stamp = fault == .slowBursts ? burst(time) : time
    frames.append(InputFrame(time: Timestamp(microseconds: Int64((stamp * 1000).rounded())), events: events))
  }

  /// Of four reports three are held up and sent with the fourth one, a millisecond apart.
  private func burst(_ time: Double) -> Double {
    let index = Int((time / interval).rounded())
    return Double(index / 4 * 4 + 3) * interval + Double(index % 4)
  }

  private mutating func identity(_ slot: Int) -> (id: Int32, isNew: Bool) {
    if let id = ids[slot] { return (id, false) }
    ids[slot] = nextID
    nextID += 1
    return (nextID - 1, true)
  }

  private static func event(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.abs, code: code, value: value)
  }

  private mutating func slotEvents(_ places: [Int: (Int32, Int32)]) -> [RawEvent] {
    var events: [RawEvent] = []
    for slot in Set(places.keys).union(ids.keys).sorted() {
      guard let units = places[slot] else {
        events += [Self.event(EventCode.absMTSlot, Int32(slot)), Self.event(EventCode.absMTTrackingID, -1)]
        continue
      }
      var own: [RawEvent] = []
      let (id, isNew) = identity(slot)
      if isNew { own.append(Self.event(EventCode.absMTTrackingID, id)) }
      if lastPlaces[slot]?.0 != units.0 { own.append(Self.event(EventCode.absMTPositionX, units.0)) }
      if lastPlaces[slot]?.1 != units.1 { own.append(Self.event(EventCode.absMTPositionY, units.1)) }
      if !own.isEmpty { events += [Self.event(EventCode.absMTSlot, Int32(slot))] + own }
    }
    return events
  }

  /// All contacts in each frame, by protocol A.
  private mutating func listEvents(_ places: [Int: (Int32, Int32)]) -> [RawEvent] {
    let separator = RawEvent(type: EventCode.syn, code: 2, value: 0)
    guard !places.isEmpty else { return lastPlaces.isEmpty ? [] : [separator] }
    return places.sorted { $0.key < $1.key }.flatMap { slot, units in
      [
        Self.event(EventCode.absMTTrackingID, identity(slot).id),
        Self.event(EventCode.absMTPositionX, units.0),
        Self.event(EventCode.absMTPositionY, units.1), separator,
      ]
    }
  }

  private mutating func pointerEvents(_ places: [Int: (Int32, Int32)]) -> [RawEvent] {
    func key(_ code: UInt16, _ value: Int32) -> RawEvent {
      RawEvent(type: EventCode.key, code: code, value: value)
    }
    let tools = kind == .pen ? [EventCode.btnToolPen, EventCode.btnTouch] : [EventCode.btnTouch]
    guard let (slot, units) = places.first else {
      return ids.isEmpty ? [] : tools.reversed().map { key($0, 0) }
    }
    var events: [RawEvent] = []
    if identity(slot).isNew { events += tools.map { key($0, 1) } }
    // The kernel filters what has not changed.
    if pointer?.0 != units.0 { events.append(Self.event(EventCode.absX, units.0)) }
    if pointer?.1 != units.1 { events.append(Self.event(EventCode.absY, units.1)) }
    pointer = units
    return events
  }

  private mutating func lift() { frame([:]) }

  private mutating func mark(_ text: String) {
    marks.append(
      Recording.Mark(time: Timestamp(microseconds: Int64((time * 1000).rounded())), text: text))
  }

  // MARK: The hand

  private mutating func aim(_ place: Place) -> Place {
    isHand ? (place.x + dice.normal(1), place.y + dice.normal(1)) : place
  }

  private mutating func tremor(_ place: Place) -> Place {
    guard isHand else { return place }
    // A hand does not tremble faster than in some milliseconds, however often it is reported.
    let pace = 8.0
    guard interval < pace else { return (place.x + dice.normal(0.2), place.y + dice.normal(0.2)) }
    while time >= trembles.until {
      trembles = (trembles.to, (dice.normal(0.2), dice.normal(0.2)), max(trembles.until, time - pace) + pace)
    }
    let share = 1 - (trembles.until - time) / pace
    let (from, to) = (trembles.from, trembles.to)
    return (place.x + from.x + (to.x - from.x) * share, place.y + from.y + (to.y - from.y) * share)
  }

  private var trembles: (from: Place, to: Place, until: Double) = ((0, 0), (0, 0), 0)

  /// The directions from which a fingertip rolls at landing, and to which it does at lift, as angles.
  private struct Roll {
    var landing: Double
    var lift: Double
  }

  private mutating func newRoll() -> Roll {
    Roll(landing: 2 * .pi * dice.share(), lift: 2 * .pi * dice.share())
  }

  /// Where a fingertip is that has rolled.
  private func rolled(_ place: Place, _ roll: Roll, _ milliseconds: Double, of duration: Double) -> Place {
    guard isHand else { return place }
    let landing = 1.2 * max(0, 1 - milliseconds / 150)
    let lift = 1.2 * max(0, 1 - (duration - milliseconds) / 60)
    return (
      place.x + landing * cos(roll.landing) + lift * cos(roll.lift),
      place.y + landing * sin(roll.landing) + lift * sin(roll.lift)
    )
  }

  /// Fingers follow ways, for a time in milliseconds, and lift. A way is asked for the share of the time.
  private mutating func follow(_ milliseconds: Double, _ ways: [(Double) -> Place]) {
    let count = max(2, Int(milliseconds / interval))
    let rolls = ways.map { _ in newRoll() }
    for step in 0..<count {
      let share = Double(step) / Double(count - 1)
      if fault == .shortStalls, milliseconds > 1500,
        (share * milliseconds + 500).truncatingRemainder(dividingBy: 1000) < 50
      {
        time += interval
        continue
      }
      if fault == .stall, milliseconds > 1500, abs(share - 0.5) < 100 / milliseconds {
        time += interval
        continue
      }
      var places: [Int: Place] = [:]
      for (slot, way) in ways.enumerated() {
        places[slot + (isStuck ? 1 : 0)] = rolled(
          tremor(way(share)), rolls[slot], share * milliseconds, of: milliseconds)
      }
      disturb(&places, share, of: milliseconds)
      if isStuck { places[0] = (30, 30) }
      frame(places)
    }
    if fault == .stuckContact && !isStuck {
      isStuck = true
      frame([0: (30, 30)])
    } else {
      frame(isStuck ? [0: (30, 30)] : [:])
    }
  }

  /// What the panel makes of fingers that move.
  private mutating func disturb(_ places: inout [Int: Place], _ share: Double, of milliseconds: Double) {
    let step = marks.last?.text ?? ""
    switch fault {
    case .heldStart where step == "start":
      // It moves on when the finger is 4 mm away.
      if let place = places[0] {
        let rest = at(0.2, 0.5)
        if hypot(place.x - rest.x, place.y - rest.y) < 4 { places[0] = rest }
      }
    case .closeFingers where step.hasPrefix("pairs") && places.count == 2:
      if let one = places[0], let other = places[1], share > 0.3 {
        places = [0: ((one.x + other.x) / 2, (one.y + other.y) / 2)]
      }
    case .crossedFingers where step == "pairs crossing" && share > 0.5:
      if let one = places[0], let other = places[1] { (places[0], places[1]) = (other, one) }
    case .pulledRest where step == "pairs resting" && places.count == 2:
      if let place = places[0] { places[0] = (place.x + 5, place.y) }
    case .lostRest where step == "pairs resting" && abs(share - 0.5) < 10 / milliseconds: places[0] = nil
    case .chargerNoise where step == "noise charger":
      for (slot, place) in places { places[slot] = (place.x + dice.normal(1.5), place.y) }
    case .chargerGhost where step == "noise charger" && abs(share - 0.5) < 40 / milliseconds:
      places[6] = (0.9 * size.width, 0.9 * size.height)
    case .brokenLine where milliseconds > 300 && abs(share - 0.5) < 10 / milliseconds: places = [:]
    case .ghostInDrag where abs(share - 0.5) < 60 / milliseconds && milliseconds > 300:
      places[7] = (0.8 * size.width, 0.15 * size.height)
    case .split where abs(share - 0.4) < 60 / milliseconds && places.count == 1:
      if let place = places[0] { places[5] = (place.x + 6, place.y) }
    case .wobblingTaps where milliseconds < 200:
      for (slot, place) in places { places[slot] = (place.x + 3 * sin(share * milliseconds / 8), place.y) }
    case .jitter where milliseconds > 1000:
      for (slot, place) in places { places[slot] = (place.x + dice.normal(0.9), place.y) }
    case .jumps where abs(share - 0.5) < 0.6 * interval / milliseconds:
      for (slot, place) in places { places[slot] = (place.x + 7, place.y) }
    case .lateReports where milliseconds > 300:
      // Two of three reports are lost in the middle.
      if abs(share - 0.5) < 0.1, Int(share * milliseconds / interval) % 3 > 0 {
        places = [:]
        for (slot, last) in lastPlaces { places[slot] = reportedBack(last) }
      }
    case .mergingPinch where places.count == 2:
      if let one = places[0], let other = places[1], hypot(one.x - other.x, one.y - other.y) < 25 {
        places = [0: ((one.x + other.x) / 2, (one.y + other.y) / 2)]
      }
    case .swaps where places.count > 1 && share > 0.5:
      if let one = places[0], let other = places[1] { (places[0], places[1]) = (other, one) }
    default: break
    }
  }

  private func reportedBack(_ units: (Int32, Int32)) -> Place {
    (Double(units.0) / resolution, Double(units.1) / resolution)
  }

  private mutating func tap(_ place: Place) {
    var place = aim(place)
    if fault == .scatteredTaps { place = (place.x + dice.normal(3), place.y + dice.normal(3)) }
    if fault == .deadCell, abs(place.x - 1.5 / 7 * size.width) < 6, abs(place.y - 0.3 * size.height) < 6 {
      time += 3000
      return
    }
    follow(fault == .doubledTaps ? 40 : 120) { _ in place }
    if fault == .doubledTaps {
      time += 10
      follow(40) { _ in place }
    }
    if fault == .leakedSlot && !isStuck {
      isStuck = true
      frame([0: place])
    }
    time += 250 + 100 * dice.share()
  }

  private mutating func follow(_ milliseconds: Double, _ way: @escaping (Double) -> Place) {
    follow(milliseconds, [way])
  }

  // MARK: The tasks

  private static func line(_ from: Place, _ to: Place) -> (Double) -> Place {
    { share in (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share) }
  }

  private func at(_ x: Double, _ y: Double) -> Place { (x * size.width, y * size.height) }

  private mutating func run() {
    let tests = PanelTest.allCases.filter {
      $0 != .latency && (rubs || $0 != .deadzone) && (kind.fingers > 1 || $0 != .pairs)
    }
    mark("plan \(tests.map(\.rawValue).joined(separator: ","))")
    for (x, y) in [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)] {
      mark("mapping \(x),\(y)")
      tap(at(x, y))
    }
    for row in 0..<5 {
      for column in 0..<7 {
        let (x, y) = ((Double(column) + 0.5) / 7, (Double(row) + 0.5) / 5)
        mark("grid \(x),\(y)")
        tap(at(x, y))
      }
    }
    for (name, x, y) in [("left", 0.0, 0.5), ("right", 1, 0.5), ("top", 0.5, 0), ("bottom", 0.5, 1)] {
      mark("edge \(name)")
      // The pad of the finger is reported until its middle is beyond the edge.
      let end = (x: at(x, y).x + (x - 0.5) * 6, y: at(x, y).y + (y - 0.5) * 6)
      // As the task says, the finger is slow near the edge.
      let way = Self.line(aim(at(0.5, 0.5)), aim(end))
      follow(max(700, 3 * size.width)) { share in way(1 - (1 - share) * (1 - share)) }
      time += 300
    }
    drawBorders()
    for (name, from, to) in [
      ("horizontal", (0.05, 0.5), (0.95, 0.5)), ("vertical", (0.5, 0.05), (0.5, 0.95)),
      ("falling", (0.1, 0.1), (0.9, 0.9)), ("rising", (0.1, 0.9), (0.9, 0.1)),
    ] {
      mark("line \(name)")
      follow(max(1400, 4 * size.width), Self.line(aim(at(from.0, from.1)), aim(at(to.0, to.1))))
      time += 300
    }
    moveSeveral()
    mark("start")
    let rest = at(0.2, 0.5)
    let pace = min(60, 0.5 * size.width)
    follow(2500) { share in (rest.x + max(0, share - 0.4) / 0.6 * pace, rest.y) }
    time += 300
    mark("taps 20")
    for _ in 0..<20 { tap(at(0.5, 0.5)) }
    for (name, duration) in [("slow", 1200.0), ("fast", 350)] {
      mark("gaps \(name)")
      follow(duration, Self.line(at(0.1, 0.5), at(0.9, 0.5)))
      time += 300
    }
    useSeveral()
    if kind.fingers > 1 { usePairs() }
    if rubs {
      mark("deadzone")
      rub()
    }
    mark("ghost")
    time += 60_000
    for condition in ["quiet", "charger", "pattern"] {
      mark("noise \(condition)")
      let place = at(0.5, 0.5)
      follow(3000) { _ in place }
      time += 300
    }
    mark("end")
  }

  /// Along each edge, at 5 mm.
  private mutating func drawBorders() {
    let (right, bottom) = (size.width - 5, size.height - 5)
    for (name, from, to) in [
      ("left", (5.0, 12.0), (5.0, bottom - 7)), ("right", (right, 12), (right, bottom - 7)),
      ("top", (12, 5), (right - 7, 5)), ("bottom", (12, bottom), (right - 7, bottom)),
    ] {
      mark("border \(name)")
      follow(max(1400, 4 * size.width), Self.line(aim(from), aim(to)))
      time += 300
    }
  }

  /// Two fingers a finger's width apart, past each other, and one that rests beside another one.
  private mutating func usePairs() {
    let middle = at(0.5, 0.5)
    let reach = 0.3 * min(size.width, size.height)
    for (name, along, aside) in [
      ("across", (1.0, 0.0), (0.0, 12.0)), ("down", (0, 1), (12, 0)), ("slanting", (0.7, 0.7), (8.5, -8.5)),
    ] {
      mark("pairs \(name)")
      follow(
        1200,
        [1.0, -1].map { side in
          let place = aim((middle.x + side * aside.0, middle.y + side * aside.1))
          return Self.line(
            (place.x - reach * along.0, place.y - reach * along.1),
            (place.x + reach * along.0, place.y + reach * along.1))
        })
      time += 300
    }
    mark("pairs crossing")
    follow(
      1200,
      [
        Self.line((middle.x - reach, middle.y - 8), (middle.x + reach, middle.y - 8)),
        Self.line((middle.x + reach, middle.y + 8), (middle.x - reach, middle.y + 8)),
      ])
    time += 300
    mark("pairs resting")
    rest(beside: at(0.35, 0.5), at(0.65, 0.5))
    time += 300
  }

  /// One finger rests; another one taps five times and then moves.
  private mutating func rest(beside one: Place, _ other: Place) {
    let count = Int(3600 / interval)
    let roll = newRoll()
    for step in 0..<count {
      let milliseconds = Double(step) * interval
      var places = [0: rolled(tremor(one), roll, milliseconds, of: Double(count) * interval)]
      let since = milliseconds - 500
      if since >= 0, since < 2000, since.truncatingRemainder(dividingBy: 400) < 120 {
        places[1] = tremor(other)
      } else if since >= 2200, since < 2900 {
        places[1] = tremor((other.x + 15 * sin((since - 2200) / 100), other.y + (since - 2200) / 60))
      }
      disturb(&places, milliseconds / 3600, of: 3600)
      if isStuck { places = [0: (30, 30), 1: places[0] ?? one, 2: places[1] ?? other] }
      frame(places)
    }
    if isStuck { frame([0: (30, 30)]) } else { lift() }
  }

  private mutating func moveSeveral() {
    let radius = min(size.width, size.height) / 6
    for fingers in [1, 2, 5] where fingers <= kind.fingers {
      mark("rate \(fingers)")
      let ways = (0..<fingers).map { finger in
        { [size] (share: Double) -> Place in
          let angle = 2 * Double.pi * share * 3
          return (
            size.width * (Double(finger) + 1) / (Double(fingers) + 1) + radius * cos(angle),
            size.height / 2 + radius * sin(angle)
          )
        }
      }
      follow(2400, ways)
      time += 300
    }
    for fingers in [1, 3] where fingers <= kind.fingers {
      mark("jitter \(fingers)")
      let places = (0..<fingers).map { at(0.3 + 0.2 * Double($0), 0.5) }
      follow(3000, places.map { place in { _ in place } })
      time += 300
    }
  }

  private mutating func useSeveral() {
    mark("contacts \(kind.fingers)")
    follow(400, (0..<kind.fingers).map { finger in { [self] _ in at(0.05 + 0.1 * Double(finger), 0.5) } })
    time += 300
    guard kind.fingers > 1 else { return }
    mark("contacts drumroll")
    for step in 0..<10 {
      let place = aim(at(step.isMultiple(of: 2) ? 0.4 : 0.6, 0.5))
      follow(90) { _ in place }
      time += 40
    }
    time += 300
    mark("contacts pinch")
    let middle = at(0.5, 0.5)
    follow(
      900,
      [
        Self.line((middle.x - 35, middle.y), (middle.x - 6, middle.y)),
        Self.line((middle.x + 35, middle.y), (middle.x + 6, middle.y)),
      ])
    time += 300
  }

  /// Lanes, fast in the middle and slow at the turns.
  private mutating func rub() {
    let gap = isHand ? 3.0 : 2.0
    let lanes = Int(size.height / gap) + 1
    let y = (0...lanes).map { min(Double($0) * gap, size.height) + (isHand ? dice.normal(0.7) : 0) }
    var way: [Place] = []
    let steps = max(20, Int(size.width / 4))
    for (lane, y) in y.enumerated() {
      for step in 0...steps {
        let share = (1 - cos(Double.pi * Double(step) / Double(steps))) / 2
        let x = (size.width + 6) * (lane.isMultiple(of: 2) ? share : 1 - share) - 3
        way.append((x, y))
      }
    }
    for place in way {
      frame([isStuck ? 1 : 0: tremor(place)].merging(isStuck ? [0: (30, 30)] : [:]) { one, _ in one })
    }
    if isStuck { frame([0: (30, 30)]) } else { lift() }
  }
}
