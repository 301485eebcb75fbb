import TouchCore

/// Tells what a scanner reads from what people type: its letters come within milliseconds of each other, and enter ends them.
///
/// ```
///          letter, and somebody wants scans            enter after 3 letters or more
///   idle ───────────────────────────────→ collecting ──────────────────────────────→ idle, a scan
///    │ ↑                                     │ a pause, another key, or the end of it
///    │ └─────────────────────────────────────┘ what was held back is pressed
///    │ letter, and a text field is there       a pause, or enter
///    └───────────────────────────────→ typing ──────────────→ idle
/// ```
/// A text goes to one place as a whole: what began in a field, and outlives it, goes nowhere.
final class ScanCollector {
  private enum State {
    case idle
    case collecting(held: [PressChange], text: String, last: Timestamp)
    case typing(ObjectIdentifier, last: Timestamp)
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
      if case .collecting(_, _, let last) = entry.state { last.advanced(bySeconds: Self.pause) } else { nil }
    }.min()
  }

  /// Lets time pass: what has waited long enough was typed by a person.
  func advance(to time: Timestamp) {
    for index in states.indices {
      guard case .collecting(let held, _, let last) = states[index].state,
        last.advanced(bySeconds: Self.pause) <= time
      else { continue }
      states[index].state = .idle
      presses.dispatch(held, at: last.advanced(bySeconds: Self.pause))
    }
  }

  /// A device went: what it had begun to read is nothing.
  func lose(_ device: DeviceID) { states.removeAll { $0.device == device } }

  func forgetAll() { states.removeAll() }

  /// Takes what a device did with its keys, and dispatches what is no scanner's.
  func take(_ change: PressChange, at time: Timestamp) {
    advance(to: time)
    let field = window.firstResponder.flatMap { $0 is any KeyInput ? ObjectIdentifier($0) : nil }
    // Most keyboards are none: then nothing is kept of them.
    if !isWanted, field == nil, !states.contains(where: { $0.device == change.device }) {
      return presses.dispatch([change], at: time)
    }
    let index = states.firstIndex { $0.device == change.device } ?? states.count
    if index == states.count { states.append((change.device, .idle)) }
    if case .typing(_, let last) = states[index].state, time.seconds(since: last) > Self.pause {
      states[index].state = .idle
    }
    let letters = change.kind == .began ? change.key.insertedText : ""
    let isEnd = change.kind == .began && change.key.isEnter
    switch states[index].state {
    case .idle where letters.isEmpty: presses.dispatch([change], at: time)
    case .idle:
      if let field {
        states[index].state = .typing(field, last: time)
        presses.dispatch([change], at: time)
      } else if isWanted {
        states[index].state = .collecting(held: [change], text: letters, last: time)
      } else {
        presses.dispatch([change], at: time)
      }
    case .typing(let first, let last):
      states[index].state = isEnd ? .idle : .typing(first, last: letters.isEmpty ? last : time)
      // The field is gone, and with it the rest of the text.
      let isLost = field != first && (isEnd || !letters.isEmpty)
      if !isLost { presses.dispatch([change], at: time) }
    case .collecting(let held, let text, let last):
      if isEnd, text.count >= Self.fewest {
        states[index].state = .idle
        presses.deliver(Scan(text, by: change.device, at: time))
      } else if change.kind == .began, letters.isEmpty, !change.key.changesOthers {
        states[index].state = .idle
        presses.dispatch(held + [change], at: time)
      } else {
        states[index].state = .collecting(
          held: held + [change], text: text + letters, last: letters.isEmpty ? last : time)
      }
    }
  }
}

extension Key {
  fileprivate var isEnter: Bool { keyCode == .enter || keyCode == .keypadEnter }

  /// Shift, with which scanners type capital letters, and the others like it.
  fileprivate var changesOthers: Bool {
    [29, 42, 54, 56, 58, 97, 100, 125, 126].contains(keyCode.rawValue)
  }
}
