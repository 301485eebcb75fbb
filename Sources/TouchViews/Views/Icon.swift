import TouchCore

/// An icon by its name, or by a path, beside a text or alone. (`UIImage.init(systemName:)`.)
///
/// A name is that of an icon of the installed font, or else of one of touchtree's own. `touchtree icons`
/// lists the names.
public struct Icon: Hashable, Sendable {
  /// The position of the icon relative to the text.
  public enum Place: String, CaseIterable, Sendable {
    /// Left of the text.
    case left
    /// Right of the text.
    case right
    /// Above the text.
    case top
    /// Below the text.
    case bottom
  }

  /// The name in the font's own table; empty for no icon.
  public var name = ""
  /// The path data of SVG that is filled in place of a named icon, on 24 × 24 units; nil for none.
  public var path: String? {
    get { shape?.data }
    set { shape = newValue.flatMap(IconShape.init) }
  }
  fileprivate var shape: IconShape?
  /// The side of the square, in units of the view's own space; nil for one that suits the text.
  public var size: Double?
  /// The position relative to the text.
  public var place = Place.left
  /// The colour; nil for that of the text, or in an image for black or white by the background.
  public var color: Color?

  /// - Parameters:
  ///   - name: the name in the font's own table; empty for no icon.
  ///   - size: the side of the square, in units of the view's own space; nil for one that suits the text.
  ///   - place: the position relative to the text.
  ///   - color: the colour; nil for that of the text.
  public init(_ name: String = "", size: Double? = nil, place: Place = .left, color: Color? = nil) {
    (self.name, self.size, self.place, self.color) = (name, size, place, color)
  }

  package var isShown: Bool { !name.isEmpty || shape != nil }

  /// The drawing of a path, or of a name that is one of touchtree's own: the path on 24 × 24 units, and the
  /// width of the line along it, or nil for a path that is filled. That of a name is read each time.
  package var drawing: (path: Path, line: Double?)? {
    if let shape { return (shape.path, nil) }
    return OwnIcons.drawing(name).map { ($0.path, $0.line) }
  }
  /// Whether it is a path, and no name counts.
  package var isPath: Bool { shape != nil }
  /// The side of the square in which a drawing lies.
  package static var drawingSide: Double { OwnIcons.side }

  /// Returns the side of the square beside a text of this size, or alone in its place.
  package func side(beside fontSize: Double, hasText: Bool) -> Double {
    size ?? (fontSize * (!hasText ? 1.5 : place == .left || place == .right ? 1.25 : 1.75)).rounded()
  }

  /// Returns the space between the icon and the text.
  package static func gap(beside fontSize: Double) -> Double { (fontSize * 0.4).rounded() }
}

/// The path of an icon, with its text.
private struct IconShape: Hashable, Sendable {
  let data: String
  let path: Path

  /// - Returns: nil for a text that is no path data.
  init?(_ data: String) {
    guard let path = Path(svg: data), !path.elements.isEmpty else { return nil }
    (self.data, self.path) = (data, path)
  }
}

protocol IconHolding: View {
  var icon: Icon { get set }
}

extension TextStyle {
  /// The default style of the second line below a text of this style.
  fileprivate var ofDetail: TextStyle {
    var style = self
    style.size = (size * 5 / 6).rounded()
    style.color.alpha = UInt8(Int(color.alpha) * 2 / 3)
    style.weight = .regular
    return style
  }
}

extension Label {
  package final var shownDetailStyle: TextStyle { detailStyle ?? textStyle.ofDetail }
}

extension Button {
  package final var shownDetailStyle: TextStyle { detailStyle ?? textStyle.ofDetail }
}

package enum IconNames {
  /// The names of the icons that touchtree draws itself.
  package static let own: [String] = OwnIcons.data.keys.sorted()

  /// All names, sorted. They are empty without a font of icons; then every name is accepted. This module
  /// reads no files. The reader of configurations sets equal names each time, before it reads one.
  nonisolated(unsafe) package static var all: @Sendable () -> [String] = { [] }

  /// Returns the advice for a wrong name; nil for an existing one.
  static func advice(for name: String) -> String? {
    let names = all()
    guard !names.isEmpty, !contains(name, names) else { return nil }
    let near = nearest(to: name, among: names)
    return near.isEmpty
      ? "the name of an icon; `touchtree icons WORD` finds one"
      : "the name of an icon: did you mean \(near.joined(separator: ", "))? `touchtree icons WORD` finds others"
  }

  private static func contains(_ name: String, _ names: [String]) -> Bool {
    let place = names.indices.partition { names[$0] < name }
    return place < names.count && names[place] == name
  }

  /// Returns the names that were probably meant, at most four, the most probable first.
  package static func nearest(to name: String, among names: [String]) -> [String] {
    // Comparing the words of a long text with all names would take long and find nothing.
    guard name.utf8.count <= longestMeant else { return [] }
    // Home Assistant writes mdi:lightbulb.
    var meant = name.lowercased()
    if let colon = meant.lastIndex(of: ":") { meant = String(meant[meant.index(after: colon)...]) }
    meant = String(meant.map { $0 == "_" || $0 == " " ? "-" : $0 })
    var found: [String] = []
    if contains(meant, names) { found.append(meant) }
    if let other = synonyms[meant], contains(other, names) { found.append(other) }
    if let near = Suggestion.nearest(to: meant, among: names) { found.append(near) }
    // music: music-box, music-circle; lightbulb-on: lightbulb, lightbulb-outline.
    let words = meant.split(separator: "-").map(String.init).filter { $0.utf8.count > 2 }
    let holding = names.filter { name in
      let parts = name.split(separator: "-")
      return words.contains { word in parts.contains { $0 == word } }
    }
    found += holding.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    return Array(
      found.enumerated().filter { found.firstIndex(of: $0.element) == $0.offset }.map(\.element).prefix(4))
  }

  /// The longest name that is compared, in bytes.
  private static let longestMeant = 64

  private static let synonyms = [
    "cog": "settings", "gear": "settings", "trash": "delete", "bin": "delete", "bed": "hotel",
    "cross": "close", "x": "close", "tick": "check", "snowflake": "weather-snowy", "music": "music-note",
    "sun": "weather-sunny",
    "moon": "weather-night", "bulb": "lightbulb", "light": "lightbulb", "mute": "volume-off",
    "user": "account",
    "search": "magnify", "add": "plus", "remove": "minus", "edit": "pencil", "warning": "alert",
  ]
}

extension Icon {
  static let parts: [PropertyPart<Icon>] = [
    PropertyPart(
      "name", \.name, .iconName, isRequired: true, unless: "path",
      "Its name, as `touchtree icons` lists it. Required, unless there is a `path`."),
    PropertyPart(
      "path", \.path, PropertyType.iconPath.orNone,
      "The path data of SVG that is filled in place of a named icon, on 24 × 24 units: `\"M4 4h16v16H4z\"`."),
    PropertyPart(
      "size", \.size, PropertyType.number(.fontSize).orNone,
      "The side of its square. Default: one and a quarter of the font's size beside a text, one and three quarters above or "
        + "below one, one and a half alone; of an image all of the view."),
    PropertyPart(
      "place", \.place, .word, "Where it stands, seen from the text: `left`, `right`, `top` or `bottom`."),
    PropertyPart(
      "color", \.color, PropertyType.color.orNone,
      "Its colour. Default: that of the text; of an image black or white."),
  ]
}

extension PropertyType where Value == String {
  static var iconName: Self {
    Self(.either([.words([""]), .name, .nothing])) { (reader) throws(PropertyError) in
      if reader.isNothing || reader.value == .text("") { return "" }
      let name = try reader.name("the name of an icon, such as lightbulb")
      if let advice = IconNames.advice(for: name) { throw reader.failure(.other, advice) }
      return name
    } write: {
      .text($0)
    }
  }
}

extension PropertyType where Value == String {
  static var iconPath: Self {
    Self(.name) { (reader) throws(PropertyError) in
      let advice = "an SVG path of at most 8192 bytes, such as \"M4 4h16v16H4z\""
      let data = try reader.name(advice)
      guard IconShape(data) != nil else { throw reader.failure(.other, advice) }
      return data
    } write: {
      .text($0)
    }
  }
}

extension PropertyType where Value == PartValues {
  /// An icon by a name alone, or with its other parts; nothing for none.
  static var icon: Self {
    let parts = Icon.parts
    let name = PropertyType<String>.iconName
    let shape = parts.map { $0.described(by: $0.isRequired ? nil : Icon()) }
    return Self(.either([.words([""]), .name, .parts(of: "an icon", shape), .nothing])) {
      (reader) throws(PropertyError) in
      if case .map = reader.value { return try reader.parts(parts) }
      var values = PartValues()
      values["name"] = CheckedValue(try name.read(reader))
      return values
    }
  }
}

extension PropertyType where Value == [String] {
  /// The names of icons, one for each text; empty for none.
  static func iconNames(_ count: ClosedRange<Int>) -> Self {
    Self(.texts(count)) { (reader) throws(PropertyError) in
      let names = try reader.texts(count)
      for (index, name) in names.enumerated() where !name.isEmpty {
        guard let advice = IconNames.advice(for: name) else { continue }
        throw PropertyError(
          key: reader.key, path: [.item(index, name: "icon \(index + 1)")], value: .text(name),
          cause: .badValue(.init(.other, advice)))
      }
      return names
    } write: {
      .list($0.map { .text($0) })
    }
  }
}
