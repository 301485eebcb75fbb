import TouchCore
import TouchSystem
import TouchViews

/// The words for what part of a view can be hit.
enum ShapeType: String, CaseIterable {
  case rect
  case roundRect = "round_rect"
  case ellipse, polygon, children
}

extension ConfigurationReader {
  /// Reads where a view is hit, after its settings: a round shape may take over the corners' radius.
  mutating func readHits(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    if let shape = fields.unlessNull(.shape) {
      let corners: Corners? = view.value(of: .cornerRadius)
      // With the smallest, everything that is seen can be hit.
      view.hitShape = self.shape(shape, cornerRadius: corners?.smallest ?? 0)
    }
    if let redirect = fields.unlessNull(.redirect) { readRedirect(redirect, into: &view) }
    readFocus(fields, into: &view)
  }

  /// Reads where the focus goes from a view.
  mutating func readFocus(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    guard let next = fields.unlessNull(.nextFocus)?.fields(NextFocusKey.self) else { return }
    for (key, _) in next.keys {
      guard let value = next.unlessNull(key), let id = value.nonEmptyText("give a view's id, or null"),
        let heading = FocusHeading(rawValue: key.rawValue)
      else { continue }
      names.nextFocus.append((key.rawValue, Names.Reference(name: id, place: value.node.place)))
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
    guard let fields = value.fields(ShapeKey.self),
      let type = fields.require(.type, "give " + ShapeType.allCases.map(\.rawValue).joined(lastWith: "or"))?
        .choice(ShapeType.self)
    else { return nil }
    refuseKeysThatDoNotFit(type, fields)
    return shape(type, fields, cornerRadius: cornerRadius)
  }

  private func shape(_ type: ShapeType, _ fields: Fields<ShapeKey>, cornerRadius: Double) -> HitShape? {
    switch type {
    case .rect: return .rect(rect(fields))
    case .ellipse: return .ellipse(rect(fields))
    case .children: return .children
    case .roundRect:
      let radius = fields[.radius].map { $0.number(in: .length) } ?? cornerRadius
      return radius.map { .roundRect(rect(fields), radius: $0) }
    case .polygon:
      let points = fields.require(.points, "give [[x, y], [x, y], [x, y], ...]").flatMap(points)
      return points.map { .polygon(HitPolygon($0)) }
    }
  }

  private func refuseKeysThatDoNotFit(_ type: ShapeType, _ fields: Fields<ShapeKey>) {
    for (key, place) in fields.keys {
      let owner: String
      switch key {
      case .radius where type != .roundRect: owner = "a round_rect"
      case .points where type != .polygon: owner = "a polygon"
      case .rect where type == .polygon || type == .children: owner = "a rect, round_rect or ellipse"
      default: continue
      }
      fields.refuse(key, at: place, of: owner, in: type.shown, by: "type")
    }
  }

  /// Where the shape lies, from the view's top-left corner; nil is the whole view.
  private func rect(_ fields: Fields<ShapeKey>) -> LocalRect? {
    fields.unlessNull(.rect)?.numbers([
      ("x", .coordinate), ("y", .coordinate), ("width", .length), ("height", .length),
    ]).map { LocalRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
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

extension ShapeType {
  /// The type with its article, where it has one.
  fileprivate var shown: String {
    switch self {
    case .children: "children"
    case .ellipse: "an ellipse"
    case .rect, .roundRect, .polygon: "a \(rawValue)"
    }
  }
}
