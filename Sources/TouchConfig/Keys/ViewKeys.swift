import TouchCore
import TouchViews

extension KeyTable {
  package static let view = KeyTable("a view", properties: ViewProperty.names, advice: adviceForViews) {
    "A name that is unique in the file. Default: one made of the kind, such as `label-3`."
    KeyRow("id", .id)
    ViewKind.declared.map { "`\($0.name)`" }.joined(lastWith: "or")
      + ". See [controls](controls.md#controls), [stacks](layout.md#stacks), [scroll views, pages and "
      + "sheets](scrolling.md), [charts](charts.md#charts) and [text](text.md)."
    KeyRow("kind", .value(.words(ViewKind.declared.map(\.name))), default: .text("view"))
    "A style, or a list of styles, whose keys the view takes over. See [styles](looks.md#styles)."
    KeyRow("style", .nullable(.either([.name, .list(of: .name)])))
    "The view controller whose root view this is: its id, or a mapping."
    KeyRow("controller", .nullable(.either([.id, .mapping(controller)])))
    "Names of handlers, in the order in which they are called."
    KeyRow("handlers", .handlerNames)
    "Steps that run when it is used. See [actions](actions.md#actions)."
    KeyRow("actions", .nullable(.definition("controlActions")), of: ViewKinds.controls.kinds.map(\.name))
    "The part of the view that can be touched: a type, or a mapping. `hit_slop` enlarges it."
    KeyRow(
      "shape",
      .nullable(
        .either([
          .value(.words(ShapeType.allCases.filter { $0 != .polygon }.map(\.rawValue))),
          .mapping(ShapeDraft.keys.table),
        ])), default: .text("rect"))
    "The id of a view that receives the touch instead, where the two overlap."
    KeyRow("redirect", .nullable(.name), default: .null)
    "Where keys move the focus from the view: ids of views for `up`, `down`, `left`, `right`, `next` and `previous`. See [focus](keys.md#focus)."
    KeyRow("next_focus", .nullable(.mapping(nextFocus)))
    "Gestures of this view."
    KeyRow("gestures", .nullable(.definition("gestures")))
    "Views, back to front: the last one is in front and is tested first."
    KeyRow("subviews", .nullable(.definition("views")))
  }

  /// The keys that two views cannot share.
  static let ofOneView = ["id", "style", "controller", "gestures", "subviews"]

  /// Callbacks have the most names.
  private static func adviceForViews(_ name: String) -> String? {
    switch name.lowercased() {
    case "pages", "screens":
      return "pages are a view: kind: pages, with subviews: [{id: home}, {id: settings}]"
    case "goto", "navigate", "link", "href":
      return "a button has actions: {touch_up_inside: [page: {screens: home}]}"
    case "mqtt", "topic": return "touchtree-mqtt gives each control a topic by its id; remove it"
    default: break
    }
    if ForeignWords.isPress(name)
      || ["action", "callback", "command", "exec", "run", "script"].contains(name)
    {
      return
        "a button has actions: {touch_up_inside: [...]}, another view gestures: [{kind: tap, actions: [...]}]"
    }
    let isEvent =
      name.hasPrefix("on") && ForeignWords.isChange(name) || name == HandlerTrigger.valueChanged.rawValue
    return isEvent ? "a control has actions: {value_changed: [...]}" : nil
  }

  static let controller = KeyTable("a controller") {
    "Its name."
    KeyRow("id", .id, required: "give a name that nothing else in the file has")
    "Names of handlers."
    KeyRow("handlers", .handlerNames)
    "The id of the controller that presents this one and follows it in the chain."
    KeyRow("presented_by", .nullable(.name))
  }

  static let nextFocus = KeyTable("next_focus") {
    "Where that arrow leads. Default: the nearest view in its direction."
    KeyRow("up", .nullable(.name))
    "As `up`."
    KeyRow("down", .nullable(.name))
    "As `up`."
    KeyRow("left", .nullable(.name))
    "As `up`."
    KeyRow("right", .nullable(.name))
    "Where tab and a knob lead. Default: the next view of the file."
    KeyRow("next", .nullable(.name))
    "The same, backwards."
    KeyRow("previous", .nullable(.name))
  }
}

/// The settings that a mapping has for a shape of any type.
struct ShapeDraft {
  /// From the view's top-left corner; nil for the whole view.
  var rect: LocalRect?
  var radius = 0.0
  var points: [LocalPoint] = []

  func shape(_ type: ShapeType) -> HitShape? {
    switch type {
    case .rect: .rect(rect)
    case .roundRect: .roundRect(rect, radius: radius)
    case .ellipse: .ellipse(rect)
    case .polygon: points.isEmpty ? nil : .polygon(HitPolygon(points))
    case .children: .children
    }
  }

  static let keys = Keys<Self>("a shape", choice: "type", words: words) {
    "`rect`, `round_rect`, `ellipse`, `polygon`, or `children`: not the view itself but its subviews, inside or outside it."
    KeyRow("type", .words(ShapeType.self), required: "give rect, round_rect, ellipse, polygon or children")
    "`[x, y, width, height]` from the view's top-left corner. Default: the whole view."
    KeyRow("rect", \.rect, KeyType.rect.orNull, of: ["rect", "round_rect", "ellipse"])
    "The radius of the corners. Default: the view's `corner_radius`."
    KeyRow("radius", \.radius, .length, of: ["round_rect"])
    "Three or more corners, from the view's top-left corner."
    KeyRow("points", \.points, .points, of: ["polygon"], required: KeyType.pointsAdvice)
  }

  private static func words(_ kinds: [String]) -> String {
    switch kinds.first {
    case "children": "children"
    case "ellipse": "an ellipse"
    default: "a " + kinds.joined(lastWith: "or")
    }
  }
}

enum ShapeType: String, CaseIterable {
  case rect
  case roundRect = "round_rect"
  case ellipse, polygon, children
}

extension KeyType where Content == LocalRect {
  fileprivate static let rect = KeyType<[Double]>.numbers([
    ("x", .coordinate), ("y", .coordinate), ("width", .length), ("height", .length),
  ]).map { LocalRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
}

extension KeyType where Content == [LocalPoint] {
  fileprivate static let pointsAdvice = "give [[x, y], [x, y], [x, y], ...]"

  fileprivate static let points = KeyType(.list(of: .point, 3...Int.max)) { value in
    guard let items = value.list(pointsAdvice, of: "a point") else { return nil }
    guard items.count >= 3 else {
      let count = items.count == 1 ? "1 point" : "\(items.count) points"
      value.complain("a polygon has at least 3 points, and this has \(count); \(pointsAdvice)")
      return nil
    }
    let points = items.compactMap { $0.numbers([("x", .coordinate), ("y", .coordinate)]) }
    return points.count == items.count ? points.map { LocalPoint(x: $0[0], y: $0[1]) } : nil
  }
}
