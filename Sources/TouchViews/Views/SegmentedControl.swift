import TouchCore

/// A row of segments, of which one is chosen. (`UISegmentedControl`.)
///
/// The value is the number of the chosen segment, counted from 0, or −1 if no segment is chosen.
/// (`UISegmentedControl.noSegment`.) It changes when the finger is lifted, to the segment where it is then. A finger on the
/// chosen segment changes nothing.
open class SegmentedControl: ValueControl {
  /// What stands on the segments, from left to right; the value follows to what is left.
  public final var segments: [String] = [] {
    didSet {
      guard oldValue != segments else { return }
      value = ControlValue(
        value?.number ?? -1, minimum: -1, maximum: Double(max(0, segments.count - 1)), step: 1)
      setNeedsDisplay()
    }
  }
  /// The name of the icon of each segment, in front of its text or in its place; an empty one is none. See `Icon`.
  public final var icons: [String] = [] { didSet { appearanceChanged(oldValue != icons) } }
  /// Centred, and smaller than a button's title.
  public final var textStyle = TextStyle(alignment: .center) {
    didSet { appearanceChanged(oldValue != textStyle) }
  }
  /// The segment under the tracked finger.
  package private(set) final var pressedSegment: Int? {
    didSet { if oldValue != pressedSegment { setNeedsDisplay() } }
  }

  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    value = ControlValue(-1, minimum: -1, maximum: 0, step: 1)
    textStyle.size = 16
    minimumHitSize = Self.fingerSize
  }

  open override class var standardHitTestClass: View.Type { SegmentedControl.self }

  /// The chosen segment; nil for none. Setting it sends no action. (`UISegmentedControl.selectedSegmentIndex`.)
  public final var selectedSegment: Int? {
    get { value.flatMap { $0.number >= 0 ? Int(saturating: $0.number) : nil } }
    set { value?.number = newValue.map(Double.init) ?? -1 }
  }

  /// As wide as there is room, and as high as iOS draws it.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: .none, height: ContentLength(32, .content))
  }

  // MARK: Parts

  /// Where a segment is; all are as wide, to a unit.
  public final func rect(of segment: Int) -> LocalRect {
    let (left, right) = (edge(segment), edge(segment + 1))
    return LocalRect(x: left, y: bounds.minY, width: right - left, height: bounds.maxY - bounds.minY)
  }

  /// Each segment.
  open override var focusPartCount: Int { segments.count }

  open override func focusRect(of part: Int) -> LocalRect { rect(of: part) }

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
    if let pressedSegment { change(to: Double(pressedSegment), touch, event) }
    pressedSegment = nil
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
}
