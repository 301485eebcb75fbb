import TouchCore

/// The keys that type a text with a layout: the reverse of `KeyLayout`.
struct KeyStrokes {
  struct Stroke: Hashable {
    var code: UInt16
    var held: [UInt16] = []

    /// The frames of a keyboard: a change each, in the order of a hand, and every key comes up.
    var frames: [InputFrame] {
      let codes = held + [code]
      return codes.map { Self.frame($0, 1) } + codes.reversed().map { Self.frame($0, 0) }
    }

    private static func frame(_ code: UInt16, _ value: Int32) -> InputFrame {
      InputFrame(events: [RawEvent(type: EventCode.key, code: code, value: value)])
    }
  }

  private let strokes: [Character: Stroke]
  /// The reason why the letters are plain ones, without a layout.
  let problem: String?

  /// KEY_LEFTSHIFT and KEY_RIGHTALT. The latter is AltGr in layouts with a third letter on a key.
  private static let (shift, third): (UInt16, UInt16) = (42, 100)
  /// The keys of a typewriter: digits to KEY_EQUAL, letters with those beside them, KEY_SPACE, KEY_102ND.
  private static let letterCodes: [UInt16] =
    Array(2...13) + Array(16...27) + Array(30...41) + Array(43...53) + [57, 86]
  /// All keys of the kernel's keyboard, with the first 31, without which udev takes it for none. (systemd
  /// `udev-builtin-input_id.c`)
  static let codes = Set(letterCodes + Array(1...31) + [shift, third])

  /// Reads each key's text from a layout, alone and with modifiers. A letter's first key is its easiest.
  init(_ settings: KeyboardSettings) {
    let layout = KeyLayout(settings)
    var strokes: [Character: Stroke] = ["\n": Stroke(code: 28), "\t": Stroke(code: 15)]
    for held in [[], [Self.shift], [Self.third], [Self.shift, Self.third]] {
      for (code, text) in layout.texts(of: Self.letterCodes, holding: held) {
        guard text.count == 1, let letter = text.first, strokes[letter] == nil else { continue }
        strokes[letter] = Stroke(code: code, held: held)
      }
    }
    self.strokes = strokes
    problem = layout.takeProblem()
  }

  subscript(letter: Character) -> Stroke? { strokes[letter] }
}

/// A keyboard that this program makes in the kernel, for every reader of keyboards. Each key comes up at
/// once; if the process dies between two events, the kernel lifts it. (kernel `input_dev_release_keys`)
package final class KernelKeyboard {
  private let device: UinputDevice
  private let settings: KeyboardSettings
  /// The keys, made for the first letter.
  private lazy var strokes = KeyStrokes(settings)

  /// The keyboard's name. A touchtree that reads devices ignores it, or it would read its own text.
  private static let name = "touchtree keyboard"
  private static let virtualBus: UInt16 = 6

  /// Makes it by the layout of its readers, or throws `noUinput`, `notPermitted` or `failed`.
  package init(_ settings: KeyboardSettings) throws(DeviceError) {
    self.settings = settings
    var capabilities = DeviceCapabilities()
    capabilities.keys = KeyStrokes.codes
    device = try UinputDevice(
      DeviceDescription(name: Self.name, bus: Self.virtualBus, capabilities: capabilities))
  }

  package static func made(_ device: DeviceDescription) -> Bool {
    device.name == name && device.bus == virtualBus
  }

  /// The keyboard's node, /dev/input/eventN.
  package var path: String { device.path }
  /// The reason why its letters are plain ones; nil with a layout.
  package var problem: String? { strokes.problem }

  package func has(_ letter: Character) -> Bool { strokes[letter] != nil }

  /// Types the letters that have keys, and returns whether all have. After an error the device is of no use.
  package func type(_ text: String) throws(DeviceError) -> Bool {
    var isWhole = true
    for letter in text {
      if let stroke = strokes[letter.isNewline ? "\n" : letter] {
        try report(stroke)
      } else {
        isWhole = false
      }
    }
    return isWhole
  }

  package func deleteBackward() throws(DeviceError) {
    try report(KeyStrokes.Stroke(code: KeyCode.backspace.rawValue))
  }

  private func report(_ stroke: KeyStrokes.Stroke) throws(DeviceError) {
    for frame in stroke.frames { try device.emit(frame) }
  }
}
