import CXkbcommon
import Glibc
import TouchCore
import TouchSystem

/// The layout of one keyboard, by libxkbcommon. Each keyboard has its own shift.
final class KeyLayout {
  /// The library's objects for this keyboard; nil if it or the layout is missing.
  private let made: Made?
  private var problem: String?
  /// The modifiers without a layout: letters without shift are better than none.
  private var plainModifiers: KeyModifiers = []

  private struct Made {
    let xkb: touchtree_xkb
    let context, keymap, state: OpaquePointer
    /// The state of dead keys; nil for none.
    let compose: OpaquePointer?
  }

  /// The difference between evdev's codes and X's, which are 8 higher.
  private static let offset: UInt32 = 8

  init(_ settings: KeyboardSettings) {
    do throws(Failure) {
      made = try Self.make(settings)
    } catch {
      (made, problem) = (nil, "\(error)")
    }
  }

  deinit {
    guard let made else { return }
    if let compose = made.compose { made.xkb.compose_state_unref(compose) }
    made.xkb.state_unref(made.state)
    made.xkb.keymap_unref(made.keymap)
    made.xkb.context_unref(made.context)
  }

  func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }

  /// libxkbcommon, with the interface of version 0.5 and later, loaded for the first key that types.
  private static let library = Result { () throws(MissingLibrary) in
    try LoadedLibrary("libxkbcommon.so.0", touchtree_xkb(), by: touchtree_xkb_load)
  }

  private static func make(_ given: KeyboardSettings) throws(Failure) -> Made {
    let xkb: touchtree_xkb
    switch Self.library {
    case .success(let library): xkb = library.functions
    case .failure(let missing):
      throw Failure(
        "layouts of keyboards need libxkbcommon, which cannot be loaded (\(missing.reason)), so keys type plain letters; "
          + "install it: apt-get install libxkbcommon0")
    }
    guard let context = xkb.context_new(XKB_CONTEXT_NO_FLAGS) else {
      throw Failure("libxkbcommon finds no layouts; install them: apt-get install xkb-data")
    }
    // It would write to standard error; the important part is reported here.
    xkb.set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
    var settings = given
    if settings.layout == nil {
      settings = KeyboardSettings(defaultsFile: Self.systemFile)
      settings.options = given.options ?? settings.options
      settings.model = given.model ?? settings.model
      settings.variant = given.variant ?? settings.variant
    }
    guard let keymap = Self.keymap(settings, context, xkb) else {
      xkb.context_unref(context)
      let name = [settings.layout ?? "us", settings.variant].compactMap(\.self).joined(separator: " ")
      throw Failure(
        "the keyboard layout \"\(name.escaped)\" cannot be used, so keys type plain letters; "
          + "give one of those in /usr/share/X11/xkb/rules/base.lst, such as input: {keyboard: {layout: de}}")
    }
    guard let state = xkb.state_new(keymap) else {
      xkb.keymap_unref(keymap)
      xkb.context_unref(context)
      throw Failure("no memory for a keyboard layout")
    }
    if given.numLock {
      let index = xkb.modifier_index(keymap, Self.numLock)
      // (`XKB_MOD_INVALID` for a layout without num lock.)
      if index < 32 { _ = xkb.update_mask(state, 0, 0, 1 << index, 0, 0, 0) }
    }
    return Made(xkb: xkb, context: context, keymap: keymap, state: state, compose: Self.compose(context, xkb))
  }

  /// The system's layout file. (`keyboard(5)`; systems other than Debian may have none.)
  private static var systemFile: String {
    (try? FileContents.read("/etc/default/keyboard", upTo: 1 << 16)).map {
      String(decoding: $0, as: UTF8.self)
    }
      ?? ""
  }

  private static func keymap(
    _ settings: KeyboardSettings, _ context: OpaquePointer, _ xkb: touchtree_xkb
  ) -> OpaquePointer? {
    func with<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
      guard let text else { return body(nil) }
      return text.withCString { body($0) }
    }
    return with(settings.layout) { layout in
      with(settings.variant) { variant in
        with(settings.model) { model in
          with(settings.options) { options in
            var names = xkb_rule_names(
              rules: nil, model: model, layout: layout, variant: variant, options: options)
            return xkb.keymap_new(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
          }
        }
      }
    }
  }

  private static func compose(_ context: OpaquePointer, _ xkb: touchtree_xkb) -> OpaquePointer? {
    // Any locale whose letters are UTF-8 will do: they share one table.
    guard let table = xkb.compose_table_new(context, "en_US.UTF-8", XKB_COMPOSE_COMPILE_NO_FLAGS)
    else { return nil }
    defer { xkb.compose_table_unref(table) }
    return xkb.compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS)
  }

  // MARK: Keys

  func press(_ code: UInt16) -> Key {
    guard let made else { return plain(code) }
    let key = UInt32(code) + Self.offset
    let symbol = made.xkb.key_symbol(made.state, key)
    var text = Self.text { made.xkb.key_text(made.state, key, $0, $1) }
    if let compose = made.compose, made.xkb.compose_feed(compose, symbol) == XKB_COMPOSE_FEED_ACCEPTED {
      switch made.xkb.compose_status(compose) {
      case XKB_COMPOSE_COMPOSING: text = ""
      case XKB_COMPOSE_COMPOSED:
        text = Self.text { made.xkb.compose_text(compose, $0, $1) }
        made.xkb.compose_reset(compose)
      case XKB_COMPOSE_CANCELLED:
        text = ""
        made.xkb.compose_reset(compose)
      default: break
      }
    }
    let modifiers = modifiers(made)
    let ignoring = ignoringModifiers(key, made)
    _ = made.xkb.update_key(made.state, key, XKB_KEY_DOWN)
    return Key(
      KeyCode(symbol: symbol) ?? KeyCode(rawValue: code), characters: text,
      charactersIgnoringModifiers: ignoring, modifierFlags: modifiers)
  }

  /// The lights that are on, by their codes; nil without a layout.
  var lights: Set<UInt16>? {
    made.map { made in
      Set(KeyLight.allCases.filter { made.xkb.light_is_on(made.state, $0.name) == 1 }.map(\.rawValue))
    }
  }

  /// Handles a key that comes up. Returns the modifiers that are down then.
  func release(_ code: UInt16) -> KeyModifiers {
    guard let made else {
      plainModifiers.subtract(Self.modifier(code))
      return plainModifiers
    }
    _ = made.xkb.update_key(made.state, UInt32(code) + Self.offset, XKB_KEY_UP)
    return modifiers(made)
  }

  /// Returns the texts of keys while others are held. Nothing is pressed afterwards.
  func texts(of codes: [UInt16], holding held: [UInt16]) -> [(code: UInt16, text: String)] {
    guard let made else {
      let modifiers = held.reduce(into: KeyModifiers()) { $0.formUnion(Self.modifier($1)) }
      guard modifiers.isSubset(of: .shift), modifiers.isEmpty == held.isEmpty else { return [] }
      return codes.map { code in
        let text = KeyCode(rawValue: code).plainText
        return (code, modifiers.isEmpty ? text : text.uppercased())
      }
    }
    for code in held { _ = made.xkb.update_key(made.state, UInt32(code) + Self.offset, XKB_KEY_DOWN) }
    defer { for code in held { _ = made.xkb.update_key(made.state, UInt32(code) + Self.offset, XKB_KEY_UP) } }
    return codes.map { code in
      (code, Self.text { made.xkb.key_text(made.state, UInt32(code) + Self.offset, $0, $1) })
    }
  }

  private func modifiers(_ made: Made) -> KeyModifiers {
    var modifiers: KeyModifiers = []
    for (name, modifier) in Self.names
    where made.xkb.modifier_is_active(made.state, name, XKB_STATE_MODS_EFFECTIVE) == 1 {
      modifiers.insert(modifier)
    }
    return modifiers
  }

  /// The modifiers' names in xkb. (`XKB_MOD_NAME_SHIFT` and those after it.)
  private static let names: [(String, KeyModifiers)] = [
    ("Shift", .shift), ("Lock", .alphaShift), ("Control", .control), ("Mod1", .alternate), ("Mod4", .command),
  ]

  /// The name of num lock in xkb. (`XKB_MOD_NAME_NUM`)
  private static let numLock = "Mod2"

  private func ignoringModifiers(_ key: UInt32, _ made: Made) -> String {
    var symbols: UnsafePointer<xkb_keysym_t>?
    let layout = made.xkb.key_layout(made.state, key)
    guard made.xkb.symbols_by_level(made.keymap, key, layout, 0, &symbols) == 1, let symbol = symbols?[0]
    else { return "" }
    return Self.text { made.xkb.symbol_text(symbol, $0, $1) - 1 }
  }

  /// Returns a text that the library writes; `write` returns its length.
  private static func text(
    _ write: (_ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Int32
  ) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = write(start, buffer.count)
      guard count > 0, count < buffer.count else { return "" }
      return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
  }

  // MARK: Without a layout

  private func plain(_ code: UInt16) -> Key {
    plainModifiers.formUnion(Self.modifier(code))
    let key = KeyCode(rawValue: code)
    let text = key.plainText
    return Key(
      key, characters: plainModifiers.contains(.shift) ? text.uppercased() : text,
      charactersIgnoringModifiers: text, modifierFlags: plainModifiers)
  }

  /// The modifier of a key: KEY_LEFTCTRL, KEY_RIGHTCTRL, and so on.
  private static func modifier(_ code: UInt16) -> KeyModifiers {
    switch code {
    case 29, 97: .control
    case 42, 54: .shift
    case 56: .alternate
    case 125, 126: .command
    default: []
    }
  }
}

/// A light of a keyboard. (kernel `input-event-codes.h`: `LED_NUML` and those after it.)
enum KeyLight: UInt16, CaseIterable {
  case numLock, capsLock, scrollLock

  /// The light's name in xkb. (`XKB_LED_NAME_NUM` and those beside it.)
  fileprivate var name: String {
    switch self {
    case .numLock: "Num Lock"
    case .capsLock: "Caps Lock"
    case .scrollLock: "Scroll Lock"
    }
  }
}

extension KeyCode {
  /// Makes the key of a layout's symbol, if it is a command, such as escape in place of caps lock or an arrow
  /// of the keypad; nil for a key that writes.
  fileprivate init?(symbol: xkb_keysym_t) {
    switch symbol {
    case 0xffbe...0xffc7: self.init(rawValue: UInt16(symbol - 0xffbe) + 59)  // F1 to F10
    case 0xffc8...0xffc9: self.init(rawValue: UInt16(symbol - 0xffc8) + 87)  // F11 and F12
    case 0xffca...0xffd5: self.init(rawValue: UInt16(symbol - 0xffca) + 183)  // F13 to F24
    default:
      guard let code = Self.commands[symbol] else { return nil }
      self.init(rawValue: code)
    }
  }

  /// The kernel's codes of command symbols. (`xkbcommon-keysyms.h`; `input-event-codes.h`)
  private static let commands: [xkb_keysym_t: UInt16] = [
    // BackSpace, Tab, ISO_Left_Tab, Return, KP_Enter, ISO_Enter, Escape, space
    0xff08: 14, 0xff09: 15, 0xfe20: 15, 0xff0d: 28, 0xff8d: 96, 0xfe34: 28, 0xff1b: 1, 0x20: 57,
    // Home, Left, Up, Right, Down, Prior, Next, End, Insert, Delete
    0xff50: 102, 0xff51: 105, 0xff52: 103, 0xff53: 106, 0xff54: 108, 0xff55: 104, 0xff56: 109, 0xff57: 107,
    0xff63: 110, 0xffff: 111,
    // The same of the keypad
    0xff95: 102, 0xff96: 105, 0xff97: 103, 0xff98: 106, 0xff99: 108, 0xff9a: 104, 0xff9b: 109, 0xff9c: 107,
    0xff9e: 110, 0xff9f: 111,
    // Shift, control, caps lock, alt, super; num lock, scroll lock, Menu
    0xffe1: 42, 0xffe2: 54, 0xffe3: 29, 0xffe4: 97, 0xffe5: 58, 0xffe9: 56, 0xffea: 100, 0xffeb: 125,
    0xffec: 126, 0xff7f: 69, 0xff14: 70, 0xff67: 127,
  ]
}
