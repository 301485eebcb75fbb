import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput
@testable import TouchKit

/// Which rule of a configuration counts for a device.
@Suite struct DeviceRulesTests {
  private static func rules(_ yaml: String) throws -> DeviceRules {
    let text = "input: {devices: [\(yaml)]}\nwindow: {}\n"
    return DeviceRules(try Configuration.parse(text: text, file: "rules").input.rules)
  }

  private static let panel = DeviceDescription(name: "Acme Panel", vendor: 0x1234, product: 1)
  private static let other = DeviceDescription(name: "Acme Mouse", vendor: 0x1234, product: 2)

  @Test(
    arguments: [
      ("{match: {name: Acme*}, rotation: 90}, {match: {name: Acme*}, rotation: 180}", 90, 90),
      ("{match: {name: Acme*}, rotation: 180}, {match: {name: Acme Panel}, rotation: 90}", 180, 180),
      ("{match: {name: Acme Panel}, rotation: 90}, {match: {vendor: 0x1234}, rotation: 180}", 90, 180),
      (
        "{match: {product: 2}, rotation: 90}, {match: {name: \"*\"}, rotation: 180}, {rotation: 270}", 180, 90
      ),
      ("{match: {name: nothing}, rotation: 90}, {match: {product: 1}, rotation: 270}", 270, nil),
      ("{rotation: 90}, {match: {name: Acme*}, rotation: 180}", 90, 90),
    ] as [(String, Int, Int?)])
  func `of several rules that match a device the first counts`(
    _ yaml: String, _ panel: Int, _ other: Int?
  ) throws {
    let rules = try Self.rules(yaml)
    #expect(rules.rule(for: Self.panel)?.rotation.rawValue == panel)
    #expect(rules.rule(for: Self.other)?.rotation.rawValue == other)
  }

  @Test(arguments: [
    ("{match: {name: Acme}, rotation: 90}", "did you mean name: \"Acme*\"?"),
    ("{match: {name: panel}, rotation: 90}", "did you mean name: \"Acme Panel\"?"),
    ("{match: {product: 9}, rotation: 90}", "`touchtree devices` lists those that are there"),
  ])
  func `a rule that matches no device is named, with what would`(rule: String, advice: String) throws {
    let rules = try Self.rules("\(rule), {match: {name: Acme*}}, {rotation: 90}")
    #expect(
      rules.unmatched(among: [Self.panel, Self.other]) == [
        "line 1: no device that is there matches this rule; \(advice)"
      ])
  }

  // MARK: Quirks

  private static func rules(_ yaml: String, quirks: String) throws -> DeviceRules {
    let text = "input: {devices: [\(yaml)]}\nwindow: {}\n"
    return DeviceRules(
      try Configuration.parse(text: text, file: "rules").input.rules,
      quirks: try DeviceQuirks.parse(text: "quirks: [\(quirks)]", file: "quirks.yaml"))
  }

  private static let quirks =
    "{match: {name: Acme Panel}, rotation: 180, filter: median}, {match: {vendor: 0x1234}, use: false, speed: 2}"

  @Test func `the quirks that the program has are those of the file`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../config/quirks/devices.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(try DeviceQuirks.parse(text: text, file: "f").rules == DeviceQuirks.shipped.rules)
  }

  @Test func `a quirk applies to what it matches, and the first one does`() throws {
    let rules = try Self.rules("", quirks: Self.quirks)
    let panel = try #require(rules.rule(for: Self.panel))
    #expect(panel.rotation == .half && panel.filters == [.median(samples: 3)] && panel.isUsed == nil)
    #expect(rules.rule(for: Self.other)?.isUsed == false)
    #expect(rules.rule(for: DeviceDescription(name: "Other")) == nil)
    #expect(rules.quirkSentence(for: Self.panel) == "quirks.yaml:1 sets rotation, filter")
    #expect(rules.quirkSentence(for: DeviceDescription(name: "Other")) == nil)
  }

  @Test func `the configuration's rule wins, key by key`() throws {
    let rules = try Self.rules(
      "{match: {product: 1}, rotation: 0}, {match: {product: 2}, use: true}", quirks: Self.quirks)
    let panel = try #require(rules.rule(for: Self.panel))
    #expect(panel.rotation == DisplayGeometry.Rotation.none && panel.filters == [.median(samples: 3)])
    let other = try #require(rules.rule(for: Self.other))
    #expect(other.isUsed == true && other.speed == 2)
  }

  @Test func `who keeps a device out is named`() throws {
    let rules = try Self.rules("{match: {product: 1}, use: false}", quirks: Self.quirks)
    #expect(rules.exclusion(of: Self.panel, file: "my.yaml") == "my.yaml:1 says use: false")
    #expect(rules.exclusion(of: Self.panel) == "line 1 of the configuration says use: false")
    #expect(rules.exclusion(of: Self.other) == "quirks.yaml:1 says use: false")
    #expect(rules.exclusion(of: DeviceDescription(name: "Other")) == nil)
    let using = try Self.rules("{match: {product: 2}, use: true}", quirks: Self.quirks)
    #expect(using.exclusion(of: Self.other) == nil)
  }

  @Test func `a program that measures positions has the devices of the rules and nothing of their mapping`()
    throws
  {
    let rules = try Self.rules(
      "{match: {product: 2}, use: true, grab: true, output: [0, 0, 9, 9]}", quirks: Self.quirks
    ).withoutMapping
    let panel = try #require(rules.rule(for: Self.panel))
    #expect(panel.rotation == DisplayGeometry.Rotation.none && panel.filters.isEmpty)
    let other = try #require(rules.rule(for: Self.other))
    #expect(other.isUsed == true && other.isGrabbed && other.output == nil && other.speed == nil)
  }

  @Test func `a device that is known to double a touchscreen is listed with its quirk, and is not used`()
    throws
  {
    var capabilities = DeviceCapabilities()
    capabilities.keys = [EventCode.btnLeft]
    capabilities.relativeAxes = [EventCode.relX, EventCode.relY]
    let device = DeviceDescription(
      name: "ILITEK Multi-Touch-V3000 Mouse", vendor: 0x222a, product: 1, capabilities: capabilities)
    let rules = DeviceRules([])
    #expect(rules.classification(of: device).kind == .relativePointer)
    #expect(rules.exclusion(of: device)?.hasSuffix("says use: false") == true)
    #expect(rules.quirkSentence(for: device)?.hasSuffix("sets use") == true)
  }
}
