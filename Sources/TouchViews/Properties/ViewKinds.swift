import TouchCore

/// Some of the kinds of view, and the words for them.
package struct ViewKinds: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// In the order of the list.
  package let kinds: [ViewKind]

  /// Those of the list that belong.
  package init(where belongs: (ViewKind) -> Bool) { kinds = ViewKind.all.filter(belongs) }

  /// Each once, in the order of the list.
  package init(arrayLiteral kinds: ViewKind...) { self.init { kinds.contains($0) } }

  /// The kinds whose class this is, or a superclass of theirs.
  package static func of<Class: View>(_ viewClass: Class.Type) -> ViewKinds {
    viewClass == View.self ? .all : ViewKinds { $0.viewClass is Class.Type }
  }

  package init(with trait: ViewKind.Traits) { self.init { $0.traits.contains(trait) } }

  /// Whether it is one of them, or the kind of its superclass is.
  package func contains(_ kind: ViewKind) -> Bool { kinds.contains(kind.base ?? kind) }

  /// These and others.
  package func union(_ others: ViewKinds) -> ViewKinds { ViewKinds { contains($0) || others.contains($0) } }

  func without(_ kind: ViewKind) -> ViewKinds { ViewKinds { $0 != kind && contains($0) } }

  /// No kind of the list.
  static let none: ViewKinds = []
  /// All kinds.
  package static let all = ViewKinds { _ in true }
  /// The window covers the canvas, and has no place.
  package static let insideWindow = all.without(.window)
  /// Scroll views, and lists whose rows are views.
  package static let scrolling: ViewKinds = [.scroll, .list]
  package static let controls = ViewKinds(where: \.isControl)
  /// The kinds that have a value, or can have one.
  package static let withValue = ViewKinds { $0 == .control || $0.showsValue }
  /// The kinds whose value lies between limits that can be chosen.
  package static let withLimits = ViewKinds {
    withValue.contains($0) && $0.role != .flag && $0.choiceName == nil
  }

  /// Several of them in a sentence: "labels and buttons".
  package var many: String {
    switch self {
    case .all: "views"
    case .insideWindow: "views inside the window"
    case .controls: "controls and buttons"
    case .withValue: "controls with a value"
    case .withLimits: "controls with limits"
    default: kinds.map(\.many).joined(lastWith: "and")
    }
  }

  /// One of them in a sentence: "a label or a button".
  package var one: String {
    switch self {
    case .all: "a view"
    case .insideWindow: "a view inside the window"
    case .controls: "a control or a button"
    case .withValue: "a control with a value"
    case .withLimits: "a control with limits"
    default: kinds.map(\.one).joined(lastWith: "or")
    }
  }
}

extension Sequence<String> {
  /// "a", "a and b", "a, b and c".
  package func joined(lastWith word: String) -> String {
    let all = Array(self)
    guard all.count > 1, let last = all.last else { return all.first ?? "" }
    return all.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
