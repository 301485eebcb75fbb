import TouchKit

/// The first line of each note; a tap opens it.
final class NoteList: ViewController, ListViewDataSource {
  private let notebook: Notebook
  private let list = ListView(id: "list")

  init(_ notebook: Notebook) {
    self.notebook = notebook
    super.init(id: "notes")
    title = "Notes"
    navigationItem.rightBarButtonItem = Button("New", id: "new") { [unowned self] in
      notebook.notes.append("")
      edit(notebook.notes.count - 1)
    }
  }

  override func loadView() -> View { list }

  override func viewDidLoad() {
    list.dataSource = self
    list.addAction(for: .valueChanged) { [unowned self] in
      if let row = list.selectedRow { edit(row) }
    }
  }

  override func viewWillAppear(_ animated: Bool) {
    list.selectedRow = nil
    list.reloadData()
  }

  func numberOfRows(in listView: ListView) -> Int { notebook.notes.count }

  func listView(_ listView: ListView, viewForRowAt row: Int, reusing view: View?) -> View {
    let label = view as? Label ?? Label()
    label.text = notebook.notes[row].split(separator: "\n").first.map(String.init) ?? "New note"
    label.textStyle.padding = Insets(top: 0, left: 16, bottom: 0, right: 16)
    return label
  }

  private func edit(_ index: Int) {
    navigationController?.pushViewController(Editor(notebook, index), animated: true)
  }
}
