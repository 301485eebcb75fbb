/// A key or a button from its press to its release. (`UIPress`.)
public final class Press {
  /// The phase of a press. (`UIPress.Phase`.)
  public enum Phase: String, CaseIterable, Sendable {
    /// The key went down.
    case began
    /// The key is still down, and repeats; `repeatCount` counts the repeats.
    case changed
    /// The key is down while another one changes.
    case stationary
    /// The key came up.
    case ended
    /// The press was broken off: the device was removed, or other content is shown. Undo what it started.
    case cancelled
  }

  /// The meaning of a press, whatever key the device has for it. (`UIPress.PressType`, and the steps of an
  /// encoder.)
  public enum PressType: String, CaseIterable, Sendable {
    /// The arrow up.
    case upArrow = "up"
    /// The arrow down.
    case downArrow = "down"
    /// The arrow to the left.
    case leftArrow = "left"
    /// The arrow to the right.
    case rightArrow = "right"
    /// Enter, space, or the confirming button of a remote control or an encoder.
    case select
    /// Escape, back, or the menu button of a remote control: one step out.
    case menu
    /// Play or pause.
    case playPause = "play_pause"
    /// A page or a channel up.
    case pageUp = "page_up"
    /// A page or a channel down.
    case pageDown = "page_down"
    /// A clockwise step of an encoder.
    case turnRight = "turn_right"
    /// A counterclockwise step of an encoder.
    case turnLeft = "turn_left"
  }

  /// A number that is unique for the life of the dispatcher, from 1.
  public let id: Int
  /// The meaning of the press; nil for a key without one.
  public let type: PressType?
  /// The key and the text that it types. (`UIPress.key`.)
  public let key: Key
  /// The device of the key.
  public let device: DeviceID
  /// The phase of the press. (`UIPress.phase`.)
  public internal(set) var phase = Phase.began
  /// The time of the last change, on the kernel's monotonic clock. (`UIPress.timestamp`.)
  public internal(set) var timestamp: Timestamp
  /// The number of repeats while the key is held.
  public internal(set) var repeatCount = 0
  /// The force from 0 to 1; always 1, because keys do not measure it. (`UIPress.force`.)
  public var force: Double { 1 }
  /// The responder that got the press first: the focused view, the first responder or the window.
  /// (`UIPress.responder`.)
  public internal(set) weak var responder: Responder?

  init(id: Int, key: Key, device: DeviceID, timestamp: Timestamp) {
    (self.id, self.key, self.device, self.timestamp) = (id, key, device, timestamp)
    type = PressType(key)
  }
}

extension Press.PressType {
  /// The meaning of a key. With ctrl, alt or the logo key down it is a command and has none.
  init?(_ key: Key) {
    guard key.modifierFlags.isDisjoint(with: .commanding) else { return nil }
    switch key.keyCode.rawValue {
    case 103, 0x220: self = .upArrow
    case 108, 0x221: self = .downArrow
    case 105, 0x222: self = .leftArrow
    case 106, 0x223: self = .rightArrow
    // Enter, space, the keypad's enter; KEY_OK, KEY_SELECT, BTN_SOUTH, and BTN_0 of a box with one button
    case 28, 57, 96, 0x160, 0x161, 0x130, 0x100: self = .select
    // Escape, KEY_MENU, KEY_BACK, KEY_EXIT, KEY_CANCEL, BTN_EAST
    case 1, 139, 158, 174, 223, 0x131: self = .menu
    // KEY_PLAYPAUSE, KEY_PLAYCD, KEY_PAUSECD, KEY_PLAY
    case 164, 200, 201, 207: self = .playPause
    // KEY_PAGEUP, KEY_CHANNELUP; KEY_PAGEDOWN, KEY_CHANNELDOWN
    case 104, 0x192: self = .pageUp
    case 109, 0x193: self = .pageDown
    case KeyCode.turnRight.rawValue: self = .turnRight
    case KeyCode.turnLeft.rawValue: self = .turnLeft
    default: return nil
    }
  }
}

/// The presses that one frame changed, and all others that are down. (`UIPressesEvent`.)
///
/// The dispatcher reuses one event: read it during the call, and do not keep it.
public final class PressesEvent {
  /// The presses of all keys that are down or have just come up. (`UIPressesEvent.allPresses`.)
  public internal(set) var allPresses: [Press] = []
  /// The time of the frame that caused the event.
  public internal(set) var timestamp = Timestamp.zero
  /// The modifiers that are down. (`UIEvent.modifierFlags`.)
  public internal(set) var modifierFlags: KeyModifiers = []

  /// Makes an empty event, for a program that calls a responder itself.
  public init() {}
}

/// The report to observers that a press is about to be delivered in its current phase.
public struct PressReport: ViewReport {
  /// The press, in its current phase.
  public let press: Press

  /// Whether the report stays hidden from clients, because the press goes into a private view.
  public var isPrivate: Bool { press.responder?.coordinateView?.privateView != nil }
}

/// A change of one of a device's keys: the input of `PressDispatcher.dispatch(_:at:)`.
public struct PressChange: Hashable, Sendable {
  /// The kind of change.
  public enum Kind: Hashable, Sendable {
    /// The key went down.
    case began
    /// The key is held, and repeats.
    case repeated
    /// The key came up.
    case ended
    /// The press was broken off without an end.
    case cancelled
  }

  /// The device of the key.
  public var device: DeviceID
  /// The kind of change.
  public var kind: Kind
  /// The key. For an end, only its code counts.
  public var key: Key

  /// - Parameters:
  ///   - device: the device of the key.
  ///   - kind: the kind of change.
  ///   - key: the key and the text that it types.
  public init(device: DeviceID, kind: Kind, key: Key) {
    (self.device, self.kind, self.key) = (device, kind, key)
  }
}
