/// The descriptors of real devices and of libinput's tests, as far as they are known: what each is made of,
/// what it is, and how it is touched. Where a report leaves something out, a usual value stands in for it.
/// The quirks are the collectors' words.
extension RealDevice {
  static let all = [
    // single-touch only, min!=0 and negative min (X 10000..20000, Y -2000..2000); synthetic id.
    RealDevice(
      "generic_singletouch", id: "0x01 0x02 0x03 1", kind: "single-touch", says: "BTN_TOUCH",
      way: .button("BTN_TOUCH"), x: 10000...20000, y: -2000...2000,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 10000 20000 0 0 10",
        "abs ABS_Y -2000 2000 0 0 9",
      ]),
    // protocol B with touch ellipse, negative ORIENTATION min, resolution 100/mm; synthetic id.
    RealDevice(
      "generic-mt", id: "0x1 0x0 0x25 1", kind: "multitouch", says: "10 slots", way: .slots, x: 0...50000,
      y: 0...33000,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 50000 0 0 100",
        "abs ABS_Y 0 33000 0 0 100", "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_POSITION_X 0 50000 0 0 100",
        "abs ABS_MT_POSITION_Y 0 33000 0 0 100", "abs ABS_MT_ORIENTATION -256 255 0 0 0",
        "abs ABS_MT_TOUCH_MAJOR 0 255 1 0 0", "abs ABS_MT_TOUCH_MINOR 0 255 1 0 0",
        "abs ABS_MT_PRESSURE 0 255 0 0 0", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // min!=0 AND the test sends values far outside min..max (X 4000 of 1000..2500; X -500):
    // libinput expects 200 % / -100 % of the screen, i.e. must map linearly and not crash or divide
    // by zero.
    RealDevice(
      "touchscreen-invalid-range", id: "0x1 0x0 0x25 1", kind: "multitouch", says: "10 slots", way: .slots,
      x: 1000...2500, y: 2000...4500, beyond: (-500, 4000),
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 1000 2500 0 0 10",
        "abs ABS_Y 2000 4500 0 0 10", "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_POSITION_X 1000 2500 0 0 10",
        "abs ABS_MT_POSITION_Y 2000 4500 0 0 10", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // udev LIBINPUT_CALIBRATION_MATRIX and WL_OUTPUT set.
    RealDevice(
      "Calibrated Touchscreen", id: "0x11 0x22 0x33 1", kind: "multitouch", says: "10 slots", way: .slots,
      x: 0...1500, y: 0...2500,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 1500 0 0 0", "abs ABS_Y 0 2500 0 0 0",
        "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_POSITION_X 0 1500 0 0 0",
        "abs ABS_MT_POSITION_Y 0 2500 0 0 0", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // combined keyboard+relative mouse+ABS_VOLUME/odd ABS axes: must not be taken as touchscreen.
    RealDevice(
      "Microsoft Surface Type Cover", id: "0x3 0x45e 0x7dc 1", kind: "relative-pointer",
      says: "its keys are no touches", way: .mouse,
      lines: [
        "key KEY_ESC KEY_1 KEY_2 KEY_3 KEY_4 KEY_5 KEY_6 KEY_7 KEY_8 KEY_9 KEY_0 KEY_MINUS KEY_EQUAL KEY_BACKSPACE KEY_TAB KEY_Q KEY_W KEY_E KEY_R KEY_T KEY_Y KEY_U KEY_I KEY_O KEY_P KEY_LEFTBRACE KEY_RIGHTBRACE KEY_ENTER KEY_LEFTCTRL KEY_A KEY_S KEY_D KEY_F KEY_G KEY_H KEY_J KEY_K KEY_L KEY_Z KEY_X KEY_C KEY_V KEY_B KEY_N KEY_M BTN_LEFT BTN_RIGHT BTN_MIDDLE",
        "rel REL_X REL_Y REL_HWHEEL REL_DIAL REL_WHEEL", "abs ABS_X 0 1022 0 0 12", "abs ABS_Y 0 487 0 0 12",
        "abs ABS_VOLUME 0 1023 0 0 0", "abs ABS_MISC 0 255 0 0 0",
      ]),
    // absolute mouse with 16 buttons.
    RealDevice(
      "VMware VMware Virtual USB Mouse", id: "0x03 0xe0f 0x03 1", kind: "absolute-pointer",
      says: "absolute mouse", way: .button("BTN_LEFT"), x: 0...32767, y: 0...32767,
      lines: [
        "key BTN_LEFT BTN_RIGHT BTN_MIDDLE BTN_SIDE BTN_EXTRA BTN_FORWARD BTN_BACK BTN_TASK 280 281 282 283 284 285 286 287",
        "rel REL_WHEEL REL_HWHEEL", "abs ABS_X 0 32767 0 0 0", "abs ABS_Y 0 32767 0 0 0",
      ]),
    // 10 slots, resolution given, range differs from display.
    RealDevice(
      "Wacom Cintiq 13 HD touch Finger", id: "0x3 0x56a 0x335 1", kind: "multitouch", says: "10 slots",
      way: .slots, x: 0...2937, y: 0...1652,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 2937 0 0 10", "abs ABS_Y 0 1652 0 0 10",
        "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_TOUCH_MAJOR 0 2937 0 0 0",
        "abs ABS_MT_WIDTH_MAJOR 0 2937 0 0 0", "abs ABS_MT_WIDTH_MINOR 0 1652 0 0 0",
        "abs ABS_MT_ORIENTATION 0 1 0 0 0", "abs ABS_MT_POSITION_X 0 2937 0 0 10",
        "abs ABS_MT_POSITION_Y 0 1652 0 0 10", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
        "abs ABS_MISC 0 0 0 0 0",
      ]),
    // table-top panel, 27"; MSC_TIMESTAMP.
    RealDevice(
      "Advanced Silicon S.A. CoolTouch® System", id: "0x3 0x2575 0x0204 1", kind: "multitouch",
      says: "5 slots", way: .slots, x: 0...32767, y: 0...32767,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_MT_SLOT 0 4 0 0 0",
        "abs ABS_X 0 32767 0 0 55", "abs ABS_Y 0 32767 0 0 98", "abs ABS_MT_POSITION_X 0 32767 0 0 55",
        "abs ABS_MT_POSITION_Y 0 32767 0 0 98", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // REL mouse with MOUSE_DPI udev property.
    RealDevice(
      "Low DPI Mouse", id: "0x3 0x1 0x1 1", kind: "relative-pointer", says: "It is a mouse", way: .mouse,
      lines: [
        "key BTN_LEFT BTN_RIGHT BTN_MIDDLE",
        "rel REL_X REL_Y REL_WHEEL REL_WHEEL_HI_RES REL_HWHEEL REL_HWHEEL_HI_RES",
      ]),
    // PS/2 mouse.
    RealDevice(
      "ImExPS/2 Generic Explorer Mouse", id: "0x11 0x0002 0x0006 1", kind: "relative-pointer",
      says: "It is a mouse", way: .mouse,
      lines: ["key BTN_LEFT BTN_RIGHT BTN_MIDDLE BTN_SIDE BTN_EXTRA", "rel REL_X REL_Y REL_WHEEL REL_HWHEEL"]),
    // range == pixels 800x480, 10 slots, MT_TOOL_TYPE.
    RealDevice(
      "Atmel maXTouch Touchscreen", id: "0x0018 0x0000 0x0000 1", kind: "multitouch", says: "10 slots",
      way: .slots, x: 0...799, y: 0...479,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 799 0 0 0", "abs ABS_Y 0 479 0 0 0",
        "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_POSITION_X 0 799 0 0 0", "abs ABS_MT_POSITION_Y 0 479 0 0 0",
        "abs ABS_MT_TOOL_TYPE 0 2 0 0 0", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
        "abs ABS_MT_DISTANCE 0 1 0 0 0",
      ]),
    // HID panel with ABS_MT_DISTANCE, TOOL_X/Y.
    RealDevice(
      "ELAN CANDO Windows7", id: "0x0003 0x04f3 0x0732 1", kind: "multitouch", says: "10 slots", way: .slots,
      x: 0...3008, y: 0...1856,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 3008 0 0 0", "abs ABS_Y 0 1856 0 0 0",
        "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_TOUCH_MAJOR 0 255 0 0 0",
        "abs ABS_MT_TOUCH_MINOR 0 255 0 0 0", "abs ABS_MT_ORIENTATION 0 1 0 0 0",
        "abs ABS_MT_POSITION_X 0 3008 0 0 0", "abs ABS_MT_POSITION_Y 0 1856 0 0 0",
        "abs ABS_MT_TRACKING_ID 0 65535 0 0 0", "abs ABS_MT_DISTANCE 0 1 0 0 0",
        "abs ABS_MT_TOOL_X 0 3008 0 0 0", "abs ABS_MT_TOOL_Y 0 1856 0 0 0",
      ]),
    // optical; Max 1920/1080 (not 1919/1079); recordings of hover and of a touch on the left edge
    // where X never goes below 116.
    RealDevice(
      "QUANTA OpticalTouchScreen", id: "0x0003 0x0408 0x3001 1", kind: "multitouch", says: "10 slots",
      way: .slots, x: 0...1920, y: 0...1080,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 1920 0 0 0", "abs ABS_Y 0 1080 0 0 0",
        "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_POSITION_X 0 1920 0 0 0",
        "abs ABS_MT_POSITION_Y 0 1080 0 0 0", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // infrared frame 0..32767, 2 slots, descriptor has EV_KEY but no key at all (no BTN_TOUCH).
    RealDevice(
      "Beijing IRTOUCHSYSTEMS Co.,LtD IRTOUCH InfraRed USB TouchScreen", id: "0x0003 0x6615 0x0070 1",
      kind: "multitouch", says: "2 slots", way: .slots, x: 0...32767, y: 0...32767,
      lines: [
        "property INPUT_PROP_DIRECT", "abs ABS_X 0 32767 0 0 0", "abs ABS_Y 0 32767 0 0 0",
        "abs ABS_MT_SLOT 0 1 0 0 0", "abs ABS_MT_POSITION_X 0 32767 0 0 0",
        "abs ABS_MT_POSITION_Y 0 32767 0 0 0", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // 2-slot laptop panel, many recordings.
    RealDevice(
      "Wacom ISDv4 E6 Finger", id: "0x0003 0x056a 0x00e6 1", kind: "multitouch", says: "2 slots", way: .slots,
      x: 0...2776, y: 0...1569,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 2776 4 0 0", "abs ABS_Y 0 1569 4 0 0",
        "abs ABS_MT_SLOT 0 1 0 0 0", "abs ABS_MT_POSITION_X 0 2776 0 0 0",
        "abs ABS_MT_POSITION_Y 0 1569 0 0 0", "abs ABS_MT_TOOL_TYPE 0 1 0 0 0",
        "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // mode buttons held at start (keys already down at open).
    RealDevice(
      "Saitek Cyborg R.A.T.5 Mouse", id: "0x0003 0x06a3 0x0cc3 1", kind: "relative-pointer",
      says: "It is a mouse", way: .mouse,
      lines: [
        "key BTN_LEFT BTN_RIGHT BTN_MIDDLE BTN_SIDE BTN_EXTRA BTN_FORWARD BTN_BACK BTN_TASK 280 281 282 283 284",
        "rel REL_X REL_Y REL_WHEEL",
      ]),
    // absolute VM mouse with recording.
    RealDevice(
      "QEMU 0.12.1 QEMU USB Tablet", id: "0x0003 0x0627 0x0001 1", kind: "absolute-pointer",
      says: "absolute mouse", way: .button("BTN_LEFT"), x: 0...32767, y: 0...32767,
      lines: [
        "key BTN_LEFT BTN_RIGHT BTN_MIDDLE", "rel REL_WHEEL", "abs ABS_X 0 32767 0 0 0",
        "abs ABS_Y 0 32767 0 0 0",
      ]),
    // same name, 10 slots; GHOST touches ~2.2/s with nobody touching, at (799,479) and sometimes at
    // (499,-3616): values outside declared range.
    RealDevice(
      "generic ft5x06 (00) [kernel 2021-11]", id: "0x18 0x0 0x0 1", kind: "multitouch", says: "10 slots",
      way: .slots, x: 0...799, y: 0...479,
      lines: [
        "key BTN_TOUCH", "abs ABS_X 0 799 0 0 0", "abs ABS_Y 0 479 0 0 0", "abs ABS_MT_SLOT 0 9 0 0 0",
        "abs ABS_MT_POSITION_X 0 799 0 0 0", "abs ABS_MT_POSITION_Y 0 479 0 0 0",
        "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // USB single touch, no PROP_DIRECT, same VID:PID as the multitouch one below.
    RealDevice(
      "eGalax Inc. USB TouchController (fw 0x100)", id: "0x3 0x0eef 0x0001 1", kind: "single-touch",
      says: "BTN_TOUCH", way: .button("BTN_TOUCH"), x: 0...2047, y: 0...2047,
      lines: ["key BTN_TOUCH", "abs ABS_X 0 2047 0 0 0", "abs ABS_Y 0 2047 0 0 0"]),
    // range larger than display (4095 on 1920x1080), different resolution per axis (13/24),
    // MSC_TIMESTAMP.
    RealDevice(
      "eGalax Inc. eGalaxTouch EXC7910-1018-13.00.01", id: "0x3 0x0eef 0xa107 1", kind: "multitouch",
      says: "10 slots", way: .slots, x: 0...4095, y: 0...4095,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 4095 0 0 13", "abs ABS_Y 0 4095 0 0 24",
        "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_POSITION_X 0 4095 0 0 13",
        "abs ABS_MT_POSITION_Y 0 4095 0 0 24", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // HDMI touch monitor = absolute mouse: BTN_LEFT + ABS_X/Y + MSC_SCAN 0x90001, no MT; ranges not
    // in excerpt (values 4183..6210 seen).
    RealDevice(
      "waveshare HDMI/VGA/AV RTD2660H Viedo Board", id: "0x3 0x0483 0x5710 1", kind: "absolute-pointer",
      says: "absolute mouse", way: .button("BTN_LEFT"), x: 0...32767, y: 0...32767,
      lines: ["key BTN_LEFT", "abs ABS_X 0 32767 0 0 0", "abs ABS_Y 0 32767 0 0 0", "bit EV_MSC MSC_SCAN"]),
    // large range, MSC_TIMESTAMP, second sibling node "... Mouse" must be ignored.
    RealDevice(
      "ILITEK Multi-Touch-V3000", id: "0x3 0x222a 0x0001 1", kind: "multitouch", says: "10 slots",
      way: .slots, x: 0...16384, y: 0...9600,
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 16384 0 0 31", "abs ABS_Y 0 9600 0 0 32",
        "abs ABS_MT_SLOT 0 9 0 0 0", "abs ABS_MT_POSITION_X 0 16384 0 0 31",
        "abs ABS_MT_POSITION_Y 0 9600 0 0 32", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // i.MX resistive ADC controller: single touch, no pressure axis, no PROP_DIRECT, bus HOST
    // (0x19).
    RealDevice(
      "iMX6UL Touchscreen Controller", id: "0x19 0x0 0x0 1", kind: "single-touch", says: "BTN_TOUCH",
      way: .button("BTN_TOUCH"), x: 0...4095, y: 0...4095,
      lines: ["key BTN_TOUCH", "abs ABS_X 0 4095 0 0 0", "abs ABS_Y 0 4095 0 0 0"]),
    // one frame contains BTN_TOUCH 1, X, Y, MSC_SCAN, BTN_TOUCH 0: down AND up inside the same
    // SYN_REPORT; ABS_WHEEL etc. garbage axes.
    RealDevice(
      "PenMount 1610 (name not in excerpt)", id: "0x18 0 0 1", kind: "single-touch", says: "BTN_TOUCH",
      way: .oneFrame("BTN_TOUCH"), x: 0...4095, y: 0...4095,
      lines: [
        "key BTN_TOUCH", "abs ABS_X 0 4095 0 0 0", "abs ABS_Y 0 4095 0 0 0", "abs ABS_WHEEL 0 255 0 0 0",
        "bit EV_MSC MSC_SCAN",
      ]),
    // driver LIES: declared X 0..480,Y 0..272; measured X follows the vertical axis inverted (243
    // top..16 bottom), Y follows the horizontal (17..470): declared range transposed; clamping to
    // range loses 60 % of the panel.
    RealDevice(
      "FLSUN T1 Pro panel (RV1126)", id: "0x18 0 0 1", kind: "multitouch", says: "protocol A", way: .list,
      x: 0...480, y: 0...272, calibration: "[0, 0.60265, -0.037528, -2.118943, 0, 1.070485]",
      corners: [(243, 17), (243, 470), (16, 17), (16, 470), (130, 243)], complaint: "the wrong way round",
      lines: ["abs ABS_MT_POSITION_X 0 480 0 0 0", "abs ABS_MT_POSITION_Y 0 272 0 0 0"]),
    // protocol A with TRACKING_ID + SYN_MT_REPORT, TOOL_TYPE first; 32-bit 16-byte input_event
    // hexdump in thread; X=458,Y=1 at top-left (axis X inverted).
    RealDevice(
      "Creality K1 Max touch", id: "0x18 0 0 1", kind: "multitouch", says: "protocol A", way: .listWithIDs,
      x: 0...479, y: 0...399, calibration: "[-1, 0, 1, 0, 1, 0]",
      corners: [(479, 0), (1, 0), (479, 399), (1, 399), (240, 200)],
      lines: [
        "key BTN_TOUCH", "abs ABS_MT_POSITION_X 0 479 0 0 0", "abs ABS_MT_POSITION_Y 0 399 0 0 0",
        "abs ABS_MT_TOOL_TYPE 0 2 0 0 0", "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // max == width (1080) not width-1: off-by-one at the right edge; 15 slots.
    RealDevice(
      "s6sy761", id: "0x18 0x0 0x0 1", kind: "multitouch", says: "15 slots", way: .slots, x: 0...1080,
      y: 0...2160,
      lines: [
        "key BTN_TOUCH", "abs ABS_X 0 1080 0 0 0", "abs ABS_Y 0 2160 0 0 0", "abs ABS_MT_SLOT 0 14 0 0 0",
        "abs ABS_MT_POSITION_X 0 1080 0 0 0", "abs ABS_MT_POSITION_Y 0 2160 0 0 0",
        "abs ABS_MT_TRACKING_ID 0 65535 0 0 0", "abs ABS_PRESSURE 0 255 0 0 0",
        "abs ABS_MT_TOUCH_MAJOR 0 255 0 0 0", "abs ABS_MT_TOUCH_MINOR 0 255 0 0 0",
        "abs ABS_MT_PRESSURE 0 255 0 0 0",
      ]),
    // axes swapped against the display (user needs swap).
    RealDevice(
      "unnamed 640x480 panel (FT5x06-like, Raspberry Pi)", id: "0x18 0 0 1", kind: "multitouch",
      says: "5 slots", way: .slots, x: 0...639, y: 0...479, calibration: "[0, 1, 0, 1, 0, 0]",
      corners: [(0, 0), (0, 479), (639, 0), (639, 479), (320, 240)],
      lines: [
        "abs ABS_X 0 639 0 0 0", "abs ABS_Y 0 479 0 0 0", "abs ABS_MT_SLOT 0 4 0 0 0",
        "abs ABS_MT_TOUCH_MAJOR 0 255 0 0 0", "abs ABS_MT_WIDTH_MAJOR 0 255 0 0 0",
        "abs ABS_MT_POSITION_X 0 639 0 0 0", "abs ABS_MT_POSITION_Y 0 479 0 0 0",
        "abs ABS_MT_TRACKING_ID 0 65535 0 0 0",
      ]),
    // DATA: 18-line ts_test log with two pressure-drop spikes (x 591 and 447 among ~150 when
    // pressure falls to 112/151 from ~260): pressure-threshold filter test vector.
    RealDevice(
      "resistive panel, tslib log (x y pressure only)", id: "0x18 0 0 1", kind: "single-touch",
      says: "ABS_PRESSURE says when", way: .pressure, x: 0...4095, y: 0...4095,
      lines: ["abs ABS_X 0 4095 0 0 0", "abs ABS_Y 0 4095 0 0 0", "abs ABS_PRESSURE 0 255 0 0 0"]),
  ]
}
