/// Words of other toolkits for what is set of a view, and what does it here. (CSS, HTML, Qt, LVGL, openHASP,
/// Home Assistant.)
package enum ForeignWords {
  /// Returns the text to write in a file instead of another toolkit's word.
  /// - Parameters:
  ///   - word: as it was written.
  ///   - keys: those that there are where it stands. What is done with another one is left out.
  /// - Returns: one sentence, without its end; nil for a word that no toolkit has, or that means nothing
  ///   here.
  package static func advice(for word: String, among keys: [String]) -> String? {
    entry(for: word, among: keys)?.advice
  }

  /// The same for who sets a property, and writes `font.size=24`.
  package static func property(for word: String, among keys: [String]) -> String? {
    guard let entry = entry(for: word, among: keys) else { return nil }
    guard !entry.names.isEmpty else { return entry.advice }
    let names = entry.names.filter { keys.contains(root(of: $0)) }.map { "\"\($0)\"" }
    let isOpposite = entry.names == ["hidden"] || entry.names == ["enabled"]
    return "did you mean " + names.joined(separator: " or ") + (isOpposite ? ", which is the opposite?" : "?")
  }

  private static func entry(for word: String, among keys: [String]) -> Entry? {
    let folded = fold(word)
    guard let entry = table.first(where: { $0.words.contains(folded) }) else { return nil }
    // In a font, what is a font's.
    if keys.contains("family"), !entry.names.isEmpty, entry.names.allSatisfy({ $0.hasPrefix("font.") }) {
      return entry
    }
    // What no key does is asked for of a view.
    return (entry.names.isEmpty ? ["alpha"] : entry.names).contains { keys.contains(root(of: $0)) }
      ? entry : nil
  }

  /// Returns the text to write in a file instead of another toolkit's word for layout.
  /// - Parameter container: the kind of the view around it; nil for the window.
  package static func layout(for word: String, of kind: ViewKind, in container: ViewKind?) -> String? {
    switch fold(word) {
    case "direction" where kind == .stack: "a stack has axis: horizontal or vertical"
    case "align" where kind == .stack, "alignitems" where kind == .stack, "valign" where kind == .stack,
      "halign" where kind == .stack:
      "a stack has alignment: fill, leading, center or trailing"
    case "justify" where kind == .stack, "justifycontent" where kind == .stack:
      "a stack has distribution: fill, fill_equally, equal_spacing or equal_centering"
    case "width" where container == .stack, "height" where container == .stack, "w" where container == .stack,
      "h" where container == .stack:
      "a view in a stack has size: [width, height], with null for what its content decides"
    default: nil
    }
  }

  /// The kind of view that another toolkit calls so; nil for a word that none has.
  package static func kind(for word: String) -> ViewKind? {
    let folded = fold(word)
    return ViewKind.all.first { $0.foreignNames.contains(folded) }
  }

  /// `font` of `font.size`.
  private static func root(of name: String) -> String { String(name.prefix { $0 != "." }) }

  /// Whether a word is one of those for a press of a button, in any spelling: `on_click`, `onPress`.
  package static func isPress(_ word: String) -> Bool { presses.contains(withoutOn(fold(word))) }

  /// Whether a word is one of those for a value that has changed: `on_change`, `changed`.
  package static func isChange(_ word: String) -> Bool {
    ["change", "changed", "input", "value", "valuechange", "valuechanged", "select", "selected"].contains(
      withoutOn(fold(word)))
  }

  /// In lower case, without `_` and `-`.
  private static func fold(_ word: String) -> String {
    word.utf8.count > 64 ? "" : word.lowercased().filter { $0 != "_" && $0 != "-" }
  }

  private static func withoutOn(_ word: String) -> String {
    word.hasPrefix("on") ? String(word.dropFirst(2)) : word
  }

  private static let presses: Set<String> = [
    "press", "pressed", "click", "clicked", "tap", "tapped", "push", "pushed", "release", "released", "touch",
    "touched", "touchup", "up", "short", "pointerup", "mouseup", "shortclicked",
  ]

  /// - `names`: what does it, as a property is named; none where nothing does.
  private typealias Entry = (words: Set<String>, names: [String], advice: String)

  private static let table: [Entry] = [
    (["opacity", "transparency", "opa", "bgopa"], ["alpha"], "write alpha, from 0 to 1: alpha: 0.5"),
    (
      ["visible", "visibility", "isvisible", "show", "shown", "display"], ["hidden"],
      "write hidden, which is the opposite: hidden: true"
    ),
    (
      ["disabled", "isdisabled", "inactive"], ["enabled"],
      "write enabled, which is the opposite: enabled: false"
    ),
    (
      ["boxshadow", "elevation", "dropshadow", "shadowradius", "shadowcolor"], ["shadow"],
      "write shadow: {color: \"#0008\", blur: 16, offset: [0, 4]}"
    ),
    (
      ["gradient", "lineargradient", "bggradient", "bggrad", "backgroundimage"], ["background"],
      "write background: {gradient: [\"#1b2834\", \"#0d141b\"], angle: 90}"
    ),
    (["glyph", "symbol", "iconname"], ["icon"], "write icon: NAME; `touchtree icons WORD` finds the name"),
    (
      ["color", "colour"], ["background", "font.color"],
      "write background for the area, or font: {color: ...} for the text"
    ),
    (
      ["foreground", "foregroundcolor", "textcolor", "fontcolor", "fg"], ["font.color"],
      "write font: {color: ...}"
    ),
    (
      ["bg", "bgcolor", "backgroundcolor", "fill", "fillcolor"], ["background"],
      "write background: \"#24405c\""
    ),
    (
      ["radius", "borderradius", "rounded", "round", "corner", "corners"], ["corner_radius"],
      "write corner_radius: 8"
    ),
    (
      [
        "x", "y", "left", "top", "right", "bottom", "width", "height", "w", "h", "pos", "position", "rect",
        "geometry", "bounds",
      ], ["frame"],
      "write frame: [x, y, width, height]"
    ),
    (["fontsize", "textsize"], ["font.size"], "write font: {size: 24}"),
    (["fontfamily", "fontname", "textfont"], ["font.family"], "write font: {family: sans-serif}"),
    (["fontweight", "bold"], ["font.weight"], "write font: {weight: bold}"),
    (["weight"], ["font.weight"], "write font: {weight: 600}"),
    (["textalign", "align", "halign", "justify"], ["font.align"], "write font: {align: center}"),
    (
      ["wrap", "wordwrap", "multiline", "numberoflines"], ["font.lines"],
      "write font: {lines: 0}, for as many as fit"
    ),
    (["title", "caption", "string"], ["text"], "write text: \"...\""),
    (["src", "source", "picture", "img", "url", "path", "file"], ["image"], "write image: picture.png"),
    (["fit", "objectfit", "contentmode", "stretch"], ["image.mode"], "write image_mode: fit"),
    (
      ["borderwidth", "outline", "stroke", "strokewidth"], ["border"],
      "write border: {color: \"#ffffff\", width: 1}"
    ),
    (["bordercolor", "strokecolor"], ["border.color"], "write border: {color: \"#ffffff\"}"),
    (["rotation", "rotate", "angle"], ["transform"], "write transform: {rotate: 90}"),
    (["scale", "zoom"], ["transform"], "write transform: {scale: 2}"),
    (["translate", "offset"], ["transform"], "write transform: {translate: [10, 0]}"),
    (["zindex", "order", "layer"], ["z"], "write z: 1"),
    (["gap", "margin"], ["spacing"], "a stack has spacing: 8 between its views and insets: 8 around them"),
    (["orientation", "flow", "flex", "flexdirection"], ["axis"], "a stack has axis: horizontal or vertical"),
    (["grid", "cols"], ["columns"], "a stack has columns: 3"),
    (["min"], ["minimum"], "write minimum: 0"),
    (["max"], ["maximum"], "write maximum: 100"),
    (
      ["checked", "state", "ison", "val", "progress"], ["value"],
      "write value: true for a switch, or a number"
    ),
    (["options", "choices", "buttons", "tabs"], ["segments"], "write segments: [Low, High]"),
    (["entries", "listitems"], ["rows"], "write rows: [One, Two]"),
    (["type", "class", "widget", "component", "obj", "element"], ["kind"], "write kind"),
    (["name", "key", "identifier"], ["id"], "write id: lamp"),
    (
      ["children", "child", "views", "items", "elements", "widgets", "body"], ["subviews"],
      "write subviews: [...]"
    ),
    (["overflow", "clip", "cliptobounds", "maskstobounds"], ["clips"], "write clips: true"),
    (
      ["touchable", "interactive", "clickable", "userinteractionenabled"], ["user_interaction"],
      "write user_interaction: false"
    ),
  ]
}
