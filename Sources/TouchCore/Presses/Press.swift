/// A key or a button from going down to coming up. (`UIPress`.)
public final class Press {
  /// Where a press is in its life. (`UIPress.Phase`.)
  public enum Phase: String, CaseIterable, Sendable {
    /// The key went down.
    case began
    /// It is still down, and repeats: `repeatCount` says how often it has.
    case changed
    /// It is down while another one does something.
    case stationary
    /// It came up.
    case ended
    /// The press was broken off: the device went, or something else is shown. Undo what it started.
    case cancelled
  }

  /// What a press means, whatever key it is on the device. (`UIPress.PressType`, and the steps of an encoder.)
  public enum PressType: String, CaseIterable, Sendable {
    /// The arrow up.
    case upArrow = "up"
    /// The arrow down.
    case downArrow = "down"
    /// The arrow to the left.
    case leftArrow = "left"
    /// The arrow to the right.
    case rightArrow = "right"
    /// Enter, space, the button of a remote or an encoder that says yes.
    case select
    /// Escape, back, the menu button of a remote: one step out.
    case menu
    /// Plays, or pauses.
    case playPause = "play_pause"
    /// A page or a channel up.
    case pageUp = "page_up"
    /// A page or a channel down.
    case pageDown = "page_down"
    /// A step of an encoder clockwise.
    case turnRight = "turn_right"
    /// A step of an encoder the other way.
    case turnLeft = "turn_left"
  }

  /// Unique for the life of the dispatcher, counted from 1.
  public let id: Int
  /// What it means; nil for a key that is only a key.
  public let type: PressType?
  /// Which key, and what it types. (`UIPress.key`.)
  public let key: Key
  /// The device that the key is on.
  public let device: DeviceID
  /// (`UIPress.phase`.)
  public internal(set) var phase = Phase.began
  /// When the press last changed, on the kernel's monotonic clock. (`UIPress.timestamp`.)
  public internal(set) var timestamp: Timestamp
  /// How often the key has repeated while it is held.
  public internal(set) var repeatCount = 0
  /// From 0 to 1; keys know no force. (`UIPress.force`.)
  public var force: Double { 1 }
  /// The responder that it went to first: what is focused, or the first responder, or the window. (`UIPress.responder`.)
  public internal(set) weak var responder: Responder?

  init(id: Int, key: Key, device: DeviceID, timestamp: Timestamp) {
    (self.id, self.key, self.device, self.timestamp) = (id, key, device, timestamp)
    type = PressType(key)
  }
}

extension Press.PressType {
  /// What a key means. With ctrl, alt or the logo's key down it is a command, and means nothing by itself.
  init?(_ key: Key) {
    guard key.modifierFlags.isDisjoint(with: .commanding) else { return nil }
    switch key.keyCode.rawValue {
    case 103, 0x220: self = .upArrow
    case 108, 0x221: self = .downArrow
    case 105, 0x222: self = .leftArrow
    case 106, 0x223: self = .rightArrow
    // Enter, space, the keypad's enter; KEY_OK, KEY_SELECT, BTN_SOUTH, BTN_0 of a box with one button.
    case 28, 57, 96, 0x160, 0x161, 0x130, 0x100: self = .select
    // Escape, KEY_MENU, KEY_BACK, KEY_EXIT, KEY_CANCEL, BTN_EAST.
    case 1, 139, 158, 174, 223, 0x131: self = .menu
    // KEY_PLAYPAUSE, KEY_PLAYCD, KEY_PAUSECD, KEY_PLAY.
    case 164, 200, 201, 207: self = .playPause
    // KEY_PAGEUP, KEY_CHANNELUP; KEY_PAGEDOWN, KEY_CHANNELDOWN.
    case 104, 0x192: self = .pageUp
    case 109, 0x193: self = .pageDown
    case KeyCode.turnRight.rawValue: self = .turnRight
    case KeyCode.turnLeft.rawValue: self = .turnLeft
    default: return nil
    }
  }
}

/// The presses that one frame changed, and every other one that is down. (`UIPressesEvent`.)
///
/// The dispatcher reuses one event: read it during the call, do not keep it.
public final class PressesEvent {
  /// Every key that is down, and those that have just come up. (`UIPressesEvent.allPresses`.)
  public internal(set) var allPresses: [Press] = []
  /// The time of the frame that caused the event.
  public internal(set) var timestamp = Timestamp.zero
  /// What is held down beside. (`UIEvent.modifierFlags`.)
  public internal(set) var modifierFlags: KeyModifiers = []

  /// An empty event, for a program that calls a responder itself.
  public init() {}
}

/// A press is about to be delivered in its current phase: what observers get before anything comes of it.
public struct PressReport: ViewReport {
  /// In its current phase.
  public let press: Press

  /// Whether it goes to something in a private view, so that no client hears of it.
  public var isPrivate: Bool { press.responder?.coordinateView?.privateView != nil }
}

/// What a device did with one of its keys: the input of `PressDispatcher.dispatch(_:at:)`.
public struct PressChange: Hashable, Sendable {
  /// What the key did.
  public enum Kind: Hashable, Sendable {
    /// It went down.
    case began
    /// It is held, and repeats.
    case repeated
    /// It came up.
    case ended
    /// It was broken off without an end.
    case cancelled
  }

  /// That the key is on.
  public var device: DeviceID
  /// What the key did.
  public var kind: Kind
  /// For an end, the key's code alone counts.
  public var key: Key

  /// - Parameters:
  ///   - device: that the key is on.
  ///   - kind: what the key did.
  ///   - key: which one, and what it types.
  public init(device: DeviceID, kind: Kind, key: Key) {
    (self.device, self.kind, self.key) = (device, kind, key)
  }
}
