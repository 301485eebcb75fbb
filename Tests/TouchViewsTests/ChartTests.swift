import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Charts: the labels that fit, and what a series was in each stretch of time.
@Suite struct ChartTests {
  private func time(_ seconds: Double) -> Timestamp { Timestamp.zero.advanced(bySeconds: seconds) }

  private func frame(
    _ width: Double, _ height: Double, _ low: Double, _ high: Double, _ seconds: Double = 3600
  )
    -> ChartFrame
  {
    ChartFrame(
      in: LocalRect(x: 0, y: 0, width: width, height: height), from: low, to: high, seconds: seconds,
      textSize: 12)
  }

  @Test func `times of day stand at whole steps, where they are known`() {
    let frame = ChartFrame(
      in: LocalRect(x: 0, y: 0, width: 600, height: 200), from: 0, to: 10, seconds: 3600, textSize: 12,
      trailing: 4, timeOfDay: 9 * 3600 + 7 * 60)
    #expect(frame.times.map(\.text).suffix(3) == ["08:40", "08:50", "09:00"])
    #expect(frame.plot.maxX == 596, "there is room for the dot at the end")
    #expect(frame.times.last?.place == (596 - 420.0 / 3600 * frame.plot.size.width).rounded())
    let night = ChartFrame(
      in: LocalRect(x: 0, y: 0, width: 600, height: 200), from: 0, to: 10, seconds: 60, textSize: 12,
      timeOfDay: 5)
    #expect(night.times.map(\.text).contains("23:59:50"))
  }

  @Test(arguments: [
    (400.0, 200.0, 18.2, 23.7, ["18", "20", "22", "24"]),
    (400, 90, 18.2, 23.7, ["10", "20", "30"]),
    (400, 200, 0.02, 0.041, ["0.020", "0.025", "0.030", "0.035", "0.040", "0.045"]),
    (400, 200, -7, 12, ["-10", "-5", "0", "5", "10", "15"]),
    (400, 200, 21, 21, ["20", "25"]),
    (30, 200, 18.2, 23.7, []), (400, 40, 18.2, 23.7, []),
  ])
  func `the scale goes by whole steps, and has as many labels as there is room for`(
    width: Double, height: Double, low: Double, high: Double, labels: [String]
  ) {
    let frame = frame(width, height, low, high)
    #expect(frame.values.map(\.text) == labels)
    #expect(frame.low <= low && frame.high >= high)
    for (mark, next) in zip(frame.values, frame.values.dropFirst()) {
      #expect(mark.rect.minY >= next.rect.maxY, "labels do not overlap")
    }
  }

  @Test func `the scale is written with the mark that a country has before decimals`() {
    let chart = ChartView(frame: Rect(x: 0, y: 0, width: 400, height: 200))
    (chart.minimum, chart.maximum) = (-0.5, 0.5)
    #expect(chart.chartFrame.values.first?.text == "-0.6")
    chart.decimalSeparator = ","
    #expect(chart.chartFrame.values.first?.text == "-0,6")
  }

  @Test(arguments: [
    (400.0, 3600.0, ["−45 min", "−30 min", "−15 min", "0"]),
    (200, 3600, ["−30 min", "0"]),
    (800, 86_400, ["−21 h", "−18 h", "−15 h", "−12 h", "−9 h", "−6 h", "−3 h", "0"]),
    (400, 60, ["−45 s", "−30 s", "−15 s", "0"]), (400, 604_800, ["−6 d", "−4 d", "−2 d", "0"]),
  ])
  func `times are counted back from the end, as many as there is room for`(
    width: Double, seconds: Double, labels: [String]
  ) {
    let times = frame(width, 200, 0, 1, seconds).times
    #expect(times.map(\.text) == labels)
    for (mark, next) in zip(times, times.dropFirst()) { #expect(mark.rect.maxX <= next.rect.minX) }
    #expect(times.allSatisfy { $0.rect.minX >= 0 && $0.rect.maxX <= width })
  }

  /// Width and height, the lowest and the highest value, seconds, and the size of the font.
  private static let hostile: [[Double]] = [
    [380, 200, -1e308, 1e308, 60, 12], [380, 200, 1e308, 1.7e308, 60, 12],
    [380, 200, 0, .leastNonzeroMagnitude, 60, 12], [380, 200, -.leastNonzeroMagnitude, 0, 60, 12],
    [380, 200, 1e16, 1e16 + 2, 60, 12], [380, 200, 1, 1 + 1e-15, 60, 12],
    [380, 200, -.infinity, .infinity, 60, 12], [380, 200, .nan, .nan, 60, 12], [380, 200, 0, 1, 60, 0.3],
    [380, 200, 0, 1, 60, 0], [380, 200, 0, 1, 60, 1e7], [1e7, 1e7, 0, 1, 60, 12], [1e7, 1e7, 0, 1, 60, 1],
    [380, 1e7, 0, 1, 60, 12], [1e7, 200, 0, 1, 86_400, 12], [1e300, 1e300, 0, 1, 60, 12],
    [380, 200, 0, 1, 1e-300, 12], [380, 200, 0, 1, 1e300, 12], [0, 0, 0, 1, 60, 12],
  ]

  @Test(arguments: hostile)
  func `whatever values and lengths there are, the scale holds them and has a bounded number of labels`(
    lengths: [Double]
  ) {
    let (low, high) = (lengths[2], lengths[3])
    let frame = ChartFrame(
      in: LocalRect(x: 0, y: 0, width: lengths[0], height: lengths[1]), from: low, to: high,
      seconds: lengths[4], textSize: lengths[5])
    #expect(frame.values.count <= ChartFrame.mostLabels + 3)
    #expect(frame.times.count <= ChartFrame.mostLabels + 1)
    #expect(frame.low < frame.high && (frame.high - frame.low).isFinite)
    // An end that is a billionth of a step beyond a line is on it.
    let least = 1e-6 * (frame.high - frame.low)
    if abs(low) < 1e300, abs(high) < 1e300 {
      #expect(frame.low <= low + least && frame.high >= high - least)
    }
  }

  @Test func `between the largest numbers a line is one of numbers`() {
    let series = Series(seconds: 10)
    series.append(1e308, at: time(0))
    series.append(-1e308, at: time(4))
    var reader = SeriesReader(series, from: time(0), seconds: 10)
    let first = reader.next(from: time(0), to: time(2), interpolates: true)
    #expect(first?.high == 1e308 && first?.low == 0)
    let second = reader.next(from: time(2), to: time(4), interpolates: true)
    #expect(second?.high == 0 && second?.low == -1e308)
  }

  /// What `SeriesReader` says of each second.
  private func read(_ series: Series, seconds: Int, interpolates: Bool) -> [String] {
    var reader = SeriesReader(series, from: time(0), seconds: Double(seconds))
    return (0..<seconds).map { second in
      let stretch = reader.next(
        from: time(Double(second)), to: time(Double(second + 1)), interpolates: interpolates)
      return stretch.map { "\($0.low.numeral)…\($0.high.numeral)" } ?? "–"
    }
  }

  @Test func `a column has all that was in its time, and nothing in a gap`() {
    let series = Series(seconds: 10)
    series.append(10, at: time(1))
    series.append(20, at: time(3))
    series.append(nil, at: time(5))
    series.append(4, at: time(7))
    series.append(8, at: time(7.5))
    series.append(6, at: time(7.9))
    #expect(
      read(series, seconds: 10, interpolates: false)
        == ["–", "10…10", "10…10", "20…20", "20…20", "–", "–", "4…8", "6…6", "6…6"])
    #expect(
      read(series, seconds: 10, interpolates: true)
        == ["–", "10…15", "15…20", "20…20", "20…20", "–", "–", "4…8", "6…6", "6…6"])
    #expect(read(Series(seconds: 10), seconds: 2, interpolates: true) == ["–", "–"])
  }

  @Test func `a peak is in one column, whatever its place`() {
    let series = Series(seconds: 86_400)
    for second in 0..<86_400 { series.append(second == 50_000 ? 99 : 20, at: time(Double(second))) }
    var reader = SeriesReader(series, from: time(0), seconds: 86_400)
    let columns = (0..<400).compactMap { column in
      reader.next(
        from: time(216 * Double(column)), to: time(216 * Double(column + 1)), interpolates: true)
    }
    #expect(columns.count == 400 && (1...2).contains(columns.filter { $0.high == 99 }.count))
  }

  @Test func `a chart ends now, moves on while it is seen, and wakes nobody when it is not`() {
    let stage = Stage()
    let chart = stage.add(ChartView(id: "c", frame: LocalRect(x: 0, y: 0, width: 300, height: 200)))
    chart.seconds = 600
    chart.names = ["outside", "nothing"]
    let outside = Series(seconds: 600)
    chart.connect { $0 == "outside" ? outside : nil }
    #expect(chart.series.count == 1)
    chart.moveOn()
    #expect(stage.dispatcher.deadline == nil, "there is nothing to see yet")
    stage.window.damage.removeAll()
    outside.append(21, at: time(5))
    #expect(!stage.window.damage.isEmpty && chart.end == time(5))
    chart.moveOn()
    #expect(stage.dispatcher.deadline == time(7), "two seconds are a column")
    stage.window.damage.removeAll()
    stage.rest(seconds: 8)
    #expect(!stage.window.damage.isEmpty && chart.end == time(8))
    #expect(stage.dispatcher.deadline == nil, "what is not painted again is not seen")
    // The daemon alone waits for what comes to an end.
    chart.moveOn()
    #expect(stage.dispatcher.finalDeadline == nil)
  }

  @Test func `a chart without values has no times of day, since it does not move on`() {
    let stage = Stage()
    stage.window.timeOfDay = { 9 * 3600 }
    let chart = stage.add(ChartView(id: "c", frame: LocalRect(x: 0, y: 0, width: 300, height: 200)))
    chart.series = [Series(seconds: 60)]
    #expect(chart.chartFrame.times.last?.text == "0")
    chart.series[0].append(21, at: time(5))
    #expect(chart.chartFrame.times.last?.text == "08:59:30")
  }

  @Test func `the scale follows the values, unless it is set`() throws {
    let chart = ChartView(id: "c", frame: LocalRect(x: 0, y: 0, width: 300, height: 200))
    let series = Series(seconds: 60)
    chart.series = [series]
    series.append(21.2, at: time(1))
    series.append(22.9, at: time(2))
    #expect(chart.chartFrame.low == 21 && chart.chartFrame.high == 23)
    chart.style = .area
    #expect(chart.chartFrame.low == 0)
    try chart.set([.init(key: "minimum", value: .number(20)), .init(key: "maximum", value: .number(30))])
    #expect(chart.chartFrame.low == 20 && chart.chartFrame.high == 30)
    try chart.set([.init(key: "minimum", value: .null), .init(key: "chart", value: .text("line"))])
    #expect(chart.chartFrame.low == 20)
  }
}
