import TouchCore

/// A button of an alert. (`UIAlertAction`.)
public final class AlertAction {
  /// The look of the button, and its meaning. (`UIAlertAction.Style`.)
  public enum Style: Sendable {
    /// An ordinary button.
    case `default`
    /// A bold button that leaves everything as it is.
    case cancel
    /// A red button for what cannot be undone.
    case destructive
  }

  /// The title of the button.
  public let title: String
  /// The look of the button.
  public let style: Style
  /// Whether the button can be pressed. (`UIAlertAction.isEnabled`.)
  public var isEnabled = true { didSet { button?.isEnabled = isEnabled } }
  fileprivate let handler: ((AlertAction) -> Void)?
  fileprivate weak var button: Button?

  /// - Parameters:
  ///   - title: the title of the button.
  ///   - style: the look of the button.
  ///   - handler: called after the alert is closed by the button.
  public init(title: String, style: Style = .default, handler: ((AlertAction) -> Void)? = nil) {
    (self.title, self.style, self.handler) = (title, style, handler)
  }
}

/// A question with a button for each answer: an alert in the middle of the window, or a sheet of actions at
/// its lower edge. (`UIAlertController`.)
///
/// ```swift
/// let alert = AlertController(title: "Delete the note?", message: "This cannot be undone.")
/// alert.addAction(AlertAction(title: "Delete", style: .destructive) { [unowned self] _ in deleteNote() })
/// alert.addAction(AlertAction(title: "Cancel", style: .cancel))
/// present(alert, animated: true)
/// ```
/// Its view is a `SheetView`, as a file has it (`kind: sheet` with `alert: true`).
public final class AlertController: ViewController {
  /// The place of the question. (`UIAlertController.Style`.)
  public enum Style: Sendable {
    /// At the lower edge. A tap beside it is the action with the style `cancel`.
    case actionSheet
    /// In the middle of the window. Only its buttons close it.
    case alert
  }

  /// The text below the title; nil for none.
  public let message: String?
  /// The place of the question.
  public let preferredStyle: Style
  /// The buttons, in the order in which they were added. (`UIAlertController.actions`.)
  public private(set) var actions: [AlertAction] = []
  /// The fields, in the order in which they were added. (`UIAlertController.textFields`.)
  public private(set) var textFields: [TextField] = []

  private static let red = Color(red: 0xff, green: 0x6b, blue: 0x61)

  /// - Parameters:
  ///   - title: the question.
  ///   - message: a text below it.
  ///   - preferredStyle: the place of the question.
  ///   - id: its name in traces; empty for one that needs none.
  public init(title: String?, message: String? = nil, preferredStyle: Style = .alert, id: String = "") {
    (self.message, self.preferredStyle) = (message, preferredStyle)
    super.init(id: id)
    self.title = title
  }

  /// Adds a button. Add all of them before the alert is presented. (`UIAlertController.addAction(_:)`.)
  public func addAction(_ action: AlertAction) { actions.append(action) }

  /// Adds a text field below the message. (`UIAlertController.addTextField(configurationHandler:)`.)
  ///
  /// - Parameter configure: sets the field up; called at once.
  public func addTextField(_ configure: ((TextField) -> Void)? = nil) {
    let field = TextField()
    configure?(field)
    textFields.append(field)
  }

  public override func loadView() -> View {
    let sheet = SheetView(id: id)
    sheet.isAlert = preferredStyle == .alert
    sheet.didDismiss = { [unowned self] in
      if let cancel = actions.first(where: { $0.style == .cancel }) { cancel.handler?(cancel) }
    }
    let column = Stack(.vertical, spacing: 8, insets: 16) {
      if let title { text(title, size: 18, weight: .bold) }
      if let message { text(message, size: 15, weight: .regular) }
      for field in textFields { field }
      buttons
    }
    sheet.addSubview(column)
    return sheet
  }

  private func text(_ text: String, size: Double, weight: TextStyle.Weight) -> Label {
    let label = Label(text)
    (label.textStyle.size, label.textStyle.weight) = (size, weight)
    (label.textStyle.alignment, label.textStyle.lines) = (.center, 0)
    return label
  }

  /// The buttons side by side if there are two, with `cancel` at the left; else one below the other, with
  /// `cancel` last.
  private var buttons: View {
    let isRow = actions.count == 2 && preferredStyle == .alert
    let stack = StackView()
    (stack.axis, stack.spacing, stack.isArranged) = (isRow ? .horizontal : .vertical, 8, true)
    if isRow { stack.distribution = .fillEqually }
    let (cancel, others) = (actions.filter { $0.style == .cancel }, actions.filter { $0.style != .cancel })
    for action in isRow ? cancel + others : others + cancel {
      let button = Button(action.title) { [unowned self] in
        dismiss(animated: true) { action.handler?(action) }
      }
      button.isEnabled = action.isEnabled
      button.fixedHeight = ValueControl.fingerSize
      if action.style == .cancel { button.textStyle.weight = .bold }
      if action.style == .destructive { button.textStyle.color = Self.red }
      action.button = button
      stack.addArrangedSubview(button)
    }
    return stack
  }
}
