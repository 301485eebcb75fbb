import TouchCore
import TouchSystem
import TouchViews

/// Styles: keys that several views share. A view names them with `style:`; what it has itself wins, then the style that it
/// names last. Mappings, such as fonts, are merged key by key.
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
      guard let fields = style.fields(ViewKey.self, "give a mapping with keys of views") else { continue }
      for entry in fields.entries where entry.key.isOfOneView {
        report.add(
          at: entry.place,
          "\"\(entry.key.rawValue)\" belongs to one view, and a style is for several; move it to the view")
      }
      readAsView(fields)
    }
  }

  /// Reports wrong values. Of what is read nothing is kept.
  private mutating func readAsView(_ fields: Fields<ViewKey>) {
    let kind = fields[.kind]?.choice(among: ViewKind.declared)
    var view = Configuration.View(id: "", kind: kind ?? .view, parent: nil, place: fields.node.place)
    // Expressions are read where a view has the style.
    let unread = unreadBindings.count
    readSettings(fields, of: nil, into: &view)
    unreadBindings.removeSubrange(unread...)
    readHits(fields, into: &view)
    _ = handlerNames(fields[.handlers])
  }

  /// How a chart is drawn, where `style:` of it says that and no style has the name.
  func chartStyle(of entries: [(key: YAMLNode, value: YAMLNode)]) -> ChartView.Style? {
    func text(_ key: ViewKey) -> String? {
      entries.first { $0.key.text == key.rawValue }?.value.text
    }
    guard text(.kind) == ViewKind.chart.rawValue, let name = text(.style), styles[name] == nil else {
      return nil
    }
    return ChartView.Style(rawValue: name)
  }

  /// The styles that a view names, the strongest first.
  func styles(of entries: [(key: YAMLNode, value: YAMLNode)]) -> [YAMLNode] {
    guard let node = entries.first(where: { $0.key.text == ViewKey.style.rawValue })?.value,
      !node.isNull
    else { return [] }
    if chartStyle(of: entries) != nil { return [] }
    let named = (node.items ?? [node]).compactMap { item -> YAMLNode? in
      let value = Value(name: "a style", node: item, report: report)
      guard let name = value.nonEmptyText("give the name of a style") else { return nil }
      if let style = styles[name] { return style }
      let help =
        Suggestion.nearest(to: name, among: styles.keys.sorted()).map { "did you mean \"\($0.escaped)\"?" }
        ?? "declare it under \"styles:\""
      report.add(at: item.place, "no style is called \"\(name.escaped)\"; \(help)")
      return nil
    }
    return named.reversed()
  }
}

extension ViewKey {
  /// Whether two views cannot share the key's value.
  fileprivate var isOfOneView: Bool {
    let keys: [ViewKey] = [.id, .style, .controller, .gestures, .subviews]
    return keys.contains(self)
  }
}
