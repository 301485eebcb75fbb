import TouchCore

/// One device's conversion from frames to changes of its keys, by a layout read when the first types.
package final class KeySource {
  /// The device whose frames are taken.
  package let device: DeviceID
  package let role: KeyRole
  package let scanner: ScannerUse
  /// Called with the number of the virtual terminal for which ctrl, alt and a function key ask.
  package var onTerminal: (Int32) -> Void = { _ in }
  package private(set) var changes: [PressChange] = []
  private var down: [UInt16: Key] = [:]
  /// The keys that were down before, or whose press was broken off. They are ignored until they come up.
  private var dead: Set<UInt16>
  private let settings: KeyboardSettings
  private var layout: KeyLayout?
  private var modifiers: KeyModifiers = []
  /// The position of the hat along each axis.
  private var hat: (x: Int32, y: Int32) = (0, 0)
  /// Whether the wheel is a knob's, and not a mouse's.
  private let turns: Bool
  /// The position of a knob that reports it; nil for any other device.
  private var dial: Dial?
  private let lightCodes: Set<UInt16>
  private var lights: Set<UInt16>
  private var areLightsNew: Bool

  private struct Dial {
    let code: UInt16
    let turn: Int
    var place: Int
  }

  /// Begins with the keys that were down at the opening, their layout, and their use as a scanner.
  package init?(
    device: DeviceID, capabilities: DeviceCapabilities, pressed: Set<UInt16> = [],
    settings: KeyboardSettings = KeyboardSettings(), scanner: ScannerUse = .automatic
  ) {
    guard let role = KeyRole(capabilities) else { return nil }
    var settings = settings
    // Without a num lock key, nothing else makes digits of a keypad.
    if scanner.isNamed || !capabilities.keys.contains(Self.numLock) { settings.numLock = true }
    (self.device, self.role, self.scanner, self.settings) = (device, role, scanner, settings)
    dead = pressed
    let traits = DeviceTraits(capabilities)
    turns = traits.turns
    dial = traits.dial.map {
      Dial(code: $0.code, turn: Int(saturating: $0.range.span), place: Int($0.range.value))
    }
    lightCodes = (capabilities.otherCodes[EventCode.led] ?? [])
      .intersection(KeyLight.allCases.map(\.rawValue))
    lights = settings.numLock ? [KeyLight.numLock.rawValue] : []
    areLightsNew = !lightCodes.isEmpty
  }

  private static let numLock: UInt16 = 69

  /// Returns a keyboard's lights to switch, by LED_ codes; nil if nothing has changed, or without lights.
  package func takeLights() -> (on: Set<UInt16>, off: Set<UInt16>)? {
    guard areLightsNew else { return nil }
    areLightsNew = false
    return (lightCodes.intersection(lights), lightCodes.subtracting(lights))
  }

  package var sentence: String {
    scanner.isNamed ? "its keys are read as texts (barcode scanner)" : role.sentence
  }

  /// Returns the fault of the layout, as a sentence without its end; nil for none. It is reported once.
  package func takeProblem() -> String? { layout?.takeProblem() }

  /// Takes one frame; `changes` has its changes.
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
      case EventCode.abs where event.code == dial?.code: turn(to: Int(event.value))
      case EventCode.abs where event.code == EventCode.absHat0X:
        move(&hat.x, to: event.value, .left, .right, frame.cause)
      case EventCode.abs where event.code == EventCode.absHat0Y:
        move(&hat.y, to: event.value, .up, .down, frame.cause)
      default: break
      }
    }
    guard !lightCodes.isEmpty, let now = layout?.lights, now != lights else { return }
    (lights, areLightsNew) = (now, true)
  }

  /// Cancels the keys that are down: the device was removed, or its frames will be missed for a while.
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
    // A code may hold any keys.
    if let terminal = key.terminal, !scanner.isNamed {
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
    if let layout { modifiers = layout.release(code) }
    dead.remove(code)
    guard var key = down.removeValue(forKey: code) else { return }
    key.modifierFlags = modifiers
    // The kernel dropped the end, so the events before it are not known.
    changes.append(PressChange(device: device, kind: cause == .resync ? .cancelled : .ended, key: key))
  }

  /// Returns the key with its present text. Only a key that can type a letter or change one asks the layout.
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
    return key
  }

  /// The last code that layouts have. X adds 8. (`xkeyboard-config`, `keycodes/evdev`.)
  private static let lastOfLayouts: UInt16 = 255 - 8

  /// Whether a key of a box of digits types or changes others: KEY_1 to KEY_BACKSPACE, the keypad, KEY_ENTER,
  /// both shifts, KEY_COMMA to KEY_SLASH.
  private static func isTyping(_ code: UInt16) -> Bool {
    switch code {
    case 2...14, 28, 42, 51...55, 69, 71...83, 96, 98, 117, 121: true
    default: false
    }
  }

  // MARK: Knobs and hats

  /// The most steps in a frame, more than anybody turns.
  private static let mostSteps: Int32 = 64

  private func turn(_ event: RawEvent) {
    switch event.code {
    case EventCode.relX, EventCode.relY, EventCode.relDial, EventCode.relWheel, EventCode.relHWheel,
      EventCode.relMisc:
      turn(by: event.value)
    default: return
    }
  }

  /// Turns the shorter way round. From end to end is a step, since some drivers count the last place twice.
  private func turn(to place: Int) {
    guard let dial else { return }
    self.dial?.place = place
    var steps = place - dial.place
    if abs(steps) * 2 > dial.turn {
      let direction = steps > 0 ? -1 : 1
      steps += direction * dial.turn
      if steps == 0 { steps = direction }
    }
    turn(by: Int32(clamping: steps))
  }

  /// Turns by steps, each of which goes down and up at once: a knob does not stay turned.
  private func turn(by steps: Int32) {
    let key = Key(steps > 0 ? .turnRight : .turnLeft)
    for _ in 0..<min(abs(max(steps, -Self.mostSteps)), Self.mostSteps) {
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
  /// The virtual terminal that ctrl, alt and a function key ask for; nil for other keys. (`keymaps(5)`)
  fileprivate var terminal: Int32? {
    guard modifierFlags.isSuperset(of: [.control, .alternate]) else { return nil }
    switch keyCode.rawValue {
    case 59...68: return Int32(keyCode.rawValue) - 58
    case 87, 88: return Int32(keyCode.rawValue) - 76
    default: return nil
    }
  }
}
