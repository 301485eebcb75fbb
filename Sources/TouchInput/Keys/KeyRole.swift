/// The purpose of a device's keys, apart from touches that it may report as well.
package enum KeyRole: String, CaseIterable, Sendable {
  /// Letters to write with; a barcode scanner is one.
  case keyboard
  /// The buttons of a board or a panel, or those of a mouse or a touchscreen. (`gpio-keys`)
  case buttons
  /// A knob that turns in steps. (`rotary-encoder`)
  case encoder
  /// A remote control. (`rc-core`)
  case remote
  /// The buttons and the hat of a game controller.
  case gamepad

  /// Finds the purpose of the keys of a device with these capabilities; nil if it has none for a program.
  package init?(_ capabilities: DeviceCapabilities) {
    let keys = capabilities.keys.filter(Self.isUsed)
    let traits = DeviceTraits(capabilities)
    if traits.isAccelerometer { return nil }
    if traits.isKeyboard {
      self = .keyboard
    } else if !keys.isDisjoint(with: Self.gamepadButtons) {
      self = .gamepad
    } else if traits.turns || traits.dial != nil {
      self = .encoder
    } else if !keys.isDisjoint(with: Self.remoteKeys) {
      self = .remote
    } else if !keys.isEmpty {
      self = .buttons
    } else {
      return nil
    }
  }

  /// Whether a key is for programs: no button of a pointer or finger, and none of the system's own.
  package static func isUsed(_ code: UInt16) -> Bool {
    switch code {
    case 0, 0x110...0x11f, 0x140...0x15f: false
    // KEY_POWER, KEY_SLEEP, KEY_WAKEUP, KEY_SUSPEND, KEY_POWER2
    case 116, 142, 143, 205, 0x164: false
    default: true
    }
  }

  /// BTN_GAMEPAD and those that follow it, BTN_DPAD_UP and those that follow it.
  private static let gamepadButtons = Set([UInt16](0x130...0x13f) + [UInt16](0x220...0x223))
  /// KEY_OK, KEY_SELECT, KEY_CHANNELUP, KEY_CHANNELDOWN, KEY_NUMERIC_0 to 9.
  private static let remoteKeys = Set([0x160, 0x161, 0x192, 0x193] + [UInt16](0x200...0x209))

  package var sentence: String {
    switch self {
    case .keyboard: "its keys press and type (keyboard)"
    case .buttons: "its buttons press"
    case .encoder: "its steps and its button press (encoder)"
    case .remote: "its keys press (remote control)"
    case .gamepad: "its buttons and its hat press (game controller)"
    }
  }
}
