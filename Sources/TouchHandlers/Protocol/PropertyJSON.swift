import TouchJSON
import TouchViews

// Values of properties in requests, answers and events.

extension PropertyValue {
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .boolean(let flag): self = .flag(flag)
    case .integer(let number): self = .number(Double(number))
    case .real(let number): self = .number(number)
    case .text(let text): self = .text(text)
    case .array(let elements): self = .list(elements.map { PropertyValue($0) })
    case .object(let members): self = .map(members.map { Entry(key: $0.key, value: PropertyValue($0.value)) })
    }
  }
}

extension JSONWriter {
  /// Writes the value of a control: a number, true or false; null for none.
  package mutating func field(_ key: String, _ value: ControlValue?) {
    guard let value, value.isFlag else { return field(key, value?.number) }
    field(key, value.isOn)
  }

  package mutating func field(_ key: String, _ value: PropertyValue) {
    self.key(key)
    self.value(value)
  }

  package mutating func value(_ value: PropertyValue) {
    switch value {
    case .null: self.value(nil as String?)
    case .flag(let flag): self.value(flag)
    case .number(let number): self.value(number)
    case .text(let text): self.value(text)
    case .list(let items):
      beginArray()
      for item in items { self.value(item) }
      endArray()
    case .map(let entries):
      beginObject()
      for entry in entries {
        key(entry.key)
        self.value(entry.value)
      }
      endObject()
    }
  }
}
