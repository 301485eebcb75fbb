import TouchCore
import TouchViews

/// A property of a view, or a part of one, that an expression reads.
package struct ReadProperty {
  private let property: ViewProperty?
  private let part: String?
  /// Whether each change of it grows `View.changes`.
  let isCounted: Bool

  /// - Parameter path: the name, with the part after a dot.
  package init(_ path: String, of kind: ViewKind) {
    let name = path.prefix { $0 != "." }
    property = ViewProperty.named(String(name), of: kind)
    part = name.endIndex < path.endIndex ? String(path[path.index(after: name.endIndex)...]) : nil
    isCounted = property?.isCounted ?? true
  }

  /// Returns the present value; null if the view has none. `text` is the text that the view shows.
  package func value(of view: View) -> PropertyValue {
    if property?.name == ViewProperty.text.name, part == nil, let text = view.shownText { return .text(text) }
    return property?.value(of: view, part: part) ?? .null
  }
}
