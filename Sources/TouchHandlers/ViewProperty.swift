import TouchCore

/// The properties of a view that can be set from outside, by name and text: by plugins, processes and `ctl
/// set`.
package enum ViewProperty: String, CaseIterable, Sendable {
  case hidden, alpha, background, text, enabled
  case userInteraction = "user_interaction"
  case selected

  /// Sets a property of a view, or leaves the view as it was.
  ///
  /// - Parameters:
  ///   - key: the property's name, as in the configuration file.
  ///   - value: `true` or `false`; for alpha a number from 0 to 1; for background `#rrggbb`, `#rrggbbaa` or
  ///     `none`.
  /// - Throws: when the property does not exist, this view does not have it, or the value is not valid.
  package static func set(_ key: String, to value: String, on view: View) throws(ViewPropertyError) {
    func failure(_ cause: ViewPropertyError.Cause) -> ViewPropertyError {
      ViewPropertyError(view: view.id, key: key, value: value, cause: cause)
    }
    guard let property = ViewProperty(rawValue: key) else { throw failure(.unknownKey) }
    do throws(ViewPropertyError.Cause) {
      try property.set(value, on: view)
    } catch {
      throw failure(error)
    }
  }

  private func set(_ value: String, on view: View) throws(ViewPropertyError.Cause) {
    switch self {
    case .hidden: view.isHidden = try Self.boolean(value)
    case .userInteraction: view.isUserInteractionEnabled = try Self.boolean(value)
    case .enabled: try Self.control(view).isEnabled = Self.boolean(value)
    case .selected: try Self.control(view).isSelected = Self.boolean(value)
    case .alpha:
      guard let alpha = Double(value), (0...1).contains(alpha) else {
        throw .badValue(expected: "a number from 0 to 1")
      }
      view.alpha = alpha
    case .background:
      view.appearance.background = try Self.color(value)
    case .text:
      switch view {
      case let label as Label: label.text = value
      case let button as Button: button.text = value
      default: throw .notOfThisView(has: "labels and buttons")
      }
    }
  }

  private static func boolean(_ value: String) throws(ViewPropertyError.Cause) -> Bool {
    switch value {
    case "true": true
    case "false": false
    default: throw .badValue(expected: "true or false")
    }
  }

  private static func color(_ value: String) throws(ViewPropertyError.Cause) -> Color? {
    if value == "none" { return nil }
    guard let color = Color(hex: value) else {
      throw .badValue(expected: "#rrggbb, #rrggbbaa or none")
    }
    return color
  }

  private static func control(_ view: View) throws(ViewPropertyError.Cause) -> Control {
    guard let control = view as? Control else { throw .notOfThisView(has: "controls and buttons") }
    return control
  }
}

/// Why a property was not set.
package struct ViewPropertyError: Error, CustomStringConvertible {
  /// What is wrong with the property; the text with it is for the message.
  package enum Cause: Error, Hashable {
    case unknownKey
    case notOfThisView(has: String)
    case badValue(expected: String)
  }

  /// The id of the view.
  package let view: String
  /// As it was given, even if the property does not exist.
  package let key: String
  /// As it was given.
  package let value: String
  package let cause: Cause

  package var description: String {
    switch cause {
    case .unknownKey:
      let known = ViewProperty.allCases.map(\.rawValue).joined(separator: ", ")
      return "view \(view): no property \"\(key)\" can be set; there are \(known)"
    case .notOfThisView(let owners):
      return "view \(view): has no property \(key); only \(owners) have"
    case .badValue(let expected):
      return "view \(view): \(key) cannot be \"\(value)\"; give \(expected)"
    }
  }
}
