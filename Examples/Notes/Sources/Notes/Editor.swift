import TouchKit

/// A note. What is typed is kept at once; a note without text is not.
final class Editor: ViewController, TextViewDelegate {
  private let notebook: Notebook
  private let index: Int
  private let text = TextView(id: "text")

  init(_ notebook: Notebook, _ index: Int) {
    (self.notebook, self.index) = (notebook, index)
    super.init(id: "editor")
    title = "Note"
    navigationItem.rightBarButtonItem = Button("Delete", id: "delete") { [unowned self] in ask() }
  }

  override func loadView() -> View { text }

  override func viewDidLoad() {
    (text.text, text.textStyle.size) = (notebook.notes[index], notebook.textSize)
    text.delegate = self
  }

  override func viewDidAppear(_ animated: Bool) { if !text.hasText { text.becomeFirstResponder() } }

  override func willMove(toParent parent: ViewController?) {
    if parent == nil, !text.hasText { notebook.notes.remove(at: index) }
  }

  func textViewDidChange(_ textView: TextView) { notebook.notes[index] = textView.text }

  private func ask() {
    let alert = AlertController(title: "Delete the note?", message: "This cannot be undone.", id: "ask")
    alert.addAction(
      AlertAction(title: "Delete", style: .destructive) { [unowned self] _ in
        text.text = ""
        navigationController?.popViewController(animated: true)
      })
    alert.addAction(AlertAction(title: "Keep", style: .cancel))
    present(alert, animated: true)
  }
}
