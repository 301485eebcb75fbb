import TouchCore

extension ViewKind {
  package static let chart = ViewKind(
    "chart", "a chart", "charts", .none, is: .font, alsoCalled: ["graph", "plot", "history"]
  ) { ChartView(id: $0) }
}

extension ViewProperty {
  package static let chart = ViewProperty(
    "chart", \ChartView.style, .word,
    "How the values are shown: `line`, `area` or `bars`. See [charts](charts.md#charts).")

  package static let chartValues = ViewProperty(
    "of", \ChartView.names, .names, is: [.fixed, .noDefault],
    "The name of the value that it shows, or a list of names.")

  static let ofCharts: [ViewProperty] = [
    chartValues,
    ViewProperty(
      "seconds", \ChartView.seconds, .number(.seconds), is: .nullable, "How many seconds it shows."),
    chart,
    ViewProperty(
      "minimum", \ChartView.minimum, PropertyType.coordinate.orNone, is: .nullable,
      "The lower end of the scale. Default: by the values; an `area` and `bars` reach to 0."),
    ViewProperty(
      "maximum", \ChartView.maximum, PropertyType.coordinate.orNone, is: .nullable,
      "The upper end of the scale. Default: by the values."),
    ViewProperty(
      "grid", \ChartView.hasGrid, .flag, is: .nullable, "Whether there are lines at the times, too."),
    ViewProperty(
      "tint", \ChartView.tint, .color, is: [.cosmetic, .nullable],
      "The colour of its first value; the others have colours of their own."),
    ViewProperty(
      "track", \ChartView.gridColor, .color, is: [.cosmetic, .nullable, .fixed],
      "The colour of the lines behind the values."),
  ]
}

/// The course of values over the last seconds: as lines, areas or bars, with labels at the axes. User
/// interaction is off. (UIKit has none; Swift Charts.)
///
/// It costs as much to paint for a day as for a minute: a series keeps a fixed number of samples, with their
/// smallest and largest values, and a painter asks for one stretch of time for each column of pixels.
open class ChartView: View, TextStyled, NumberShowing {
  /// The form in which values are shown.
  public enum Style: String, CaseIterable, Sendable {
    /// A line from value to value.
    case line
    /// A line, filled down to the lower end.
    case area
    /// A bar for each stretch of time, as high as its largest value.
    case bars
  }

  /// The form in which values are shown.
  public final var style = Style.line { didSet { changed(oldValue != style) } }
  /// The length of the chart in seconds.
  public final var seconds = 60.0 { didSet { changed(oldValue != seconds) } }
  /// The lower end of the scale; nil for the one that the values need.
  public final var minimum: Double? { didSet { changed(oldValue != minimum) } }
  /// The upper end of the scale; nil for the one that the values need.
  public final var maximum: Double? { didSet { changed(oldValue != maximum) } }
  /// Whether there are lines at the times, too.
  public final var hasGrid = false { didSet { changed(oldValue != hasGrid) } }
  /// The style of the labels at the axes.
  public final var textStyle = TextStyle(alignment: .right) { didSet { changed(oldValue != textStyle) } }
  /// The text between a whole number and its decimals. (`Locale.decimalSeparator`.)
  public final var decimalSeparator = "." { didSet { changed(oldValue != decimalSeparator) } }
  /// The colour of the first series. The others have their own colours.
  public final var tint = ValueControl.Colors().tint { didSet { changed(oldValue != tint) } }
  /// The colour of the lines behind the values.
  public final var gridColor = ValueControl.Colors().track { didSet { changed(oldValue != gridColor) } }

  /// The names of the series, back to front. `connect(_:)` looks them up.
  public final var names: [String] = []
  /// The series, back to front.
  public final var series: [Series] = [] {
    didSet {
      for series in series where !oldValue.contains(where: { $0 === series }) {
        series.onChange.append { [weak self] in self?.changed(true) }
      }
      changed(true)
    }
  }

  /// The latest known time, at which the chart ends.
  private var now = Timestamp.zero
  private var known: (key: FrameKey, frame: ChartFrame)?

  /// Makes a chart with small, grey labels.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    textStyle.size = 12
    textStyle.color = Color(red: 0x9a, green: 0xa8, blue: 0xb4)
    isUserInteractionEnabled = false
    mayRepeatDeadline = true
  }

  open override class var standardHitTestClass: View.Type { ChartView.self }

  /// Sets the series of the chart's names. A name without a series is left out.
  /// The owner of a file's values calls it when the file's views are made.
  public final func connect(_ find: (_ name: String) -> Series?) { series = names.compactMap(find) }

  /// Returns the colour of a series.
  public final func color(of index: Int) -> Color {
    index == 0 ? tint : Self.palette[(index - 1) % Self.palette.count]
  }

  private static let palette = [
    Color(red: 0xf5, green: 0xb9, blue: 0x42), Color(red: 0x7a, green: 0xd0, blue: 0x7a),
    Color(red: 0xff, green: 0x5c, blue: 0x7a), Color(red: 0xb3, green: 0x88, blue: 0xff),
  ]

  private func changed(_ changed: Bool) {
    guard changed else { return }
    known = nil
    setNeedsDisplay()
  }

  // MARK: Time

  /// The end of the chart: the latest known time.
  public final var end: Timestamp {
    var end = max(now, window?.dispatcher?.present ?? now)
    for series in series where series.count > 0 { end = max(end, series[series.count - 1].time) }
    return end
  }

  private var hasValues: Bool { series.contains { $0.count > 0 } }

  /// Schedules the next drawing, which is due when time has passed by a column of pixels, and
  /// at least a second. An invisible chart is not drawn, and so does not wake the program.
  final func moveOn() {
    guard deadline == nil, window?.dispatcher != nil, hasValues else { return }
    deadline = end.advanced(bySeconds: max(1, seconds / max(1, bounds.size.width)))
  }

  open override func deadlinePassed(with event: Event) {
    deadline = nil
    now = event.timestamp
    changed(true)
  }

  // MARK: The frame

  private struct FrameKey: Equatable {
    var bounds: LocalRect
    var low, high: Double
  }

  /// The area of the values, and the labels around it.
  public final var chartFrame: ChartFrame {
    let (low, high) = limits
    let key = FrameKey(bounds: bounds, low: low, high: high)
    if let known, known.key == key { return known.frame }
    let frame = ChartFrame(
      in: bounds, from: low, to: high, seconds: seconds, textSize: textStyle.size,
      separator: decimalSeparator,
      trailing: style == .bars ? 0 : Self.dotRadius,
      // A chart without values does not move on.
      timeOfDay: hasValues ? window?.timeOfDay?() : nil)
    known = (key, frame)
    return frame
  }

  /// The ends of the scale, before they are rounded to whole steps.
  private var limits: (Double, Double) {
    var (low, high) = (Double.infinity, -Double.infinity)
    if minimum == nil || maximum == nil {
      let end = end
      for series in series {
        for index in series.start(of: seconds, before: end)..<series.count {
          let sample = series[index]
          guard sample.value != nil else { continue }
          (low, high) = (min(low, sample.minimum), max(high, sample.maximum))
        }
      }
    }
    if low > high { (low, high) = (minimum ?? 0, max((minimum ?? 0) + 1, maximum ?? 1)) }
    // Bars and areas stand on zero.
    if style != .line, minimum == nil { (low, high) = (min(low, 0), max(high, 0)) }
    return (minimum ?? low, max(maximum ?? high, minimum ?? low))
  }

  /// The fading colours below lines, by the colours of these.
  final var fades: [Color: Gradient] = [:]

  /// The points of the series being drawn. Their memory is kept.
  final var line: [ChartPoint] = []

  /// Draws the axes, and every series.
  open override func draw(in context: GraphicsContext) {
    moveOn()
    drawChart(context)
  }
}

/// The parts of a chart: the room for the values, and the labels that fit beside it.
public struct ChartFrame: Hashable, Sendable {
  /// A label with its line.
  public struct Mark: Hashable, Sendable {
    /// The place of the line in the chart's own space: from the top for a value, from the left for a time.
    public var place: Double
    /// The text of the label.
    public var text: String
    /// The rectangle of the label.
    public var rect: LocalRect
  }

  /// The room for the values.
  public let plot: LocalRect
  /// The values at the lower and at the upper edge of the room.
  public let low, high: Double
  /// The values with labels, from the lowest to the highest.
  public let values: [Mark]
  /// The times with labels, from the oldest to the newest.
  public let times: [Mark]

  /// The width of a digit in every usual font, or more, as a part of the font's size.
  private static let digitWidth = 0.65
  /// The most labels at one axis. A program may make a chart of any size, with a font of any size.
  static let mostLabels = 100
  /// The greatest value inside the scale, so that the difference of two values is a number.
  private static let farthest = 1e300
  /// The shortest scale, and the shortest one as a part of its values, that rounding does not spoil.
  private static let (shortest, shortestPart) = (1e-290, 1e-9)

  init(
    in bounds: LocalRect, from low: Double, to high: Double, seconds: Double, textSize: Double,
    separator: String = ".", trailing: Double = 0, timeOfDay: Double? = nil
  ) {
    let (low, high) = (Self.limited(low), Self.limited(high))
    let line = max(1, (textSize * 1.4).rounded())
    let room = max(0, bounds.size.height - 1.5 * line)
    let most = min(Self.mostLabels, max(1, Int(saturating: room / (2 * line))))
    let shortest = max(Self.shortest, Self.shortestPart * max(abs(low), abs(high)))
    let step = Self.step(for: high > low ? max(high - low, shortest) : max(1, abs(low)), most: most)
    let bottom = (low / step + 1e-9).rounded(.down) * step
    let top = max(bottom + step, (high / step - 1e-9).rounded(.up) * step)
    (self.low, self.high) = (bottom, top)
    // Both ends are rounded to a step.
    let count = min(most + 2, Int(saturating: ((top - bottom) / step).rounded()))
    let decimals = ControlValue(0, minimum: 0, maximum: step, step: step)
    let texts = (0...max(1, count)).map { index in
      Self.text(bottom + Double(index) * step, like: decimals, separator)
    }
    let width = (Double(texts.map(\.count).max() ?? 0) * Self.digitWidth * textSize).rounded(.up)
    // Without labels, if they would take half of the room.
    let hasLabels = width < bounds.size.width / 2 && room >= 2 * line && textSize >= 1
    let left = hasLabels ? width + 6 : 0
    plot = LocalRect(
      x: bounds.minX + left, y: bounds.minY + (hasLabels ? (line / 2).rounded() : 0),
      width: max(0, bounds.size.width - left - trailing), height: hasLabels ? room : bounds.size.height)
    let plot = plot
    guard hasLabels, plot.size.width > 0, plot.size.height > 0 else {
      (values, times) = ([], [])
      return
    }
    values = texts.enumerated().map { index, text in
      let y = (plot.maxY - Double(index) / Double(texts.count - 1) * plot.size.height).rounded()
      return Mark(
        place: y, text: text, rect: LocalRect(x: bounds.minX, y: y - line / 2, width: width, height: line))
    }
    times = Self.times(seconds, in: plot, textSize, line, to: bounds.maxX, timeOfDay)
  }

  private static func limited(_ value: Double) -> Double { min(farthest, max(-farthest, value)) }

  /// Returns the smallest step of 1, 2 or 5 times a power of ten that covers a length `most` times or less.
  static func step(for length: Double, most: Int) -> Double {
    let least = length / Double(max(1, most))
    guard least > 0, least.isFinite else { return 1 }
    var power = 1.0
    while power > least { power /= 10 }
    while power * 10 <= least { power *= 10 }
    for factor in [1.0, 2, 5] where power * factor >= least * (1 - 1e-9) { return power * factor }
    return power * 10
  }

  private static func text(_ value: Double, like step: ControlValue, _ separator: String) -> String {
    ControlValue(value, minimum: min(0, value), maximum: max(0, value), step: 0).text(
      decimals: step.decimalsOfStep, separator: separator)
  }

  private static let spans: [(seconds: Double, unit: Double, name: String)] = [
    (1, 1, "s"), (2, 1, "s"), (5, 1, "s"), (10, 1, "s"), (15, 1, "s"), (30, 1, "s"), (60, 60, "min"),
    (120, 60, "min"), (300, 60, "min"), (600, 60, "min"), (900, 60, "min"), (1800, 60, "min"),
    (3600, 3600, "h"), (7200, 3600, "h"), (10_800, 3600, "h"), (21_600, 3600, "h"), (43_200, 3600, "h"),
    (86_400, 86_400, "d"), (172_800, 86_400, "d"), (604_800, 86_400, "d"), (2_592_000, 86_400, "d"),
  ]

  /// Returns the times with labels: times of day where these are known, or else such as `−30 min`.
  ///
  /// - Parameter now: the seconds since midnight; nil where they are not known.
  private static func times(
    _ seconds: Double, in plot: LocalRect, _ textSize: Double, _ line: Double, to right: Double,
    _ now: Double?
  ) -> [Mark] {
    let width = 7 * digitWidth * textSize
    let most = min(Double(mostLabels), plot.size.width / (width * 1.3))
    guard let span = spans.first(where: { seconds / $0.seconds <= most }), seconds > 0 else { return [] }
    let count = Int(saturating: (seconds / span.seconds + 1e-9).rounded(.down))
    if let now, span.seconds < 86_400 {
      let first = now.truncatingRemainder(dividingBy: span.seconds)
      return (0...count).reversed().compactMap { index in
        let ago = first + Double(index) * span.seconds
        let x = (plot.maxX - ago / seconds * plot.size.width).rounded()
        guard ago <= seconds, x - width / 2 >= plot.minX, x + width / 2 <= right else { return nil }
        return Mark(
          place: x, text: text(ofTime: now - ago, withSeconds: span.seconds < 60),
          rect: LocalRect(x: x - width / 2, y: plot.maxY + 2, width: width, height: line))
      }
    }
    return (0...count).reversed().compactMap { index in
      let ago = Double(index) * span.seconds
      let x = (plot.maxX - ago / seconds * plot.size.width).rounded()
      let left = min(max(x - width / 2, plot.minX), right - width)
      // Only the last label may be moved to the side.
      guard index == 0 || left == x - width / 2 else { return nil }
      let text = index == 0 ? "0" : "−" + (ago / span.unit).numeral + " " + span.name
      return Mark(
        place: x, text: text, rect: LocalRect(x: left, y: plot.maxY + 2, width: width, height: line))
    }
  }

  /// Returns a time of day, `09:30` or `09:30:15`.
  private static func text(ofTime time: Double, withSeconds: Bool) -> String {
    let second = ((Int(saturating: time.rounded()) % 86_400) + 86_400) % 86_400
    let minutes = TimeOfDay(minutes: second / 60).text
    return withSeconds ? minutes + ":" + (second % 60).padded(to: 2) : minutes
  }
}
