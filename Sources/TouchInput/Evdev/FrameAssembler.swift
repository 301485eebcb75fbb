import TouchCore

/// Puts single events together into frames, in storage that is used over and over.
struct FrameAssembler {
  /// The frame so far. It is whole when `add` says so.
  private(set) var frame = InputFrame()

  init() {
    frame.events.reserveCapacity(64)
  }

  var isEmpty: Bool { frame.events.isEmpty }

  /// Adds an event, and answers whether it made the frame whole.
  mutating func add(_ event: RawEvent, at time: Timestamp) -> Bool {
    frame.time = time
    if event.type == EventCode.syn && event.code == EventCode.synReport { return true }
    frame.events.append(event)
    return false
  }

  /// Says how the frame came about; until `removeAll` it is a report.
  mutating func mark(_ cause: InputFrame.Cause) {
    frame.cause = cause
  }

  /// Starts the next frame.
  mutating func removeAll() {
    frame.events.removeAll(keepingCapacity: true)
    frame.cause = .report
  }
}
