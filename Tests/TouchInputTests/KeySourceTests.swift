import Testing
import TouchCore

@testable import TouchInput

/// What devices' keys become.
@Suite
struct KeySourceTests {
  private static let letters = Set([UInt16](1...83))

  private func capabilities(
    keys: Set<UInt16> = [], rel: Set<UInt16> = [], axes: [UInt16] = [], lights: Set<UInt16> = []
  ) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities()
    capabilities.keys = keys
    capabilities.relativeAxes = rel
    if !lights.isEmpty { capabilities.otherCodes[EventCode.led] = lights }
    for axis in axes { capabilities.axes[axis] = AxisRange(minimum: -1, maximum: 1) }
    return capabilities
  }

  private func source(
    _ capabilities: DeviceCapabilities, pressed: Set<UInt16> = [], layout: String = "us",
    variant: String? = nil, options: String? = nil, numLock: Bool = true
  ) throws -> KeySource {
    var settings = KeyboardSettings()
    (settings.layout, settings.variant) = (layout, variant)
    (settings.options, settings.numLock) = (options, numLock)
    return try #require(
      KeySource(
        device: DeviceID(rawValue: 1), capabilities: capabilities, pressed: pressed, settings: settings))
  }

  /// What frames of events do, in words.
  private func play(
    _ source: KeySource, _ events: [(type: UInt16, code: UInt16, value: Int32)],
    cause: InputFrame.Cause = .report
  ) -> [String] {
    events.flatMap { event -> [String] in
      source.apply(
        InputFrame(
          cause: cause, events: [RawEvent(type: event.type, code: event.code, value: event.value)]))
      return source.changes.map { "\($0.kind) \($0.key.keyCode.name)" }
    }
  }

  @Test(
    arguments: [
      ("a keyboard", Set(1...83), [], [], .keyboard),
      ("four buttons of a board", [59, 60, 61, 62], [], [], .buttons),
      ("a power button", [116], [], [], nil), ("a lid's and a bus's keys", [142, 143], [], [], nil),
      ("a knob with a button", [28], [7], [], .encoder), ("a bare knob", [], [8], [], .encoder),
      ("a knob by its driver's default axis", [], [0], [], .encoder),
      ("a mouse", [0x110, 0x111], [0, 1, 8], [], nil),
      ("a remote control", [0x160, 103, 108, 158], [], [], .remote),
      ("a game controller", [0x130, 0x131], [], [0x10, 0x11], .gamepad),
      ("a touchscreen", [0x14a], [], [0, 1], nil),
      ("a touchscreen with keys", [0x14a, 158], [], [0, 1], .buttons),
      ("a pen", [0x140, 0x14a, 0x14b], [], [0, 1], nil),
    ] as [(String, Set<UInt16>, Set<UInt16>, [UInt16], KeyRole?)])
  func `what the keys of a device are for`(
    _ name: String, _ keys: Set<UInt16>, _ rel: Set<UInt16>, _ axes: [UInt16], _ role: KeyRole?
  ) {
    #expect(KeyRole(capabilities(keys: keys, rel: rel, axes: axes)) == role, "\(name)")
  }

  @Test
  func `a key goes down, repeats and comes up`() throws {
    let source = try source(capabilities(keys: [59]))
    #expect(play(source, [(1, 59, 1), (1, 59, 2), (1, 59, 0)]) == ["began f1", "repeated f1", "ended f1"])
  }

  @Test
  func `the digits of a remote control and of a box of digits type, whatever the layout`() throws {
    for layout in ["us", "fr"] {
      let remote = try source(capabilities(keys: [0x160, 0x200, 0x209, 0x20b]), layout: layout)
      let box = try source(capabilities(keys: [71, 82, 96]), layout: layout)
      func typed(_ source: KeySource, _ codes: [UInt16]) -> String {
        codes.map { code in
          source.apply(InputFrame(events: [RawEvent(type: 1, code: code, value: 1)]))
          return source.changes.map(\.key.insertedText).joined()
        }.joined()
      }
      #expect(typed(remote, [0x200, 0x209, 0x20b, 0x160]) == "09#")
      #expect(typed(box, [71, 82]) == "70")
    }
    #expect((0x200...0x209).map { KeyCode(rawValue: $0).plainText } == (0...9).map { String($0) })
    let keypad: [UInt16] = [82, 79, 80, 81, 75, 76, 77, 71, 72, 73]
    #expect(keypad.map { KeyCode(rawValue: $0).plainText } == (0...9).map { String($0) })
  }

  @Test
  func `a key that was down when it was opened is not heard until it comes up`() throws {
    let source = try source(capabilities(keys: [59]), pressed: [59])
    #expect(play(source, [(1, 59, 2), (1, 59, 0)]) == [])
    #expect(play(source, [(1, 59, 1)]) == ["began f1"])
  }

  @Test
  func `an end that was lost in an overrun is a cancellation`() throws {
    let source = try source(capabilities(keys: [59]))
    #expect(play(source, [(1, 59, 1)]) == ["began f1"])
    #expect(play(source, [(1, 59, 0)], cause: .resync) == ["cancelled f1"])
  }

  @Test
  func `a device that goes breaks its keys off`() throws {
    let source = try source(capabilities(keys: [59, 60]))
    #expect(play(source, [(1, 60, 1), (1, 59, 1)]) == ["began f2", "began f1"])
    source.cancelAll()
    #expect(source.changes.map(\.kind) == [.cancelled, .cancelled])
    #expect(play(source, [(1, 59, 2), (1, 59, 0)]) == [])
  }

  @Test
  func `each step of a knob is down and up at once`() throws {
    let source = try source(capabilities(keys: [28], rel: [7]))
    let right = ["began turn_right", "ended turn_right"]
    #expect(play(source, [(2, 7, 2)]) == right + right)
    #expect(play(source, [(2, 7, -1)]) == ["began turn_left", "ended turn_left"])
    // A driver that has lost its mind turns no more than anybody could.
    #expect(play(source, [(2, 7, .min)]).count == 128)
  }

  @Test
  func `a hat is four keys`() throws {
    let source = try source(capabilities(keys: [0x130], axes: [0x10, 0x11]))
    #expect(
      play(source, [(3, 0x10, -1), (3, 0x10, 1), (3, 0x10, 0)]) == [
        "began left", "ended left", "began right", "ended right",
      ])
    #expect(play(source, [(3, 0x11, -1), (3, 0x11, -1), (3, 0x11, 0)]) == ["began up", "ended up"])
  }

  @Test
  func `what a wheel of a mouse turns is no key`() throws {
    let source = try source(capabilities(keys: Self.letters, rel: [0, 1, 8]))
    #expect(play(source, [(2, 8, 1)]) == [])
  }

  /// The letters of layouts: xkeyboard-config's `us`, `de` and `de(nodeadkeys)`.
  @Test(
    arguments: [
      ("us", nil, [(UInt16(30), "a"), (44, "z"), (26, "["), (57, " ")]),
      ("de", nil, [(30, "a"), (44, "y"), (26, "ü"), (12, "ß")]),
      ("de", "nodeadkeys", [(13, "´")]), ("ru", nil, [(30, "ф")]), ("gr", nil, [(30, "α")]),
    ] as [(String, String?, [(UInt16, String)])])
  func `keys type what their layout says`(_ layout: String, _ variant: String?, _ keys: [(UInt16, String)])
    throws
  {
    let source = try source(capabilities(keys: Self.letters), layout: layout, variant: variant)
    for (code, text) in keys {
      _ = play(source, [(1, code, 1)])
      #expect(source.changes.first?.key.characters == text)
      _ = play(source, [(1, code, 0)])
    }
    #expect(source.takeProblem() == nil)
  }

  @Test
  func `shift, caps lock and ctrl change what a key types, and are told`() throws {
    let source = try source(capabilities(keys: Self.letters))
    _ = play(source, [(1, 42, 1), (1, 30, 1)])
    #expect(
      source.changes.first?.key
        == Key(
          KeyCode(rawValue: 30), characters: "A", charactersIgnoringModifiers: "a", modifierFlags: .shift))
    _ = play(source, [(1, 30, 0), (1, 42, 0), (1, 29, 1), (1, 30, 1)])
    #expect(source.changes.first?.key.modifierFlags == .control)
    #expect(source.changes.first?.key.insertedText == "")
    _ = play(source, [(1, 30, 0), (1, 29, 0), (1, 58, 1), (1, 58, 0), (1, 30, 1)])
    #expect(source.changes.first?.key.characters == "A")
    #expect(source.changes.first?.key.modifierFlags == .alphaShift)
  }

  @Test
  func `a dead key waits for its letter`() throws {
    let source = try source(capabilities(keys: Self.letters), layout: "de")
    _ = play(source, [(1, 13, 1)])
    #expect(source.changes.first?.key.characters == "")
    _ = play(source, [(1, 13, 0), (1, 18, 1)])
    #expect(source.changes.first?.key.characters == "é")
  }

  @Test
  func `a layout that does not exist is said once, and letters are typed all the same`() throws {
    let source = try source(capabilities(keys: Self.letters), layout: "klingon")
    _ = play(source, [(1, 30, 1)])
    #expect(source.changes.first?.key.characters == "a")
    #expect(source.takeProblem()?.contains("klingon") == true)
    #expect(source.takeProblem() == nil)
  }

  @Test
  func `ctrl, alt and a function key ask for a terminal, and press nothing`() throws {
    let source = try source(capabilities(keys: Self.letters))
    var terminals: [Int32] = []
    source.onTerminal = { terminals.append($0) }
    _ = play(source, [(1, 29, 1), (1, 56, 1)])
    #expect(play(source, [(1, 60, 1), (1, 60, 2), (1, 60, 0)]) == [])
    #expect(terminals == [2])
  }

  @Test
  func `the system's layout is that of its defaults file`() {
    let settings = KeyboardSettings(
      defaultsFile:
        "# KEYBOARD\nXKBMODEL=\"pc105\"\nXKBLAYOUT='de,us'\nXKBVARIANT=\"\"\nXKBOPTIONS=caps:escape \n")
    #expect(settings.layout == "de,us" && settings.variant == nil)
    #expect(settings.model == "pc105" && settings.options == "caps:escape")
  }

  /// What pressing and lifting keys types, or the names of keys that type nothing.
  private func typed(_ source: KeySource, _ codes: [UInt16]) -> String {
    codes.map { code in
      _ = play(source, [(1, code, 1)])
      let key = source.changes.first?.key
      _ = play(source, [(1, code, 0)])
      let text = key?.insertedText ?? ""
      return text.isEmpty ? "<\(key?.keyCode.name ?? "")>" : text
    }.joined()
  }

  /// KEY_KP1, KEY_KP0, KEY_KPDOT, KEY_KPSLASH, KEY_KPASTERISK, KEY_KPPLUS.
  private static let keypad: [UInt16] = [79, 82, 83, 98, 55, 78]

  @Test
  func `a keypad types digits until num lock is pressed, and then moves`() throws {
    for keys in [Set(UInt16(1)...111), Set([55, 69, 96, 98] + [UInt16](71...83))] {
      let source = try source(capabilities(keys: keys))
      #expect(typed(source, Self.keypad) == "10./*+")
      #expect(typed(source, [69, 79, 72, 69, 79]) == "<numlock><end><up><numlock>1")
    }
  }

  @Test
  func `num lock is off where the file says so, unless no key could switch it on`() throws {
    let keyboard = try source(capabilities(keys: Set(1...111)), numLock: false)
    #expect(typed(keyboard, [79, 80, 69, 79]) == "<end><down><numlock>1")
    let box = try source(capabilities(keys: [79, 80]), numLock: false)
    #expect(typed(box, [79, 80]) == "12")
  }

  @Test
  func `the lights of a keyboard follow its locks`() throws {
    let source = try source(capabilities(keys: Set(1...111), lights: [0, 1]))
    let first = source.takeLights()
    #expect(first?.on == [0] && first?.off == [1])
    #expect(source.takeLights() == nil)
    _ = typed(source, [30])
    #expect(source.takeLights() == nil)
    _ = typed(source, [58])
    #expect(source.takeLights()?.on == [0, 1])
    _ = typed(source, [69])
    #expect(source.takeLights()?.on == [1])
    #expect(try self.source(capabilities(keys: Set(1...111))).takeLights() == nil)
  }

  @Test(
    arguments: [
      ("caps:escape", UInt16(58), "esc"), ("caps:swapescape", 1, "capslock"),
      ("caps:backspace", 58, "backspace"),
      ("ctrl:swapcaps", 58, "leftctrl"), ("numpad:mac", 79, "kp1"), ("caps:none", 58, "capslock"),
    ])
  func `a key is what its layout makes of it`(_ options: String, _ code: UInt16, _ name: String) throws {
    let source = try source(capabilities(keys: Set(1...111)), options: options)
    #expect(play(source, [(1, code, 1), (1, code, 0)]) == ["began \(name)", "ended \(name)"])
    // A key that writes is known by its place, whatever the letter.
    #expect(
      play(try self.source(capabilities(keys: Self.letters), layout: "de"), [(1, 44, 1)]) == ["began z"])
  }

  /// The kernel's `rotary_encoder.c` with 24 steps: round, from 23 to 0, or from 0 to 24 without `rollover`.
  @Test(
    arguments: [
      ([1, 2, 3], "rrr"), ([1, 0], "rl"), ([23, 22], "ll"), ([23, 0, 1], "lrr"), ([24, 23], "ll"),
      ([3], "rrr"),
      ([12, 24], String(repeating: "r", count: 24)), ([20], "llll"),
    ])
  func `a knob that reports where it stands turns in steps, the shorter way round`(
    _ places: [Int32], _ steps: String
  ) throws {
    var capabilities = capabilities()
    capabilities.axes[0] = AxisRange(minimum: 0, maximum: 24)
    #expect(KeyRole(capabilities) == .encoder)
    #expect(DeviceClassifier.classify(capabilities).reason.contains("24 places"))
    let source = try source(capabilities)
    let turns = play(source, places.map { (3, 0, $0) }).filter { $0.hasPrefix("began") }
    #expect(turns.map { $0.hasSuffix("right") ? "r" : "l" }.joined() == steps)
  }

  @Test(
    arguments: [
      ("a potentiometer", [0: (0, 4095)], [], []), ("a switch", [0: (0, 1)], [], []),
      ("a touchscreen", [0: (0, 24), 1: (0, 24)], [], []), ("a tablet's ring", [8: (0, 71)], [], [0]),
      ("a light sensor", [0x28: (0, 255)], [], []), ("a strip with a button", [0: (0, 255)], [0x14a], []),
      ("an axis without an end", [0: (.min, .max)], [], []),
    ] as [(String, [UInt16: (Int32, Int32)], Set<UInt16>, Set<UInt16>)])
  func `not every axis is a knob's`(
    _ name: String, _ axes: [UInt16: (Int32, Int32)], _ keys: Set<UInt16>, _ properties: Set<UInt16>
  ) {
    var capabilities = capabilities(keys: keys)
    for (code, range) in axes { capabilities.axes[code] = AxisRange(minimum: range.0, maximum: range.1) }
    capabilities.properties = properties
    #expect(KeyRole(capabilities) != .encoder, "\(name)")
  }
}
