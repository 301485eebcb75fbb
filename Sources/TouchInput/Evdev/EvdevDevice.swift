import CEvdev
import Glibc
import SystemPackage
import TouchCore

/// An open input device, read by whole frames on the monotonic clock. What was down before is in
/// `initialState` and `initialKeys`.
package final class EvdevDevice {
  package let description: DeviceDescription
  /// The state of the device before it was opened.
  package let initialState: InitialState
  package let initialKeys: Set<UInt16>

  private var context: EvdevContext
  private var assembler = FrameAssembler()

  package enum ReadProgress: Hashable, Sendable {
    /// Nothing is left; the descriptor shows when there is more.
    case drained
    /// The limit was reached. Call again: the rest may be in memory, where the descriptor does not show it.
    case more
  }

  /// Opens the node at `path`.
  /// - Parameter grab: whether to grab the device, so that no other program gets its events.
  /// - Throws: `noSuchFile`, `notEvdev`, `notPermitted`, `busy` (another program has grabbed it), `gone`, or
  ///   `failed`.
  package init(path: String, grab: Bool = false) throws(DeviceError) {
    context = try EvdevContext(path: path)
    description = context.description(path: path)
    initialState = context.initialState(of: description.capabilities)
    initialKeys = context.pressedKeys(of: description.capabilities)
    if grab { try setGrabbed(true) }
  }

  /// The descriptor, readable when there are events. The device owns it: do not close it.
  package var descriptor: FileDescriptor { context.descriptor }

  /// Returns the present value of a code; nil for one that the device does not have.
  package func value(ofType type: UInt16, code: UInt16) -> Int32? {
    guard libevdev_has_event_code(context.device, UInt32(type), UInt32(code)) == 1 else { return nil }
    return libevdev_get_event_value(context.device, UInt32(type), UInt32(code))
  }

  /// Has the kernel send nothing but one code, so that no other change wakes the program. A kernel that
  /// cannot do that sends everything. (`EVIOCSMASK`.)
  package func receiveOnly(type: UInt16, code: UInt16) {
    touchtree_evdev_receive_only(context.descriptor.rawValue, type, code)
  }

  /// Whether the device was unplugged, read or not. Its node may already be another device's.
  package var isGone: Bool { context.isHungUp }

  /// Grabs the device exclusively, or releases it. (`EVIOCGRAB`.)
  package func setGrabbed(_ isGrabbed: Bool) throws(DeviceError) {
    let status = libevdev_grab(context.device, isGrabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB)
    guard status == 0 else { throw DeviceError(path: description.path, cause: Errno(rawValue: -status)) }
  }

  /// Switches lights of a keyboard, by LED_ codes. It throws if the node is not writable, or gone.
  package func setLights(on: Set<UInt16>, off: Set<UInt16>) throws(DeviceError) {
    for (codes, value) in [(on, LIBEVDEV_LED_ON), (off, LIBEVDEV_LED_OFF)] {
      for code in codes.sorted() {
        let status = libevdev_kernel_set_led_value(context.device, UInt32(code), value)
        guard status == 0 else { throw DeviceError(path: description.path, cause: Errno(rawValue: -status)) }
      }
    }
  }

  /// Hands out whole frames, up to a limit so that no device starves others, and never waits. Their events
  /// are reused afterwards.
  /// An overrun of the kernel's buffer gives frames with the cause `resync`: the events before it, the
  /// contacts that ended, everything else that changed, and last the device's current slot. After an error,
  /// `gone` or `failed`, the device is of no use.
  package func readFrames(
    limit: Int = 64, _ body: (InputFrame) -> Void
  ) throws(DeviceError) -> ReadProgress {
    var frames = 0
    // A device may also send events and never end a frame.
    var events = limit * Self.eventsPerFrame
    while frames < limit && events > 0 {
      events -= 1
      guard let event = try checked({ () throws(Errno) in try context.nextEvent() }) else { return .drained }
      if event.type == EventCode.syn && event.code == EventCode.synDropped {
        try resynchronise(at: time(of: event), body)
        frames += 1
      } else if assembler.add(RawEvent(event), at: time(of: event)) {
        handOut(to: body)
        frames += 1
      }
    }
    return .more
  }

  /// The events of a frame, more than any has: ten contacts with ten axes each make a hundred.
  private static let eventsPerFrame = 256

  /// Recovers from SYN_DROPPED: libevdev's differences from the device come as frames, at the time when the
  /// overrun was reported.
  private func resynchronise(at time: Timestamp, _ body: (InputFrame) -> Void) throws(DeviceError) {
    // What was read before the overrun is in libevdev's state and would not be reported again.
    if !assembler.isEmpty { handOut(as: .resync, to: body) }
    // Events sent while the state is read are in it, and come too, maybe for another slot. So it is read
    // again until two readings are equal and nothing came.
    var isTorn = true
    for _ in 0..<Self.mostReadings where isTorn {
      try checked { () throws(Errno) in try context.beginResynchronisation() }
      var event = try checked { () throws(Errno) in try context.nextDifference() }
      isTorn = event != nil || context.hasInput
      while let difference = event {
        if assembler.add(RawEvent(difference), at: time) { handOut(as: .resync, to: body) }
        event = try checked { () throws(Errno) in try context.nextDifference() }
      }
    }
    // libevdev names the slot only if it differs from its last one, maybe not the reader's.
    let slot = libevdev_get_current_slot(context.device)
    if slot >= 0 {
      let event = RawEvent(type: EventCode.abs, code: EventCode.absMTSlot, value: slot)
      _ = assembler.add(event, at: time)
    }
    handOut(as: .resync, to: body)
  }

  /// The most readings; only a device that floods is never silent for that long.
  private static let mostReadings = 10

  private func handOut(as cause: InputFrame.Cause = .report, to body: (InputFrame) -> Void) {
    assembler.mark(cause)
    body(assembler.frame)
    assembler.removeAll()
  }

  private func time(of event: input_event) -> Timestamp {
    Timestamp(microseconds: touchtree_event_microseconds(event))
  }

  private func checked<Result>(_ read: () throws(Errno) -> Result) throws(DeviceError) -> Result {
    do {
      return try read()
    } catch {
      throw isGone
        ? DeviceError(.gone, path: description.path, cause: error)
        : DeviceError(path: description.path, cause: error)
    }
  }
}

extension RawEvent {
  fileprivate init(_ event: input_event) { self.init(type: event.type, code: event.code, value: event.value) }
}

/// Joins single events to frames, in storage that is reused.
struct FrameAssembler {
  private(set) var frame = InputFrame()

  init() { frame.events.reserveCapacity(64) }

  var isEmpty: Bool { frame.events.isEmpty }

  mutating func add(_ event: RawEvent, at time: Timestamp) -> Bool {
    frame.time = time
    if event.type == EventCode.syn && event.code == EventCode.synReport { return true }
    frame.events.append(event)
    return false
  }

  /// Sets the cause of the frame; after `removeAll` it is a report again.
  mutating func mark(_ cause: InputFrame.Cause) { frame.cause = cause }

  mutating func removeAll() {
    frame.events.removeAll(keepingCapacity: true)
    frame.cause = .report
  }
}
