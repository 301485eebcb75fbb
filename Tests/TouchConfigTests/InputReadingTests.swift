import Testing

@testable import TouchCore

/// What may be written under `filter:`, and what is wrong with the rest.
@Suite struct FilterTests {
  private static let kinds = "none, debounce, median, one-euro or hysteresis"

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
  func filters(text: String, expected: [ContactFilter]) throws {
    #expect(try parse(file(text)).input.rules.map(\.filters) == [expected])
  }

  @Test(
    arguments: [
      ("medien", ["1:41: error: filter is the text \"medien\"; did you mean \"median\"?"]),
      ("3", ["1:41: error: filter is 3; give \(kinds)"]),
      ("{}", ["1:41: error: a filter needs \"kind\"; give debounce, median, one-euro or hysteresis"]),
      (
        "[none]",
        [
          "1:42: error: a filter is the text \"none\"; give debounce, median, one-euro or hysteresis"
        ]
      ),
      ("[median, {kind: median, samples: 5}]", ["1:50: error: median is there twice; remove one"]),
      ("{kind: median, samples: 4}", ["1:65: error: samples is 4; give an odd number from 3 to 15"]),
      (
        "{kind: debounce, milliseconds: 0}",
        ["1:72: error: milliseconds is 0; give a whole number from 1 to 1000"]
      ),
      (
        "{kind: one-euro, min_cutoff: 0, beta: -1}",
        [
          "1:70: error: min_cutoff is 0; give a number from 0.1 to 100",
          "1:79: error: beta is -1; give a number from 0 to 1000",
        ]
      ),
      (
        "{kind: hysteresis, samples: 3}",
        [
          "1:60: error: \"samples\" is a key of a median, and this is a hysteresis; change the kind or remove it"
        ]
      ),
      (
        "{kind: median, sample: 3}",
        ["1:56: error: unknown key \"sample\" in a filter; did you mean \"samples\"?"]
      ),
    ])
  func diagnostics(text: String, expected: [String]) {
    #expect(findings(in: file(text)) == expected)
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
  func values(text: String, rotation: DisplayGeometry.Rotation?, axes: [Int32]?) throws {
    let made = try #require(try parse(file(text)).input.rules.first?.calibratedFor)
    #expect(made.displayRotation == rotation && made.axes == axes)
  }

  @Test(
    arguments: [
      ("{rotation: 45}", ["1:60: error: rotation is 45; give 0, 90, 180 or 270"]),
      ("{axes: [0, 1]}", ["1:56: error: axes is a list; give [minimum x, maximum x, minimum y, maximum y]"]),
      (
        "{axes: [0, 1.5, 0, 9]}",
        [
          "1:60: error: the maximum of x in axes is 1.5; give a whole number from -2147483648 to 2147483647"
        ]
      ),
      ("3", ["1:49: error: calibrated_for is 3; give a mapping with rotation or axes"]),
    ])
  func diagnostics(text: String, expected: [String]) {
    #expect(findings(in: file(text)) == expected)
  }
}
