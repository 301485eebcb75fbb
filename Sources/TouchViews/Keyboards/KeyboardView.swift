import TouchCore

extension ViewKind {
  package static let keyboard = ViewKind(
    "keyboard", "a keyboard", "keyboards", .forwarded, is: .font
  ) { KeyboardView(id: $0) }
}

extension ViewProperty {
  package static let keyboardLayout = ViewProperty(
    "layout", \KeyboardView.layoutName, .name("the name of a layout, such as german"),
    is: [.nullable, .fixed, .noDefault],
    "Its keys: the name of a [layout](text.md#layouts), or a language. Default: the `layout` of `keyboard`.")

  static let ofKeyboards: [ViewProperty] = [
    keyboardLayout,
    ViewProperty(
      "always", \KeyboardView.isAlways, .flag, is: .fixed,
      "Whether it stands there all the time. If not, it comes when a text field is edited, and goes with that."
    ),
    ViewProperty(
      "to", \KeyboardView.destination, .word, is: [.fixed, .first],
      "The target of its letters: `fields`, or `kernel` for [other programs](text.md#other-programs)."),
    ViewProperty(
      "tint", \KeyboardView.tint, .color, is: [.cosmetic, .nullable],
      "The colour of a pressed key, and of the return key."),
    ViewProperty(
      "track", \KeyboardView.keyColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the keys that write something. Default: one that stands out."),
    ViewProperty(
      "thumb", \KeyboardView.functionKeyColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the other keys, such as shift. Default: one that stands out."),
  ]
}

/// A keyboard on the screen, which types into the first responder. (UIKit's is the system's own.)
///
/// Each finger is a key of its own. A key types when its finger lifts, or as soon as another
/// finger comes down. So no letter is lost or doubled, however the fingers of a typist overlap:
///
/// ```
///              another finger down, or lifts           lifts
///   pressing ──────────────────────────────▶ typed ──────────▶ gone
///      │ stays on a key with variants           ▲ lifts, or another finger down
///      ├──────────────────────────────▶ choosing ┘
///      │ moves along the space bar
///      └──────────────────────────────▶ steering ──▶ gone        (it moves the caret, and types nothing)
/// ```
/// Shift, delete and the keys of other pages act when their finger comes down. A finger that slides from
/// shift, or from the key of a page, to a key that writes types that, and shift goes off, or the page of
/// before is seen again. (iPhone User Guide: "touch the Shift key and slide your finger to a letter".)
open class KeyboardView: View, FirstResponderWatcher, TextStyled {
  /// Its keys, where no page of digits is asked for.
  public final var layout = KeyboardLayout.standard {
    didSet {
      guard oldValue != layout else { return }
      isLatin = layout.isLatin
      reset()
    }
  }
  private var isLatin = true
  /// Whether the field takes an address or a password, which is written in Latin letters, as in iOS.
  private var needsLatin = false { didSet { if oldValue != needsLatin { reset() } } }
  /// Whether Latin letters replace those of the layout.
  private(set) var showsLatin = false { didSet { if oldValue != showsLatin { keysChanged() } } }
  /// The text on the key that changes the script.
  final var scriptSign: String { showsLatin ? layout.sample : "abc" }
  /// The name of the layout in the file; empty for that of the language.
  package final var layoutName = ""
  /// Whether the keyboard is always shown, rather than only for a first responder.
  public final var isAlways = false { didSet { if oldValue != isAlways { follow(.off) } } }
  /// The destination of typed texts. (`to`.)
  public final var destination = Destination.fields {
    didSet {
      guard oldValue != destination else { return }
      // Another program may ask for a password without reporting it.
      isPrivate = destination == .kernel
      if destination == .kernel { isHidden = false }
      follow(.off)
    }
  }
  /// The destination of the texts that a keyboard types.
  public enum Destination: String, CaseIterable, Sendable {
    /// The first responder.
    case fields
    /// Other programs, by a keyboard that touchtree makes in the kernel. It is shown whatever is edited.
    case kernel
  }
  /// Whether the keyboard is at the lower edge of the window, as high as its keys need.
  public final var placesItself = false
  /// The style of the texts, centred on the keys.
  public final var textStyle = TextStyle(size: 22, alignment: .center) {
    didSet { appearanceChanged(oldValue != textStyle) }
  }
  /// The colour of a pressed key and of the return key.
  public final var tint = ValueControl.Colors().tint { didSet { appearanceChanged(oldValue != tint) } }
  /// The colour of keys that write something; nil for one that contrasts with the keyboard's background.
  public final var keyColor: Color? { didSet { appearanceChanged(oldValue != keyColor) } }
  /// The colour of the other keys, such as shift; nil for one that contrasts likewise.
  public final var functionKeyColor: Color? { didSet { appearanceChanged(oldValue != functionKeyColor) } }
  /// The input for other programs; nil if no program takes it.
  package final var typist: (any KeyInput)?

  /// The page that is shown.
  public internal(set) final var page = KeyboardLayout.Page.letters {
    didSet { if oldValue != page { keysChanged() } }
  }
  /// Whether shift was pressed for the field, and by no finger.
  final var isShiftAutomatic = false
  /// Whether the next letters are capitals.
  public internal(set) final var shift = Shift.off { didSet { appearanceChanged(oldValue != shift) } }
  /// The state of shift.
  public enum Shift: Sendable {
    /// Small letters.
    case off
    /// One capital, or capitals while a finger is on shift.
    case once
    /// Capitals until shift is tapped again.
    case locked
  }

  private(set) final var keyboard = TextField.Keyboard.text { didSet { if oldValue != keyboard { reset() } } }
  private(set) final var returnKey = TextField.ReturnKey.done {
    didSet { appearanceChanged(oldValue != returnKey) }
  }

  /// The places of the keys; nil after a change, until they are needed.
  private var placed: KeyArrangement?
  final var typing = KeyboardTyping()
  final var fades = KeyFades()
  /// The bubbles above the fingers, the unused ones hidden.
  final var bubbles: [KeyBubble] = []
  /// The view that it has moved out of its way.
  final var avoidance = KeyboardAvoidance()
  /// The gesture that ends editing; nil while the keyboard is hidden.
  final var outside: TapGestureRecognizer?

  /// The space between two keys, and around them.
  package static let spacing = 6.0

  /// Makes a dark keyboard without a frame.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    appearance.background = Color(red: 0x1a, green: 0x21, blue: 0x29)
    isMultipleTouchEnabled = true
  }

  open override class var standardHitTestClass: View.Type { KeyboardView.self }

  /// Returns the height of the rows, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: .none, height: ContentLength(Double(rows.count) * 52 + Self.spacing, .content))
  }

  // MARK: Coming and going

  open override func didMoveToWindow() {
    window?.reportFirstResponder(self)
    follow(.off)
  }

  package final func firstResponderChanged(in window: Window) { follow(.keyboard) }

  /// - Parameter timing: the timing in pictures. A keyboard that is there from the start does not move.
  private func follow(_ timing: Timing) {
    if destination == .kernel {
      if placesItself, let window { place(in: window) }
      return
    }
    guard let window else { return leave(.off) }
    let first = window.firstResponder as? any KeyInput
    let wasPrivate = isPrivate
    defer { if isPrivate != wasPrivate { abandonFingers() } }
    if let field = window.editedInput {
      // Pressed keys show the typed text.
      isPrivate = field.privateView != nil
      (keyboard, returnKey) = (field.keyboard, field.shownReturnKey)
      needsLatin = field.isConfidential || field.keyboard == .email || field.keyboard == .url
    } else if first != nil {
      (isPrivate, keyboard, returnKey, needsLatin) = (false, .text, .done, false)
    }
    if isAlways {
      isHidden = false
    } else if let first {
      come(for: first, in: window, timing)
    } else {
      leave(timing)
    }
    capitalize()
  }

  /// Places the keyboard at the lower edge, at most 55 % of the window high, with keys no higher than needed.
  final func place(in window: Window) {
    let size = window.bounds.size
    let rows = Double(rows.count)
    let height = min(size.height * 0.55, rows * min(68, max(44, size.height / 8)) + Self.spacing).rounded()
    layoutRect = LocalRect(x: 0, y: size.height - height, width: size.width, height: height)
    placed = nil
  }

  open override func layoutSubviews() {
    placed = nil
    super.layoutSubviews()
  }

  /// Forgets the former keys or field.
  private func reset() {
    showLetters()
    keysChanged()
    if placesItself, !isHidden, let window { place(in: window) }
  }

  /// Shows small letters, in the script that the field takes.
  final func showLetters() { (page, shift, showsLatin) = (.letters, .off, needsLatin && !isLatin) }

  private func keysChanged() {
    let focused = focusedKey.flatMap { index in
      placed.flatMap { $0.keys.indices.contains(index) ? $0.keys[index].rect : nil }
    }
    placed = nil
    fades.removeAll()
    setNeedsDisplay()
    guard let focused, let key = key(at: LocalPoint(x: focused.midX, y: focused.midY)),
      let part = parts.firstIndex(of: key)
    else { return }
    window?.usedFocusSystem?.focus(FocusSystem.Item(self, part: part))
  }

  // MARK: Keys

  private var rows: [[KeyboardLayout.Key]] {
    switch keyboard {
    case .number: return KeyboardLayout.shipped["numbers"]?.pages[.letters] ?? []
    case .pin: return KeyboardLayout.shipped["pin"]?.pages[.letters] ?? []
    case .text: return letterRows
    case .email, .url:
      var rows = letterRows
      // The sign beside the space bar is the one that such a text needs.
      guard let last = rows.indices.last,
        let place = rows[last].firstIndex(where: { if case .text = $0.role { true } else { false } })
      else { return rows }
      let sign = keyboard == .email ? "@" : "/"
      (rows[last][place].role, rows[last][place].shifted) = (.text(sign), sign)
      rows[last][place].variants = keyboard == .email ? ["-", "_"] : ["-", ":", "www."]
      return rows
    }
  }

  /// The rows of the layout, with a key for the other script if it is not Latin.
  private var letterRows: [[KeyboardLayout.Key]] {
    var rows = (showsLatin ? .standard : layout).pages[page] ?? []
    if !isLatin, page == .letters, destination == .fields, let last = rows.indices.last {
      rows[last].insert(
        KeyboardLayout.Key(role: .script, shifted: "", width: 1.25, isFlexible: false),
        at: min(1, rows[last].count))
    }
    return rows
  }

  final func changeScript() { showsLatin.toggle() }

  private var arrangement: KeyArrangement {
    if let placed { return placed }
    let arrangement = KeyArrangement(rows, in: bounds)
    placed = arrangement
    return arrangement
  }

  package final var keys: [KeyArrangement.PlacedKey] { arrangement.keys }

  /// Returns the index in `keys` of the key under a point, or nearest to it; nil far outside.
  final func key(at point: LocalPoint) -> Int? { arrangement.index(at: point) }

  final func text(of key: KeyboardLayout.Key) -> String {
    guard case .text(let text) = key.role else { return key.role == .space ? " " : "" }
    return shift == .off ? text : key.shifted
  }

  /// Returns the pressed share that pictures show of a key: 1 under a finger, then decreasing.
  final func pressedShare(of index: Int) -> Double { isPressed(index) ? 1 : fades.share(of: index) }

  final func isPressed(_ index: Int) -> Bool {
    typing.fingers.contains { $0.key == index && $0.state != .typed }
  }

  /// Fades the keys that fingers have left to their own colours in pictures.
  private func fadeKeys() {
    var now = fades.end
    if case .number(let seen) = window?.animator?.presented(.part, of: self) { now = seen }
    let isLeft = fades.follow(typing.fingers.lazy.filter { $0.state != .typed }.compactMap(\.key), at: now)
    guard isLeft, let animator = window?.runningAnimator else { return }
    fades.end = now + 1
    animator.move(.part, of: self, from: .number(now), in: animator.group(KeyFades.timing))
  }

  // MARK: Keys by focus

  /// Whether keys are focused one by one: always for other programs; for a field, once select has led there.
  open override var canBecomeFocused: Bool {
    guard isFocusable ?? true else { return false }
    return destination == .kernel || window?.usedFocusSystem?.keyboard === self
  }

  package final var isTypedWithByFocus: Bool { destination == .fields && (isFocusable ?? true) }

  /// The indices in `keys` of the keys that can be focused.
  final var parts: [Int] { arrangement.parts }

  open override var focusPartCount: Int { parts.count }

  open override func focusRect(of part: Int) -> LocalRect {
    let parts = parts
    guard parts.indices.contains(part) else { return bounds }
    return keys[parts[part]].rect.outset(by: -Self.spacing / 2)
  }

  private var focusedKey: Int? {
    guard let item = window?.usedFocusSystem?.focusedItem, item.view === self, let part = item.part else {
      return nil
    }
    let parts = parts
    return parts.indices.contains(part) ? parts[part] : nil
  }

  // MARK: Touches

  /// The order of the fingers is the order of the letters. Earlier letters may lead to
  /// a password, and a finger for that must not be reported. So they are typed before.
  open override func touchWillBegin(_ touch: Touch, with event: Event) {
    guard !typing.fingers.isEmpty else { return }
    typeAll(before: touch.id)
    changed()
  }

  open override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    let wasPrivate = isPrivate
    defer {
      // The last of several simultaneous touches was reported before the first one led to a password.
      if isPrivate != wasPrivate { abandonFingers() }
    }
    _ = super.touchesBegan(touches, with: event)
    for touch in touches { began(touch, at: event.timestamp) }
    return .handled
  }

  open override func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition {
    _ = super.touchesMoved(touches, with: event)
    for touch in touches { moved(touch, at: event.timestamp) }
    return .handled
  }

  open override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    _ = super.touchesEnded(touches, with: event)
    for touch in touches { ended(touch, at: event.timestamp) }
    return .handled
  }

  open override func touchesCancelled(_ touches: [Touch], with event: Event) -> Disposition {
    _ = super.touchesCancelled(touches, with: event)
    for touch in touches { cancelled(touch) }
    return .handled
  }

  open override func deadlinePassed(with event: Event) { stayed(until: event.timestamp) }

  /// Returns whether the gesture is the keyboard's own. Its fingers are keys, not gestures of ancestors.
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    recognizer.view === self
  }

  /// Updates everything that depends on the fingers or on the keys under them.
  final func changed() {
    deadline = typing.deadline
    setNeedsDisplay()
    fadeKeys()
    showBubbles()
  }

  /// Draws the keys that are in the clip.
  open override func draw(in context: GraphicsContext) { drawKeys(context) }
}

extension KeyboardLayout {
  /// The English layout of the United States.
  public static let standard = shipped["english_us"] ?? KeyboardLayout()

  private init() { language = "" }
}
