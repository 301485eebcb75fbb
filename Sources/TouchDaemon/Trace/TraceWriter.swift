import TouchCore
import TouchSystem

/// Writes what the dispatcher does, step by step, one line a step.
package final class TraceWriter: DispatchObserver {
  package enum Format: Sendable {
    /// One JSON object a line.
    case json
    /// For people.
    case text
  }

  private let format: Format
  private let write: ([UInt8]) -> Void
  private var json = JSONWriter()
  /// A control sends its actions while it is being given the touch, before its answer is known. They are kept, with the
  /// pages and values that they change, until the touch's own line is out, since a reader expects the cause before the
  /// effect.
  private var held: [Held] = []

  private enum Held {
    case action(Control, Control.Action, Touch)
    case page(PagesView, page: String?)
    case value(Control, ControlValue?)

    func isAction(of responder: Responder) -> Bool {
      if case .action(let control, _, _) = self { return control === responder }
      return false
    }
  }

  /// - Parameter write: gets each line, with its line feed.
  package init(format: Format, write: @escaping ([UInt8]) -> Void) {
    self.format = format
    self.write = write
  }

  /// Writes the step; a control's actions wait for the touch that caused them.
  package func observe(_ step: DispatchStep) {
    switch step {
    case .control(let control, let action, let touch): held.append(.action(control, action, touch))
    case .page(let pages): hold(.page(pages, page: pages.page?.id))
    case .value(let control): hold(.value(control, control.value))
    case .touch(let touch, let responder, let disposition, let captured):
      line(touch, responder, disposition, captured)
      releaseActions(of: responder)
    case .hitTest(let view, let point): line(view, point)
    case .pointInside(let view, let inside): line(view, inside)
    case .hit(let touch, let view): line(hit: touch, view)
    case .dropped(let touch): line(dropped: touch)
    case .gesture(let gesture): line(gesture)
    case .chain(let touch, let chain): line(touch, chain)
    case .text: break
    case .pointer(let event, let responder, let disposition):
      line(PointerTrace(event, responder, disposition))
    }
  }

  private func releaseActions(of responder: Responder) {
    guard held.contains(where: { $0.isAction(of: responder) }) else { return }
    for step in held { line(step) }
    held.removeAll(keepingCapacity: true)
  }

  private func hold(_ step: Held) {
    if held.isEmpty { line(step) } else { held.append(step) }
  }

  // MARK: Lines

  private func line(_ view: View, _ point: LocalPoint) {
    emit("hitTest", text: "hitTest      \(view.id) \(point.text)") {
      $0.key("view")
      $0.value(view.id)
      $0.key("point")
      $0.value(point)
    }
  }

  private func line(_ view: View, _ inside: Bool) {
    emit("pointInside", text: "pointInside  \(view.id) \(inside ? "yes" : "no")") {
      $0.key("view")
      $0.value(view.id)
      $0.key("inside")
      $0.value(inside)
    }
  }

  private func line(hit touch: Touch, _ view: View?) {
    emit("hit", text: "hit          touch \(touch.id) → \(view?.id ?? "nothing")") {
      $0.key("touch")
      $0.value(touch.id)
      $0.key("view")
      $0.value(view?.id)
    }
  }

  private func line(dropped touch: Touch) {
    emit("dropped", text: "dropped      touch \(touch.id) on \(touch.view?.id ?? "nothing")") {
      $0.key("touch")
      $0.value(touch.id)
      $0.key("view")
      $0.value(touch.view?.id)
    }
  }

  private func line(_ touch: Touch, _ chain: ResponderChain) {
    let names = chain.responders.map(\.id)
    emit("chain", text: "chain        touch \(touch.id): \(names.joined(separator: " → "))") {
      $0.key("touch")
      $0.value(touch.id)
      $0.key("responders")
      $0.beginArray()
      for name in names { $0.value(name) }
      $0.endArray()
    }
  }

  private func line(
    _ touch: Touch, _ responder: Responder, _ disposition: Disposition, _ captured: Bool
  ) {
    let point = touch.location(in: responder.coordinateView)
    emit(
      "touch",
      text: "touch        \(touch.id) \(touch.phase.rawValue) \(responder.id) \(point.text) "
        + disposition.rawValue + (captured ? " captured" : "")
    ) {
      $0.key("touch")
      $0.value(touch.id)
      $0.key("phase")
      $0.value(touch.phase.rawValue)
      $0.key("responder")
      $0.value(responder.id)
      $0.key("point")
      $0.value(point)
      $0.key("disposition")
      $0.value(disposition.rawValue)
      if captured {
        $0.key("captured")
        $0.value(true)
      }
      $0.add(touch.attributes)
    }
  }

  private func line(_ gesture: GestureRecognizer) {
    let trace = GestureTrace(gesture)
    emit("gesture", text: "gesture      \(trace.text)") { trace.write(to: &$0) }
  }

  private func line(_ pointer: PointerTrace) {
    let name = pointer.name
    emit(name, text: name + String(repeating: " ", count: 13 - name.count) + pointer.text) {
      pointer.write(to: &$0)
    }
  }

  private func line(_ step: Held) {
    switch step {
    case .action(let control, let action, let touch): line(control, action, touch)
    case .page(let pages, let page):
      emit("page", text: "page         \(pages.id) → \(page ?? "none")") {
        $0.key("view")
        $0.value(pages.id)
        $0.key("page")
        $0.value(page)
      }
    case .value(let control, let value):
      emit("value", text: "value        \(control.id) \(value?.text ?? "none")") {
        $0.key("view")
        $0.value(control.id)
        $0.key("value")
        $0.value(value)
      }
    }
  }

  private func line(_ control: Control, _ action: Control.Action, _ touch: Touch) {
    emit("control", text: "control      touch \(touch.id) \(control.id) \(action.rawValue)") {
      $0.key("touch")
      $0.value(touch.id)
      $0.key("view")
      $0.value(control.id)
      $0.key("action")
      $0.value(action.rawValue)
    }
  }

  private func emit(_ name: String, text: @autoclosure () -> String, _ fields: (inout JSONWriter) -> Void) {
    switch format {
    case .text: write(Array((text().onOneLine + "\n").utf8))
    case .json:
      json.removeAll()
      json.beginObject()
      json.key("event")
      json.value(name)
      fields(&json)
      json.endObject()
      write(json.bytes + [UInt8(ascii: "\n")])
    }
  }
}

extension JSONWriter {
  package mutating func value(_ point: LocalPoint) {
    beginArray()
    value(point.x)
    value(point.y)
    endArray()
  }

  /// What a device says of a contact beyond its place, each field where it says it. The tool is left out for a finger.
  package mutating func add(_ attributes: ContactAttributes) {
    add("pressure", attributes.pressure)
    add("touch_major", attributes.touchMajor)
    add("touch_minor", attributes.touchMinor)
    add("distance", attributes.distance)
    switch attributes.tool {
    case .finger: return
    case .pen:
      key("tool")
      value("pen")
    case .palm:
      key("tool")
      value("palm")
    case .other(let number): add("tool", number)
    }
  }

  private mutating func add(_ name: StaticString, _ number: Int32?) {
    guard let number else { return }
    key(name)
    value(Int(number))
  }
}

extension Point {
  /// For people: `(12.5, 3)`.
  package var text: String { "(\(x.short), \(y.short))" }
}

/// The trace of a gesture.
package struct GestureTrace {
  private let gesture: GestureRecognizer

  package init(_ gesture: GestureRecognizer) {
    self.gesture = gesture
  }

  /// The values of a failed gesture mean nothing.
  private var values: GestureValues { gesture.state == .failed ? GestureValues() : gesture.values }

  /// For people: `pan drag changed (12, 3) translation (10, 0) velocity (320, 0)`.
  package var text: String {
    let values = values
    let parts: [String?] = [
      gesture.kind, gesture.id, gesture.state.rawValue, gesture.location(in: gesture.view).text,
      values.translation.map { "translation \($0.text)" }, values.velocity.map { "velocity \($0.text)" },
      values.scale.map { "scale \($0.short)" }, values.angle.map { "angle \($0.short)" },
      values.direction?.rawValue,
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }

  /// The fields of its JSON object.
  package func write(to json: inout JSONWriter) {
    json.key("gesture")
    json.value(gesture.id)
    json.key("kind")
    json.value(gesture.kind)
    json.key("view")
    json.value(gesture.view?.id)
    json.key("state")
    json.value(gesture.state.rawValue)
    json.key("point")
    json.value(gesture.location(in: gesture.view))
    json.key("touches")
    json.beginArray()
    for touch in gesture.touches { json.value(touch.id) }
    json.endArray()
    write(values, to: &json)
  }

  private func write(_ values: GestureValues, to json: inout JSONWriter) {
    let vectors: [(StaticString, LocalVector?)] = [
      ("translation", values.translation), ("velocity", values.velocity),
    ]
    for case (let name, let vector?) in vectors {
      json.key(name)
      json.beginArray()
      json.value(vector.x)
      json.value(vector.y)
      json.endArray()
    }
    let numbers: [(StaticString, Double?)] = [
      ("scale", values.scale), ("scaleVelocity", values.scaleVelocity), ("angle", values.angle),
      ("angularVelocity", values.angularVelocity),
    ]
    for case (let name, let number?) in numbers {
      json.key(name)
      json.value(number)
    }
    if let direction = values.direction {
      json.key("direction")
      json.value(direction.rawValue)
    }
  }
}

extension Vector {
  /// For people: `(12.5, 3)`.
  fileprivate var text: String { "(\(x.short), \(y.short))" }
}

/// The trace of a pointer that hovers, turns the wheel or presses another button.
package struct PointerTrace {
  private let event: PointerEvent
  private let responder: Responder
  private let disposition: Disposition

  package init(_ event: PointerEvent, _ responder: Responder, _ disposition: Disposition) {
    self.event = event
    self.responder = responder
    self.disposition = disposition
  }

  /// The line's own name: `hover`, `wheel` or `button`.
  package var name: String {
    switch event.kind {
    case .entered, .moved, .left: "hover"
    case .wheel: "wheel"
    case .pressed, .released, .cancelled: "button"
    }
  }

  /// For people: `entered knob (12, 3) view knob`.
  package var text: String {
    let what =
      switch event.kind {
      case .wheel(let x, let y): "(\(x.short), \(y.short))"
      default: [event.kind.button?.rawValue, event.kind.phase].compactMap(\.self).joined(separator: " ")
      }
    let answer = event.kind.phase == nil || event.kind.button != nil ? " \(disposition.rawValue)" : ""
    return "\(what) \(responder.id) \(point.text) view \(event.view.id)\(answer)"
  }

  /// The fields of its JSON object.
  package func write(to json: inout JSONWriter) {
    if let button = event.kind.button {
      json.key("button")
      json.value(button.rawValue)
    }
    if let phase = event.kind.phase {
      json.key("phase")
      json.value(phase)
    }
    json.key("view")
    json.value(event.view.id)
    json.key("responder")
    json.value(responder.id)
    json.key("point")
    json.value(point)
    if case .wheel(let x, let y) = event.kind {
      json.key("delta")
      json.beginArray()
      json.value(x)
      json.value(y)
      json.endArray()
    }
    guard event.kind.phase == nil || event.kind.button != nil else { return }
    json.key("disposition")
    json.value(disposition.rawValue)
  }

  private var point: LocalPoint { event.location(in: responder.coordinateView) }
}

extension PointerEvent.Kind {
  /// Nil for a wheel, which has none.
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
