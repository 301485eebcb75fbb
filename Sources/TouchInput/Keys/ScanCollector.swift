import TouchCore

/// Tells what a scanner reads from what people type: its letters come within milliseconds of each other, and enter ends them.
///
/// ```
///          letter, and somebody wants scans            enter after 3 letters or more
///   idle ───────────────────────────────→ collecting ──────────────────────────────→ idle, a scan
///    │ ↑                                     │ a pause, or enter before that
///    │ └─────────────────────────────────────┘ what was held back is pressed
///    │ letter, and a text field is there       a pause, or enter
///    └───────────────────────────────→ typing ──────────────→ idle
/// ```
/// A text goes to one place as a whole: what began in a field, and outlives it, goes nowhere. A letter that only asks for light is collected
/// like any other, also where a field is there: it counts if it belongs to a scan, and is dropped otherwise.
final class ScanCollector {
  private enum State {
    case idle
    case collecting(Collected)
    case typing(ObjectIdentifier, last: Timestamp)
  }

  /// What is held back.
  private struct Collected {
    /// In the order in which the device reported it, and whether it only asks for light unless it is a scanner's.
    var held: [(change: PressChange, asksForLight: Bool)]
    var text: String
    /// When a key went down last.
    var last: Timestamp
    /// The text field that was the first responder when it began.
    let field: ObjectIdentifier?

    /// What a person has pressed.
    var presses: [PressChange] { held.filter { !$0.asksForLight }.map(\.change) }
  }

  /// Whether what scanners read goes to somebody, so that letters are held back until it is known whether they are a scanner's.
  var isWanted = false
  private let window: Window
  private let presses: PressDispatcher
  private var states: [(device: DeviceID, state: State)] = []

  /// The longest time between two letters of a scanner, in seconds. Slow ones leave 20 ms; people who type fast 80 ms on average.
  private static let pause = 0.035
  /// Fewer letters are no code.
  private static let fewest = 3

  init(window: Window, presses: PressDispatcher) {
    (self.window, self.presses) = (window, presses)
  }

  /// When what is held back is pressed unless more comes; nil while nothing is.
  var deadline: Timestamp? {
    guard !states.isEmpty else { return nil }  // as in nearly every turn
    return states.compactMap { entry in
      if case .collecting(let found) = entry.state { found.last.advanced(bySeconds: Self.pause) } else { nil }
    }.min()
  }

  /// Lets time pass: what has waited long enough was typed by a person.
  func advance(to time: Timestamp) {
    for index in states.indices {
      guard case .collecting(let found) = states[index].state else { continue }
      let end = found.last.advanced(bySeconds: Self.pause)
      guard end <= time else { continue }
      states[index].state = .idle
      presses.dispatch(found.presses, at: end)
    }
  }

  /// The text field that is the first responder.
  private var field: ObjectIdentifier? {
    window.firstResponder.flatMap { $0 is any KeyInput ? ObjectIdentifier($0) : nil }
  }

  /// A device went: what it had begun to read is nothing.
  func lose(_ device: DeviceID) { states.removeAll { $0.device == device } }

  func forgetAll() { states.removeAll() }

  /// Takes what a device did with its keys, and dispatches what is no scanner's.
  ///
  /// - Parameter asksForLight: whether the key went down while the display was dark. Nothing is pressed by it then; its end does
  ///   nothing where it has no beginning.
  func take(_ change: PressChange, asksForLight: Bool = false, at time: Timestamp) {
    advance(to: time)
    let field = field
    // Most keyboards are none: then nothing is kept of them.
    if !isWanted, field == nil, !states.contains(where: { $0.device == change.device }) {
      return press(change, asksForLight, at: time)
    }
    let index = states.firstIndex { $0.device == change.device } ?? states.count
    if index == states.count { states.append((change.device, .idle)) }
    if case .typing(_, let last) = states[index].state, time.seconds(since: last) > Self.pause {
      states[index].state = .idle
    }
    let letters = change.kind == .began ? change.key.insertedText : ""
    let isEnd = change.kind == .began && change.key.isEnter
    switch states[index].state {
    case .idle where letters.isEmpty: press(change, asksForLight, at: time)
    case .idle:
      if field == nil ? isWanted : asksForLight {
        states[index].state = .collecting(
          Collected(held: [(change, asksForLight)], text: letters, last: time, field: field))
      } else {
        if let field { states[index].state = .typing(field, last: time) }
        press(change, asksForLight, at: time)
      }
    case .typing(let first, let last):
      states[index].state = isEnd ? .idle : .typing(first, last: letters.isEmpty ? last : time)
      // The field is gone, and with it the rest of the text.
      let isLost = field != first && (isEnd || !letters.isEmpty)
      if !isLost { press(change, asksForLight, at: time) }
    case .collecting(var found):
      found.held.append((change, asksForLight))
      guard isEnd else {
        // A key that types nothing may be in a code: a separator, the half of a letter.
        if change.kind == .began {
          found.text += letters.isEmpty ? change.key.separator : letters
          found.last = time
        }
        states[index].state = .collecting(found)
        return
      }
      states[index].state = .idle
      if found.text.count < Self.fewest {
        presses.dispatch(found.presses, at: time)
      } else if found.field == nil {
        presses.deliver(Scan(found.text, by: change.device, at: time))
      } else {
        for (change, _) in found.held where change.kind != .began || found.field == self.field {
          presses.dispatch([change], at: time)
        }
      }
    }
  }

  private func press(_ change: PressChange, _ asksForLight: Bool, at time: Timestamp) {
    guard !asksForLight || change.kind == .ended || change.kind == .cancelled else { return }
    presses.dispatch([change], at: time)
  }
}

extension Key {
  fileprivate var isEnter: Bool { keyCode == .enter || keyCode == .keypadEnter }

  /// The group separator of GS1 codes, which scanners send as ctrl and a bracket; empty for any other key. (GS1 General
  /// Specifications, 7.8.3.)
  fileprivate var separator: String {
    modifierFlags.contains(.control) && characters == "\u{1d}" ? characters : ""
  }
}
