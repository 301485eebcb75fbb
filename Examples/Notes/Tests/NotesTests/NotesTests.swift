import Foundation
import Testing
import TouchKit

@testable import Notes

@Suite @MainActor struct NotesTests {
  let path = NSTemporaryDirectory() + "/notes-\(UUID().uuidString).txt"
  let app: Application

  init() throws {
    app = try Application(display: .headless(width: 480, height: 320))
    Notes.show(Notebook(path: path), in: app)
  }

  func view<Kind: View>(_ id: String) throws -> Kind { try #require(app.window.view(id: id) as? Kind) }

  func tap(_ id: String) throws {
    app.touch(.tap(try view(id) as View))
    app.advance(by: .seconds(1))
  }

  func write(_ text: String) throws {
    try tap("new")
    (try view("text") as TextView).insertText(text)
    app.touch(.tap(at: Point(x: 30, y: 20)))
    app.advance(by: .seconds(1))
  }

  func rows() throws -> [String] {
    let list: ListView = try view("list")
    return (0..<10).compactMap { (list.view(forRow: $0) as? Label)?.text }
  }

  @Test func `notes are written, listed and kept`() throws {
    try write("Milk\nand bread")
    try write("Ada")
    #expect(try rows() == ["Milk", "Ada"])
    #expect(Notebook(path: path).notes == ["Milk\nand bread", "Ada"])
    try write("")
    #expect(try rows() == ["Milk", "Ada"], "a note without text is not kept")
  }

  @Test func `a note is deleted after a question`() throws {
    try write("Milk")
    app.touch(.tap(at: Point(x: 100, y: 70)))
    app.advance(by: .seconds(1))
    #expect((try view("text") as TextView).text == "Milk")
    try tap("delete")
    let alert = try #require(app.window.view(id: "ask") as? SheetView)
    #expect(alert.isPresented)
    app.touch(.tap(try #require(button("Keep", in: alert))))
    app.advance(by: .seconds(1))
    #expect(Notebook(path: path).notes == ["Milk"])
    try tap("delete")
    app.touch(.tap(try #require(button("Delete", in: try view("ask")))))
    app.advance(by: .seconds(1))
    #expect(try rows().isEmpty && Notebook(path: path).notes.isEmpty)
  }

  @Test func `the other tab sets the size of the letters`() throws {
    app.touch(.tap(at: Point(x: 360, y: 300)))
    app.advance(by: .seconds(1))
    let size: Slider = try view("size")
    size.value = 30
    size.send(.valueChanged)
    app.touch(.tap(at: Point(x: 120, y: 300)))
    try tap("new")
    #expect((try view("text") as TextView).textStyle.size == 30)
  }

  private func button(_ title: String, in view: View) -> Button? {
    if let button = view as? Button, button.text == title { return button }
    return view.subviews.lazy.compactMap { button(title, in: $0) }.first
  }
}
