import TouchCore
import TouchJSON
import TouchSystem
import TouchViews

/// The lines that touchtree sends, each a JSON object with its line feed.
package enum Message {
  /// The version of the protocol. A later, incompatible version has another number.
  package static let version = 1

  /// A message of any kind, with the id of the answered request, if any, and the fields that `body` writes.
  package static func line(
    _ type: String, id: JSONValue? = nil, _ body: (inout JSONWriter) -> Void = { _ in }
  ) -> [UInt8] {
    var json = JSONWriter()
    return json.line("type", type) { json in
      if let id { json.field("id", id) }
      body(&json)
    }
  }

  // MARK: Connections

  /// Returns the first line for a peer: the requests it may make, and a process handler's name and
  /// configuration.
  package static func hello(
    windowSize: Size, handler: (name: String, config: String)? = nil, access: Request.Access = .everything
  ) -> [UInt8] {
    line("hello") { json in
      json.field("protocol", version)
      json.field("host", "touchtree/\(TouchtreeVersion.text)")
      if access == .watching { json.field("access", "watch") }
      if let handler {
        json.field("handler", handler.name)
        json.key("config")
        json.value(json: handler.config)
      }
      json.object("window") {
        $0.field("width", windowSize.width)
        $0.field("height", windowSize.height)
      }
    }
  }

  /// - Parameter warnings: the warnings of a reloaded configuration.
  package static func done(_ id: JSONValue?, warnings: [String] = []) -> [UInt8] {
    line("done", id: id) { json in json.list("warnings", warnings) }
  }

  package static func error(
    _ id: JSONValue?, _ message: String, _ code: RequestError.Code = .failed, diagnostics: [String] = []
  ) -> [UInt8] {
    line("error", id: id) { json in
      json.field("message", message)
      json.field("code", code.rawValue)
      json.list("diagnostics", diagnostics)
    }
  }

  /// Returns the message about moves that were left out because the peer did not read.
  package static func dropped(_ count: Int) -> [UInt8] {
    line("dropped") { json in json.field("count", count) }
  }

  package static func bye(_ reason: String) -> [UInt8] {
    line("bye") { json in json.field("reason", reason) }
  }

  // MARK: Events

  /// Returns the message about a touch in its current phase.
  /// - Parameters:
  ///   - responder: the responder that sees the touch, in whose space x and y are; nil for the hit view.
  ///   - device: the device's name.
  package static func touch(
    _ touch: Touch, phase: Touch.Phase, at responder: Responder?, sequence: Int, device: String
  ) -> [UInt8] {
    line("touch") { json in
      let place = touch.location(in: responder.map(\.coordinateView) ?? touch.view)
      json.field("seq", sequence)
      json.field("time_us", Int(touch.timestamp.microseconds))
      json.field("phase", phase.rawValue)
      json.field("touch", touch.id)
      json.field("device", device)
      write(touch.view, to: &json)
      if let responder { json.field("responder", responder.id) }
      let views = touch.chain?.responders.filter { $0 is View && !($0 is Window) } ?? []
      json.field("path", views.map(\.id))
      write(place.x, place.y, touch.location, to: &json)
      json.field("taps", touch.tapCount)
      json.add(touch.attributes)
      write(touch.coalescedSamples, in: responder.map(\.coordinateView) ?? touch.view, to: &json)
    }
  }

  /// Writes a touch's places since the previous event, each as `[time_us, x, y]`, if there are several.
  private static func write(_ samples: [Touch.Sample], in view: View?, to json: inout JSONWriter) {
    guard samples.count > 1 else { return }
    json.field(
      "samples",
      samples.map { sample in
        let window = sample.location
        let place = view?.convertFromWindow(window) ?? LocalPoint(x: window.x, y: window.y)
        return [Double(sample.timestamp.microseconds), place.x, place.y]
      })
  }

  /// Writes the view's id, its label if it has one, and the key of the row that it shows.
  private static func write(_ view: View?, to json: inout JSONWriter) {
    json.field("view", view?.id)
    if let label = view?.accessibilityLabel { json.field("label", label) }
    if let key = view?.rowKey { json.field("row_key", key) }
  }

  /// Writes the words of a screen reader for a private view, such as that a field waits for a password.
  package static func writeSecure(_ view: View, to json: inout JSONWriter) {
    guard view.control?.isConfidential ?? false else { return }
    json.field("secure", true)
    writeSpoken(view, as: view.spokenLabel, to: &json)
  }

  /// Writes the words of a screen reader for a view, if any, without the value of a private one.
  /// - Parameters:
  ///   - name: the name; that of a container may consist of those of its contents.
  ///   - traits: its states, such as `disabled`.
  package static func writeSpoken(
    _ view: View, as name: String?, _ traits: [String] = [], to json: inout JSONWriter
  ) {
    let spoken = [
      ("label", name), ("value", view.isPrivate ? nil : view.spokenValue),
      ("hint", view.accessibilityHint),
    ].filter { $0.1 != nil }
    guard !spoken.isEmpty || !traits.isEmpty else { return }
    json.object("accessibility") { json in
      for (name, text) in spoken { json.field(name, text) }
      json.list("traits", traits)
    }
  }

  private static func write(_ x: Double, _ y: Double, _ window: WindowPoint, to json: inout JSONWriter) {
    json.field("x", x)
    json.field("y", y)
    json.field("window_x", window.x)
    json.field("window_y", window.y)
  }

  /// Returns the message about a press in its phase at a responder, with the device's name.
  package static func press(
    _ press: Press, at responder: Responder?, sequence: Int, device: String
  ) -> [UInt8] {
    line("press") { json in
      json.field("seq", sequence)
      json.field("time_us", Int(press.timestamp.microseconds))
      json.field("phase", press.phase.rawValue)
      json.field("press", press.id)
      json.field("device", device)
      write(press.responder?.coordinateView, to: &json)
      if let responder { json.field("responder", responder.id) }
      json.field("key", press.key.keyCode.name)
      if let type = press.type { json.field("kind", type.rawValue) }
      json.field("characters", press.key.characters)
      json.field("modifiers", press.key.modifierFlags.names)
      json.field("repeat", press.repeatCount)
    }
  }

  /// Returns the message about a moved or lost focus, which a screen reader speaks.
  /// - Parameter isKey: whether the key of a private keyboard is named.
  package static func focus(_ context: FocusUpdateContext, isKey: Bool = false) -> [UInt8] {
    let isHidden = context.next.map { $0.view.isPrivate && !(isKey && $0.view.kind == .keyboard) } ?? false
    return line("focus") { json in
      if let view = context.next?.view, isHidden {
        json.field("view", view.id)
        json.field("kind", view.kind.name)
        writeSecure(view, to: &json)
      } else {
        write(context.next?.view, to: &json)
      }
      if let item = context.next, !isHidden {
        json.field("kind", item.view.kind.name)
        if let part = item.part { json.field("part", part) }
        if let text = item.shownText { json.field("text", text) }
        if let value = item.view.control?.controlValue { json.field("value", value) }
        let rect = item.windowRect
        json.field("frame", [rect.minX, rect.minY, rect.size.width, rect.size.height])
        writeSpoken(item.view, as: item.view.spokenName, item.traits, to: &json)
      }
      json.field("previous", context.previous?.view.id)
      json.field("heading", context.heading.rawValue)
    }
  }

  package static func scanned(_ scan: Scan, at responder: Responder, device: String) -> [UInt8] {
    line("scanned") { json in
      json.field("time_us", Int(scan.timestamp.microseconds))
      json.field("device", device)
      write(responder.coordinateView, to: &json)
      json.field("text", scan.text)
    }
  }

  package static func action(_ action: Control.Action, of control: Control) -> [UInt8] {
    line("action") { json in
      write(control, to: &json)
      json.field("action", action.rawValue)
      guard action == .rowAction, let swiped = control.doneRowAction else { return }
      json.field("row", swiped.row)
      json.field("row_action", swiped.action)
    }
  }

  package static func value(of control: Control) -> [UInt8] {
    line("value") { json in
      write(control, to: &json)
      json.field("value", control.controlValue)
    }
  }

  package static func value(_ value: PropertyValue, named name: String) -> [UInt8] {
    line("value") { json in
      json.field("name", name)
      json.field("value", value)
    }
  }

  package static func text(of view: View) -> [UInt8] {
    line("text") { json in
      write(view, to: &json)
      json.field("text", ViewProperty.text.value(of: view) ?? .null)
    }
  }

  package static func page(of pages: PagesView) -> [UInt8] {
    line("page") { json in
      write(pages, to: &json)
      json.field("page", pages.page?.id)
    }
  }

  package static func sheet(_ sheet: SheetView) -> [UInt8] {
    line("sheet") { json in
      write(sheet, to: &json)
      json.field("presented", sheet.isPresented)
    }
  }

  package static func scroll(
    _ scrollView: ScrollView, _ phase: ScrollView.ScrollPhase, sequence: Int, time: Timestamp
  ) -> [UInt8] {
    line("scroll") { json in
      let (offset, content) = (scrollView.contentOffset, scrollView.contentSize)
      json.field("seq", sequence)
      json.field("time_us", Int(time.microseconds))
      write(scrollView.owner, to: &json)
      json.field("phase", phase.rawValue)
      json.field("x", offset.x)
      json.field("y", offset.y)
      json.field("width", content.width)
      json.field("height", content.height)
      json.field("zoom", scrollView.zoomScale)
      json.field("at_end", scrollView.isAtEnd)
    }
  }

  package static func gesture(_ gesture: GestureRecognizer, sequence: Int, time: Timestamp) -> [UInt8] {
    line("gesture") { json in
      let values = gesture.values
      json.field("seq", sequence)
      json.field("time_us", Int(time.microseconds))
      write(gesture.view, to: &json)
      json.field("gesture", gesture.id)
      json.field("kind", gesture.kind)
      json.field("state", gesture.state.rawValue)
      let place = gesture.location(in: gesture.view)
      write(place.x, place.y, gesture.windowLocation, to: &json)
      if let direction = values.direction { json.field("direction", direction.rawValue) }
      write(values.translation.map { ($0.x, $0.y) }, "translation_x", "translation_y", to: &json)
      write(values.velocity.map { ($0.x, $0.y) }, "velocity_x", "velocity_y", to: &json)
      for case (let key, let value?) in [("scale", values.scale), ("angle", values.angle)] {
        json.field(key, value)
      }
    }
  }

  private static func write(
    _ pair: (Double, Double)?, _ first: String, _ second: String, to json: inout JSONWriter
  ) {
    guard let pair else { return }
    json.field(first, pair.0)
    json.field(second, pair.1)
  }

  /// Returns the message of a `send` action: JSON from a view, in a list with the key of its row.
  package static func message(_ message: String, from view: String, row: PropertyValue? = nil) -> [UInt8] {
    line("message") { json in
      json.field("from", view)
      if let row { json.field("row_key", row) }
      json.key("message")
      json.value(json: message)
    }
  }
}

extension JSONWriter {
  /// Writes what a device reports about a contact beyond its place, and its tool unless that is a finger.
  package mutating func add(_ attributes: ContactAttributes) {
    let numbers = [
      ("pressure", attributes.pressure), ("touch_major", attributes.touchMajor),
      ("touch_minor", attributes.touchMinor), ("distance", attributes.distance),
    ]
    for case (let key, let number?) in numbers { field(key, Int(number)) }
    switch attributes.tool {
    case .finger: break
    case .pen: field("tool", "pen")
    case .palm: field("tool", "palm")
    case .other(let number): field("tool", Int(number))
    }
  }

  fileprivate mutating func list(_ key: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    field(key, texts)
  }
}
