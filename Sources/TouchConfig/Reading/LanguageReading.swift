import TouchExpressions
import TouchViews

extension ConfigurationReader {
  /// Reads `strings:` and `language:`. The language is a value, so that anybody can set it.
  mutating func readStrings(_ value: Value?, _ language: Value?) {
    let advice =
      "give languages, and in each the texts by their keys: {de: {hello: Hallo}, en: {hello: Hello}}"
    for (name, texts) in value.flatMap({ entries(of: $0, advice) }) ?? [] {
      let language = name.text ?? ""
      let of = Value(name: "the language \"\(language.escaped)\"", node: texts, report: report)
      configuration.translations.languages.append(language)
      for (key, node) in entries(of: of, "give texts by their keys: {hello: Hallo}") ?? [] {
        let key = key.text ?? ""
        let value = Value(name: "the text \"\(key.escaped)\"", node: node, report: report)
        value.warnOfBraces("put it beside {t.\(key.escaped)} in the text of a view")
        if let text = value.freeText() {
          configuration.translations.texts[language, default: [:]][key] = text
        }
      }
    }
    for (key, missing) in configuration.translations.gaps {
      let names = missing.map { "\"\($0.escaped)\"" }.joined(lastWith: "and")
      value.map {
        report.add(
          .warning, at: $0.node.place, "the text \"\(key.escaped)\" is missing in \(names); add it there")
      }
    }
    guard let declared = declared(language) else { return }
    configuration.values.append(declared)
    names.add(Translations.valueName, .value, at: (language ?? value)?.node.place ?? .start)
  }

  /// The value that says which language is shown; nil for a file without any.
  private mutating func declared(_ language: Value?) -> NamedValue? {
    let languages = configuration.translations.languages
    var declared = languages.first.map { NamedValue(name: Translations.valueName, initial: .text($0)) }
    if let language, let wanted = written(language) {
      if case .text(let first) = wanted.initial {
        if !languages.contains(first) { refuse(language, first) }
        declared = wanted
      } else {
        language.refuse("give a language of strings")
      }
    }
    declared?.choices = languages
    return declared
  }

  /// Reads `{value: de, keep: true}`, as other values are written, or a text alone.
  private mutating func written(_ language: Value) -> NamedValue? {
    if language.node.entries != nil { return namedValue(Translations.valueName, language) }
    return language.nonEmptyText("give a language of strings").map {
      NamedValue(name: Translations.valueName, initial: .text($0))
    }
  }

  private func refuse(_ language: Value, _ name: String) {
    let languages = configuration.translations.languages
    let help = Suggestion.nearest(to: name, among: languages).map { "did you mean \"\($0.escaped)\"?" }
    let node = language.node.entries?.first { $0.key.text == "value" }?.value
    Value(name: language.name, node: node ?? language.node, report: report).refuse(
      help
        ?? (languages.isEmpty
          ? "declare it under \"strings:\"" : "give \(languages.joined(lastWith: "or"))"))
  }

  private func entries(of value: Value, _ advice: String) -> [(key: YAMLNode, value: YAMLNode)]? {
    if value.node.entries == nil, !value.node.isNull { value.refuse(advice) }
    return value.node.entries
  }

  /// Reads `locale:`. Without one it is that of the language.
  mutating func readLocale(_ value: Value?) {
    guard let value, !value.node.isNull else {
      let language = configuration.values.first { $0.name == Translations.valueName }?.initial
      guard case .text(let name)? = language else { return }
      configuration.localeFollowsLanguage = true
      configuration.locale = Locale.named(name) ?? .english
      return
    }
    let advice =
      "give one of \(Locale.names.joined(lastWith: "or")), or leave it out for that of the language"
    guard let name = value.nonEmptyText(advice) else { return }
    guard let locale = Locale.named(name) else { return value.refuse(advice) }
    configuration.locale = locale
  }
}
