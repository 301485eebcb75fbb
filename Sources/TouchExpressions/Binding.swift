import TouchCore
import TouchViews

/// A property, a named value or a parameter of a template that follows an expression.
package struct Binding: Hashable, Sendable {
  /// The setting that follows the expression.
  package enum Target: Hashable, Sendable {
    case property, value, parameter
  }

  package let target: Target
  package let view: String
  package let setting: BoundSetting
  package let place: SourceLocation

  package init(view: String, _ setting: BoundSetting, at place: SourceLocation) {
    (self.view, self.setting, self.place, target) = (view, setting, place, .property)
  }

  /// Makes the binding of a named value or a parameter.
  package init(_ target: Target, _ name: String, _ formula: Formula, at place: SourceLocation) {
    (self.target, view, self.place) = (target, name, place)
    setting = BoundSetting(.value, .formula(formula))
  }

  private init(_ binding: Binding, at place: SourceLocation) {
    (target, view, setting, self.place) = (binding.target, binding.view, binding.setting, place)
  }

  /// The same binding at no place, since rows move in the file in which they are repeated.
  var withoutPlace: Binding { Binding(self, at: .start) }

  /// The view and the property, `title.text` or `title.font.size`; or the name of the value or the parameter.
  package var name: String { target == .property ? "\(view).\(setting.name)" : view }

  /// The reason why it cannot be set, and the advice.
  package var refusal: String {
    let read = setting.references.compactMap { reference -> String? in
      switch reference {
      case .value(let name): name
      case .property(let view, let path): "\(view).\(path)"
      case .string: Translations.valueName
      case .sent, .now, .row, .parameter: nil
      }
    }
    let help = read.isEmpty ? "change the expression" : "set \(read.joined(separator: " or ")) instead"
    return "\(name) follows \"\(setting.content.source)\"; \(help)"
  }

  /// Whether it only fills in a row's parameters. Then it sets the property once for each row, and other
  /// settings count, too.
  package var isOfRowAlone: Bool {
    let references = setting.references
    return !references.isEmpty && references.allSatisfy { if case .row = $0 { true } else { false } }
      && !setting.content.formulas.contains { $0.clockStep != nil }
  }

  /// Whether it reads the row that some views of a list show.
  var readsRow: Bool { setting.references.contains { if case .row = $0 { true } else { false } } }

  var isLimit: Bool { Self.limits.contains(setting.property) }

  private static let limits: Set<ViewProperty> = [.minimum, .maximum, .rows, .segments]

  private func changes(_ reference: Reference) -> Bool {
    switch target {
    case .value: return reference == .value(view)
    case .parameter: return reference == .parameter(view)
    case .property: break
    }
    guard case .property(let view, let path) = reference, view == self.view else { return false }
    let read = path.prefix { $0 != "." }
    guard read == setting.property.name else { return false }
    // Two parts of one property do not change each other.
    let part = path.dropFirst(read.count + 1)
    return part.isEmpty || setting.part == nil || part == setting.part.map { $0[...] }
  }

  /// Orders bindings so that each comes after those that it follows, and the limits of a control before its
  /// value if possible.
  /// - Throws: a circle, each following the next, and the last the first.
  package static func ordered(_ bindings: [Binding]) throws(BindingCircle) -> [Binding] {
    var byView: [String: [Int]] = [:]
    for (index, binding) in bindings.enumerated() { byView[binding.view, default: []].append(index) }
    let causes: [[Int]] = bindings.map { binding in
      binding.setting.references.flatMap { reference -> [Int] in
        let owner: String
        switch reference {
        case .property(let view, _): owner = view
        case .value(let name), .parameter(let name): owner = name
        case .string, .sent, .now, .row: return []
        }
        return (byView[owner] ?? []).filter { bindings[$0].changes(reference) }
      }
    }
    // Depth first, with a stack of its own: a chain may be thousands long.
    enum State { case new, open, done }
    var states = [State](repeating: .new, count: bindings.count)
    var order: [Binding] = []
    order.reserveCapacity(bindings.count)
    let limitsFirst = bindings.indices.filter { bindings[$0].isLimit } + bindings.indices
    for start in limitsFirst where states[start] == .new {
      var path: [(index: Int, next: Int)] = [(start, 0)]
      states[start] = .open
      while let (index, next) = path.last {
        guard next < causes[index].count else {
          states[index] = .done
          order.append(bindings[index])
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let cause = causes[index][next]
        switch states[cause] {
        case .done: break
        case .new:
          states[cause] = .open
          path.append((cause, 0))
        case .open:
          let first = path.firstIndex { $0.index == cause } ?? 0
          throw BindingCircle(path: path[first...].map { bindings[$0.index] })
        }
      }
    }
    return order
  }
}

package struct BindingCircle: Error {
  package let path: [Binding]

  package var description: String {
    let names = (path + path.prefix(1)).map(\.name)
    return names.joined(separator: " follows ")
  }
}
