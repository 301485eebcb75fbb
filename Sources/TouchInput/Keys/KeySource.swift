import TouchCore

/// One device's way from frames to what its keys do. It is pure but for the layout of a keyboard, which is read when the first key
/// types.
package final class KeySource {
  /// The device whose frames are taken.
  package let device: DeviceID
  package let role: KeyRole
  /// Called with the number of a virtual terminal that ctrl, alt and a function key ask for.
  package var onTerminal: (Int32) -> Void = { _ in }
  /// What the last frame did.
  package private(set) var changes: [PressChange] = []
  /// Keys that are down, and what they typed when they went down.
  private var down: [UInt16: Key] = [:]
  /// Keys that were down before, or whose press was broken off: nothing is heard of them until they come up.
  private var dead: Set<UInt16>
  private let settings: KeyboardSettings
  private var layout: KeyLayout?
  private var modifiers: KeyModifiers = []
  /// Where the hat is, along each axis.
  private var hat: (x: Int32, y: Int32) = (0, 0)
  /// Whether the wheel is a knob's, and not a mouse's.
  private let turns: Bool

  /// - Parameters:
  ///   - pressed: keys that were down when it was opened.
  ///   - settings: which letters its keys type.
  package init?(
    device: DeviceID, capabilities: DeviceCapabilities, pressed: Set<UInt16> = [],
    settings: KeyboardSettings = KeyboardSettings()
  ) {
    guard let role = KeyRole(capabilities) else { return nil }
    (self.device, self.role, self.settings) = (device, role, settings)
    dead = pressed
    turns = DeviceTraits(capabilities).turns
  }

  /// What the layout could not be, as a sentence without its end; nil for nothing. It is said once.
  package func takeProblem() -> String? { layout?.takeProblem() }

  /// Takes one frame: `changes` has what it did.
  package func apply(_ frame: InputFrame) {
    changes.removeAll(keepingCapacity: true)
    for event in frame.events {
      switch event.type {
      case EventCode.key where KeyRole.isUsed(event.code):
        switch event.value {
        case 0: up(event.code, frame.cause)
        case 1: press(event.code)
        default: repeats(event.code)
        }
      case EventCode.rel where turns: turn(event)
      case EventCode.abs where event.code == EventCode.absHat0X:
        move(&hat.x, to: event.value, .left, .right, frame.cause)
      case EventCode.abs where event.code == EventCode.absHat0Y:
        move(&hat.y, to: event.value, .up, .down, frame.cause)
      default: break
      }
    }
  }

  /// Breaks off what is down: the device went, or its frames will not be heard for a while.
  package func cancelAll() {
    changes.removeAll(keepingCapacity: true)
    for (code, key) in down.sorted(by: { $0.key < $1.key }) {
      changes.append(PressChange(device: device, kind: .cancelled, key: key))
      dead.insert(code)
    }
    down.removeAll(keepingCapacity: true)
  }

  // MARK: Keys

  private func press(_ code: UInt16) {
    guard !dead.contains(code), down[code] == nil else { return }
    modifiers = role == .keyboard ? modifiers : []
    let key = key(code)
    if let terminal = key.terminal {
      dead.insert(code)
      return onTerminal(terminal)
    }
    down[code] = key
    changes.append(PressChange(device: device, kind: .began, key: key))
  }

  private func repeats(_ code: UInt16) {
    guard var key = down[code] else { return }
    key.modifierFlags = modifiers
    changes.append(PressChange(device: device, kind: .repeated, key: key))
  }

  private func up(_ code: UInt16, _ cause: InputFrame.Cause) {
    if role == .keyboard { release(code) }
    dead.remove(code)
    guard var key = down.removeValue(forKey: code) else { return }
    key.modifierFlags = modifiers
    // The end was lost with what the kernel dropped, so what happened between is not known.
    changes.append(PressChange(device: device, kind: cause == .resync ? .cancelled : .ended, key: key))
  }

  /// What a key types now; only what can be a letter or changes one asks the layout.
  private func key(_ code: UInt16) -> Key {
    // No layout has the digits of remote controls: X ends at 255.
    if code > Self.lastOfLayouts, let digit = KeyCode(rawValue: code).digit {
      return Key(KeyCode(rawValue: code), characters: digit, modifierFlags: modifiers)
    }
    guard role == .keyboard || Self.isTyping(code) else { return Key(KeyCode(rawValue: code)) }
    let layout = layout ?? KeyLayout(settings)
    self.layout = layout
    let key = layout.press(code)
    modifiers = key.modifierFlags
    // A box of digits has no key for num lock.
    if role != .keyboard, key.characters.isEmpty, let digit = KeyCode(rawValue: code).digit {
      return Key(KeyCode(rawValue: code), characters: digit, modifierFlags: modifiers)
    }
    return key
  }

  private func release(_ code: UInt16) {
    guard let layout else { return }
    modifiers = layout.release(code)
  }

  /// X adds 8. (`xkeyboard-config`, `keycodes/evdev`.)
  private static let lastOfLayouts: UInt16 = 255 - 8

  /// KEY_1 to KEY_0, and the keypad: a box of digits types, too.
  private static func isTyping(_ code: UInt16) -> Bool {
    (2...11).contains(code) || (71...83).contains(code) || code == KeyCode.enter.rawValue
      || code == KeyCode.backspace.rawValue || code == KeyCode.keypadEnter.rawValue
  }

  // MARK: Knobs and hats

  /// More than anybody turns within a frame.
  private static let mostSteps: Int32 = 64

  /// Each step is down and up at once: a knob does not stay turned.
  private func turn(_ event: RawEvent) {
    switch event.code {
    case EventCode.relX, EventCode.relY, EventCode.relDial, EventCode.relWheel, EventCode.relHWheel,
      EventCode.relMisc:
      break
    default: return
    }
    let key = Key(event.value > 0 ? .turnRight : .turnLeft)
    for _ in 0..<min(abs(max(event.value, -Self.mostSteps)), Self.mostSteps) {
      changes.append(PressChange(device: device, kind: .began, key: key))
      changes.append(PressChange(device: device, kind: .ended, key: key))
    }
  }

  private func move(
    _ place: inout Int32, to value: Int32, _ low: KeyCode, _ high: KeyCode, _ cause: InputFrame.Cause
  ) {
    let old = place
    place = value.signum()
    guard old != place else { return }
    if old != 0 { up((old < 0 ? low : high).rawValue, cause) }
    if place != 0 { press((place < 0 ? low : high).rawValue) }
  }
}

extension Key {
  /// The virtual terminal that ctrl, alt and a function key ask the kernel for; nil for any other key. (`keymaps(5)`: `Console_1`.)
  fileprivate var terminal: Int32? {
    guard modifierFlags.isSuperset(of: [.control, .alternate]) else { return nil }
    switch keyCode.rawValue {
    case 59...68: return Int32(keyCode.rawValue) - 58
    case 87, 88: return Int32(keyCode.rawValue) - 76
    default: return nil
    }
  }
}
