import Foundation
import Testing

private let place = "frame: [0, 0, 100, 50]"
private let inside = "frame: [0, 0, 50, 50]"

/// The warnings of `touchtree check --accessible`, which are errors, and what ships without any.
@Suite struct AccessibleTests {
  private func check(_ text: String) throws -> Program.Outcome {
    var outcome = Program.Outcome(status: -1, output: "", errors: "")
    try Program.inFolder { folder in
      try text.write(toFile: folder + "/t.yaml", atomically: true, encoding: .utf8)
      outcome = try Program.run(["check", "t.yaml", "--accessible"], in: folder)
    }
    return outcome
  }

  /// A file with these keys of the root, and these views from line 5, on a canvas of 400 × 200.
  private func file(_ views: [String], root: String = "values: {name: \"\"}") -> String {
    "display: {canvas: {size: [400, 200]}}\n\(root)\nwindow:\n  subviews:\n"
      + views.map { "    - \($0)\n" }.joined()
  }

  private func expect(
    _ view: String, warns words: String?, at location: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try check(file([view]))
    guard let words else {
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)", sourceLocation: location)
      return
    }
    let lines = outcome.errors.split(separator: "\n")
    #expect(outcome.status == 78 && lines.count == 1, "\(outcome.errors)", sourceLocation: location)
    #expect(
      outcome.errors.contains("t.yaml:5:7: error: ") && outcome.errors.contains(words), "\(outcome.errors)",
      sourceLocation: location)
  }

  @Test(arguments: [
    ("{id: a, kind: slider, \(place)}", false),
    ("{id: a, kind: switch, \(place)}", false),
    ("{id: a, kind: button, icon: plus, \(place)}", false),
    ("{id: a, kind: button, text: \"\", \(place)}", false),
    (
      "{id: a, kind: control, \(place), subviews: [{kind: label, text: OK, hidden: true, \(inside)}]}",
      false
    ),
    ("{id: a, \(place), gestures: [{kind: tap}]}", false),
    ("{id: a, \(place), gestures: [{kind: pan}]}", true),
    ("{id: a, \(place), gestures: [{kind: tap}], label: Lamp}", true),
    ("{id: a, kind: slider, label: Volume, \(place)}", true),
    ("{id: a, kind: button, text: OK, \(place)}", true),
    ("{id: a, kind: button, text: \"{name}\", \(place)}", true),
    ("{id: a, kind: slider, label: \"{name}\", \(place)}", true),
    ("{id: a, kind: text_field, placeholder: Name, \(place)}", true),
    ("{id: a, kind: control, \(place), subviews: [{kind: label, text: OK, \(inside)}]}", true),
    (
      "{id: a, kind: control, \(place), subviews: [{kind: label, text: \"{name}\", \(inside)}]}",
      true
    ),
    ("{id: a, kind: control, \(place), subviews: [{kind: image, label: OK, \(inside)}]}", true),
    ("{id: a, kind: slider, hidden: true, \(place)}", true),
    ("{id: a, kind: label, text: OK, \(place)}", true),
  ])
  func `whatever can be used has a name, of its own or of what is in it`(view: String, isGood: Bool)
    throws
  {
    try expect(
      view,
      warns: isGood ? nil : "a has no name for people who do not see it; give it one: label:")
  }

  @Test(arguments: [
    ("kind: button, text: A, frame: [0, 0, 100, 43]", "(100 × 43)"),
    ("kind: button, text: A, frame: [0, 0, 43.5, 100]", "(43.5 × 100)"),
    ("kind: button, text: A, frame: [0, 0, 40, 40], hit_slop: 1", "(42 × 42)"),
    ("label: A, frame: [0, 0, 40, 50], gestures: [{kind: tap}]", "(40 × 50)"),
    ("kind: button, text: A, frame: [0, 0, 88, 88], transform: {scale: 0.4}", "(35.2 × 35.2)"),
    ("kind: button, text: A, frame: [0, 0, 44, 44]", nil),
    ("kind: button, text: A, frame: [20, 20, 44, 44], transform: {rotate: 10}", nil),
    ("kind: button, text: A, frame: [0, 0, 40, 40], hit_slop: 2", nil),
    // A switch answers around itself, and nobody can touch the others.
    ("kind: switch, label: A, frame: [40, 40, 40, 24]", nil),
    ("kind: button, text: A, frame: [0, 0, 20, 20], enabled: false", nil),
    ("kind: button, text: A, frame: [0, 0, 20, 20], hidden: true", nil),
    ("frame: [0, 0, 20, 20]", nil),
  ])
  func `a target has at least 44 units, with what answers around it`(view: String, figures: String?) throws {
    try expect(
      "{id: a, \(view)}",
      warns: figures.map {
        "a is a target of less than 9 mm (44 units); make it larger, or give it hit_slop \($0)"
      })
  }

  /// #767676 has 4.54 on white, and #777777 4.47; #949494 has 3.03, and #959595 2.99.
  @Test(arguments: [
    (
      "background: white, font: {size: 17, color: \"#777777\"}",
      "4.5 : 1; make it lighter or darker (it is 4.4)"
    ),
    ("background: white, font: {size: 17, color: \"#767676\"}", nil),
    (
      "background: white, font: {size: 32, color: \"#959595\"}",
      "3 : 1; make it lighter or darker (it is 2.9)"
    ),
    ("background: white, font: {size: 32, color: \"#949494\"}", nil),
    ("background: white, font: {size: 30, color: \"#949494\"}", "4.5 : 1"),
    ("background: white, font: {size: 25, weight: bold, color: \"#949494\"}", nil),
    ("background: white, font: {size: 25, weight: semibold, color: \"#949494\"}", "4.5 : 1"),
    // What lets something through is as pale as what is seen of it.
    ("background: white, font: {size: 17, color: \"#00000080\"}", "(it is 4)"),
    ("background: \"#ffffff80\", font: {size: 17, color: white}", "(it is 3.9)"),
    ("background: white, alpha: 0.2, font: {size: 17, color: black}", "(it is 1.6)"),
    ("background: {gradient: [white, black]}, font: {size: 17, color: black}", "(it is 1)"),
    // Nothing is to be read, or nothing to be used.
    ("text: \"\", background: white, font: {size: 17, color: white}", nil),
    ("background: white, hidden: true, font: {size: 17, color: white}", nil),
    ("kind: button, enabled: false, background: white, font: {size: 17, color: white}", nil),
  ])
  func `a text has a contrast of 4.5 : 1, and large letters of 3 : 1`(look: String, words: String?) throws {
    let start = look.contains("kind:") ? "" : "kind: label, "
    let text = look.contains("text:") ? "" : "text: Hello, "
    try expect("{id: a, \(start)\(text)\(place), \(look)}", warns: words)
  }

  @Test func `a text in a disabled control needs no contrast`() throws {
    let label = "{kind: label, text: Off, frame: [0, 0, 90, 40], font: {color: \"#222222\"}}"
    func control(_ keys: String) -> String {
      file(["{kind: control, label: A, \(place)\(keys), subviews: [\(label)]}"])
    }
    #expect(try check(control("")).errors.contains("t.yaml:5:"))
    #expect(try check(control(", enabled: false")).errors.isEmpty)
  }

  @Test func `a file that leaves its size to the display is judged at the size that suits it`() throws {
    let text = "window:\n  subviews: [{id: a, kind: button, text: A, frame: [0, 0, 20, 60]}]\n"
    let outcome = try check(text)
    #expect(
      outcome.errors.contains("t.yaml:2:14: error: at ")
        && outcome.errors.contains("a is a target of less than 9 mm (44 units)"), "\(outcome.errors)")
  }

  @Test func `each example, the demo, the gallery and a new panel are accessible`() throws {
    let config = Program.package.appending(path: "config")
    let files = try FileManager.default.contentsOfDirectory(
      at: config.appending(path: "examples"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "yaml" }.map(\.path)
    #expect(files.count >= 13)
    try Program.inFolder { folder in
      _ = try Program.run(["new", "panel"], in: folder)
      let all =
        files + [config.path + "/touchtree.yaml", config.path + "/gallery.yaml", "panel/touchtree.yaml"]
      let outcome = try Program.run(["check", "--accessible"] + all, in: folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }
}
