import Testing
import TouchYAML

@testable import TouchConfig

/// Views of rows that a value does not have yet.
@Suite struct RowsToComeTests {
  private static func warnings(
    _ template: String, rows: String = "[]", row: String = "{of: room, for: rooms}"
  )
    throws -> [String]
  {
    let file = """
      version: 1
      values: {rooms: \(rows), level: 3}
      templates:
        room: {frame: [0, 0, 60, 20], \(template)}
        knob: {kind: slider, frame: [0, 0, 60, 20], value: "{at}"}
      window:
        subviews:
          - {id: lamp, kind: switch, frame: [0, 0, 60, 20]}
          - {id: stack, kind: stack, frame: [0, 0, 90, 90], subviews: [{repeat: \(row)}, {of: knob, at: 1}]}
          - {id: list, kind: list, frame: [0, 100, 90, 90], subviews: [{repeat: \(row)}]}
      """
    return try Configuration.parse(text: file, file: "f.yaml").warnings.map {
      "\($0.place.line):\($0.place.column): \($0.severity): \($0.message)"
    }
  }

  @Test(arguments: [
    ("kind: label, colour: red", "warning: unknown key \"colour\""),
    ("kind: label, alpha: wide", "warning: alpha"),
    ("kind: slider, text: \"{name}\", maximum: lots", "warning: maximum"),
    ("kind: button, text: \"{name}\", handlers: [nobody]", "warning: no handler"),
    ("kind: button, actions: {touch_up_inside: [set: {nobody: {value: 1}}]}", "the id \"nobody\""),
    ("kind: button, actions: {touch_up_inside: [jump: {}]}", "\"jump\""),
  ])
  func `what is wrong with the view of a row is a warning before the first row comes`(
    template: String, warning: String
  ) throws {
    let warnings = try Self.warnings(template)
    #expect(warnings.contains { $0.contains(warning) }, "\(warnings)")
    #expect(warnings.allSatisfy { $0.contains(": warning: ") }, "\(warnings)")
  }

  @Test(arguments: [
    "kind: label, text: \"{name}\"", "kind: slider, value: \"{heat}\", maximum: \"{most}\"",
    "kind: button, id: \"{key}\", text: \"{key}\", hidden: \"{off}\"", "kind: image, image: \"{picture}\"",
    "kind: button, actions: {touch_up_inside: [set: {\"{target}\": {value: 1}}, set: {level: \"{heat}\"}]}",
    "subviews: [{of: knob, at: \"{heat}\"}, {id: \"{key}-a\", kind: switch, frame: [0, 0, 60, 20], value: \"{level > 2}\"}]",
    "kind: \"{kind}\", rows: [a]", "subviews: [{repeat: {of: knob, for: [{at: 1}, {at: 2}]}}]",
  ])
  func `what only a row can tell is no warning`(template: String) throws {
    #expect(try Self.warnings(template) == [])
  }

  @Test func `a row of a view that stands in the repeat is checked, too`() throws {
    let warnings = try Self.warnings(
      "kind: label", row: "{view: {kind: label, text: \"{name}\", colour: red}, for: rooms}")
    #expect(warnings.contains { $0.contains("unknown key \"colour\"") }, "\(warnings)")
  }
}
