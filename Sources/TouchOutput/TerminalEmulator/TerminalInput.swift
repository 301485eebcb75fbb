/// Input from a terminal: keys, mouse reports, and answers to queries. (ECMA-48; xterm's `ctlseqs`.)
package enum TerminalEvent: Hashable, Sendable {
  /// A key that is one byte, such as a letter or Ctrl with one.
  case key(UInt8)
  case mouse(TerminalMouse)
  /// DA1, the terminal's features. 4 stands for sixel graphics. Every terminal answers this query.
  case attributes([Int])
  case kittyGraphics(Bool)
  /// The size of a character cell in pixels.
  case cell(width: Int, height: Int)
  /// The size of the text area in pixels.
  case textArea(width: Int, height: Int)
}

/// A report of the mouse. (xterm's SGR mode, 1006.)
package struct TerminalMouse: Hashable, Sendable {
  /// The column from the left, beginning with 0.
  package var column: Int
  /// The row from the top, beginning with 0.
  package var row: Int
  package var action: Action

  package enum Action: Hashable, Sendable {
    /// The left button went down.
    case press
    /// It moved with the left button down.
    case drag
    /// It moved without the left button.
    case hover
    /// The left button went up.
    case release
    /// Another button, or the wheel.
    case other
  }
}

/// Parses a terminal's bytes, which may arrive in any pieces. Unknown sequences are skipped.
///
/// ```
/// ground ─ESC─▶ escape ─[─▶ control ─final byte─▶ ground
///                  ├─ _ P ] ^ X ─▶ text ─BEL─▶ ground
///                  │                └─ESC─▶ textEscape ─\\─▶ ground, else as escape
///                  ├─ O ─▶ skip(1) ─▶ ground
///                  └─ other ─▶ ground
/// control ─M without parameters─▶ skip(3) ─▶ ground
/// ```
package struct TerminalInput {
  private enum State {
    case ground, escape, control, text, textEscape
    case skip(Int)
  }

  private var state = State.ground
  private(set) var parameters: [UInt8] = []

  /// The longest sequence; the rest of a longer one is ignored.
  private static let longest = 256

  /// Reserves memory for the longest sequence.
  package init() { parameters.reserveCapacity(Self.longest) }

  /// Parses the next byte; calls `body` when an event is complete.
  package mutating func take(_ byte: UInt8, _ body: (TerminalEvent) -> Void) {
    switch state {
    case .ground: takeGround(byte, body)
    case .escape: takeEscaped(byte, body)
    case .control: takeControl(byte, body)
    case .text: takeText(byte, body)
    case .textEscape:
      state = .ground
      if byte == UInt8(ascii: "\\") { finishText(body) } else { takeEscaped(byte, body) }
    case .skip(let count): state = count > 1 ? .skip(count - 1) : .ground
    }
  }

  private mutating func takeGround(_ byte: UInt8, _ body: (TerminalEvent) -> Void) {
    if byte == 0x1b { state = .escape } else { body(.key(byte)) }
  }

  private mutating func takeEscaped(_ byte: UInt8, _ body: (TerminalEvent) -> Void) {
    parameters.removeAll(keepingCapacity: true)
    switch byte {
    case UInt8(ascii: "["): state = .control
    // APC, DCS, OSC, PM and SOS: strings.
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      parameters.append(byte)
      state = .text
    // SS3, a function key: one more byte.
    case UInt8(ascii: "O"): state = .skip(1)
    case 0x1b: state = .escape
    default: state = .ground
    }
  }

  private mutating func takeControl(_ byte: UInt8, _ body: (TerminalEvent) -> Void) {
    switch byte {
    case 0x20...0x3f: if parameters.count < Self.longest { parameters.append(byte) }
    case 0x40...0x7e:
      state = .ground
      // The oldest mouse mode: three bytes follow.
      if byte == UInt8(ascii: "M") && parameters.isEmpty { state = .skip(3) }
      finishControl(byte, body)
    case 0x1b: state = .escape
    default: state = .ground
    }
  }

  private mutating func takeText(_ byte: UInt8, _ body: (TerminalEvent) -> Void) {
    switch byte {
    case 0x1b: state = .textEscape
    case 0x07:
      state = .ground
      finishText(body)
    default: if parameters.count < Self.longest { parameters.append(byte) }
    }
  }

  // MARK: Meaning

  private func finishControl(_ final: UInt8, _ body: (TerminalEvent) -> Void) {
    let mark = parameters.first.flatMap { (0x3c...0x3f).contains($0) ? $0 : nil }
    let numbers = Self.numbers(parameters.dropFirst(mark == nil ? 0 : 1))
    switch (mark, final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      guard numbers.count == 3 else { return }
      let action = Self.action(numbers[0], isUp: final == UInt8(ascii: "m"))
      body(.mouse(TerminalMouse(column: numbers[1] - 1, row: numbers[2] - 1, action: action)))
    case (UInt8(ascii: "?"), UInt8(ascii: "c")): body(.attributes(numbers))
    case (nil, UInt8(ascii: "t")) where numbers.count == 3 && numbers[1] > 0 && numbers[2] > 0:
      if numbers[0] == 6 { body(.cell(width: numbers[2], height: numbers[1])) }
      if numbers[0] == 4 { body(.textArea(width: numbers[2], height: numbers[1])) }
    default: break
    }
  }

  /// Returns the action of a button's code: the low bits are the button, 3 for none; 32 moves, 64 is a wheel.
  private static func action(_ code: Int, isUp: Bool) -> TerminalMouse.Action {
    guard code & 0xc0 == 0 else { return .other }
    let isLeft = code & 3 == 0
    if code & 32 != 0 { return isLeft ? .drag : .hover }
    guard isLeft else { return .other }
    return isUp ? .release : .press
  }

  private func finishText(_ body: (TerminalEvent) -> Void) {
    // "_Gi=31;OK" or "_Gi=31;EINVAL:…"
    guard parameters.starts(with: Array("_Gi=31;".utf8)) else { return }
    body(.kittyGraphics(parameters.dropFirst(7).elementsEqual(Array("OK".utf8))))
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
    bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
      digits.prefix(6).reduce(0) { number, digit in
        (0x30...0x39).contains(digit) ? number * 10 + Int(digit - 0x30) : number
      }
    }
  }
}

/// A terminal's answers to the queries for its features.
struct TerminalAnswers {
  var hasKittyGraphics = false
  var hasSixel = false
  var cell, textArea: (width: Int, height: Int)?
  var events: [TerminalEvent] = []

  /// Sends the queries and waits for the answer of every terminal, `timeout` milliseconds at most.
  init(of device: TerminalEmulatorDevice, timeout: Int32) {
    if !device.isMultiplexer { device.writeInTime(EscapeSequences.kittyQuery, milliseconds: timeout) }
    device.writeInTime(EscapeSequences.query, milliseconds: timeout)
    var input = TerminalInput()
    var isComplete = false
    while !isComplete, device.awaitInput(milliseconds: timeout) {
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
        guard let count = device.read(into: buffer) else {
          isComplete = true
          return
        }
        for byte in buffer.prefix(count) {
          input.take(byte) { if note($0) { isComplete = true } }
        }
      }
    }
  }

  /// - Returns: whether this was the last answer.
  private mutating func note(_ event: TerminalEvent) -> Bool {
    switch event {
    case .kittyGraphics(let isThere): hasKittyGraphics = isThere
    case .cell(let width, let height): cell = (width, height)
    case .textArea(let width, let height): textArea = (width, height)
    case .attributes(let numbers):
      hasSixel = numbers.dropFirst().contains(4)
      return true
    case .key, .mouse: events.append(event)
    }
    return false
  }
}
