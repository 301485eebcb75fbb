import TouchCore

extension ViewKind {
  /// `TextField`
  package static let textField = ViewKind(
    "text_field", "a text field", "text fields", .actions, .entry, is: [.text, .font, .padding, .small],
    alsoCalled: ["input", "textbox", "textarea", "textinput", "entry", "edit", "lineedit"]
  ) { TextField(id: $0) }
}

extension ViewProperty {
  package static let editing = ViewProperty(
    "editing", \TextField.isEditing, .flag, is: [.last, .uncounted],
    "Whether it is edited: setting it shows or hides the caret and the keyboard. See [text "
      + "fields](text.md#text-fields).")

  static let ofTextFields: [ViewProperty] = [
    ViewProperty(
      "secure", \TextField.isSecure, .flag, is: .fixed,
      "Whether its letters are shown as dots; it is [private](privacy.md#private-views) then."),
    ViewProperty(
      "limit", \TextField.limit, PropertyType.integer(1...10_000).orNone, is: [.nullable, .fixed, .first],
      "The most letters that can be written. Default: 4096."),
    ViewProperty(
      "placeholder", \TextField.placeholder, .text, is: .cosmetic,
      "A text that is shown while nothing is written."),
    ViewProperty(
      "keyboard", \TextField.keyboard, .word, is: [.nullable, .fixed],
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
      "tint", \TextField.tint, .color, is: [.cosmetic, .nullable],
      "The colour of the caret, the selection, and the line around an edited field."),
    editing,
  ]
}

/// A line of text that a finger and a keyboard edit. (`UITextField`.)
///
/// A tap makes it the first responder and places the caret; a finger on it then moves the caret, and two quick taps select a word.
/// It sends `editingBegan`, `editingChanged` for each change that is typed, `returned`, and `editingEnded`.
open class TextField: Control, KeyInput, TextHolding, TextStyled {
  /// What is going to be typed, so that a keyboard has the keys for it. (`UIKeyboardType`.)
  public enum Keyboard: String, CaseIterable, Sendable {
    /// Letters. (`default`)
    case text
    /// Digits, a sign and a decimal point. (`decimalPad`)
    case number
    /// Digits alone. (`numberPad`)
    case pin
    /// Letters with @ and a point beside the space bar. (`emailAddress`)
    case email
    /// Letters with a slash and a point. (`URL`)
    case url
  }

  /// The action of a keyboard's return key. (`UIReturnKeyType`.)
  public enum ReturnKey: String, CaseIterable, Sendable {
    /// Ends editing.
    case done
    /// Goes on to the next field.
    case next
    /// Ends editing, and is called so.
    case search
  }

  /// The text. Setting it sends no action; the caret goes to its end. (`UITextField.text`.)
  public final var text: String {
    get { buffer.text }
    set {
      guard newValue != text else { return }
      buffer.replace(with: newValue)
      clearsOnInsertion = false
      textChanged()
    }
  }
  /// Shown while there is no text. (`UITextField.placeholder`.)
  public final var placeholder = "" { didSet { appearanceChanged(oldValue != placeholder) } }
  /// Whether the letters are shown as dots, and kept from clients, logs and traces: the field is private.
  /// (`UITextField.isSecureTextEntry`.)
  public final var isSecure = false {
    didSet {
      guard oldValue != isSecure else { return }
      isPrivate = isSecure
      textMoved()
    }
  }
  /// The most letters; nil for 4096. (`UITextField` has no limit; one that every text has here bounds what a client can make of it.)
  public final var limit: Int? {
    get { buffer.limit }
    set {
      let old = text
      buffer.limit = newValue
      if text != old { textChanged() }
    }
  }
  /// The requested keys. (`UITextField.keyboardType`.)
  public final var keyboard = Keyboard.text
  /// The letters that a keyboard on the screen makes capitals by itself, by default those that suit `keyboard`.
  /// (`UITextField.autocapitalizationType`.)
  public final var autocapitalization = Autocapitalization.auto
  /// The action and the sign of the return key. (`UITextField.returnKeyType`.)
  public final var returnKey = ReturnKey.done
  /// Whether what is typed next takes the place of the whole text; that makes it false again, and so does another selection. A secure field
  /// whose editing begins again has it, since nobody sees which letters there are. (`UITextField.clearsOnInsertion`: "changing the
  /// selection will automatically set this property to NO".)
  public final var clearsOnInsertion = false
  /// Whether the text is deleted when editing begins, if the delegate allows that. (`UITextField.clearsOnBeginEditing`.)
  public final var clearsOnBeginEditing = false
  /// The delegate, which is asked before the field acts, and notified afterwards. (`UITextField.delegate`.)
  public final weak var delegate: (any TextFieldDelegate)?
  /// Whether a button at the right end deletes the text while it is edited. (`UITextField.clearButtonMode`.)
  public final var hasClearButton = false { didSet { if oldValue != hasClearButton { textMoved() } } }
  /// The style of the text, left-aligned.
  public final var textStyle = TextStyle(alignment: .left) {
    didSet {
      contentChanged(oldValue != textStyle)
      if oldValue != textStyle { textMoved() }
    }
  }
  /// The colour of the caret, the selection, and the line around an edited field. (`UIView.tintColor`.)
  public final var tint = ValueControl.Colors().tint { didSet { appearanceChanged(oldValue != tint) } }

  final var buffer = TextBuffer()
  /// The places of the letters; nil after a change, until they are needed.
  final var measured: CaretPlaces?
  /// The distance by which the text is moved to the left, so that the caret is visible.
  final var scrolled = 0.0
  private(set) final var isCaretOn = false
  /// Whether it becomes the first responder as soon as it is in a window.
  private var isAwaited = false
  /// The beginning of a selection that keys have made larger.
  final var anchor: Int?
  private var knownSelection = 0..<0
  /// Whether the finger that is tracked has moved the caret.
  private var hasDragged = false

  /// The time of a caret on or off, in seconds. (Apple gives none; GTK, Qt and Windows take about 0.5.)
  private static let blink = 0.5
  /// The distance of a finger before it moves the caret of an edited field, in units.
  private static let slack = 6.0
  /// The distance of a finger in any other field before it is no tap, as in `TapGestureRecognizer`.
  private static let tapSlack = 45.0
  /// The space between the edges and the text, for a style without padding.
  package static let padding = Insets(top: 0, left: 12, bottom: 0, right: 12)

  /// Makes a dark field with a thin line around it.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    appearance.background = Color(red: 0x14, green: 0x1b, blue: 0x23)
    appearance.border = Appearance.Border(color: Color(red: 0x4a, green: 0x58, blue: 0x66), width: 1)
    appearance.cornerRadius = 8
    minimumHitSize = ValueControl.fingerSize
  }

  open override class var standardHitTestClass: View.Type { TextField.self }

  /// Returns a height for a finger, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    let padding = textStyle.padding ?? Self.padding
    let height = (textStyle.size * 1.25 + padding.top + padding.bottom).rounded(.up)
    return ContentSize(width: .none, height: ContentLength(max(ValueControl.fingerSize, height), .high))
  }

  open override var shownText: String? { text }
  open override var spokenTitle: String? { placeholder }

  // MARK: Editing

  open override var canBecomeFirstResponder: Bool { isEnabled }
  open override var canResignFirstResponder: Bool { delegate?.textFieldShouldEndEditing(self) ?? true }

  /// Whether it is edited. Setting it makes it the first responder, as soon as it is in a window, or ends that.
  /// (`UITextField.isEditing`.)
  public final var isEditing: Bool {
    get { isFirstResponder || (isAwaited && window == nil) }
    set {
      isAwaited = newValue && window == nil
      if newValue { becomeFirstResponder() } else { resignFirstResponder() }
    }
  }

  open override func didMoveToWindow() {
    if isAwaited, window != nil {
      isAwaited = false
      becomeFirstResponder()
    }
  }

  @discardableResult
  open override func becomeFirstResponder() -> Bool {
    if isFirstResponder { return true }
    guard window != nil, canBecomeFirstResponder, delegate?.textFieldShouldBeginEditing(self) ?? true,
      super.becomeFirstResponder()
    else { return false }
    clearsOnInsertion = clearsOnInsertion || isSecure && hasText
    setNeedsDisplay()
    showCaret()
    delegate?.textFieldDidBeginEditing(self)
    send(.editingBegan)
    if clearsOnBeginEditing, isFirstResponder { clear() }
    return isFirstResponder
  }

  @discardableResult
  open override func resignFirstResponder() -> Bool {
    guard isFirstResponder else { return super.resignFirstResponder() }
    guard super.resignFirstResponder() else { return false }
    setNeedsDisplay()
    buffer.selection = buffer.caret..<buffer.caret
    clearsOnInsertion = false
    isCaretOn = false
    if trackedTouch == nil { deadline = nil }
    textMoved()
    delegate?.textFieldDidEndEditing(self)
    send(.editingEnded)
    return true
  }

  /// Whether there is any text. (`UIKeyInput.hasText`.)
  public final var hasText: Bool { !buffer.letters.isEmpty }

  /// Types a text in the place of what is selected, as far as `limit` allows. A line feed is the return key.
  /// (`UIKeyInput.insertText(_:)`.)
  open func insertText(_ text: String) {
    guard isEnabled else { return }
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      if number > 0 { pressReturn() }
      guard !line.isEmpty, mayChange(replaced, to: String(line)) else { continue }
      selectReplaced()
      if buffer.insert(String(line)) { typed() }
    }
  }

  /// Deletes the selection, or the letter before the caret. (`UIKeyInput.deleteBackward()`.)
  open func deleteBackward() {
    let caret = buffer.caret
    let range = replaced.isEmpty ? max(0, caret - 1)..<caret : replaced
    guard isEnabled, !range.isEmpty, mayChange(range, to: "") else { return }
    selectReplaced()
    if buffer.deleteBackward() { typed() }
  }

  /// Deletes the selection, or the letter after the caret.
  public final func deleteForward() {
    let caret = buffer.caret
    let range = replaced.isEmpty ? caret..<min(buffer.letters.count, caret + 1) : replaced
    guard isEnabled, !range.isEmpty, mayChange(range, to: "") else { return }
    selectReplaced()
    if buffer.deleteForward() { typed() }
  }

  private var replaced: Range<Int> { clearsOnInsertion ? 0..<buffer.letters.count : buffer.selection }

  private func selectReplaced() {
    buffer.selection = replaced
    clearsOnInsertion = false
  }

  private func mayChange(_ range: Range<Int>, to text: String) -> Bool {
    delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: text) ?? true
  }

  /// Deletes the whole text. (`UITextField.clearButtonMode`.)
  public final func clear() {
    guard isEnabled, hasText, delegate?.textFieldShouldClear(self) ?? true else { return }
    buffer.replace(with: "")
    typed()
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

  private func typed() {
    textChanged()
    send(.editingChanged)
  }

  private func textChanged() {
    timesSet &+= 1
    textMoved()
    reportSelection()
    window?.observe(ViewStep.text(self))
  }

  /// The letters, or the place of the caret, are others.
  private func textMoved() {
    measured = nil
    setNeedsDisplay()
    showCaret()
  }

  // MARK: The caret

  /// The selection in letters; empty at the caret. (`UITextField.selectedTextRange`.)
  public final var selection: Range<Int> {
    get { buffer.selection }
    set { select(newValue) }
  }

  /// - Parameter clears: whether what is typed next still takes the place of the whole text.
  private func select(_ range: Range<Int>, clears: Bool = false) {
    guard range != buffer.selection else { return }
    buffer.selection = range
    clearsOnInsertion = clears
    setNeedsDisplay()
    showCaret()
    reportSelection()
  }

  private func reportSelection() {
    guard isFirstResponder, knownSelection != buffer.selection else { return }
    knownSelection = buffer.selection
    delegate?.textFieldDidChangeSelection(self)
  }

  /// Selects the whole text. (`UIResponder.selectAll(_:)`.)
  public final func selectAll() { selection = 0..<buffer.letters.count }

  /// Shows the caret, which blinks from now on.
  private func showCaret() {
    guard isFirstResponder else { return }
    isCaretOn = true
    blinkLater()
  }

  /// No time passes where nothing is seen, and none for a finger that follows the caret.
  private func blinkLater() {
    guard isFirstResponder, buffer.selection.isEmpty, trackedTouch == nil,
      let dispatcher = window?.dispatcher, isSeen
    else {
      deadline = nil
      return
    }
    let now = max(dispatcher.present, dispatcher.eventTime ?? dispatcher.present)
    deadline = now.advanced(bySeconds: Self.blink)
  }

  /// The display shows the window again, or the field was scrolled: the caret blinks if it is seen.
  package final func resumeBlinking() { if deadline == nil, isFirstResponder { showCaret() } }

  open override func deadlinePassed(with event: Event) {
    isCaretOn = !isCaretOn || !isSeen
    setNeedsDisplay(caretRect)
    blinkLater()
  }

  // MARK: Keys

  /// While it is edited, arrows move its caret and not the focus, and what leads back ends editing before it closes anything. (So do the keys
  /// of a hardware keyboard in iOS; Apple's documents leave it to the system.)
  open override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    edits(presses, super.pressesBegan(presses, with: event))
  }

  /// A key that is held goes on.
  open override func pressesChanged(_ presses: [Press], with event: PressesEvent) -> Disposition {
    edits(presses, super.pressesChanged(presses, with: event))
  }

  // MARK: Touches

  open override func beginTracking(_ touch: Touch, with event: Event) -> Bool {
    hasDragged = false
    return super.beginTracking(touch, with: event)
  }

  open override func continueTracking(_ touch: Touch, with event: Event) {
    super.continueTracking(touch, with: event)
    let way = convertFromWindow(touch.location.vector(from: touch.beganSample.location))
    if max(abs(way.x), abs(way.y)) > (isFirstResponder ? Self.slack : Self.tapSlack) { hasDragged = true }
    guard hasDragged, isFirstResponder else { return }
    let caret = place(under: touch)
    selection = caret..<caret
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    super.endTracking(touch, with: event)
    guard isTouchInside, !hasDragged else { return }
    if showsClearButton, clearRect.contains(touch.location(in: self)) { return clear() }
    let caret = place(under: touch)
    let wasEdited = isFirstResponder
    guard wasEdited || becomeFirstResponder() else { return }
    switch touch.tapCount {
    // The tap that begins the editing leaves the text to be replaced, wherever it places the caret.
    case 1: select(caret..<caret, clears: clearsOnInsertion && !wasEdited)
    // The ends of its words would show which letters of a secret are spaces.
    case 2 where !isSecure:
      selection = buffer.word(at: places.letter(at: touch.location(in: self).x - textOrigin) ?? caret)
    default: selectAll()
    }
  }

  open override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    defer { showCaret() }
    return super.touchesEnded(touches, with: event)
  }

  open override func touchesCancelled(_ touches: [Touch], with event: Event) -> Disposition {
    defer { showCaret() }
    return super.touchesCancelled(touches, with: event)
  }

  /// Keeps taps from recognisers of other views, and drags along a text that is edited. (UIKit since iOS 6: those of a control.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    if isFirstResponder, let touch = fingerAlong(ofOther: recognizer) { return touch !== trackedTouch }
    return !isSingleTap(ofOther: recognizer)
  }

  // MARK: Appearance

  override var showsStatesBehind: Bool { false }

  /// The border of an edited field: a line of its tint.
  override var stateBorder: Appearance.Border? {
    isFirstResponder ? Appearance.Border(color: tint, width: max(2, border?.width ?? 0)) : nil
  }

  /// Draws the text, the selection and the caret.
  open override func draw(in context: GraphicsContext) {
    let room = textRect
    // A caret at the end of the text may stand a little outside.
    let seen = LocalRect(x: room.minX, y: bounds.minY, width: room.size.width + 2, height: bounds.size.height)
    context.canvas.clipToPixels(seen, isWide: true) { drawText(in: room, context) }
    if showsClearButton { drawClearButton(context) }
    if isFirstResponder { resumeBlinking() }
  }
}
