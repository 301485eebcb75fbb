import TouchCore
import TouchJSON
import TouchSystem

/// The trace of a pointer that hovers, turns the wheel or presses another button.
struct PointerTrace {
  let event: PointerEvent
  let responder: Responder
  let disposition: Disposition

  /// The name of the line: `hover`, `wheel` or `button`.
  var name: String {
    switch event.kind {
    case .entered, .moved, .left: "hover"
    case .wheel: "wheel"
    case .pressed, .released, .cancelled: "button"
    }
  }

  /// The text for people: `entered knob (12, 3) view knob`.
  var text: String {
    let what =
      switch event.kind {
      case .wheel(let x, let y): "(\(x.short), \(y.short))"
      default: [event.kind.button?.rawValue, event.kind.phase].compactMap(\.self).joined(separator: " ")
      }
    let answer = event.kind.phase == nil || event.kind.button != nil ? " \(disposition.rawValue)" : ""
    return "\(what) \(responder.id) \(point.text) view \(event.view.id)\(answer)"
  }

  func write(to json: inout JSONWriter) {
    if let button = event.kind.button { json.field("button", button.rawValue) }
    if let phase = event.kind.phase { json.field("phase", phase) }
    json.field("view", event.view.id)
    json.field("responder", responder.id)
    json.field("point", point)
    if case .wheel(let x, let y) = event.kind { json.field("delta", x: x, y: y) }
    guard event.kind.phase == nil || event.kind.button != nil else { return }
    json.field("disposition", disposition.rawValue)
  }

  private var point: LocalPoint { event.location(in: responder.coordinateView) }
}

extension PointerEvent.Kind {
  fileprivate var phase: String? {
    switch self {
    case .entered: "entered"
    case .moved: "moved"
    case .left: "left"
    case .pressed: "pressed"
    case .released: "released"
    case .cancelled: "cancelled"
    case .wheel: nil
    }
  }
}
