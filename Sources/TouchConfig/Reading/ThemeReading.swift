import SystemPackage
import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// The look of views where a file does not say it: colours by name, what each kind of view has, and styles.
/// It is data: `config/themes` has those that are built in, and a file of one's own has the same keys.
package struct Theme {
  static let valueName = "theme"
  /// Those that are built in.
  package static let names = ["dark", "light"]

  /// Whether its colours for people who do not see well count.
  private var isHighContrast = false
  /// The colours by their names: `#rrggbb`.
  private(set) var palette: [String: String] = [:]
  /// Of every font that says nothing else, and how touches are shown; nil for as without a theme.
  private(set) var font, highlight: YAMLNode?
  /// The settings of each kind of view and each style, the strongest first: a theme comes before the one that
  /// it is based on.
  private var kinds: [String: [YAMLNode]] = [:]
  private(set) var styles: [String: [YAMLNode]] = [:]

  /// The settings of a kind of view, the strongest first.
  func mappings(of kind: String) -> [YAMLNode] { kinds[kind] ?? [] }

  var windowBackground: YAMLNode? {
    mappings(of: ViewKind.window.name).lazy
      .compactMap { $0.entries?.first { $0.key.text == "background" }?.value }.first
  }

  /// Returns the styles of a theme and its colours, sorted; none of one that cannot be read.
  ///
  /// - Parameter name: of one that is built in, or the path of a file.
  package static func vocabulary(of name: String) -> (styles: [String], colors: [String]) {
    guard let theme = try? Theme(name, accent: nil, report: Report(file: name)) else { return ([], []) }
    return (theme.styles.keys.sorted(), theme.palette.keys.sorted())
  }

  // MARK: Reading

  /// A theme may be based on one that is based on one, and so on.
  private static let mostBases = 4
  /// A longer file is rejected. In bytes.
  private static let largestFile = 1 << 20

  /// Reads a theme.
  /// - Parameter name: of one that is built in, or the path of a file.
  /// - Parameter accent: in place of the theme's; nil for that.
  /// - Parameter report: gets what is wrong with its file.
  /// - Returns: nil where there is no such file.
  /// - Throws: why the file cannot be read, as the end of a sentence.
  init(_ name: String, accent: Color?, isHighContrast: Bool = false, report: Report) throws(Failure) {
    self.isHighContrast = isHighContrast
    try add(name, report: report, bases: 0)
    for (name, color) in derived(accent: accent) { palette[name] = color.hex }
  }

  fileprivate init(_ root: YAMLNode, of file: String, report: Report) throws(Failure) {
    try add(root, of: file, report, bases: 0, isTrusted: false)
  }

  /// Whether a file is a theme: it has keys that only a theme has, and no window.
  static func isOne(_ root: YAMLNode) -> Bool {
    let keys = (root.entries ?? []).compactMap(\.key.text)
    return !keys.contains("window") && keys.contains(where: ["based_on", "colors", "kinds"].contains)
  }

  private static func builtIn(_ name: String) -> [UInt8]? {
    switch name {
    case "dark": PackageResources.dark_yaml
    case "light": PackageResources.light_yaml
    default: nil
    }
  }

  private mutating func add(_ name: String, report: Report, bases: Int) throws(Failure) {
    if let bytes = Self.builtIn(name) {
      return try add(bytes, file: name, report, bases: bases, isTrusted: true)
    }
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileContents.read(name, upTo: Self.largestFile, waits: false)
    } catch .noSuchFileOrDirectory {
      let meant = Suggestion.nearest(to: name, among: Self.names).map { "did you mean \"\($0)\"? " } ?? ""
      throw Failure(
        .noSuchFile,
        "is not there; \(meant)give dark, light, or the path of a theme's file, relative to this one")
    } catch {
      throw Failure(.noSuchFile, "cannot be read: \(error); check the file")
    }
    try add(bytes, file: name, report, bases: bases, isTrusted: false)
  }

  /// - Parameter isTrusted: whether it is one that is built in, and right.
  private mutating func add(
    _ bytes: [UInt8], file: String, _ report: Report, bases: Int, isTrusted: Bool
  ) throws(Failure) {
    // Views have its nodes: what is wrong with them is reported where they stand.
    let number = Int32(clamping: report.sources.count)
    report.add(ConfigurationSource(file: file, text: bytes))
    guard let document = YAMLDocument.read(bytes, file: number, report: report)?.numbered(number) else {
      return
    }
    try add(document.root, of: file, report, bases: bases, isTrusted: isTrusted)
  }

  private mutating func add(
    _ root: YAMLNode, of file: String, _ report: Report, bases: Int, isTrusted: Bool
  ) throws(Failure) {
    // Its colours count in the theme, and in no file before it is read.
    let before = report.palette
    defer { report.palette = before }
    guard let fields = Fields(root, .theme, report: report) else {
      return report.add(at: root.place, "the theme is \(root.shown); start it with \"version: 1\"")
    }
    var base: String?
    if let value = fields.unlessNull("based_on"), let name = value.nonEmptyText("give dark, light or a path")
    {
      base = name
      if bases == Self.mostBases {
        value.complain("more than \(Self.mostBases) themes are based on each other; base it on dark or light")
        base = nil
      }
    }
    // The base first, so that this theme's colours replace those of the same name.
    if let base {
      let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
      let path = Self.names.contains(base) || base.hasPrefix("/") ? base : folder + base
      do throws(Failure) {
        try add(path, report: report, bases: bases + 1)
      } catch {
        fields["based_on"]?.complain("the theme \"\(base.escaped)\" \(error.message)")
      }
    }
    report.palette = palette
    let colors = ["colors"] + (isHighContrast ? ["high_contrast"] : [])
    for (key, node) in colors.flatMap({ fields.unlessNull($0)?.node.entries ?? [] }) {
      let value = Value(name: "the colour \"\((key.text ?? "").escaped)\"", node: node, report: report)
      guard let color = value.color() else { continue }
      palette[key.text ?? ""] = color.hex
      report.palette = palette
    }
    for (name, color) in derived(accent: nil) { report.palette[name] = color.hex }
    font = fields.unlessNull("font")?.node ?? font
    highlight = fields.unlessNull("highlight")?.node ?? highlight
    var reader = ConfigurationReader(file: file, report: report)
    for (key, node) in fields.unlessNull("kinds")?.node.entries ?? [] {
      let kind = key.text.flatMap(report.kind(named:))
      if kind == nil {
        Value(name: "a kind", node: key, report: report).refuse(
          word: (ViewKind.all + report.ownKinds).map(\.name), "give a kind of view")
      }
      if !isTrusted { reader.checkTheme(node, of: kind, name: "the kind \"\((key.text ?? "").escaped)\"") }
      kinds[key.text ?? "", default: []].insert(node, at: 0)
    }
    for (key, node) in fields.unlessNull("styles")?.node.entries ?? [] {
      if !isTrusted { reader.checkTheme(node, of: nil, name: "the style \"\((key.text ?? "").escaped)\"") }
      styles[key.text ?? "", default: []].insert(node, at: 0)
    }
  }

  /// Returns the colours that follow from the accent: the colour of text on it, a faint one, and a darker one
  /// for the other end of a gradient.
  private func derived(accent: Color?) -> [(String, Color)] {
    guard let color = accent ?? palette["accent"].flatMap({ Color($0) }) else { return [] }
    var derived = [("accent", color)]
    if accent != nil || palette["on_accent"] == nil {
      // ITU-R BT.601 luma. White is hard to read on a bright green that still counts as dark for marks on
      // controls.
      let isLight = 299 * Int(color.red) + 587 * Int(color.green) + 114 * Int(color.blue) > 116 * 1000
      derived.append(("on_accent", isLight ? Color(red: 0x0a, green: 0x0f, blue: 0x14) : .white))
    }
    if accent != nil || palette["accent_text"] == nil {
      // Lighter than the fill in a dark theme, and darker in a light one, as far as it has to be. (WCAG 2.2,
      // 1.4.3 and 1.4.6.)
      let least = isHighContrast ? 7 : 4.5
      let isDark = palette["text"].flatMap { Color($0) }.map { $0.green > 127 } ?? true
      let grounds = ["background", "surface", "raised"].compactMap { palette[$0].flatMap { Color($0) } }
      let mixed = (0...51).lazy.map { color.mixed(with: isDark ? .white : .black, parts: $0 * 5) }
      let text = mixed.first { text in grounds.allSatisfy { text.contrast(with: $0) >= least } }
      derived.append(("accent_text", text ?? (isDark ? .white : .black)))
    }
    if accent != nil || palette["accent_soft"] == nil {
      var soft = color
      soft.alpha = 0x30
      derived.append(("accent_soft", soft))
    }
    if accent != nil || palette["accent_deep"] == nil {
      func darker(_ channel: UInt8) -> UInt8 { UInt8(Int(channel) * 78 / 100) }
      derived.append(
        (
          "accent_deep",
          Color(red: darker(color.red), green: darker(color.green), blue: darker(color.blue))
        ))
    }
    return derived
  }
}

extension ConfigurationReader {
  /// A theme's file by itself, which shows nothing.
  mutating func readThemeAlone(_ root: YAMLNode) {
    configuration.contents = .theme
    guard takesOthers else {
      return report.add(
        at: root.place,
        "this is a theme, which shows nothing; name it with \"theme:\" in the file of a panel, and give that one"
      )
    }
    do throws(Failure) {
      _ = try Theme(root, of: configuration.file, report: report)
    } catch {
      report.add(at: root.place, "the theme \(error.message)")
    }
  }

  /// Reads `theme:` and `accent:`. The theme is a value, so that anybody can set it.
  mutating func readTheme(_ fields: Fields) {
    let accent = fields.unlessNull("accent")
    guard let value = fields.unlessNull("theme") else {
      accent?.complain(
        "accent is the colour of a theme, and the file has none; write theme: dark or theme: light, too")
      return
    }
    let advice = "give dark, light, or the path of a theme's file"
    guard let declared = declaredTheme(value, advice) else { return }
    guard case .text(let written) = declared.initial, !written.isEmpty else { return value.refuse(advice) }
    let name = wantedTheme ?? written
    let path = Theme.names.contains(name) ? name : configuration.resolve(name)
    do throws(Failure) {
      guard wantedTheme == nil || configuration.opensTheme(name) else {
        return value.complain(Configuration.refusal(ofTheme: name))
      }
      theme = try Theme(
        path, accent: accent?.color(), isHighContrast: configuration.isHighContrast, report: report)
    } catch {
      value.complain("the theme \"\(name.escaped)\" \(error.message)")
    }
    // Paths in the theme's file are relative to it.
    configuration.origins.files = report.allOrigins.files
    configuration.theme = name
    configuration.values.append(declared)
    names.add(Theme.valueName, .value, at: value.node.place)
    guard let theme else { return }
    report.palette = theme.palette
    configuration.window.focusColor = theme.palette["focused"].flatMap { Color($0) }
    if let font = theme.font { readFont(Value(name: "font", node: font, report: report)) }
    if let background = theme.windowBackground,
      let color = Value(name: "background", node: background, report: report).color()
    {
      configuration.window.background = color
      configuration.display.background = color
    }
    let highlight = theme.highlight.map { Value(name: "highlight", node: $0, report: report) }
    if let fields = highlight?.fields(.highlight) { configuration.highlight.read(fields) }
  }

  /// The value that names the theme: a name alone, a name with how it is shown, or as other values,
  /// `{value: dark, keep: true}`.
  private mutating func declaredTheme(_ value: Value, _ advice: String) -> NamedValue? {
    guard let entries = value.node.entries else { return .theme(value.nonEmptyText(advice)) }
    guard entries.contains(where: { $0.key.text == "name" }) else {
      return namedValue(Theme.valueName, value)
    }
    var draft = ThemeDraft()
    guard value.read(ThemeDraft.keys, into: &draft) != nil, !draft.name.isEmpty else { return nil }
    (configuration.isHighContrast, configuration.textScale) = (draft.contrast == .high, draft.scale)
    var declared = NamedValue(name: Theme.valueName, initial: .text(draft.name))
    declared.isKept = draft.isKept
    return declared
  }

  /// Reads what every font has; what is read later replaces it part by part.
  mutating func readFont(_ value: Value) {
    let setting = report.cosmetic { value.setting(.font, for: .label) }
    guard let parts: PartValues = setting?.value() else { return }
    configuration.font = configuration.font.map { parts.filled(with: $0) } ?? parts
  }
}

extension Configuration {
  /// The paths of the files of its theme: that of the theme, and of those that it is based on, unless they
  /// are built in.
  package var themeFiles: [String] {
    origins.files.dropFirst(sources.count).filter { !Theme.names.contains($0) }
  }
}

/// Shows a tree in the theme that the value `theme` names, when somebody sets it. The file is read once more
/// with the other theme. What comes out otherwise is what the theme gives, and that alone is set: what the
/// file says itself is the same in both.
package final class ThemeFollower {
  private(set) var shown: Configuration
  private let made: Configuration
  /// Whether another tree is due, since the theme that is shown gives more than properties of views: colours
  /// in the steps of actions, or the height of rows.
  package var needsOtherTree = false
  private let views: [View]
  private let lists: [RowList]
  private unowned let window: Window
  private unowned let bindings: Bindings
  /// Of the value.
  private let place: Int
  private var name: String

  /// Nil for a file without a theme.
  init?(
    _ configuration: Configuration, _ views: [View], _ lists: [RowList], _ window: Window,
    _ bindings: Bindings
  ) {
    guard let name = configuration.theme, let place = bindings.values.place(of: Theme.valueName) else {
      return nil
    }
    (made, shown, self.window, self.bindings) = (configuration, configuration, window, bindings)
    (self.views, self.lists, self.name, self.place) = (views, lists, name, place)
  }

  package func follow() {
    guard case .text(let wanted) = bindings.values[place], wanted != name else { return }
    name = wanted
    do throws(ConfigurationError) {
      guard let next = try shown.repeating(shown.lists, theme: wanted) else { return }
      show(next)
      shown = next
      needsOtherTree = next.isMadeOtherwise(than: made)
      bindings.computeAll()
    } catch {
      bindings.report("the theme \"\(wanted.escaped)\" cannot be shown: \(error.first)", window)
    }
  }

  private func show(_ next: Configuration) {
    if next.window.background != shown.window.background { window.background = next.window.background }
    window.focusColor = next.window.focusColor
    let (before, after) = (shown.viewsByID, next.viewsByID)
    for list in lists { list.follow(after) }
    for view in views {
      guard let old = before[view.id], let new = after[view.id], old.settings != new.settings else {
        continue
      }
      let (made, wanted) = (old.makeView(), new.makeView())
      for property in ViewProperty.table where old.isSet(property, otherwiseThanIn: new) {
        guard let was = property.value(of: made), let value = property.value(of: wanted), was != value,
          let now = property.value(of: view)
        else { continue }
        // What was set since then stays, part by part.
        let kept = value.keeping(now, insteadOf: was)
        if let setting = try? ViewSetting(property, kept, for: view.kind) { view.apply([setting]) }
      }
      bindings.replaceStandards(of: view, madeAs: made, by: wanted)
    }
  }
}

extension NamedValue {
  /// The value that says which theme is shown; nil without a name.
  fileprivate static func theme(_ name: String?) -> NamedValue? {
    name.map { NamedValue(name: Theme.valueName, initial: .text($0)) }
  }
}

extension Configuration {
  fileprivate var viewsByID: [String: View] {
    Dictionary(views.lazy.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether more is different than properties of views, for the same file in another theme.
  fileprivate func isMadeOtherwise(than other: Configuration) -> Bool {
    actions != other.actions || !views.elementsEqual(other.views) { $0.rows?.height == $1.rows?.height }
  }
}

extension Configuration.View {
  fileprivate func isSet(_ property: ViewProperty, otherwiseThanIn other: Configuration.View) -> Bool {
    settings.last { $0.property == property } != other.settings.last { $0.property == property }
  }
}
