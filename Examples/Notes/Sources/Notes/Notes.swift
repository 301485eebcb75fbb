import TouchKit

@main
struct Notes {
  @MainActor static func show(_ notebook: Notebook, in app: Application) {
    let notes = NavigationController(rootViewController: NoteList(notebook))
    notes.title = "Notes"
    app.window.rootViewController = TabController(viewControllers: [notes, Settings(notebook)])
    let keyboard = KeyboardView()
    keyboard.placesItself = true
    app.window.addSubview(keyboard)
  }

  static func main() throws {
    guard let path = CommandLine.arguments.dropFirst().first else {
      Application.main(canvas: Size(width: 480, height: 320)) { show(Notebook(path: "notes.txt"), in: $0) }
    }
    // With the path of a picture it needs no display: it shows two notes.
    let app = try Application(display: .headless(width: 480, height: 320))
    let notebook = Notebook(path: path + ".txt")
    notebook.notes = ["Milk and bread\nand apples", "Call Ada"]
    show(notebook, in: app)
    print("\(Notebook(path: path + ".txt").notes.count) notes are kept")
    try app.picture?.write(to: path)
  }
}
