import TouchCore

/// Distinguishes a scanner's text from a person's, for one device: letters of a scanner come within
/// milliseconds of each other, and a key ends them.
///
/// ```
///            letter                            the end
///   idle ───────────────→ collecting ──────────────────────→ idle, a scan
///    │ ↑                   │       │ the pause is over, or events are lost
///    │ └───────────────────┘       └──────────→ dropping ──→ idle, after the end or a second of silence
///    │   a keyboard's pause: what was held back is pressed
///    │ letter of a keyboard, and a text field is there       a pause, or enter
///    └───────────────────────────────────────→ typing ──────────────→ idle
/// ```
/// A text is read as a whole or not at all. A device that a rule names as a scanner, or that has typed like
/// one, presses nothing: a text of it that is broken off is dropped, with the rest of it. The letters of any
/// other device are held back for a moment, and then pressed. A letter that only asks for light is collected
/// like any other, even if a field has the focus. It counts if it belongs to a scan, and is dropped
/// otherwise.
struct ScanReader {
  enum Outcome {
    case nothing
    case press([PressChange])
    /// A text that began without a text field.
    case scan(String)
    /// The keys of a text that began in a text field.
    case type([PressChange], into: ObjectIdentifier)
  }

  private enum State {
    case idle
    case collecting(Collected)
    case dropping(last: Timestamp)
    case typing(ObjectIdentifier, last: Timestamp)
  }

  private struct Collected {
    /// The keys as they were reported, and whether each only asks for light unless it is a scanner's.
    var held: [(change: PressChange, asksForLight: Bool)]
    var text: String
    var last: Timestamp
    /// The text field that was the first responder when the text began.
    let field: ObjectIdentifier?
    /// Whether nothing was typed for a second before it.
    let isWhole: Bool

    /// The keys that count if a person typed them.
    var presses: [PressChange] { held.filter { !$0.asksForLight }.map(\.change) }
  }

  let device: DeviceID
  var use: ScannerUse
  private var state = State.idle
  /// Whether the device has typed like a scanner.
  private var isRecognised = false
  /// The time of the last letter that no scan has ended; nil after a scan or enter.
  private var lastLetter: Timestamp?
  /// The letters in succession that a slow scanner may have typed, and the time of the first one.
  private var run: (letters: Int, start: Timestamp)?
  private var lastScan: Timestamp?
  private var notice: ScanNotice?

  /// The longest time between two letters of a possible keyboard, in seconds. Fast typists leave 80 ms.
  private static let keyboardPause = 0.035
  /// A slow scanner's average time between keys, in seconds, and the fewest letters beyond a person's speed.
  private static let (slowKey, fewestSlow) = (0.06, 8)
  /// The fewest letters of a code on a keyboard.
  private static let fewest = 3
  /// The time without a key after which the next one begins another text, in seconds.
  private static let silence = 1.0

  init(_ device: DeviceID, _ use: ScannerUse) { (self.device, self.use) = (device, use) }

  private var scanner: ScannerSettings? {
    switch use {
    case .always(let settings): settings
    case .automatic: isRecognised ? ScannerSettings() : nil
    case .never: nil
    }
  }

  mutating func takeNotice() -> ScanNotice? {
    defer { notice = nil }
    return notice
  }

  // MARK: Time

  var deadline: Timestamp? {
    guard case .collecting(let found) = state else { return nil }
    // Keys this fast are a scanner's, though nothing has shown it before.
    let pause =
      scanner?.pause ?? (found.text.count < Self.fewest ? Self.keyboardPause : ScannerSettings().pause)
    return found.last.advanced(bySeconds: pause)
  }

  mutating func expire(at time: Timestamp) -> Outcome {
    guard case .collecting(let found) = state else { return .nothing }
    guard let scanner else {
      state = .idle
      return .press(found.presses)
    }
    if scanner.end == .none { return finish(found, at: time) }
    state = .dropping(last: found.last)
    notice = .unfinished(scanner)
    return .nothing
  }

  /// Forgets the beginning of a text, so that the next key begins another one.
  mutating func forget() { (state, lastLetter, run) = (.idle, nil, nil) }

  /// Notes that the kernel has dropped events of the device, so that a text of this time is not whole.
  mutating func eventsWereLost(at time: Timestamp) {
    if case .collecting = state { notice = .lostEvents }
    if scanner != nil {
      state = .dropping(last: time)
    } else {
      forget()
      lastLetter = time
    }
  }

  // MARK: Keys

  /// Takes a change of a key, with the text field that is the first responder, and whether anything gets
  /// scans.
  mutating func take(
    _ change: PressChange, asksForLight: Bool, field: ObjectIdentifier?, isWanted: Bool, at time: Timestamp
  ) -> Outcome {
    let isDown = change.kind == .began
    let letters = isDown ? change.key.insertedText : ""
    switch state {
    case .dropping(let last) where time.seconds(since: last) > Self.silence: state = .idle
    case .typing(_, let last) where time.seconds(since: last) > ScannerSettings().pause: state = .idle
    case .idle, .collecting, .dropping, .typing: break
    }
    switch state {
    case .idle where letters.isEmpty && !(isDown && scanner != nil && !change.key.separator.isEmpty):
      return takeCommand(change, asksForLight, at: time)
    case .idle where scanner != nil || (field == nil ? isWanted : asksForLight):
      let isWhole = scanner != nil || lastLetter.map { time.seconds(since: $0) > Self.silence } ?? true
      noteLetter(at: time)
      state = .collecting(
        Collected(
          held: [(change, asksForLight)], text: letters.isEmpty ? change.key.separator : letters, last: time,
          field: field, isWhole: isWhole))
      return .nothing
    case .idle:
      if let field { state = .typing(field, last: time) }
      return pressed(change, asksForLight)
    case .dropping:
      guard isDown else { return pressed(change, asksForLight) }
      state = change.key.ends(scanner) ? .idle : .dropping(last: time)
      return .nothing
    case .typing(let first, let last):
      let isEnd = isDown && change.key.ends(nil)
      state = isEnd ? .idle : .typing(first, last: letters.isEmpty ? last : time)
      // The field has lost the focus, and the rest of the text is dropped.
      return field != first && (isEnd || !letters.isEmpty) ? .nothing : pressed(change, asksForLight)
    case .collecting(var found):
      found.held.append((change, asksForLight))
      if isDown, change.key.ends(scanner) { return finish(found, at: time) }
      // A key that types nothing may be in a code: a separator, the half of a letter.
      if isDown {
        found.text += letters.isEmpty ? change.key.separator : letters
        found.last = time
        if !letters.isEmpty { noteLetter(at: time) }
      }
      state = .collecting(found)
      return .nothing
    }
  }

  /// Takes a key that types nothing, while nothing is held back.
  private mutating func takeCommand(
    _ change: PressChange, _ asksForLight: Bool, at time: Timestamp
  ) -> Outcome {
    let isPressed = change.kind == .began || change.kind == .repeated
    if isPressed, isSilenced(change.key, at: time) { return .nothing }
    if change.kind == .began, change.key.ends(nil) {
      if scanner == nil, typesLikeScanner(until: time) {
        // Its letters were pressed one by one.
        (isRecognised, notice) = (true, .slow)
        endText(at: time)
        return .nothing
      }
      (lastLetter, run) = (nil, nil)
    }
    return pressed(change, asksForLight)
  }

  /// Whether a key presses nothing: a scanner's, or a second end of its text.
  private func isSilenced(_ key: Key, at time: Timestamp) -> Bool {
    if use.isNamed { return true }
    guard [.enter, .keypadEnter, .tab].contains(key.keyCode) else { return false }
    return lastScan.map { time.seconds(since: $0) <= Self.silence } ?? false
  }

  private func pressed(_ change: PressChange, _ asksForLight: Bool) -> Outcome {
    asksForLight && (change.kind == .began || change.kind == .repeated) ? .nothing : .press([change])
  }

  private mutating func finish(_ found: Collected, at time: Timestamp) -> Outcome {
    state = .idle
    if scanner == nil {
      let isQuick = found.text.count >= Self.fewest
      guard isQuick || typesLikeScanner(until: time) else {
        (lastLetter, run) = (nil, nil)
        return .press(found.presses)
      }
      isRecognised = true
      notice = !isQuick ? .slow : found.isWhole ? .recognised : .cut
    }
    endText(at: time)
    if notice?.isLoss ?? false { return .nothing }
    return found.field.map { .type(found.held.map(\.change), into: $0) } ?? .scan(found.text)
  }

  private mutating func endText(at time: Timestamp) { (lastLetter, run, lastScan) = (nil, nil, time) }

  private mutating func noteLetter(at time: Timestamp) {
    let goesOn = lastLetter.map { time.seconds(since: $0) <= ScannerSettings().pause } ?? false
    run = goesOn ? run.map { ($0.letters + 1, $0.start) } : nil
    run = run ?? (1, time)
    lastLetter = time
  }

  /// Whether enter at this time ends more letters than a person types so fast.
  private func typesLikeScanner(until time: Timestamp) -> Bool {
    guard let run, let lastLetter, time.seconds(since: lastLetter) <= ScannerSettings().pause else {
      return false
    }
    return run.letters >= Self.fewestSlow
      && time.seconds(since: run.start) <= Double(run.letters) * Self.slowKey
  }
}

/// An event of a scanned text for the log. It has nothing of the text.
package enum ScanNotice: Hashable, Sendable {
  /// A keyboard has typed like a scanner, and is one from now on.
  case recognised
  /// A keyboard has typed like a slow scanner, and is one from now on. Its first text was pressed as keys.
  case slow
  /// The first letters of a text came too long before the others.
  case cut
  /// The end of a text did not come in time.
  case unfinished(ScannerSettings)
  case lostEvents

  package var isLoss: Bool { self != .recognised }

  package var sentence: String {
    switch self {
    case .recognised:
      "types like a barcode scanner, and is read as one from now on: its letters press nothing; "
        + "if it is a keyboard, give it a rule with scanner: false"
    case .slow:
      "types like a slow barcode scanner, and is read as one from now on; its first text was not read: "
        + "give it a rule with scanner: true"
    case .cut:
      "a scanned text was dropped, since its keys came with a pause between them: "
        + "give the device a rule with scanner: true"
    case .unfinished(let scanner):
      "a scanned text was dropped, since \(scanner.end.rawValue) did not come within "
        + "\(Int(saturating: (scanner.pause * 1000).rounded())) ms after its last key: "
        + "if the scanner ends its texts in another way or is slower, "
        + "say so in its rule: scanner: {end: tab, pause: 0.2}"
    case .lostEvents: "a scanned text was dropped, since the kernel has lost events of the device"
    }
  }
}

extension Key {
  /// Whether it ends a text of a scanner, or of a keyboard if there is none.
  fileprivate func ends(_ scanner: ScannerSettings?) -> Bool {
    switch scanner?.end ?? .enter {
    case .enter: keyCode == .enter || keyCode == .keypadEnter
    case .tab: keyCode == .tab
    case .none: false
    }
  }

  /// The group separator of GS1 codes (ctrl and a bracket); empty for other keys. (GS1, 7.8.3)
  fileprivate var separator: String {
    modifierFlags.contains(.control) && characters == "\u{1d}" ? characters : ""
  }
}
