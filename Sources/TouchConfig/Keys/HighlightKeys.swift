import TouchViews

extension KeyTable {
  static let highlight = KeyTable("highlight") {
    "The mark on the view that was hit: a style, or a [`mark`](#a-mark-mark)."
    KeyRow("view", .definition("mark"))
    "The mark on the other views of the responder chain. Default: `none`. A mapping without a style draws outlines, in half of the view's colour."
    KeyRow("path", .definition("mark"))
    "Whether each finger has a marker, or a mapping."
    KeyRow("touches", .either([.flag, .mapping(HighlightStyle.Touches.keys.table)]), default: .flag(true))
  }
}

extension HighlightStyle.Mark {
  static let keys = Keys<Self>("the highlight of a view", HighlightStyle().view) {
    "`outline`, `fill`, `glow` or `none`."
    KeyRow("style", \.shape, .word)
    "Its colour. A `fill` is exactly this colour; give it an alpha to see the view through it."
    KeyRow("color", \.color, .color)
    "The outline's width. A glow reaches four times as far."
    KeyRow("width", \.width, .length)
    "How long the mark takes to fade after the last finger lifts, in seconds. Default: 0.3 for a glow, 0 for the others."
    KeyRow("fade", \.fade, .duration)
  }
}

extension HighlightStyle.Touches {
  static let keys = Keys<Self>("the highlight of touches", Self()) {
    "A disc under each finger."
    KeyRow("marker", \.showsMarker, .flag)
    "The colour of markers and trails. Default: the colour of `view`."
    KeyRow("color", \.color, .color)
    "The touch's number next to the finger."
    KeyRow("id", \.showsID, .flag)
    "The finger's position next to it, in units."
    KeyRow("coordinates", \.showsCoordinates, .flag)
    "How long the line behind a finger stays, in seconds; 0 draws none."
    KeyRow("trail", \.trail, .duration)
  }
}

extension HighlightStyle {
  /// Reads `highlight:`; what the file does not say stays as it is.
  mutating func read(_ fields: Fields) {
    fields["view"]?.readMark(into: &view)
    // Defaults of the path: the view's mark, half as strong.
    path.color = view.color
    path.color.alpha /= 2
    path.fade = view.fade
    if let value = fields.unlessNull("path") {
      if value.node.entries != nil { path.shape = .outline }
      value.readMark(into: &path)
    }
    // `true`, or `{marker: true, id: true, ...}`.
    guard let value = fields["touches"] else { return }
    if value.node.entries == nil {
      if let shown = value.bool() { touches.showsMarker = shown }
    } else {
      touches = Touches()
      value.read(Touches.keys, into: &touches)
    }
  }
}

extension Value {
  /// `glow`, or `{style: glow, color: ...}`.
  fileprivate func readMark(into mark: inout HighlightStyle.Mark) {
    guard node.entries == nil else {
      _ = read(HighlightStyle.Mark.keys, into: &mark)
      return
    }
    if !node.isNull, let shape = choice(HighlightStyle.Shape.self) { mark.shape = shape }
  }
}
