import TouchCore
import TouchSystem

/// What a trace says of a gesture.
package struct GestureTrace {
  private let gesture: GestureRecognizer

  package init(_ gesture: GestureRecognizer) {
    self.gesture = gesture
  }

  /// What a gesture that was not found comes to says nothing.
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
