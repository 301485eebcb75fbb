import TouchCore

extension ViewKind {
  /// `TextView`
  package static let textView = ViewKind(
    "text_view", "a text view", "text views", .actions, .entry, is: [.text, .font, .padding],
    alsoCalled: ["textarea", "editor", "multiline", "notes"]
  ) { TextView(id: $0) }
}

/// A program that is asked before a text view does something, and notified afterwards. Each function has a
/// default, which allows everything. (`UITextViewDelegate`.)
public protocol TextViewDelegate: AnyObject {
  /// Whether the view may become the first responder. (`textViewShouldBeginEditing(_:)`.)
  func textViewShouldBeginEditing(_ textView: TextView) -> Bool
  /// Called when the view is the first responder. (`textViewDidBeginEditing(_:)`.)
  func textViewDidBeginEditing(_ textView: TextView)
  /// Whether the view may resign, unless it is forced to. (`textViewShouldEndEditing(_:)`.)
  func textViewShouldEndEditing(_ textView: TextView) -> Bool
  /// Called when the view has resigned. (`textViewDidEndEditing(_:)`.)
  func textViewDidEndEditing(_ textView: TextView)
  /// Whether what is typed or deleted may change the text.
  /// (`textView(_:shouldChangeTextIn:replacementText:)`.)
  ///
  /// - Parameters:
  ///   - textView: the text view that asks.
  ///   - range: the letters that are replaced, as people count them; empty where letters are only added.
  ///   - text: what takes their place; empty where they are deleted.
  func textView(_ textView: TextView, shouldChangeTextIn range: Range<Int>, replacementText text: String)
    -> Bool
  /// Called after something was typed or deleted; not after a program has set the text.
  /// (`textViewDidChange(_:)`.)
  func textViewDidChange(_ textView: TextView)
  /// Called when another part of the text is selected, or the caret is elsewhere.
  /// (`textViewDidChangeSelection(_:)`.)
  func textViewDidChangeSelection(_ textView: TextView)
}

extension TextViewDelegate {
  /// Returns true.
  public func textViewShouldBeginEditing(_ textView: TextView) -> Bool { true }
  /// Does nothing.
  public func textViewDidBeginEditing(_ textView: TextView) {}
  /// Returns true.
  public func textViewShouldEndEditing(_ textView: TextView) -> Bool { true }
  /// Does nothing.
  public func textViewDidEndEditing(_ textView: TextView) {}
  /// Returns true.
  public func textView(
    _ textView: TextView, shouldChangeTextIn range: Range<Int>, replacementText text: String
  ) -> Bool { true }
  /// Does nothing.
  public func textViewDidChange(_ textView: TextView) {}
  /// Does nothing.
  public func textViewDidChangeSelection(_ textView: TextView) {}
}

/// A text of several lines that a finger and a keyboard edit, and that scrolls where it is longer than the
/// view. (`UITextView`.)
///
/// Lines are broken at the width of the view, after a space where there is one. The return key begins a new
/// line.
open class TextView: TextInput {
  /// The delegate, which is asked before the view acts, and notified afterwards. (`UITextView.delegate`.)
  public final weak var delegate: (any TextViewDelegate)?
  /// The scroll view of the text, for its offset, its settings and its delegate. (`UITextView` is a scroll
  /// view itself.)
  public final let scroller: ScrollView
  private let page: TextPage
  /// The lines as they are shown; nil after a change, until they are needed.
  private var known: TextLines?
  /// The place from the left edge that the caret keeps while it moves up and down; nil after any other move.
  private var column: Double?

  /// The space between the edges and the text, for a style without padding.
  fileprivate static let edges = Insets(top: 12, left: 12, bottom: 12, right: 12)

  /// Makes a dark view with a thin line around it.
  public init(id: String = "", frame: LocalRect = .zero) {
    (scroller, page) = (ScrollView(id: "\(id).scroll"), TextPage(id: "\(id).text"))
    super.init(id: id, frame: frame, TextBuffer(hasLines: true))
    clipsToBounds = true
    page.owner = self
    scroller.scrolling.axis = .vertical
    scroller.addSubview(page)
    addSubview(scroller)
    textStyle.verticalAlignment = .top
  }

  open override class var standardHitTestClass: View.Type { TextView.self }

  /// Returns no size of its own: in a stack it takes the room, and at least that of three lines.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    let height = (3 * lineHeight + insets.top + insets.bottom).rounded(.up)
    return ContentSize(width: .none, height: ContentLength(height, .none))
  }

  final var lineHeight: Double { (textStyle.size * 1.25).rounded() }
  private var insets: Insets { textStyle.padding ?? Self.edges }
  private var sides: Double { insets.left + insets.right }

  // MARK: Editing

  override var mayBeginEditing: Bool { delegate?.textViewShouldBeginEditing(self) ?? true }
  override var mayEndEditing: Bool { delegate?.textViewShouldEndEditing(self) ?? true }
  override func editingDidBegin() {
    showCaretInside()
    delegate?.textViewDidBeginEditing(self)
  }
  override func editingDidEnd() {
    page.setNeedsDisplay()
    delegate?.textViewDidEndEditing(self)
  }
  override func redrawCaret() { page.setNeedsDisplay(caretRect(in: page)) }
  override func textDidChange() { delegate?.textViewDidChange(self) }
  override func mayChange(_ range: Range<Int>, to text: String) -> Bool {
    delegate?.textView(self, shouldChangeTextIn: range, replacementText: text) ?? true
  }
  override func selectionDidChange() {
    delegate?.textViewDidChangeSelection(self)
    showCaretInside()
  }

  /// A finger scrolls.
  override var dragsCaret: Bool { false }

  // MARK: Lines

  /// The lines, with places from the upper left corner of the text.
  final var lines: TextLines {
    let width = max(0, bounds.size.width - sides)
    if let known, known.width == width { return known }
    let made = TextLines(of: self, atWidth: width, reusing: known)
    known = made
    return made
  }

  override func forgetPlaces() {
    known = known?.outOfDate()
    column = nil
    setNeedsLayout()
    page.setNeedsDisplay()
  }

  /// The window measures letters.
  open override func didMoveToWindow() {
    known = nil
    setNeedsLayout()
    super.didMoveToWindow()
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    scroller.layoutRect = bounds
    let height = Double(lines.lines.count) * lineHeight + insets.top + insets.bottom
    let size = Size(width: bounds.size.width, height: max(height, bounds.size.height))
    page.layoutRect = LocalRect(origin: .zero, size: size)
    scroller.scrolling.contentSize = size
    if isFirstResponder { showCaretInside() }
  }

  private func showCaretInside() {
    page.setNeedsDisplay()
    guard isFirstResponder, !scroller.isDragging else { return }
    let caret = caretRect(in: page).outset(by: lineHeight / 4)
    let (first, room) = (scroller.bounds.minY, scroller.bounds.size.height - coveredHeight)
    if caret.minY < first || caret.maxY > first + room {
      let place = caret.minY < first ? max(0, caret.minY) : caret.maxY - room
      scroller.contentOffset = LocalPoint(x: 0, y: place.rounded())
    }
  }

  /// The height of its lower part that a keyboard on the screen covers, in units.
  final var coveredHeight = 0.0 {
    didSet {
      guard oldValue != coveredHeight else { return }
      scroller.contentInset.bottom = coveredHeight
      showCaretInside()
    }
  }

  /// The upper left corner of the text, in the space of the page.
  private var origin: LocalPoint { LocalPoint(x: insets.left, y: insets.top) }

  final func caretRect(in page: View) -> LocalRect {
    let (line, x) = lines.place(of: buffer.caret)
    return LocalRect(
      x: (origin.x + x).rounded(), y: origin.y + Double(line) * lineHeight, width: Self.caretWidth,
      height: lineHeight)
  }

  final func selectionRects(in page: View) -> [LocalRect] {
    let lines = lines
    guard !selection.isEmpty else { return [] }
    return (lines.line(of: selection.lowerBound)...lines.line(of: selection.upperBound)).map { index in
      let spans = lines.lines[index].places(of: selection)
      return LocalRect(
        x: (origin.x + spans.lowerBound).rounded(), y: origin.y + Double(index) * lineHeight,
        width: max(4, (spans.upperBound - spans.lowerBound).rounded()), height: lineHeight)
    }
  }

  override var caretFrame: LocalRect { convert(caretRect(in: page), from: page) }
  override var selectionFrames: [LocalRect] { selectionRects(in: page).map { convert($0, from: page) } }

  private func textPoint(of touch: Touch) -> (line: Int, x: Double) {
    let point = touch.location(in: page)
    let line = Int(saturating: ((point.y - origin.y) / lineHeight).rounded(.down))
    return (min(max(0, line), lines.lines.count - 1), point.x - origin.x)
  }

  override func caret(under touch: Touch) -> Int {
    let (line, x) = textPoint(of: touch)
    return lines.lines[line].caret(at: x)
  }

  override func letter(under touch: Touch) -> Int? {
    let (line, x) = textPoint(of: touch)
    let found = lines.lines[line]
    return found.places.letter(at: x).map { $0 + found.range.lowerBound }
  }

  override func caret(beside caret: Int, isRight: Bool) -> Int {
    min(max(0, caret + (isRight ? 1 : -1)), buffer.letters.count)
  }

  override func destination(of key: KeyCode, from caret: Int) -> Int? {
    let lines = lines
    let (line, x) = lines.place(of: caret)
    switch key {
    case .home: return lines.lines[line].range.lowerBound
    case .end: return lines.lines[line].lastCaret
    case .up, .down:
      let next = line + (key == .down ? 1 : -1)
      guard lines.lines.indices.contains(next) else { return key == .down ? buffer.letters.count : 0 }
      let goal = column ?? x
      defer { column = goal }
      return lines.lines[next].caret(at: goal)
    default: return nil
    }
  }

  open override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    if presses.contains(where: { $0.key.keyCode != .up && $0.key.keyCode != .down }) { column = nil }
    return super.pressesBegan(presses, with: event)
  }

  open override func beginTracking(_ touch: Touch, with event: Event) -> Bool {
    column = nil
    return super.beginTracking(touch, with: event)
  }
}

/// The scrolled content of a text view: it draws the lines that are seen.
final class TextPage: View {
  fileprivate weak var owner: TextView?

  override func draw(in context: GraphicsContext) {
    guard let owner else { return }
    let (clip, height) = (context.boundingBoxOfClipPath, owner.lineHeight)
    for rect in owner.selectionRects(in: self) { context.fill(rect, with: owner.selectionColor) }
    owner.drawLines(in: clip, height: height, context)
    if owner.isCaretOn, owner.selection.isEmpty { context.fill(owner.caretRect(in: self), with: owner.tint) }
    if owner.isFirstResponder { owner.resumeBlinking() }
  }
}

extension TextView {
  fileprivate func drawLines(in clip: LocalRect, height: Double, _ context: GraphicsContext) {
    let insets = textStyle.padding ?? Self.edges
    var (style, limits) = (textStyle, TextRoom())
    (style.lines, style.padding, style.alignment) = (1, .zero, .left)
    limits.isReported = privateView == nil
    func draw(_ text: String, _ line: Int, from left: Double = 0) {
      let rect = LocalRect(
        x: insets.left + left, y: insets.top + Double(line) * height, width: bounds.size.width + style.size,
        height: height)
      if !text.isEmpty { context.canvas.draw(text, style, in: rect, limits) }
    }
    if !hasText {
      style.color.alpha = UInt8(Int(style.color.alpha) * 0x66 / 255)
      return draw(placeholder, 0)
    }
    let lines = lines.lines
    let first = max(0, Int(saturating: ((clip.minY - insets.top) / height).rounded(.down)))
    let end = min(lines.count, Int(saturating: ((clip.maxY - insets.top) / height).rounded(.up)))
    guard first < end else { return }
    for index in first..<end {
      draw(String(buffer.letters[lines[index].range]), index, from: lines[index].left)
    }
  }
}
