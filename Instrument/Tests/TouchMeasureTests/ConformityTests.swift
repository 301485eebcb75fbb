import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchMeasure

/// The rule of decision, and what may not conform because it was not measured.
@Suite struct ConformityTests {
  // MARK: The rule

  /// A figure with its uncertainties, a limit, and the result.
  private static let decisions: [(figure: JudgedFigure, limit: Double, result: Conformity)] = [
    (JudgedFigure(measure: .gridScale, value: 0.5, error: 0.2), 1, .conforms),
    (JudgedFigure(measure: .gridScale, value: 0.7, error: 0.2), 1, .undecided),
    (JudgedFigure(measure: .gridScale, value: 1.3, error: 0.2), 1, .undecided),
    (JudgedFigure(measure: .gridScale, value: 1.5, error: 0.2), 1, .doesNotConform),
    // Seven times its limit, and three of its standard errors.
    (JudgedFigure(measure: .gridKeystone, value: 11.2, error: 3.62), 1.5, .doesNotConform),
    (JudgedFigure(measure: .gridKeystone, value: 11.2, error: 5), 1.5, .undecided),
    (JudgedFigure(measure: .lineLargest, value: 2), 2, .conforms),
    (JudgedFigure(measure: .lineLargest, value: 2.01), 2, .doesNotConform),
    (JudgedFigure(measure: .jitterOne, value: 2.3, grain: 0.7), 2, .undecided),
    (JudgedFigure(measure: .jitterOne, value: 1.9, grain: 0.7), 2, .conforms),
    (JudgedFigure(measure: .jitterOne, value: 2.8, grain: 0.7), 2, .doesNotConform),
    (JudgedFigure(measure: .edgeDistance, value: 0.4, most: 3), 1.5, .undecided),
    (JudgedFigure(measure: .edgeDistance, value: 0.4, most: 1.2), 1.5, .conforms),
    (JudgedFigure(measure: .deadDiameter, value: 9, least: 7, most: 11), 8, .undecided),
    (JudgedFigure(measure: .deadDiameter, value: 11, least: 9, most: 13), 8, .doesNotConform),
    (JudgedFigure(measure: .rateMean, value: 59), 59, .conforms),
    (JudgedFigure(measure: .rateMean, value: 58), 59, .doesNotConform),
    (JudgedFigure(measure: .swaps, value: 1), 0, .doesNotConform),
    (JudgedFigure(measure: .lineLargest, value: nil), 2, .notMeasured),
  ]

  @Test(arguments: decisions.indices)
  func `a figure conforms within its limit, does not beyond it, and is undecided across it`(row: Int) {
    var (figure, limit, result) = Self.decisions[row]
    figure.decide(by: limit, tolerance: 0)
    #expect(figure.result == result, "\(figure)")
    #expect((figure.score == nil) == (result == .undecided || result == .notMeasured))
  }

  @Test func `the worst result is that of all`() {
    #expect(Conformity.common([.conforms, .notMeasured, .undecided, .doesNotConform]) == .doesNotConform)
    #expect(Conformity.common([.conforms, .notMeasured, .undecided]) == .undecided)
    #expect(Conformity.common([.conforms, .notMeasured]) == .notMeasured)
    #expect(Conformity.common([.conforms, .conforms]) == .conforms && Conformity.common([]) == nil)
  }

  // MARK: Nothing passes unmeasured

  @Test func `a panel of unknown size has no figure in millimetres, and the profile may give the size`()
    throws
  {
    var script = PanelScript()
    script.resolution = 0
    script.step("jitter 1")
    script.draw((0..<100).map { (100 + ($0.isMultiple(of: 2) ? 6 : -6), 60) })
    var profile = PanelProfile.strict.only(.jitterOne)
    for measure in [Measure.jitterWrong] { profile.limits[measure] = Limit(0) }
    let judgement = script.judge(profile)
    #expect(judgement.conformity == .notMeasured && judgement.results[0].reason.contains("size is not known"))
    profile.size = Size(width: 200, height: 120)
    let sized = script.judge(profile)
    #expect(sized.conformity == .doesNotConform && sized.trace.geometry.isInMillimetres)
  }

  @Test func `one finger has no swaps, and contacts that no finger touched have no protocol`() {
    var script = PanelScript()
    script.touch([0: (60, 60)])
    script.lift()
    #expect(script.judge(only: [.contacts]).conformity == .notMeasured)
    var empty = PanelScript()
    empty.step("protocol")
    empty.time += 60_000
    empty.mark("end")
    #expect(empty.judge().conformity == .notMeasured)
  }

  @Test func `a grid that was broken off is not measured`() {
    var script = PanelScript()
    for row in 0..<2 {
      for column in 0..<7 {
        let (x, y) = ((Double(column) + 0.5) / 7, (Double(row) + 0.5) / 5)
        script.step("grid \(x),\(y)")
        script.tap(x * PanelScript.width, y * PanelScript.height)
      }
    }
    let result = script.result(.grid, PanelProfile.strict.only(.missingCells))
    #expect(result.conformity == .notMeasured && result.gaps == ["14 of the grid's 35 cells were asked for"])
  }

  @Test(arguments: [
    ("rate 5", 2, "2 of 5 fingers were seen at once: rate 5"),
    ("gaps fast", 0, "nothing was touched: gaps fast"),
  ])
  func `a task with too few fingers or none is not measured`(task: String, fingers: Int, words: String) {
    var script = PanelScript()
    script.step(String(task.prefix { $0 != " " }) == "rate" ? "rate 1" : "gaps slow")
    script.draw(PanelScript.line(from: (20, 60), to: (180, 60), steps: 80))
    script.step(task)
    for step in 0..<60 where fingers > 0 {
      script.touch(
        Dictionary(
          uniqueKeysWithValues: (0..<fingers).map { ($0, (20 + 2 * Double(step), 30 + 40 * Double($0))) }))
    }
    if fingers > 0 { script.lift() }
    script.mark("end")
    let result = script.judge(PanelProfile.strict.only(.rateMean, .gapRatio)).results[0]
    #expect(result.conformity == .notMeasured && result.gaps.contains(words), "\(result)")
  }

  @Test(arguments: [true, false])
  func `a lift that is lost in the last task is found, unless the user ended the test`(isQuit: Bool) {
    var script = PanelScript()
    script.step("jitter 1")
    for step in 0..<60 { script.touch([0: (100 + Double(step % 2) / 10, 60)]) }
    if isQuit { script.mark("quit") }
    script.mark("end")
    var profile = PanelProfile.strict.only(.jitterOne)
    profile.limits[.jitterWrong] = Limit(0)
    let result = script.result(.jitter, profile)
    #expect(result.conformity == (isQuit ? .notMeasured : .doesNotConform), "\(result)")
  }

  // MARK: Landing, lift and wobble

  private static let still: [PanelScript.Place] = Array(repeating: (100, 60), count: 12)

  /// Places of one touch, every 10 ms, and its figures.
  private static let touches:
    [(name: String, places: [PanelScript.Place], landing: Double?, lift: Double?, wobble: Double?)] = [
      ("a still tap", still, 0, 0, 0),
      ("a first report beside it", [(104, 60)] + still, 4, 0, 0),
      ("a last report beside it", still + [(100, 50)], 0, 10, 0),
      ("a wobble", still.indices.map { (100 + ($0.isMultiple(of: 2) ? 3 : -3), 60) }, nil, nil, 6),
    ]

  @Test(arguments: touches.indices)
  func `a tap lands, lifts and wobbles as far as it does`(row: Int) throws {
    let (name, places, landing, lift, wobble) = Self.touches[row]
    var script = PanelScript()
    script.step("taps 1")
    script.draw(places)
    let result = script.result(.taps)
    for (measure, expected) in [(Measure.tapLanding, landing), (.tapLift, lift), (.tapWobble, wobble)] {
      guard let expected else { continue }
      #expect(try #require(result[measure]).isNear(expected), "\(name): \(result)")
    }
  }

  /// A swipe at an even pace, and one that gets faster; its first or last report is 5 mm farther, or none.
  @Test(arguments: [true, false], [0.0, 5])
  func `the ends of a swipe are where its pace leads`(isEven: Bool, jump: Double) throws {
    var script = PanelScript()
    script.step("line horizontal")
    var places = (0...60).map { index -> PanelScript.Place in
      let step = Double(index)
      return (isEven ? 20 + 2.5 * step : 20 + 0.04 * step * step, 60)
    }
    places[60].y += jump
    script.draw(places)
    let result = script.result(.line)
    let pace = isEven ? 2.5 : 4.76
    let before = isEven ? 2.5 : 4.68
    let expected = max(0, (pace * pace + jump * jump).squareRoot() - before)
    #expect(
      try #require(result[.lineLift]).isNear(expected, within: 0.1),
      "\(result[.lineLift] ?? .nan) \(expected)")
    #expect(try #require(result[.lineLanding]) == 0)
  }

  @Test func `a touch that is over with its first report tells nothing of where it settles`() {
    var script = PanelScript()
    script.step("taps 3")
    for _ in 0..<3 { script.tap(100, 60) }
    var profile = PanelProfile.strict.only(.tapRadius)
    profile.limits[.tapLanding] = Limit(1)
    let result = script.result(.taps, profile)
    #expect(result.conformity == .notMeasured && result[.tapLanding] == nil, "\(result)")
  }

  // MARK: Steps of values, bursts and stops

  /// A finger of 60 mm a second that is reported in steps, every 8 ms.
  @Test(arguments: [(0.5, 0.5), (1.0, 1.0), (0.05, 0.05)])
  func `the step of a device's values is learned from them`(step: Double, grain: Double) {
    var script = PanelScript()
    script.step("gaps slow")
    script.interval = 8.3
    var last = -1.0
    for report in 0..<350 {
      let place = ((20 + 0.5 * Double(report)) / step).rounded() * step
      if place != last { script.touch([0: (place, 60)]) } else { script.time += script.interval }
      last = place
    }
    script.lift()
    let judgement = script.judge(PanelProfile.strict.only(.gapRatio, .reversedMotion))
    #expect(judgement.conformity == .conforms, "\(judgement.results)")
  }

  @Test func `a machine that moves by a millimetre in each report has no step of a millimetre`() {
    var script = PanelScript()
    script.draw(PanelScript.line(from: (20, 60), to: (180, 60), steps: 160))
    #expect(script.judge(only: []).trace.geometry.grain.isNear(0.0707, within: 0.001))
  }

  /// Reports at 50 Hz that are held up and come four at once.
  @Test func `reports in bursts make a device no faster`() throws {
    var script = PanelScript()
    script.step("rate 1")
    script.interval = 0
    for report in 0..<200 {
      script.time = Double(report / 4) * 80 + Double(report % 4)
      script.touch([0: (20 + 0.8 * Double(report), 60)])
    }
    script.time += 20
    script.lift()
    #expect(try #require(script.result(.rate)[.rateFastest]).isNear(50, within: 3))
  }
}
