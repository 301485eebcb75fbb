import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Charts and pickers.
@Suite struct ChartPainterTests {
  private func time(_ seconds: Double) -> Timestamp { Timestamp.zero.advanced(bySeconds: seconds) }

  /// An hour with a value each minute, a gap, and a peak.
  private func series(_ middle: Double, gap: ClosedRange<Int>? = nil) -> Series {
    let series = Series(seconds: 3600)
    for minute in 0...60 {
      let isGap = gap?.contains(minute) ?? false
      let wave = Double((minute * 7) % 20) / 10 + Double(abs(minute - 30)) / 10
      series.append(
        isGap ? nil : minute == 48 ? middle + 6 : middle + wave, at: time(Double(minute) * 60))
    }
    return series
  }

  private func chart(_ style: ChartView.Style, _ series: [Series], _ y: Double, in window: Window)
    -> ChartView
  {
    let chart = ChartView(id: style.rawValue, frame: LocalRect(x: 10, y: y, width: 300, height: 110))
    chart.appearance.background = hex("#1b232c")
    (chart.style, chart.seconds, chart.series) = (style, 3600, series)
    chart.textStyle = textStyle(10, "#9aa8b4", .right)
    window.addSubview(chart)
    return chart
  }

  @Test(arguments: [1, 2])
  func `a line with a gap, an area, and bars of two values`(scale: Int) throws {
    let window = Window(size: Size(width: 320, height: 370))
    window.appearance.background = hex("#101418")
    _ = chart(.line, [series(20, gap: 12...20), series(16)], 10, in: window)
    _ = chart(.area, [series(3, gap: 12...20)], 130, in: window)
    _ = chart(.bars, [series(3, gap: 12...20), series(1)], 250, in: window)
    try expectGolden(paint(window, width: 320 * scale, height: 370 * scale), "charts-\(scale)")
  }

  @Test
  func `a line and an area have a dot for the value that there is now, also where their history begins`()
    throws
  {
    let window = Window(size: Size(width: 320, height: 130))
    window.appearance.background = hex("#101418")
    let series = Series(seconds: 3600)
    let chart = chart(.line, [series], 10, in: window)
    (chart.minimum, chart.maximum, chart.textStyle.color.alpha) = (0, 10, 0)
    (chart.tint, chart.gridColor) = (hex("#ff0000"), hex("#1b232c"))
    func redRows() throws -> [Int] {
      let picture = try paint(window, width: 320, height: 130)
      return (0..<130).filter { picture.color(x: 306, y: $0).red == 255 }
    }
    let plot = chart.chartFrame.plot
    let middle = 10 + Int(plot.midY)
    #expect(try redRows() == [])
    series.initial = 20
    #expect(try redRows() == [])
    series.initial = 5
    #expect(try redRows().contains(middle) && redRows().count <= 8)
    series.append(5, at: time(0))
    #expect(try redRows().contains(middle) && redRows().count <= 8)
    series.append(nil, at: time(0))
    chart.setNeedsDisplay()
    #expect(try redRows() == [])
  }

  @Test(arguments: [(200, 120), (400, 240), (601, 361), (800, 480), (1000, 600)])
  func `every line behind the values is seen at any scale, and all are as thick`(width: Int, height: Int)
    throws
  {
    let window = Window(size: Size(width: 400, height: 240))
    let chart = chart(.line, [], 20, in: window)
    chart.layoutRect = LocalRect(x: 20, y: 20, width: 360, height: 168)
    (chart.minimum, chart.maximum, chart.gridColor) = (0, 1, hex("#ff0000"))
    chart.textStyle.color.alpha = 0
    let picture = try paint(window, width: width, height: height)
    var thickness: [Int] = []
    var isLine = false
    for y in 0..<height {
      let isRed = picture.color(x: width / 2, y: y).red == 255
      if isRed, !isLine { thickness.append(0) }
      if isRed { thickness[thickness.count - 1] += 1 }
      isLine = isRed
    }
    #expect(thickness.count == chart.chartFrame.values.count && thickness.count > 1)
    #expect(Set(thickness).count == 1, "\(thickness)")
  }

  @Test(arguments: [DisplayGeometry.Rotation.quarter, .half, .threeQuarters])
  func `a chart on a turned display is the same picture, turned`(rotation: DisplayGeometry.Rotation) throws {
    let window = Window(size: Size(width: 320, height: 130))
    let chart = chart(.area, [series(3)], 10, in: window)
    chart.textStyle.color.alpha = 0
    let upright = try paint(window, width: 320, height: 130)
    let isAcross = rotation != .half
    let turned = try paint(
      window, width: isAcross ? 130 : 320, height: isAcross ? 320 : 130, rotation: rotation)
    func difference(_ one: Color, _ other: Color) -> Int {
      [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)].map { abs(Int($0) - Int($1)) }
        .max() ?? 0
    }
    for y in 0..<130 {
      for x in 0..<320 {
        let place =
          switch rotation {
          case .none: (x, y)
          case .quarter: (129 - y, x)
          case .half: (319 - x, 129 - y)
          case .threeQuarters: (y, 319 - x)
          }
        // Halves of what curves are counted in are rounded away from the upper left corner of the display.
        let wrong = difference(upright.color(x: x, y: y), turned.color(x: place.0, y: place.1))
        if wrong > 6 {
          Issue.record("\(x), \(y): \(wrong)")
          return
        }
      }
    }
  }

  private static let transforms: [AffineTransform] = [
    .scale(x: 1e7, y: 1e7), .scale(x: 1e7, y: 1), .scale(x: 1e-7, y: 1e7), .scale(x: 1e-3, y: 1),
    .scale(x: 1, y: 1e-22), .rotation(degrees: 45), .identity,
  ]

  @Test(arguments: ChartView.Style.allCases, transforms)
  func `a chart costs no more than the display has pixels, however large it is`(
    style: ChartView.Style, transform: AffineTransform
  ) throws {
    let window = Window(size: Size(width: 320, height: 200))
    let chart = chart(style, [series(3), series(1e308), series(-1e308)], 10, in: window)
    chart.transform = transform
    let painter = try Painter(
      geometry: DisplayGeometry(
        displaySize: Size(width: 320, height: 200), canvasSize: nil, scale: .fit, rotation: .none))
    let display = try Surface(width: 320, height: 200)
    for (width, height) in [(300.0, 110.0), (1e7, 110), (300, 1e7), (1e7, 1e7)] {
      chart.layoutRect = LocalRect(x: 10, y: 10, width: width, height: height)
      let before = painter.work
      painter.paintAll(window, highlights: nil, on: display)
      // Three series with a column for each pixel of the diagonal and some beside it, which an area has
      // twice, and two hundred lines and labels.
      let outlines = style == .area ? 2 : 1
      #expect(painter.work - before < 3 * outlines * 600 + 500, "\(width) × \(height)")
    }
  }

  @Test func `of a chart that is larger than the display, the part on it is the same picture`() throws {
    func picture(_ x: Double) throws -> Surface {
      let window = Window(size: Size(width: 320, height: 130))
      let chart = chart(.area, [series(3)], 10, in: window)
      chart.textStyle.color.alpha = 0
      chart.layoutRect.size.width = 900
      let inner = View(id: "inner", frame: LocalRect(x: 0, y: 0, width: 900, height: 130))
      inner.addSubview(chart)
      window.addSubview(inner)
      inner.bounds.origin.x = x
      return try paint(window, width: 320, height: 130)
    }
    // What is 100 units further to the left in one picture than in the other.
    let (first, second) = (try picture(200), try picture(300))
    for y in 0..<130 {
      for x in 0..<220 where first.color(x: x + 100, y: y) != second.color(x: x, y: y) {
        Issue.record("(\(x), \(y)) is another pixel")
        return
      }
    }
  }

  /// The samples of a day are as many as those of a minute at most, so that the strokes are what counts.
  @Test func `a day of one value a second is as many samples to paint as an hour`() {
    let day = Series(seconds: 86_400)
    for second in 0..<86_400 { day.append(Double(second % 100), at: time(Double(second))) }
    #expect(day.count <= Series.mostSamples + 1)
  }

  @Test(arguments: [1, 2])
  func `pickers of a list, numbers, a time and a date`(scale: Int) throws {
    let window = Window(size: Size(width: 320, height: 240))
    window.appearance.background = hex("#101418")
    func add(_ mode: PickerView.Mode, _ x: Double, _ y: Double, _ width: Double) -> PickerView {
      let picker = PickerView(
        id: mode.rawValue, frame: LocalRect(x: x, y: y, width: width, height: 110))
      picker.mode = mode
      picker.rows = ["Kitchen", "Hall", "Bathroom", "Cellar"]
      picker.textStyle = textStyle(16, "#e8eef4", .center)
      window.addSubview(picker)
      return picker
    }
    add(.list, 5, 5, 150).controlValue?.number = 1
    add(.number, 165, 5, 70).controlValue?.number = 21
    add(.time, 5, 125, 120).controlValue?.number = 21 * 60 + 30
    add(.date, 135, 125, 180).controlValue?.number = 20_780
    window.layoutIfNeeded()
    try expectGolden(paint(window, width: 320 * scale, height: 240 * scale), "pickers-\(scale)")
  }
}
