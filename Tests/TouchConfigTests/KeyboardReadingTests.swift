import Foundation
import Testing
import TouchExpressions

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Text fields and keyboards, as a file has them.
@Suite struct KeyboardReadingTests {
  @Test(arguments: KeyboardLayout.names)
  func `each layout that ships is a file, and the same as the program has it`(name: String) throws {
    let file = configFolder.appending(path: "keyboards/\(name).yaml").path
    let configuration = try Configuration.load(path: file)
    #expect(configuration.warnings.isEmpty)
    #expect(configuration.keyboards == [name: try #require(KeyboardLayout.shipped[name])])
    // People write such files by hand.
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count <= 30)
  }

  @Test func `there is no other file of layouts`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: configFolder.appending(path: "keyboards").path)
    #expect(Set(files) == Set(KeyboardLayout.names.map { $0 + ".yaml" }))
  }

  @Test func `a field gets a keyboard of its own, unless the file declares one or wants none`() throws {
    let field = "window: {subviews: [{id: a, kind: text_field, frame: [0, 0, 100, 44]}"
    func keyboards(_ text: String) throws -> [String] {
      try parse(text).views.filter { $0.kind == .keyboard }.map(\.id)
    }
    #expect(try keyboards(field + "]}") == ["keyboard-1"])
    #expect(try keyboards(field + ", {id: k, kind: keyboard}]}") == ["k"])
    #expect(try keyboards("keyboard: {shows: never}\n" + field + "]}").isEmpty)
    #expect(try keyboards("window: {subviews: [{id: a, kind: label}]}").isEmpty)
  }

  @Test(arguments: [
    ("", "q"), ("keyboard: {layout: french}\n", "a"), ("keyboard: {layout: fr}\n", "a"),
    ("locale: fr\n", "a"),
    ("strings: {ru: {a: b}}\n", "й"), ("keyboard: {layout: mine}\nkeyboards: {mine: {rows: [x y]}}\n", "x"),
    ("keyboards: {german: {rows: [x y]}}\nlocale: de\n", "q"),
  ])
  func `the layout is that of the file, or of its language`(before: String, first: String) throws {
    let tree = ViewTree(
      try parse(before + "window: {subviews: [{id: a, kind: text_field, frame: [0, 0, 100, 44]}]}"),
      canvasSize: Size(width: 800, height: 480))
    let keyboard = try #require(tree.viewsByID["keyboard-1"] as? KeyboardView)
    #expect(keyboard.layout.pages[.letters]?.first?.first?.role == .text(first))
    #expect(keyboard.isHidden)
    let field = try #require(tree.viewsByID["a"] as? TextField)
    #expect(field.becomeFirstResponder())
    #expect(!keyboard.isHidden)
    #expect(keyboard.layoutRect.maxY == 480)
    #expect(keyboard.layoutRect.size.width == 800)
  }

  @Test(arguments: [
    ("", "й"), ("keyboard: {layout: french}\n", "a"), ("locale: fr\n", "й"),
  ])
  func `the letters follow the language at run time, where no layout is named`(
    before: String, letter: String
  ) throws {
    let tree = ViewTree(
      try parse(
        before + "strings: {en: {a: b}, ru: {a: b}}\n"
          + "window: {subviews: [{id: a, kind: text_field, frame: [0, 0, 100, 44]}]}"),
      canvasSize: Size(width: 800, height: 480))
    let keyboard = try #require(tree.viewsByID["keyboard-1"] as? KeyboardView)
    var first: KeyboardLayout.Role? { keyboard.layout.pages[.letters]?.first?.first?.role }
    try tree.bindings.values.set([.init(key: Translations.valueName, value: .text("ru"))], at: .zero)
    tree.followLanguage()
    #expect(first == .text(letter))
  }

  @Test(arguments: ["", ", {id: k, kind: keyboard}"])
  func `a keyboard that comes up by itself has the theme's look, as one of the file has`(declared: String)
    throws
  {
    func keyboard(_ theme: String) throws -> KeyboardView {
      let tree = ViewTree(
        try parse(
          "theme: \(theme)\naccent: \"#c2410c\"\ndisplay: {font: {family: Serif}}\n"
            + "window: {subviews: [{id: a, kind: text_field, frame: [0, 0, 100, 44]}\(declared)]}"),
        canvasSize: Size(width: 800, height: 480))
      return try #require(tree.viewsByID.values.lazy.compactMap { $0 as? KeyboardView }.first)
    }
    let (dark, light) = (try keyboard("dark"), try keyboard("light"))
    #expect(dark.tint == Color(red: 0xc2, green: 0x41, blue: 0x0c) && light.tint == dark.tint)
    #expect(light.appearance.background == Color(red: 0xd3, green: 0xda, blue: 0xe3))
    #expect(light.textStyle.color != dark.textStyle.color && light.textStyle.size == 20)
    #expect(light.appearance.background != dark.appearance.background)
  }

  @Test func `one for other programs stands at the lower edge, is private, and types into no field`() throws {
    let tree = ViewTree(
      try parse(
        "window: {subviews: [{id: a, kind: text_field, frame: [0, 0, 100, 44]}, "
          + "{id: k, kind: keyboard, to: kernel}, {id: p, kind: keyboard, to: kernel, private: false}]}"),
      canvasSize: Size(width: 800, height: 480))
    let keyboard = try #require(tree.viewsByID["k"] as? KeyboardView)
    let field = try #require(tree.viewsByID["a"] as? TextField)
    #expect(!keyboard.isHidden && keyboard.isPrivate)
    #expect(keyboard.layoutRect.maxY == 480 && keyboard.layoutRect.size.width == 800)
    #expect(tree.viewsByID["p"]?.isPrivate == false)
    field.becomeFirstResponder()
    field.resignFirstResponder()
    #expect(!keyboard.isHidden && keyboard.isPrivate)
  }

  @Test(arguments: [
    ("keyboards: {a: {rows: [q w, a shfit]}}", "1:31: error: no key is called shfit; did you mean shift?"),
    ("keyboards: {a: {rows: []}}", "1:23: error: rows … 1 to 8 rows"),
    ("keyboards: {a: {}}", "1:16: error: the layout of a keyboard needs \"rows\""),
    ("keyboards: {a: {rows: [q], row: [a]}}", "1:28: error: unknown key \"row\" … did you mean \"rows\"?"),
    ("keyboards: {a: {rows: [q*40]}}", "1:24: error: … width"),
    ("keyboards: 3", "1:12: error: keyboards is 3; give names"),
    ("keyboard: {layout: germn}\nwindow: {}", "1:20: error: layout … did you mean \"german\"?"),
    ("keyboard: {shows: no}\nwindow: {}", "1:19: error: shows … auto or never"),
    (
      "window: {subviews: [{kind: keyboard, layout: xx}]}",
      "1:46: error: layout … give one of german, english_us"
    ),
    ("window: {subviews: [{kind: text_field, frame: [0, 0, 9, 9], limit: 0}]}", "1:68: error: limit"),
    (
      "window: {subviews: [{kind: text_field, frame: [0, 0, 9, 9], keyboard: digits}]}",
      "1:71: error: keyboard … text, number, pin, email or url"
    ),
  ])
  func `what is wrong is reported where it stands`(text: String, expected: String) {
    let found = findings(in: text)
    let words = expected.components(separatedBy: " … ")
    #expect(
      found.contains { line in words.allSatisfy { line.contains($0.replacing("… ", with: "")) } }, "\(found)")
  }

  @Test func `a name that is typed is what an expression reads`() throws {
    let tree = ViewTree(
      try parse(
        """
        window:
          subviews:
            - {id: name, kind: text_field, frame: [0, 0, 100, 44]}
            - {id: hello, kind: label, frame: [0, 50, 100, 44], text: "Hello {name.text}!"}
        """), canvasSize: Size(width: 400, height: 240))
    let field = try #require(tree.viewsByID["name"] as? TextField)
    field.becomeFirstResponder()
    field.insertText("Ada")
    tree.bindings.settle()
    #expect((tree.viewsByID["hello"] as? Label)?.text == "Hello Ada!")
  }
}
