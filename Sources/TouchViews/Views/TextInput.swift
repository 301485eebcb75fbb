import TouchCore

/// A text that a finger and a keyboard edit: the base of `TextField` and `TextView`. (`UITextInput`.)
///
/// A tap makes it the first responder and places the caret; two quick taps select a word, and three all of
/// it. A menu over the selection and the keys ctrl with C, X, V and A copy, cut, paste and select all. It
/// sends `editingBegan`, `editingChanged` for each change that is typed, and `editingEnded`.
open class TextInput: Control, KeyInput, TextHolding, TextStyled {
  /// The kind of text to be typed, so that a keyboard has the keys for it. (`UIKeyboardType`.)
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

  /// The text. Setting it sends no action; the caret goes to its end. (`UITextField.text`,
  /// `UITextView.text`.)
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
  /// The most letters; nil for 4096, and in a text view 10 000. (UIKit has no limit; one that every text has
  /// here bounds what a client can make of it.)
  public final var limit: Int? {
    get { buffer.limit }
    set {
      let old = text
      buffer.limit = newValue
      if text != old { textChanged() }
    }
  }
  /// The requested keys. (`UITextInputTraits.keyboardType`.)
  public final var keyboard = Keyboard.text
  /// Whether what is typed next takes the place of the whole text; that makes it false again, and so does
  /// another selection. A secure field whose editing begins again has it, since nobody sees which letters
  /// there are. (`UITextField.clearsOnInsertion`: "changing the selection will automatically set this
  /// property to NO".)
  public final var clearsOnInsertion = false
  /// The style of the text, left-aligned.
  public final var textStyle = TextStyle(alignment: .left) {
    didSet {
      contentChanged(oldValue != textStyle)
      if oldValue != textStyle { textMoved() }
    }
  }
  /// The colour of the caret, the selection, and the line around an edited field. (`UIView.tintColor`.)
  public final var tint = ValueControl.Colors().tint { didSet { appearanceChanged(oldValue != tint) } }

  final var buffer: TextBuffer
  /// Whether the blinking caret is drawn.
  private(set) final var isCaretOn = false
  /// Whether it becomes the first responder as soon as it is in a window.
  private var isAwaited = false
  /// The beginning of a selection that keys have made larger.
  final var anchor: Int?
  /// The selection that the delegate knows.
  private var knownSelection = 0..<0
  /// Whether the finger that is tracked has gone farther than a tap.
  private(set) final var hasDragged = false

  /// The time of a caret on or off, in seconds. (Apple gives none; GTK, Qt and Windows take about 0.5.)
  private static let blink = 0.5
  /// The distance of a finger before it moves the caret of an edited field, in units.
  private static let slack = 6.0
  /// The distance of a finger in any other field before it is no tap, as in `TapGestureRecognizer`.
  private static let tapSlack = 45.0
  static let caretWidth = 2.0
  /// The space between the edges and the text, for a style without padding.
  package static let padding = Insets(top: 0, left: 12, bottom: 0, right: 12)

  /// Makes a dark field with a thin line around it.
  init(id: String, frame: LocalRect, _ buffer: TextBuffer) {
    self.buffer = buffer
    super.init(id: id, frame: frame)
    appearance.background = Color(red: 0x14, green: 0x1b, blue: 0x23)
    appearance.border = Appearance.Border(color: Color(red: 0x4a, green: 0x58, blue: 0x66), width: 1)
    appearance.cornerRadius = 8
    minimumHitSize = ValueControl.fingerSize
  }

  open override var shownText: String? { text }
  open override var spokenTitle: String? { placeholder }

  // MARK: What the kinds of input decide

  /// The sign of the return key on a keyboard.
  var shownReturnKey: TextField.ReturnKey { .done }
  /// Whether the delegate lets editing begin.
  var mayBeginEditing: Bool { true }
  /// Whether the delegate lets editing end.
  var mayEndEditing: Bool { true }
  /// Whether the text is deleted when editing begins.
  var clearsAtBeginning: Bool { false }
  /// Editing has begun.
  func editingDidBegin() {}
  func editingDidEnd() {}
  /// Whether the delegate lets letters be replaced.
  func mayChange(_ range: Range<Int>, to text: String) -> Bool { true }
  /// Another part of the text is selected.
  func selectionDidChange() {}
  /// A program or a finger has changed the text.
  func textDidChange() {}
  /// The letters are others, so their places have to be measured again.
  func forgetPlaces() {}
  /// The rectangle of the caret, in the view's own space.
  var caretFrame: LocalRect { .zero }
  /// The rectangles of the selection, in the view's own space.
  var selectionFrames: [LocalRect] { [] }
  /// The place between two letters that is nearest to a touch.
  func caret(under touch: Touch) -> Int { 0 }
  /// The letter under a touch; nil beside all of them.
  func letter(under touch: Touch) -> Int? { nil }
  /// Returns the place to which an arrow, home or end leads; nil for any other key.
  func destination(of key: KeyCode, from caret: Int) -> Int? { nil }
  /// The place one step to the right of another one, or to the left.
  func caret(beside caret: Int, isRight: Bool) -> Int { caret }
  /// The end of the selection at its right, or at its left.
  func end(ofSelectionAtRight isRight: Bool) -> Int { isRight ? selection.upperBound : selection.lowerBound }
  func redrawCaret() { setNeedsDisplay(caretFrame) }
  /// Whether a finger that drags moves the caret.
  var dragsCaret: Bool { true }
  /// A tap on what is no text, such as a button. Returns whether it was one.
  func handlesTap(_ touch: Touch) -> Bool { false }

  // MARK: Editing

  open override var canBecomeFirstResponder: Bool { isEnabled }
  open override var canResignFirstResponder: Bool { mayEndEditing }

  /// Whether it is edited. Setting it makes it the first responder, as soon as it is in a window, or ends
  /// that. (`UITextField.isEditing`.)
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
    guard window != nil, canBecomeFirstResponder, mayBeginEditing, super.becomeFirstResponder() else {
      return false
    }
    clearsOnInsertion = clearsOnInsertion || isConfidential && hasText
    setNeedsDisplay()
    showCaret()
    editingDidBegin()
    send(.editingBegan)
    if clearsAtBeginning, isFirstResponder { clear() }
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
    editingDidEnd()
    send(.editingEnded)
    return true
  }

  /// Whether there is any text. (`UIKeyInput.hasText`.)
  public final var hasText: Bool { !buffer.letters.isEmpty }

  /// Types a text in the place of what is selected, as far as `limit` allows. (`UIKeyInput.insertText(_:)`.)
  open func insertText(_ text: String) {
    guard isEnabled, !text.isEmpty, mayChange(replaced, to: text) else { return }
    selectReplaced()
    if buffer.insert(text) { typed() }
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

  /// The letters that typed text replaces.
  private var replaced: Range<Int> { clearsOnInsertion ? 0..<buffer.letters.count : buffer.selection }

  private func selectReplaced() {
    buffer.selection = replaced
    clearsOnInsertion = false
  }

  /// Deletes the whole text.
  public func clear() {
    guard isEnabled, hasText else { return }
    buffer.replace(with: "")
    typed()
  }

  private func typed() {
    textChanged()
    textDidChange()
    send(.editingChanged)
  }

  private func textChanged() {
    timesSet &+= 1
    textMoved()
    reportSelection()
    window?.observe(ViewStep.text(self))
  }

  /// The letters, or the place of the caret, are others.
  final func textMoved() {
    forgetPlaces()
    setNeedsDisplay()
    showCaret()
  }

  // MARK: The selection

  /// The selection in letters; empty at the caret. (`UITextInput.selectedTextRange`.)
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
    hideMenu()
    guard isFirstResponder, knownSelection != buffer.selection else { return }
    knownSelection = buffer.selection
    selectionDidChange()
  }

  // MARK: The caret

  /// Shows the caret, which blinks from now on.
  private func showCaret() {
    guard isFirstResponder else { return }
    isCaretOn = true
    blinkLater()
  }

  /// No time passes where nothing is seen, and none for a finger that follows the caret.
  private func blinkLater() {
    guard isFirstResponder, buffer.selection.isEmpty, trackedTouch == nil,
      let dispatcher = window?.dispatcher,
      isSeen
    else {
      deadline = nil
      return
    }
    let now = max(dispatcher.present, dispatcher.eventTime ?? dispatcher.present)
    deadline = now.advanced(bySeconds: Self.blink)
  }

  /// The display shows the window again, or the field was scrolled: the caret blinks if it is seen.
  package final func resumeBlinking() {
    if deadline == nil, isFirstResponder { showCaret() }
  }

  open override func deadlinePassed(with event: Event) {
    isCaretOn = !isCaretOn || !isSeen
    redrawCaret()
    blinkLater()
  }

  // MARK: Keys

  /// While it is edited, arrows move its caret and not the focus, and what leads back ends editing before it
  /// closes anything. (So do the keys of a hardware keyboard in iOS; Apple's documents leave it to the
  /// system.)
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
    guard hasDragged, isFirstResponder, dragsCaret else { return }
    let caret = caret(under: touch)
    selection = caret..<caret
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    super.endTracking(touch, with: event)
    guard isTouchInside, !hasDragged, !handlesTap(touch) else { return }
    let caret = caret(under: touch)
    let wasEdited = isFirstResponder
    guard wasEdited || becomeFirstResponder() else { return }
    let wasThere = wasEdited && selection == caret..<caret && !isMenuShown
    switch touch.tapCount {
    // The tap that begins the editing leaves the text to be replaced, wherever it places the caret.
    case 1: select(caret..<caret, clears: clearsOnInsertion && !wasEdited)
    // The ends of its words would show which letters of a secret are spaces.
    case 2 where !isConfidential: selection = buffer.word(at: letter(under: touch) ?? caret)
    default: selectAll()
    }
    hideMenu()
    if touch.tapCount > 1 || wasThere { showMenu() }
  }

  open override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    defer { showCaret() }
    return super.touchesEnded(touches, with: event)
  }

  open override func touchesCancelled(_ touches: [Touch], with event: Event) -> Disposition {
    defer { showCaret() }
    return super.touchesCancelled(touches, with: event)
  }

  /// Keeps taps from recognisers of other views, and drags along a text that is edited. (UIKit since iOS 6:
  /// those of a control.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    if dragsCaret, isFirstResponder, let touch = fingerAlong(ofOther: recognizer) {
      return touch !== trackedTouch
    }
    return !isSingleTap(ofOther: recognizer)
  }

  // MARK: Appearance

  override var showsStatesBehind: Bool { false }

  /// The border of an edited field: a line of its tint.
  override var stateBorder: Appearance.Border? {
    isFirstResponder ? Appearance.Border(color: tint, width: max(2, border?.width ?? 0)) : nil
  }

  /// The colour behind what is selected.
  final var selectionColor: Color {
    var color = tint
    color.alpha = UInt8(Int(color.alpha) * 0x60 / 255)
    return color
  }

  /// The menu over the selection, while it is shown.
  final weak var menu: EditMenu?
}
