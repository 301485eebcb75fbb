import TouchCore

extension ConfigurationReader {
  mutating func readHighlight(_ fields: Fields<HighlightKey>?) {
    guard let fields else { return }
    report.ofLook { readHighlightValues(fields) }
  }

  private mutating func readHighlightValues(_ fields: Fields<HighlightKey>) {
    if let view = fields[.view] { readMark(view, into: &configuration.highlight.view) }
    // What the file does not say of the path follows the view's mark: half as strong.
    configuration.highlight.path.color = configuration.highlight.view.color
    configuration.highlight.path.color.alpha /= 2
    configuration.highlight.path.fade = configuration.highlight.view.fade
    if let path = fields.unlessNull(.path) {
      if path.node.entries != nil { configuration.highlight.path.shape = .outline }
      readMark(path, into: &configuration.highlight.path)
    }
    if let touches = fields[.touches] { readTouches(touches) }
  }

  /// `glow`, or `{style: glow, color: ...}`.
  private func readMark(_ value: Value, into mark: inout HighlightStyle.Mark) {
    guard value.node.entries != nil else {
      guard !value.node.isNull else { return }
      if let shape = value.choice(HighlightStyle.Shape.self) { mark.shape = shape }
      return
    }
    guard let fields = value.fields(HighlightMarkKey.self) else { return }
    if let shape = fields[.style]?.choice(HighlightStyle.Shape.self) { mark.shape = shape }
    if let color = fields[.color]?.color() { mark.color = color }
    if let width = fields[.width]?.number(in: .length) { mark.width = width }
    if let fade = fields[.fade]?.number(in: .duration) { mark.fade = fade }
  }

  /// `true`, or `{marker: true, id: true, ...}`.
  private mutating func readTouches(_ value: Value) {
    guard value.node.entries != nil, let fields = value.fields(HighlightTouchesKey.self) else {
      if let shown = value.bool() { configuration.highlight.touches.showsMarker = shown }
      return
    }
    var touches = HighlightStyle.Touches()
    if let marker = fields[.marker]?.bool() { touches.showsMarker = marker }
    if let color = fields[.color]?.color() { touches.color = color }
    if let id = fields[.id]?.bool() { touches.showsID = id }
    if let coordinates = fields[.coordinates]?.bool() { touches.showsCoordinates = coordinates }
    if let trail = fields[.trail]?.number(in: .duration) { touches.trail = trail }
    configuration.highlight.touches = touches
  }
}
