import TouchCore
import TouchViews

/// Styles: keys that several views share. A view names them with `style:`; what it has itself wins, then the
/// style that it names last. Mappings, such as fonts, are merged key by key.
extension ConfigurationReader {
  /// Checks every style, whether or not a view names it.
  mutating func readStyles(_ value: Value?) {
    guard let value, !value.node.isNull else { return }
    guard let entries = value.node.entries else {
      return value.refuse("give names and the keys that they stand for: {key: {background: \"#222\"}}")
    }
    for (name, keys) in entries {
      styles[name.text ?? ""] = keys
      let style = Value(name: "the style \"\((name.text ?? "").escaped)\"", node: keys, report: report)
      guard let fields = style.fields(.view, "give a mapping with keys of views") else { continue }
      for entry in fields.entries where KeyTable.ofOneView.contains(entry.key) {
        report.add(
          at: entry.place,
          "\"\(entry.key)\" belongs to one view, and a style is for several; move it to the view")
      }
      readAsView(fields)
    }
  }

  /// Reports wrong values. Of what is read nothing is kept.
  private mutating func readAsView(_ fields: Fields) {
    let kind = fields["kind"]?.kind()
    var view = Configuration.View(id: "", kind: kind ?? .view, parent: nil, place: fields.node.place)
    // Expressions are read where a view has the style.
    let unread = unreadBindings.count
    readSettings(fields, of: nil, into: &view)
    unreadBindings.removeSubrange(unread...)
    readHits(fields, into: &view)
    _ = handlerNames(fields["handlers"])
  }

  /// The look of a chart, where its `style:` names that and no style has the name.
  func chartStyle(of entries: [(key: YAMLNode, value: YAMLNode)]) -> ChartView.Style? {
    func text(_ key: String) -> String? { entries.first { $0.key.text == key }?.value.text }
    guard text("kind") == ViewKind.chart.name, let name = text("style"), styles[name] == nil else {
      return nil
    }
    return ChartView.Style(rawValue: name)
  }

  /// The mappings that give a view the keys which it does not have itself, the strongest first: the styles
  /// that it names, those of the file before those of the theme, and what the theme has for its kind.
  func styles(of entries: [(key: YAMLNode, value: YAMLNode)]) -> [YAMLNode] {
    let named = chartStyle(of: entries) == nil ? namedStyles(of: entries) : []
    guard let theme else { return named }
    let kind =
      entries.first { $0.key.text == "kind" }?.value
      ?? named.lazy.compactMap { $0.entries?.first { $0.key.text == "kind" }?.value }.first
    return named + theme.mappings(of: kind?.text ?? ViewKind.view.name)
  }

  private func namedStyles(of entries: [(key: YAMLNode, value: YAMLNode)]) -> [YAMLNode] {
    guard let node = entries.first(where: { $0.key.text == "style" })?.value, !node.isNull else { return [] }
    let named = (node.items ?? [node]).map { item -> [YAMLNode] in
      let value = Value(name: "a style", node: item, report: report)
      guard let name = value.nonEmptyText("give the name of a style") else { return [] }
      let found = (styles[name].map { [$0] } ?? []) + (theme?.styles[name] ?? [])
      if !found.isEmpty { return found }
      let names = Set(styles.keys).union(theme.map { Set($0.styles.keys) } ?? [])
      let help =
        themeAdvice(name)
        ?? Suggestion.nearest(to: name, among: names.sorted()).map { "did you mean \"\($0.escaped)\"?" }
        ?? "declare it under \"styles:\""
      report.add(at: item.place, "no style is called \"\(name.escaped)\"; \(help)")
      return []
    }
    return named.reversed().flatMap(\.self)
  }

  /// For a style of the themes, in a file without one.
  private func themeAdvice(_ name: String) -> String? {
    guard theme == nil, let dark = try? Theme("dark", accent: nil, report: Report(file: configuration.file)),
      dark.styles[name] != nil
    else { return nil }
    return "it is one of the themes', so write theme: dark, or declare it under \"styles:\""
  }

  /// Checks what a theme has for a kind of view, or for a style, of which the kind may not be known.
  mutating func checkTheme(_ node: YAMLNode, of kind: ViewKind?, name: String) {
    let style = Value(name: name, node: node, report: report)
    guard let fields = style.fields(.view, "give a mapping with keys of views") else { return }
    for entry in fields.entries where KeyTable.ofOneView.contains(entry.key) {
      report.add(at: entry.place, "\"\(entry.key)\" belongs to one view, and a theme is for all; remove it")
    }
    if let kind { refuseKeysThatDoNotFit(kind, fields) }
    readAsView(fields)
  }
}
