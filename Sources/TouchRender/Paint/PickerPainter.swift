import TouchCore
import TouchPixels
import TouchViews

extension TreePainter {
  /// How many rows of a wheel are painted above and below its middle at most. A display that shows more has none that can be read.
  private static let mostRows = 100.0

  /// The rows of the wheels that are seen: those further from the middle are fainter, and a band marks the middle.
  func paint(_ picker: PickerView, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass) {
    let (bounds, height) = (picker.bounds, picker.rowHeight)
    let top = (bounds.midY - height / 2).rounded()
    let band = LocalRect(
      x: bounds.minX + 4, y: top, width: max(0, bounds.size.width - 8), height: height)
    if let band = RoundedRect(band, radiusX: 8, radiusY: 8, displayFromLocal: matrix) {
      fill(band, picker.colors.track, pass)
    }
    for wheel in picker.wheels {
      let (frame, position) = (wheel.layoutRect, wheel.position)
      let reach = bounds.size.height / 2 / height + 0.5
      let seen = min(reach, Self.mostRows)
      let first = Int(saturating: (position - seen).rounded(.up))
      let last = Int(saturating: (position + seen).rounded(.down))
      guard first <= last else { continue }
      for place in first...last {
        let text = wheel.row(at: place).map { picker.text(of: $0, in: wheel.column) } ?? ""
        guard !text.isEmpty else { continue }
        let distance = Double(place) - position
        var style = picker.textStyle
        style.color.alpha = UInt8(
          Double(style.color.alpha) * max(0.12, 1 - 0.75 * min(1, abs(distance) / reach) - 0.1))
        if abs(distance) < 0.5 { style.color = picker.textStyle.color }
        let rect = LocalRect(
          x: frame.minX, y: top + (distance * height).rounded(), width: frame.size.width, height: height)
        paintText(
          text, style, in: rect, padding: Insets(top: 0, left: 8, bottom: 0, right: 8), of: picker, shape,
          matrix, pass)
      }
    }
  }
}
