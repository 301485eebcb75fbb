/// A key by the kernel's number: `KEY_…`, `BTN_…`. It is the place on the keyboard, whatever letter the
/// layout puts there. (`UIKeyboardHIDUsage`.)
public struct KeyCode: RawRepresentable, Hashable, Sendable {
  /// The kernel's number; from 0x1000 on, a key that has none there. (kernel `input-event-codes.h`)
  public var rawValue: UInt16

  /// Makes a key code of the kernel's number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Finds a key by its name in a file or a request: `enter`, `F1`, `volumeup`. Upper case counts as lower
  /// case.
  ///
  /// - Returns: nil for a name that no key has.
  public init?(name: String) {
    guard let code = KeyNames.table.codes[name.lowercased()] else { return nil }
    rawValue = code
  }

  /// The name in files, traces and requests; `key 700` for a key that the kernel does not name.
  public var name: String { KeyNames.table.names[rawValue] ?? "key \(rawValue)" }

  /// The key's text on a plain keyboard without modifiers: a letter, digit or space; else empty.
  package var plainText: String {
    switch self {
    case .space: " "
    case .enter, .keypadEnter: "\r"
    default: digit ?? (name.count == 1 ? name : "")
    }
  }

  /// The text of a key of a keypad or of a remote control, whatever the layout; nil for any other key.
  package var digit: String? {
    switch rawValue {
    // KEY_NUMERIC_0 to 9
    case 0x200...0x209: String(rawValue - 0x200)
    // KEY_NUMERIC_STAR and KEY_NUMERIC_POUND
    case 0x20a: "*"
    case 0x20b: "#"
    // KEY_KP7 to 9, KEY_KP4 to 6, KEY_KP1 to 3, KEY_KP0
    case 71...73: String(rawValue - 64)
    case 75...77: String(rawValue - 71)
    case 79...81: String(rawValue - 78)
    case 82: "0"
    default: nil
    }
  }

  package static var allNames: [String] { KeyNames.table.codes.keys.sorted() }

  /// `KEY_ESC`
  public static let escape = KeyCode(rawValue: 1)
  /// `KEY_BACKSPACE`
  public static let backspace = KeyCode(rawValue: 14)
  /// `KEY_TAB`
  public static let tab = KeyCode(rawValue: 15)
  /// `KEY_ENTER`
  public static let enter = KeyCode(rawValue: 28)
  /// `KEY_SPACE`
  public static let space = KeyCode(rawValue: 57)
  /// `KEY_KPENTER`
  public static let keypadEnter = KeyCode(rawValue: 96)
  /// `KEY_HOME`
  public static let home = KeyCode(rawValue: 102)
  /// `KEY_END`
  public static let end = KeyCode(rawValue: 107)
  /// `KEY_DELETE`, which deletes forward.
  public static let deleteForward = KeyCode(rawValue: 111)
  /// `KEY_UP`
  public static let up = KeyCode(rawValue: 103)
  /// `KEY_LEFT`
  public static let left = KeyCode(rawValue: 105)
  /// `KEY_RIGHT`
  public static let right = KeyCode(rawValue: 106)
  /// `KEY_DOWN`
  public static let down = KeyCode(rawValue: 108)
  /// A clockwise step of an encoder. It goes down and up at once.
  public static let turnRight = KeyCode(rawValue: 0x1000)
  /// A counterclockwise step of an encoder.
  public static let turnLeft = KeyCode(rawValue: 0x1001)
}

/// The modifier keys that are down. (`UIKeyModifierFlags`.)
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// One bit for each modifier.
  public var rawValue: UInt8

  /// Makes a set of its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Caps lock is on.
  public static let alphaShift = KeyModifiers(rawValue: 1)
  /// Either shift key.
  public static let shift = KeyModifiers(rawValue: 2)
  /// Either control key.
  public static let control = KeyModifiers(rawValue: 4)
  /// Alt, but not the key for the third letter of a key. (Option.)
  public static let alternate = KeyModifiers(rawValue: 8)
  /// The logo key, Super or Meta.
  public static let command = KeyModifiers(rawValue: 16)

  /// The modifiers that turn a key into a command, and not just into another letter.
  package static let commanding: KeyModifiers = [.control, .alternate, .command]
  /// The modifiers that a command may name. Caps lock is not among them.
  static let named: [(name: String, modifier: KeyModifiers)] = [
    ("ctrl", .control), ("alt", .alternate), ("shift", .shift), ("meta", .command),
  ]

  /// The names in events of the modifiers that are down, in a fixed order.
  package var names: [String] {
    Self.named.compactMap { contains($0.modifier) ? $0.name : nil } + (contains(.alphaShift) ? ["caps"] : [])
  }
}

/// A pressed key and the text that it types. (`UIKey`.)
public struct Key: Hashable, Sendable {
  /// The key's code.
  public var keyCode: KeyCode
  /// The text of the key with its modifiers; empty for a key that types nothing. (`UIKey.characters`.)
  public var characters: String
  /// The text of the key without modifiers. (`UIKey.charactersIgnoringModifiers`.)
  public var charactersIgnoringModifiers: String
  /// The modifiers that are down. (`UIKey.modifierFlags`.)
  public var modifierFlags: KeyModifiers

  /// Makes a key; by default it types nothing.
  public init(
    _ keyCode: KeyCode, characters: String = "", charactersIgnoringModifiers: String? = nil,
    modifierFlags: KeyModifiers = []
  ) {
    (self.keyCode, self.characters) = (keyCode, characters)
    self.charactersIgnoringModifiers = charactersIgnoringModifiers ?? characters
    self.modifierFlags = modifierFlags
  }

  /// The text that the key inserts into a field; empty for commands and keys without a letter.
  package var insertedText: String {
    guard modifierFlags.isDisjoint(with: .commanding),
      !characters.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
    else { return "" }
    return characters
  }
}

/// A key with its modifiers, by its name in a file: `F1`, `ctrl+s`. (`UIKeyCommand`.)
public struct KeyCommand: Hashable, Sendable {
  /// The key's code.
  public var keyCode: KeyCode
  /// The modifiers that must be down, and no others apart from caps lock.
  public var modifierFlags: KeyModifiers

  /// Makes a command of a key and its modifiers. (`UIKeyCommand.init(input:modifierFlags:action:)`.)
  public init(_ keyCode: KeyCode, modifierFlags: KeyModifiers = []) {
    (self.keyCode, self.modifierFlags) = (keyCode, modifierFlags)
  }

  /// Finds a command by its name.
  ///
  /// - Returns: nil for a name that no key has; see `KeyCode.init(name:)`.
  public init?(name: String) {
    var modifiers: KeyModifiers = []
    var rest = name.lowercased()[...]
    while let plus = rest.firstIndex(of: "+") {
      let head = rest[..<plus]
      guard let modifier = KeyModifiers.named.first(where: { $0.name == head })?.modifier else { return nil }
      modifiers.insert(modifier)
      rest = rest[rest.index(after: plus)...]
    }
    guard let code = KeyCode(name: String(rest)) else { return nil }
    self.init(code, modifierFlags: modifiers)
  }

  /// The name in a file.
  public var name: String {
    (KeyModifiers.named.compactMap { modifierFlags.contains($0.modifier) ? $0.name : nil } + [keyCode.name])
      .joined(separator: "+")
  }

  /// Whether a pressed key is this command.
  public func matches(_ key: Key) -> Bool {
    keyCode == key.keyCode && modifierFlags == key.modifierFlags.subtracting(.alphaShift)
  }
}
