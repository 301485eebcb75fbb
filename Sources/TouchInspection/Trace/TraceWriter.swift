import TouchCore
import TouchJSON
import TouchSystem
import TouchViews

/// Writes the steps of the dispatcher, one in a line. The trace of a run contains nothing of private views.
/// That of a dry run lacks only their values, because its user chose the touches.
package final class TraceWriter: DispatchObserver {
  package enum Format: String, CaseIterable, Sendable {
    case json, text
  }

  private let format: Format
  private let isLive: Bool
  private let write: ([UInt8]) -> Void
  private var json = JSONWriter()
  /// The steps that wait for the line of their touch, since a reader expects the cause first: a control's
  /// actions, with what they change, come before its answer is known.
  private var held: [Held] = []
  /// The touches that responders are getting, with the points in their own space, which a handler may move.
  private var given: [(touch: Touch, responder: Responder, point: LocalPoint)] = []
  /// The questions of a run's hit test, whose end shows whether the place is in a private view.
  private var asked: [DispatchStep] = []

  private enum Held {
    case action(Control, Control.Action, Touch)
    case page(PagesView, page: String?)
    case value(Control, ControlValue?)
    case sheet(SheetView, isPresented: Bool)

    func isAction(of responder: Responder) -> Bool {
      if case .action(let control, _, _) = self { return control === responder }
      return false
    }
  }

  /// Writes lines with their line feed, of a run's touches if live.
  package init(format: Format, isLive: Bool = false, write: @escaping ([UInt8]) -> Void) {
    (self.format, self.isLive, self.write) = (format, isLive, write)
  }

  /// Writes the step. A control's actions wait for the touch that caused them.
  package func observe(_ step: DispatchStep) {
    guard isLive else {
      if case .value(let control)? = step.viewStep, control.privateView != nil { return }
      return take(step)
    }
    switch step {
    case .hitTest, .pointInside: asked.append(step)
    default:
      if !step.isPrivate {
        for question in asked { take(question) }
        take(step)
      }
      asked.removeAll(keepingCapacity: true)
    }
  }

  private func take(_ step: DispatchStep) {
    switch step {
    case .report(let report as FocusReport): line(FocusTrace(context: report.disclosed))
    case .report(let report as ScanReport): line(report.scan, report.responder)
    case .report: if let step = step.viewStep { take(step) }
    case .press(let press, let responder, let disposition):
      line(PressTrace(press: press, responder: responder, disposition: disposition))
    case .touch(let touch, let responder, let disposition, let captured):
      line(touch, responder, takePlace(of: touch, in: responder), disposition, captured)
      releaseActions(of: responder)
    case .hitTest(let view, let point): line(view, point)
    case .pointInside(let view, let inside): line(view, inside)
    case .hit(let touch, let view): line(hit: touch, view)
    case .dropped(let touch): line(dropped: touch)
    case .gesture(let gesture): line(gesture)
    case .chain(let touch, let chain): line(touch, chain)
    case .delivery(let touch, let responder, _):
      given.append((touch, responder, touch.location(in: responder.coordinateView)))
    case .pointer(let event, let responder, let disposition):
      line(PointerTrace(event: event, responder: responder, disposition: disposition))
    }
  }

  private func take(_ step: ViewStep) {
    switch step {
    case .control(let control, let action, let touch): hold(action, of: control, because: touch)
    case .page(let pages): hold(.page(pages, page: pages.page?.id))
    case .value(let control): hold(.value(control, control.controlValue))
    case .sheet(let sheet): hold(.sheet(sheet, isPresented: sheet.isPresented))
    case .text, .scroll: break
    }
  }

  private func releaseActions(of responder: Responder) {
    guard given.isEmpty || held.contains(where: { $0.isAction(of: responder) }) else { return }
    for step in held { line(step) }
    held.removeAll(keepingCapacity: true)
  }

  /// Holds an action until the line of its touch. One of a resting finger, such as a stepper's repeat, has
  /// none, and neither has one after its touch, as of a wheel that stops.
  private func hold(_ action: Control.Action, of control: Control, because touch: Touch) {
    let step = Held.action(control, action, touch)
    if held.isEmpty && (control.comesLate(action) || touch.phase == .stationary) {
      line(step)
    } else {
      held.append(step)
    }
  }

  private func hold(_ step: Held) {
    if held.isEmpty && given.isEmpty { line(step) } else { held.append(step) }
  }

  private func takePlace(of touch: Touch, in responder: Responder) -> LocalPoint {
    guard let index = given.firstIndex(where: { $0.touch === touch && $0.responder === responder }) else {
      return touch.location(in: responder.coordinateView)
    }
    return given.remove(at: index).point
  }

  // MARK: Lines

  private func line(_ view: View, _ point: LocalPoint) {
    emit("hitTest", text: "hitTest      \(view.id) \(point.text)") {
      $0.field("view", view.id)
      $0.field("point", point)
    }
  }

  private func line(_ view: View, _ inside: Bool) {
    emit("pointInside", text: "pointInside  \(view.id) \(inside ? "yes" : "no")") {
      $0.field("view", view.id)
      $0.field("inside", inside)
    }
  }

  private func line(hit touch: Touch, _ view: View?) {
    emit("hit", text: "hit          touch \(touch.id) → \(view?.id ?? "nothing")") {
      $0.field("touch", touch.id)
      $0.field("view", view?.id)
    }
  }

  private func line(dropped touch: Touch) {
    emit("dropped", text: "dropped      touch \(touch.id) on \(touch.view?.id ?? "nothing")") {
      $0.field("touch", touch.id)
      $0.field("view", touch.view?.id)
    }
  }

  private func line(_ touch: Touch, _ chain: ResponderChain) {
    let names = chain.responders.map(\.id)
    emit("chain", text: "chain        touch \(touch.id): \(names.joined(separator: " → "))") {
      $0.field("touch", touch.id)
      $0.field("responders", names)
    }
  }

  private func line(
    _ touch: Touch, _ responder: Responder, _ point: LocalPoint, _ disposition: Disposition, _ captured: Bool
  ) {
    emit(
      "touch",
      text: "touch        \(touch.id) \(touch.phase.rawValue) \(responder.id) \(point.text) "
        + disposition.rawValue + (captured ? " captured" : "")
    ) {
      $0.field("touch", touch.id)
      $0.field("phase", touch.phase.rawValue)
      $0.field("responder", responder.id)
      $0.field("point", point)
      $0.field("disposition", disposition.rawValue)
      if captured { $0.field("captured", true) }
      $0.add(touch.attributes)
    }
  }

  private func line(_ gesture: GestureRecognizer) {
    let trace = GestureTrace(gesture: gesture)
    emit("gesture", text: "gesture      \(trace.text)") { trace.write(to: &$0) }
  }

  private func line(_ pointer: PointerTrace) {
    let name = pointer.name
    emit(name, text: name + String(repeating: " ", count: 13 - name.count) + pointer.text) {
      pointer.write(to: &$0)
    }
  }

  private func line(_ press: PressTrace) {
    emit("press", text: "press        \(press.text)") { press.write(to: &$0) }
  }

  private func line(_ focus: FocusTrace) {
    emit("focus", text: "focus        \(focus.text)") { focus.write(to: &$0) }
  }

  private func line(_ scan: Scan, _ responder: Responder) {
    emit("scanned", text: "scanned      \(responder.id) \(scan.text)") {
      $0.field("responder", responder.id)
      $0.field("text", scan.text)
    }
  }

  private func line(_ step: Held) {
    switch step {
    case .action(let control, let action, let touch): line(control, action, touch)
    case .page(let pages, let page):
      emit("page", text: "page         \(pages.id) → \(page ?? "none")") {
        $0.field("view", pages.id)
        $0.field("page", page)
      }
    case .sheet(let sheet, let isPresented):
      emit("sheet", text: "sheet        \(sheet.id) \(isPresented ? "presented" : "dismissed")") {
        $0.field("view", sheet.id)
        $0.field("presented", isPresented)
      }
    case .value(let control, let value):
      emit("value", text: "value        \(control.id) \(value?.text ?? "none")") {
        $0.field("view", control.id)
        $0.field("value", value)
      }
    }
  }

  private func line(_ control: Control, _ action: Control.Action, _ touch: Touch) {
    emit("control", text: "control      touch \(touch.id) \(control.id) \(action.rawValue)") {
      $0.field("touch", touch.id)
      $0.field("view", control.id)
      $0.field("action", action.rawValue)
    }
  }

  private func emit(_ name: String, text: @autoclosure () -> String, _ fields: (inout JSONWriter) -> Void) {
    switch format {
    case .text: write(Array((text().onOneLine + "\n").utf8))
    case .json: write(json.line("event", name, fields))
    }
  }
}

extension JSONWriter {
  package mutating func field(_ key: String, _ point: LocalPoint) { field(key, x: point.x, y: point.y) }

  package mutating func field(_ key: String, x: Double, y: Double) { field(key, [x, y]) }
}

extension Point {
  /// The text for people: `(12.5, 3)`.
  package var text: String { "(\(x.short), \(y.short))" }
}

private struct GestureTrace {
  let gesture: GestureRecognizer

  private var values: GestureValues { gesture.state == .failed ? GestureValues() : gesture.values }

  /// The text for people: `pan drag changed (12, 3) translation (10, 0) velocity (320, 0)`.
  var text: String {
    let values = values
    let parts: [String?] = [
      gesture.kind, gesture.id, gesture.state.rawValue, gesture.location(in: gesture.view).text,
      values.translation.map { "translation \($0.text)" }, values.velocity.map { "velocity \($0.text)" },
      values.scale.map { "scale \($0.short)" }, values.angle.map { "angle \($0.short)" },
      values.direction?.rawValue,
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }

  func write(to json: inout JSONWriter) {
    json.field("gesture", gesture.id)
    json.field("kind", gesture.kind)
    json.field("view", gesture.view?.id)
    json.field("state", gesture.state.rawValue)
    json.field("point", gesture.location(in: gesture.view))
    json.field("touches", gesture.touches.map(\.id))
    write(values, to: &json)
  }

  private func write(_ values: GestureValues, to json: inout JSONWriter) {
    for case (let name, let vector?) in [("translation", values.translation), ("velocity", values.velocity)] {
      json.field(name, x: vector.x, y: vector.y)
    }
    let numbers = [
      ("scale", values.scale), ("scaleVelocity", values.scaleVelocity), ("angle", values.angle),
      ("angularVelocity", values.angularVelocity),
    ]
    for case (let name, let number?) in numbers { json.field(name, number) }
    if let direction = values.direction { json.field("direction", direction.rawValue) }
  }
}

extension Vector {
  /// The text for people: `(12.5, 3)`.
  fileprivate var text: String { "(\(x.short), \(y.short))" }
}
