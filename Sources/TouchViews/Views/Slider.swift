import TouchCore

extension ViewKind {
  package static let slider = ViewKind(
    "slider", "a slider", "sliders", .actions, .number(isStepped: false), is: [.continuous, .small],
    alsoCalled: ["range", "seekbar", "trackbar"]
  ) { Slider(id: $0) }
}

extension ViewProperty {
  static let ofSliders: [ViewProperty] = [
    ViewProperty(
      "jumps", \Slider.jumps, .flag, is: .fixed, "Whether a touch on the track moves the thumb there.")
  ]
}

/// A thumb on a track, which a finger drags. (`UISlider`.)
///
/// Only a touch that begins on the thumb moves it, unless `jumps`. The thumb keeps its place under the
/// finger; a cancelled touch leaves the value where it is.
open class Slider: ValueControl {
  /// Whether a touch beside the thumb moves it there, and then drags it. UIKit's slider does not.
  public final var jumps = false
  /// The distance from the finger to the middle of the thumb, along the track, when the touch began.
  private var grip = 0.0
  /// The place at which the thumb last met the finger, along the track; nil if it has not yet.
  private var followed: Double?

  /// Makes a slider, by default from 0 to 1. (`UISlider.minimumValue`, `UISlider.maximumValue`.)
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(0)
    minimumHitSize = Self.fingerSize
  }

  open override class var standardHitTestClass: View.Type { Slider.self }

  /// The part of its range, in per cent.
  open override var spokenValue: String? { controlValue?.spokenShare }

  /// Returns iOS's height, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: .none, height: ContentLength(34, .high))
  }

  private static let shadowReach = 8.0

  // MARK: Parts

  /// The whole track, from the left end to the right one. (`UISlider.trackRect(forBounds:)`.)
  public final var trackRect: LocalRect { bounds.middleBar(height: max(2, (thumbSize / 5).flooredToEven)) }

  /// The rectangle of the thumb at the present value. (`UISlider.thumbRect(forBounds:trackRect:value:)`.)
  public final var thumbRect: LocalRect { thumbRect(at: controlValue?.fraction ?? 0) }

  private func thumbRect(at fraction: Double) -> LocalRect {
    let bar = bounds.middleBar(height: thumbSize)
    let way = isMirrored ? 1 - fraction : fraction
    return LocalRect(x: bar.minX + way * travel, y: bar.minY, width: thumbSize, height: thumbSize)
  }

  private var isMirrored: Bool { effectiveUserInterfaceLayoutDirection == .rightToLeft }

  private var thumbSize: Double {
    min(Self.thumbSize, bounds.maxY - bounds.minY, (bounds.maxX - bounds.minX) / 2).flooredToEven
  }

  /// Returns the thumb's size as on iOS, with its shadow, if there is room, whatever the frame is.
  private static let thumbSize = 32.0
  private var travel: Double { bounds.maxX - bounds.minX - thumbSize }

  override func valueDidChange(from old: ControlValue?) {
    // The part of the track that changes its colour lies between the two.
    let thumbs = thumbRect(at: old?.fraction ?? 0).union(thumbRect)
    setNeedsDisplay(thumbs.outset(by: Self.shadowReach).intersection(bounds))
  }

  /// Whether a touch at a point moves the thumb: a finger needs more room than a small thumb has.
  private func isGripped(at point: LocalPoint) -> Bool {
    let thumb = thumbRect
    return jumps || abs(point.x - thumb.midX) <= max(thumb.size.width, Self.fingerSize) / 2
  }

  // MARK: Touches

  open override func beginTracking(_ touch: Touch, with event: Event) -> Bool {
    let point = touch.location(in: self)
    guard controlValue != nil, isGripped(at: point) else { return false }
    let offset = thumbRect.midX - point.x
    let isOnThumb = abs(offset) <= max(thumbSize, Self.fingerSize) / 2
    (grip, followed) = isOnThumb ? (offset, point.x) : (0, nil)
    return true
  }

  open override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    let disposition = super.touchesBegan(touches, with: event)
    // After touchDown: the thumb comes to the finger.
    if let touch = trackedTouch, touches.contains(where: { $0 === touch }) { follow(touch, event) }
    return disposition
  }

  open override func continueTracking(_ touch: Touch, with event: Event) {
    super.continueTracking(touch, with: event)
    follow(touch, event)
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    follow(touch, event)
    super.endTracking(touch, with: event)
  }

  private func follow(_ touch: Touch, _ event: Event) {
    let x = touch.location(in: self).x
    // A finger that rests must not change the value by what rounding loses.
    guard let value = controlValue, travel > 0, x != followed else { return }
    followed = x
    let left = x + grip - thumbSize / 2 - bounds.minX
    let way = min(max(left / travel, 0), 1)
    let fraction = isMirrored ? 1 - way : way
    change(to: value.minimum + fraction * (value.maximum - value.minimum), touch, event)
  }

  /// Keeps a drag of the thumb along the slider from recognisers of other views; drags across it scroll.
  /// (UIKit since iOS 6: a superview's recogniser does not get a swipe of one finger on the knob of a slider
  /// in a direction parallel to it.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    guard let touch = fingerAlong(ofOther: recognizer) else { return true }
    // The thumb may have followed the finger already.
    return touch !== trackedTouch && !isGripped(at: convertFromWindow(touch.beganSample.location))
  }

  override var presentableValue: ControlValue? { controlValue }

  // MARK: Drawing

  /// Draws a track that the thumb divides, and the thumb.
  open override func draw(in context: GraphicsContext) {
    let thumb = thumbRect
    // While nobody holds it, there is room for its shadow; the track does not go beyond it.
    let margin = (thumb.size.width / 16).rounded()
    let track = trackRect.insetBy(dx: margin, dy: 0)
    let (tint, rest) = (colors.tintPaint(along: track), colors.trackPaint(along: track))
    let (left, right) = isMirrored ? (rest, tint) : (tint, rest)
    context.fillBar(track, from: track.minX, to: thumb.midX, with: left)
    context.fillBar(track, from: thumb.midX, to: track.maxX, with: right)
    let inset = (margin * (1 - shownStates.pressed)).rounded()
    drawKnob(thumb.insetBy(dx: inset, dy: inset), ring: colors.tint, in: context)
  }
}
