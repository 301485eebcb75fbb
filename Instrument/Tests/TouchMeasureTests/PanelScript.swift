import TouchMeasure

@testable import TouchCore
@testable import TouchInput
@testable import TouchRecordings

/// Writes what a panel of 200 × 120 mm reports, 20 units a millimetre, in slots. Places are in millimetres,
/// times in milliseconds.
struct PanelScript {
  static let width = 200.0
  static let height = 120.0
  static let unitsPerMillimetre = 20.0

  private(set) var frames: [InputFrame] = []
  private(set) var marks: [Recording.Mark] = []
  var time = 0.0
  /// Between two frames.
  var interval = 10.0
  var resolution: Int32 = 20
  var slots = 10
  /// From where a finger is, in millimetres, to what the device reports.
  var distort: (Double, Double) -> (Double, Double) = { ($0, $1) }
  private var nextID: Int32 = 1
  private var ids: [Int: Int32] = [:]

  typealias Place = (x: Double, y: Double)

  var capabilities: DeviceCapabilities {
    var capabilities = DeviceCapabilities()
    capabilities.axes = [
      EventCode.absMTSlot: AxisRange(minimum: 0, maximum: Int32(slots - 1)),
      EventCode.absMTPositionX: AxisRange(minimum: 0, maximum: 4000, resolution: resolution),
      EventCode.absMTPositionY: AxisRange(minimum: 0, maximum: 2400, resolution: resolution),
      EventCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65535),
    ]
    capabilities.keys = [EventCode.btnTouch]
    capabilities.properties = [1]
    capabilities.slotCount = slots
    return capabilities
  }

  var description: DeviceDescription {
    DeviceDescription(
      name: "Panel", bus: 0x18, vendor: 0xeef, product: 1, version: 1, capabilities: capabilities)
  }

  /// One frame with these events, at the time, which then goes on.
  mutating func frame(_ events: [RawEvent]) {
    frames.append(InputFrame(time: Timestamp(microseconds: Int64((time * 1000).rounded())), events: events))
    time += interval
  }

  static func event(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.abs, code: code, value: value)
  }

  private func position(_ place: Place) -> [RawEvent] {
    let (x, y) = distort(place.x, place.y)
    return [
      Self.event(EventCode.absMTPositionX, Int32((x * Self.unitsPerMillimetre).rounded())),
      Self.event(EventCode.absMTPositionY, Int32((y * Self.unitsPerMillimetre).rounded())),
    ]
  }

  /// One frame in which fingers come down or move: slot and place.
  mutating func touch(_ places: [Int: Place]) {
    var events: [RawEvent] = []
    for (slot, place) in places.sorted(by: { $0.key < $1.key }) {
      events.append(Self.event(EventCode.absMTSlot, Int32(slot)))
      if ids[slot] == nil {
        ids[slot] = nextID
        events.append(Self.event(EventCode.absMTTrackingID, nextID))
        nextID += 1
      }
      events += position(place)
    }
    frame(events)
  }

  /// All fingers lift, in one frame.
  mutating func lift() {
    frame(
      ids.keys.sorted().flatMap {
        [Self.event(EventCode.absMTSlot, Int32($0)), Self.event(EventCode.absMTTrackingID, -1)]
      })
    ids = [:]
  }

  /// One finger along some places, and up.
  mutating func draw(_ places: [Place]) {
    for place in places { touch([0: place]) }
    lift()
  }

  mutating func tap(_ x: Double, _ y: Double) {
    touch([0: (x, y)])
    lift()
    time += 100
  }

  /// A step of a test begins; the first one makes this a recording of a test.
  mutating func step(_ text: String) {
    if marks.isEmpty {
      for test in PanelTest.allCases where text.hasPrefix(test.rawValue) { mark("plan \(test.rawValue)") }
    }
    mark(text)
  }

  mutating func mark(_ text: String) {
    marks.append(
      Recording.Mark(time: Timestamp(microseconds: Int64((time * 1000).rounded())), text: text))
  }

  /// Points on a straight way, both ends included.
  static func line(from: Place, to: Place, steps: Int) -> [Place] {
    (0...steps).map {
      let share = Double($0) / Double(steps)
      return (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    }
  }

  // MARK: Judging

  func measurement(size: Size? = nil) -> PanelMeasurement {
    let end = frames.last?.time ?? .zero
    return PanelMeasurement(
      description, as: .multitouch, initial: InitialState(untouched: capabilities), frames: frames,
      marks: TestMarks(marks, end: end), size: size)
  }

  func judge(_ profile: PanelProfile = .strict, only tests: [PanelTest]? = nil, size: Size? = nil)
    -> PanelJudgement
  {
    PanelJudgement(of: measurement(size: size), by: profile, only: tests)
  }

  /// The only result of one test.
  func result(_ test: PanelTest, _ profile: PanelProfile = .strict) -> PanelResult {
    judge(profile, only: [test]).results[0]
  }
}

extension PanelProfile {
  /// ChromiumOS's limits, as config/profiles/chromeos.yaml has them.
  static let strict: PanelProfile = {
    var profile = PanelProfile(name: "strict")
    profile.limits = [
      .mappingFaults: Limit(0), .missingCells: Limit(0), .cellOffset: Limit(5),
      .edgeDistance: Limit(0.5, tolerance: 1),
      .lineLargest: Limit(2, tolerance: 1), .lineRMS: Limit(0.5, tolerance: 0.5), .rateMean: Limit(59),
      .rateFastest: Limit(59),
      .jitterOne: Limit(1), .jitterSeveral: Limit(3), .tapRadius: Limit(0.5, tolerance: 0.5),
      .gapRatio: Limit(1.8, tolerance: 1), .reversedMotion: Limit(1, tolerance: 0.5), .firstStep: Limit(2),
      .mostContacts: Limit(nil), .swaps: Limit(0), .drumroll: Limit(2), .deadDiameter: Limit(4),
      .ghosts: Limit(0),
      .violations: Limit(0),
    ]
    return profile
  }()

  /// The limits of some figures alone.
  func only(_ measures: Measure...) -> PanelProfile {
    var profile = self
    profile.limits = limits.filter { measures.contains($0.key) }
    return profile
  }

  /// With the limits that config/profiles/chromeos.yaml has for one operator, and one contact for each
  /// finger.
  ///
  /// - Parameter rate: the panel's own, in Hz, which is the limit of a slow one.
  static func model(_ touchedBy: PanelOperator, rate: Double = 60) -> PanelProfile {
    var profile = PanelProfile.strict
    profile.touchedBy = touchedBy
    for measure in PanelTest.allCases.compactMap(Measure.wrong) { profile.limits[measure] = Limit(0) }
    profile.limits[.cellOffset] = nil
    profile.limits[.rateGap] = Limit(50)
    for measure in [Measure.rateFastest, .rateMean] { profile.limits[measure] = Limit(min(59, 0.98 * rate)) }
    for measure in Measure.allCases where measure.isOfTouch {
      profile.limits[measure] = Limit(touchedBy == .hand ? 3.5 : 1)
    }
    for (measure, hand, robot) in [
      (Measure.gridScale, (1.5, 1.5), (1.0, 1.0)), (.gridRotation, (1, 1.5), (0.5, 1)),
      (.gridShear, (1.5, 1.9), (0.5, 1)), (.gridKeystone, (1.5, 2.5), (1, 1)),
    ] as [(Measure, (Double, Double), (Double, Double))] {
      let (limit, atEdge) = touchedBy == .hand ? hand : robot
      profile.limits[measure] = Limit(limit, atEdge: atEdge)
    }
    let own: [(Measure, hand: Double?, robot: Double?)] = [
      (.edgeDistance, 1.5, 0.5), (.drumroll, 6, 2), (.gridShift, 3, 1), (.gridRest, 2.5, 0.5),
      (.jitterOne, 2, 1), (.tapRadius, nil, 0.5),
      (.tapSpread, 2, nil), (.separation, 20, 15), (.deadDiameter, 8, 4), (.gridLocal, 4, 1),
      (.borderOffset, 3, 1), (.borderBend, 1.5, 1), (.rateStalls, 1, 1), (.startJump, 1.5, 1),
      (.pairSeparation, 20, 15), (.pairSwaps, 0, 0), (.pairResting, 3, 1), (.noiseQuiet, 2, 1),
      (.noiseCharger, 2, 1), (.noisePattern, 2, 1),
    ]
    for (measure, hand, robot) in own {
      profile.limits[measure] = (touchedBy == .hand ? hand : robot).map { Limit($0) }
    }
    return profile
  }
}

extension PanelResult {
  subscript(measure: Measure) -> Double? { figures.first { $0.measure == measure }?.value }

  func score(_ measure: Measure) -> Double? { figures.first { $0.measure == measure }?.score }
}

extension Double {
  /// Whether it is the same as another number but for rounding.
  func isNear(_ other: Double, within: Double = 0.03) -> Bool { abs(self - other) <= within }
}
