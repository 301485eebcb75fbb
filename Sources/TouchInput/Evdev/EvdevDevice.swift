import CEvdev
import Glibc
import SystemPackage
import TouchCore

/// An open input device, read by whole frames.
///
/// What was already down when it was opened is in `initialState`; everything after that comes in frames, stamped
/// with the monotonic clock.
package final class EvdevDevice {
  /// As it was when the device was opened.
  package let description: DeviceDescription
  /// What the device reported before it was opened.
  package let initialState: InitialState

  private let context: EvdevContext
  private let remarks: DeviceRepairs
  private var assembler = FrameAssembler()
  private var event = input_event()

  /// Whether reading took everything that there was.
  package enum ReadProgress: Hashable, Sendable {
    /// Nothing is left; the descriptor says when there is more.
    case drained
    /// The limit was reached. Call again: the rest may be in memory, where the descriptor does not show it.
    case more
  }

  /// Opens the node at `path`.
  ///
  /// - Parameter grab: whether to grab the device, so that no other program gets its events.
  /// - Parameter log: gets what libevdev logs about the device, except for what frames show.
  /// - Throws: `noSuchFile`, `notEvdev`, `notPermitted`, `busy` (another program has grabbed it), `gone`, or `failed`.
  package init(
    path: String, grab: Bool = false, log: @escaping (String) -> Void = { _ in }
  ) throws(DeviceError) {
    remarks = DeviceRepairs(log: log)
    context = try EvdevContext(path: path, remarks: remarks)
    description = context.description(path: path)
    initialState = context.initialState(of: description.capabilities)
    if grab { try setGrabbed(true) }
  }

  /// Readable when there are events. It stays the device's: do not close it.
  package var descriptor: FileDescriptor { context.descriptor }

  /// Whether the device was unplugged, even if that has not been read yet. Its node may be another device's by now.
  package var isGone: Bool { context.isHungUp }

  /// Grabs the device exclusively, or releases it. (`EVIOCGRAB`.)
  package func setGrabbed(_ isGrabbed: Bool) throws(DeviceError) {
    let status = libevdev_grab(context.device, isGrabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB)
    guard status == 0 else { throw DeviceError(path: description.path, cause: Errno(rawValue: -status)) }
  }

  /// Hands out every whole frame that is there, up to a limit, and never waits.
  ///
  /// The frame's events are used over again after `body` returns; keeping them copies them. An overrun of the
  /// kernel's buffer gives one frame or more with the cause `resync`: what was read before it, the contacts that
  /// ended, everything else that changed, and at last the slot that the device is at. A slot number that the device
  /// does not have is handed out as `Int32.max`.
  ///
  /// - Parameter limit: how many frames at most, so that a device that floods does not starve the others.
  /// - Throws: `gone` when the device was unplugged, or `failed`. It is of no use after either.
  package func readFrames(
    limit: Int = 64, _ body: (InputFrame) -> Void
  ) throws(DeviceError) -> ReadProgress {
    var frames = 0
    // A device may also send events and never end a frame.
    var events = limit * Self.eventsPerFrame
    while frames < limit && events > 0 {
      events -= 1
      switch try next(LIBEVDEV_READ_FLAG_NORMAL) {
      case .none: return .drained
      case .event:
        guard assembler.add(raw, at: time) else { continue }
        handOut(to: body)
        frames += 1
      case .sync:
        try resynchronise(body)
        frames += 1
      }
    }
    return .more
  }

  /// More than any frame has: ten contacts with ten axes each make a hundred.
  private static let eventsPerFrame = 256

  /// After SYN_DROPPED: libevdev compares what it knew with what is, and reports the difference as frames.
  private func resynchronise(_ body: (InputFrame) -> Void) throws(DeviceError) {
    // What was read before the overrun is part of what libevdev knew, so it would not be reported again.
    if !assembler.isEmpty { handOut(as: .resync, to: body) }
    while try next(LIBEVDEV_READ_FLAG_SYNC) != .none {
      if assembler.add(raw, at: time) { handOut(as: .resync, to: body) }
    }
    // libevdev names the slot only where it differs from the last one that it reported, which need not be the one
    // that the reader is at.
    let slot = libevdev_get_current_slot(context.device)
    if slot >= 0 {
      _ = assembler.add(RawEvent(type: EventCode.abs, code: EventCode.absMTSlot, value: slot), at: time)
    }
    handOut(as: .resync, to: body)
  }

  private func handOut(as cause: InputFrame.Cause = .report, to body: (InputFrame) -> Void) {
    assembler.mark(cause)
    body(assembler.frame)
    assembler.removeAll()
  }

  private enum Reading { case none, event, sync }

  /// The choke point of `libevdev_next_event`: the event is in `event`, and what libevdev left out before it is in
  /// the frame.
  private func next(_ flag: libevdev_read_flag) throws(DeviceError) -> Reading {
    remarks.removeAll()
    let status = libevdev_next_event(context.device, flag.rawValue, &event)
    for id in remarks.discardedTrackingIDs {
      let event = RawEvent(type: EventCode.abs, code: EventCode.absMTTrackingID, value: id)
      _ = assembler.add(event, at: time)
    }
    switch status {
    case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue): return .event
    case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue): return .sync
    case -EAGAIN, -EINTR: return .none
    default: throw failure(Errno(rawValue: -status))
    }
  }

  /// During a resynchronisation, libevdev reports an unplugged device as any error.
  private func failure(_ cause: Errno) -> DeviceError {
    isGone
      ? DeviceError(.gone, path: description.path, cause: cause)
      : DeviceError(path: description.path, cause: cause)
  }

  private var time: Timestamp { Timestamp(microseconds: touchtree_event_microseconds(&event)) }

  private var raw: RawEvent {
    let isClamped =
      remarks.hasClampedSlot && event.type == EventCode.abs && event.code == EventCode.absMTSlot
    return RawEvent(type: event.type, code: event.code, value: isClamped ? .max : event.value)
  }
}

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
