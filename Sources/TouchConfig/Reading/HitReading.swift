import TouchCore
import TouchViews

extension ConfigurationReader {
  /// Reads where a view is hit, after its settings: a round shape may take over the corners' radius.
  mutating func readHits(_ fields: Fields, into view: inout Configuration.View) {
    if let shape = fields.unlessNull("shape") {
      let corners: Corners? = view.value(of: .cornerRadius)
      // With the smallest, everything that is seen can be hit.
      view.hitShape = self.shape(shape, cornerRadius: corners?.smallest ?? 0)
    }
    if let redirect = fields.unlessNull("redirect") { readRedirect(redirect, into: &view) }
    readFocus(fields, into: &view)
  }

  mutating func readFocus(_ fields: Fields, into view: inout Configuration.View) {
    guard let next = fields.unlessNull("next_focus")?.fields(.nextFocus) else { return }
    for (key, _) in next.keys {
      guard let value = next.unlessNull(key), let id = value.nonEmptyText("give a view's id, or null"),
        let heading = FocusHeading(rawValue: key)
      else { continue }
      names.nextFocus.append((key, Names.Reference(name: id, place: value.node.place)))
      view.nextFocus[heading] = id
    }
  }

  private mutating func readRedirect(_ value: Value, into view: inout Configuration.View) {
    guard !value.node.isEmpty, let id = value.nonEmptyText("give a view's id, or null").map(value.node.global)
    else { return }
    guard id != view.id else {
      value.complain("redirect is the view itself, \"\(id.escaped)\"; give another view's id, or remove it")
      return
    }
    names.redirects.append(Names.Reference(name: id, place: value.node.place))
    view.redirect = id
  }

  /// A word, where nothing else has to be said, or a mapping.
  private func shape(_ value: Value, cornerRadius: Double) -> HitShape? {
    var draft = ShapeDraft(radius: cornerRadius)
    guard value.node.entries != nil else {
      let type = value.choice(ShapeType.self)
      if type == .polygon {
        value.complain("a polygon needs \"points\"; write {type: polygon, points: [[x, y], ...]}")
      }
      return type.flatMap(draft.shape)
    }
    guard let fields = value.fields(ShapeDraft.keys.table),
      let type = fields.require("type")?.choice(ShapeType.self)
    else { return nil }
    fields.refuseKeys(unlike: type.rawValue)
    fields.read(ShapeDraft.keys, into: &draft, of: type.rawValue)
    return draft.shape(type)
  }
}
