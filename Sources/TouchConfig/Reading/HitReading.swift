import TouchCore
import TouchSystem
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

  /// Reads where the focus goes from a view.
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

  // MARK: Shapes

  /// A word, where nothing else has to be said, or a mapping.
  private func shape(_ value: Value, cornerRadius: Double) -> HitShape? {
    guard value.node.entries != nil else {
      guard let type = value.choice(ShapeType.self) else { return nil }
      switch type {
      case .rect: return .rect()
      case .roundRect: return .roundRect(radius: cornerRadius)
      case .ellipse: return .ellipse()
      case .children: return .children
      case .polygon:
        value.complain("a polygon needs \"points\"; write {type: polygon, points: [[x, y], ...]}")
        return nil
      }
    }
    guard let fields = value.fields(.shape), let type = fields.require("type")?.choice(ShapeType.self)
    else { return nil }
    fields.refuseKeys(unlike: type.rawValue)
    return shape(type, fields, cornerRadius: cornerRadius)
  }

  private func shape(_ type: ShapeType, _ fields: Fields, cornerRadius: Double) -> HitShape? {
    switch type {
    case .rect: return .rect(rect(fields))
    case .ellipse: return .ellipse(rect(fields))
    case .children: return .children
    case .roundRect:
      let radius = fields["radius"].map { $0.number(in: .length) } ?? cornerRadius
      return radius.map { .roundRect(rect(fields), radius: $0) }
    case .polygon:
      let points = fields.require("points").flatMap(points)
      return points.map { .polygon(HitPolygon($0)) }
    }
  }

  /// Where the shape lies, from the view's top-left corner; nil is the whole view.
  private func rect(_ fields: Fields) -> LocalRect? {
    fields.unlessNull("rect").flatMap(KeyType.shapeRect.read)
  }

  private func points(_ value: Value) -> [LocalPoint]? {
    let advice = "give [[x, y], [x, y], [x, y], ...]"
    guard let items = value.list(advice) else { return nil }
    guard items.count >= 3 else {
      let count = items.count == 1 ? "1 point" : "\(items.count) points"
      value.complain("a polygon has at least 3 points, and this has \(count); \(advice)")
      return nil
    }
    let points = items.map { item in
      Value(name: "a point", node: item.node, report: report)
        .numbers([("x", .coordinate), ("y", .coordinate)])
    }
    return points.contains(nil) ? nil : points.compactMap { $0.map { LocalPoint(x: $0[0], y: $0[1]) } }
  }
}
