import Foundation
import PictureSupport
import Testing
import TouchPixels

/// What `render` draws, compared with committed pictures, pixel by pixel.
///
/// `TOUCHTREE_RECORD_GOLDENS=1` writes the pictures instead, except where `CI` is set.
@Suite("Pictures")
struct PictureTests {
  private static let experiments =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Program.package.appending(path: "config/experiments").path))?
    .filter { $0.hasSuffix(".yaml") }.sorted() ?? []

  @Test(arguments: experiments)
  func `each experiment looks as it did`(file: String) throws {
    try compare("config/experiments/\(file)", [], String(file.dropLast(5)))
  }

  @Test
  func `the experiments are there`() {
    #expect(Self.experiments.count >= 13)
  }

  @Test(
    arguments: [
      "controls", "jukebox", "keypad", "machine", "name", "photo", "piano", "pin", "thermostat", "wifi",
    ], sizes)
  func `each example looks as it did, on small, large and upright displays`(example: String, size: String)
    throws
  {
    try compare("config/examples/\(example).yaml", ["--size", size], "\(example)-\(size)")
  }

  private static let sizes = ["320x240", "800x480", "1280x800", "720x1280"]

  @Test(arguments: sizes)
  func `so do the kiosk, the charger, the demo and what new writes`(size: String) throws {
    for (name, path) in [
      ("kiosk", "config/examples/kiosk.yaml"), ("charger", "config/examples/charger.yaml"),
      ("demo", "config/touchtree.yaml"),
      ("new", "Sources/TouchTools/New/Starter/touchtree.yaml"),
    ] {
      let text = try String(contentsOf: Program.package.appending(path: path), encoding: .utf8)
      try Program.inFolder { folder in
        try text.replacing(#/{now:[^}]*}/#, with: "12:34")
          .write(toFile: "\(folder)/\(name).yaml", atomically: true, encoding: .utf8)
        try compare("\(folder)/\(name).yaml", ["--size", size], "\(name)-\(size)")
      }
    }
  }

  @Test(arguments: [nil, "lightbulb"])
  func `all icons are one picture, and so are those of a word`(word: String?) throws {
    try Program.inFolder { folder in
      let path = "\(folder)/icons.png"
      let result = try Program.run(["icons"] + [word].compactMap(\.self) + ["-o", path])
      #expect(result.status == 0, "\(result.errors)")
      // The header of a PNG: width and height follow 16 bytes.
      let sides = try Data(contentsOf: URL(filePath: path)).dropFirst(16).prefix(8)
      let width = sides.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      #expect(word == nil ? width > 32 + 8 * 150 : width <= 32 + 8 * 150)
    }
  }

  @Test(arguments: ["dark", "light"])
  func `controls of each theme at rest, pressed, selected and disabled`(theme: String) throws {
    let controls = try String(
      contentsOf: Program.package.appending(path: "config/examples/controls.yaml"), encoding: .utf8)
    try Program.inFolder { folder in
      try controls.replacing("theme: dark\n", with: "theme: \(theme)\n")
        .write(toFile: "\(folder)/controls.yaml", atomically: true, encoding: .utf8)
      // A finger on each control that one can press.
      let points = [
        "728,30", "352,83", "237,206", "471,80", "617,80", "474,136", "611,136", "735,136", "451,188",
        "714,188", "77,330", "204,330", "471,259",
      ]
      let size = ["--size", "800x480"]
      try compare("\(folder)/controls.yaml", size, "theme-\(theme)")
      try compare(
        "\(folder)/controls.yaml", size + points.flatMap { ["--touch", $0] }, "theme-\(theme)-pressed")
    }
  }

  @Test(arguments: ["dark", "light"])
  func `fields, keys, dots, a dialog and everything disabled in each theme, and what fingers press of it`(
    theme: String
  ) throws {
    let states = try String(
      contentsOf: Program.package.appending(path: "Tests/PictureSupport/Fixtures/states.yaml"),
      encoding: .utf8)
    try Program.inFolder { folder in
      func write(_ text: String) throws {
        try text.replacing("theme: dark\n", with: "theme: \(theme)\n")
          .write(toFile: "\(folder)/states.yaml", atomically: true, encoding: .utf8)
      }
      try write(states)
      try compare("\(folder)/states.yaml", [], "states-\(theme)")
      // The switch that is off, a button of an icon, a row, a letter, and the return key.
      let points = ["566,89", "758,90", "100,362", "480,340", "760,452"]
      try compare(
        "\(folder)/states.yaml", points.flatMap { ["--touch", $0] }, "states-\(theme)-pressed")
      try write(states.replacing("presented: false", with: "presented: true"))
      try compare("\(folder)/states.yaml", [], "states-\(theme)-dialog")
    }
  }

  @Test(arguments: ["dark", "light"])
  func `lists of views and of texts, with a choice, a pressed row, groups and headers`(theme: String) throws {
    let lists = try String(
      contentsOf: Program.package.appending(path: "Tests/PictureSupport/Fixtures/lists.yaml"),
      encoding: .utf8)
    try Program.inFolder { folder in
      try lists.replacing("theme: dark\n", with: "theme: \(theme)\n")
        .write(toFile: "\(folder)/lists.yaml", atomically: true, encoding: .utf8)
      try compare("\(folder)/lists.yaml", ["--touch", "100,250"], "lists-\(theme)")
    }
  }

  @Test func `a page and values that are asked for are as if the file said so`() throws {
    func file(_ page: String, _ language: String, _ on: Bool) -> String {
      """
      theme: dark
      strings: {en: {hello: Hello}, ar: {hello: مرحبا}}
      language: \(language)
      values: {on: \(on)}
      window:
        subviews:
          - id: outer
            kind: pages
            page: \(page)
            subviews:
              - {id: home, background: red}
              - id: more
                subviews:
                  - {kind: label, frame: [20, 20, 200, 40], text: "{t.hello} {on ? 'on' : 'off'}"}
      """
    }
    try Program.inFolder { folder in
      func render(_ text: String, _ options: String...) throws -> Data {
        try text.write(toFile: "\(folder)/t.yaml", atomically: true, encoding: .utf8)
        let outcome = try Program.run(["render", "\(folder)/t.yaml", "-o", "\(folder)/t.png"] + options)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return try Data(contentsOf: URL(filePath: "\(folder)/t.png"))
      }
      let first = file("home", "en", false)
      #expect(try render(first, "--page", "more") == render(file("more", "en", false)))
      #expect(
        try render(
          first, "--page", "more", "--set", "language=ar", "--set", "on=true", "--set", "theme=light")
          == render(file("more", "ar", true).replacing("dark", with: "light")))
      for (option, value, words) in [
        ("--page", "outer", "there are home, more"), ("--set", "language=fr", "give en, ar"),
        ("--set", "o=1", "the values are theme, on, language"),
        ("--set", "theme=blue", "the theme \"blue\" is not there"),
        ("--set", "on=3", "give true, false or null"), ("--set", "on", "NAME=VALUE"),
      ] {
        let path = "\(folder)/no.png"
        let outcome = try Program.run(["render", "\(folder)/t.yaml", "-o", path, option, value])
        #expect(outcome.status != 0 && outcome.errors.contains(words), "\(value): \(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }
  }

  @Test func `every page is drawn in each size and theme, with a name that says which`() throws {
    try Program.inFolder { folder in
      try """
      theme: dark
      window:
        subviews:
          - id: screens
            kind: pages
            subviews:
              - {id: home, subviews: [{kind: label, frame: [20, 20, 200, 40], text: Home}]}
              - {id: settings, subviews: [{kind: button, frame: [20, 20, 90, 40], text: Away}]}
      """.write(toFile: folder + "/panel.yaml", atomically: true, encoding: .utf8)
      let all = [
        "render", "panel.yaml", "--all-pages", "--sizes", "400x240,800x480", "--themes", "dark,light", "-o",
        "out",
      ]
      let outcome = try Program.run(all, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = ["home", "settings"].flatMap { page in
        ["400x240", "800x480"].flatMap { size in ["dark", "light"].map { "out/\(page)-\(size)-\($0).png" } }
      }
      #expect(outcome.output.split(separator: "\n").map(String.init) == names)
      func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder + "/" + name)) }
      #expect(Set(try names.map(bytes)).count == names.count)
      let one = ["render", "panel.yaml", "--page", "settings", "--size", "800x480", "-o", "one.png"]
      #expect(try Program.run(one, in: folder).status == 0)
      #expect(try bytes("one.png") == bytes("out/settings-800x480-dark.png"))
      for (wrong, says) in [
        (["--all-pages", "--page", "home"], "either --page or --all-pages"),
        (["--sizes", "9x9", "--size", "9x9"], "--sizes, --size"),
        (["--sizes", "9x9,"], "9x9,"), (["--themes", "blue"], "theme"),
        (["--all-pages", "-o", "-"], "folder"),
      ] {
        let outcome = try Program.run(
          ["render", "panel.yaml"] + (wrong.contains("-o") ? [] : ["-o", "out"]) + wrong, in: folder)
        #expect(outcome.status != 0 && outcome.errors.contains(says), "\(wrong): \(outcome.errors)")
      }
    }
  }

  @Test(arguments: ["home", "lights", "service", "sure"])
  func `each page of the kiosk looks as it did, and so does its dialog`(page: String) throws {
    let kiosk = try String(
      contentsOf: Program.package.appending(path: "config/examples/kiosk.yaml"), encoding: .utf8)
    try Program.inFolder { folder in
      try kiosk.replacing("page: home\n", with: "page: \(page == "sure" ? "service" : page)\n")
        .replacing("alert: true\n", with: "alert: true\n      presented: \(page == "sure")\n")
        .replacing("{now:%A %H:%M}", with: "Monday 12:34")
        .write(toFile: "\(folder)/kiosk.yaml", atomically: true, encoding: .utf8)
      try compare("\(folder)/kiosk.yaml", ["--size", "800x480"], "kiosk-\(page)")
    }
  }

  @Test(arguments: [90, 180, 270])
  func `the demo is the same however the display is mounted`(degrees: Int) throws {
    let demo = try String(
      contentsOf: Program.package.appending(path: "config/touchtree.yaml"), encoding: .utf8)
    try Program.inFolder { folder in
      try demo.replacing("rotation: 0 ", with: "rotation: \(degrees) ")
        .write(toFile: "\(folder)/demo.yaml", atomically: true, encoding: .utf8)
      let size = degrees == 180 ? "400x240" : "240x400"
      try compare("\(folder)/demo.yaml", ["--size", size, "--touch", "436,396"], "demo-\(degrees)")
    }
  }

  @Test(arguments: [
    ("05-overlapping-children", "180,280"), ("09-a-child-outside", "130,330"), ("01-five-colours", "900,5"),
  ])
  func `an explained hit test points at its pixel, names the views and says what the colours mean`(
    experiment: String, point: String
  ) throws {
    try compare(
      command: ["hit", "config/experiments/\(experiment).yaml", point, "--explain", "-o"],
      "\(experiment)-explained")
  }

  @Test(arguments: ["05-overlapping-children", "06-the-chain"])
  func `ids stand on their views`(experiment: String) throws {
    try compare("config/experiments/\(experiment).yaml", ["--ids"], "\(experiment)-ids")
  }

  @Test(arguments: ["800x480", "480x320"])
  func `the demo's ids can be read, on its own canvas and on a small display`(size: String) throws {
    try compare("config/touchtree.yaml", ["--ids", "--size", size], "demo-ids-\(size)")
  }

  @Test
  func
    `without the library for text a picture has its outlines and its cross hair, and a notice says what is missing`()
    throws
  {
    try Program.inFolder { folder in
      try Data("no library".utf8).write(to: URL(filePath: "\(folder)/libfcft.so.4"))
      let tree = "window: {subviews: [{id: a, frame: [0, 0, 80, 60], background: '#123456'}]}\n"
      try tree.write(toFile: "\(folder)/t.yaml", atomically: true, encoding: .utf8)
      for arguments in [
        ["hit", "t.yaml", "40,30", "--explain", "-o", "p.png"], ["render", "t.yaml", "--ids", "-o", "p.png"],
      ] {
        let outcome = try Program.run(
          "/usr/bin/env", ["LD_LIBRARY_PATH=\(folder)", Program.executable.path] + arguments, in: folder)
        #expect(outcome.status == 0)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.errors.contains("install Debian's libfcft4"), "\(outcome.errors)")
        let picture = try PNGReader.read(path: "\(folder)/p.png")
        #expect(picture.width == 80 && picture.height == 60)
        let isExplained = arguments[0] == "hit"
        #expect(picture.color(x: 0, y: 0).hex != "#123456")
        // The pixel itself stays as it is.
        #expect(picture.color(x: 40, y: 30).hex == "#123456")
        #expect((picture.color(x: 44, y: 30).hex == "#ffffff") == isExplained)
        #expect((picture.color(x: 40, y: 26).hex == "#ffffff") == isExplained)
      }
    }
  }

  @Test
  func `more views than can be named are outlined, and that is reported`() throws {
    try Program.inFolder { folder in
      let views = (0..<501).map { "{id: v\($0), frame: [\($0 % 40 * 10), \($0 / 40 * 10), 8, 8]}" }
      try "window: {subviews: [\(views.joined(separator: ", "))]}\n"
        .write(toFile: "\(folder)/t.yaml", atomically: true, encoding: .utf8)
      let outcome = try Program.run(["render", "t.yaml", "--ids", "-o", "p.png"], in: folder)
      #expect(outcome.status == 0)
      // The window is a view, too.
      #expect(
        outcome.errors
          == "touchtree: warning: 2 views are outlined without a name: at most 500 names are drawn\n")
    }
  }

  private static let files = [
    "render config/touchtree.yaml -o", "hit config/touchtree.yaml 436,396 --explain -o",
    "ctl screenshot --socket /nowhere/control.sock",
  ]

  @Test(
    arguments: files,
    [
      ("x.jpg", "name it x.png"), ("a.b/x.v2.jpeg", "name it a.b/x.v2.png"),
      ("picture.", "name it picture.png"),
      ("", "name it picture.png"),
    ])
  func `a picture's name promises PNG or nothing`(command: String, name: (String, String)) throws {
    let outcome = try Program.run(command.split(separator: " ").map(String.init) + [name.0])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(name.1), "\(outcome.errors)")
    #expect(
      !FileManager.default.fileExists(atPath: Program.package.appending(path: name.0).path) || name.0.isEmpty)
  }

  @Test
  func `- is standard output, a name without a suffix is written to, and .PNG is PNG`() throws {
    try Program.inFolder { folder in
      let program = "'\(Program.executable.path)'"
      let tree = "window: {subviews: [{id: a, frame: [0, 0, 40, 30], background: '#123456'}]}\n"
      try tree.write(toFile: "\(folder)/t.yaml", atomically: true, encoding: .utf8)
      let outcome = try Program.run(
        "/bin/sh",
        [
          "-c",
          """
          set -e
          \(program) render t.yaml -o plain.PNG
          \(program) render t.yaml -o - >redirected
          \(program) render t.yaml -o - | cat >piped
          \(program) render t.yaml -o /dev/stdout | cat >device
          \(program) render t.yaml -o suffixless
          \(program) hit t.yaml 1,1 --explain -o explained.png >explained.txt
          \(program) hit t.yaml 1,1 --explain -o - >explained 2>explained.err
          cmp explained explained.png
          cmp explained.txt explained.err
          for file in redirected piped device suffixless; do cmp plain.PNG $file; done
          """,
        ], in: folder)
      #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/-"))
      #expect(try PNGReader.read(path: "\(folder)/redirected").color(x: 5, y: 5).hex == "#123456")
    }
  }

  @Test
  func `a picture is not written to a terminal`() throws {
    let terminal = try PseudoTerminal(
      ["render", "config/touchtree.yaml", "-o", "-"], columns: 80, rows: 24)
    #expect(try terminal.end() == 64)
    #expect(terminal.text.contains("standard output is a terminal"))
    #expect(!terminal.text.contains("IHDR"))
  }

  @Test(arguments: [
    "run --config config/touchtree.yaml --display headless --replay config/demo.evemu",
    "trace config/touchtree.yaml --tap 1,1", "replay config/demo.evemu --config config/touchtree.yaml",
  ])
  func `a folder of pictures cannot be standard output`(command: String) throws {
    let outcome = try Program.run(command.split(separator: " ").map(String.init) + ["--pictures", "-"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("write ./-"), "\(outcome.errors)")
  }

  private func compare(_ configuration: String, _ arguments: [String], _ name: String) throws {
    try compare(command: ["render", configuration] + arguments + ["-o"], name)
  }

  /// - Parameter command: without the picture's path, which comes last.
  private func compare(command: [String], _ name: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let golden = Program.package.appending(path: "Tests/CommandLineTests/Golden/\(name).png").path
    let isRecording = environment["TOUCHTREE_RECORD_GOLDENS"] == "1" && environment["CI"] == nil
    let failures = Program.package.appending(path: ".build/golden-failures")
    try FileManager.default.createDirectory(at: failures, withIntermediateDirectories: true)
    let drawn = isRecording ? golden : failures.appending(path: "\(name).actual.png").path
    let outcome = try Program.run(command + [drawn])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    guard !isRecording else { return }
    let difference = try firstDifference(PNGReader.read(path: drawn), PNGReader.read(path: golden))
    try #require(difference == nil, "\(name): \(difference ?? ""); see \(drawn) and \(golden)")
    try? FileManager.default.removeItem(atPath: drawn)
  }
}
