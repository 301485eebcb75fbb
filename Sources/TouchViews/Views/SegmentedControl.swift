import TouchCore

extension ViewKind {
  package static let segmented = ViewKind(
    "segmented", "a segmented control", "segmented controls", .actions, .choice(of: "segment"),
    is: [.font, .icons, .small],
    alsoCalled: ["tabs", "tabbar", "radio", "radiobutton", "radiogroup", "buttonmatrix", "segmentedcontrol"]
  ) { SegmentedControl(id: $0) }
}

extension ViewProperty {
  package static let segments = ViewProperty(
    "segments", \SegmentedControl.segments, .texts(1...10_000),
    "The texts on the segments, from left to right. Required there.")
}

/// A row of segments, of which one is chosen. (`UISegmentedControl`.)
///
/// The value is the number of the chosen segment, counted from 0, or −1 if no segment is chosen.
/// (`UISegmentedControl.noSegment`.) It changes when the finger is lifted, to the segment where it is then. A
/// finger on the chosen segment changes nothing.
open class SegmentedControl: ValueControl, TextStyled, IconsHolding {
  /// The texts on the segments, from left to right. The value stays within those that are left.
  public final var segments: [String] = [] {
    didSet {
      guard oldValue != segments else { return }
      controlValue = ControlValue(
        controlValue?.number ?? -1, minimum: -1, maximum: Double(max(0, segments.count - 1)), step: 1)
      setNeedsDisplay()
    }
  }
  /// The name of each segment's icon, beside its text or alone; empty for none. See `Icon`.
  public final var icons: [String] = [] { didSet { appearanceChanged(oldValue != icons) } }
  /// The style of the texts: centred, and smaller than a button's title.
  public final var textStyle = TextStyle(alignment: .center) {
    didSet { appearanceChanged(oldValue != textStyle) }
  }
  /// The segment under the tracked finger.
  private(set) final var pressedSegment: Int? {
    didSet { if oldValue != pressedSegment { setNeedsDisplay() } }
  }

  /// The place of the pill in the picture being painted; nil outside of one.
  final var presentedPart: Double?

  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(-1, minimum: -1, maximum: 0, step: 1)
    textStyle.size = 16
    minimumHitSize = Self.fingerSize
  }

  open override class var standardHitTestClass: View.Type { SegmentedControl.self }

  /// Makes a control with a segment for each text, none of which is chosen.
  /// (`UISegmentedControl.init(items:)`.)
  public convenience init(items: [String], id: String = "", frame: LocalRect = .zero) {
    self.init(id: id, frame: frame)
    // An initialiser calls no observers of its class's own properties.
    set(items)
  }

  private func set(_ items: [String]) { segments = items }

  /// The number of the chosen segment, from 0; nil for none. Setting it sends no action.
  /// (`UISegmentedControl.selectedSegmentIndex`, which is -1 for none.)
  public final var selectedIndex: Int? {
    get { controlValue.flatMap { $0.number >= 0 ? Int(saturating: $0.number) : nil } }
    set { controlValue?.number = newValue.map(Double.init) ?? -1 }
  }

  /// Returns iOS's height, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: .none, height: ContentLength(32, .high))
  }

  // MARK: Parts

  /// Returns the rectangle of a segment. All have the same width, to a unit.
  public final func rect(of segment: Int) -> LocalRect {
    let (left, right) = (edge(segment), edge(segment + 1))
    return LocalRect(x: left, y: bounds.minY, width: right - left, height: bounds.maxY - bounds.minY)
  }

  /// The place of the pill behind the chosen segment, in segments from the first one; nil for none.
  final var pill: Double? { presentedPart ?? ownPill }
  /// The place of the pill without regard to pictures.
  final var ownPill: Double? { selectedIndex.map(Double.init) }

  final func rect(ofPill place: Double) -> LocalRect {
    let segment = min(max(0, Int(saturating: place.rounded(.down))), max(0, segments.count - 1))
    let (from, to) = (rect(of: segment), rect(of: min(segment + 1, max(0, segments.count - 1))))
    let part = place - Double(segment)
    guard part > 0 else { return from }
    // The edges are at whole units, like those of segments.
    let left = (from.minX + (to.minX - from.minX) * part).rounded()
    let right = (from.maxX + (to.maxX - from.maxX) * part).rounded()
    return LocalRect(x: left, y: from.minY, width: right - left, height: from.size.height)
  }

  /// Moves the pill in pictures from where it was seen to the chosen segment.
  private func slidePill(from start: Double?) {
    guard let start, let ownPill, start != ownPill, let animator = window?.runningAnimator else { return }
    animator.move(.part, of: self, from: .number(start), in: animator.group(Timing(0.2, curve: .easeOut)))
  }

  /// Each segment.
  open override var focusPartCount: Int { segments.count }

  open override func focusRect(of part: Int) -> LocalRect { rect(of: part) }

  open override var shownText: String? { selectedIndex.map { segments[$0] } ?? "" }

  private func edge(_ segment: Int) -> Double {
    let width = bounds.maxX - bounds.minX
    return bounds.minX
      + (segment == segments.count
        ? width : (width * Double(segment) / Double(max(1, segments.count))).rounded())
  }

  private func segment(under touch: Touch) -> Int? {
    guard isTouchInside, !segments.isEmpty else { return nil }
    let x = touch.location(in: self).x
    return segments.indices.last { x >= rect(of: $0).minX } ?? 0
  }

  // MARK: Touches

  open override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    let disposition = super.touchesBegan(touches, with: event)
    if let touch = trackedTouch { pressedSegment = segment(under: touch) }
    return disposition
  }

  open override func continueTracking(_ touch: Touch, with event: Event) {
    super.continueTracking(touch, with: event)
    pressedSegment = segment(under: touch)
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    continueTracking(touch, with: event)
    var start = ownPill
    if case .number(let seen) = window?.animator?.presented(.part, of: self) { start = seen }
    if let pressedSegment { change(to: Double(pressedSegment), touch, event) }
    pressedSegment = nil
    slidePill(from: start)
    super.endTracking(touch, with: event)
  }

  open override func cancelTracking(_ touch: Touch, with event: Event) {
    pressedSegment = nil
    super.cancelTracking(touch, with: event)
  }

  /// Keeps taps from recognisers of other views. (UIKit since iOS 6.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    !isSingleTap(ofOther: recognizer)
  }

  // MARK: Drawing

  /// Draws a bar with a pill behind the chosen segment, and lines between the others.
  open override func draw(in context: GraphicsContext) {
    let radius = (bounds.maxY - bounds.minY) / 4
    context.fill(bounds, cornerRadius: radius, with: colors.track)
    let pill = pill
    // What is narrower than a pixel cannot be read, and there may be thousands.
    let scale = context.canvas.pixelsPerUnit.width
    func isSeen(_ index: Int, _ rect: LocalRect) -> Bool {
      rect.size.width * scale >= 1 || pressedSegment == index || cover(of: index, by: pill) > 0
    }
    for index in segments.indices {
      let rect = rect(of: index)
      if isSeen(index, rect) { drawBack(of: index, in: rect, behind: pill, context) }
    }
    if let pill {
      let isPressed = pressedSegment.map { Double($0) == pill } ?? false
      let rect = rect(ofPill: pill)
      // Its shadow stays on the bar.
      context.fillPill(
        rect.insetBy(dx: -1, dy: -1).offsetBy(dx: 0, dy: 1), onBarWith: radius + 1, with: Self.shade)
      context.fillPill(rect.offsetBy(dx: 0, dy: 1), onBarWith: radius, with: Self.shade)
      context.fillPill(rect, onBarWith: radius, with: isPressed ? colors.tint.pressed : colors.tint)
    }
    for (index, text) in segments.enumerated() {
      let rect = rect(of: index)
      guard isSeen(index, rect) else { continue }
      var style = textStyle
      style.color = style.color.mixed(with: colors.tint.contrast, cover(of: index, by: pill))
      var title = Title(text, style, padding: Insets(top: 0, left: 4, bottom: 0, right: 4))
      if icons.indices.contains(index) { title.icon.name = icons[index] }
      context.canvas.draw(title, in: rect)
    }
  }

  /// The colour of the pill's shadow.
  private static let shade = Color.black.withAlpha(0.16)

  private func cover(of index: Int, by pill: Double?) -> Double {
    pill.map { max(0, 1 - abs($0 - Double(index))) } ?? 0
  }

  /// Draws the press of a segment, or the line before it.
  private func drawBack(
    of index: Int, in rect: LocalRect, behind pill: Double?, _ context: GraphicsContext
  ) {
    let cover = cover(of: index, by: pill)
    if pressedSegment == index, cover < 1 {
      context.fillPill(rect, onBarWith: rect.size.height / 4, with: colors.track.pressed)
    } else if index > 0, pressedSegment != index, pressedSegment != index - 1,
      cover + self.cover(of: index - 1, by: pill) == 0
    {
      context.fillDivider(at: rect.minX, on: bounds, with: colors.track.mixed(with: colors.thumb, parts: 80))
    }
  }
}

extension SegmentedControl: FocusTextHolding {
  final func focusText(of part: Int) -> String? { segments.indices.contains(part) ? segments[part] : nil }
}

extension SegmentedControl: PartPresenting {
  final var ownPart: Double? { ownPill }
}
