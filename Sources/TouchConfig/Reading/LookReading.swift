import TouchCore

extension ConfigurationReader {
  func readLook(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    report.ofLook { readLookValues(fields, into: &view) }
  }

  private func readLookValues(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    view.appearance.background = fields.unlessNull(.background)?.color()
    if let radius = fields[.cornerRadius]?.number(in: .length) { view.appearance.cornerRadius = radius }
    if let border = fields[.border]?.fields(BorderKey.self) { view.appearance.border = self.border(border) }
    if let text = fields[.text]?.freeText("give a text, or \"\" for none") { view.text = text }
    if let font = fields[.font]?.fields(FontKey.self) {
      readFont(font, into: &view.textStyle)
      view.fontPlace = font[.family]?.node.place
    }
    readImage(fields, into: &view)
  }

  private func border(_ fields: Fields<BorderKey>) -> Appearance.Border? {
    let color = fields.require(.color, "give a colour as \"#rrggbb\" or \"#rrggbbaa\"")?.color()
    let width = fields[.width].map { $0.number(in: .length) } ?? 1
    guard let color, let width else { return nil }
    return Appearance.Border(color: color, width: width)
  }

  private func readFont(_ fields: Fields<FontKey>, into style: inout TextStyle) {
    if let family = fields[.family]?.nonEmptyText("give a font family, such as sans-serif") {
      style.family = family
    }
    if let size = fields[.size]?.number(in: .fontSize) { style.size = size }
    if let weight = fields[.weight]?.choice(TextStyle.Weight.self) { style.weight = weight }
    if let color = fields[.color]?.color() { style.color = color }
    if let alignment = fields[.align]?.choice(TextStyle.Alignment.self) { style.alignment = alignment }
    if let alignment = fields[.valign]?.choice(TextStyle.VerticalAlignment.self) {
      style.verticalAlignment = alignment
    }
    if let lines = fields[.lines]?.integer(in: 0...1000) { style.lines = lines }
  }

  /// `image: logo.png` beside `image_mode: fit`, or `image: {path: logo.png, mode: fit}`.
  private func readImage(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    let beside = fields[.imageMode].map { ($0, $0.choice(ImageView.Mode.self)) }
    guard let value = fields.unlessNull(.image) else {
      if let (mode, _) = beside {
        mode.complain("image_mode is set and there is no image; add one or remove it")
      }
      return
    }
    let advice = "give the path of a PNG file"
    var (pathValue, mode) = (Optional(value), beside?.1)
    if value.node.entries != nil, let image = value.fields(ImageKey.self) {
      pathValue = image.require(.path, advice)
      if let inside = image[.mode] {
        mode = inside.choice()
        if let (other, _) = beside { other.complain("image_mode is set, and so is mode; remove one of them") }
      }
    }
    guard let pathValue, let path = pathValue.nonEmptyText(advice) else { return }
    view.image = Configuration.View.Image(
      path: configuration.resolve(path), mode: mode ?? .fit, place: pathValue.node.place)
  }
}
