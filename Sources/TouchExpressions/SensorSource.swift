/// The sensor that a named value follows: `source:` in the file.
package struct SensorSource: Hashable, Sendable {
  /// A pattern for the device's name, as in device rules.
  package var device = ""
  /// The kernel's name of an event (`ABS_MISC`), or a channel of an IIO device (`illuminance`).
  package var event = ""
  /// The least change that counts, in the sensor's units; 0 for every change.
  package var hysteresis = 0.0
  /// The time between two changes at least, in seconds; of a channel, the time between two readings.
  package var every = 1.0
  /// Whether the sensor counts as a touch for the stages of `idle:`.
  package var wakes = false

  package init() {}

  /// Whether it is a channel of an IIO device, whose names are in lower case.
  package var isChannel: Bool { event.first?.isLowercase ?? false }
}
