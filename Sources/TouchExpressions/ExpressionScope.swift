import TouchViews

package enum Reference: Hashable, Sendable {
  case value(String)
  /// A property of a view by its id, or a part of one with a dot: `font.size`.
  case property(view: String, String)
  /// A property of the control that sent an action; only in actions.
  case sent(SentPart)
  /// A text of `strings:`, in the current language.
  case string(String)
  case now
  /// An argument of a template that is an expression: a parameter by a name that no other one has.
  case parameter(String)
  /// A parameter of the row that some views of a list show now.
  case row(RowField)

  /// The properties of a sending control that an action's expression can read.
  package enum SentPart: String, CaseIterable, Sendable {
    case value, text
    /// In a list: the number of the row with an action, and that action.
    case row
    case rowAction = "row_action"
  }
}

/// A parameter of a list's rows. Only the visible rows exist as views.
package struct RowField: Hashable, Sendable {
  /// The index of the list among those of the file.
  package let list: Int
  /// The number of the list's views that show the row; they show one row after the other.
  package let slot: Int
  package let name: String

  package init(list: Int, slot: Int, name: String) { (self.list, self.slot, self.name) = (list, slot, name) }
}

/// The type of an expression, as far as it is known when the file is read.
package enum ExpressionType: Hashable, Sendable {
  case number, text, flag, null
  /// A moment: a number of seconds, which strftime's formats show.
  case time
  /// A list of plain values, rows or texts.
  case list
  /// A type that is only known when the expression is computed.
  case any

  package init(of value: PropertyValue) {
    switch value {
    case .null: self = .null
    case .flag: self = .flag
    case .number: self = .number
    case .text: self = .text
    case .list: self = .list
    case .map: self = .any
    }
  }

  /// The type as the object of "is": "a number".
  package var words: String {
    switch self {
    case .number: "a number"
    case .text: "a text"
    case .flag: "true or false"
    case .null: "null"
    case .time: "a time"
    case .list: "a list"
    case .any: "any value"
    }
  }
}

package enum Resolution: Hashable, Sendable {
  /// A value that never changes: a parameter of a template.
  case constant(PropertyValue)
  /// A value that is read whenever the expression is computed.
  case reads(Reference, ExpressionType)
  /// A name without a meaning; the message has the name that may have been meant.
  case unknown(String)
}

package protocol ExpressionScope {
  /// Returns the meaning of a single name; nil for none.
  func resolve(_ name: String) -> Resolution?
  /// Returns the meaning of `view.property`; nil if no view, and nothing else, has the name before the dot.
  func resolve(_ owner: String, _ part: String) -> Resolution?
  /// Returns the advice for the message about an unknown name: the remedy, or the name that was probably
  /// meant.
  func advice(for name: String) -> String
}

/// The reason why an expression cannot be used.
package struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset in bytes of UTF-8 from the beginning of the text that was read.
  package var offset: Int
  package var message: String

  package init(_ offset: Int, _ message: String) { (self.offset, self.message) = (offset, message) }

  package var description: String { message }
}
