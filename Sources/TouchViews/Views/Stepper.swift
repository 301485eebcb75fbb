import TouchCore

extension ViewKind {
  package static let stepper = ViewKind(
    "stepper", "a stepper", "steppers", .actions, .number(isStepped: true), is: [.continuous, .small],
    alsoCalled: ["spinbox", "counter"]
  ) { Stepper(id: $0) }
}

extension ViewProperty {
  static let ofSteppers: [ViewProperty] = [
    ViewProperty(
      "autorepeat", \Stepper.autorepeats, .flag, is: .fixed,
      "Whether a finger that stays repeats the step, faster and faster."),
    ViewProperty(
      "wraps", \Stepper.wraps, .flag, is: .fixed, "Whether a step beyond one limit leads to the other limit."),
  ]
}

/// Two buttons, minus and plus, which change a value by its step. (`UIStepper`.)
///
/// A tap counts when the finger is lifted on the button on which it came down. A finger that stays repeats
/// the step, faster and faster, until it leaves the button or is lifted.
open class Stepper: ValueControl {
  /// One of the two buttons.
  public enum Part: Sendable {
    /// The left one, which makes less.
    case minus
    /// The right one, which makes more.
    case plus
  }

  /// Whether a step beyond one limit leads to the other one. (`UIStepper.wraps`.)
  public final var wraps = false
  /// Whether a finger that stays repeats the step. (`UIStepper.autorepeat`.)
  public final var autorepeats = true
  /// The button that a finger holds down.
  private(set) final var pressedPart: Part? {
    didSet { if oldValue != pressedPart { setNeedsDisplay() } }
  }
  /// The button on which the tracked touch began.
  private var startPart = Part.minus
  /// The number of repetitions by the tracked touch. Its end does not count after one.
  private var repeats = 0

  /// The time until a held button repeats the step, in seconds.
  private static let repeatDelay = 0.5
  /// Returns the seconds between two repeats, by the number of repeats before. ("The rate of change depends
  /// on how long the user continues pressing the control": `UIStepper`. Apple gives no figures; with these a
  /// range of a hundred takes four seconds.)
  private static func repeatInterval(after repeats: Int) -> Double {
    repeats < 10 ? 0.1 : repeats < 40 ? 0.05 : 0.02
  }

  /// Makes a stepper from 0 to 100 by 1. (`UIStepper.minimumValue`, `maximumValue`, `stepValue`.)
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(0, minimum: 0, maximum: 100, step: 1)
    minimumHitSize = Self.fingerSize
  }

  open override class var standardHitTestClass: View.Type { Stepper.self }

  /// Returns iOS's size.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: ContentLength(94, .high), height: ContentLength(32, .high))
  }

  // MARK: Parts

  /// Returns the left or the right half.
  public final func rect(of part: Part) -> LocalRect {
    let half = ((bounds.maxX - bounds.minX) / 2).rounded(.down)
    return part == .minus
      ? LocalRect(x: bounds.minX, y: bounds.minY, width: half, height: bounds.maxY - bounds.minY)
      : LocalRect(
        x: bounds.minX + half, y: bounds.minY, width: bounds.maxX - bounds.minX - half,
        height: bounds.maxY - bounds.minY)
  }

  /// Returns whether a press of the button changes the value.
  private func isEnabled(_ part: Part) -> Bool { controlValue.map { next($0, part) != $0.number } ?? false }

  private func next(_ value: ControlValue, _ part: Part) -> Double {
    let step = value.step > 0 ? value.step : 1
    let next = value.neighbor(above: part == .plus, by: step)
    // A millionth of a step is more than any rounding.
    let slack = step * 1e-6
    if wraps, next > value.maximum + slack { return value.minimum }
    if wraps, next < value.minimum - slack { return value.maximum }
    return min(max(next, value.minimum), value.maximum)
  }

  /// Minus, and plus.
  open override var focusPartCount: Int { 2 }

  open override func focusRect(of part: Int) -> LocalRect { rect(of: part == 0 ? .minus : .plus) }

  /// Returns the pressed share that pictures show of a button: 1 while it is held, then decreasing.
  final func pressedShare(of part: Part) -> Double {
    if pressedPart == part { return 1 }
    return pressedPart == nil && part == startPart && !isHighlighted ? shownStates.pressed : 0
  }

  // MARK: Touches

  private func part(under touch: Touch) -> Part {
    touch.location(in: self).x < rect(of: .plus).minX ? .minus : .plus
  }

  open override func beginTracking(_ touch: Touch, with event: Event) -> Bool {
    guard controlValue != nil else { return false }
    startPart = part(under: touch)
    repeats = 0
    press(startPart, event)
    return true
  }

  open override func continueTracking(_ touch: Touch, with event: Event) {
    super.continueTracking(touch, with: event)
    let isOnStart = isTouchInside && part(under: touch) == startPart
    guard isOnStart != (pressedPart != nil) else { return }
    press(isOnStart ? startPart : nil, event)
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    continueTracking(touch, with: event)
    if pressedPart != nil, repeats == 0 { takeStep(touch, event) }
    pressedPart = nil
    super.endTracking(touch, with: event)
  }

  open override func cancelTracking(_ touch: Touch, with event: Event) {
    pressedPart = nil
    super.cancelTracking(touch, with: event)
  }

  private func press(_ part: Part?, _ event: Event) {
    pressedPart = part
    deadline = part != nil && autorepeats ? event.timestamp.advanced(bySeconds: Self.repeatDelay) : nil
  }

  open override func deadlinePassed(with event: Event) {
    guard let due = deadline, let touch = trackedTouch, let part = pressedPart, isEnabled(part) else {
      return super.deadlinePassed(with: event)
    }
    repeats += 1
    deadline = due.advanced(bySeconds: Self.repeatInterval(after: repeats))
    takeStep(touch, event)
  }

  private func takeStep(_ touch: Touch, _ event: Event) {
    guard let value = controlValue else { return }
    change(to: next(value, startPart), touch, event)
  }

  /// Keeps taps from recognisers of other views. (UIKit since iOS 6.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    !isSingleTap(ofOther: recognizer)
  }

  // MARK: Drawing

  /// Draws a bar of two halves, each with its sign.
  open override func draw(in context: GraphicsContext) {
    let height = bounds.maxY - bounds.minY
    context.fill(bounds, cornerRadius: height / 4, with: colors.track)
    var pressed = 0.0
    for part in [Part.minus, .plus] {
      let (rect, share) = (rect(of: part), pressedShare(of: part))
      pressed = max(pressed, share)
      if share > 0 { context.fillPill(rect, onBarWith: height / 4, with: colors.tint.faded(to: share)) }
      let mark = isEnabled(part) ? colors.thumb : colors.thumb.mixed(with: colors.track, parts: 160)
      drawSign(of: part, in: rect, mark.mixed(with: colors.tint.contrast, share), context)
    }
    if pressed < 1 {
      let color = colors.track.mixed(with: colors.thumb, parts: 80)
      context.fillDivider(at: rect(of: .plus).minX, on: bounds, with: color.faded(to: 1 - pressed))
    }
  }

  private func drawSign(of part: Part, in rect: LocalRect, _ color: Color, _ context: GraphicsContext) {
    let height = bounds.maxY - bounds.minY
    // Even lengths and widths, in the middle of a rectangle, have whole edges.
    let length = max(4, (min(rect.size.width, height) * 0.2).rounded() * 2)
    let width = max(2, (height / 30).rounded() * 2)
    let (x, y) = (rect.midX.rounded(), rect.midY.rounded())
    let reach = (length - width) / 2
    let canvas = context.canvas
    canvas.beginPath()
    canvas.move(to: LocalPoint(x: x - reach, y: y))
    canvas.addLine(to: LocalPoint(x: x + reach, y: y))
    if part == .plus {
      canvas.move(to: LocalPoint(x: x, y: y - reach))
      canvas.addLine(to: LocalPoint(x: x, y: y + reach))
    }
    canvas.drawPath(StrokeStyle(width: width), with: .color(color))
  }
}

extension Stepper: FocusTextHolding {
  final func focusText(of part: Int) -> String? { part == 0 ? "−" : "+" }
}
