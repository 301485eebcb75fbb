import TouchCore
import TouchExpressions
import TouchViews

package final class KeyTable: Sendable {
  /// The mapping in a sentence: "a gesture".
  package let owner: String
  package let keys: [ConfigurationKey]
  /// The names of the keys, as a file writes them, each once.
  package let names: [String]
  /// The shape of the values of all other keys; nil where there are no others.
  package let others: KeyShape?
  /// Whether keys that begin with `x-` mean nothing: a place for values with anchors, as in Compose files.
  let takesAnchors: Bool
  package let choice: String
  /// Some kinds in a sentence: "a tap or a swipe".
  let words: @Sendable ([String]) -> String
  /// The text to write instead of a key that other systems have; nil for any other key.
  let advice: @Sendable (String) -> String?

  /// - Parameter properties: the names of more keys, which are properties of views.
  init(
    _ owner: String, _ keys: [ConfigurationKey], properties: [String] = [], others: KeyShape? = nil,
    takesAnchors: Bool = false, choice: String = "kind",
    advice: @escaping @Sendable (String) -> String? = { _ in nil },
    words: @escaping @Sendable ([String]) -> String = { $0.joined() }
  ) {
    (self.owner, self.keys, self.others, self.takesAnchors) = (owner, keys, others, takesAnchors)
    (self.choice, self.words, self.advice) = (choice, words, advice)
    names = (keys.map(\.name) + properties).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the first row of a key, or that of a kind of the mapping; nil where there is none.
  package func key(_ name: String, of kind: String? = nil) -> ConfigurationKey? {
    keys.first { $0.name == name && ($0.kinds.isEmpty || kind.map($0.kinds.contains) ?? true) }
  }

  /// The kinds of the mapping, in the order of the documents.
  var kinds: [String] {
    if case .value(.words(let words))? = key(choice)?.shape { words } else { [] }
  }

  /// Returns the kinds of the mapping that have a key; empty for all.
  package func kinds(of name: String) -> [String] {
    let rows = keys.filter { $0.name == name }
    return rows.contains { $0.kinds.isEmpty }
      ? [] : kinds.filter { kind in rows.contains { $0.kinds.contains(kind) } }
  }

  /// Whether a key of this name is left to the file's author, and means nothing.
  func ignores(_ name: String) -> Bool { takesAnchors && name.hasPrefix("x-") }
}

extension KeyTable {
  /// The tables of a configuration. The keys of a theme's file and of what is set stand in other tables, too.
  static let all: [KeyTable] =
    [
      root, DisplaySettings.keys.table, DisplaySettings.canvas.table, Configuration.Input.keys.table,
      DeviceRule.keys.table, DeviceRule.CalibratedFor.keys.table, ScannerSettings.keys.table,
      ContactFilter.keys.table, DeviceMatch.keys.table, highlight, HighlightStyle.Mark.keys.table,
      HighlightStyle.Touches.keys.table, HandlerDraft.keys.table, application,
      Configuration.Window.keys.table, view, ShapeDraft.keys.table,
    ] + parts + [
      gradient, controller, Configuration.Gesture.keys.table, Dispatcher.TapSettings.keys.table,
      KeyboardSettings.keys.table, nextFocus, controlActions, gestureStates, step, run, send, condition,
      after, Timing.keys.table, idleStage, NamedValue.keys.table, ThemeDraft.keys.table,
      SensorSource.keys.table, screenKeyboard,
      keyboardLayout,
    ]

  /// The keys of a gradient, which stands in the place of a colour.
  static let gradient = KeyTable("a gradient", [], properties: Gradient.keys)

  static let parts = ViewProperty.table.compactMap { property in
    property.shape.parts.map { KeyTable($0.whole, [], properties: $0.parts.map(\.name)) }
  }

  /// Returns the mappings that have a key of this name: "a view", "display".
  static func owners(of name: String) -> [String] {
    all.filter { $0.names.contains(name) }.map(\.owner).reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }
}
