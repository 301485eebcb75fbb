import TouchCore
import TouchViews

/// The values that the expressions of a tree read, as they were when they were last computed, and the
/// bindings that have to be computed since one of them changed.
struct BindingSources {
  private struct Source {
    /// The view and its property; nil for any other value.
    let view: View?
    let property: ReadProperty?
    var last: PropertyValue
    var readers: [Int] = []
  }

  private let values: NamedValues
  private var sources: [Source] = []
  private var places: [Reference: Int] = [:]
  private(set) var marked: [Bool]
  private(set) var isMarked: Bool

  /// - Parameter count: the number of bindings. All of them are marked.
  init(of values: NamedValues, readBy count: Int) {
    self.values = values
    marked = Array(repeating: true, count: count)
    isMarked = count > 0
  }

  /// Adds what a binding reads, unless another one reads it too.
  /// - Parameter view: returns a view by its id.
  /// - Returns: the index of the source; nil for a reference without one: the time.
  mutating func add(_ reference: Reference, _ view: (String) -> View?, readBy reader: Int) -> Int? {
    if places[reference] == nil {
      guard let source = source(of: reference, view) else { return nil }
      places[reference] = sources.count
      sources.append(source)
    }
    guard let place = places[reference] else { return nil }
    if sources[place].readers.last != reader { sources[place].readers.append(reader) }
    return place
  }

  private func source(of reference: Reference, _ view: (String) -> View?) -> Source? {
    switch reference {
    case .value(let name): return values.value(name).map { Source(view: nil, property: nil, last: $0) }
    case .property(let id, let path):
      guard let view = view(id) else { return nil }
      let property = ReadProperty(path, of: view.kind)
      return Source(view: view, property: property, last: property.value(of: view))
    case .string(let key): return Source(view: nil, property: nil, last: values.translation(key))
    case .row, .parameter: return Source(view: nil, property: nil, last: .null)
    case .sent, .now: return nil
    }
  }

  var indices: Range<Int> { sources.indices }

  subscript(place: Int) -> PropertyValue { sources[place].last }

  /// The view and the property of a source; nil for any other value.
  func view(of place: Int) -> (View, ReadProperty)? {
    if let view = sources[place].view, let property = sources[place].property {
      (view, property)
    } else {
      nil
    }
  }

  // MARK: Changes

  /// Marks the readers of a value, if any binding reads it and it has changed.
  mutating func set(_ reference: Reference, to value: PropertyValue) {
    if let place = places[reference] { set(place, to: value) }
  }

  private mutating func set(_ place: Int, to value: PropertyValue) {
    guard sources[place].last != value else { return }
    sources[place].last = value
    for reader in sources[place].readers { mark(reader) }
  }

  /// Marks the readers of texts in the current language, which is another one.
  mutating func setTranslations() {
    for case (.string(let key), let place) in places { set(place, to: values.translation(key)) }
  }

  /// Marks the readers of a view's property if it has changed.
  mutating func compare(_ place: Int) {
    if let (view, property) = view(of: place) { set(place, to: property.value(of: view)) }
  }

  mutating func mark(_ binding: Int) {
    marked[binding] = true
    isMarked = true
  }

  mutating func markAll() { for binding in marked.indices { mark(binding) } }

  /// Begins a round, in which the marked bindings are computed.
  mutating func beginRound() { isMarked = false }

  mutating func unmark(_ binding: Int) { marked[binding] = false }

  mutating func unmarkAll() {
    for binding in marked.indices { marked[binding] = false }
    isMarked = false
  }
}
