import TouchCore

extension ViewKind {
  package static let textField = ViewKind(
    "text_field", "a text field", "text fields", .actions, .entry, is: [.text, .font, .padding, .small],
    alsoCalled: ["input", "textbox", "textinput", "entry", "edit", "lineedit"]
  ) { TextField(id: $0) }
}

extension ViewProperty {
  package static let editing = ViewProperty(
    "editing", \TextInput.isEditing, .flag, is: [.last, .uncounted],
    "Whether it is edited: setting it shows or hides the caret and the keyboard. See [text "
      + "fields](text.md#text-fields).")

  static let ofTextFields: [ViewProperty] = [
    ViewProperty(
      "secure", \TextField.isSecure, .flag, is: .fixed,
      "Whether its letters are shown as dots; it is [private](privacy.md#private-views) then."),
    ViewProperty(
      "limit", \TextInput.limit, PropertyType.integer(1...10_000).orNone, is: [.nullable, .fixed, .first],
      "The most letters that can be written. Default: 4096, of a text view 10000."),
    ViewProperty(
      "placeholder", \TextInput.placeholder, .text, is: .cosmetic,
      "A text that is shown while nothing is written."),
    ViewProperty(
      "keyboard", \TextInput.keyboard, .word, is: [.nullable, .fixed],
      "The keys that a keyboard on the screen offers: `text`, `number`, `pin` (digits alone), `email` or `url`."
    ),
    ViewProperty(
      "autocapitalization", \TextField.autocapitalization, .word, is: [.nullable, .fixed],
      "The letters that a keyboard on the screen makes capitals by itself: `none`, `words`, `sentences`, `all_characters`, or "
        + "`auto`: `sentences` of plain text, and none of anything else."),
    ViewProperty(
      "return", \TextField.returnKey, .word, is: [.nullable, .fixed],
      "The effect of the return key after the actions `returned`: `done` and `search` end editing, `next` goes on to the "
        + "next text field."),
    ViewProperty(
      "clear_button", \TextField.hasClearButton, .flag, is: .fixed,
      "Whether a button at the right end deletes the text, while it is edited."),
    ViewProperty(
      "tint", \TextInput.tint, .color, is: [.cosmetic, .nullable],
      "The colour of the caret, the selection, and the line around an edited field."),
    editing,
  ]
}

/// A line of text that a finger and a keyboard edit. (`UITextField`.)
///
/// A finger on a field that is edited moves the caret. The return key sends `returned`; see `TextInput` for
/// the rest.
open class TextField: TextInput {
  /// The action of a keyboard's return key. (`UIReturnKeyType`.)
  public enum ReturnKey: String, CaseIterable, Sendable {
    /// Ends editing.
    case done
    /// Goes on to the next field.
    case next
    /// Ends editing, and is called so.
    case search
  }

  /// Whether the letters are shown as dots, and kept from clients, logs and traces: the field is private.
  /// (`UITextField.isSecureTextEntry`.)
  public final var isSecure = false {
    didSet {
      guard oldValue != isSecure else { return }
      isPrivate = isSecure
      textMoved()
    }
  }
  /// The letters that a keyboard on the screen makes capitals by itself, by default those that suit
  /// `keyboard`. (`UITextField.autocapitalizationType`.)
  public final var autocapitalization = Autocapitalization.auto
  /// The action and the sign of the return key. (`UITextField.returnKeyType`.)
  public final var returnKey = ReturnKey.done
  /// Whether the text is deleted when editing begins, if the delegate allows that.
  /// (`UITextField.clearsOnBeginEditing`.)
  public final var clearsOnBeginEditing = false
  /// The delegate, which is asked before the field acts, and notified afterwards. (`UITextField.delegate`.)
  public final weak var delegate: (any TextFieldDelegate)?
  /// Whether a button at the right end deletes the text while it is edited. (`UITextField.clearButtonMode`.)
  public final var hasClearButton = false { didSet { if oldValue != hasClearButton { textMoved() } } }

  /// The places of the letters; nil after a change, until they are needed.
  final var measured: CaretPlaces?
  /// The distance by which the text is moved to the left, so that the caret is visible.
  final var scrolled = 0.0

  /// Makes a dark field with a thin line around it.
  public init(id: String = "", frame: LocalRect = .zero) { super.init(id: id, frame: frame, TextBuffer()) }

  open override class var standardHitTestClass: View.Type { TextField.self }

  /// Returns a height for a finger, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    let padding = textStyle.padding ?? Self.padding
    let height = (textStyle.size * 1.25 + padding.top + padding.bottom).rounded(.up)
    return ContentSize(width: .none, height: ContentLength(max(ValueControl.fingerSize, height), .high))
  }

  // MARK: Editing

  package override var isConfidential: Bool { isSecure }
  override var mayBeginEditing: Bool { delegate?.textFieldShouldBeginEditing(self) ?? true }
  override var mayEndEditing: Bool { delegate?.textFieldShouldEndEditing(self) ?? true }
  override var clearsAtBeginning: Bool { clearsOnBeginEditing }
  override func editingDidBegin() { delegate?.textFieldDidBeginEditing(self) }
  override func editingDidEnd() { delegate?.textFieldDidEndEditing(self) }
  override func selectionDidChange() { delegate?.textFieldDidChangeSelection(self) }
  override func mayChange(_ range: Range<Int>, to text: String) -> Bool {
    delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: text) ?? true
  }

  /// Types a text in the place of what is selected, as far as `limit` allows. A line feed is the return key.
  /// (`UIKeyInput.insertText(_:)`.)
  open override func insertText(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      if number > 0, isEnabled { pressReturn() }
      super.insertText(String(line))
    }
  }

  /// Deletes the whole text. (`UITextField.clearButtonMode`.)
  public final override func clear() {
    guard isEnabled, hasText, delegate?.textFieldShouldClear(self) ?? true else { return }
    super.clear()
  }

  /// Performs the return key: sends `returned`, and then ends editing or goes on to the next field.
  /// (`UITextFieldDelegate.textFieldShouldReturn(_:)`, which leaves the second to the program.)
  open func pressReturn() {
    let isAllowed = delegate?.textFieldShouldReturn(self) ?? true
    send(.returned)
    // An action may have moved on already.
    guard isAllowed, isFirstResponder else { return }
    if returnKey == .next, let next = nextField {
      next.becomeFirstResponder()
    } else {
      resignFirstResponder()
    }
  }

  /// The next field of the window that can be edited, in the order of the tree.
  private var nextField: TextInput? {
    guard let window else { return nil }
    var (fields, waiting): ([TextInput], [View]) = ([], [window])
    while let view = waiting.popLast() {
      if view.isConcealed { continue }
      if let field = view as? TextInput { fields.append(field) }
      waiting += view.subviews.reversed()
    }
    guard let place = fields.firstIndex(where: { $0 === self }) else { return nil }
    return fields[(place + 1)...].first { $0.isEnabled && $0.isUserInteractionEnabled }
  }

  // MARK: Places

  override var shownReturnKey: ReturnKey { returnKey }
  override func forgetPlaces() { measured = nil }
  override var caretFrame: LocalRect { caretRect }
  override var selectionFrames: [LocalRect] { selectionRects }
  override func caret(under touch: Touch) -> Int { places.caret(at: touch.location(in: self).x - textOrigin) }
  override func letter(under touch: Touch) -> Int? {
    places.letter(at: touch.location(in: self).x - textOrigin)
  }
  override func caret(beside caret: Int, isRight: Bool) -> Int {
    places.caret(beside: caret, isRight: isRight)
  }
  override func end(ofSelectionAtRight isRight: Bool) -> Int {
    let (ends, carets) = ([selection.lowerBound, selection.upperBound], places.carets)
    return (isRight ? ends.max { carets[$0] < carets[$1] } : ends.min { carets[$0] < carets[$1] })
      ?? buffer.caret
  }
  override func destination(of key: KeyCode, from caret: Int) -> Int? {
    switch key {
    case .up, .home: 0
    case .down, .end: buffer.letters.count
    default: nil
    }
  }
  override func handlesTap(_ touch: Touch) -> Bool {
    guard showsClearButton, clearRect.contains(touch.location(in: self)) else { return false }
    clear()
    return true
  }

  // MARK: Appearance

  /// Draws the text, the selection and the caret.
  open override func draw(in context: GraphicsContext) {
    let room = textRect
    // A caret at the end of the text may stand a little outside.
    let seen = LocalRect(
      x: room.minX, y: bounds.minY, width: room.size.width + 2, height: bounds.size.height)
    context.canvas.clipToPixels(seen, isWide: true) { drawText(in: room, context) }
    if showsClearButton { drawClearButton(context) }
    if isFirstResponder { resumeBlinking() }
  }
}
