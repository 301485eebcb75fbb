import TouchCore

extension ViewKind {
  package static let `switch` = ViewKind(
    "switch", "a switch", "switches", .actions, .flag, is: .small,
    alsoCalled: ["toggle", "checkbox", "check", "togglebutton", "toggleswitch"]
  ) { Switch(id: $0) }
}

/// On or off: a knob that a tap or a drag moves to the other side. (`UISwitch`.)
///
/// The value changes when the finger is lifted: after a tap to the other side, after a drag to the side where
/// the knob is. A cancelled touch brings the knob back.
open class Switch: ValueControl {
  /// The place of the knob while a finger drags it, from 0 (off) to 1 (on).
  private var draggedFraction: Double? {
    get { storedFraction }
    set {
      guard newValue != storedFraction else { return }
      storedFraction = newValue
      setNeedsDisplay()
    }
  }
  private var storedFraction: Double?
  /// The place of the knob in the picture being painted; nil outside of one.
  final var presentedPart: Double?
  /// The place where the finger came down, along the switch, and that of the knob then.
  private var start = (x: 0.0, fraction: 0.0)

  /// The distance of a finger before it is a drag, in units of the view, as for a pan.
  private static let slack = 10.0

  /// Makes a switch that is off. (`UISwitch.isOn`.)
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(isOn: false)
    minimumHitSize = Self.fingerSize
  }

  open override class var standardHitTestClass: View.Type { Switch.self }

  /// Whether the switch is on. Setting it sends no action. (`UISwitch.isOn`; in an animation,
  /// `setOn(_:animated:)`.)
  public final var isOn: Bool {
    get { controlValue?.isOn ?? false }
    set { controlValue = ControlValue(isOn: newValue) }
  }

  /// Returns iOS's size.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: ContentLength(51, .high), height: ContentLength(31, .high))
  }

  // MARK: Parts

  /// The place of the knob from off (0) to on (1).
  package final var knobFraction: Double { presentedPart ?? ownFraction }
  /// The place of the knob without regard to pictures.
  final var ownFraction: Double { draggedFraction ?? (isOn ? 1 : 0) }

  /// The groove in which the knob moves: at most twice as wide as high, in the middle of the bounds.
  package final var trackRect: LocalRect {
    let (width, height) = (bounds.maxX - bounds.minX, bounds.maxY - bounds.minY)
    let high = min(height, width / 1.5).flooredToEven
    let wide = min(width, 2 * high)
    var bar = bounds.middleBar(height: high)
    bar.origin.x += ((width - wide) / 2).rounded(.down)
    bar.size.width = wide
    return bar
  }

  package final var knobRect: LocalRect {
    let track = trackRect
    let margin = max(1, (track.size.height / 14).rounded())
    let size = max(0, track.size.height - 2 * margin)
    return LocalRect(
      x: track.minX + margin + knobFraction * (track.size.width - track.size.height), y: track.minY + margin,
      width: size, height: size)
  }

  private var seenFraction: Double {
    if case .number(let fraction) = window?.animator?.presented(.part, of: self) {
      fraction
    } else {
      knobFraction
    }
  }

  /// Moves the knob in pictures from where it was seen to its place. (`UISwitch.setOn(_:animated:)`.)
  private func slideKnob(from start: Double) {
    guard start != knobFraction, let animator = window?.runningAnimator else { return }
    animator.move(.part, of: self, from: .number(start), in: animator.group(Timing(0.2)))
  }

  // MARK: Touches

  open override func beginTracking(_ touch: Touch, with event: Event) -> Bool {
    start = (touch.location(in: self).x, knobFraction)
    return controlValue != nil
  }

  open override func continueTracking(_ touch: Touch, with event: Event) {
    super.continueTracking(touch, with: event)
    let track = trackRect
    let way = touch.location(in: self).x - start.x
    guard draggedFraction != nil || abs(way) >= Self.slack else { return }
    draggedFraction = min(max(start.fraction + way / max(1, track.size.width - track.size.height), 0), 1)
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    continueTracking(touch, with: event)
    let (dragged, start) = (draggedFraction, seenFraction)
    draggedFraction = nil
    if let dragged {
      change(to: dragged >= 0.5 ? 1 : 0, touch, event)
    } else if isTouchInside {
      change(to: isOn ? 0 : 1, touch, event)
    }
    slideKnob(from: start)
    super.endTracking(touch, with: event)
  }

  open override func cancelTracking(_ touch: Touch, with event: Event) {
    let start = seenFraction
    draggedFraction = nil
    slideKnob(from: start)
    super.cancelTracking(touch, with: event)
  }

  /// Keeps taps, and drags along the switch, from recognisers of other views; drags across it scroll. (UIKit
  /// since iOS 6: a superview's recogniser does not get a tap on a switch, nor a pan of one finger on its
  /// knob in a direction parallel to it.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    !isSingleTap(ofOther: recognizer) && fingerAlong(ofOther: recognizer) == nil
  }

  // MARK: Drawing

  /// Draws a groove with a knob in it. The colour follows the knob.
  open override func draw(in context: GraphicsContext) {
    let fraction = knobFraction
    context.fillCapsule(trackRect, with: .color(colors.track.mixed(with: colors.tint, fraction)))
    drawKnob(knobRect, ring: colors.tint.mixed(with: colors.track, fraction), in: context)
  }
}

extension Switch: PartPresenting {
  final var ownPart: Double? { ownFraction }
  final var partIsSettable: Bool { true }
}
