import TouchCore
import TouchInput
import TouchSystem

/// A parsed recording of hid-tools (`hid-recorder`), decoded by its report descriptor alone.
///
/// ```
/// R: 52 05 0d 09 04 a1 01 …    the report descriptor: its length, then its bytes
/// N: ELAN Touchscreen
/// I: 3 04f3 2a49               bus, vendor and product
/// E: 000000.008123 9 01 03 …   a report: its time, its length, its bytes
/// ```
///
/// What the kernel's driver adds for single devices (`hid-multitouch`: classes, and lifts after 0.1 s of
/// silence) is not in it: a notice says so.
struct HIDText {
  private(set) var devices: [Recording.Device] = []
  let notices: [String]

  /// The contents of the lines after a `D:` with a number. A device has one for each of its interfaces.
  private struct Interface {
    var name: String?
    var ids: [UInt16] = []
    /// The line of the report descriptor.
    var line: Int?
    /// Nil for a descriptor without a touchscreen.
    var touches: HIDTouches?
  }

  /// The longest descriptor and report in bytes. (kernel HID_MAX_DESCRIPTOR_SIZE, HID_MAX_BUFFER_SIZE.)
  private static let (longestDescriptor, longestReport) = (4096, 16_384)
  private static let keys = "DRNPISE".utf8

  /// Whether a line begins such a recording and none of evemu.
  static func begins(with key: UInt8) -> Bool { key == UInt8(ascii: "R") || key == UInt8(ascii: "D") }

  init(_ bytes: [UInt8], file: String) throws(Failure) {
    var interfaces: [Int32: Interface] = [:]
    var (number, current): (Int, Int32) = (0, 0)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      var line = EvemuLine(number == 1 ? line.withoutByteOrderMark : line)
      if line.isBlankOrComment { continue }
      do throws(Failure) {
        let key = line.takeKey()
        if key == UInt8(ascii: "D") { current = try line.decimal("the number of the device") }
        guard (0..<64).contains(current) else {
          throw Failure("device \(current) is beyond the 64 that are read")
        }
        try Self.read(key, &line, at: number, into: &interfaces[current, default: Interface()])
      } catch {
        throw .recording(file, line: number, error.message)
      }
    }
    let screens = interfaces.sorted { $0.key < $1.key }.map(\.value).filter { $0.touches != nil }
    if screens.isEmpty, let line = interfaces.values.compactMap(\.line).min() {
      throw .recording(
        file, line: line,
        "the report descriptor has no touchscreen; play the recording with `hid-replay` and record the device with "
          + "`touchtree record`")
    }
    for screen in screens {
      guard let touches = screen.touches, let name = screen.name, screen.ids.count == 3 else { continue }
      let description = DeviceDescription(
        name: name, bus: screen.ids[0], vendor: screen.ids[1], product: screen.ids[2],
        capabilities: touches.capabilities)
      devices.append(
        Recording.Device(
          description: description, initialState: InitialState(untouched: touches.capabilities),
          frames: touches.frames, clockJumps: touches.clockJumps))
    }
    guard !devices.isEmpty else {
      throw .recording(file, "it lacks the report descriptor (R:), the name (N:) or the ids (I:)")
    }
    notices = [
      "\(file): its reports are decoded by the report descriptor, without what the kernel's driver adds for single devices"
    ]
  }

  private static func read(
    _ key: UInt8?, _ line: inout EvemuLine, at number: Int, into interface: inout Interface
  ) throws(Failure) {
    switch key {
    case UInt8(ascii: "R"):
      guard interface.line == nil else { throw Failure("this device has a report descriptor already") }
      interface.line = number
      interface.touches = HIDTouches(
        try HIDDescriptor(line.bytes("the report descriptor", atMost: longestDescriptor)))
    case UInt8(ascii: "N"): interface.name = line.text()
    case UInt8(ascii: "I"):
      interface.ids = []
      for what in ["the bus", "the vendor", "the product"] {
        interface.ids.append(try line.hexadecimal(what, digits: 4))
      }
    case UInt8(ascii: "E"):
      guard interface.line != nil else { throw Failure("a report comes before the report descriptor (R:)") }
      let time = Timestamp(microseconds: try line.microseconds("the time"))
      try interface.touches?.add(line.bytes("the report", atMost: longestReport), at: time)
    case let key? where keys.contains(key): break
    default: throw Failure("this is not a line of a HID recording")
    }
  }
}

/// The contacts of a touchscreen in its HID reports, as frames of a device with slots.
struct HIDTouches {
  let capabilities: DeviceCapabilities
  private(set) var frames: [InputFrame] = []
  private(set) var clockJumps = 0
  private let hasNumbers: Bool
  /// The reports with fingers, by their numbers.
  private let reports: [UInt8: Report]
  private var writer: SlotWriter
  private var down: [Int: (contact: ContactID, x: Int32, y: Int32)] = [:]
  private var serial = 0
  /// The changes of a frame that spans several reports, and the contacts that are to come.
  private var changes: [SlotWriter.Change] = []
  private var missing = 0

  private struct Report {
    /// The fields of each finger that has a switch and a place.
    let fingers:
      [(tip: HIDDescriptor.Field, x: HIDDescriptor.Field, y: HIDDescriptor.Field, id: HIDDescriptor.Field?)]
    let count: HIDDescriptor.Field?

    init(_ fields: [HIDDescriptor.Field]) {
      var fingers: [Int: [HIDDescriptor.Field.Usage: HIDDescriptor.Field]] = [:]
      for field in fields {
        // A second position of a finger is that of its middle.
        if let finger = field.finger, fingers[finger]?[field.usage] == nil {
          fingers[finger, default: [:]][field.usage] = field
        }
      }
      self.fingers = fingers.sorted { $0.key < $1.key }.compactMap { _, fields in
        guard let tip = fields[.tip], let x = fields[.x], let y = fields[.y] else { return nil }
        return (tip, x, y, fields[.contactID])
      }
      count = fields.first { $0.usage == .contactCount }
    }
  }

  /// The contacts of a panel that does not report their number. (kernel MT_DEFAULT_MAXCONTACT.)
  private static let slots = 10

  /// Returns nil for a descriptor without a touchscreen.
  init?(_ descriptor: HIDDescriptor) {
    func axis(_ usage: HIDDescriptor.Field.Usage) -> AxisRange? {
      descriptor.fields.first { $0.usage == usage && $0.axis.maximum > $0.axis.minimum }?.axis
    }
    guard let x = axis(.x), let y = axis(.y), descriptor.fields.contains(where: { $0.usage == .tip }) else {
      return nil
    }
    hasNumbers = descriptor.hasNumbers
    reports = Dictionary(grouping: descriptor.fields, by: \.report).mapValues(Report.init)
    writer = SlotWriter(slotCount: Self.slots, usesPalms: false)
    var capabilities = DeviceCapabilities()
    capabilities.properties = [1]
    capabilities.keys = [EventCode.btnTouch]
    capabilities.axes = [
      EventCode.absX: x, EventCode.absY: y, EventCode.absMTPositionX: x, EventCode.absMTPositionY: y,
      EventCode.absMTSlot: AxisRange(minimum: 0, maximum: Int32(Self.slots - 1)),
      EventCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 0xffff),
      // The writer of slots says of each contact that it is a finger.
      EventCode.absMTToolType: AxisRange(minimum: 0, maximum: 2),
    ]
    capabilities.slotCount = Self.slots
    self.capabilities = capabilities
  }

  /// Adds a report. Reports of other functions of the device are skipped.
  mutating func add(_ bytes: [UInt8], at time: Timestamp) {
    let number = hasNumbers ? bytes.first ?? 0 : 0
    let body = hasNumbers ? bytes.dropFirst() : bytes[...]
    guard let report = reports[number], !report.fingers.isEmpty else { return }
    // A frame of more contacts than a report holds has its count in the first one, and 0 in the others.
    let count = report.count.map { Self.value($0, in: body).map { Int($0) } ?? 0 }
    if let count, count > 0 {
      missing = min(count, 256)
    } else if count == nil {
      missing = report.fingers.count
    }
    for (index, finger) in report.fingers.enumerated() where missing > 0 {
      guard let tip = Self.value(finger.tip, in: body), let x = Self.value(finger.x, in: body),
        let y = Self.value(finger.y, in: body)
      else { continue }
      missing -= 1
      change(finger.id.flatMap { Self.value($0, in: body) }.map { Int($0) } ?? index, isDown: tip != 0, x, y)
    }
    guard missing == 0 else { return }
    let last = frames.last?.time ?? time
    if time < last { clockJumps += 1 }
    writer.write(changes) { frame in
      var frame = frame
      frame.time = max(time, last)
      frames.append(frame)
    }
    changes.removeAll(keepingCapacity: true)
  }

  private mutating func change(_ number: Int, isDown: Bool, _ x: Int32, _ y: Int32) {
    if let old = down[number] {
      // Where a lifted contact is, some devices do not say.
      let place = isDown ? (x, y) : (old.x, old.y)
      changes.append(
        SlotWriter.Change(contact: old.contact, kind: isDown ? .moved : .ended, x: place.0, y: place.1))
      down[number] = isDown ? (old.contact, x, y) : nil
    } else if isDown {
      serial += 1
      let contact = ContactID(device: DeviceID(rawValue: 1), serial: serial)
      down[number] = (contact, x, y)
      changes.append(SlotWriter.Change(contact: contact, kind: .began, x: x, y: y))
    }
  }

  /// Returns a field of a report; nil for a report that ends before it.
  private static func value(_ field: HIDDescriptor.Field, in body: ArraySlice<UInt8>) -> Int32? {
    guard field.start + field.size <= body.count * 8 else { return nil }
    var value: UInt64 = 0
    for bit in 0..<field.size {
      let place = field.start + bit
      value |= UInt64(body[body.startIndex + place / 8] >> (place % 8) & 1) << bit
    }
    let isNegative = field.axis.minimum < 0 && value >> (field.size - 1) & 1 == 1
    return Int32(truncatingIfNeeded: isNegative ? Int64(value) - 1 << field.size : Int64(value))
  }
}

extension EvemuLine {
  /// Takes a number of bytes in decimal digits, and the bytes in hexadecimal ones.
  fileprivate mutating func bytes(_ what: String, atMost most: Int) throws(Failure) -> [UInt8] {
    let count = try decimal("the length of \(what)")
    guard (0...Int32(most)).contains(count) else {
      throw Failure("\(what) has \(count) bytes; the kernel takes \(most)")
    }
    var bytes: [UInt8] = []
    while !isAtEnd() {
      bytes.append(UInt8(truncatingIfNeeded: try hexadecimal("a byte of \(what)", digits: 2)))
    }
    guard bytes.count == count else { throw Failure("\(what) has \(bytes.count) bytes, and says \(count)") }
    return bytes
  }
}
