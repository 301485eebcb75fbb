/// Which key it is, by the kernel's number: `KEY_…`, `BTN_…`. It is the place on the keyboard, whatever letter the layout puts there.
/// (`UIKeyboardHIDUsage`.)
public struct KeyCode: RawRepresentable, Hashable, Sendable {
  /// (kernel `input-event-codes.h`; from 0x1000 on, what has no number there.)
  public var rawValue: UInt16

  /// By the kernel's number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The key that a file or a request means: `enter`, `F1`, `volumeup`; upper case counts as lower case.
  ///
  /// - Returns: nil for a name that no key has.
  public init?(name: String) {
    guard let code = KeyNames.table.codes[name.lowercased()] else { return nil }
    rawValue = code
  }

  /// What files, traces and requests call it; `key 700` where the kernel has no name.
  public var name: String { KeyNames.table.names[rawValue] ?? "key \(rawValue)" }

  /// What the key types by itself on a plain keyboard: a letter, a digit, a space; empty for any other key.
  package var plainText: String {
    switch self {
    case .space: " "
    case .enter, .keypadEnter: "\r"
    default: digit ?? (name.count == 1 ? name : "")
    }
  }

  /// What a key of a keypad or of a remote control types, whatever layout there is; nil for any other key.
  package var digit: String? {
    switch rawValue {
    // KEY_NUMERIC_0 to 9.
    case 0x200...0x209: String(rawValue - 0x200)
    // KEY_NUMERIC_STAR and KEY_NUMERIC_POUND.
    case 0x20a: "*"
    case 0x20b: "#"
    // KEY_KP7 to 9, KEY_KP4 to 6, KEY_KP1 to 3, KEY_KP0.
    case 71...73: String(rawValue - 64)
    case 75...77: String(rawValue - 71)
    case 79...81: String(rawValue - 78)
    case 82: "0"
    default: nil
    }
  }

  /// Every name that a key may be given, in the alphabet's order.
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
  /// `KEY_DELETE`, which deletes what follows.
  public static let deleteForward = KeyCode(rawValue: 111)
  /// `KEY_UP`
  public static let up = KeyCode(rawValue: 103)
  /// `KEY_LEFT`
  public static let left = KeyCode(rawValue: 105)
  /// `KEY_RIGHT`
  public static let right = KeyCode(rawValue: 106)
  /// `KEY_DOWN`
  public static let down = KeyCode(rawValue: 108)
  /// A step of an encoder clockwise. It is down and up at once.
  public static let turnRight = KeyCode(rawValue: 0x1000)
  /// A step of an encoder the other way.
  public static let turnLeft = KeyCode(rawValue: 0x1001)
}

/// The keys that change others, and are down. (`UIKeyModifierFlags`.)
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// A bit for each.
  public var rawValue: UInt8

  /// By the bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Caps lock is on.
  public static let alphaShift = KeyModifiers(rawValue: 1)
  /// Either shift key.
  public static let shift = KeyModifiers(rawValue: 2)
  /// Either control key.
  public static let control = KeyModifiers(rawValue: 4)
  /// Alt; not the key that makes the third letter of a key. (Option.)
  public static let alternate = KeyModifiers(rawValue: 8)
  /// The key with the logo, Super or Meta.
  public static let command = KeyModifiers(rawValue: 16)

  /// Those that make a key another command, and not just another letter.
  package static let commanding: KeyModifiers = [.control, .alternate, .command]
  /// Those that a command names: caps lock is none.
  static let named: [(name: String, modifier: KeyModifiers)] = [
    ("ctrl", .control), ("alt", .alternate), ("shift", .shift), ("meta", .command),
  ]

  /// What events call those that are down, in a fixed order.
  package var names: [String] {
    Self.named.compactMap { contains($0.modifier) ? $0.name : nil } + (contains(.alphaShift) ? ["caps"] : [])
  }
}

/// A key as it was pressed: which one, and what it types. (`UIKey`.)
public struct Key: Hashable, Sendable {
  /// Which key.
  public var keyCode: KeyCode
  /// What it types with the keys that are down beside it; empty for a key that types nothing. (`UIKey.characters`.)
  public var characters: String
  /// What it types by itself. (`UIKey.charactersIgnoringModifiers`.)
  public var charactersIgnoringModifiers: String
  /// What is down beside it. (`UIKey.modifierFlags`.)
  public var modifierFlags: KeyModifiers

  /// A key that types nothing unless it is said what.
  public init(
    _ keyCode: KeyCode, characters: String = "", charactersIgnoringModifiers: String? = nil,
    modifierFlags: KeyModifiers = []
  ) {
    self.keyCode = keyCode
    self.characters = characters
    self.charactersIgnoringModifiers = charactersIgnoringModifiers ?? characters
    self.modifierFlags = modifierFlags
  }

  /// The text that it inserts where text goes: none for keys that command, and for what is no letter, such as tab.
  package var insertedText: String {
    guard modifierFlags.isDisjoint(with: .commanding),
      !characters.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
    else { return "" }
    return characters
  }
}

/// A key with those that are held down beside it, as a file names it: `F1`, `ctrl+s`. (`UIKeyCommand`.)
public struct KeyCommand: Hashable, Sendable {
  /// Which key.
  public var keyCode: KeyCode
  /// Exactly these are down, apart from caps lock.
  public var modifierFlags: KeyModifiers

  /// By its parts. (`UIKeyCommand.init(input:modifierFlags:action:)`.)
  public init(_ keyCode: KeyCode, modifierFlags: KeyModifiers = []) {
    (self.keyCode, self.modifierFlags) = (keyCode, modifierFlags)
  }

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

  /// What a file calls it.
  public var name: String {
    (KeyModifiers.named.compactMap { modifierFlags.contains($0.modifier) ? $0.name : nil } + [keyCode.name])
      .joined(separator: "+")
  }

  /// Whether this press is meant.
  public func matches(_ key: Key) -> Bool {
    keyCode == key.keyCode && modifierFlags == key.modifierFlags.subtracting(.alphaShift)
  }
}
