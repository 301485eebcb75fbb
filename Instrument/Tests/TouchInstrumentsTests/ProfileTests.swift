import Foundation
import Testing
import TouchConfig
import TouchCore
import TouchMeasure
import TouchTools

@testable import TouchInstruments

@Suite struct ProfileTests {
  private static let schema = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../config/touchtree-profile.schema.json")

  @Test(arguments: PanelProfile.names)
  func `a profile that the program brings is valid, and its name is its own`(name: String) throws {
    let profile = try PanelProfile.load(name)
    #expect(profile.name == name && !profile.limits.isEmpty && profile.ghostSeconds == 60)
  }

  @Test func `chromeos has the limits that ChromiumOS publishes`() throws {
    let limits = try PanelProfile.load("chromeos").limits
    #expect(limits[.lineLargest] == Limit(2, tolerance: 1) && limits[.lineRMS] == Limit(0.5, tolerance: 0.5))
    // 60 Hz, of which a panel's clock may lack 1.
    #expect(limits[.rateMean] == Limit(59) && limits[.gapRatio] == Limit(1.8, tolerance: 1))
    #expect(limits[.mostContacts] == Limit(nil) && limits[.cellOffset] == nil)
  }

  @Test func `touchtree devices knows how many contacts each profile asks for`() throws {
    let asked = try PanelProfile.names.compactMap { name in
      try PanelProfile.load(name).limit(of: .mostContacts)?.value.map { (name, Int($0)) }
    }
    #expect(asked.map(\.0) == DeviceSummary.contactsOfProfiles.map(\.profile))
    #expect(asked.map(\.1) == DeviceSummary.contactsOfProfiles.map(\.least))
  }

  @Test func `the schema has every test and every figure`() throws {
    let root = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.schema)) as? [String: Any]
    let properties = root?["properties"] as? [String: [String: Any]]
    let tests = try #require(properties?["limits"]?["properties"] as? [String: [String: Any]])
    #expect(Set(tests.keys) == Set(PanelTest.allCases.map(\.rawValue) + ["touch"]))
    for test in PanelTest.allCases {
      let figures = tests[test.rawValue]?["properties"] as? [String: Any] ?? [:]
      #expect(
        Set(figures.keys) == Set(Measure.allCases.filter { $0.test == test && !$0.isOfTouch }.map(\.key)))
    }
    let touch = tests["touch"]?["properties"] as? [String: Any] ?? [:]
    #expect(Set(touch.keys) == Set(Measure.touchKeys))
  }

  private static let faults: [(text: String, found: [String])] = [
    ("", ["1:1: error: the file is empty"]),
    ("version: 1", ["1:1: error: the profile has no limits"]),
    ("version: 2\nlimits: {}", ["1:10: error: version is \"2\""]),
    ("limits: 3", ["1:9: error: limits is \"3\""]),
    ("limits: {line: {largest: -1}}", ["1:26: error: largest in line is \"-1\""]),
    ("limits: {line: {largest: [1]}}", ["1:26: error: largest in line is a list"]),
    (
      "limits: {line: {larges: 1}}",
      ["1:17: error: unknown key \"larges\" in line; did you mean \"largest\"?"]
    ),
    ("limits: {edge: {distance: claimed}}", ["1:27: error: distance in edge"]),
    ("limits: {ghost: {contacts: 1, contacts: 2}}", ["1:31: error: \"contacts\" is there twice"]),
    (
      "tasks: {grid: [5], ghost: 0, taps: 2}\nlimts: {}\nlimits: {}",
      ["1:15: ", "1:27: ", "1:36: ", "2:1: error: unknown key"]
    ),
    (
      "tasks: {ghost: [60, rain]}\nlimits: {}", ["1:16: error: ghost is a list or a mapping; give seconds"]
    ),
    ("tasks: {ghost: []}\nlimits: {}", ["1:16: error: ghost is a list or a mapping"]),
    ("tasks: {noise: [rain]}\nlimits: {}", ["1:16: error: noise is no list of disturbances"]),
    ("operator: foot\nlimits: {}", ["1:11: error: operator is \"foot\"; give hand or robot"]),
    (
      "limits: {line: {largest: {hands: 1}}}",
      ["1:27: error: unknown key \"hands\" in largest in line; did you mean \"hand\"?"]
    ),
    ("panel: {width_mm: 154}\nlimits: {}", ["1:8: error: panel has one side"]),
    (
      "panel: {width_mm: wide, height_mm: 0}\nlimits: {}",
      ["1:19: error: width_mm", "1:36: error: height_mm"]
    ),
    ("limits: {touch: {landing: far}}", ["1:27: error: landing in touch"]),
    ("limits: {taps: {landing: 1}}", ["1:17: error: unknown key \"landing\" in taps"]),
    ("limits: {grid: {scale: 1 or 2}}", ["1:24: error: scale in grid is \"1 or 2\"; give a number"]),
    ("limits: {grid: {shift: 1 or 2 mm}}", ["1:24: error: shift in grid"]),
    ("limits: {}\nsources: {line: {rms: [1]}}", ["2:23: error: the source of rms in line is a list"]),
    ("limits: {line: [", ["1:17: error: "]), ("limits: &a {line: *a}", ["1:19: error: "]),
    ("a: [[[[[[[[[[1]]]]]]]]]]", ["1:11: error: "]),
  ]

  @Test(arguments: faults.indices)
  func `every fault of a profile is reported with its place`(index: Int) throws {
    let (text, found) = Self.faults[index]
    let diagnostics = Self.diagnostics(of: text)
    #expect(diagnostics.count == found.count, "\(diagnostics)")
    for (diagnostic, start) in zip(diagnostics, found) {
      #expect(diagnostic.hasPrefix("p.yaml:" + start), "\(diagnostic)")
    }
  }

  private static func diagnostics(of text: String) -> [String] {
    do {
      _ = try PanelProfile.parse(Array(text.utf8), file: "p.yaml")
      return []
    } catch let error {
      return "\(error)".split(separator: "\n").map(String.init)
    }
  }

  @Test(arguments: PanelProfile.names)
  func `each limit of a profile that the program brings names its source`(name: String) throws {
    let profile = try PanelProfile.load(name)
    let judged = Set(profile.limits.keys).union(profile.ownLimits.values.flatMap(\.keys))
    for measure in judged { #expect(profile.sources[measure] != nil, "\(measure.rawValue)") }
  }

  @Test func `each operator has limits of its own, and shares the others`() throws {
    let text =
      "operator: robot\nlimits: {taps: {radius: {robot: 0.5}, spread: {hand: [2, 1]}}, grid: {missing: 0}}\n"
      + "sources: {taps: a study, grid: {missing: all of them}}"
    var profile = try PanelProfile.parse(Array(text.utf8), file: "p.yaml")
    #expect(profile.touchedBy == .robot && profile.limit(of: .tapRadius) == Limit(0.5))
    #expect(profile.limit(of: .tapSpread) == nil && profile.limit(of: .missingCells) == Limit(0))
    profile.touchedBy = .hand
    #expect(profile.limit(of: .tapRadius) == nil && profile.limit(of: .tapSpread) == Limit(2, tolerance: 1))
    #expect(profile.sources[.tapSpread] == "a study" && profile.sources[.missingCells] == "all of them")
  }

  @Test func `one limit is for every touch of all tests, and one may be a distance at the edge`() throws {
    let text =
      "panel: {width_mm: 154, height_mm: 86}\nlimits: {touch: {lift: {hand: 3}, wobble: 1}, grid: {scale: 1.5 or 2 mm}}\n"
      + "sources: {touch: {lift: a button}}"
    let profile = try PanelProfile.parse(Array(text.utf8), file: "p.yaml")
    #expect(profile.size == Size(width: 154, height: 86))
    let lifts = Measure.allCases.filter { $0.key == "lift" }
    #expect(lifts.count == 15 && lifts.allSatisfy { profile.limit(of: $0) == Limit(3) })
    #expect(lifts.allSatisfy { profile.sources[$0] == "a button" })
    #expect(profile.limit(of: .tapWobble) == Limit(1) && profile.limit(of: .lineLanding) == nil)
    #expect(profile.limit(of: .gridScale) == Limit(1.5, atEdge: 2))
  }

  @Test func `a limit can be left to the device, and a null is not judged`() throws {
    let text =
      "name: own\ntasks: {grid: [3, 2], ghost: [5, battery]}\nlimits: {contacts: {most: claimed, swaps: ~}, rate: {mean: [90, 10]}}"
    let profile = try PanelProfile.parse(Array(text.utf8), file: "p.yaml")
    #expect(profile.name == "own" && profile.columns == 3 && profile.rows == 2)
    #expect(profile.ghostSeconds == 5 && profile.ghostConditions == ["battery"])
    #expect(profile.limits == [.mostContacts: Limit(nil), .rateMean: Limit(90, tolerance: 10)])
  }

  @Test func `an instrument's lines are stamps, and what is none is reported with its line`() throws {
    let stamps = try InstrumentFile.stamps(
      "# by gpiomon\n5123.004211 finger\n\n5123.5\tlight\r\n", file: "s")
    #expect(stamps.map(\.kind) == [.finger, .light])
    #expect(stamps.map(\.time.microseconds) == [5_123_004_211, 5_123_500_000])
    for line in ["5123.1", "5123.1 foot", "x finger", "nan finger", "-1 finger", "1 finger 2"] {
      #expect {
        try InstrumentFile.stamps("1 finger\n\(line)\n", file: "s")
      } throws: {
        "\($0)".contains("s:2: ")
      }
    }
  }
}
