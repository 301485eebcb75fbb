import TouchCore

/// One input event as the kernel gives it, without its time. (`struct input_event`.)
@frozen
public struct RawEvent: Hashable, Sendable {
  /// The kind of event, one of the EV_ numbers. (`input-event-codes.h`.)
  public var type: UInt16
  /// Which key or axis; what it means depends on the type.
  public var code: UInt16
  /// In device units for an absolute axis, counts for a relative one; 0, 1 or 2 (up, down, repeated) for a
  /// key.
  public var value: Int32

  /// All three as the kernel has them.
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

  /// When the frame ended, on the kernel's monotonic clock.
  public var time: Timestamp
  /// Why there is a frame at all.
  public var cause: Cause
  /// In the kernel's order, without the SYN_REPORT that ends the frame.
  public var events: [RawEvent]

  /// Without arguments: a buffer to read frames into.
  public init(time: Timestamp = .zero, cause: Cause = .report, events: [RawEvent] = []) {
    self.time = time
    self.cause = cause
    self.events = events
  }
}
