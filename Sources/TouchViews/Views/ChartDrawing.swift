import TouchCore

// Charts are drawn by columns of the display's pixels. A column's values are one vertical stroke.

extension ChartView: ContentDrawing {
  /// The most columns or bars. The widest displays have fewer pixels, and a series has fewer samples.
  private static let mostColumns = 8192
  /// The radius of the dot for the latest value, in units.
  static let dotRadius = 4.0

  final func drawChart(_ context: GraphicsContext) {
    let frame = chartFrame
    guard frame.plot.size.width > 0, frame.plot.size.height > 0 else { return }
    let (end, canvas) = (end, context.canvas)
    drawAxes(frame, canvas)
    for (index, series) in series.enumerated() {
      switch style {
      case .line, .area:
        if series.count > 0 { drawCurve(series, color(of: index), frame, end, canvas) }
        drawLatest(of: series, color(of: index), frame, context)
      case .bars: if series.count > 0 { drawBars(series, index, frame, end, canvas) }
      }
    }
  }

  private func drawAxes(_ frame: ChartFrame, _ canvas: any DrawingCanvas) {
    let plot = frame.plot
    for mark in frame.values {
      let line = LocalRect(x: plot.minX, y: min(mark.place, plot.maxY - 1), width: plot.size.width, height: 1)
      canvas.fillPixels(line, isLine: true, with: gridColor)
      canvas.draw(mark.text, textStyle, in: mark.rect, TextRoom())
    }
    var centred = textStyle
    for mark in frame.times {
      if hasGrid {
        let line = LocalRect(x: mark.place, y: plot.minY, width: 1, height: plot.size.height)
        canvas.fillPixels(line, isLine: false, with: gridColor)
      }
      centred.alignment = mark.place >= plot.maxX - 1 ? .right : .center
      canvas.draw(mark.text, centred, in: mark.rect, TextRoom())
    }
  }

  /// The columns of a chart that are on the display, of so many side by side, with some more for what reaches
  /// out of them.
  private func visible(_ columns: Int, of plot: LocalRect, _ canvas: any DrawingCanvas) -> Range<Int> {
    let shown = canvas.displayBox
    func column(_ x: Double) -> Int { Int(saturating: (x - plot.minX) / plot.size.width * Double(columns)) }
    // A corner of the line reaches four times as far as the line is wide.
    let first = min(columns, max(0, column(shown.minX - 8) - 2))
    return first..<max(first, min(columns, column(shown.maxX + 8) + 3))
  }

  // MARK: Lines

  private func drawCurve(
    _ series: Series, _ color: Color, _ frame: ChartFrame, _ end: Timestamp, _ canvas: any DrawingCanvas
  ) {
    let scale = canvas.pixelsPerUnit.width
    guard scale > 0, scale.isFinite else { return }
    let columns = min(Self.mostColumns, max(1, Int(saturating: (frame.plot.size.width * scale).rounded())))
    findLine(of: series, columns, frame, end, canvas)
    if style == .area {
      canvas.beginPath()
      addAreas(down: frame.plot.maxY, canvas)
      canvas.drawPath(nil, with: .gradient(fade(of: color), over: frame.plot))
    }
    canvas.beginPath()
    for point in line {
      if point.isFirst { canvas.move(to: point.place) } else { canvas.addLine(to: point.place) }
    }
    canvas.drawPath(StrokeStyle(width: 2), with: .color(color))
  }

  /// The colour below a line, which fades downwards.
  private func fade(of color: Color) -> Gradient {
    if let known = fades[color] { return known }
    func faint(_ alpha: Int) -> Color {
      var faint = color
      faint.alpha = UInt8(Int(color.alpha) * alpha / 255)
      return faint
    }
    let fade = Gradient([faint(0x70), faint(0x08)])
    if fades.count > Self.mostFades { fades.removeAll() }
    fades[color] = fade
    return fade
  }

  private static let mostFades = 16

  /// Fills `line` with a point in the middle of each column, or with one at each of
  /// its sides if the values rise or fall in it. Columns without a value are gaps.
  private func findLine(
    of series: Series, _ columns: Int, _ frame: ChartFrame, _ end: Timestamp, _ canvas: any DrawingCanvas
  ) {
    let (plot, width) = (frame.plot, frame.plot.size.width / Double(columns))
    let start = end.advanced(bySeconds: -seconds)
    var reader = SeriesReader(series, from: start, seconds: seconds)
    func time(_ column: Int) -> Timestamp {
      start.advanced(bySeconds: seconds * Double(column) / Double(columns))
    }
    line.removeAll(keepingCapacity: true)
    var isGap = true
    var last = frame.low
    for column in visible(columns, of: plot, canvas) {
      guard let stretch = reader.next(from: time(column), to: time(column + 1), interpolates: true) else {
        isGap = true
        continue
      }
      let x = plot.minX + (Double(column) + 0.5) * width
      let (high, low) = (place(of: stretch.high, frame), place(of: stretch.low, frame))
      if low - high < width / 2 {
        line.append(ChartPoint(place: LocalPoint(x: x, y: (high + low) / 2), isFirst: isGap))
      } else {
        // The stroke begins at the end that is nearer to the line.
        let isFalling = abs(last - high) < abs(last - low)
        let (left, right) = (x - width / 2, x + width / 2)
        line.append(ChartPoint(place: LocalPoint(x: left, y: isFalling ? high : low), isFirst: isGap))
        line.append(ChartPoint(place: LocalPoint(x: right, y: isFalling ? low : high), isFirst: false))
      }
      last = line.last?.place.y ?? last
      isGap = false
    }
  }

  /// Adds what is below the line, for each of its parts.
  private func addAreas(down bottom: Double, _ canvas: any DrawingCanvas) {
    for (index, point) in line.enumerated() {
      if point.isFirst { canvas.move(to: LocalPoint(x: point.place.x, y: bottom)) }
      canvas.addLine(to: point.place)
      if index + 1 == line.count || line[index + 1].isFirst {
        canvas.addLine(to: LocalPoint(x: point.place.x, y: bottom))
        canvas.closePath()
      }
    }
  }

  /// Draws a dot for the present value, so that a chart whose history begins shows it too.
  private func drawLatest(
    of series: Series, _ color: Color, _ frame: ChartFrame, _ context: GraphicsContext
  ) {
    let plot = frame.plot
    // An automatic scale does not include a value without a time.
    guard let value = series.latest, series.count > 0 || value >= frame.low && value <= frame.high,
      plot.size.height >= 4 * Self.dotRadius
    else { return }
    let (radius, y) = (Self.dotRadius, place(of: value, frame))
    context.fill(
      LocalRect(x: plot.maxX - radius, y: y - radius, width: 2 * radius, height: 2 * radius),
      cornerRadius: radius, with: color)
  }

  // MARK: Bars

  /// Draws a series as bars. Bars of several series are beside each other.
  private func drawBars(
    _ series: Series, _ index: Int, _ frame: ChartFrame, _ end: Timestamp, _ canvas: any DrawingCanvas
  ) {
    let (plot, count) = (frame.plot, self.series.count)
    // A bar is at least a pixel wide.
    let most = min(Self.mostColumns, max(1, Int(saturating: plot.size.width * canvas.pixelsPerUnit.width)))
    let bars = min(most, max(1, Int(saturating: plot.size.width / Double(8 * count + 4))))
    let room = plot.size.width / Double(bars)
    let width = max(1, ((room - 2) / Double(count)).rounded(.down))
    let start = end.advanced(bySeconds: -seconds)
    var reader = SeriesReader(series, from: start, seconds: seconds)
    let base = place(of: min(max(0, frame.low), frame.high), frame)
    func time(_ bar: Int) -> Timestamp { start.advanced(bySeconds: seconds * Double(bar) / Double(bars)) }
    for bar in visible(bars, of: plot, canvas) {
      guard let stretch = reader.next(from: time(bar), to: time(bar + 1), interpolates: false) else {
        continue
      }
      let tip = place(of: abs(stretch.low) > abs(stretch.high) ? stretch.low : stretch.high, frame)
      let x = (plot.minX + Double(bar) * room + 1).rounded() + Double(index) * width
      canvas.fillPixels(
        LocalRect(x: x, y: min(tip, base), width: width, height: abs(base - tip)), isLine: false,
        with: color(of: index))
    }
  }

  private func place(of value: Double, _ frame: ChartFrame) -> Double {
    let part = (value - frame.low) / (frame.high - frame.low)
    return frame.plot.maxY - min(1, max(0, part)) * frame.plot.size.height
  }
}

struct ChartPoint {
  let place: LocalPoint
  let isFirst: Bool
}
