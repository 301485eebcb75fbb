import Foundation
import Testing
import TouchMeasure

@testable import TouchCore
@testable import TouchInput
@testable import TouchRecordings

/// For each test a recording that passes and one that fails, whose figures follow by hand.
@Suite struct JudgeTests {
  // MARK: rate

  /// A circle of 30 mm around the panel's middle, drawn once in so many frames.
  private func circle(_ script: inout PanelScript, fingers: Int = 1, frames: Int = 200) {
    for step in 0..<frames {
      let angle = 2 * Double.pi * Double(step) / 100
      script.touch(
        Dictionary(
          uniqueKeysWithValues: (0..<fingers).map { finger in
            (finger, (60 + 20 * Double(finger) + 30 * cos(angle), 60 + 30 * sin(angle)))
          }))
    }
    script.lift()
  }

  @Test func `a stream at 97_3 Hz with one gap of 41 ms has these figures`() throws {
    var script = PanelScript()
    script.interval = 1000 / 97.3
    for step in 0..<200 {
      // The finger goes on during the gap.
      if step == 100 { script.time += 41 - script.interval }
      let angle = script.time / 200
      script.touch([0: (100 + 30 * cos(angle), 60 + 30 * sin(angle))])
    }
    let result = script.result(.rate)
    let mean = 199 / ((198 * 1000 / 97.3 + 41) / 1000)
    #expect(try #require(result[.rateMean]).isNear(mean))
    #expect(try #require(result[.rateGap]).isNear(41))
    #expect(try #require(result[.rateMinimum]).isNear(1000 / 41))
    #expect(try #require(result[.rateSlow]).isNear(100.0 / 199))
    #expect(result.outcome == .passed)
  }

  @Test(arguments: [(10.0, 20.0), (20, 10)])
  func `a panel that reports at 50 Hz with one or two fingers fails, and the slower of both counts`(
    one: Double, two: Double
  ) throws {
    var script = PanelScript()
    script.interval = one
    circle(&script)
    script.interval = two
    circle(&script, fingers: 2)
    let result = script.result(.rate)
    #expect(try #require(result[.rateMean]).isNear(50))
    #expect(result.outcome == .failed && result.details.count == 2, "\(result)")
  }

  @Test func `a rest of a moving finger is not a gap`() throws {
    var script = PanelScript()
    let points = PanelScript.line(from: (20, 60), to: (180, 60), steps: 80)
    for (index, point) in points.enumerated() {
      if index == 40 { script.time += 700 }
      script.touch([0: point])
    }
    // It came back from its rest as slowly as a finger does.
    let result = script.result(.rate)
    #expect(try #require(result[.rateGap]).isNear(10))
  }

  // MARK: jitter

  @Test(arguments: [
    (0.4, 1, Measure.jitterOne, true), (0.6, 1, .jitterOne, false), (1.4, 3, .jitterSeveral, true),
    (1.6, 3, .jitterSeveral, false),
  ])
  func `a finger that rests and moves on a circle has its diameter`(
    radius: Double, fingers: Int, measure: Measure, passes: Bool
  ) throws {
    var script = PanelScript()
    script.step("jitter \(fingers)")
    for step in 0..<72 {
      let angle = 2 * Double.pi * Double(step) / 72
      script.touch(
        Dictionary(
          uniqueKeysWithValues: (0..<fingers).map {
            ($0, (40 + 50 * Double($0) + radius * cos(angle), 60 + radius * sin(angle)))
          }))
    }
    script.lift()
    let result = script.result(.jitter, .strict.only(measure))
    #expect(try #require(result[measure]).isNear(2 * radius, within: 0.1))
    #expect(result.outcome == (passes ? .passed : .failed))
    #expect(result.figures.map(\.measure) == [measure, .jitterLanding, .jitterLift, .jitterWrong])
  }

  @Test(
    arguments: [(150, 0.4, 0.8), (150, 2.4, 4.8), (150, 2.6, nil), (90, 0.4, nil)] as [(Int, Double, Double?)]
  )
  func `a finger that lay still for a second and lifted is a rest`(
    frames: Int, radius: Double, spread: Double?
  )
    throws
  {
    var script = PanelScript()
    script.draw(
      (0..<frames).map { step in
        let angle = 2 * Double.pi * Double(step) / 50
        return (60 + radius * cos(angle), 60 + radius * sin(angle))
      })
    // It is still down.
    for _ in 0..<150 { script.touch([0: (100, 60)]) }
    let rests = script.judge(only: []).trace.rests
    #expect(rests.count == (spread == nil ? 0 : 1))
    if let rest = rests.first {
      #expect(rest.seconds.isNear(1.5, within: 0.001))
      #expect(rest.spread.isNear(try #require(spread), within: 0.1))
    }
  }

  // MARK: line

  /// A horizontal line of 160 mm with a bow that rises to `bow` in the middle, as two straight halves.
  private func bowed(_ bow: Double) -> [PanelScript.Place] {
    (0...160).map { step in
      let x = Double(step)
      return (20 + x, 60 + bow * (1 - abs(x - 80) / 80))
    }
  }

  @Test(arguments: [(0.5, true), (4.0, false)])
  func `a line with a known bow has these residuals`(bow: Double, passes: Bool) throws {
    var script = PanelScript()
    script.step("line horizontal")
    // A touch by mistake, which is not the line.
    script.tap(5, 5)
    script.draw(bowed(bow))
    let result = script.result(.line)
    // After the cut, x goes from 16 to 144, and the height from 0.2 to 1 of the bow: 129 points, on both
    // sides alike, so that the fit is level at their mean.
    let heights = (16...144).map { bow * (1 - abs(Double($0) - 80) / 80) }
    let mean = heights.reduce(0, +) / 129
    let squares = heights.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    #expect(try #require(result[.lineLargest]).isNear(max(bow - mean, mean - bow * 0.2), within: 0.05))
    #expect(try #require(result[.lineRMS]).isNear((squares / 129).squareRoot(), within: 0.05))
    // Ten millimetres along a slope of bow in 80.
    #expect(try #require(result[.lineWave]).isNear(bow / 8, within: 0.06))
    #expect(result.outcome == (passes ? .passed : .failed))
  }

  @Test(arguments: [((20.0, 20.0), (180.0, 100.0)), ((100, 10), (100, 110)), ((180, 20), (20, 100))])
  func `a straight line is straight in every direction`(from: (Double, Double), to: (Double, Double)) throws {
    var script = PanelScript()
    script.step("line falling")
    script.draw(PanelScript.line(from: from, to: to, steps: 100))
    let result = script.result(.line)
    #expect(try #require(result[.lineLargest]) < 0.06 && result.outcome == .passed)
  }

  @Test(arguments: [4.0, -4.0])
  func `a bump to either side counts the same`(bump: Double) throws {
    var script = PanelScript()
    script.step("line horizontal")
    script.draw(
      (0...160).map { step in
        let x = Double(step)
        return (20 + x, 60 + bump * max(0, 1 - abs(x - 80) / 16))
      })
    // The fit is level at the mean of the 129 points, whose heights add up to 16 bumps.
    let largest = 4 * (1 - 16.0 / 129)
    #expect(try #require(script.result(.line)[.lineLargest]).isNear(largest, within: 0.06))
  }

  // MARK: edge

  @Test(arguments: ["left", "right", "top", "bottom"], [(0.4, 1.0), (1.0, 0.5), (1.5, 0)])
  func `an edge that is not reached fails in proportion`(edge: String, figures: (Double, Double)) throws {
    let (distance, score) = figures
    var script = PanelScript()
    for (name, end) in [
      ("left", (0.0, 60.0)), ("right", (200, 60)), ("top", (100, 0)), ("bottom", (100, 120)),
    ] {
      script.step("edge \(name)")
      let length = max(abs(end.0 - 100), abs(end.1 - 60))
      let share = name == edge ? 1 - distance / length : 1
      script.draw(
        PanelScript.line(
          from: (100, 60), to: (100 + (end.0 - 100) * share, 60 + (end.1 - 60) * share), steps: 1000))
    }
    let result = script.result(.edge)
    // The way of one report is a tenth of a millimetre.
    #expect(try #require(result[.edgeDistance]).isNear(distance, within: 0.11))
    #expect(try #require(result.score(.edgeDistance)).isNear(score, within: 0.15))
    #expect(result.outcome == (score == 1 ? .passed : .failed))
  }

  @Test func `an edge that was left out makes the test incomplete`() {
    var script = PanelScript()
    script.step("edge left")
    script.draw(PanelScript.line(from: (100, 60), to: (0, 60), steps: 50))
    let result = script.result(.edge)
    #expect(result.outcome == .incomplete && result.gaps.count == 3)
  }

  // MARK: taps

  @Test(arguments: [(0.45, true), (0.8, false)])
  func `taps on a circle have its radius`(radius: Double, passes: Bool) throws {
    var script = PanelScript()
    script.step("taps")
    // An odd number: no two of them are as far apart as the circle is wide.
    for step in 0..<5 {
      let angle = 2 * Double.pi * Double(step) / 5
      // The finger slips before it lifts.
      let place = (100 + radius * cos(angle), 60 + radius * sin(angle))
      script.draw([place, (place.0 + Double(step), place.1)])
    }
    let result = script.result(.taps)
    #expect(try #require(result[.tapRadius]).isNear(radius, within: 0.04))
    #expect(result.outcome == (passes ? .passed : .failed))
  }

  // MARK: gaps

  private func swipe(_ steps: [Double]) -> PanelScript {
    var script = PanelScript()
    script.step("gaps slow")
    var x = 20.0
    script.touch([0: (x, 60)])
    for step in steps {
      x += step
      script.touch([0: (x, 60)])
    }
    script.lift()
    return script
  }

  @Test func `an even swipe passes`() throws {
    let result = swipe(Array(repeating: 2, count: 50)).result(.gaps)
    #expect(result[.reversedMotion] == 0 && result.outcome == .passed)
    #expect(try #require(result[.firstStep]).isNear(1))
  }

  @Test(arguments: [
    (Array(repeating: 2.0, count: 20) + [4.6] + Array(repeating: 2, count: 20), Measure.gapRatio, 2.3, 0.5),
    (
      Array(repeating: 2.0, count: 20) + [-0.7, -0.6] + Array(repeating: 2, count: 20), .reversedMotion, 1.3,
      // Without 0.07 mm, which are the device's units.
      0.54
    ),
    ([6.0] + Array(repeating: 2, count: 40), .firstStep, 3, 0),
  ])
  func `a swipe with a fault fails`(steps: [Double], measure: Measure, figure: Double, score: Double) throws {
    let result = swipe(steps).result(.gaps)
    #expect(try #require(result[measure]).isNear(figure))
    #expect(try #require(result.score(measure)).isNear(score, within: 0.06))
    #expect(result.outcome == .failed)
    #expect(result.figures.count { ($0.score ?? 1) < 1 } == 1, "\(result)")
  }

  @Test func `a swipe that gets faster has no gap`() throws {
    let result = swipe((1...30).map { Double($0) * 0.2 }).result(.gaps)
    #expect(try #require(result[.gapRatio]) < 1.8)
  }

  // MARK: contacts

  private func fingers(_ count: Int) -> PanelScript {
    var script = PanelScript()
    script.step("contacts \(count)")
    // A contact that has lifted is not counted with those that come later.
    script.tap(100, 60)
    script.touch(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, (15 + 18 * Double($0), 60)) }))
    script.lift()
    return script
  }

  @Test(arguments: [(10, true), (9, false)])
  func `as many contacts as the device claims are asked for`(count: Int, passes: Bool) {
    let result = fingers(count).result(.contacts, .strict.only(.mostContacts, .swaps))
    #expect(result[.mostContacts] == Double(count) && result.outcome == (passes ? .passed : .failed))
  }

  @Test func `a device that swaps two identities is found out`() {
    var script = fingers(10)
    for step in 0..<20 {
      let isSwapped = step >= 10
      script.touch([0: (isSwapped ? 150 : 50, 60), 1: (isSwapped ? 50 : 150, 60 + Double(step) / 10)])
    }
    script.lift()
    let result = script.result(.contacts)
    #expect(result[.swaps] == 1 && result.outcome == .failed)
  }

  @Test func `fingers that pass each other do not swap`() {
    var script = fingers(10)
    for step in 0...80 { script.touch([0: (20 + 2 * Double(step), 60), 1: (180 - 2 * Double(step), 60)]) }
    script.lift()
    #expect(script.result(.contacts)[.swaps] == 0)
  }

  @Test func `fingers that jump elsewhere do not swap`() {
    var script = fingers(10)
    script.touch([0: (50, 60), 1: (150, 60)])
    script.touch([0: (90, 60), 1: (110, 60)])
    script.lift()
    #expect(script.result(.contacts)[.swaps] == 0)
  }

  @Test func `a contact that lifts in the frame in which another one comes down is not counted with it`() {
    var script = PanelScript()
    script.step("contacts 2")
    for (slot, id) in [(0, 900), (1, 901), (0, 902)] {
      var events = [Self.event(0x2f, Int32(slot)), Self.event(0x39, Int32(id)), Self.event(0x35, 500)]
      if id > 900 { events = [Self.event(0x2f, Int32(1 - slot)), Self.event(0x39, -1)] + events }
      script.frame(events)
    }
    script.lift()
    #expect(script.result(.contacts)[.mostContacts] == 1)
  }

  @Test func `a drumroll whose contacts merge has one that jumps`() throws {
    var script = fingers(10)
    script.step("contacts drumroll")
    for step in 0..<10 { script.touch([0: (step.isMultiple(of: 2) ? 80 : 110, 60)]) }
    script.lift()
    let result = script.result(.contacts)
    #expect(try #require(result[.drumroll]).isNear(30) && result.outcome == .failed)
  }

  // MARK: grid

  private func grid(without missing: [Int] = [], offset: Double = 0) -> PanelScript {
    var script = PanelScript()
    for row in 0..<5 {
      for column in 0..<5 {
        let (x, y) = ((Double(column) + 0.5) / 5, (Double(row) + 0.5) / 5)
        script.step("grid \(x),\(y)")
        if missing.contains(row * 5 + column) {
          script.time += 500
        } else {
          // One touch is farther from its mark than the others.
          let offset = row == 1 && column == 3 ? offset : offset / 2
          script.tap(x * PanelScript.width + 0.6 * offset, y * PanelScript.height + 0.8 * offset)
        }
      }
    }
    return script
  }

  @Test(
    arguments: [([], 0.0, 0, true), ([7, 24], 0, 2, false), ([], 6, 0, false)] as [([Int], Double, Int, Bool)]
  )
  func `cells that never answer, and touches beside their cell's centre, are found`(
    missing: [Int], offset: Double, count: Int, passes: Bool
  ) throws {
    let result = grid(without: missing, offset: offset).result(.grid)
    #expect(result[.missingCells] == Double(count))
    #expect(try #require(result[.cellOffset]).isNear(offset))
    #expect(result.outcome == (passes ? .passed : .failed))
    if count > 0 { #expect(result.details.joined().contains("column 3 row 2, column 5 row 5")) }
  }

  // MARK: ghost

  @Test(arguments: [(0, true), (2, false)])
  func `contacts that come without a touch are ghosts`(count: Int, passes: Bool) {
    var script = PanelScript()
    script.step("ghost")
    for _ in 0..<count {
      script.time += 9000
      script.tap(33, 44)
    }
    script.time = 60_000
    script.mark("end")
    let result = script.result(.ghost)
    #expect(result[.ghosts] == Double(count) && result.outcome == (passes ? .passed : .failed))
  }

  @Test func `a wait that was broken off proves nothing`() {
    var script = PanelScript()
    script.step("ghost")
    script.time = 5000
    script.mark("end")
    #expect(script.result(.ghost).outcome == .incomplete)
  }

  @Test(arguments: [(0, 60_000, PanelResult.Outcome.passed), (1, 60_000, .failed), (0, 5000, .incomplete)])
  func `each condition of a wait is one of its own`(count: Int, length: Double, outcome: PanelResult.Outcome)
  {
    var profile = PanelProfile.strict
    profile.ghostConditions = ["mains", "battery"]
    var script = PanelScript()
    script.step("ghost mains")
    script.time = 60_000
    script.step("ghost battery")
    for _ in 0..<count { script.tap(33, 44) }
    script.time = 60_000 + length
    script.mark("end")
    let result = script.result(.ghost, profile)
    #expect(result.outcome == outcome)
    #expect(result.details.contains("mains: 60 s without a touch, contacts: 0"))
    #expect(
      length < 60_000
        ? result.gaps == ["battery: the wait was shorter than 30 s"]
        : result.details.contains("battery: 60 s without a touch, contacts: \(count)"))
  }

  // MARK: signal to noise

  @Test(arguments: [
    (["raw quiet 3 600", "raw charger 30 600"], 20.0, Conformity.conforms),
    (["raw quiet 0 7"], 7, .doesNotConform),
    ([], nil, nil), (["raw quiet 3", "raw quiet -1 600", "raw quiet none 600"], nil, nil),
  ])
  func `the least signal to noise of the controller's own numbers is a figure`(
    marks: [String], ratio: Double?, result: Conformity?
  ) {
    var profile = PanelProfile.strict
    profile.conditions = ["charger"]
    profile.limits[.noiseRatio] = Limit(20)
    var script = PanelScript()
    for condition in ["quiet", "charger"] {
      script.step("noise \(condition)")
      script.draw(Array(repeating: (50, 50), count: 100))
    }
    for text in marks { script.mark(text) }
    script.mark("end")
    let figure = script.result(.noise, profile).figures.first { $0.measure == .noiseRatio }
    #expect(figure?.value == ratio && figure?.result == result)
  }

  // MARK: dead zones

  /// Rubs in lines that lie two millimetres apart, reports every two, and leaves out a rectangle.
  ///
  /// - Parameter lifts: whether the panel loses the contact in the rectangle.
  private func rub(_ script: inout PanelScript, deadWidth: Double, deadHeight: Double, lifts: Bool = true) {
    script.interval = 2
    for line in 0...60 {
      let y = Double(line) * 2
      var isDown = false
      for column in 0...100 {
        let x = Double(column) * 2
        let isDead =
          abs(x - 100) < deadWidth / 2 && abs(y - 60) < deadHeight / 2
        if isDead && isDown && lifts { script.lift() }
        isDown = !isDead
        if !isDead { script.touch([0: (x, y)]) }
      }
      script.lift()
    }
  }

  @Test func `a panel that answers everywhere has no dead zone`() throws {
    var script = PanelScript()
    script.step("deadzone")
    rub(&script, deadWidth: 0, deadHeight: 0)
    let result = script.result(.deadzone)
    #expect(try #require(result[.deadDiameter]) <= 4 && result.outcome == .passed)
  }

  @Test(arguments: [true, false])
  func `a dead rectangle of 32 by 16 mm holds a circle of 16 mm`(losesContact: Bool) throws {
    var script = PanelScript()
    script.step("deadzone")
    rub(&script, deadWidth: 32, deadHeight: 16, lifts: losesContact)
    let judgement = script.judge(only: [.deadzone])
    let result = judgement.results[0]
    // Half a millimetre is a cell of the map, on both sides.
    #expect(try #require(result[.deadDiameter]).isNear(16, within: 1.1), "\(result.figures)")
    let zones = try #require(judgement.deadZones)
    #expect(zones.center.y.isNear(60, within: 1) && zones.center.x.isNear(100, within: 10))
    #expect(result.outcome == .failed)
  }

  // MARK: protocol

  private typealias Violation = ProtocolAudit.Violation

  private static let faults: [(Violation, [[RawEvent]])] = [
    (.unknownSlot, [[event(0x2f, 10), event(0x35, 5)]]),
    (.repeatedTrackingID, [[event(0x39, 900), event(0x35, 5)], [event(0x2f, 1), event(0x39, 900)]]),
    (.repeatedTrackingID, [[event(0x39, 900), event(0x2f, 1), event(0x39, 900)]]),
    (.liftWithoutContact, [[event(0x2f, 3), event(0x39, -1), RawEvent(type: 4, code: 5, value: 1)]]),
    (.valueWithoutContact, [[event(0x2f, 4), event(0x35, 77)]]),
    (.outOfRange, [[event(0x39, 900), event(0x35, 4001)]]),
    (.outOfRange, [[event(0x39, 900), event(0x35, -1)]]),
    (
      .buttonHeld,
      [
        [event(0x39, 900), event(0x35, 5), RawEvent(type: 1, code: 330, value: 1)], [event(0x39, -1)],
        [RawEvent(type: 1, code: 330, value: 0)],
      ]
    ),
    (.emptyFrame, [[], [event(0x39, 900), event(0x35, 5)]]),
    (.emptyFrame, [[event(0x39, 900), event(0x35, 5)], [event(0x35, 5)]]),
  ]

  private static func event(_ code: UInt16, _ value: Int32) -> RawEvent { PanelScript.event(code, value) }

  @Test(arguments: faults.indices)
  func `each violation of the protocol is counted once, with its example`(index: Int) {
    let (violation, frames) = Self.faults[index]
    var script = PanelScript()
    script.tap(50, 50)
    for frame in frames { script.frame(frame) }
    var audit = ProtocolAudit(script.capabilities, InitialState(untouched: script.capabilities))
    for frame in script.frames { audit.add(frame) }
    // Frames without a change are an old kernel's or the recorder's.
    let isOfPanel = violation != .emptyFrame
    #expect(
      audit.counts[violation.rawValue] == 1 && audit.total == (isOfPanel ? 1 : 0), "\(audit.counts)")
    #expect(audit.counts.reduce(0, +) == 1 && violation.isOfPanel == isOfPanel)
    #expect(audit.examples[violation.rawValue]?.hasPrefix("at ") == true)
    let result = script.result(.protocol)
    #expect(result.outcome == (isOfPanel ? .failed : .passed) && result.details.count == 1)
  }

  /// What is legal, though it looks odd.
  @Test(
    arguments: [
      (
        "a tracking id after another one, without a lift",
        [[event(0x39, 900), event(0x35, 5)], [event(0x39, 901)]]
      ),
      (
        "an id that changes its slot",
        [
          [event(0x39, 900), event(0x35, 5)],
          [event(0x2f, 1), event(0x39, 900), event(0x2f, 0), event(0x39, -1)],
        ]
      ),
      (
        "what the kernel repeats while it is held",
        [
          [event(0x39, 900), event(0x35, 5), RawEvent(type: 1, code: 330, value: 1)],
          [RawEvent(type: 1, code: 330, value: 2)], [RawEvent(type: 1, code: 330, value: 2)],
        ]
      ),
      ("the empty frame at the end of a recording", [[]]),
    ] as [(String, [[RawEvent]])])
  func `what is legal is no violation`(name: String, frames: [[RawEvent]]) {
    var script = PanelScript()
    script.tap(50, 50)
    for frame in frames { script.frame(frame) }
    var audit = ProtocolAudit(script.capabilities, InitialState(untouched: script.capabilities))
    for frame in script.frames { audit.add(frame) }
    #expect(audit.total == 0, "\(name): \(audit.examples)")
  }

  @Test func `a clock that goes back and an overrun are counted, and are the kernel's`() {
    var script = PanelScript()
    script.tap(50, 50)
    var audit = ProtocolAudit(script.capabilities, InitialState(untouched: script.capabilities))
    for var frame in script.frames.reversed() {
      frame.cause = .resync
      audit.add(frame)
    }
    #expect(
      audit.counts[Violation.clockBackwards.rawValue] == 1 && audit.counts[Violation.overrun.rawValue] == 2)
    #expect(audit.total == 0)
  }

  @Test func `a contact that an overrun has hidden may go on, and lift`() {
    var script = PanelScript()
    let (landing, lift) = ([Self.event(0x39, 900), Self.event(0x35, 5)], [Self.event(0x39, -1)])
    for events in [landing, lift, [Self.event(0x35, 9)], lift] { script.frame(events) }
    var audit = ProtocolAudit(script.capabilities, InitialState(untouched: script.capabilities))
    for (index, frame) in script.frames.enumerated() {
      var frame = frame
      if index == 1 { frame.cause = .resync }
      audit.add(frame)
    }
    #expect(audit.total == 0, "\(audit.examples)")
  }

  @Test func `a recording's clock that went back is told, and not held against the panel`() {
    var script = PanelScript()
    script.tap(50, 50)
    var measurement = script.measurement()
    measurement.clockJumps = 2
    let result = PanelJudgement(of: measurement, by: .strict, only: [.protocol]).results[0]
    #expect(result[.violations] == 0 && result.outcome == .passed)
    #expect(result.details.joined().contains("go back, 2 times"), "\(result.details)")
  }

  @Test func `a clean recording has no violation`() {
    var script = PanelScript()
    circle(&script, fingers: 3)
    #expect(script.result(.protocol).outcome == .passed)
  }

  // MARK: mapping

  private func corners(_ distort: @escaping (Double, Double) -> (Double, Double)) -> PanelScript {
    var script = PanelScript()
    script.distort = distort
    for (x, y) in [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)] {
      script.step("mapping \(x),\(y)")
      script.tap(x * PanelScript.width, y * PanelScript.height)
    }
    return script
  }

  /// What a finger at a place of the picture is reported as, in parts of the axes; the words of the
  /// report; and the correction.
  private static let mappings: [(String, @Sendable (Double, Double) -> (Double, Double), [Double]?, Int?)] = [
    ("", { ($0, $1) }, nil, 0),
    ("turned by 90°", { ($1, 1 - $0) }, nil, 90),
    ("turned by 180°", { (1 - $0, 1 - $1) }, nil, 180),
    ("turned by 270°", { (1 - $1, $0) }, nil, 270),
    ("x is inverted", { (1 - $0, $1) }, [-1, 0, 1, 0, 1, 0], nil),
    ("y is inverted", { ($0, 1 - $1) }, [1, 0, 0, 0, -1, 1], nil),
    ("swapped", { ($1, $0) }, [0, 1, 0, 1, 0, 0], nil),
    ("scaled", { ($0 * 0.5, $1 * 0.5) }, [2, 0, 0, 0, 2, 0], 0),
  ]

  @Test(arguments: mappings.indices)
  func `corners tell how the axes lie, and what corrects them`(index: Int) throws {
    let (words, distort, calibration, rotation) = Self.mappings[index]
    let script = corners {
      let (x, y) = distort($0 / PanelScript.width, $1 / PanelScript.height)
      return (x * PanelScript.width, y * PanelScript.height)
    }
    let result = script.result(.mapping)
    let mapping = try #require(result.mapping)
    #expect(result.outcome == (words.isEmpty ? .passed : .failed))
    #expect(
      words.isEmpty ? result.details.isEmpty : result.details.joined().contains(words), "\(result.details)")
    #expect(mapping.orientation.rotation == rotation)
    #expect(mapping.calibration?.map { ($0 * 1000).rounded() / 1000 + 0 } == calibration)
    // The correction brings every corner back to its mark.
    for (place, contact) in zip(
      script.measurement().marks.steps.compactMap(\.place), script.judge(only: [.mapping]).trace.contacts)
    {
      let point = PanelGeometry(
        x: AxisRange(minimum: 0, maximum: 4000), y: AxisRange(minimum: 0, maximum: 2400)
      ).normalized(contact.firstPosition)
      let corrected: Point<NormalizedSpace>
      if let six = mapping.calibration {
        corrected = Point(
          x: six[0] * point.x + six[1] * point.y + six[2], y: six[3] * point.x + six[4] * point.y + six[5])
      } else {
        corrected = mapping.orientation.map(point)
      }
      #expect(corrected.x.isNear(place.x, within: 0.01) && corrected.y.isNear(place.y, within: 0.01))
    }
  }

  @Test func `other tests are judged as the corrected axes lie`() throws {
    var script = corners { (PanelScript.width - $0, $1) }
    script.mark("plan edge")
    script.step("edge left")
    script.draw(PanelScript.line(from: (100, 60), to: (1.0, 60), steps: 1000))
    let judgement = script.judge()
    let edge = try #require(judgement.results.first { $0.test == .edge })
    #expect(try #require(edge[.edgeDistance]).isNear(1, within: 0.11))
  }

  // MARK: latency

  @Test func `delays are shown by their percentiles, and judged where a profile has limits`() throws {
    var script = PanelScript()
    script.step("latency")
    for delay in 1...100 { script.mark("delay \(delay * 1000)") }
    script.tap(50, 50)
    let result = script.result(.latency)
    #expect(result[.latencyP50] == 50 && result[.latencyP90] == 90 && result[.latencyP99] == 99)
    #expect(result.outcome == .measured)
    var profile = PanelProfile.strict
    profile.limits[.latencyP90] = Limit(50)
    #expect(script.result(.latency, profile).outcome == .failed)
    profile.limits[.latencyP90] = Limit(95)
    #expect(script.result(.latency, profile).outcome == .passed)
  }

  /// 99 of 100 is no figure of ten.
  @Test func `few taps have no percentile that would be their largest delay`() throws {
    var script = PanelScript()
    script.step("latency")
    for delay in 1...10 { script.mark("delay \(delay * 1000)") }
    script.tap(50, 50)
    let result = script.result(.latency)
    #expect(result[.latencyP50] == 5 && result[.latencyP90] == 9)
    #expect(!result.figures.contains { $0.measure == .latencyP99 })
    var profile = PanelProfile.strict
    profile.limits[.latencyP99] = Limit(50)
    let judged = script.result(.latency, profile)
    #expect(judged.outcome == .incomplete && judged.gaps == ["p99 of 10 is no figure; it takes 100"])
  }

  /// A panel that reports each place 25 ms after the finger was there, and a display that follows 40 ms
  /// later.
  @Test func `an instrument's stamps tell the latency from the finger`() throws {
    var script = PanelScript()
    script.step("latency")
    var stamps: [InstrumentStamp] = []
    func stamp(_ kind: InstrumentStamp.Kind, at milliseconds: Double) {
      stamps.append(InstrumentStamp(kind, at: Timestamp(microseconds: Int64(milliseconds * 1000))))
    }
    for tap in 0..<10 {
      stamp(.finger, at: script.time - 25 - Double(tap))
      stamp(.light, at: script.time + 40)
      script.tap(50, 50)
      script.time += 400
    }
    script.step("latency drag")
    let start = script.time
    // 160 mm a second, back and forth; the beam is at 120 mm.
    for _ in 0..<2000 {
      let way = (script.time - start - 25) * 0.16
      let place = abs(way.truncatingRemainder(dividingBy: 160) - 80)
      script.touch([0: (60 + place, 60)])
    }
    script.lift()
    for turn in 0..<30 {
      let turns = Double(turn) * 1000
      if turns < script.time - start - 1200 {
        // At 60 of the 80 mm on the way back, and on the way there.
        stamp(.beam, at: start + turns + 20 / 0.16)
        stamp(.beam, at: start + turns + 140 / 0.16)
      }
    }
    var measurement = script.measurement()
    measurement.marks.add(stamps)
    let result = PanelJudgement(of: measurement, by: .strict, only: [.latency]).results[0]
    #expect(try #require(result[.tapLatencyP50]).isNear(30, within: 1.1))
    #expect(try #require(result[.tapLatencyP90]).isNear(33) && result[.tapLatencyP99] == nil)
    #expect(try #require(result[.dragLatencyP50]).isNear(25, within: 0.5), "\(result)")
    #expect(try #require(result[.dragLatencyP90]).isNear(25, within: 1))
    #expect(try #require(result[.glassLatencyP50]).isNear(70, within: 1.1))
    #expect(!result.details.joined().contains("cannot be known"))
    #expect(script.result(.latency).outcome == .incomplete)
  }

  // MARK: The whole

  @Test func `a plain recording is judged by the tests that need no task`() {
    var script = PanelScript()
    script.draw(PanelScript.line(from: (20, 60), to: (180, 60), steps: 80))
    let judgement = script.judge()
    #expect(judgement.results.map(\.test) == [.rate, .gaps, .protocol] && judgement.outcome == .passed)
    script = PanelScript()
    script.tap(50, 50)
    #expect(script.judge().results.map(\.test) == [.protocol])
  }

  /// A stall may be the recorder's, as its whole pace, and a jump the finger's.
  @Test func `without a task, only what is beyond doubt counts against a panel`() throws {
    for (interval, isFast) in [(10.0, true), (40, false)] {
      var script = PanelScript()
      script.interval = interval
      for point in PanelScript.line(from: (20, 60), to: (180, 60), steps: 80) {
        script.touch([0: (point.x > 100 ? point.x + 12 : point.x, point.y)])
        if Int(point.x) % 80 == 0 { script.time += 70 }
      }
      script.lift()
      let plain = script.judge()
      #expect(plain.outcome == .passed, "\(plain.results)")
      let rate = try #require(plain.results.first { $0.test == .rate })
      #expect(
        rate.outcome == .measured && rate.gaps.contains { $0.contains("slower than the 59 Hz") } == !isFast)
      #expect(try #require(rate[.rateFastest]).isNear(1000 / interval))
      #expect(plain.results.first { $0.test == .gaps }?.outcome == .measured)
      #expect(script.result(.gaps).outcome == .failed)
    }
  }

  @Test func `a size that no panel has is no size`() {
    var script = PanelScript()
    script.resolution = 1
    script.step("taps")
    for _ in 0..<20 { script.tap(100, 60) }
    let result = script.judge().results[0]
    #expect(result.outcome == .incomplete && result.gaps.joined().contains("nobody builds"), "\(result)")
    #expect(script.judge(size: Size(width: 200, height: 120)).results[0].outcome == .passed)
  }

  @Test func `without a size, limits in millimetres are not judged, and with one they are`() throws {
    var script = PanelScript()
    script.resolution = 0
    script.step("taps")
    for step in 0..<20 { script.tap(100 + Double(step % 2), 60) }
    let result = script.judge().results[0]
    #expect(result.outcome == .incomplete && result.gaps.joined().contains("--size"))
    let sized = script.judge(size: Size(width: 400, height: 240)).results[0]
    #expect(try #require(sized[.tapRadius]).isNear(1) && sized.outcome == .failed)
    script.mark("size 200x120")
    #expect(try #require(script.judge().results[0][.tapRadius]).isNear(0.5))
  }

  @Test func `what was planned and not done is incomplete, and what was skipped too`() {
    var script = PanelScript()
    script.mark("plan taps,ghost")
    script.step("taps")
    script.mark("skip")
    script.mark("end")
    let judgement = script.judge()
    #expect(
      judgement.results.map(\.outcome) == [.incomplete, .incomplete] && judgement.outcome == .incomplete)
  }

  @Test func `a test that is made again is judged by its last steps`() throws {
    var script = PanelScript()
    script.step("taps")
    for step in 0..<9 { script.tap(100 + Double(step), 60) }
    script.mark("again")
    script.step("taps")
    for _ in 0..<9 { script.tap(100, 60) }
    #expect(script.result(.taps)[.tapRadius] == 0)
  }

  @Test(arguments: [
    (0.9, 1, 0.5, false, 1.0), (1, 1, 0.5, false, 1), (1.25, 1, 0.5, false, 0.5), (2, 1, 0.5, false, 0),
    (1.1, 1, 0, false, 0), (60, 60, 20, true, 1), (50, 60, 20, true, 0.5), (10, 60, 20, true, 0),
  ])
  func `a score falls from the limit to the tolerance beyond it`(
    figure: Double, limit: Double, tolerance: Double, isLeast: Bool, score: Double
  ) {
    #expect(Limit.score(figure, limit: limit, tolerance: tolerance, isLeast: isLeast) == score)
  }

  // MARK: Noise

  @Test(arguments: 1...20)
  func `noise changes a figure by no more than the noise`(seed: Int) throws {
    let amplitude = 0.3
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    func noise() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) / Double(1 << 53) * 2 - 1) * amplitude / 2.0.squareRoot()
    }
    var clean = PanelScript()
    var noisy = PanelScript()
    for test in ["line horizontal", "taps", "jitter 1"] {
      for isNoisy in [false, true] {
        var script = isNoisy ? noisy : clean
        if script.marks.isEmpty { script.mark("plan line,taps,jitter") }
        script.mark(test)
        func place(_ x: Double, _ y: Double) -> PanelScript.Place {
          isNoisy ? (x + noise(), y + noise()) : (x, y)
        }
        switch test {
        case "taps":
          for _ in 0..<20 {
            let at = place(70, 70)
            script.tap(at.x, at.y)
          }
        case "jitter 1": script.draw((0..<60).map { place(90 + Double($0 % 5) / 10, 50) })
        default: script.draw(bowed(3).map { place($0.x, $0.y) })
        }
        if isNoisy { noisy = script } else { clean = script }
      }
    }
    let (before, after) = (clean.judge(), noisy.judge())
    // A distance between two points changes by what both do; a unit of the device is 0.05 mm.
    for (measure, bound) in [
      (Measure.lineLargest, 2 * amplitude), (.lineRMS, amplitude), (.tapRadius, amplitude),
      (.jitterOne, 2 * amplitude),
    ] {
      let figures = [before, after].map { $0.results.first { $0.test == measure.test }?[measure] }
      let (one, other) = (try #require(figures[0]), try #require(figures[1]))
      #expect(abs(one - other) <= bound + 0.08, "\(measure) \(one) \(other)")
    }
    #expect(after.results.first { $0.test == .taps }?[.tapRadius] ?? 0 > 0.05)
  }
}
