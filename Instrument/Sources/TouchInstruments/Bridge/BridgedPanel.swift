import TouchCore
import TouchInput

/// The new device in place of a bridged one: a touchscreen with slots that covers the display, with its size.
struct BridgedPanel {
  /// The suffix of a name that was not chosen.
  static let suffix = " (touchtree bridge)"
  /// The port of the new device, by which other bridges recognise it and leave it alone. The output follows
  /// after a space, and udev's rule 90-touchtree-bridge.rules gives it to libinput.
  static let port = "touchtree-bridge"

  /// The new device's description, with BUS_VIRTUAL, so that rules for the real one are not applied again.
  let description: DeviceDescription
  let slotCount: Int
  private let window: WindowRect
  /// The new device's units for each of the real one's: more for few, so that filtered places are not lost.
  private let factor: Double
  private let width, height: Double

  private static let fewestUnits = 4096.0
  /// The slots of a device that does not report them, such as a list (protocol A). They suffice for any hand.
  private static let defaultSlots = 16
  /// The tool type of a palm. (MT_TOOL_PALM)
  private static let palm: Int32 = 2
  /// The property of a touchscreen, and the virtual bus. (`INPUT_PROP_DIRECT`, `BUS_VIRTUAL`)
  private static let isDirect: UInt16 = 1
  private static let virtualBus: UInt16 = 6

  /// - Parameters:
  ///   - mapping: the mapping from the device to the window.
  ///   - window: the part of window space that the display shows. It becomes the whole of the new device.
  ///   - name: the name of the new device; nil for the panel's with the suffix.
  ///   - output: the connector of the display that it covers, such as HDMI-A-1; nil if programs are to find
  ///     it.
  init(
    _ device: DeviceDescription, as kind: DeviceKind, mapping: Mapping, window: WindowRect,
    name: String? = nil, output: String? = nil
  ) {
    self.window = window
    let axes = device.capabilities.positionAxes(of: kind)
    let map = mapping.windowFromDevice
    // The device's axis along the window's width depends on the rotation.
    let isTurned = abs(map.c) > abs(map.a)
    let perUnitX = isTurned ? abs(map.c) : abs(map.a)
    let perUnitY = isTurned ? abs(map.b) : abs(map.d)
    let unitsX = Self.units(window.size.width, each: perUnitX)
    let unitsY = Self.units(window.size.height, each: perUnitY)
    let factor = max(1, (Self.fewestUnits / min(unitsX, unitsY)).rounded(.up))
    self.factor = factor
    width = unitsX * factor
    height = unitsY * factor
    let isMultitouch = kind == .multitouch
    slotCount = isMultitouch ? min(64, max(1, device.capabilities.slotCount ?? Self.defaultSlots)) : 1

    var capabilities = DeviceCapabilities()
    capabilities.properties = [Self.isDirect]
    capabilities.keys = [EventCode.btnTouch]
    func resolution(_ axis: AxisRange) -> Int32 {
      Int32(clamping: Int((Double(axis.resolution) * factor).rounded()))
    }
    let x = AxisRange(
      minimum: 0, maximum: Int32(width) - 1, resolution: resolution(isTurned ? axes.y : axes.x))
    let y = AxisRange(
      minimum: 0, maximum: Int32(height) - 1, resolution: resolution(isTurned ? axes.x : axes.y))
    let slots = Int32(slotCount - 1)
    capabilities.axes = [
      EventCode.absX: x, EventCode.absY: y, EventCode.absMTPositionX: x, EventCode.absMTPositionY: y,
      EventCode.absMTSlot: AxisRange(minimum: 0, maximum: slots),
      EventCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 0xffff),
      EventCode.absMTToolType: AxisRange(minimum: 0, maximum: Self.palm),
    ]
    capabilities.slotCount = slotCount
    for code in [EventCode.absMTTouchMajor, EventCode.absMTTouchMinor] {
      guard let axis = device.capabilities.axes[code], axis.maximum > axis.minimum else { continue }
      let most = Int32(clamping: Int(Double(axis.maximum) * factor))
      capabilities.axes[code] = AxisRange(minimum: 0, maximum: most, resolution: resolution(axis))
    }
    if let axis = device.capabilities.axes[EventCode.absMTPressure], axis.maximum > axis.minimum {
      let range = AxisRange(minimum: axis.minimum, maximum: axis.maximum)
      capabilities.axes[EventCode.absMTPressure] = range
      capabilities.axes[EventCode.absPressure] = range
    }
    description = DeviceDescription(
      name: name ?? Self.name(of: device),
      phys: ([Self.port] + (output.map { [$0] } ?? [])).joined(separator: " "),
      bus: Self.virtualBus, vendor: device.vendor, product: device.product,
      version: device.version, capabilities: capabilities)
  }

  /// Returns a contact's change in the new device's units, at the display's edge from outside.
  func change(_ touch: TouchChange) -> SlotWriter.Change {
    func place(_ value: Double, _ start: Double, _ size: Double, _ units: Double) -> Int32 {
      let unit = ((value - start) / size * units).rounded()
      return Int32(max(0, min(unit.isFinite ? unit : 0, units - 1)))
    }
    var attributes = touch.attributes
    attributes.touchMajor = attributes.touchMajor.map(scaled)
    attributes.touchMinor = attributes.touchMinor.map(scaled)
    return SlotWriter.Change(
      contact: touch.contact, kind: touch.kind,
      x: place(touch.location.x, window.minX, window.size.width, width),
      y: place(touch.location.y, window.minY, window.size.height, height), attributes: attributes)
  }

  private func scaled(_ length: Int32) -> Int32 { Int32(clamping: Int((Double(length) * factor).rounded())) }

  /// Returns the display's width in units of the device: all of them if the device covers the display.
  private static func units(_ length: Double, each: Double) -> Double {
    let units = (length / each).rounded()
    return units.isFinite ? max(1, min(units, 1_048_576)) : 1
  }

  /// Returns the device's name, cut to the 79 bytes that uinput takes. (`UINPUT_MAX_NAME_SIZE`)
  private static func name(of device: DeviceDescription) -> String {
    var name = device.title
    while name.utf8.count + suffix.utf8.count > 79 { name.removeLast() }
    return name + suffix
  }
}
