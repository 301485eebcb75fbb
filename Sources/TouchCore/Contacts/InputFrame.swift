/// One input event as the kernel gives it, without its time. (`struct input_event`.)
@frozen
public struct RawEvent: Hashable, Sendable {
  public var type: UInt16
  public var code: UInt16
  public var value: Int32

  @inlinable
  public init(type: UInt16, code: UInt16, value: Int32) {
    self.type = type
    self.code = code
    self.value = value
  }
}

/// Everything a device reported up to one SYN_REPORT, which is not part of it.
public struct InputFrame: Sendable {
  /// How the frame came about.
  public enum Cause: Hashable, Sendable {
    /// The device reported it.
    case report
    /// The kernel's buffer overran (SYN_DROPPED): the frame is the difference between what was last known and
    /// what is. A contact that goes in such a frame was not seen to lift.
    case resync
  }

  public var time: Timestamp
  public var cause: Cause
  public var events: [RawEvent]

  public init(time: Timestamp = .zero, cause: Cause = .report, events: [RawEvent] = []) {
    self.time = time
    self.cause = cause
    self.events = events
  }
}
