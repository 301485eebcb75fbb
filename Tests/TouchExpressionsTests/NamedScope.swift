import TouchExpressions
import TouchViews

/// Values with names, and views with properties, that a test's expressions can use.
struct NamedScope: ExpressionScope {
  var values: [String: PropertyValue] = [
    "a": .number(3), "b": .number(4), "big": .number(1234567.891), "none": .null, "on": .flag(true),
    "name": .text("Küche"), "low-limit": .number(5), "limit": .number(2),
  ]
  var properties: [String: [String: PropertyValue]] = [
    "pin": ["text": .text("1234"), "hidden": .flag(false)], "volume-text": ["text": .text("40 %")],
    "my view": ["value": .number(7)], "title": ["font.size": .number(18)],
  ]

  func resolve(_ name: String) -> Resolution? {
    values[name].map { .reads(.value(name), $0 == .null ? .any : ExpressionType(of: $0)) }
  }

  func resolve(_ owner: String, _ part: String) -> Resolution? {
    guard let view = properties[owner] else { return nil }
    guard let value = view[part] else { return .unknown("no \(part)") }
    return .reads(.property(view: owner, part), ExpressionType(of: value))
  }

  func advice(for name: String) -> String { "give another name" }

  func value(of reference: Reference) -> PropertyValue {
    switch reference {
    case .value(let name): values[name] ?? .null
    case .property(let view, let part): properties[view]?[part] ?? .null
    case .sent, .now, .string, .row, .parameter: .null
    }
  }

  /// What a text is, with everything in it filled in.
  func value(
    _ text: String, asText: Bool = true, locale: Locale = .english, time: LocalTime? = nil
  ) throws -> PropertyValue {
    let formula = try Formula(text, scope: self)
    var computation = Computation(locale: locale, time: time)
    return computation.value(of: formula, asText: asText, Reading(scope: self))
  }

  struct Reading: ReferenceReading {
    let scope: NamedScope
    var ordinal = 0

    func value(of reference: Int, in formula: Formula) -> PropertyValue {
      scope.value(of: formula.references[reference])
    }
    func shown(_ reference: Int, in formula: Formula) -> String? { nil }
  }
}
