import TouchCore
import TouchExpressions

/// A property that shows what is in a private view. Its own view becomes private too: otherwise clients and
/// MQTT would get the content. A named value that would show it stays null.
///
/// A flag and a choice among constants do not count: `enabled: "{code.text != ''}"` tells that there is a
/// code, and not which.
package struct Disclosure {
  /// The views that follow the private view.
  package let binding: Binding
  /// The id of the outermost private view around what it follows.
  package let privateView: String

  /// Makes the views private that show what is in private ones.
  /// - Parameter bound: the bindings of the configuration.
  /// - Parameter views: in the order of the configuration, made, and not yet in their superviews.
  static func hide(_ bound: Bindings, in configuration: Configuration, _ views: [View]) -> [Self] {
    let bindings = bound.bindings
    guard views.contains(where: \.isPrivate) else { return [] }
    var disclosures: [Self] = []
    var places: [String: Int] = [:]
    for (index, values) in configuration.views.enumerated() { places[values.id] = index }
    /// The private views that values and parameters follow.
    var hidden: [String: String] = [:]
    // A view that became private has others in it, which others may follow.
    var known = -1
    while known < disclosures.count {
      known = disclosures.count
      var around = privateViews(in: configuration, views)
      // In the order of the bindings, each comes after those that it follows.
      for binding in bindings {
        let isProperty = binding.target == .property
        let place = isProperty ? places[binding.view] : nil
        let isHidden = place.map { around[$0] != nil } ?? (hidden[binding.view] != nil)
        guard !isHidden, !isProperty || place != nil && binding.setting.property.shape.type != .flag else {
          continue
        }
        let content = binding.setting.content.formulas.lazy.flatMap(\.content)
        let read = content.compactMap { reference -> String? in
          switch reference {
          case .property(let view, _): places[view].flatMap { around[$0] }
          case .parameter(let name): hidden[name]
          case .value, .sent, .string, .now, .row: nil
          }
        }
        guard let privateView = read.first else { continue }
        if let place {
          views[place].isPrivate = true
          around[place] = binding.view
        } else {
          bound.withhold(binding)
          hidden[binding.view] = privateView
          if binding.target == .parameter { continue }
        }
        disclosures.append(Self(binding: binding, privateView: privateView))
      }
    }
    return disclosures
  }

  /// For each view the id of the outermost private view around it; nil for one in none.
  private static func privateViews(in configuration: Configuration, _ views: [View]) -> [String?] {
    var around: [String?] = []
    for (view, values) in zip(views, configuration.views) {
      around.append(values.parent.flatMap { around[$0] } ?? (view.isPrivate ? values.id : nil))
    }
    return around
  }
}
