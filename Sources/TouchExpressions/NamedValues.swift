import TouchCore
import TouchViews

/// The declaration of a value of `values:` in the file.
package struct NamedValue: Hashable, Sendable {
  package let name: String
  /// The value until it is set. Its type is the type of all values; null takes every type, or numbers alone
  /// if the value has a unit, a history or limits.
  package var initial: PropertyValue
  package var isKept = false
  /// The length of its history for charts, in seconds; nil for none.
  package var history: Double?
  /// The unit, and Home Assistant's name for the quantity, for programs: `°C`, `temperature`.
  package var unit: String?
  package var deviceClass: String?
  /// The numbers that it can be; nil for all, and for a value that is no number. A new value becomes the
  /// nearest of them, as in a control.
  package var limits: ControlValue?
  /// The name for people, such as in Home Assistant; nil for `name`.
  package var label: String?
  /// Whether Home Assistant gets it; nil where the label and the class decide.
  package var isAnnounced: Bool?
  /// The expression that it follows; nil for a value that is set. One without references is still to be read.
  package var formula: Formula?
  /// The texts that it can be, such as the languages of the file; empty for all.
  package var choices: [String] = []
  package var source: SensorSource?

  package init(name: String, initial: PropertyValue) { (self.name, self.initial) = (name, initial) }

  package var type: ExpressionType {
    if let formula {
      if formula.references.isEmpty { return .any }
      let type = formula.whole?.type ?? .text
      return type == .time ? .number : type
    }
    if initial == .null { return limits == nil && unit == nil && history == nil ? .any : .number }
    return ExpressionType(of: initial)
  }

  /// Returns a new value, checked.
  /// - Parameter isText: whether it is a text that stands for a value, as in a command line.
  /// - Throws: when it is not of the type of the value.
  package func checked(_ value: PropertyValue, isText: Bool = false) throws(PropertyError) -> PropertyValue {
    if let formula {
      throw PropertyError(
        key: name, cause: .unusable(Binding(.value, name, formula, at: .start).refusal))
    }
    var value = value
    if isText, case .text(let text) = value { value = read(text) }
    switch (type, value) {
    case (_, .null): return value
    case (.number, .number(let number)) where number.isFinite:
      guard var limits else { return value }
      limits.number = number
      return .number(limits.number)
    case (.text, .text(let text)) where !choices.isEmpty && !choices.contains(text):
      throw PropertyError(
        key: name,
        cause: .unusable("the \(name) \"\(text)\" is not there; give \(choices.joined(separator: ", "))"))
    case (.flag, .flag), (.text, .text): return value
    case (.text, .number(let number)) where number.isFinite: return .text(value.description)
    case (.any, .number(let number)) where !number.isFinite: break
    case (.any, _), (.list, .list): return value
    default: break
    }
    let wanted: String
    switch type {
    case .number: wanted = "a number, or null"
    case .flag: wanted = "true, false or null"
    case .text: wanted = "a text, or null"
    case .list: wanted = "a list"
    case .any, .null, .time: wanted = "a finite number, a text, true or false"
    }
    throw PropertyError(
      key: name, value: value, cause: .unusable("\(value) is not what this value holds; give \(wanted)"))
  }

  private func read(_ text: String) -> PropertyValue {
    if text == "null" { return .null }
    if type == .text { return .text(text) }
    if text == "true" || text == "false", type != .number { return .flag(text == "true") }
    if type != .flag, let number = Double(text) { return .number(number) }
    return .text(text)
  }
}

/// The texts of a file in several languages: `strings:`.
package struct Translations: Hashable, Sendable {
  package var languages: [String] = []
  package var texts: [String: [String: String]] = [:]

  package init() {}

  package static let valueName = "language"

  /// Returns the direction in which a language is written, by its tag (BCP 47): that of its script, if the
  /// tag has one.
  package static func direction(of language: String) -> UserInterfaceLayoutDirection {
    let parts = language.split { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
    if let script = parts.dropFirst().first(where: { $0.count == 4 }) {
      return mirroredScripts.contains(script) ? .rightToLeft : .leftToRight
    }
    return mirroredLanguages.contains(parts.first ?? "") ? .rightToLeft : .leftToRight
  }

  private static let mirroredScripts: Set = ["arab", "hebr", "thaa", "syrc", "nkoo", "rohg", "adlm"]
  private static let mirroredLanguages: Set = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "ps", "sd", "syr", "ug", "ur", "yi", "nqo",
  ]

  /// Returns a text; in another language if this one does not have it.
  package func text(_ key: String, in language: String) -> String? {
    texts[language]?[key] ?? languages.lazy.compactMap { texts[$0]?[key] }.first
  }

  package var gaps: [(key: String, missing: [String])] {
    Set(texts.values.flatMap(\.keys)).sorted().compactMap { key in
      let missing = languages.filter { texts[$0]?[key] == nil }
      return missing.isEmpty ? nil : (key, missing)
    }
  }
}

package final class NamedValues {
  package let declarations: [NamedValue]
  private var current: [PropertyValue]
  private let series: [Series?]
  private let places: [String: Int]
  /// An observer of changes. It is a structure, because an array of closures allocates for each that is
  /// called.
  private struct Observer {
    let owner: ObjectIdentifier
    let body: (Int) -> Void
  }
  private var observers: [Observer] = []

  package let translations: Translations

  package init(_ declarations: [NamedValue], translations: Translations = Translations()) {
    (self.declarations, self.translations) = (declarations, translations)
    current = declarations.map(\.initial)
    series = declarations.map { declaration in
      declaration.history.map { seconds in
        let series = Series(seconds: seconds)
        series.initial = declaration.initial.number
        return series
      }
    }
    places = Dictionary(
      declarations.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  /// The time of the last set value, or of the last turn, for the histories of values that follow
  /// expressions; nil before both.
  package var time: Timestamp?
  package private(set) var changes = 0
  /// The names of the lists that were set since `takeSetLists()`, even to the same content.
  package private(set) var setLists: Set<String> = []

  /// Returns `setLists`, and empties it.
  package func takeSetLists() -> Set<String> {
    defer { setLists = [] }
    return setLists
  }

  /// Calls a closure after each change from now on, with the index of the value. Setting a value to itself is
  /// no change.
  /// - Parameter owner: the observer, which is added once, however often it asks.
  package func observe(_ owner: AnyObject, _ body: @escaping (Int) -> Void) {
    forget(owner)
    observers.append(Observer(owner: ObjectIdentifier(owner), body: body))
  }

  package func forget(_ owner: AnyObject) { observers.removeAll { $0.owner == ObjectIdentifier(owner) } }

  package func place(of name: String) -> Int? { places[name] }

  package subscript(place: Int) -> PropertyValue { current[place] }

  /// Returns the history of a value over the last seconds; nil for one without a history.
  package func series(of name: String) -> Series? { places[name].flatMap { series[$0] } }

  package func value(_ name: String) -> PropertyValue? { places[name].map { current[$0] } }

  /// Returns a text of the file, in the current language; null for none.
  package func translation(_ key: String) -> PropertyValue {
    guard case .text(let language)? = value(Translations.valueName) else { return .null }
    return translations.text(key, in: language).map { .text($0) } ?? .null
  }

  /// The locale of the current language; English if that is unknown.
  package var localeOfLanguage: Locale {
    guard case .text(let language)? = value(Translations.valueName) else { return .english }
    return Locale.named(language) ?? .english
  }

  /// Sets values: all of them, or none.
  /// - Parameter isText: as in `NamedValue.checked`.
  /// - Parameter time: the time of the value, for its history.
  /// - Throws: the fault of the first entry whose name does not exist, or whose value is not allowed.
  package func set(_ entries: [PropertyValue.Entry], isText: Bool = false, at time: Timestamp)
    throws(PropertyError)
  {
    self.time = time
    // Checked twice, since a list of the results would be on the heap.
    for entry in entries { _ = try checked(entry, isText: isText) }
    for entry in entries {
      let (place, value) = try checked(entry, isText: isText)
      set(place, value, at: time)
    }
  }

  /// Returns the index of a value, and the value that it would become.
  /// - Parameter isText: as in `NamedValue.checked`.
  /// - Throws: when there is no such value, or it does not allow this one.
  package func checked(
    _ entry: PropertyValue.Entry, isText: Bool
  ) throws(PropertyError) -> (place: Int, value: PropertyValue) {
    guard let place = places[entry.key] else { throw unknown(entry.key) }
    return (place, try declarations[place].checked(entry.value, isText: isText))
  }

  /// Adds values of earlier times to a history. The last one is the present value, if nothing later is known.
  ///
  /// - Throws: when the value has no history, or does not allow one of these.
  package func fill(
    _ name: String, with samples: [(time: Timestamp, value: PropertyValue)]
  ) throws(PropertyError) {
    guard let place = places[name] else { throw unknown(name) }
    guard let series = series[place] else {
      throw PropertyError(
        key: name,
        cause: .unusable("it has no history to which a time belongs; give it one in the file: history: 3600"))
    }
    for sample in samples {
      let value = try declarations[place].checked(sample.value)
      let isLatest = series.count == 0 || sample.time >= series[series.count - 1].time
      series.insert(value.number, at: sample.time)
      if isLatest, current[place] != value { change(place, to: value) }
    }
  }

  private func set(_ place: Int, _ value: PropertyValue, at time: Timestamp) {
    // A history goes on while the value stays: a gap would mean that it was unknown.
    series[place]?.append(value.number, at: time)
    if case .list = value { setLists.insert(declarations[place].name) }
    guard current[place] != value else { return }
    change(place, to: value)
  }

  func follow(_ name: String, _ value: PropertyValue) {
    guard let place = places[name] else { return }
    if let time {
      series[place]?.append(value.number, at: time)
    } else {
      series[place]?.initial = value.number
    }
    if current[place] != value { change(place, to: value) }
  }

  private func change(_ place: Int, to value: PropertyValue) {
    current[place] = value
    changes += 1
    for observer in observers { observer.body(place) }
  }

  private func unknown(_ name: String) -> PropertyError {
    let names = declarations.map(\.name)
    let help =
      Suggestion.nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
      ?? (names.isEmpty
        ? "the file has no values; declare it under \"values:\""
        : "the values are \(names.prefix(12).joined(separator: ", "))")
    return PropertyError(key: name, cause: .unusable("no value has this name; \(help)"))
  }

  /// Takes over the values of another file, if this one declares them in the same way.
  package func keep(_ old: NamedValues) {
    for (place, declaration) in declarations.enumerated() {
      guard let before = old.places[declaration.name], old.declarations[before].initial == declaration.initial
      else { continue }
      series[place]?.take(old.series[before])
      // The limits may differ.
      guard let value = try? declaration.checked(old.current[before]), current[place] != value else {
        continue
      }
      change(place, to: value)
    }
  }

  package static func bytesOfHistories(_ declarations: [NamedValue]) -> Int {
    declarations.count { $0.history != nil } * Series.bytes
  }
}
