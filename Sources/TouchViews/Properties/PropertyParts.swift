import TouchCore

/// The properties that have parts, and those that take more than one kind of value.

protocol TextStyled: View {
  var textStyle: TextStyle { get set }
}

protocol TextHolding: View {
  var text: String { get set }
}

/// A view with a title, which can have a second line below it.
protocol TitleHolding: TextHolding, TextStyled {
  /// The style of the text, which pictures change on its way without damage.
  var storedTextStyle: TextStyle { get set }
  var detail: String { get set }
  var detailStyle: TextStyle? { get set }
  var shownDetailStyle: TextStyle { get }
}

protocol IconsHolding: ValueControl {
  var icons: [String] { get set }
}

protocol RowsHolding: ValueControl {
  var rows: [String] { get set }
}

extension View {
  /// The behaviour in hit tests, as one that is always there.
  final var behavior: HitBehavior {
    get { hitBehavior ?? HitBehavior() }
    set { hitBehavior = newValue }
  }
}

extension TextStyle {
  static let parts: [PropertyPart<TextStyle>] = [
    PropertyPart(
      "family", \.family, .name("a font family, such as sans-serif"), "A font family that fontconfig knows."),
    PropertyPart("size", \.size, .number(.fontSize), "Size in units, up to 1000."),
    PropertyPart(
      "weight", \.weight, .weight,
      "`thin`, `light`, `regular`, `medium`, `semibold`, `bold` or `black`, or one of CSS's numbers, 100 to 900 in "
        + "hundreds; the nearest that the family has."),
    PropertyPart("color", \.color, .color, "The colour of the text."),
    PropertyPart(
      "align", \.alignment, .word,
      "`left`, `center` or `right`. Default: `left` in a label, a list and a text field, `center` in a button, a segmented control and a keyboard."
    ),
    PropertyPart("valign", \.verticalAlignment, .word, "`top`, `middle` or `bottom`."),
    PropertyPart(
      "lines", \.lines, .integer(0...1000),
      "The maximum number of lines; 0 fills the height of the view. What does not fit ends in an ellipsis."),
    PropertyPart(
      "figures", \.figures, .word,
      "`proportional`, or `tabular`: equally wide digits, if the font has them, so that a changing number does not move."
    ),
    PropertyPart(
      "letter_spacing", \.letterSpacing, .number(.spacing),
      "Added between two letters, in units; may be below 0."),
    PropertyPart(
      "line_height", \.lineHeight, .number(.lineHeight),
      "From one baseline to the next, as a multiple of the font's: 0.5 to 4."),
  ]

  static func value(of style: TextStyle) -> PropertyValue { .fields(of: style, parts) }
}

/// A border as a person gives it: its gradient is in the place of its colour.
struct BorderValue: Sendable {
  var fill: Fill
  var width: Double

  init(fill: Fill, width: Double) { (self.fill, self.width) = (fill, width) }

  init?(of view: View) {
    guard let border = view.border else { return nil }
    self.init(fill: view.borderGradient.map(Fill.gradient) ?? .color(border.color), width: border.width)
  }

  func set(on view: View) {
    switch fill {
    case .color(let color):
      (view.border, view.borderGradient) = (Appearance.Border(color: color, width: width), nil)
    case .gradient(let gradient):
      view.border = Appearance.Border(color: gradient.middle, width: width)
      view.borderGradient = gradient
    }
  }

  static let parts: [PropertyPart<Self>] = [
    PropertyPart(
      "color", \.fill, .fill, isRequired: true, "Its colour, or a [gradient](#gradients-gradient). Required."),
    PropertyPart("width", \.width, .length, "Its width."),
  ]
}

extension Shadow {
  static let parts: [PropertyPart<Self>] = [
    PropertyPart("color", \.color, .color, "Its colour."),
    PropertyPart(
      "blur", \.blur, .number(.blur),
      "How far its edge fades, half of it outside and half of it inside the outline, up to 250."),
    PropertyPart("offset", \.offset, .point(), "Its move to the right and down: `[x, y]`."),
    PropertyPart(
      "spread", \.spread, .number(.spread),
      "How much larger than the view it is on each side; a negative number makes it smaller."),
  ]
}

extension ImageView {
  static let parts: [PropertyPart<ImageView>] = [
    PropertyPart("path", \.path, .path, isRequired: true, "The path of a PNG or JPEG file. Required."),
    PropertyPart("mode", \.mode, .word, "`fit`, `fill`, `stretch` or `center`."),
    PropertyPart(
      "slice", \.slice, PropertyType.insets.orNone,
      "Keeps the corners: how far they reach into the picture, in its pixels: one number, or `[top, left, bottom, right]`. The edges between "
        + "them are stretched along themselves, the middle both ways; `mode` does not matter then."),
    PropertyPart(
      "follow", \.follows, .flag,
      "Whether the picture is shown again when another program has written its file."),
  ]
}

extension PropertyType where Value == PartValues {
  static var font: Self {
    let parts = TextStyle.parts
    let standard = TextStyle(alignment: .left)
    let shape = parts.map { $0.described(by: $0.name == "align" ? nil : standard) }
    return Self(.parts(of: "a font", shape)) { (reader) throws(PropertyError) in
      try reader.parts(parts)
    }
  }

  /// A path alone, or with a mode; nothing is no picture.
  static var picture: Self {
    let parts = ImageView.parts
    let path = PropertyType<String>.path
    let shape = parts.map { $0.described(by: $0.isRequired ? nil : ImageView(id: "")) }
    return Self(.either([.words([""]), .name, .parts(of: "an image", shape), .nothing])) {
      (reader) throws(PropertyError) in
      if case .map = reader.value { return try reader.parts(parts) }
      var values = PartValues()
      values["path"] = CheckedValue(try path.read(reader))
      return values
    }
  }
}

extension PropertyType where Value == PartValues? {
  /// Nothing is no border.
  static var border: Self {
    let parts = BorderValue.parts
    let standard = BorderValue(fill: .color(.black), width: 1)
    let shape = parts.map { $0.described(by: $0.isRequired ? nil : standard) }
    return Self(.either([.parts(of: "a border", shape), .nothing])) { (reader) throws(PropertyError) in
      reader.isNothing ? nil : try reader.parts(parts, or: " or none")
    }
  }

  /// Nothing is no shadow.
  static var shadow: Self {
    let parts = Shadow.parts
    let shape = parts.map { $0.described(by: Shadow()) }
    return Self(.either([.parts(of: "a shadow", shape), .nothing])) { (reader) throws(PropertyError) in
      reader.isNothing ? nil : try reader.parts(parts, or: " or none")
    }
  }
}

extension PropertyType where Value == String {
  /// Of a picture; empty for none.
  fileprivate static var path: Self {
    Self(.either([.words([""]), .name, .nothing])) { (reader) throws(PropertyError) in
      reader.isNothing || reader.value == .text("") ? "" : try reader.name("the path of a PNG or JPEG file")
    } write: {
      .text($0)
    }
  }
}

extension PropertyType where Value == Double {
  /// A switch is true or false, which count as 1 and 0.
  static var controlValue: Self {
    Self(.either([.number(.coordinate), .flag, .dayOrMinute])) { (reader) throws(PropertyError) in
      if let number = try reader.dayOrMinuteOfValue() { return number }
      switch reader.kind?.role {
      case .flag?: return try reader.flag() ? 1 : 0
      case nil:
        if case .flag(let flag) = reader.value { return flag ? 1 : 0 }
        return try reader.number(in: .coordinate)
      default: return try reader.number(in: .coordinate)
      }
    } write: {
      .number($0)
    }
  }

  /// The limit of a value: a number; of some kinds also a time or a date.
  static var controlLimit: Self {
    Self(.either([.number(.coordinate), .dayOrMinute])) { (reader) throws(PropertyError) in
      if let number = try reader.dayOrMinuteOfValue() { return number }
      return try reader.number(in: .coordinate)
    } write: {
      .number($0)
    }
  }

  /// UIKit's stepper raises an exception for a step of 0.
  static var step: Self {
    Self(.number(.length)) { (reader) throws(PropertyError) in
      if case .number(isStepped: true)? = reader.kind?.role { return try reader.number(in: .extent) }
      return try reader.number(in: .length)
    } write: {
      .number($0)
    }
  }
}

extension PropertyType where Value == [String] {
  /// One name, or several.
  static var names: Self {
    Self(.either([.name, .texts(1...8)])) { (reader) throws(PropertyError) in
      if case .text = reader.value { return [try reader.name("the name of a value, or a list of names")] }
      return try reader.texts(1...8)
    } write: {
      $0.count == 1 ? .text($0[0]) : .list($0.map { .text($0) })
    }
  }
}

extension PropertyType where Value == ScrollView.Axis? {
  /// True, false or an axis; nothing is false.
  static var slide: Self {
    let axes = PropertyShape.words(["horizontal", "vertical"])
    return Self(.either([.flag, axes, .nothing])) { (reader) throws(PropertyError) in
      if let flag = try? reader.flag() { return flag ? .horizontal : nil }
      return reader.isNothing ? nil : try reader.word(PagesView.Slide.self).axis
    } write: {
      $0.map { .text($0.rawValue) } ?? .flag(false)
    }
  }
}

extension PropertyReader {
  /// The date or the time of a value; nil for a number, and for a kind of view that has neither.
  fileprivate func dayOrMinuteOfValue() throws(PropertyError) -> Double? {
    guard kind?.traits.contains(.times) ?? true else { return nil }
    if let number = dayOrMinute { return number }
    guard kind != nil, case .text = value, number == nil else { return nil }
    throw failure(.other, "a time such as 06:30, a date such as 2026-11-23 or a number, as its mode wants")
  }

  /// The days since 1 January 1970 that `2026-11-23` stands for, or the minutes since midnight of `21:30`;
  /// nil for anything else.
  fileprivate var dayOrMinute: Double? {
    guard case .text(let text) = value else { return nil }
    return (CivilDate(text)?.days ?? TimeOfDay(text)?.minutes).map(Double.init)
  }
}

extension PropertyValue {
  static func fields<Whole>(of whole: Whole, _ parts: [PropertyPart<Whole>]) -> PropertyValue {
    .map(parts.map { Entry(key: $0.name, value: $0.value(whole)) })
  }
}
