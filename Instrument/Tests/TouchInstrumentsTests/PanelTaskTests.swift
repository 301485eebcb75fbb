import Testing
import TouchCore

@testable import TouchInput
@testable import TouchInstruments
@testable import TouchMeasure
@testable import TouchRecordings

/// When a task of `touchtree test` is done, and what its report advises.
@Suite struct PanelTaskTests {
  private static let capabilities: DeviceCapabilities = {
    var capabilities = DeviceCapabilities()
    capabilities.axes = [
      EventCode.absMTSlot: AxisRange(minimum: 0, maximum: 9),
      EventCode.absMTPositionX: AxisRange(minimum: 0, maximum: 4000, resolution: 20),
      EventCode.absMTPositionY: AxisRange(minimum: 0, maximum: 2400, resolution: 20),
      EventCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65535),
    ]
    capabilities.slotCount = 10
    return capabilities
  }()

  // MARK: Tasks

  /// What fingers did, every 10 ms, along straight ways in millimetres; they rest at the start for some of
  /// the steps.
  private static let tries:
    [(
      test: PanelTest, argument: String, ways: [(from: Double, to: Double, y: Double)], rest: Int,
      missing: String?
    )] = [
      (.contacts, "pinch", [(60, 82.5, 60), (140, 117.5, 60)], 0, "stayed 35 mm apart; bring them together"),
      (.contacts, "pinch", [(60, 94, 60), (140, 106, 60)], 0, nil),
      (.contacts, "pinch", [(60, 94, 60)], 0, "two fingers at once"),
      (.pairs, "across", [(40, 160, 30), (40, 160, 90)], 0, "stayed 60 mm apart; hold them side by side"),
      (.pairs, "across", [(40, 160, 54), (40, 160, 66)], 0, nil),
      (.start, "", [(40, 160, 60)], 0, "hold still for a second"), (.start, "", [(40, 160, 60)], 100, nil),
      (.gaps, "fast", [(40, 52, 60)], 0, "swipe straight"), (.gaps, "fast", [(40, 160, 60)], 0, nil),
      (.border, "top", [(40, 46, 5)], 0, "the line was too short"), (.border, "top", [(40, 160, 5)], 0, nil),
      (.jitter, "1", [(40, 40, 60)], 0, "hold still for three seconds"),
      (.jitter, "1", [(40, 40, 60)], 250, nil),
    ]

  @Test(arguments: tries.indices)
  func `a task is done when its figure can be computed, and else says what is missing`(row: Int) throws {
    let (test, argument, ways, rest, words) = Self.tries[row]
    let trace = PanelTrace(
      kind: .multitouch, capabilities: Self.capabilities, initial: InitialState(untouched: Self.capabilities),
      geometry: PanelGeometry(
        x: AxisRange(minimum: 0, maximum: 4000, resolution: 20),
        y: AxisRange(minimum: 0, maximum: 2400, resolution: 20)))
    func event(_ code: UInt16, _ value: Int) -> RawEvent {
      RawEvent(type: EventCode.abs, code: code, value: Int32(value))
    }
    for step in 0...(rest + 60) {
      var events: [RawEvent] = []
      for (slot, way) in ways.enumerated() {
        events.append(event(EventCode.absMTSlot, slot))
        if step == 0 { events.append(event(EventCode.absMTTrackingID, slot + 1)) }
        let share = Double(max(0, step - rest)) / 60
        events.append(event(EventCode.absMTPositionX, Int((way.from + (way.to - way.from) * share) * 20)))
        events.append(event(EventCode.absMTPositionY, Int(way.y * 20)))
      }
      trace.add(InputFrame(time: Timestamp(microseconds: Int64(step) * 10_000), events: events))
    }
    trace.add(
      InputFrame(
        time: Timestamp(microseconds: Int64(rest + 61) * 10_000),
        events: ways.indices.flatMap {
          [event(EventCode.absMTSlot, $0), event(EventCode.absMTTrackingID, -1)]
        }))
    let task = TestTask(test: test, argument: argument, instruction: "Do it.", shape: .text)
    let missing = task.missing(trace.contacts, of: trace, try PanelProfile.load("chromeos"))
    #expect((missing == nil) == (words == nil) && missing?.contains(words ?? "") ?? true, "\(missing ?? "-")")
  }

  // MARK: Advice

  /// Of each figure that may fail alone: words of the advice, and words that a wrong one would have.
  private static let advice: [(failed: Measure, says: String, without: String)] = [
    (.mappingFaults, "Paste these lines", "maker"), (.missingCells, "Clean the panel", "Calibrate"),
    (.cellOffset, "Calibrate the panel", "No calibration"),
    (.gridShift, "Calibrate the panel", "No calibration"),
    (.gridScale, "Calibrate the panel", "No calibration"),
    (.gridRotation, "Calibrate the panel", "No calibration"),
    (.gridShear, "Calibrate the panel", "No calibration"),
    (.gridKeystone, "No calibration mends", "Calibrate the panel"),
    (.gridRest, "No calibration mends", "Calibrate the panel"),
    (.gridLocal, "No calibration mends", "Calibrate the panel"), (.edgeDistance, "larger range", "ground"),
    (.borderOffset, "calibrate the panel if the offset", "filter"), (.borderBend, "tune the edges", "filter"),
    (.lineLargest, "ground to the housing", "hysteresis"), (.lineRMS, "ground to the housing", "hysteresis"),
    (.rateMean, "I2C at 400 kHz", "ground"), (.rateGap, "I2C at 400 kHz", "ground"),
    (.rateStalls, "I2C at 400 kHz", "ground"), (.jitterOne, "ground to the housing", "one-euro"),
    (.jitterSeveral, "ground to the housing", "one-euro"), (.startJump, "movement threshold", "ground"),
    (.tapSpread, "ground to the housing", "one-euro"), (.tapRadius, "ground to the housing", "one-euro"),
    (.gapRatio, "overruns in the log", "threshold"), (.reversedMotion, "trembles", "threshold"),
    (.firstStep, "movement threshold", "overruns"), (.mostContacts, "slots that it never fills", "ground"),
    (.swaps, "merges or swaps", "ground"), (.drumroll, "merges or swaps", "ground"),
    (.separation, "merges or swaps", "ground"), (.pairSeparation, "merges or swaps", "ground"),
    (.pairSwaps, "merges or swaps", "ground"), (.pairResting, "merges or swaps", "ground"),
    (.deadDiameter, "rub again", "ground"), (.ghosts, "raise the controller's threshold", "Clean"),
    (.noiseQuiet, "another charger", "filter"), (.noiseCharger, "another charger", "filter"),
    (.latencyP50, "ctl stats", "ground"), (.violations, "linux-input", "ground"),
    (.lineWrong, "Contacts broke", "filter"), (.gridWrong, "Contacts broke", "Calibrate"),
    (.tapWrong, "Contacts broke", "filter"), (.rateWrong, "Contacts broke", "I2C"),
    (.protocolWrong, "Contacts broke", "linux-input"), (.tapLift, "the last one", "filter"),
    (.lineLanding, "hold back the first reports", "ground"),
    (.gridWobble, "until they are steady", "Calibrate"),
  ]

  @Test(arguments: advice.indices)
  func `a figure beyond its limit has its own advice, and no other's`(row: Int) {
    let (failed, says, without) = Self.advice[row]
    let device = DeviceDescription(
      name: "Panel", bus: 0x18, vendor: 0xeef, product: 1, version: 1, capabilities: Self.capabilities)
    let judgement = PanelJudgement(
      of: PanelMeasurement(
        device, as: .multitouch, initial: InitialState(untouched: Self.capabilities), frames: [],
        marks: TestMarks([], end: .zero)),
      by: PanelProfile(name: "own"), only: [])
    var result = PanelResult(failed.test)
    result.conformity = .doesNotConform
    result.figures = Measure.allCases.filter { $0.test == failed.test }.map { measure in
      var figure = JudgedFigure(measure: measure, value: 1)
      (figure.limit, figure.result) = (1, measure == failed ? .doesNotConform : .conforms)
      return figure
    }
    let advice = TestAdvice(result, of: judgement)
    let text = (advice.sentences + advice.lines).joined(separator: "\n")
    #expect(text.contains(says) && !text.contains(without), "\(failed.rawValue): \(text)")
  }
}
