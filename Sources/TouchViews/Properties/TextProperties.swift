import TouchCore

// The rows of texts and pictures, and of what is typed.

extension ViewProperty {
  // MARK: Texts and pictures

  package static let text = ViewProperty(
    "text", of: [.label, .button, .textField], .text, is: .cosmetic,
    get: { (($0 as? Label)?.text ?? ($0 as? Button)?.text ?? ($0 as? TextField)?.text).map { .text($0) } },
    set: { (view: View, text) in
      (view as? Label)?.text = text
      (view as? Button)?.text = text
      (view as? TextField)?.text = text
    },
    "The text; of a text field, what is written in it.")
  package static let font = ViewProperty(
    "font", of: .withFont, .font, is: [.cosmetic, .nullable],
    get: { ($0 as? any TextStyled).map { TextStyle.value(of: $0.textStyle) } },
    set: { (view: View, values) in
      guard let styled = view as? any TextStyled else { return }
      values.apply(to: &styled.textStyle, TextStyle.parts)
    },
    "How the text looks.")

  package static let detail = ViewProperty(
    "detail", of: [.label, .button], .text, is: .cosmetic,
    get: { (($0 as? Label)?.detail ?? ($0 as? Button)?.detail).map { .text($0) } },
    set: { (view: View, text) in
      (view as? Label)?.detail = text
      (view as? Button)?.detail = text
    },
    "A second line below the text, which is one line then.")
  package static let icon = ViewProperty(
    "icon", of: [.label, .button, .image], .icon, is: [.cosmetic, .nullable],
    get: { (view: View) in
      (view as? any IconHolding).map { $0.icon.isShown ? .fields(of: $0.icon, Icon.parts) : .null }
    },
    set: { (view: View, values) in
      guard let view = view as? any IconHolding else { return }
      var icon = view.icon
      values.apply(to: &icon, Icon.parts)
      if icon != view.icon { view.icon = icon }
    },
    "The name of an [icon](#icons), or a mapping.")
  package static let icons = ViewProperty(
    "icons", of: [.list, .segmented], .iconNames(0...10_000), is: [.cosmetic, .nullable],
    get: {
      (($0 as? ListView)?.icons ?? ($0 as? SegmentedControl)?.icons).map { .list($0.map { .text($0) }) }
    },
    set: { (control: ValueControl, icons) in
      (control as? ListView)?.icons = icons
      (control as? SegmentedControl)?.icons = icons
    },
    "The names of the [icons](#icons) of its rows or segments, in their order; `\"\"` is none. Default: none."
  )

  static let texts: [ViewProperty] = [
    text, font, detail,
    ViewProperty(
      "detail_font", of: [.label, .button], .font, is: [.cosmetic, .nullable, .last],
      get: { (view: View) in
        ((view as? Label)?.shownDetailStyle ?? (view as? Button)?.shownDetailStyle).map(TextStyle.value(of:))
      },
      set: { (view: View, values) in
        guard var style = (view as? Label)?.shownDetailStyle ?? (view as? Button)?.shownDetailStyle else {
          return
        }
        values.apply(to: &style, TextStyle.parts)
        (view as? Label)?.detailStyle = style
        (view as? Button)?.detailStyle = style
      },
      "How the second line looks. Default: as the text, at five sixths of its size and two thirds of its strength."
    ),
    icon, icons,
    ViewProperty(
      "padding", of: ViewKinds.withFont.without(.segmented).without(.chart).without(.keyboard),
      PropertyType.insets.orNone,
      is: [.cosmetic, .nullable, .fixed],
      get: { ($0 as? any TextStyled).map { PropertyType.insets.orNone.write($0.textStyle.padding) } },
      set: { (view: View, padding) in (view as? any TextStyled)?.textStyle.padding = padding },
      "Left free between the edges of the view, or of a row, and the text: one number, or `[top, left, bottom, right]`. "
        + "Default: 0, but at the left and the right 8 for a button, 12 for a text field and 16 for a list."),
  ]

  // MARK: Text fields

  package static let editing = ViewProperty(
    "editing", \TextField.isEditing, .flag, is: .last,
    "Whether it is the one that is typed into: setting it shows or hides the caret, and the keyboard. See [text "
      + "fields](#text-fields).")

  static let entry: [ViewProperty] = [
    ViewProperty(
      "secure", \TextField.isSecure, .flag, is: .fixed,
      "Whether its letters are shown as dots; it is [private](#private-views) then."),
    ViewProperty(
      "limit", \TextField.limit, PropertyType.integer(1...10_000).orNone, is: [.nullable, .fixed, .first],
      "The most letters that can be written. Default: 4096."),
    ViewProperty(
      "placeholder", \TextField.placeholder, .text, is: .cosmetic,
      "A text that is shown while nothing is written."),
    ViewProperty(
      "keyboard", \TextField.keyboard, .word, is: [.nullable, .fixed],
      "The keys that a keyboard on the screen offers: `text`, `number`, `pin` (digits alone), `email` or `url`."
    ),
    ViewProperty(
      "return", \TextField.returnKey, .word, is: [.nullable, .fixed],
      "What the return key does after the actions `returned`: `done` and `search` end editing, `next` goes on to the "
        + "next text field."),
    ViewProperty(
      "clear_button", \TextField.hasClearButton, .flag, is: .fixed,
      "Whether a button at the right end deletes what is written, while it is edited."),
    ViewProperty(
      "tint", \TextField.tint, .color, is: [.cosmetic, .nullable],
      "The colour of the caret, of what is selected, and of the line around a field that is edited."),
    editing,
  ]

  package static let keyboardLayout = ViewProperty(
    "layout", \KeyboardView.layoutName, .name("the name of a layout, such as german"),
    is: [.nullable, .fixed, .noDefault],
    "Its keys: the name of a [layout](text.md#layouts), or a language. Default: the `layout` of `keyboard`.")

  static let keyboards: [ViewProperty] = [
    keyboardLayout,
    ViewProperty(
      "always", \KeyboardView.isAlways, .flag, is: .fixed,
      "Whether it stands there all the time. If not, it comes when a text field is edited, and goes with that."
    ),
    ViewProperty(
      "to", \KeyboardView.destination, .word, is: [.fixed, .first],
      "Where what it types goes: `fields`, or `kernel` for [other programs](text.md#other-programs)."),
    ViewProperty(
      "tint", \KeyboardView.tint, .color, is: [.cosmetic, .nullable],
      "The colour of a pressed key, and of the return key."),
    ViewProperty(
      "track", \KeyboardView.keyColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the keys that write something. Default: one that shows on what is behind the keyboard."),
    ViewProperty(
      "thumb", \KeyboardView.functionKeyColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the other keys, such as shift. Default: one that shows there, too."),
  ]

  package static let image = ViewProperty(
    "image", .picture, is: [.cosmetic, .nullable],
    get: { $0.path.isEmpty ? .null : .fields(of: $0, ImageView.parts) },
    set: { (view: ImageView, values) in
      var view = view
      values.apply(to: &view, ImageView.parts)
    },
    "The path of a PNG or JPEG file, or a mapping.")
  package static let imageMode = ViewProperty(
    "image_mode", \ImageView.mode, .word, is: [.cosmetic, .fixed],
    "`fit`, `fill`, `stretch` or `center`; also of a picture that a program sets later.")

  static let pictures = [
    image, imageMode,
    ViewProperty(
      "z", of: .insideWindow, \View.behavior.z, .coordinate, is: .nullable,
      "The order among siblings: a larger one is in front, both drawn and touched."),
  ]
}
