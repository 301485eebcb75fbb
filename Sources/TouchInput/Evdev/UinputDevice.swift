import CEvdev
import Glibc
import SystemPackage
import TouchSystem

/// An input device that this program makes in the kernel. It is removed with the object.
package final class UinputDevice {
  /// The node of the new device, /dev/input/eventN.
  package let path: String
  private let context: UinputContext
  private var buffer: [input_event] = []

  /// Makes a device that has the name, the port, the ids and the capabilities of `description`.
  /// - Throws: `noUinput`, `notPermitted`, or `failed` (the kernel does not accept the description).
  package init(_ description: DeviceDescription) throws(DeviceError) {
    context = try UinputContext(description)
    guard let node = libevdev_uinput_get_devnode(context.device) else {
      throw DeviceError(
        .failed, path: UinputContext.path,
        detail: "the kernel does not say which node it made; is /sys mounted?")
    }
    path = String(cString: node)
  }

  /// Reports the events of a frame and its end in one call, so that no reader wakes up in the middle.
  package func emit(_ frame: InputFrame) throws(DeviceError) {
    buffer.removeAll(keepingCapacity: true)
    for event in frame.events { append(event) }
    append(RawEvent(type: EventCode.syn, code: EventCode.synReport, value: 0))
    let descriptor = FileDescriptor(rawValue: libevdev_uinput_get_fd(context.device))
    do {
      try buffer.withUnsafeBytes { bytes in _ = try descriptor.writeAll(bytes) }
    } catch {
      throw DeviceError(path: path, cause: error as? Errno ?? .ioError)
    }
  }

  private func append(_ event: RawEvent) {
    // The kernel sets the time.
    var raw = input_event()
    raw.type = event.type
    raw.code = event.code
    raw.value = event.value
    buffer.append(raw)
  }
}

/// The owner of `struct libevdev_uinput`, which owns the descriptor.
private struct UinputContext: ~Copyable {
  static let path = "/dev/uinput"

  let device: OpaquePointer
  private let file: OwnedDescriptor

  init(_ description: DeviceDescription) throws(DeviceError) {
    touchtree_evdev_silence()
    guard let template = libevdev_new() else { throw DeviceError(path: Self.path, cause: .noMemory) }
    defer { libevdev_free(template) }
    guard Self.fill(template, with: description) else {
      throw DeviceError(
        .failed, path: Self.path,
        detail: "\"\(description.name)\" has codes that no device can have, or too many slots")
    }
    let number = open(Self.path, O_RDWR | O_CLOEXEC)
    guard number >= 0 else { throw Self.error(Errno(rawValue: errno)) }
    let file = OwnedDescriptor(number)
    if !description.phys.isEmpty, touchtree_uinput_set_phys(number, description.phys) != 0 {
      throw Self.error(Errno(rawValue: errno))
    }
    var device: OpaquePointer?
    let status = libevdev_uinput_create_from_device(template, number, &device)
    guard status == 0, let device else { throw Self.error(Errno(rawValue: -status)) }
    self.device = device
    self.file = file
  }

  deinit { libevdev_uinput_destroy(device) }

  /// Fills the template. Returns whether libevdev took everything.
  private static func fill(_ template: OpaquePointer, with description: DeviceDescription) -> Bool {
    libevdev_set_name(template, description.name)
    libevdev_set_id_bustype(template, Int32(description.bus))
    libevdev_set_id_vendor(template, Int32(description.vendor))
    libevdev_set_id_product(template, Int32(description.product))
    libevdev_set_id_version(template, Int32(description.version))
    let capabilities = description.capabilities
    var isFilled = true
    for property in capabilities.properties {
      isFilled = libevdev_enable_property(template, UInt32(property)) == 0 && isFilled
    }
    for (type, codes) in codes(capabilities) {
      for code in codes {
        isFilled = libevdev_enable_event_code(template, UInt32(type), UInt32(code), nil) == 0 && isFilled
      }
    }
    for (code, axis) in capabilities.axes {
      var info = input_absinfo(
        value: axis.value, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
        resolution: axis.resolution)
      isFilled = libevdev_enable_event_code(template, UInt32(EV_ABS), UInt32(code), &info) == 0 && isFilled
    }
    return isFilled
  }

  /// The codes that need no parameters, by type, without EV_REP, by which the kernel repeats, and EV_FF.
  private static func codes(_ capabilities: DeviceCapabilities) -> [(UInt16, Set<UInt16>)] {
    let others = capabilities.otherCodes.filter { $0.key < UInt16(EV_REP) }
    return [(EventCode.key, capabilities.keys), (EventCode.rel, capabilities.relativeAxes)]
      + others.map { ($0.key, $0.value) }
  }

  private static func error(_ cause: Errno) -> DeviceError {
    switch cause {
    case .noSuchFileOrDirectory, .operationNotSupportedByDevice, .noSuchAddressOrDevice:
      DeviceError(.noUinput, path: path, cause: cause)
    case .invalidArgument:
      DeviceError(
        .failed, path: path, cause: cause,
        detail: "the kernel rejects the description, for example an axis whose range is empty")
    default: DeviceError(path: path, cause: cause)
    }
  }
}
