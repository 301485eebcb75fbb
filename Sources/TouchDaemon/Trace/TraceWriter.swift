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
  /// A control sends its actions while it is being given the touch, before its answer is known. They are kept
  /// until the touch's own line is out, since a reader expects the cause before the effect.
  private var heldActions: [(control: Control, action: Control.Action, touch: Touch)] = []

  /// - Parameter write: gets each line, with its line feed.
  package init(format: Format, write: @escaping ([UInt8]) -> Void) {
    self.format = format
    self.write = write
  }

  /// Writes the step; a control's actions wait for the touch that caused them.
  package func observe(_ step: DispatchStep) {
    switch step {
    case .control(let control, let action, let touch): heldActions.append((control, action, touch))
    case .touch(let touch, let responder, let disposition, let captured):
      line(touch, responder, disposition, captured)
      releaseActions(of: responder)
    case .hitTest(let view, let point): line(view, point)
    case .pointInside(let view, let inside): line(view, inside)
    case .hit(let touch, let view): line(hit: touch, view)
    case .dropped(let touch): line(dropped: touch)
    case .gesture(let gesture): line(gesture)
    case .chain(let touch, let chain): line(touch, chain)
    case .pointer(let event, let responder, let disposition):
      line(PointerTrace(event, responder, disposition))
    }
  }

  private func releaseActions(of responder: Responder) {
    guard !heldActions.isEmpty else { return }
    for held in heldActions where held.control === responder { line(held) }
    heldActions.removeAll { $0.control === responder }
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

  private func line(_ held: (control: Control, action: Control.Action, touch: Touch)) {
    emit(
      "control", text: "control      touch \(held.touch.id) \(held.control.id) \(held.action.rawValue)"
    ) {
      $0.key("touch")
      $0.value(held.touch.id)
      $0.key("view")
      $0.value(held.control.id)
      $0.key("action")
      $0.value(held.action.rawValue)
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
