import TouchConfig
import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// The origin of a property's value, in sentences about the chain of things that it follows.
package enum Explanation {
  private static let mostLines = 40

  /// Explains a value.
  /// - Parameters:
  ///   - property: the name of a property, or of a part of it, such as `font.size`; nil for a named value.
  ///   - name: the id of the view, or the name of a value.
  /// - Throws: a `Failure` that names the missing one.
  package static func lines(of property: String?, of name: String, in tree: ViewTree) throws(Failure)
    -> [String]
  {
    tree.bindings.settle()
    if property == nil, let value = tree.bindings.values.value(name) {
      if tree.bindings.binding(ofValue: name) != nil { return lines(of: .value(name), in: tree) }
      return ["\(name) is \(value)" + description(of: name, in: tree)]
    }
    guard property != nil || tree.viewsByID[name] != nil else {
      throw Failure("neither a value nor a view is called \"\(name.escaped)\"; give one, or VIEW.PROPERTY")
    }
    guard let view = tree.viewsByID[name] else {
      let help = Suggestion.nearest(to: name, among: tree.viewsByID.keys.sorted(), leastSlips: 1).map {
        "; did you mean '\($0)'?"
      }
      throw Failure("there is no view '\(name.escaped)'\(help ?? "")")
    }
    guard view.privateView == nil else {
      throw Failure("\(view.disclosed.id) is private, so nothing is said of it")
    }
    guard let property else { return lines(about: view, in: tree) }
    let row = String(property.prefix { $0 != "." })
    guard let known = ViewProperty.named(row, of: view.kind), view.kind.has(known) else {
      let names = ViewProperty.table.filter { view.kind.has($0) }.map(\.name)
      let help = Suggestion.nearestKey(to: row, among: names).map { "; did you mean \"\($0)\"?" }
      throw Failure("\(name) has no property \"\(row.escaped)\"\(help ?? "")")
    }
    return lines(of: .property(view: name, property), in: tree)
  }

  /// Returns the place of a view in the file, and what each of its properties follows.
  private static func lines(about view: View, in tree: ViewTree) -> [String] {
    let configuration = tree.configuration
    let place = configuration.views.first { $0.id == view.id }?.place
    let words = place.map {
      ": \(configuration.origins.file(of: $0) ?? configuration.file):\($0.line):\($0.column)"
    }
    let properties = ViewProperty.table.filter { view.kind.has($0) }
    let followed = properties.filter { tree.bindings.binding(of: $0, part: nil, view: view.id) != nil }
    return ["\(view.id) is a \(view.kind.name)\(words ?? "")"]
      + followed.flatMap { lines(of: .property(view: view.id, $0.name), in: tree) }.prefix(mostLines)
  }

  /// Returns each thing once, indented by its distance from the asked one.
  private static func lines(of asked: Reference, in tree: ViewTree) -> [String] {
    var lines: [String] = []
    var seen: Set<Reference> = []
    var waiting: [(reference: Reference, depth: Int)] = [(asked, 0)]
    while let (reference, depth) = waiting.popLast(), lines.count < mostLines {
      guard seen.insert(reference).inserted else { continue }
      let (line, causes) = line(of: reference, in: tree)
      lines.append(String(repeating: "  ", count: depth) + line)
      waiting += causes.reversed().map { ($0, depth + 1) }
    }
    return lines
  }

  private static func line(of reference: Reference, in tree: ViewTree) -> (line: String, causes: [Reference])
  {
    switch reference {
    case .string(let key):
      return ("t.\(key) is \(tree.bindings.values.translation(key))", [.value(Translations.valueName)])
    case .now: return ("now is the time", [])
    case .parameter(let name):
      let now = "\(name) is \(tree.bindings.value(ofParameter: name, isDisclosed: true))"
      let binding = tree.bindings.bindings.first { $0.target == .parameter && $0.view == name }
      return binding.map { followed(now, $0, in: tree) } ?? (now, [])
    case .row(let field):
      return ("\(field.name) is \(tree.bindings.value(of: field)) in the row that is shown", [])
    case .sent(let part): return ("\(part.rawValue) is what the sender has", [])
    case .value(let name):
      let now = "\(name) is \(tree.bindings.values.value(name) ?? .null)"
      guard let binding = tree.bindings.binding(ofValue: name) else {
        return (now + description(of: name, in: tree), [])
      }
      return followed(now, binding, in: tree)
    case .property(let id, let path):
      guard let view = tree.viewsByID[id] else { return ("\(id) is gone", []) }
      if let privateView = view.privateView { return ("\(privateView.id) is private", []) }
      let now = ReadProperty(path, of: view.kind).value(of: view)
      let name = String(path.prefix { $0 != "." })
      let part = path.dropFirst(name.count + 1)
      guard let property = ViewProperty.named(name, of: view.kind),
        let binding = tree.bindings.binding(of: property, part: part.isEmpty ? nil : String(part), view: id)
      else { return ("\(id).\(path) is \(now), and follows nothing", []) }
      return followed("\(id).\(path) is \(now)", binding, in: tree)
    }
  }

  private static func followed(
    _ now: String, _ binding: Binding, in tree: ViewTree
  ) -> (line: String, causes: [Reference]) {
    let place = tree.configuration.origins.words(for: binding.place)
    return (
      "\(now): it follows \(binding.setting.content.source.quoted) (\(place))", binding.setting.references
    )
  }

  private static func description(of name: String, in tree: ViewTree) -> String {
    guard let place = tree.bindings.values.place(of: name) else { return "" }
    let declared = tree.bindings.values.declarations[place]
    let first =
      declared.initial == tree.bindings.values[place] ? "as in the file" : "\(declared.initial) in the file"
    return ", \(first)" + (declared.isKept ? ", kept over restarts" : "")
  }
}

extension String {
  fileprivate var quoted: String { "\"\(self)\"" }
}
