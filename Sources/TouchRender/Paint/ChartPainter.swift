import TouchCore
import TouchPixels
import TouchViews

// Charts, column by column of the display's pixels: what a series was in the time of one column is one vertical stroke.

extension TreePainter {
  func paint(_ chart: ChartView, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass) {
    let frame = chart.chartFrame
    let plot = frame.plot
    chart.wasPainted()
    guard plot.size.width > 0, plot.size.height > 0 else { return }
    for mark in frame.values {
      let line = LocalRect(x: plot.minX, y: min(mark.place, plot.maxY - 1), width: plot.size.width, height: 1)
      fillLine(line, chart.gridColor, matrix, pass)
      paintText(
        mark.text, chart.textStyle, in: mark.rect, padding: .zero, of: chart, shape, matrix, pass)
    }
    var centred = chart.textStyle
    for mark in frame.times {
      centred.alignment = mark.place >= plot.maxX - 1 ? .right : .center
      paintText(mark.text, centred, in: mark.rect, padding: .zero, of: chart, shape, matrix, pass)
    }
    let end = chart.end
    for (index, series) in chart.series.enumerated() {
      switch chart.style {
      case .line, .area:
        let color = chart.color(of: index)
        if series.count > 0 { paintCurve(series, color, chart, frame, end, matrix, pass) }
        paintLatest(of: series, color, frame, matrix, pass)
      case .bars:
        if series.count > 0 { paintBars(series, index, chart, frame, end, matrix, pass) }
      }
    }
  }

  /// A chart has no more columns or bars, however large it is: the widest displays have fewer pixels, and a series has fewer samples.
  private static let mostColumns = 8192

  /// How many pixels a unit is along the axis of times.
  private func columnScale(_ matrix: AffineTransform) -> Double {
    (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot()
  }

  /// The columns of a chart that are on the display, of so many side by side, with some more for what reaches out of them.
  private func visible(_ columns: Int, of plot: LocalRect, _ matrix: AffineTransform) -> Range<Int> {
    guard let inverse = matrix.inverse else { return 0..<0 }
    let shown: LocalRect = inverse.bounding(
      Rect<DisplaySpace>(
        x: Double(display.minX), y: Double(display.minY), width: Double(display.width),
        height: Double(display.height)))
    func column(_ x: Double) -> Int { Int(saturating: (x - plot.minX) / plot.size.width * Double(columns)) }
    // A corner of the line reaches four times as far as the line is wide.
    let first = min(columns, max(0, column(shown.minX - 8) - 2))
    return first..<max(first, min(columns, column(shown.maxX + 8) + 3))
  }

  private func paintCurve(
    _ series: Series, _ color: Color, _ chart: ChartView, _ frame: ChartFrame, _ end: Timestamp,
    _ matrix: AffineTransform, _ pass: Pass
  ) {
    let plot = frame.plot
    let scale = columnScale(matrix)
    guard scale > 0, scale.isFinite else { return }
    let columns = min(Self.mostColumns, max(1, Int(saturating: (plot.size.width * scale).rounded())))
    let width = plot.size.width / Double(columns)
    let start = end.advanced(bySeconds: -chart.seconds)
    var reader = SeriesReader(series, from: start, seconds: chart.seconds)
    var filling = color
    filling.alpha = UInt8(Int(color.alpha) * 0x50 / 255)
    func time(_ column: Int) -> Timestamp {
      start.advanced(bySeconds: chart.seconds * Double(column) / Double(columns))
    }
    // A point in the middle of each column, or one at each of its sides where the values rise or fall in it. Columns without a
    // value are gaps.
    line.removeAll(keepingCapacity: true)
    var isGap = true
    var last = frame.low
    let shown = visible(columns, of: plot, matrix)
    work += shown.count
    for column in shown {
      guard let stretch = reader.next(from: time(column), to: time(column + 1), interpolates: true) else {
        isGap = true
        continue
      }
      let x = plot.minX + (Double(column) + 0.5) * width
      let (high, low) = (place(of: stretch.high, frame), place(of: stretch.low, frame))
      if low - high < width / 2 {
        line.append(ChartPoint(place: LocalPoint(x: x, y: (high + low) / 2), isFirst: isGap))
      } else {
        // From the end that is nearer to where the line is.
        let isFalling = abs(last - high) < abs(last - low)
        let (left, right) = (x - width / 2, x + width / 2)
        line.append(ChartPoint(place: LocalPoint(x: left, y: isFalling ? high : low), isFirst: isGap))
        line.append(ChartPoint(place: LocalPoint(x: right, y: isFalling ? low : high), isFirst: false))
      }
      last = line.last?.place.y ?? last
      isGap = false
    }
    var inside = pass
    inside.clip = pass.clip.intersection(
      PixelRect(covering: matrix.bounding(chart.bounds), sliver: RoundedRect.snap))
    let paths = compositor.paths
    if chart.style == .area {
      paths.begin(matrix)
      addAreas(down: plot.maxY, to: paths)
      let pixel = filling.premultiplied(coverage: pass.opacity)
      compositor.fill(paths.fill(), with: .color(pixel), clip: inside.clip, on: pass.target)
    }
    paths.begin(matrix)
    for point in line {
      if point.isFirst { paths.move(to: point.place) } else { paths.line(to: point.place) }
    }
    let pixel = color.premultiplied(coverage: pass.opacity)
    compositor.fill(
      paths.stroke(StrokeStyle(width: 2)), with: .color(pixel), clip: inside.clip, on: pass.target)
  }

  /// A dot for the value that there is now: a chart whose history begins shows that as well.
  private func paintLatest(
    of series: Series, _ color: Color, _ frame: ChartFrame, _ matrix: AffineTransform, _ pass: Pass
  ) {
    let plot = frame.plot
    // A scale that goes by itself knows nothing of a value without a time.
    guard let value = series.latest, series.count > 0 || value >= frame.low && value <= frame.high,
      plot.size.height >= 4 * Self.dotRadius
    else { return }
    let (radius, y) = (Self.dotRadius, place(of: value, frame))
    let dot = LocalRect(x: plot.maxX - 2 * radius, y: y - radius, width: 2 * radius, height: 2 * radius)
    if let shape = RoundedRect(dot, radiusX: radius, radiusY: radius, displayFromLocal: matrix) {
      fill(shape, color, pass)
    }
  }

  /// In units.
  private static let dotRadius = 4.0

  /// What is below the line, for each of its parts.
  private func addAreas(down bottom: Double, to paths: PathRasterizer) {
    for (index, point) in line.enumerated() {
      if point.isFirst {
        paths.move(to: LocalPoint(x: point.place.x, y: bottom))
      }
      paths.line(to: point.place)
      if index + 1 == line.count || line[index + 1].isFirst {
        paths.line(to: LocalPoint(x: point.place.x, y: bottom))
        paths.close()
      }
    }
  }

  /// Bars of several series stand beside each other.
  private func paintBars(
    _ series: Series, _ index: Int, _ chart: ChartView, _ frame: ChartFrame, _ end: Timestamp,
    _ matrix: AffineTransform, _ pass: Pass
  ) {
    let plot = frame.plot
    let count = chart.series.count
    // A bar is a pixel wide at least.
    let most = min(Self.mostColumns, max(1, Int(saturating: plot.size.width * columnScale(matrix))))
    let bars = min(most, max(1, Int(saturating: plot.size.width / Double(8 * count + 4))))
    let room = plot.size.width / Double(bars)
    let width = max(1, ((room - 2) / Double(count)).rounded(.down))
    let start = end.advanced(bySeconds: -chart.seconds)
    var reader = SeriesReader(series, from: start, seconds: chart.seconds)
    let base = place(of: min(max(0, frame.low), frame.high), frame)
    let shown = visible(bars, of: plot, matrix)
    work += shown.count
    for bar in shown {
      func time(_ bar: Int) -> Timestamp {
        start.advanced(bySeconds: chart.seconds * Double(bar) / Double(bars))
      }
      guard let stretch = reader.next(from: time(bar), to: time(bar + 1), interpolates: false) else {
        continue
      }
      let tip = place(of: abs(stretch.low) > abs(stretch.high) ? stretch.low : stretch.high, frame)
      let x = (plot.minX + Double(bar) * room + 1).rounded() + Double(index) * width
      fillStroke(
        LocalRect(x: x, y: min(tip, base), width: width, height: abs(base - tip)), chart.color(of: index),
        matrix, pass)
    }
  }

  /// Where a value is, from the top.
  private func place(of value: Double, _ frame: ChartFrame) -> Double {
    let part = (value - frame.low) / (frame.high - frame.low)
    return frame.plot.maxY - min(1, max(0, part)) * frame.plot.size.height
  }

  /// Fills a horizontal line: where the chart is upright it is as many whole pixels wide as each other line, and one at least.
  private func fillLine(_ line: LocalRect, _ color: Color, _ matrix: AffineTransform, _ pass: Pass) {
    guard matrix.isUpright else { return fillStroke(line, color, matrix, pass) }
    let place: Rect<DisplaySpace> = matrix.bounding(line)
    var pixels = PixelRect(covering: place, sliver: 0.5)
    if matrix.b == 0 {
      pixels.maxY = pixels.minY + max(1, Int(place.size.height.rounded()))
    } else {
      pixels.maxX = pixels.minX + max(1, Int(place.size.width.rounded()))
    }
    pixels = pixels.intersection(pass.clip)
    let pixel = color.premultiplied(coverage: pass.opacity)
    if pixel >> 24 > 0, !pixels.isEmpty { compositor.fillBox(pixels, with: .color(pixel), on: pass.target) }
  }

  /// Fills a rectangle: at whole pixels where the chart is upright, so that strokes beside each other meet.
  private func fillStroke(_ rect: LocalRect, _ color: Color, _ matrix: AffineTransform, _ pass: Pass) {
    guard !rect.isEmpty else { return }
    guard matrix.isUpright else {
      if let shape = RoundedRect(rect, displayFromLocal: matrix) { fill(shape, color, pass) }
      return
    }
    let pixel = color.premultiplied(coverage: pass.opacity)
    let pixels = PixelRect(covering: matrix.bounding(rect), sliver: 0.5).intersection(pass.clip)
    if pixel >> 24 > 0, !pixels.isEmpty { compositor.fillBox(pixels, with: .color(pixel), on: pass.target) }
  }
}

/// A point of a chart's line.
struct ChartPoint {
  let place: LocalPoint
  /// Whether a part of the line begins there.
  let isFirst: Bool
}
