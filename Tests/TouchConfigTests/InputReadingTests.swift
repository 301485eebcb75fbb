import Testing

@testable import TouchCore

/// What may be written under `filter:`, and what is wrong with the rest.
@Suite struct FilterTests {
  private func file(_ filter: String) -> String {
    "{window: {}, input: {devices: [{filter: \(filter)}]}}"
  }

  @Test(
    arguments: [
      ("none", []), ("null", []), ("[]", []),
      ("debounce", [.debounce(milliseconds: 20)]), ("median", [.median(samples: 3)]),
      ("one-euro", [.oneEuro(OneEuroSettings(minimumCutoff: 1, slope: 20))]),
      ("hysteresis", [.hysteresis(margin: nil)]),
      ("{kind: debounce, milliseconds: 35}", [.debounce(milliseconds: 35)]),
      ("{kind: median, samples: 7}", [.median(samples: 7)]),
      ("{kind: one-euro, min_cutoff: 0.5, beta: 0}", [.oneEuro(.init(minimumCutoff: 0.5, slope: 0))]),
      ("{kind: hysteresis, margin: 2.5}", [.hysteresis(margin: 2.5)]),
      ("{kind: hysteresis, margin: null}", [.hysteresis(margin: nil)]),
      ("[hysteresis, {kind: debounce}]", [.hysteresis(margin: nil), .debounce(milliseconds: 20)]),
    ] as [(String, [ContactFilter])])
  func `a filter has its written values, and the defaults of the others`(
    text: String, expected: [ContactFilter]
  ) throws {
    #expect(try parse(file(text)).input.rules.map(\.filters) == [expected])
  }

  @Test(
    arguments: [
      ("medien", ["1:41: error: filter … median"]),
      ("3", ["1:41: error: filter … hysteresis"]),
      ("{}", ["1:41: error: filter … kind"]),
      (
        "[none]",
        [
          "1:42: error: none … hysteresis"
        ]
      ),
      ("[median, {kind: median, samples: 5}]", ["1:50: error: median … twice"]),
      ("{kind: median, samples: 4}", ["1:65: error: samples … 3 to 15"]),
      (
        "{kind: debounce, milliseconds: 0}",
        ["1:72: error: milliseconds … 1 to 1000"]
      ),
      (
        "{kind: one-euro, min_cutoff: 0, beta: -1}",
        [
          "1:70: error: min_cutoff … 0.1 to 100",
          "1:79: error: beta … 0 to 1000",
        ]
      ),
      (
        "{kind: hysteresis, samples: 3}",
        [
          "1:60: error: samples … hysteresis"
        ]
      ),
      (
        "{kind: median, sample: 3}",
        ["1:56: error: sample … samples"]
      ),
    ])
  func `a wrong filter is reported at its position`(text: String, expected: [String]) {
    expect(findings(in: file(text)), state: expected)
  }
}

/// What a calibration says that it was made for.
@Suite struct CalibratedForTests {
  private func file(_ value: String) -> String {
    "{window: {}, input: {devices: [{calibrated_for: \(value)}]}}"
  }

  @Test(
    arguments: [
      ("{rotation: 90, axes: [0, 4095, -10, 10]}", .quarter, [0, 4095, -10, 10]),
      ("{rotation: 0}", DisplayGeometry.Rotation.none, nil), ("{axes: [1, 2, 3, 4]}", nil, [1, 2, 3, 4]),
      ("{axes: null, rotation: null}", nil, nil), ("{}", nil, nil),
    ] as [(String, DisplayGeometry.Rotation?, [Int32]?)])
  func `what a calibration was made for is read`(
    text: String, rotation: DisplayGeometry.Rotation?, axes: [Int32]?
  ) throws {
    let made = try #require(try parse(file(text)).input.rules.first?.calibratedFor)
    #expect(made.displayRotation == rotation && made.axes == axes)
  }

  @Test(
    arguments: [
      ("{rotation: 45}", ["1:60: error: rotation … 270"]),
      ("{axes: [0, 1]}", ["1:56: error: axes … minimum x"]),
      (
        "{axes: [0, 1.5, 0, 9]}",
        [
          "1:60: error: axes … -2147483648 to 2147483647"
        ]
      ),
      ("3", ["1:49: error: calibrated_for … axes"]),
    ])
  func `wrong conditions of a calibration are reported at their position`(text: String, expected: [String]) {
    expect(findings(in: file(text)), state: expected)
  }
}

/// What a rule says of barcode scanners, and of num lock.
@Suite struct ScannerReadingTests {
  private func file(_ value: String) -> String { "{window: {}, input: {devices: [{scanner: \(value)}]}}" }

  @Test(
    arguments: [
      ("null", .automatic), ("false", .never), ("true", .always(ScannerSettings())),
      ("{}", .always(ScannerSettings())), ("{pause: 0.2, end: none}", always(0.2, .none)),
      ("{end: tab}", always(0.1, .tab)),
    ] as [(String, ScannerUse)])
  func `a rule says whether a device is a scanner, and how it types`(text: String, use: ScannerUse) throws {
    #expect(try parse(file(text)).input.rules.map(\.scanner) == [use])
  }

  private static func always(_ pause: Double, _ end: ScannerSettings.End) -> ScannerUse {
    var settings = ScannerSettings()
    (settings.pause, settings.end) = (pause, end)
    return .always(settings)
  }

  @Test(
    arguments: [
      ("3", ["1:42: error: scanner … true, false … pause or end"]),
      ("{pause: 100}", ["1:50: error: pause … 0.01 to 2"]), ("{end: entr}", ["1:48: error: end … enter"]),
      ("{suffix: tab}", ["1:43: error: suffix … end"]),
    ])
  func `a wrong scanner is reported at its position`(text: String, expected: [String]) {
    expect(findings(in: file(text)), state: expected)
  }

  @Test func `num lock is on unless the file says otherwise`() throws {
    #expect(try parse("{window: {}}").input.keyboard.numLock)
    #expect(try !parse("{window: {}, input: {keyboard: {num_lock: false}}}").input.keyboard.numLock)
    expect(
      findings(in: "{window: {}, input: {keyboard: {num_lock: 1}}}"),
      state: ["1:43: error: num_lock … true or false"])
  }
}
