import TouchCore
import TouchSystem
import TouchViews

/// The lines that touchtree sends: one JSON object each, with its line feed.
package enum Message {
  /// What this touchtree speaks; a later version that is not compatible has another number.
  package static let version = 1

  /// A message of any kind.
  ///
  /// - Parameters:
  ///   - id: the request's that it answers.
  ///   - body: writes the fields behind type and id.
  package static func line(
    _ type: String, id: JSONValue? = nil, _ body: (inout JSONWriter) -> Void = { _ in }
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("type")
    json.value(type)
    if let id {
      json.key("id")
      json.value(id)
    }
    body(&json)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }

  // MARK: Connections

  /// The first line that each peer gets.
  ///
  /// - Parameters:
  ///   - handler: the name of a process handler, and its configuration as JSON; nil for a client.
  ///   - access: what the peer may ask for.
  package static func hello(
    windowSize: Size, handler: (name: String, config: String)? = nil, access: Request.Access = .everything
  ) -> [UInt8] {
    line("hello") { json in
      json.key("protocol")
      json.value(version)
      json.key("host")
      json.value("touchtree/\(TouchtreeVersion.text)")
      if access == .watching {
        json.key("access")
        json.value("watch")
      }
      if let handler {
        json.key("handler")
        json.value(handler.name)
        json.key("config")
        json.value(json: handler.config)
      }
      json.key("window")
      json.beginObject()
      json.key("width")
      json.value(windowSize.width)
      json.key("height")
      json.value(windowSize.height)
      json.endObject()
    }
  }

  /// - Parameter warnings: of a configuration that was reloaded.
  package static func done(_ id: JSONValue?, warnings: [String] = []) -> [UInt8] {
    line("done", id: id) { json in json.list("warnings", warnings) }
  }

  package static func error(
    _ id: JSONValue?, _ message: String, _ code: RequestError.Code = .failed, diagnostics: [String] = []
  ) -> [UInt8] {
    line("error", id: id) { json in
      json.key("message")
      json.value(message)
      json.key("code")
      json.value(code.rawValue)
      json.list("diagnostics", diagnostics)
    }
  }

  /// Moves were left out because the peer did not read.
  package static func dropped(_ count: Int) -> [UInt8] {
    line("dropped") { json in
      json.key("count")
      json.value(count)
    }
  }

  /// The last line.
  package static func bye(_ reason: String) -> [UInt8] {
    line("bye") { json in
      json.key("reason")
      json.value(reason)
    }
  }

  // MARK: Events

  /// A touch in its current phase.
  ///
  /// - Parameters:
  ///   - responder: the one that sees it, in whose space x and y are; nil for the hit view.
  ///   - device: the device's name.
  package static func touch(
    _ touch: Touch, phase: Touch.Phase, at responder: Responder?, sequence: Int, device: String
  ) -> [UInt8] {
    line("touch") { json in
      let place = touch.location(in: responder.map(\.coordinateView) ?? touch.view)
      json.key("seq")
      json.value(sequence)
      json.key("time_us")
      json.value(Int(touch.timestamp.microseconds))
      json.key("phase")
      json.value(phase.rawValue)
      json.key("touch")
      json.value(touch.id)
      json.key("device")
      json.value(device)
      write(touch.view, to: &json)
      if let responder {
        json.key("responder")
        json.value(responder.id)
      }
      json.key("path")
      json.beginArray()
      for case let view as View in touch.chain?.responders ?? [] where !(view is Window) {
        json.value(view.id)
      }
      json.endArray()
      write(place.x, place.y, touch.location, to: &json)
      json.key("taps")
      json.value(touch.tapCount)
    }
  }

  /// The view's id, and its label if it has one.
  private static func write(_ view: View?, to json: inout JSONWriter) {
    json.key("view")
    json.value(view?.id)
    guard let label = view?.accessibilityLabel else { return }
    json.key("label")
    json.value(label)
  }

  private static func write(_ x: Double, _ y: Double, _ window: WindowPoint, to json: inout JSONWriter) {
    json.key("x")
    json.value(x)
    json.key("y")
    json.value(y)
    json.key("window_x")
    json.value(window.x)
    json.key("window_y")
    json.value(window.y)
  }

  /// A control sends an action.
  package static func action(_ action: Control.Action, of control: Control) -> [UInt8] {
    line("action") { json in
      write(control, to: &json)
      json.key("action")
      json.value(action.rawValue)
    }
  }

  /// A control has another value.
  package static func value(of control: Control) -> [UInt8] {
    line("value") { json in
      write(control, to: &json)
      json.key("value")
      json.value(control.value)
    }
  }

  /// A label or a button shows another text.
  package static func text(of view: View) -> [UInt8] {
    line("text") { json in
      write(view, to: &json)
      json.key("text")
      json.value(ViewProperty.text.value(of: view) ?? .null)
    }
  }

  /// A view of the kind pages shows another page.
  package static func page(of pages: PagesView) -> [UInt8] {
    line("page") { json in
      write(pages, to: &json)
      json.key("page")
      json.value(pages.page?.id)
    }
  }

  /// A gesture in its current state.
  package static func gesture(_ gesture: GestureRecognizer, sequence: Int, time: Timestamp) -> [UInt8] {
    line("gesture") { json in
      let values = gesture.values
      json.key("seq")
      json.value(sequence)
      json.key("time_us")
      json.value(Int(time.microseconds))
      write(gesture.view, to: &json)
      json.key("gesture")
      json.value(gesture.id)
      json.key("kind")
      json.value(gesture.kind)
      json.key("state")
      json.value(gesture.state.rawValue)
      let place = gesture.location(in: gesture.view)
      write(place.x, place.y, gesture.windowLocation, to: &json)
      if let direction = values.direction {
        json.key("direction")
        json.value(direction.rawValue)
      }
      write(values.translation.map { ($0.x, $0.y) }, "translation_x", "translation_y", to: &json)
      write(values.velocity.map { ($0.x, $0.y) }, "velocity_x", "velocity_y", to: &json)
      for (key, value) in [("scale", values.scale), ("angle", values.angle)] {
        guard let value else { continue }
        json.key(named: key)
        json.value(value)
      }
    }
  }

  private static func write(
    _ pair: (Double, Double)?, _ first: StaticString, _ second: StaticString, to json: inout JSONWriter
  ) {
    guard let pair else { return }
    json.key(first)
    json.value(pair.0)
    json.key(second)
    json.value(pair.1)
  }

  /// What a `send` action has.
  ///
  /// - Parameters:
  ///   - message: one JSON value.
  ///   - view: whose action it is.
  package static func message(_ message: String, from view: String) -> [UInt8] {
    line("message") { json in
      json.key("from")
      json.value(view)
      json.key("message")
      json.value(json: message)
    }
  }
}

extension JSONWriter {
  /// A list of texts, which is left out if it is empty.
  fileprivate mutating func list(_ key: StaticString, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    self.key(key)
    beginArray()
    for text in texts { value(text) }
    endArray()
  }
}
