import CEvdev
import Glibc
import SystemPackage

/// The owner of an open evdev node, of its events, and of libevdev's view of the device, which describes it
/// and compares states after an overrun. Events are read here: libevdev clamps wrong slots and drops repeated
/// tracking ids in silence.
struct EvdevContext: ~Copyable {
  let descriptor: FileDescriptor
  let number: DeviceNumber
  let device: OpaquePointer
  private let events: UnsafeMutableBufferPointer<input_event>
  private var next = 0
  private var end = 0
  private let slotCount: Int?
  /// The slot to which the next events belong; nil after the number of one that does not exist.
  private var slot: Int?
  /// The changes that libevdev does not know yet, the last value of each code, by `place(of:inSlot:)`: it
  /// needs them only after an overrun, and each event would cost more than decoding.
  private let unsent: UnsafeMutableBufferPointer<Int32?>

  /// Opens the node, reads its description, and then sets the monotonic clock: that empties the kernel's
  /// queue, so the order gives one overrun instead of two.
  init(path: String) throws(DeviceError) {
    let number = try Self.nodeNumber(path)
    let descriptor = try Self.open(path)
    let device: OpaquePointer
    do throws(DeviceError) {
      device = try Self.describe(descriptor, path: path)
    } catch {
      try? descriptor.close()
      throw error
    }
    guard (try? Stat(descriptor)).map({ DeviceNumber($0) }) == number else {
      libevdev_free(device)
      try? descriptor.close()
      throw DeviceError(.gone, path: path, detail: "another device took its node while it was opened")
    }
    self.number = number
    self.descriptor = descriptor
    self.device = device
    events = .allocate(capacity: Self.eventsPerRead)
    let slots = Int(libevdev_get_num_slots(device))
    slotCount = slots < 0 ? nil : slots
    unsent = .allocate(capacity: Self.keyCount + (1 + max(0, slots)) * Self.axisCount)
    unsent.initialize(repeating: nil)
    slot = currentSlot
  }

  deinit {
    libevdev_free(device)
    events.deallocate()
    unsent.deallocate()
    try? descriptor.close()
  }

  private static let eventsPerRead = 128

  private static let keyCount = Int(KEY_MAX) + 1
  private static let axisCount = Int(ABS_MAX) + 1

  /// The major number of every input node. (kernel `Documentation/admin-guide/devices.txt`.)
  private static let inputMajor: UInt64 = 13

  /// Checks a node before it is opened: opening a device of another driver can have effects.
  private static func nodeNumber(_ path: String) throws(DeviceError) -> DeviceNumber {
    let status: Stat
    do throws(Errno) {
      status = try Stat(FilePath(path))
    } catch {
      throw DeviceError(path: path, cause: error)
    }
    let number = DeviceNumber(status)
    switch status.type {
    case .characterSpecial where number.major == inputMajor: return number
    case .characterSpecial:
      throw DeviceError(
        .notEvdev, path: path, detail: "it is another driver's device, \(number.major):\(number.minor)")
    case .regular: throw DeviceError(.notEvdev, path: path, detail: "it is a regular file")
    case .directory: throw DeviceError(.notEvdev, path: path, detail: "it is a directory")
    default: throw DeviceError(.notEvdev, path: path, detail: "it is not a character device")
    }
  }

  private static func open(_ path: String) throws(DeviceError) -> FileDescriptor {
    func open(_ mode: FileDescriptor.AccessMode) throws -> FileDescriptor {
      try FileDescriptor.open(FilePath(path), mode, options: [.nonBlocking, .closeOnExec])
    }
    if let descriptor = try? open(.readWrite) { return descriptor }
    do {
      return try open(.readOnly)
    } catch {
      throw DeviceError(path: path, cause: (error as? Errno) ?? .ioError)
    }
  }

  private static func describe(
    _ descriptor: FileDescriptor, path: String
  ) throws(DeviceError) -> OpaquePointer {
    touchtree_evdev_silence()
    guard let device = libevdev_new() else { throw DeviceError(path: path, cause: .noMemory) }
    do throws(DeviceError) {
      try check(libevdev_set_fd(device, descriptor.rawValue), path: path)
      // libevdev reports some of its own limits as success.
      guard libevdev_get_fd(device) == descriptor.rawValue else {
        throw DeviceError(
          .failed, path: path, detail: "it declares more slots than libevdev can follow (256)")
      }
      try check(libevdev_set_clock_id(device, CLOCK_MONOTONIC), path: path)
      return device
    } catch {
      libevdev_free(device)
      throw error
    }
  }

  /// Whether the device was unplugged. (`poll`.)
  var isHungUp: Bool {
    var request = pollfd(fd: descriptor.rawValue, events: 0, revents: 0)
    return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Whether the kernel has unread events. (`poll`.)
  var hasInput: Bool {
    var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLIN) != 0
  }

  /// Turns libevdev's negative error numbers into errors.
  private static func check(_ status: Int32, path: String) throws(DeviceError) {
    guard status < 0 else { return }
    let cause = Errno(rawValue: -status)
    if cause == .inappropriateIOCTLForDevice || cause == .invalidArgument {
      throw DeviceError(.notEvdev, path: path, cause: cause, detail: "it does not answer as one")
    }
    throw DeviceError(path: path, cause: cause)
  }
}

extension EvdevContext {
  /// Returns the next event as sent; nil for none. It is inlined into its one caller.
  @inline(__always)
  mutating func nextEvent() throws(Errno) -> input_event? {
    while true {
      if next == end {
        // A read that did not fill the buffer took everything, and another one would only fail with EAGAIN.
        let isDrained = end > 0 && end < events.count
        (next, end) = (0, isDrained ? 0 : try read())
        guard end > 0 else { return nil }
      }
      let event = events[next]
      next += 1
      if follow(event) { return event }
    }
  }

  private func read() throws(Errno) -> Int {
    do {
      return try descriptor.read(into: UnsafeMutableRawBufferPointer(events))
        / MemoryLayout<input_event>.stride
    } catch {
      let cause = (error as? Errno) ?? .ioError
      guard cause == .wouldBlock else { throw cause }
      return 0
    }
  }

  /// Notes an event's change for libevdev, and returns whether it can be new: the kernel sends no tracking id
  /// twice in a slot, so a known one was in the state that libevdev read.
  @inline(__always)
  private mutating func follow(_ event: input_event) -> Bool {
    let code = Int(event.code)
    switch event.type {
    case EventCode.abs where code < Self.axisCount:
      guard let slotCount, event.code >= EventCode.absMTSlot else {
        unsent[Self.keyCount + code] = event.value
        return true
      }
      if event.code == EventCode.absMTSlot {
        let number = Int(event.value)
        slot = number >= 0 && number < slotCount ? number : nil
      } else if let slot {
        let place = Self.place(ofAxis: code, inSlot: slot)
        if event.code == EventCode.absMTTrackingID {
          let known =
            unsent[place] ?? libevdev_get_slot_value(device, UInt32(slot), UInt32(ABS_MT_TRACKING_ID))
          if event.value == known { return false }
        }
        unsent[place] = event.value
      }
    case EventCode.key where code < Self.keyCount: unsent[code] = event.value
    // These are rare, and libevdev keeps no others.
    case UInt16(EV_SW), UInt16(EV_LED):
      libevdev_set_event_value(device, UInt32(event.type), UInt32(event.code), event.value)
    default: break
    }
    return true
  }

  /// The index of a code: keys come first, then the device's own axes, then those of each slot.
  private static func place(ofAxis code: Int, inSlot slot: Int) -> Int {
    keyCount + (1 + slot) * axisCount + code
  }

  /// libevdev's current slot; nil for a device without slots.
  private var currentSlot: Int? {
    let slot = libevdev_get_current_slot(device)
    return slot < 0 ? nil : Int(slot)
  }

  private mutating func updateLibevdev() {
    for key in 0..<Self.keyCount { updateLibevdev(UInt32(EV_KEY), key, at: key) }
    for axis in 0..<Self.axisCount { updateLibevdev(UInt32(EV_ABS), axis, at: Self.keyCount + axis) }
    let current = slot ?? currentSlot
    for slot in 0..<(slotCount ?? 0) {
      libevdev_set_event_value(device, UInt32(EV_ABS), UInt32(ABS_MT_SLOT), Int32(slot))
      let contact = Self.place(ofAxis: Int(ABS_MT_TRACKING_ID), inSlot: slot)
      if let id = unsent[contact] {
        // libevdev takes an id only for an empty slot, and an end only for one that is not empty.
        let known = libevdev_get_slot_value(device, UInt32(slot), UInt32(ABS_MT_TRACKING_ID))
        if id == known { unsent[contact] = nil }
        if id != known && id != -1 && known != -1 {
          libevdev_set_event_value(device, UInt32(EV_ABS), UInt32(ABS_MT_TRACKING_ID), -1)
        }
      }
      for axis in 0..<Self.axisCount {
        updateLibevdev(UInt32(EV_ABS), axis, at: Self.place(ofAxis: axis, inSlot: slot))
      }
    }
    if let current { libevdev_set_event_value(device, UInt32(EV_ABS), UInt32(ABS_MT_SLOT), Int32(current)) }
  }

  private mutating func updateLibevdev(_ type: UInt32, _ code: Int, at place: Int) {
    guard let value = unsent[place] else { return }
    unsent[place] = nil
    libevdev_set_event_value(device, type, UInt32(code), value)
  }

  /// Forgets the unread events, and makes libevdev compare its state with the device's. (SYN_DROPPED)
  mutating func beginResynchronisation() throws(Errno) {
    (next, end) = (0, 0)
    updateLibevdev()
    var event = input_event()
    let status = libevdev_next_event(device, LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue, &event)
    guard status >= 0 else { throw Errno(rawValue: -status) }
  }

  /// Returns the next difference that libevdev found; nil after the last. The flag for blocking descriptors
  /// keeps libevdev from reading new events into its own queue: `nextEvent` reads them.
  mutating func nextDifference() throws(Errno) -> input_event? {
    let flags = LIBEVDEV_READ_FLAG_SYNC.rawValue | LIBEVDEV_READ_FLAG_BLOCKING.rawValue
    var event = input_event()
    let status = libevdev_next_event(device, flags, &event)
    slot = currentSlot
    if status == -EAGAIN { return nil }
    guard status >= 0 else { throw Errno(rawValue: -status) }
    return event
  }
}

extension EvdevContext {
  func description(path: String) -> DeviceDescription {
    DeviceDescription(
      path: path, number: number, name: Self.string(libevdev_get_name(device)),
      phys: Self.string(libevdev_get_phys(device)), uniq: Self.string(libevdev_get_uniq(device)),
      bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device)),
      vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
      product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)),
      version: UInt16(truncatingIfNeeded: libevdev_get_id_version(device)), capabilities: capabilities())
  }

  private static func string(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  private func capabilities() -> DeviceCapabilities {
    var capabilities = DeviceCapabilities()
    for code in 0...UInt16(ABS_MAX) {
      guard let axis = libevdev_get_abs_info(device, UInt32(code))?.pointee else { continue }
      capabilities.axes[code] = AxisRange(
        minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
        resolution: axis.resolution, value: axis.value)
    }
    capabilities.keys = codes(of: EV_KEY, upTo: KEY_MAX)
    capabilities.relativeAxes = codes(of: EV_REL, upTo: REL_MAX)
    for type in UInt16(EV_ABS) + 1...UInt16(EV_MAX) {
      let last = libevdev_event_type_get_max(UInt32(type))
      guard last >= 0, libevdev_has_event_type(device, UInt32(type)) == 1 else { continue }
      capabilities.otherCodes[type] = codes(of: Int32(type), upTo: last)
    }
    capabilities.properties = Set(
      (0...UInt16(INPUT_PROP_MAX)).filter { libevdev_has_property(device, UInt32($0)) == 1 })
    let slots = libevdev_get_num_slots(device)
    capabilities.slotCount = slots < 0 ? nil : Int(slots)
    return capabilities
  }

  private func codes(of type: Int32, upTo last: Int32) -> Set<UInt16> {
    Set((0...UInt16(last)).filter { libevdev_has_event_code(device, UInt32(type), UInt32($0)) == 1 })
  }

  func initialState(of capabilities: DeviceCapabilities) -> InitialState {
    let slots = (0..<max(0, libevdev_get_num_slots(device))).map { slot in
      InitialState.Slot(
        trackingID: value(ABS_MT_TRACKING_ID, of: slot) ?? -1, x: value(ABS_MT_POSITION_X, of: slot) ?? 0,
        y: value(ABS_MT_POSITION_Y, of: slot) ?? 0, toolType: value(ABS_MT_TOOL_TYPE, of: slot),
        pressure: value(ABS_MT_PRESSURE, of: slot), touchMajor: value(ABS_MT_TOUCH_MAJOR, of: slot),
        touchMinor: value(ABS_MT_TOUCH_MINOR, of: slot), distance: value(ABS_MT_DISTANCE, of: slot))
    }
    return InitialState(
      slots: slots, currentSlot: max(0, libevdev_get_current_slot(device)),
      x: libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(ABS_X)),
      y: libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(ABS_Y)),
      isPressed: isDown(PressSignal(capabilities)))
  }

  func pressedKeys(of capabilities: DeviceCapabilities) -> Set<UInt16> {
    capabilities.keys.filter { libevdev_get_event_value(device, UInt32(EV_KEY), UInt32($0)) != 0 }
  }

  private func value(_ code: Int32, of slot: Int32) -> Int32? {
    var value: Int32 = 0
    return libevdev_fetch_slot_value(device, UInt32(slot), UInt32(code), &value) == 1 ? value : nil
  }

  private func isDown(_ signal: PressSignal) -> Bool {
    switch signal {
    case .button(let key): libevdev_get_event_value(device, UInt32(EV_KEY), UInt32(key)) != 0
    case .pressure(let threshold):
      libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(ABS_PRESSURE)) > threshold
    }
  }
}

/// The kernel's names of event types and codes: `EV_ABS`, `ABS_X`. (kernel `input-event-codes.h`.)
package enum EventName {
  /// Returns the name of a type; nil for one without a name.
  package static func type(_ type: UInt16) -> String? {
    libevdev_event_type_get_name(UInt32(type)).map { String(cString: $0) }
  }

  /// Returns the type and the number of a code by its name: `SW_LID`; nil for no such code.
  package static func number(of name: String) -> (type: UInt16, code: UInt16)? {
    let type = libevdev_event_type_from_code_name(name)
    let code = libevdev_event_code_from_code_name(name)
    return type < 0 || code < 0 ? nil : (UInt16(type), UInt16(code))
  }

  /// The names of all keys, switches and absolute axes.
  package static var sensors: [String] {
    [EV_KEY, EV_SW, EV_ABS].flatMap { type in
      (0...libevdev_event_type_get_max(UInt32(type))).compactMap {
        code(UInt16(truncatingIfNeeded: $0), of: UInt16(type))
      }
    }
  }

  /// Returns the name of a code; nil for one without a name.
  package static func code(_ code: UInt16, of type: UInt16) -> String? {
    libevdev_event_code_get_name(UInt32(type), UInt32(code)).map { String(cString: $0) }
  }
}
