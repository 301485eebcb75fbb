import CEvdev

/// The kernel's names of event types and codes: `EV_ABS`, `ABS_X`. (kernel `input-event-codes.h`.)
package enum EventName {
  /// Nil for a type that has none.
  package static func type(_ type: UInt16) -> String? {
    libevdev_event_type_get_name(UInt32(type)).map { String(cString: $0) }
  }

  /// Nil for a code that has none.
  package static func code(_ code: UInt16, of type: UInt16) -> String? {
    libevdev_event_code_get_name(UInt32(type), UInt32(code)).map { String(cString: $0) }
  }
}
