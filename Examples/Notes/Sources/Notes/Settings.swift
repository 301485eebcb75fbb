import TouchKit

/// The size of the letters.
final class Settings: ViewController {
  private let size = Slider(id: "size")

  init(_ notebook: Notebook) {
    super.init(id: "settings")
    title = "Settings"
    (size.minimumValue, size.maximumValue, size.value) = (12, 40, notebook.textSize)
    size.addAction(for: .valueChanged) { [unowned size] in notebook.textSize = size.value.rounded() }
  }

  override func loadView() -> View {
    Stack(.vertical, spacing: 16, insets: 24) {
      Label("Size of the letters")
      size
    }
  }
}
