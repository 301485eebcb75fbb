import CEvdev
import Glibc
import SystemPackage
import TouchCore

/// Owns an open evdev node and libevdev's view of it.
struct EvdevContext: ~Copyable {
  let descriptor: FileDescriptor
  let number: DeviceNumber
  /// `struct libevdev *`.
  let device: OpaquePointer
  private let listener: UnsafeMutablePointer<touchtree_evdev_listener>

  /// Opens the node, reads what the device is, and has its events stamped with the monotonic clock.
  ///
  /// The clock comes after the description. Setting it empties the kernel's queue, and what happened between the
  /// two is reported as one overrun; the other way round, it would be reported twice.
  init(path: String, remarks: DeviceRepairs) throws(DeviceError) {
    let number = try Self.nodeNumber(path)
    let descriptor = try Self.open(path)
    let listener = UnsafeMutablePointer<touchtree_evdev_listener>.allocate(capacity: 1)
    listener.initialize(
      to: touchtree_evdev_listener(
        hear: { context, message in
          guard let context, let message else { return }
          Unmanaged<DeviceRepairs>.fromOpaque(context).takeUnretainedValue().hear(String(cString: message))
        },
        context: Unmanaged.passUnretained(remarks).toOpaque()))
    let device: OpaquePointer
    do throws(DeviceError) {
      device = try Self.describe(descriptor, path: path, listener: listener)
    } catch {
      listener.deallocate()
      try? descriptor.close()
      throw error
    }
    guard (try? Stat(descriptor)).map({ DeviceNumber($0) }) == number else {
      libevdev_free(device)
      listener.deallocate()
      try? descriptor.close()
      throw DeviceError(.gone, path: path, detail: "another device took its node while it was opened")
    }
    self.number = number
    self.descriptor = descriptor
    self.listener = listener
    self.device = device
  }

  deinit {
    libevdev_free(device)
    listener.deallocate()
    try? descriptor.close()
  }

  /// The major number of every input node. (kernel `Documentation/admin-guide/devices.txt`.)
  private static let inputMajor: UInt64 = 13

  /// Looks before anything is opened: opening a device of another driver can have effects.
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
    do {
      return try FileDescriptor.open(FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
    } catch {
      throw DeviceError(path: path, cause: (error as? Errno) ?? .ioError)
    }
  }

  private static func describe(
    _ descriptor: FileDescriptor, path: String, listener: UnsafeMutablePointer<touchtree_evdev_listener>
  ) throws(DeviceError) -> OpaquePointer {
    touchtree_evdev_silence()
    guard let device = libevdev_new() else { throw DeviceError(path: path, cause: .noMemory) }
    do throws(DeviceError) {
      // Reading the description forgets the listener, but not that there is one: nothing is printed.
      touchtree_evdev_listen(device, listener)
      try check(libevdev_set_fd(device, descriptor.rawValue), path: path)
      // libevdev reports some of its own limits as success.
      guard libevdev_get_fd(device) == descriptor.rawValue else {
        throw DeviceError(
          .failed, path: path, detail: "it declares more slots than libevdev can follow (256)")
      }
      touchtree_evdev_listen(device, listener)
      try check(libevdev_set_clock_id(device, CLOCK_MONOTONIC), path: path)
      return device
    } catch {
      libevdev_free(device)
      throw error
    }
  }

  /// The device was unplugged. (`poll`.)
  var isHungUp: Bool {
    var request = pollfd(fd: descriptor.rawValue, events: 0, revents: 0)
    return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLHUP | POLLERR) != 0
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
  /// Who the device is and what it can do.
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

  /// What the device reported before it was opened.
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

/// A message that libevdev logs about the events of a device.
///
/// Two of its messages matter to the frame, because libevdev has changed the event stream: it clamps a slot that does not
/// exist to the last one, and it discards a tracking id that is not the end or the beginning of a contact. They
/// are recognised by their text, since no function of libevdev returns what it changed; with another text they are `other`.
/// (libevdev `sanitize_event`.)
enum DeviceRepair: Equatable {
  case clampedSlot(Int32)
  case discardedTrackingID(Int32)
  case other(String)

  init(_ message: String) {
    let text = message.last == "\n" ? message.dropLast() : message[...]
    if let slot = Self.number(in: text, after: #"" received an invalid slot index "#) {
      self = .clampedSlot(slot)
    } else if let id = Self.number(in: text, after: #"" received a double tracking ID "#) {
      self = .discardedTrackingID(id)
    } else {
      self = .other(String(text))
    }
  }

  /// The number behind the last occurrence of `words`: earlier ones can be part of the device's name.
  private static func number(in text: Substring, after words: String) -> Int32? {
    guard let start = endOfLast(words, in: text) else { return nil }
    return Int32(text[start...].prefix { $0 == "-" || $0.isNumber })
  }

  private static func endOfLast(_ words: String, in text: Substring) -> Substring.Index? {
    let bytes = text.utf8
    var end = bytes.endIndex
    while end > bytes.startIndex {
      if bytes[..<end].suffix(words.utf8.count).elementsEqual(words.utf8) { return end }
      end = bytes.index(before: end)
    }
    return nil
  }
}

/// Collects the messages about one device while libevdev reads an event.
final class DeviceRepairs {
  /// Whether the event that libevdev just handed out is a slot event whose number it changed.
  private(set) var hasClampedSlot = false
  /// The tracking ids that libevdev left out before that event, oldest first.
  private(set) var discardedTrackingIDs: [Int32] = []
  private let log: (String) -> Void

  /// `log` gets every other message.
  init(log: @escaping (String) -> Void) {
    self.log = log
  }

  func removeAll() {
    hasClampedSlot = false
    if !discardedTrackingIDs.isEmpty { discardedTrackingIDs.removeAll(keepingCapacity: true) }
  }

  func hear(_ message: String) {
    switch DeviceRepair(message) {
    case .clampedSlot: hasClampedSlot = true
    case .discardedTrackingID(let id): discardedTrackingIDs.append(id)
    case .other(let text): log(text)
    }
  }
}

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
