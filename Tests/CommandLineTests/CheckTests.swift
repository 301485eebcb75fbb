import Foundation
import Testing

/// What `touchtree check` warns of: what is allowed and probably a mistake.
@Suite struct CheckTests {
  private func check(_ text: String, _ options: String...) throws -> Program.Outcome {
    try check(text, options: options)
  }

  private func check(_ text: String, options: [String]) throws -> Program.Outcome {
    var outcome = Program.Outcome(status: -1, output: "", errors: "")
    try Program.inFolder { folder in
      try text.write(toFile: folder + "/t.yaml", atomically: true, encoding: .utf8)
      outcome = try Program.run(["check", "t.yaml"] + options, in: folder)
    }
    return outcome
  }

  /// A file with these views from line 4, on a canvas of 200 × 100.
  private func file(_ views: String...) -> String {
    """
    display: {canvas: {size: [200, 100]}}
    window:
      subviews:

    """ + views.map { "    - \($0)\n" }.joined()
  }

  private func expect(
    _ outcome: Program.Outcome, warns place: String, _ words: String...,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome.errors)", sourceLocation: location)
    for word in ["t.yaml:\(place): warning: "] + words {
      #expect(outcome.errors.contains(word), "\(outcome.errors)", sourceLocation: location)
    }
    #expect(outcome.status == 0 && outcome.output.contains("1 warning"), sourceLocation: location)
  }

  private let ok = "{id: ok, kind: button, frame: [10, 10, 60, 40]}"

  @Test func `a control that can be touched is not mentioned`() throws {
    let outcome = try check(file(ok))
    #expect(outcome.errors.isEmpty && outcome.status == 0)
    #expect(outcome.output == "t.yaml: good, 1 view\n")
  }

  @Test(arguments: [
    ("ABS_MICS", "did you mean \"ABS_MISC\"?"), ("KEY_WAEKUP", "did you mean \"KEY_WAKEUP\"?"),
    ("SW_NOSE", "give one of input-event-codes.h, such as ABS_MISC"),
  ])
  func `an event that the kernel does not have is an error, in run too`(event: String, advice: String) throws
  {
    let text = """
      version: 1
      values:
        light: {value: 1, source: {device: als, event: \(event)}}
      window: {}
      """
    let line = "t.yaml:3:50: error: the kernel has no event \"\(event)\"; \(advice)\n"
    let outcome = try check(text)
    #expect(outcome.status == 78 && outcome.errors == line, "\(outcome)")
    try Program.inFolder { folder in
      try text.write(toFile: folder + "/t.yaml", atomically: true, encoding: .utf8)
      let run = try Program.run(["run", "t.yaml", "--display", "headless", "--control", "none"], in: folder)
      #expect(run.status == 78 && run.errors.hasSuffix(line), "\(run)")
    }
  }

  @Test func `a control in the window or in pages whose frame was forgotten is reported`() throws {
    for kind in ["button", "slider", "switch", "stepper", "progress", "segmented, segments: [a, b]"] {
      expect(
        try check(file("{id: s, kind: \(kind)}")), warns: "4:7", "s has no frame", "fills the window",
        "frame: [x, y, width, height]")
    }
    expect(
      try check(file("{id: p, kind: pages, subviews: [{id: s, kind: button}]}")), warns: "4:39",
      "s has no frame",
      "fills the pages p")
    for kind in ["view", "stack", "scroll", "pages", "image", "list", "label"] {
      #expect(try check(file("{id: s, kind: \(kind)}")).errors.isEmpty, "\(kind)")
    }
    #expect(try check(file("{kind: stack, subviews: [{kind: button, text: OK}]}")).errors.isEmpty)
  }

  @Test func `a control under another view is reported with what covers it`() throws {
    expect(
      try check(file(ok, "{id: lid, frame: [0, 0, 200, 100]}")), warns: "4:7", "ok can never be touched",
      "lid covers it")
  }

  @Test func `a control of which a unit is free can be touched`() throws {
    let lids = ["{frame: [0, 0, 200, 49]}", "{frame: [0, 49, 69.5, 51]}", "{frame: [70, 49, 130, 51]}"]
    #expect(try check(file(ok, lids[0], lids[1], lids[2])).errors.isEmpty)
    expect(
      try check(file(ok, lids[0], lids[1], "{frame: [69, 49, 131, 51]}")), warns: "4:7", "ok", "covers")
  }

  @Test func `views that a touch passes through cover nothing`() throws {
    for through in ["kind: label", "user_interaction: false", "pointer_events: none", "hidden: true"] {
      #expect(try check(file(ok, "{frame: [0, 0, 200, 100], \(through)}")).errors.isEmpty)
    }
  }

  @Test func `a control off the canvas is reported`() throws {
    expect(
      try check(file("{id: ok, kind: button, frame: [210, 10, 60, 40]}")), warns: "4:7",
      "outside the canvas", "200 × 100")
  }

  @Test func `a control outside its superview is reported, unless the superview lets it be hit`() throws {
    func card(_ keys: String) -> String {
      file(
        "{id: card, frame: [0, 0, 50, 50]\(keys), subviews: [{id: ok, kind: button, frame: [60, 0, 40, 40]}]}"
      )
    }
    expect(try check(card("")), warns: "4:52", "ok", "outside card", "overflow_hits")
    #expect(try check(card(", overflow_hits: true")).errors.isEmpty)
  }

  @Test(arguments: [
    ("{id: a, kind: label, frame: [0, 0, 40, 40], handlers: [log]}", "user_interaction: true"),
    ("{id: a, kind: image, frame: [0, 0, 40, 40], gestures: [{kind: tap}]}", "user_interaction: true"),
    ("{id: a, frame: [0, 0, 40, 40], pointer_events: none, handlers: [log]}", "pointer_events"),
    ("{id: a, frame: [0, 0, 40, 0], handlers: [log]}", "no area"),
  ])
  func `a handler on a view that is never hit is reported`(view: String, remedy: String) throws {
    expect(try check(file(view)), warns: "4:7", "a can never be touched", remedy)
  }

  @Test(arguments: ["hidden: true", "alpha: 0", "enabled: false"])
  func `a control that may be shown or enabled later is not reported`(key: String) throws {
    #expect(
      try check(file("{kind: button, frame: [0, 0, 40, 40], \(key)}", "{frame: [0, 0, 99, 99]}")).errors
        .isEmpty)
  }

  /// What moves `ok`, or what covers it, by a step of `do` or by itself.
  @Test(arguments: [
    ("ok: {frame: [0, 80, 60, 20]}", "frame: [0, 0, 200, 80]", true),
    ("lid: {hidden: true}", "frame: [0, 0, 200, 80]", true),
    ("lid: {background: red}", "frame: [0, 0, 200, 80]", false),
    ("lid: {background: red}", "frame: [0, 0, \"{n}\", 80]", true),
  ])
  func `a control that something moves, or uncovers, is not reported`(set: String, lid: String, isGood: Bool)
    throws
  {
    let outcome = try check(
      "values: {n: 200}\n"
        + file(
          ok, "{id: lid, \(lid)}",
          "{id: do, kind: button, frame: [0, 80, 200, 20], actions: {touch_up_inside: [animate: {seconds: 1, set: {\(set)}}]}}"
        ))
    #expect(outcome.status == 0 && outcome.errors.isEmpty == isGood, "\(outcome.errors)")
  }

  @Test func `a control to which another view redirects is not reported`() throws {
    let views = file(
      "{id: ok, kind: button, frame: [0, 0, 40, 40]}", "{frame: [0, 0, 200, 100], redirect: ok}")
    #expect(try check(views).errors.isEmpty)
  }

  @Test func `a handler that nothing names is reported where it is declared`() throws {
    let text = "handlers:\n  chime: {kind: exec, when: pressed, command: [sh, -c, exit]}\n" + file(ok)
    expect(try check(text), warns: "2:3", "chime")
  }

  @Test func `a process and a plugin run whether or not a responder names them`() throws {
    let bell = Program.executable.deletingLastPathComponent().appending(path: "libbell.so").path
    let text = """
      handlers:
        clock: {kind: process, command: [sh, -c, exit]}
        bell: {kind: plugin, path: \(bell)}

      """ + file(ok)
    let outcome = try check(text, "--strict")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `text that is cut is reported on every page, and wherever a scroll view is scrolled to`() throws
  {
    let note = "{id: note, kind: label, frame: [0, 900, 30, 20], text: Much too long}"
    let pages = "kind: pages, subviews: [{id: home}, {id: more, subviews: ["
    for views in [
      "{id: p, \(pages)\(note)]}]}", "{kind: scroll, frame: [0, 0, 200, 100], subviews: [\(note)]}",
      "{id: p, \(pages){id: q, frame: [0, 0, 90, 90], \(pages.replacing("home", with: "a").replacing("more", with: "b"))\(note)]}]}]}]}",
    ] {
      let outcome = try check(file(views))
      #expect(outcome.errors.contains("the text of note does not fit"), "\(views): \(outcome.errors)")
    }
    let hidden = try check(file("{frame: [0, 0, 9, 9], hidden: true, subviews: [\(note)]}"))
    #expect(hidden.errors.isEmpty, "\(hidden.errors)")
  }

  @Test(arguments: [
    ("U+F0335", "\\U000F0335", "font of icons"), ("U+4E2D", "\\u4e2d", "fonts-noto-cjk"),
    ("U+1F9FF", "\\U0001F9FF", "fonts-noto-color-emoji"), ("U+0378", "\\u0378", "fonts-noto-core"),
  ])
  func `a character that no font has is reported with a font that may have it`(
    code: String, character: String, font: String
  ) throws {
    let outcome = try check(file("{id: note, kind: label, frame: [0, 0, 90, 40], text: \"\(character)\"}"))
    #expect(outcome.errors.contains(font), "\(code): \(outcome.errors)")
  }

  @Test func `text that is cut is reported`() throws {
    expect(
      try check(file("{id: note, kind: label, frame: [0, 0, 30, 20], text: Much too long}")), warns: "4:7",
      "note", "cut")
  }

  @Test(arguments: [
    ("kind: button, frame: [0, 0, 120, 40], text: OK, icon: {name: settings, place: top}", "needs 61"),
    ("kind: label, frame: [0, 0, 120, 20], text: One, detail: Two", "it is 20 units high, and needs 40"),
    ("kind: label, frame: [0, 0, 120, 16], text: Gypsy, font: {size: 24}", "needs 29"),
    (
      "kind: label, frame: [20, 20, 120, 16], text: Gypsy, font: {size: 24}, transform: {rotate: 9}",
      "needs 29"
    ),
    ("kind: segmented, frame: [0, 0, 160, 14], segments: [Gypsy]", "more height"),
    ("kind: list, frame: [0, 0, 160, 90], rows: [Gypsy], row_height: 12", "row_height"),
    ("kind: text_field, frame: [0, 0, 160, 14], placeholder: Gypsy", "more height"),
    ("kind: image, frame: [0, 0, 20, 20], icon: {name: settings, size: 40}", "more height"),
  ])
  func `what is cut above or below is reported`(view: String, figures: String) throws {
    expect(try check(file("{id: note, \(view)}")), warns: "4:7", "note shows is cut above or below", figures)
  }

  @Test func `letters that fit are not cut, though their font would leave room around them`() throws {
    for height in [18, 20] {
      let outcome = try check(file("{kind: label, frame: [0, 0, 120, \(height)], text: Gypsy}"))
      #expect(outcome.errors.isEmpty, "\(height): \(outcome.errors)")
    }
    #expect(try check(file("{kind: label, frame: [0, 0, 120, 14], text: Room}")).errors.isEmpty)
  }

  @Test func `text is measured in every language, and one in which alone it is cut is named`() throws {
    func strings(_ de: String, _ fr: String) -> String {
      "strings: {en: {hello: Hi}, de: {hello: \(de)}, fr: {hello: \(fr)}}\n"
    }
    let label = file("{id: note, kind: label, frame: [0, 0, 40, 20], text: \"{t.hello}\"}")
    func warnings(_ strings: String) throws -> [String] {
      try check(strings + label).errors.split(separator: "\n").map(String.init)
    }
    let german = try warnings(strings("Guten Morgen", "Bon"))
    #expect(german.count == 1 && german[0].contains("in the language \"de\", the text of note"), "\(german)")
    let both = try warnings(strings("Guten Morgen", "Bonjour à tous"))
    #expect(both.count == 1 && both[0].contains("in the languages \"de\", \"fr\", the text"), "\(both)")
    let all = try warnings(strings("Guten Morgen", "Bonjour à tous").replacing("Hi", with: "Good morning"))
    #expect(all.count == 1 && all[0].contains("warning: the text of note"), "\(all)")
    #expect(try warnings(strings("Tag", "Bon")).isEmpty)
  }

  @Test func `a font that is missing is reported`() throws {
    expect(
      try check(
        file("{id: note, kind: label, frame: [0, 0, 90, 20], text: Hi, font: {family: No Such Font}}")),
      warns: "4:79", "No Such Font")
  }

  @Test func `a picture that is missing is reported`() throws {
    expect(
      try check(file("{id: logo, kind: image, frame: [0, 0, 90, 20], image: logo.png}")), warns: "4:61",
      "logo.png", "not exist")
  }

  @Test(arguments: [
    ("large.png", "is 5000x5000 pixels; at most 4096x4096 are read"), ("cut.png", "not a readable PNG"),
    ("text.png", "is neither a PNG nor a JPEG file"), ("http://example.org/a.png", "is an address"),
  ])
  func `a picture that run shows a placeholder for is reported`(name: String, words: String) throws {
    func header(_ side: UInt32) -> Data {
      let sides = withUnsafeBytes(of: side.bigEndian) { Data($0) + Data($0) }
      return Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]) + Data("IHDR".utf8) + sides
    }
    try Program.inFolder { folder in
      for (name, data) in [
        ("large.png", header(5000)), ("cut.png", header(5)), ("text.png", Data("no picture".utf8)),
      ] {
        try data.write(to: URL(filePath: "\(folder)/\(name)"))
      }
      let views = [
        "{id: shown, kind: image, frame: [0, 0, 90, 20], image: \"\(name)\"}",
        "{id: later, kind: image, frame: [0, 0, 90, 20], image_mode: fill, hidden: true}",
      ]
      try file(views[0], views[1]).write(toFile: folder + "/t.yaml", atomically: true, encoding: .utf8)
      let outcome = try Program.run(["check", "t.yaml"], in: folder)
      #expect(outcome.status == 0 && outcome.output.contains("1 warning"), "\(outcome.errors)")
      #expect(
        outcome.errors.contains("t.yaml:4:62: warning: ") && outcome.errors.contains(words),
        "\(outcome.errors)")
    }
  }

  @Test func `a stack that is too small for what is in it is reported`() throws {
    let stack = "kind: stack, frame: [0, 0, 100, 50], subviews: ["
    expect(
      try check(file("{id: a, \(stack){id: b, size: [60, 20]}, {id: c, size: [60, 20]}]}")),
      warns: "4:7", "the stack a is too small", "c ends outside it")
    expect(
      try check(
        file("{id: a, axis: vertical, \(stack){id: b, size: [null, 40]}, {id: c, kind: label, text: Hi}]}")),
      warns: "4:7", "the stack a is too small", "c is 10 units high, and its text needs 2")
    let good = try check(file("{id: a, \(stack){id: b, size: [60, 20]}, {id: c, kind: label, text: Hi}]}"))
    #expect(good.errors.isEmpty)
  }

  @Test func `what depends on the display names the sizes of those that are given`()
    throws
  {
    let tree = """
      display: {canvas: {size: [200, 100], scale: extend}}
      window:
        subviews:
          - kind: stack
            axis: vertical
            subviews:
              - {id: far, kind: button, size: [null, 150], text: A}
              - {id: near, kind: button, text: B}
          - {id: gone, kind: button, frame: [0, 260, 40, 40], text: C}
      """
    func warnings(_ sizes: String...) throws -> [String] {
      let outcome = try check(tree, options: sizes.flatMap { ["--size", $0] })
      #expect(outcome.status == 0)
      return outcome.errors.split(separator: "\n").map { String($0.split(separator: "warning: ").last ?? "") }
    }
    #expect(try warnings("200x400") == [])
    let small = try warnings("200x100")
    #expect(small.count == 3 && small.allSatisfy { $0.hasPrefix("at 200×100, ") }, "\(small)")
    // So it is by itself, on the canvas.
    #expect(try warnings() == small)
    let both = try warnings("200x100", "200x400", "200x120", "200x100")
    #expect(both.contains { $0.hasPrefix("at 200×100 and 200×120, the stack") }, "\(both)")
    #expect(both.allSatisfy { $0.hasPrefix("at 200×1") }, "\(both)")
    #expect(try check(tree, options: ["--size", "200x400", "--strict"]).status == 0)
    #expect(try check(tree, options: ["--size", "200"]).status == 64)
    // A canvas with a size of its own is the same on each display.
    #expect(try !check(file("{id: ok, kind: button, frame: [210, 10, 60, 40]}")).errors.contains("at 2"))
  }

  @Test func `strict makes warnings errors`() throws {
    let outcome = try check(file(ok, "{id: lid, frame: [0, 0, 200, 100]}"), "--strict")
    #expect(outcome.status == 78 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("t.yaml:4:7: error: ok can never be touched"))
    #expect(try check(file(ok), "--strict").status == 0)
  }
}
