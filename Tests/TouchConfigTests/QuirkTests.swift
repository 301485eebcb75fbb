import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore

/// Device rules that ship with the program, and how a configuration's go before them.
@Suite struct QuirkTests {
  @Test func `the quirks that ship are good, and each is about some devices and sets something`() throws {
    let file = configFolder.appending(path: "quirks/devices.yaml").path
    let configuration = try Configuration.load(path: file, takesOthers: true)
    #expect(configuration.contents == .quirks && configuration.warnings.isEmpty)
    #expect(!configuration.input.rules.isEmpty)
    for rule in configuration.input.rules {
      #expect(rule.match != DeviceMatch() && rule.match.path == nil, "line \(rule.place.line)")
      #expect(!rule.givenKeys.isEmpty, "line \(rule.place.line)")
    }
  }

  @Test(arguments: [
    ("quirks: [{match: {nme: a}}]", "1:19: error: unknown key \"nme\" in a match"),
    ("quirks: [{match: {name: a}, rotation: 91}]", "1:39: error: rotation"),
    ("{quirks: [], window: {}}", "1:14: error: a file of quirks has no \"window\""),
    ("{version: 2, quirks: []}", "1:11: error: version"), ("quirks: 3", "1:9: error: quirks"),
  ])
  func `a fault in a file of quirks is reported with its place`(_ text: String, _ expected: String) {
    do {
      _ = try DeviceQuirks.parse(text: text, file: "q.yaml")
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".hasPrefix("q.yaml:" + expected), "\(error)")
    }
  }

  @Test func `a configuration is no file of quirks`() {
    #expect(
      findings(in: "quirks: [{match: {name: a}, use: false}]\n").contains {
        $0.hasPrefix("1:1: error: quirks are a file of their own") && $0.contains("input: devices:")
      })
  }

  private func rule(_ keys: String) throws -> DeviceRule {
    let text = "quirks: [{match: {name: a}, \(keys)}]"
    return try #require(try DeviceQuirks.parse(text: text, file: "q.yaml").rules.first)
  }

  /// The rule of a configuration, the quirk, and what both come to.
  @Test(arguments: [
    ("rotation: 90", "use: false", "rotation: 90, use: false"),
    ("use: true", "use: false", "use: true"), ("rotation: 0", "rotation: 180", "rotation: 0"),
    ("grab: false", "grab: true, filter: median", "grab: false, filter: median"),
    ("filter: none", "filter: [debounce, median]", "filter: none"),
    ("output: null", "output: [0, 0, 10, 10]", "output: [0, 0, 10, 10]"),
    ("speed: 2", "speed: 3, output: [0, 0, 10, 10]", "speed: 2, output: [0, 0, 10, 10]"),
    ("rotation: 90", "calibration: [-1, 0, 1, 0, 1, 0]", "rotation: 90, calibration: [-1, 0, 1, 0, 1, 0]"),
    // A calibration contains how the panel is turned.
    (
      "calibration: [1, 0, 0, 0, 1, 0]", "calibration: [-1, 0, 1, 0, 1, 0], rotation: 90, filter: median",
      "calibration: [1, 0, 0, 0, 1, 0], filter: median"
    ),
  ])
  func `what a rule leaves out is the quirk's`(_ own: String, _ quirk: String, _ both: String) throws {
    let completed = try rule(own).completed(by: try rule(quirk))
    let expected = try rule(both)
    #expect(completed.isUsed == expected.isUsed && completed.calibration == expected.calibration)
    #expect(completed.rotation == expected.rotation && completed.output == expected.output)
    #expect(completed.isGrabbed == expected.isGrabbed && completed.filters == expected.filters)
    #expect(completed.speed == expected.speed && completed.calibratedFor == expected.calibratedFor)
  }
}
