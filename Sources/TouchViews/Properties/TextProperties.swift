// The rows of texts and icons, which views of several classes have.

extension ViewProperty {
  package static let text = ViewProperty(
    "text", of: ViewKinds(with: .text), .text, is: .cosmetic,
    get: { (view: any TextHolding) in .text(view.text) },
    set: { (view: any TextHolding, text) in view.text = text },
    "The text.")
  package static let font = ViewProperty(
    "font", of: ViewKinds(with: .font), .font, is: [.cosmetic, .nullable],
    get: { (view: any TextStyled) in TextStyle.value(of: view.textStyle) },
    set: { (view: any TextStyled, values) in values.apply(to: &view.textStyle, TextStyle.parts) },
    "How the text looks.")

  package static let detail = ViewProperty(
    "detail", of: ViewKinds(with: .detail), .text, is: .cosmetic,
    get: { (view: any TitleHolding) in .text(view.detail) },
    set: { (view: any TitleHolding, text) in view.detail = text },
    "A second line below the text, which is one line then.")
  private static let detailFont = ViewProperty(
    "detail_font", of: ViewKinds(with: .detail), .font, is: [.cosmetic, .nullable, .last],
    get: { (view: any TitleHolding) in TextStyle.value(of: view.shownDetailStyle) },
    set: { (view: any TitleHolding, values) in
      var style = view.shownDetailStyle
      values.apply(to: &style, TextStyle.parts)
      view.detailStyle = style
    },
    "How the second line looks. Default: as the text, at five sixths of its size and two thirds of its strength."
  )

  package static let icon = ViewProperty(
    "icon", of: ViewKinds(with: .icon), .icon, is: [.cosmetic, .nullable],
    get: { (view: any IconHolding) in view.icon.isShown ? .fields(of: view.icon, Icon.parts) : .null },
    set: { (view: any IconHolding, values) in
      var icon = view.icon
      values.apply(to: &icon, Icon.parts)
      if icon != view.icon { view.icon = icon }
    },
    "The name of an [icon](looks.md#icons), or a mapping.")
  package static let icons = ViewProperty(
    "icons", of: ViewKinds(with: .icons), .iconNames(0...10_000), is: [.cosmetic, .nullable],
    get: { (control: any IconsHolding) in .list(control.icons.map { .text($0) }) },
    set: { (control: any IconsHolding, icons) in control.icons = icons },
    "The names of the [icons](looks.md#icons) of its rows or segments, in their order; `\"\"` is none. Default: none."
  )

  private static let padding = ViewProperty(
    "padding", of: ViewKinds(with: .padding), PropertyType.insets.orNone, is: [.cosmetic, .nullable, .fixed],
    get: { (view: any TextStyled) in PropertyType.insets.orNone.write(view.textStyle.padding) },
    set: { (view: any TextStyled, padding) in view.textStyle.padding = padding },
    "The space between the edges of the view, or of a row, and the text: one number, or `[top, left, bottom, right]`. "
      + "Default: 0, but at the left and the right 8 for a button, 12 for a text field and 16 for a list.")

  static let texts = [text, font, detail, detailFont, icon, icons, padding]
}
