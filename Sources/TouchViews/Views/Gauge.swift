import TouchCore

extension ViewKind {
  package static let progress = ViewKind(
    "progress", "a progress bar", "progress bars", .none, .reading, is: .small,
    alsoCalled: ["bar", "progressbar"]
  ) { ProgressView(id: $0) }

  package static let gauge = ViewKind(
    "gauge", "a gauge", "gauges", .none, .reading, alsoCalled: ["arc", "meter", "dial"]
  ) { Gauge(id: $0) }
}

extension ViewProperty {
  static let ofGauges: [ViewProperty] = [
    ViewProperty("gauge", \Gauge.style, .word, is: .fixed, "The look of the value: `needle` or `arc`."),
    startAngle, endAngle,
  ]

  package static let startAngle = ViewProperty(
    "start_angle", \Gauge.startAngle, .number(.angle), is: [.nullable, .fixed],
    "The beginning of the scale, in degrees clockwise from twelve o'clock.")

  package static let endAngle = ViewProperty(
    "end_angle", \Gauge.endAngle, .number(.angle), is: [.nullable, .fixed],
    "The end of the scale: above `start_angle`, by at most 360.")
}

/// A bar that is filled as far as its value says. User interaction is off. (`UIProgressView`.)
open class ProgressView: ValueControl {
  /// Makes a bar from 0 to 1, unless other limits are set. (`UIProgressView.progress`.)
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(0)
    forwards = true
    isUserInteractionEnabled = false
  }

  open override class var standardHitTestClass: View.Type { ProgressView.self }

  /// The filled part, in per cent.
  open override var spokenValue: String? { controlValue?.spokenShare }

  /// Returns iOS's height, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: .none, height: ContentLength(4, .high))
  }

  /// The filled part, from the left end of the bounds, or from the right one if mirrored; all at the maximum.
  final var fillRect: LocalRect {
    let width = fillWidth(controlValue?.fraction ?? 0)
    return LocalRect(
      x: isMirrored ? bounds.maxX - width : bounds.minX, y: bounds.minY, width: width,
      height: bounds.maxY - bounds.minY)
  }

  /// Whether the bar is filled from the right end.
  private var isMirrored: Bool { effectiveUserInterfaceLayoutDirection == .rightToLeft }

  private func fillWidth(_ fraction: Double) -> Double {
    let (width, height) = (bounds.maxX - bounds.minX, bounds.maxY - bounds.minY)
    // The round ends need room.
    return fraction > 0 ? min(width, max(fraction * width, min(height, width))) : 0
  }

  override func valueDidChange(from old: ControlValue?) {
    let ends = [fillWidth(old?.fraction ?? 0), fillWidth(controlValue?.fraction ?? 0)]
    let (height, left) = (bounds.maxY - bounds.minY, bounds.minX)
    // The change includes the round end.
    let first = max(0, min(ends[0], ends[1]) - height)
    let last = max(ends[0], ends[1])
    let start = isMirrored ? bounds.maxX - last : left + first
    setNeedsDisplay(LocalRect(x: start, y: bounds.minY, width: last - first, height: height))
  }

  override var presentableValue: ControlValue? { controlValue }

  // MARK: Drawing

  /// Draws a bar with round ends. The part up to the value has the tint.
  open override func draw(in context: GraphicsContext) {
    let (filled, tint, rest) = (fillRect, colors.tintPaint(along: bounds), colors.trackPaint(along: bounds))
    guard context.canvas.isUpright, !filled.isEmpty else {
      // A turned bar has no whole pixels at which it could be cut.
      context.fillCapsule(bounds, with: rest)
      return context.fillCapsule(filled, with: tint)
    }
    let height = min(bounds.maxY - bounds.minY, bounds.maxX - bounds.minX)
    let end = LocalRect(
      x: isMirrored ? filled.minX : filled.maxX - height, y: bounds.minY, width: height,
      height: bounds.maxY - bounds.minY)
    let (left, right) = isMirrored ? (rest, tint) : (tint, rest)
    context.fillBar(bounds, from: end.midX, to: bounds.maxX, with: right)
    context.fillBar(bounds, from: bounds.minX, to: end.midX, with: left)
    context.canvas.fillMoving(end, with: tint)
  }
}

/// A round scale whose value a needle or a filled arc shows. User interaction
/// is off. (UIKit has none; SwiftUI's `Gauge`.)
open class Gauge: ValueControl {
  /// The form in which the value is shown.
  public enum Style: String, CaseIterable, Sendable {
    /// A needle that turns.
    case needle
    /// An arc that grows.
    case arc
  }

  /// The form in which the value is shown.
  public final var style = Style.needle { didSet { appearanceChanged(oldValue != style) } }
  /// The beginning of the scale, in degrees clockwise from twelve o'clock.
  public final var startAngle = -120.0 { didSet { appearanceChanged(oldValue != startAngle) } }
  /// The end of the scale: above `startAngle`, by at most 360.
  public final var endAngle = 120.0 { didSet { appearanceChanged(oldValue != endAngle) } }

  /// Makes a gauge from 0 to 1, unless other limits are set.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(0)
    forwards = true
    isUserInteractionEnabled = false
  }

  open override class var standardHitTestClass: View.Type { Gauge.self }

  // MARK: Parts

  private var dialCenter: LocalPoint { LocalPoint(x: bounds.midX, y: bounds.midY) }
  /// The distance from the middle to the outer edge of the scale.
  private var radius: Double { min(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY).flooredToEven / 2 }
  private var ringWidth: Double { max(1, (radius * (style == .arc ? 0.2 : 0.08)).rounded()) }

  /// The place of the value on the scale, in degrees clockwise from twelve o'clock.
  /// It is rounded to half a degree, which limits the number of pictures of a needle.
  private var valueAngle: Double { angle(controlValue?.fraction ?? 0) }

  private func angle(_ fraction: Double) -> Double {
    (2 * (startAngle + fraction * (endAngle - startAngle))).rounded() / 2
  }

  /// The needle at twelve o'clock, with the middle of the dial as its origin.
  private var needleRect: LocalRect {
    let width = max(2, radius / 10).flooredToEven
    // The other end of the needle is under the hub.
    let tail = max(0, hubSize / 2 - 1)
    return LocalRect(x: -width / 2, y: -needleReach, width: width, height: needleReach + tail)
  }

  /// The distance from the middle of the dial to the point of the needle.
  private var needleReach: Double { max(0, radius - ringWidth * 1.5) }

  private var hubSize: Double { max(4, radius / 4).flooredToEven }

  /// The knob that holds the needle.
  private var hubRect: LocalRect {
    let size = hubSize
    return LocalRect(x: dialCenter.x - size / 2, y: dialCenter.y - size / 2, width: size, height: size)
  }

  /// The largest square in the middle of the scale: where subviews without frames lie, such as a figure and
  /// its caption.
  private var innerSquare: LocalRect {
    let half = max(0, ((radius - ringWidth) / 2.0.squareRoot()).rounded(.down))
    return LocalRect(x: dialCenter.x - half, y: dialCenter.y - half, width: 2 * half, height: 2 * half)
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    for subview in storedSubviews where subview.isArranged { subview.layoutRect = innerSquare }
  }

  override func valueDidChange(from old: ControlValue?) {
    let (before, now) = (angle(old?.fraction ?? 0), valueAngle)
    guard before != now else { return }
    switch style {
    case .needle:
      setNeedsDisplay(needleBox(before))
      setNeedsDisplay(needleBox(now))
    case .arc:
      // The change includes the curves at both ends.
      let (first, last) = (min(before, now) - Arc.stride, max(before, now) + Arc.stride)
      setNeedsDisplay(ringBox(from: max(startAngle, first), to: min(endAngle, last)))
    }
  }

  /// Returns the turn from twelve o'clock to an angle around the middle of the dial.
  private func needleTurn(_ degrees: Double) -> AffineTransform {
    .rotation(degrees: degrees).then(.translation(x: dialCenter.x, y: dialCenter.y))
  }

  private func needleBox(_ degrees: Double) -> LocalRect { needleTurn(degrees).bounding(needleRect) }

  /// Returns the bounding box of a part of the scale, with its round ends.
  private func ringBox(from start: Double, to end: Double) -> LocalRect {
    let middle = radius - ringWidth / 2
    func box(_ degrees: Double) -> LocalRect {
      let point: LocalPoint = AffineTransform.rotation(degrees: degrees).map(LocalPoint(x: 0, y: -middle))
      return LocalRect(x: dialCenter.x + point.x, y: dialCenter.y + point.y, width: 0, height: 0)
        .outset(by: ringWidth / 2 + 1)
    }
    var rect = box(start).union(box(end))
    // Between two quarters, the ends of the part determine its box.
    var quarter = (start / 90).rounded(.up) * 90
    // More than a whole turn counts as one.
    while quarter < min(end, start + 360) {
      rect = rect.union(box(quarter))
      quarter += 90
    }
    return rect
  }

  override var presentableValue: ControlValue? { controlValue }

  // MARK: Drawing

  /// Draws a scale, with a needle or a filled part.
  open override func draw(in context: GraphicsContext) {
    let angle = valueAngle
    switch style {
    case .arc:
      // The track begins at its end, so that only the curve at the value
      // changes with it, below the other part.
      if angle < endAngle { drawArc(from: endAngle, to: max(startAngle, angle), colors.trackFill, context) }
      if angle > startAngle { drawArc(from: startAngle, to: angle, colors.tintFill, context) }
    case .needle:
      drawArc(from: startAngle, to: endAngle, colors.trackFill, context)
      context.transformed(by: needleTurn(angle)) {
        context.fillCapsule(needleRect, with: .color(colors.tint))
      }
      context.fillCapsule(hubRect, with: .color(colors.thumb))
    }
  }

  /// Draws a part of the scale, with round ends.
  private func drawArc(from start: Double, to end: Double, _ fill: Fill, _ context: GraphicsContext) {
    let paint: Paint =
      switch fill {
      case .color(let color): .color(color)
      case .gradient(let gradient): .ring(gradient, dialCenter, from: startAngle, to: endAngle)
      }
    let canvas = context.canvas
    canvas.beginPath()
    canvas.addArc(Arc(center: dialCenter, radius: radius - ringWidth / 2, start: start, end: end))
    canvas.drawPath(StrokeStyle(width: ringWidth), with: paint)
  }
}
