import TouchCore
import TouchInput

/// What a real device declares, as far as it is known, and what it is. Capabilities that decide nothing are
/// left out. Where a report does not give the range of an axis, a usual one stands in for it.
package struct DeviceSummary: Sendable, CustomStringConvertible {
  package var name: String
  package var capabilities: DeviceCapabilities
  package var kind: DeviceKind?
  /// Words that the classification's sentence must have.
  package var words: String

  package var description: String { name }

  package init(
    _ name: String, _ kind: DeviceKind?, _ words: String, x: ClosedRange<Int32>? = nil,
    y: ClosedRange<Int32>? = nil, slots: Int? = nil, mtX: ClosedRange<Int32>? = nil,
    mtY: ClosedRange<Int32>? = nil, more: [UInt16] = [], keys: [UInt16] = [], rel: [UInt16] = [],
    props: [UInt16] = []
  ) {
    self.name = name
    self.kind = kind
    self.words = words
    capabilities = DeviceCapabilities()
    let axes = [
      EventCode.absX: x, EventCode.absY: y, EventCode.absMTPositionX: mtX, EventCode.absMTPositionY: mtY,
    ]
    for (code, range) in axes {
      guard let range else { continue }
      capabilities.axes[code] = AxisRange(minimum: range.lowerBound, maximum: range.upperBound)
    }
    if let slots {
      capabilities.slotCount = slots
      capabilities.axes[EventCode.absMTSlot] = AxisRange(minimum: 0, maximum: Int32(slots) - 1)
      capabilities.axes[EventCode.absMTTrackingID] = AxisRange(minimum: 0, maximum: 65535)
    }
    // Few enough to be slots too: the kernel makes no device with more than a hundred.
    for code in more { capabilities.axes[code] = AxisRange(minimum: 0, maximum: 64) }
    capabilities.keys = Set(keys)
    capabilities.relativeAxes = Set(rel)
    capabilities.properties = Set(props)
  }

  /// A panel that reports its contacts in slots and the first one as ABS_X and ABS_Y too.
  package static func panel(
    _ name: String, slots: Int, _ x: ClosedRange<Int32>, _ y: ClosedRange<Int32>, keys: [UInt16] = touch,
    props: [UInt16] = direct
  ) -> Self {
    Self(
      name, .multitouch, "\(slots) slots, ABS_MT_POSITION_X \(x.lowerBound)…\(x.upperBound)", x: x, y: y,
      slots: slots, mtX: x, mtY: y, keys: keys, props: props)
  }

  package static let touch = [EventCode.btnTouch]
  package static let direct: [UInt16] = [1]
  package static let mouse: [UInt16] = [0x110, 0x111, 0x112]
  package static let xy = [EventCode.relX, EventCode.relY]
  package static let keyboard = [UInt16](1...83)
  package static let wide: ClosedRange<Int32> = 0...32767
}

extension DeviceSummary {
  /// libinput's test devices, devices with an evemu recording, and devices that users reported.
  package static let known: [DeviceSummary] = [
    DeviceSummary(
      "generic_singletouch", .singleTouch, "ABS_X 10000…20000, ABS_Y -2000…2000", x: 10000...20000,
      y: -2000...2000, keys: touch, props: direct),
    .panel("generic-mt", slots: 10, 0...50000, 0...33000),
    .panel("touchscreen-invalid-range", slots: 10, 1000...2500, 2000...4500),
    .panel("Calibrated Touchscreen", slots: 10, 0...1500, 0...2500),
    // Every axis from 40 up is declared, the multitouch ones among them.
    DeviceSummary(
      "Microsoft Surface Type Cover", .relativePointer,
      "its keys are no touches; its absolute axes are not used",
      x: 0...1022, y: 0...487, mtX: -127...127, mtY: -127...127, more: [0x28, 0x2e, 0x2f, 0x39],
      keys: keyboard + mouse + [0x100], rel: xy + [6, 7, 8]),
    DeviceSummary(
      "VMware VMware Virtual USB Mouse", .absolutePointer, "absolute mouse", x: wide, y: wide,
      keys: [UInt16](0x110...0x11f), rel: [6, 8]),
    .panel("Wacom Cintiq 13 HD touch Finger", slots: 10, 0...2937, 0...1652),
    .panel("Advanced Silicon S.A. CoolTouch® System", slots: 5, wide, wide),
    DeviceSummary("Low DPI Mouse", .relativePointer, "It is a mouse", keys: mouse, rel: xy + [6, 8, 11, 12]),
    DeviceSummary(
      "ImExPS/2 Generic Explorer Mouse", .relativePointer, "It is a mouse", keys: mouse + [0x113, 0x114],
      rel: xy + [6, 8]),
    .panel("Atmel maXTouch Touchscreen", slots: 10, 0...799, 0...479),
    .panel("ELAN CANDO Windows7", slots: 10, 0...3008, 0...1856),
    .panel("QUANTA OpticalTouchScreen", slots: 10, 0...1920, 0...1080),
    .panel("IRTOUCH InfraRed USB TouchScreen", slots: 2, wide, wide, keys: []),
    .panel("Wacom ISDv4 E6 Finger", slots: 2, 0...2776, 0...1569),
    DeviceSummary(
      "Saitek Cyborg R.A.T.5 Mouse", .relativePointer, "It is a mouse", keys: [UInt16](0x110...0x11c),
      rel: xy + [8]),
    DeviceSummary(
      "QEMU 0.12.1 QEMU USB Tablet", .absolutePointer, "absolute mouse", x: wide, y: wide, keys: mouse,
      rel: [8]),
    .panel("generic ft5x06 (00)", slots: 10, 0...799, 0...479, props: []),
    DeviceSummary(
      "eGalax Inc. USB TouchController (fw 0x100)", .singleTouch, "ABS_X 0…2047", x: 0...2047, y: 0...2047,
      keys: touch),
    .panel("eGalaxTouch EXC7910", slots: 10, 0...4095, 0...4095),
    DeviceSummary(
      "waveshare RTD2660H", .absolutePointer, "absolute mouse", x: wide, y: wide, keys: [0x110]),
    .panel("ILITEK Multi-Touch-V3000", slots: 10, 0...16384, 0...9600),
    DeviceSummary(
      "iMX6UL Touchscreen Controller", .singleTouch, "BTN_TOUCH", x: 0...4095, y: 0...4095, keys: touch),
    DeviceSummary(
      "PenMount 1610", .singleTouch, "BTN_TOUCH", x: 0...4095, y: 0...4095, more: [8], keys: touch),
    DeviceSummary(
      "FLSUN T1 Pro panel", .multitouch, "(protocol A), ABS_MT_POSITION_X 0…480", mtX: 0...480, mtY: 0...272),
    DeviceSummary(
      "Creality K1 Max touch", .multitouch, "no slots, so every frame lists its contacts (protocol A)",
      mtX: 0...480, mtY: 0...400, more: [0x37, 0x39], keys: touch),
    .panel("s6sy761", slots: 15, 0...1080, 0...2160),
    .panel("unnamed 640x480 panel", slots: 5, 0...639, 0...479, props: []),
    DeviceSummary(
      "resistive panel, position and pressure only", .singleTouch, "ABS_PRESSURE says when it is touched",
      x: 0...4095, y: 0...4095, more: [0x18]),
  ]

  /// Devices that are not what their first axes say, and devices with something missing.
  package static let odd: [DeviceSummary] = [
    DeviceSummary(
      "Android panel without ABS_X", .multitouch, "multitouch screen", slots: 10, mtX: 0...1079,
      mtY: 0...1919,
      props: direct),
    DeviceSummary("one slot", .multitouch, "1 slot,", slots: 1, mtX: 0...799, mtY: 0...479, keys: touch),
    DeviceSummary(
      "eGalaxTouch Virtual Device", .singleTouch, "INPUT_PROP_DIRECT, BTN_LEFT", x: 0...4095, y: 0...4095,
      keys: [0x110], props: direct),
    // The plain nodes of graphics tablets: no tool, but BTN_TOUCH for the tip's pressure.
    DeviceSummary(
      "VEIKK.INC S640", .absolutePointer, "absolute mouse or tablet: BTN_LEFT", x: wide, y: wide,
      more: [EventCode.absPressure], keys: mouse + touch, props: direct),
    DeviceSummary(
      "Hanvon Ugee Deco MW Mouse", .absolutePointer, "absolute mouse or tablet: BTN_LEFT", x: wide, y: wide,
      more: [EventCode.absPressure], keys: mouse + [0x113, 0x114, 0x115] + touch, rel: xy + [6, 8, 11, 12],
      props: direct),
    DeviceSummary(
      "the same without BTN_TOUCH", .absolutePointer, "absolute mouse or tablet: BTN_LEFT", x: wide, y: wide,
      keys: mouse, rel: [EventCode.relX], props: direct),
    DeviceSummary(
      "tablet with BTN_TOUCH that is not direct", .absolutePointer, "absolute mouse or tablet: BTN_LEFT",
      x: wide, y: wide, more: [EventCode.absPressure], keys: mouse + touch),
    DeviceSummary(
      "HID screen for fingers with a mouse's button", .singleTouch, "BTN_TOUCH", x: wide, y: wide,
      keys: touch + [0x110, 0x145], props: direct),
    .panel("panel with slots and a mouse's button", slots: 5, 0...799, 0...479, keys: touch + [0x110]),
    DeviceSummary(
      "N-Trig MultiTouch", .multitouch, "(protocol A)",
      x: 0...9600, y: 0...7200, mtX: 0...9600, mtY: 0...7200, keys: touch + [0x14d]),
    DeviceSummary(
      "Magic Mouse", .relativePointer, "its absolute axes are not used", slots: 16, mtX: -1100...1258,
      mtY: -1589...2047, keys: mouse, rel: xy + [6, 8]),
    DeviceSummary(
      "Synaptics touchpad", nil, "touchpad", x: 1472...5472, y: 1408...4448, slots: 2, mtX: 1472...5472,
      mtY: 1408...4448, keys: touch + [0x110, 0x145], props: [0, 2]),
    DeviceSummary(
      "touchpad without BTN_TOOL_FINGER", nil, "touchpad", x: 0...1000, y: 0...1000, keys: touch, props: [0]),
    DeviceSummary(
      "tablet of a virtual machine that wants a pointer", .absolutePointer, "absolute mouse", x: wide,
      y: wide,
      keys: mouse, props: [0]),
    DeviceSummary(
      "Wacom pen", nil, "pen", x: 0...20000, y: 0...12000, more: [0x18], keys: touch + [0x140, 0x14b],
      props: direct),
    DeviceSummary(
      "pen display without BTN_STYLUS", nil, "(BTN_TOOL_PEN)", x: 0...20000, y: 0...12000, more: [0x18],
      keys: touch + [0x140], props: direct),
    DeviceSummary("tablet with a stylus button alone", nil, "(BTN_STYLUS)", x: wide, y: wide, keys: [0x14b]),
    DeviceSummary(
      "tablet that knows an eraser", nil, "a pen", x: wide, y: wide, keys: touch + [0x140, 0x141]),
    DeviceSummary(
      "HID touchscreen whose finger is in range", .singleTouch, "single-touch screen: BTN_TOUCH", x: wide,
      y: wide, keys: touch + [0x140]),
    DeviceSummary(
      "HID touchscreen for pen and finger", .singleTouch, "BTN_TOUCH", x: wide, y: wide, more: [0x18],
      keys: touch + [0x140, 0x145, 0x14b], props: direct),
    DeviceSummary(
      "screen for pen and fingers without slots", .multitouch, "(protocol A)", mtX: wide, mtY: wide,
      keys: touch + [0x140, 0x14b], props: direct),
    DeviceSummary(
      "panel that also knows pens", .multitouch, "multitouch screen", x: 0...4095, y: 0...4095, slots: 10,
      mtX: 0...4095, mtY: 0...4095, keys: touch + [0x140], props: direct),
    DeviceSummary("joystick", nil, "joystick", x: 0...255, y: 0...255, keys: [0x120, 0x121]),
    DeviceSummary(
      "gamepad", nil, "game controller", x: -32768...32767, y: -32768...32767, keys: [0x130, 0x131]),
    DeviceSummary("accelerometer", nil, "accelerometer", x: -512...512, y: -512...512, props: [6]),
    DeviceSummary("keyboard", nil, "It is a keyboard.", keys: keyboard),
    DeviceSummary("keyboard with a knob", nil, "It is a keyboard.", more: [0x20], keys: keyboard),
    DeviceSummary("keyboard with axes", nil, "It is a keyboard;", x: 0...255, y: 0...255, keys: keyboard),
    DeviceSummary("power button", nil, "keys or buttons", keys: [116]),
    DeviceSummary("lid switch", nil, "It reports no position."),
    DeviceSummary("wheel", nil, "no BTN_LEFT", rel: xy),
    DeviceSummary("touch button alone", nil, "BTN_TOUCH, but no axes", keys: touch),
    DeviceSummary("X without Y", nil, "ABS_X but no ABS_Y", x: 0...799, keys: touch, props: direct),
    DeviceSummary(
      "MT Y without X", nil, "ABS_MT_POSITION_Y but no ABS_MT_POSITION_X", slots: 5, mtY: 0...479, keys: touch
    ),
    DeviceSummary(
      "slots without positions", .singleTouch, "ABS_X 0…799", x: 0...799, y: 0...479, slots: 5, keys: touch,
      props: direct),
    DeviceSummary(
      "slot axis without slots", nil, "not a single slot", slots: 0, mtX: 0...799, mtY: 0...479, props: direct
    ),
    DeviceSummary("MT range of one value", nil, "from 0 to 0", slots: 5, mtX: 0...0, mtY: 0...0, keys: touch),
    DeviceSummary(
      "MT range of one value, and a good one for one finger", .singleTouch,
      "ABS_MT_POSITION_Y goes from 0 to 0; one finger is used", x: 0...799, y: 0...479, slots: 5,
      mtX: 0...799,
      mtY: 0...0, keys: touch),
    DeviceSummary(
      "range of one value", nil, "ABS_Y goes from 7 to 7. Where udev runs, its hardware database can say",
      x: 0...799, y: 7...7, keys: touch),
    DeviceSummary(
      "position without anything that says when", nil, "neither BTN_TOUCH, BTN_LEFT nor ABS_PRESSURE",
      x: 0...799,
      y: 0...479),
    DeviceSummary(
      "every axis there is", nil, "declares every axis", mtX: 0...255, mtY: 0...255, more: [0x2e, 0x2f, 0x39]),
  ]
}
