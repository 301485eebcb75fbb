import TouchCore
import TouchViews

// Lookups in the bindings of a tree, and the transfer of state from the tree before.

extension Bindings {
  package func binding(ofValue name: String) -> Binding? {
    bindings.first { $0.target == .value && $0.view == name }
  }

  /// The present value of a parameter of a template.
  ///
  /// - Parameter isDisclosed: whether the value of a parameter that would show the content of a private view
  ///   is null.
  package func value(ofParameter name: String, isDisclosed: Bool) -> PropertyValue {
    let index = bindings.firstIndex { $0.target == .parameter && $0.view == name }
    guard let index, !isDisclosed || !bound[index].view.isPrivate else { return .null }
    return bound[index].last ?? .null
  }

  /// Returns the binding of a property; nil if it is not bound.
  /// - Parameter part: of the property; nil for any.
  package func binding(of property: ViewProperty, part: String? = nil, view: String) -> Binding? {
    bindings(of: view).first {
      $0.setting.property == property && (part == nil || $0.setting.part == nil || $0.setting.part == part)
    }
  }

  /// Returns the bindings of a view, but those that only fill in a row's parameters.
  package func bindings(of view: String) -> some Collection<Binding> {
    (byView[view] ?? []).lazy.filter { [self] in !bound[$0].isOfRowAlone }.map { [self] in bindings[$0] }
  }

  /// Takes over the state of an older tree's bindings of the same file, for the views that both have.
  package func `continue`(_ old: Bindings) {
    var places: [Binding: Int] = [:]
    for (index, binding) in old.bindings.enumerated() { places[binding.withoutPlace] = index }
    for index in bound.indices {
      guard let before = places[bindings[index].withoutPlace], old.bound[before].view === bound[index].view
      else { continue }
      let known = old.bound[before]
      (bound[index].standard, bound[index].last, bound[index].set) = (known.standard, known.last, known.set)
      bound[index].moment = known.moment
    }
    (report, reportedOfRows) = (old.report, old.reportedOfRows)
    computation.time = old.computation.time
  }

  package func keep(_ old: Bindings) {
    values.keep(old.values)
    computeAll()
  }

  /// Follows a view that is made in another way from now on, as another theme does: its values while an
  /// expression has none.
  package func replaceStandards(of view: View, madeAs before: View, by after: View) {
    for (index, binding) in bindings.enumerated() where bound[index].view === view {
      let (was, now) = (binding.setting.value(of: before), binding.setting.value(of: after))
      if was != now, bound[index].standard != nil { bound[index].standard = now }
    }
  }

  /// Computes and sets all properties once more, so that earlier settings of bound ones do not count.
  package func computeAll() { for index in bound.indices { setAgain(index) } }

  /// Marks a value or a parameter that would show the content of a private view.
  package func withhold(_ binding: Binding) {
    guard let index = bindings.firstIndex(of: binding) else { return }
    bound[index].view.isPrivate = true
    setAgain(index)
  }
}
