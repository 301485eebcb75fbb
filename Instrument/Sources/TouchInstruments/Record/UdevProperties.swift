import TouchInput
import TouchSystem

/// The udev properties of an input device, as a recording states them: libinput relies on udev alone, so it
/// plays a recording with those of the machine on which it was made.
package struct UdevProperties: Hashable, Sendable {
  package enum Origin: Hashable, Sendable {
    case database
    /// The capabilities, as `input_id` would judge them: there is no udev, or it does not know the device.
    case capabilities
  }

  package var origin: Origin
  /// The properties as `KEY=VALUE`, in the order of their keys.
  package var entries: [String]

  /// The properties that libinput and its tools read. (libinput-record(1).)
  private static let prefixes = [
    "ID_INPUT", "LIBINPUT_", "EVDEV_ABS_", "MOUSE_DPI", "MOUSE_WHEEL_", "POINTINGSTICK_",
  ]

  /// Reads udev's properties of the device's node; if there are none, derives them from the capabilities.
  package init(of device: DeviceDescription) {
    if let entries = device.number.flatMap(Self.known) {
      (origin, self.entries) = (.database, entries)
    } else {
      (origin, entries) = (.capabilities, Self.entries(of: device))
    }
  }

  /// Reads the properties of a device in udev's database; nil for none.
  private static func known(_ number: DeviceNumber) -> [String]? {
    guard let device = UdevDevice(number: number.rawValue), device.isInitialized else { return nil }
    let entries = device.properties.filter { property in prefixes.contains { property.key.hasPrefix($0) } }
      .map { "\($0.key)=\($0.value)" }
    return entries.contains("ID_INPUT=1") ? entries.sorted() : nil
  }

  /// Returns the properties by udev's `input_id`. (systemd 252, `udev-builtin-input_id.c`)
  static func entries(of device: DeviceDescription) -> [String] {
    var entries = InputClasses(device).names.map { "ID_INPUT_\($0)=1" }
    let axes = device.capabilities.axes
    if let x = axes[EventCode.absX], let y = axes[EventCode.absY], x.resolution > 0, y.resolution > 0 {
      func size(_ axis: AxisRange) -> Int64 {
        (Int64(axis.maximum) - Int64(axis.minimum)) / Int64(axis.resolution)
      }
      entries += ["ID_INPUT_WIDTH_MM=\(size(x))", "ID_INPUT_HEIGHT_MM=\(size(y))"]
    }
    return ["ID_INPUT=1"] + entries.sorted()
  }
}

/// The classes into which udev's `input_id` puts a device, which may be several.
private struct InputClasses {
  /// The names of the classes: KEY, MOUSE, TOUCHSCREEN and so on.
  private(set) var names: Set<String> = []
  private let device: DeviceDescription

  init(_ device: DeviceDescription) {
    self.device = device
    addPointers()
    addKeys()
    // Some nodes have only a wheel.
    if names.isEmpty && hasWheel { names = ["KEY"] }
    if capabilities.otherCodes[0x05] != nil { names.insert("SWITCH") }
  }

  private var capabilities: DeviceCapabilities { device.capabilities }

  private func has(key: UInt16) -> Bool { capabilities.keys.contains(key) }
  private func has(property: UInt16) -> Bool { capabilities.properties.contains(property) }
  private func has(axes codes: UInt16...) -> Bool { codes.allSatisfy { capabilities.axes[$0] != nil } }
  private func count(keys codes: some RangeExpression<UInt16>) -> Int {
    capabilities.keys.count { codes ~= $0 }
  }

  /// Whether it has REL_WHEEL or REL_HWHEEL.
  private var hasWheel: Bool { !capabilities.relativeAxes.isDisjoint(with: [8, 6]) }
  /// Whether it has BTN_0 and BTN_1, without BTN_TOOL_PEN.
  private var hasPadButtons: Bool { has(key: 0x100) && has(key: 0x101) && !has(key: EventCode.btnToolPen) }
  private var hasPen: Bool { has(key: EventCode.btnToolPen) || has(key: EventCode.btnStylus) }
  private var isDirect: Bool { has(property: 1) }
  private var hasPosition: Bool { has(axes: EventCode.absX, EventCode.absY) }

  private mutating func addPointers() {
    // INPUT_PROP_ACCELEROMETER, or ABS_X, ABS_Y and ABS_Z without any key.
    guard !has(property: 6), !(capabilities.keys.isEmpty && hasPosition && has(axes: 2)) else {
      names.insert("ACCELEROMETER")
      return
    }
    let hasMouseButton = count(keys: EventCode.btnLeft..<0x120) > 0
    if hasPosition { names.insert(touched ?? (hasMouseButton ? "MOUSE" : pressed) ?? "JOYSTICK") }
    // A device that claims to have every axis has none of the multitouch ones.
    if has(axes: EventCode.absMTPositionX, EventCode.absMTPositionY),
      !has(axes: EventCode.absMTSlot, EventCode.absMTSlot - 1), let name = touched ?? pressed
    {
      names.insert(name)
    }
    let controls = joystickControls
    if !hasPosition && controls > 0 { names.insert("JOYSTICK") }
    if hasPadButtons {
      let movesByDifferences = capabilities.relativeAxes.isSuperset(of: [EventCode.relX, EventCode.relY])
      if hasWheel && !movesByDifferences { names.insert("TABLET") }
      if names.contains("TABLET") { names.insert("TABLET_PAD") }
    }
    addMouse(hasMouseButton)
    // INPUT_PROP_POINTING_STICK
    if has(property: 5) { names.insert("POINTINGSTICK") }
    // Keyboards declare buttons of joysticks, too.
    if controls < 2 || isKeyboard || hasWheel && hasPadButtons { names.remove("JOYSTICK") }
  }

  /// The class of a device on which something lies or hovers.
  private var touched: String? {
    if hasPen { return "TABLET" }
    return has(key: EventCode.btnToolFinger) && !isDirect ? "TOUCHPAD" : nil
  }

  private var pressed: String? { has(key: EventCode.btnTouch) || isDirect ? "TOUCHSCREEN" : nil }

  private mutating func addMouse(_ hasMouseButton: Bool) {
    let movesByDifferences = capabilities.relativeAxes.isSuperset(of: [EventCode.relX, EventCode.relY])
    guard names.isDisjoint(with: ["TABLET", "TOUCHPAD", "JOYSTICK"]), hasMouseButton,
      movesByDifferences || !hasPosition
    else { return }
    names.insert("MOUSE")
    // No mouse is connected by I2C. (BUS_I2C)
    if device.bus == 0x18 { names.insert("POINTINGSTICK") }
  }

  /// The number of a joystick's controls: BTN_JOYSTICK up to the digitisers' buttons, BTN_TRIGGER_HAPPY1 to
  /// 40 and BTN_DPAD_*, unless a mouse has so many buttons, and the axes from ABS_RX to ABS_PRESSURE.
  private var joystickControls: Int {
    let buttons =
      has(key: 0x11f)
      ? 0 : count(keys: 0x120..<0x140) + count(keys: 0x2c0...0x2e7) + count(keys: 0x220...0x223)
    return buttons + capabilities.axes.keys.count { (0x03..<0x18).contains($0) }
  }

  /// Whether it has four of: left control, two locks, insert, mute, calculator, file, mail, play, brightness.
  private var isKeyboard: Bool {
    capabilities.keys.intersection([29, 58, 69, 110, 113, 140, 144, 155, 164, 224]).count >= 4
  }

  /// Adds the classes of keys: any KEY_, and the 31 from escape to S, which a full keyboard has.
  private mutating func addKeys() {
    if count(keys: 1..<0x100) + count(keys: 0x160..<0x220) + count(keys: 0x230..<0x2c0) > 0 {
      names.insert("KEY")
    }
    if capabilities.keys.isSuperset(of: 1...31) { names.insert("KEYBOARD") }
  }
}
