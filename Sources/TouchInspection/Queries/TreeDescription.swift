import TouchConfig
import TouchCore
import TouchExpressions
import TouchHandlers
import TouchJSON
import TouchSystem
import TouchViews

/// The view tree for people: a view a line, indented, back to front, with differing settings.
package struct TreeDescription {
  private let handlerNames, gestureHandlerNames: [ObjectIdentifier: [String]]
  /// The events on which each control or gesture performs actions.
  private let actionNames: [ObjectIdentifier: [String]]
  private let bindings: Bindings

  /// Returns one line for each responder, with subviews indented below their view.
  /// - Parameter isDisclosed: whether clients get the lines. They then contain only the place
  ///   of a private view, and nothing of its contents.
  package static func lines(of tree: ViewTree, isDisclosed: Bool = false) -> [String] {
    TreeDescription(tree).lines(of: tree, isDisclosed)
  }

  private init(_ tree: ViewTree) {
    bindings = tree.bindings
    handlerNames = Dictionary(
      tree.attachments.map { (ObjectIdentifier($0.responder), $0.handlers) }, uniquingKeysWith: { $0 + $1 })
    gestureHandlerNames = Dictionary(
      tree.gestureAttachments.map { (ObjectIdentifier($0.gesture), $0.handlers) },
      uniquingKeysWith: { $0 + $1 })
    actionNames = Dictionary(
      tree.controlActions.map { control, steps in
        (
          ObjectIdentifier(control),
          Control.Action.allCases.filter { steps[$0] != nil }.map { HandlerTrigger($0).rawValue }
        )
      }
        + tree.gestureActions.map { gesture, steps in
          (
            ObjectIdentifier(gesture),
            GestureRecognizer.State.allCases.filter { steps[$0] != nil }.map(\.rawValue)
          )
        }, uniquingKeysWith: { $0 + $1 })
  }

  private func lines(of tree: ViewTree, _ isDisclosed: Bool) -> [String] {
    tree.window.layoutIfNeeded()
    var lines = ["\(tree.application.id)  application" + handlers(of: tree.application)]
    // A tree may be deeper than the stack allows, so the views wait in a list.
    var waiting: [(view: View, depth: Int)] = [(tree.window, 1)]
    while let (view, depth) = waiting.popLast() {
      let hides = isDisclosed && view.isPrivate
      lines.append(String(repeating: "  ", count: depth) + (hides ? Self.place(view) : line(view)))
      if hides { continue }
      for subview in view.subviews.reversed() { waiting.append((subview, depth + 1)) }
    }
    return lines
  }

  /// Writes the views as JSON, back to front, with the facts for tests; private ones only with their place.
  private static func write(_ tree: ViewTree, to json: inout JSONWriter) {
    tree.window.layoutIfNeeded()
    json.beginArray()
    var waiting: [View] = [tree.window]
    while let view = waiting.popLast() {
      write(view, of: tree, to: &json)
      if !view.isPrivate { waiting += view.subviews.reversed() }
    }
    json.endArray()
  }

  private static func write(_ values: NamedValues, to json: inout JSONWriter) {
    guard !values.declarations.isEmpty else { return }
    json.key("values")
    json.beginArray()
    for (place, declaration) in values.declarations.enumerated() {
      json.object { json in
        json.field("name", declaration.name)
        json.field("value", values[place])
        if let label = declaration.label { json.field("label", label) }
        if let isAnnounced = declaration.isAnnounced { json.field("announce", isAnnounced) }
        if let formula = declaration.formula { json.field("follows", formula.source) }
        if let unit = declaration.unit { json.field("unit", unit) }
        if let deviceClass = declaration.deviceClass { json.field("class", deviceClass) }
        if let limits = declaration.limits {
          json.field("minimum", limits.minimum)
          json.field("maximum", limits.maximum)
          json.field("step", limits.step)
        }
      }
    }
    json.endArray()
  }

  /// Returns the views and the values as one object, as clients get them.
  package static func json(of tree: ViewTree) -> String {
    var json = JSONWriter()
    json.object { json in writeFields(of: tree, to: &json) }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  package static func writeFields(of tree: ViewTree, to json: inout JSONWriter) {
    json.key("views")
    write(tree, to: &json)
    write(tree.bindings.values, to: &json)
    let languages = tree.configuration.translations.languages
    if !languages.isEmpty { json.field("languages", languages) }
  }

  private static func write(_ view: View, of tree: ViewTree, to json: inout JSONWriter) {
    json.beginObject()
    json.field("id", view.id)
    json.field("kind", view.kind.name)
    json.field("parent", view.superview?.id)
    json.field("window_frame", view.windowFrame)
    if view.isPrivate {
      json.field("private", true)
      Message.writeSecure(view, to: &json)
      return json.endObject()
    }
    if tree.showsRows(view.id), let key = view.rowKey { json.field("row_key", key) }
    if let control = view.control { json.field("highlighted", control.isHighlighted) }
    if let value = view.control?.controlValue, !value.isFlag { json.field("step", value.step) }
    for property in ViewProperty.settable(with: view.kind) {
      guard let value = property.value(of: view) else { continue }
      json.field(property.name, value)
    }
    if let isAnnounced = view.isAnnounced { json.field("announce", isAnnounced) }
    Message.writeSpoken(view, as: view.spokenLabel, to: &json)
    let bound = tree.bindings.bindings(of: view.id)
    if !bound.isEmpty {
      json.object("follows") { json in
        for binding in bound { json.field(binding.setting.name, binding.setting.content.source) }
      }
    }
    json.endObject()
  }

  private static func place(_ view: View) -> String {
    let rect = view.layoutRect
    let place = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height].map(\.plain)
    return "\(view.id)  \(view.kind.name)  (\(place.joined(separator: ", ")))"
      + (view.isPrivate ? "  private" : "")
  }

  private func line(_ view: View) -> String {
    var parts = [Self.place(view)]
    if let label = view.accessibilityLabel { parts.append("label \"\(label)\"") }
    let bound = bindings.bindings(of: view.id)
    // A text that follows an expression is shown with it.
    if let text = view.shownText, !text.isEmpty, view.privateView == nil,
      !bound.contains(where: { $0.setting.property == .text })
    {
      parts.append("text \"\(text.escaped)\"")
    }
    if view.bounds.origin != .zero { parts.append("bounds origin \(view.bounds.origin.text)") }
    if view.transform != .identity { parts.append("transform \(view.transform.text)") }
    if view.alpha != 1 { parts.append("alpha \(view.alpha.plain)") }
    if view.isHidden { parts.append("hidden") }
    if !view.isUserInteractionEnabled { parts.append("user interaction off") }
    let control = view.control
    if control?.isEnabled == false { parts.append("disabled") }
    if control?.isSelected == true { parts.append("selected") }
    if view.clipsToBounds { parts.append("clips") }
    if view.isMultipleTouchEnabled { parts.append("multiple touch") }
    if view.isExclusiveTouch { parts.append("exclusive touch") }
    if view.forwards == (control != nil) { parts.append(view.forwards ? "forwards" : "does not forward") }
    if view.tracking != .locked { parts.append("tracking \(view.tracking.rawValue)") }
    if let value = view.control?.controlValue { parts.append("value \(value.text)") }
    parts += view.kind.details(view)
    for gesture in view.gestureRecognizers {
      parts.append("\(gesture.kind) \(gesture.id)" + names(of: gesture) + actions(of: gesture))
    }
    if let behavior = view.hitBehavior { parts += HitBehaviorText.parts(of: behavior) }
    if let controller = view.viewController {
      let presenter = controller.presentingViewController.map { ", presented by \($0.id)" } ?? ""
      parts.append("controller \(controller.id)\(presenter)" + handlers(of: controller))
    }
    parts += bound.map { Self.text(of: $0, view) }
    return parts.joined(separator: "  ") + handlers(of: view) + actions(of: view)
  }

  /// Returns the expression that a property follows, and its present value.
  private static func text(of binding: Binding, _ view: View) -> String {
    let value = ReadProperty(binding.setting.name, of: view.kind).value(of: view)
    return "\(binding.setting.name) \(value) follows \"\(binding.setting.content.source)\""
  }

  private func names(of gesture: GestureRecognizer) -> String {
    guard let names = gestureHandlerNames[ObjectIdentifier(gesture)] else { return "" }
    return " (handlers: " + names.joined(separator: ", ") + ")"
  }

  private func actions(of owner: AnyObject) -> String {
    guard let names = actionNames[ObjectIdentifier(owner)] else { return "" }
    let list = "actions: " + names.joined(separator: ", ")
    return owner is GestureRecognizer ? " (\(list))" : "  \(list)"
  }

  private func handlers(of responder: Responder) -> String {
    guard let names = handlerNames[ObjectIdentifier(responder)] else { return "" }
    return "  handlers: " + names.joined(separator: ", ")
  }
}

extension JSONWriter {
  /// Writes a rectangle as `[x, y, width, height]`.
  fileprivate mutating func field<Space>(_ key: String, _ rect: Rect<Space>) {
    field(key, [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
  }
}

extension AffineTransform {
  /// The matrix for people: `[a, b, c, d, tx, ty]`.
  package var text: String { "[" + [a, b, c, d, tx, ty].map(\.short).joined(separator: ", ") + "]" }
}

/// A view's hit behavior for people, in the words of the configuration.
package enum HitBehaviorText {
  package static func parts(of behavior: HitBehavior) -> [String] {
    var parts: [String] = []
    if behavior.slop != .zero { parts.append("hit slop \(slop(behavior.slop))") }
    if behavior.pointerEvents != .auto { parts.append("pointer events \(behavior.pointerEvents.rawValue)") }
    if behavior.shape != .rect() { parts.append("shape \(shape(behavior.shape))") }
    if behavior.overflows { parts.append("overflow hits") }
    if let target = behavior.redirect { parts.append("redirect \(target.id)") }
    if behavior.z != 0 { parts.append("z \(behavior.z.plain)") }
    return parts
  }

  /// Returns one number if all sides are alike, else `[top, left, bottom, right]`.
  private static func slop(_ slop: Insets) -> String {
    let sides = [slop.top, slop.left, slop.bottom, slop.right]
    if sides.allSatisfy({ $0 == slop.top }) { return slop.top.plain }
    return "[" + sides.map(\.plain).joined(separator: ", ") + "]"
  }

  package static func shape(_ shape: HitShape) -> String {
    func place(_ rect: LocalRect?) -> String {
      rect.map {
        " (\($0.origin.x.plain), \($0.origin.y.plain), \($0.size.width.plain), \($0.size.height.plain))"
      } ?? ""
    }
    return switch shape {
    case .rect(let rect): "rect" + place(rect)
    case .roundRect(let rect, let radius): "round_rect" + place(rect) + " radius \(radius.plain)"
    case .ellipse(let rect): "ellipse" + place(rect)
    case .polygon(let polygon): "polygon of \(polygon.points.count) points"
    case .children: "children"
    }
  }
}
