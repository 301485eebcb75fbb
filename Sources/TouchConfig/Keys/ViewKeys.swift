import TouchCore
import TouchViews

extension KeyTable {
  /// A view: the keys that say what it is and where it belongs, and properties, which have their own table.
  static let view = KeyTable("a view", properties: ViewProperty.names, advice: adviceForViews) {
    "A name that is unique in the file. Default: one made of the kind, such as `label-3`."
    KeyRow("id", .id)
    "`view`, `control`, `button`, `label`, `image`, `pages`, [`stack`](#stacks), [`scroll`](#scroll-views), [`sheet`](#sheets), [`chart`](#charts) or [`keyboard`](text.md#the-keyboard); or one of the [controls](#controls) `slider`, `switch`, `stepper`, `segmented`, `list`, `picker`, `text_field`, `progress` and `gauge`."
    KeyRow("kind", .value(.words(ViewKind.declared.map(\.name))), default: .text("view"))
    "A style, or a list of styles, whose keys the view takes over. See [styles](#styles)."
    KeyRow("style", .nullable(.either([.name, .list(of: .name)])))
    "The view controller whose root view this is: its id, or a mapping."
    KeyRow("controller", .nullable(.either([.id, .mapping(controller)])))
    "Names of handlers, in the order in which they are called."
    KeyRow("handlers", .handlerNames)
    "What happens when it is used. See [actions](#actions)."
    KeyRow("actions", .nullable(.definition("controlActions")), of: ViewKinds.controls.kinds.map(\.name))
    "The part of the view that can be touched: a type, or a mapping. `hit_slop` enlarges it."
    KeyRow(
      "shape",
      .nullable(
        .either([
          .value(.words(ShapeType.allCases.filter { $0 != .polygon }.map(\.rawValue))), .mapping(shape),
        ])), default: .text("rect"))
    "The id of a view that receives the touch instead, where the two overlap."
    KeyRow("redirect", .nullable(.name), default: .null)
    "Where keys move the focus from the view: ids of views for `up`, `down`, `left`, `right`, `next` and `previous`. See [focus](#focus)."
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

  /// The place where the focus goes from a view.
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

  static let shape = KeyTable("a shape", choice: "type", words: wordsForShapes) {
    "`rect`, `round_rect`, `ellipse`, `polygon`, or `children`: not the view itself but its subviews, inside or outside it."
    KeyRow("type", .words(ShapeType.self), required: "give rect, round_rect, ellipse, polygon or children")
    "`[x, y, width, height]` from the view's top-left corner. Default: the whole view."
    KeyRow("rect", KeyType<LocalRect>.shapeRect.shape, of: ["rect", "round_rect", "ellipse"])
    "The radius of the corners. Default: the view's `corner_radius`."
    KeyRow("radius", .number(.length), of: ["round_rect"])
    "Three or more corners, from the view's top-left corner."
    KeyRow(
      "points", .list(of: .point, 3...Int.max), of: ["polygon"],
      required: "give [[x, y], [x, y], [x, y], ...]")
  }

  private static func wordsForShapes(_ kinds: [String]) -> String {
    switch kinds.first {
    case "children": "children"
    case "ellipse": "an ellipse"
    default: "a " + kinds.joined(lastWith: "or")
    }
  }
}

/// The words for the part of a view that can be hit.
enum ShapeType: String, CaseIterable {
  case rect
  case roundRect = "round_rect"
  case ellipse, polygon, children
}

extension KeyType where Content == LocalRect {
  /// The place of a shape, from the view's top-left corner.
  static let shapeRect = KeyType<[Double]>.numbers([
    ("x", .coordinate), ("y", .coordinate), ("width", .length), ("height", .length),
  ]).map { LocalRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }.orNull
}
