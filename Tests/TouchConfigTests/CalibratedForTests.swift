import Testing

@testable import TouchCore

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
