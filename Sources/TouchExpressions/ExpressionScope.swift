import TouchCore
import TouchViews

/// Something that an expression reads.
package enum Reference: Hashable, Sendable {
  /// A named value of the file.
  case value(String)
  /// A property of a view by its id, or a part of one with a dot: `font.size`.
  case property(view: String, String)
  /// What the control has that sent an action; only in actions.
  case sent(SentPart)
  /// A text of `strings:`, in the language of the moment.
  case string(String)
  /// The time of day.
  case now
  /// A parameter of the row that some views of a list show at the moment.
  case row(RowField)

  /// What an action's expression can read of the control that sent it.
  package enum SentPart: String, CaseIterable, Sendable {
    case value, text
    /// Of a list: the number of the row of which an action was done, and that action.
    case row
    case rowAction = "row_action"
  }
}

/// A parameter of the rows of a list, of which only those exist as views that are seen.
package struct RowField: Hashable, Sendable {
  /// Which of the file's lists it is.
  package let list: Int
  /// Which of the list's views show the row: they show one row after the other.
  package let slot: Int
  /// What the row calls it.
  package let name: String

  package init(list: Int, slot: Int, name: String) { (self.list, self.slot, self.name) = (list, slot, name) }
}

/// The type of an expression, as far as it is known when the file is read.
package enum ExpressionType: Hashable, Sendable {
  case number, text, flag, null
  /// A moment: a number of seconds, which strftime's formats show.
  case time
  /// Of plain values, rows or texts.
  case list
  /// What is only known when it is computed.
  case any

  /// The type of a value.
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

  /// The object of "is": "a number".
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

/// What a name in an expression stands for.
package enum Resolution: Hashable, Sendable {
  /// It never changes: a parameter of a template.
  case constant(PropertyValue)
  /// It is read whenever the expression is computed.
  case reads(Reference, ExpressionType)
  /// Nothing of this name is there; the message says so, and what may have been meant.
  case unknown(String)
}

/// The names that an expression can use.
package protocol ExpressionScope {
  /// What a name alone stands for; nil for nothing.
  func resolve(_ name: String) -> Resolution?
  /// What `view.property` stands for; nil if no view, and nothing else, has the name before the dot.
  func resolve(_ owner: String, _ part: String) -> Resolution?
  /// For the message about a name that stands for nothing: what to do, or the name that was probably meant.
  func advice(for name: String) -> String
}

/// Why an expression cannot be used.
package struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, in bytes of UTF-8 from the beginning of the text that was read.
  package var offset: Int
  /// What is wrong there, and what to do.
  package var message: String

  package init(_ offset: Int, _ message: String) { (self.offset, self.message) = (offset, message) }

  package var description: String { message }
}
