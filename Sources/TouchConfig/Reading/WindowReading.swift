import TouchCore

extension ConfigurationReader {
  mutating func readWindow(_ fields: Fields<RootKey>) {
    guard let value = fields[.window] else {
      report.add(at: fields.node.place, "the file has no window; add \"window:\" with \"subviews:\"")
      return
    }
    guard let fields = value.fields(WindowKey.self) else {
      if value.node.isNull { value.refuse("give it \"subviews:\"") }
      return
    }
    var place = value.node.place
    if let id = fields[.id], let text = identifier(id) {
      configuration.window.id = text
      place = id.node.place
    }
    names.add(configuration.window.id, .window, at: place)
    configuration.window.handlers = handlerNames(fields[.handlers])
    if let target = fields.unlessNull(.fixedTarget), !target.node.isEmpty {
      names.fixedTarget = target.nonEmptyText("give a view's id, or null").map {
        Names.Reference(name: $0, place: target.node.place)
      }
      configuration.window.fixedTarget = names.fixedTarget?.name
    }
    if let passes = fields[.passes]?.integer(in: 1...2) { configuration.window.passes = passes }
    readGestures(fields[.gestures], owner: nil)
    readViews(fields[.subviews])
  }

  /// An id as it was written, or nil and a report.
  func identifier(_ value: Value) -> String? {
    guard let id = value.nonEmptyText("give a name that nothing else in the file has") else { return nil }
    if id == "none" {
      value.complain("the id \"none\" is what a hit test that finds no view prints; give another one")
    } else if id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      value.complain("the id \"\(id.escaped)\" has a control character; use letters and digits")
    } else {
      return id
    }
    return nil
  }
}
