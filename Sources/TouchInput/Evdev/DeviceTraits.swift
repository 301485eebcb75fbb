/// The properties by which the classifier decides, from a device's capabilities.
struct DeviceTraits {
  private let capabilities: DeviceCapabilities

  init(_ capabilities: DeviceCapabilities) { self.capabilities = capabilities }

  var hasPosition: Bool { has(axis: EventCode.absX) && has(axis: EventCode.absY) }

  /// Whether it has ABS_MT_POSITION_X and ABS_MT_POSITION_Y, and not only because it declares every axis.
  var hasMTPosition: Bool {
    has(axis: EventCode.absMTPositionX) && has(axis: EventCode.absMTPositionY) && !declaresEveryAxis
  }

  /// Whether it declares a run of axes that crosses the multitouch ones: it then has the axis just before
  /// those, which means nothing. (libevdev calls them fake multitouch devices.)
  var declaresEveryAxis: Bool { has(axis: EventCode.absMTSlot) && has(axis: EventCode.absMTSlot - 1) }

  var slots: Int? {
    guard let count = capabilities.slotCount, count > 0, !declaresEveryAxis else { return nil }
    return count
  }

  var declaresSlots: Bool { has(axis: EventCode.absMTSlot) }
  var hasTrackingID: Bool { has(axis: EventCode.absMTTrackingID) }
  var hasAbsoluteAxes: Bool { !capabilities.axes.isEmpty }

  var movesByDifferences: Bool { capabilities.relativeAxes.isSuperset(of: [EventCode.relX, EventCode.relY]) }

  /// Whether it has REL_X or REL_Y.
  private var hasDifferences: Bool {
    !capabilities.relativeAxes.isDisjoint(with: [EventCode.relX, EventCode.relY])
  }

  var hasPressure: Bool { has(axis: EventCode.absPressure) }
  var hasTouchButton: Bool { has(key: EventCode.btnTouch) }
  var hasLeftButton: Bool { has(key: EventCode.btnLeft) }
  var hasFingerTool: Bool { has(key: EventCode.btnToolFinger) }
  var isPen: Bool { has(key: EventCode.btnToolPen) || has(key: EventCode.btnStylus) }

  /// Whether its driver means it as a mouse, although it reports positions and has BTN_TOUCH or
  /// INPUT_PROP_DIRECT: the plain nodes of graphics tablets, which have no BTN_TOOL_PEN.
  ///
  /// BTN_TOUCH means little beside BTN_LEFT: the kernel gives it to everything that reports a tip's pressure
  /// (`HID_DG_TIPPRESSURE`, `hid-input.c`). BTN_LEFT beside INPUT_PROP_DIRECT is not enough, because there
  /// are touchscreens with just these two; they do not move by differences. For udev every device with
  /// positions, BTN_LEFT and no tool is a mouse. (systemd, `udev-builtin-input_id.c`.)
  var isMouseWithPositions: Bool {
    guard hasPosition, hasLeftButton, !hasMTPosition, !hasFingerTool, !isPen else { return false }
    return hasTouchButton || hasDifferences
  }

  var penNames: [String] {
    [(EventCode.btnToolPen, "BTN_TOOL_PEN"), (EventCode.btnStylus, "BTN_STYLUS")]
      .filter { has(key: $0.0) }.map(\.1)
  }

  /// Whether fingers touch a device with a pen's codes, too. BTN_TOOL_PEN alone means little: the kernel
  /// gives it to every HID digitizer that reports "in range" and is declared neither a finger nor a puck
  /// (`hid-input.c`), and so to touchscreens. With slots, with multitouch axes or a finger's tool on a
  /// screen, there are fingers. With BTN_TOUCH and no other code of a pen, it is a touchscreen.
  var isTouchedByFingers: Bool {
    if slots != nil || isDirect && (hasMTPosition || hasFingerTool && hasTouchButton) { return true }
    return hasTouchButton && !hasPartsOfPen
  }

  /// Whether it has BTN_STYLUS…3, BTN_TOOL_RUBBER, ABS_PRESSURE, ABS_DISTANCE, ABS_TILT_X or ABS_TILT_Y.
  private var hasPartsOfPen: Bool {
    [EventCode.btnStylus, 0x14c, 0x149, 0x141].contains { has(key: $0) }
      || [EventCode.absPressure, 0x19, 0x1a, 0x1b].contains { has(axis: $0) }
  }
  var hasKeys: Bool { !capabilities.keys.isEmpty }

  /// Whether it is a knob, which turns in steps, by any axis: a rotary encoder's is set in its driver.
  var turns: Bool {
    guard !movesByDifferences, !hasPosition, !hasMTPosition else { return false }
    // REL_X, REL_Y, REL_HWHEEL, REL_DIAL, REL_WHEEL, REL_MISC
    return !capabilities.relativeAxes.isDisjoint(with: [0x00, 0x01, 0x06, 0x07, 0x08, 0x09])
  }

  /// The only axis of a knob that reports its position, as a rotary encoder does by default. It has fewer
  /// places than a converter of 10 bits has values. (kernel `rotary_encoder.c`)
  var dial: (code: UInt16, range: AxisRange)? {
    guard capabilities.axes.count == 1, let axis = capabilities.axes.first, capabilities.relativeAxes.isEmpty,
      capabilities.properties.isEmpty, !hasTouchButton, !hasLeftButton, !isPen, !hasGameButtons, !isKeyboard
    else { return nil }
    // ABS_X to ABS_BRAKE
    guard axis.key <= 0x0a, (3...1000).contains(axis.value.span) else { return nil }
    return (axis.key, axis.value)
  }

  var isKeyboard: Bool { capabilities.keys.isSuperset(of: Self.letters) }

  /// Whether it has BTN_JOYSTICK, BTN_GAMEPAD or a code that follows them.
  var hasGameButtons: Bool { capabilities.keys.contains { (0x120...0x13f).contains($0) } }

  /// KEY_Q … KEY_P, KEY_A … KEY_L, KEY_Z … KEY_M.
  private static let letters = Set([UInt16](16...25) + [UInt16](30...38) + [UInt16](44...50))

  /// INPUT_PROP_DIRECT: a touch acts on the place below it, as on a screen.
  var isDirect: Bool { has(property: 1) }
  /// INPUT_PROP_POINTER: it moves a pointer.
  var needsPointer: Bool { has(property: 0) }
  /// INPUT_PROP_BUTTONPAD, INPUT_PROP_SEMI_MT, INPUT_PROP_TOPBUTTONPAD: only touchpads have these.
  var hasPadProperty: Bool { has(property: 2) || has(property: 3) || has(property: 4) }
  /// INPUT_PROP_ACCELEROMETER.
  var isAccelerometer: Bool { has(property: 6) }

  private func has(axis: UInt16) -> Bool { capabilities.axes[axis] != nil }
  private func has(key: UInt16) -> Bool { capabilities.keys.contains(key) }
  private func has(property: UInt16) -> Bool { capabilities.properties.contains(property) }
}

extension DeviceTraits {
  /// Returns the ranges as text: "ABS_X 0…799, ABS_Y 0…479".
  func ranges(ofMultitouch isMultitouch: Bool) -> String {
    axes(ofMultitouch: isMultitouch)
      .map { "\($0.name) \($0.range.minimum)…\($0.range.maximum)" }.joined(separator: ", ")
  }

  /// Returns the fault of the position axes, or nil: nothing can be mapped without a range.
  func problem(ofMultitouch isMultitouch: Bool) -> String? {
    let broken = axes(ofMultitouch: isMultitouch).filter { $0.range.minimum >= $0.range.maximum }
    guard !broken.isEmpty else { return nil }
    let axes = broken.map { "\($0.name) goes from \($0.range.minimum) to \($0.range.maximum)" }
    return "Its driver declares no usable range: " + axes.joined(separator: ", ")
  }

  /// Advises the user how to give the axes a range. (systemd `60-evdev.hwdb`.)
  func rangeAdvice(ofMultitouch isMultitouch: Bool) -> String {
    let broken = axes(ofMultitouch: isMultitouch).filter { $0.range.minimum >= $0.range.maximum }
    let codes = broken.map { "EVDEV_ABS_\($0.code < 16 ? "0" : "")\(String($0.code, radix: 16))=MIN:MAX" }
    return " Where udev runs, its hardware database can say what it is: \(codes.joined(separator: ", "))."
  }

  /// The one axis of a pair that is there without the other, in words.
  var halfPosition: String? {
    let pairs = [
      (EventCode.absMTPositionX, "ABS_MT_POSITION_X", EventCode.absMTPositionY, "ABS_MT_POSITION_Y"),
      (EventCode.absX, "ABS_X", EventCode.absY, "ABS_Y"),
    ]
    for (x, xName, y, yName) in pairs where has(axis: x) != has(axis: y) {
      let (present, missing) = has(axis: x) ? (xName, yName) : (yName, xName)
      return "It reports \(present) but no \(missing), so it has no position."
    }
    return nil
  }

  private func axes(ofMultitouch isMultitouch: Bool) -> [(code: UInt16, name: String, range: AxisRange)] {
    let names =
      isMultitouch
      ? [(EventCode.absMTPositionX, "ABS_MT_POSITION_X"), (EventCode.absMTPositionY, "ABS_MT_POSITION_Y")]
      : [(EventCode.absX, "ABS_X"), (EventCode.absY, "ABS_Y")]
    return names.compactMap { code, name in capabilities.axes[code].map { (code, name, $0) } }
  }
}
