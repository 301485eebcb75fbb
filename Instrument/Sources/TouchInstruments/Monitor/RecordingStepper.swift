import Glibc
import SystemPackage
import TouchInput
import TouchMeasure
import TouchRecordings
import TouchSystem

/// The program behind `touchtree monitor --step`: a recording in the terminal, forwards and back.
package final class RecordingStepper {
  private let loop: EventLoop
  private let picture: StepPicture
  private let output = LineOutput(.standardOutput)
  private var index = 0
  /// The first bytes of a key that takes several.
  private var pending: [UInt8] = []

  /// - Throws: if the recording has no touches; `SystemError`.
  package init(_ recording: Recording) throws {
    loop = try EventLoop()
    picture = try StepPicture(recording)
  }

  /// Runs until the user ends it, started from a terminal.
  package func run() throws {
    guard isatty(1) == 1, let keys = TerminalKeys(.standardInput) else {
      throw Failure(
        .unavailable,
        "stepping needs a terminal for its keys and its picture; leave --step out to print every frame")
    }
    try loop.watchSignals(EndSignals.numbers + [SIGWINCH]) { [unowned self] signal in
      if signal == SIGWINCH { show() } else { loop.stop() }
    }
    try loop.watch(FileDescriptor.standardInput.rawValue) { [unowned self] in
      let bytes = keys.drain()
      // The terminal is gone.
      if bytes.isEmpty { return loop.stop() }
      for byte in bytes { take(byte) }
      show()
    }
    // This is another screen without a cursor. The old contents of the terminal return at the end.
    write("\u{1b}[?1049h\u{1b}[?25l")
    defer { write("\u{1b}[?25h\u{1b}[?1049l") }
    show()
    try loop.run()
    withExtendedLifetime(keys) {}
  }

  private func take(_ byte: UInt8) {
    pending.append(byte)
    guard let step = StepKey(pending, isWhole: { pending.removeAll() }) else { return }
    switch step {
    case .by(let count): index = min(max(index + count, 0), picture.count - 1)
    case .first: index = 0
    case .last: index = picture.count - 1
    case .landing(let isForward): index = picture.change(from: index, isForward: isForward)
    case .quit: loop.stop()
    }
  }

  private func show() {
    var size = winsize()
    let isKnown = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    let lines = picture.lines(
      of: index, columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24)
    write("\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }

  private func write(_ text: String) {
    output.write(Array(text.utf8))
    do throws(Errno) { try output.flush() } catch { loop.stop() }
  }
}

enum StepKey: Equatable {
  case by(Int)
  case first, last, quit
  /// A step to the next or previous frame in which a contact is added or removed.
  case landing(isForward: Bool)

  /// Reads typed bytes; `isWhole` is called if they are a key or none, so that others follow.
  init?(_ bytes: [UInt8], isWhole: () -> Void) {
    if bytes.count == 1, bytes[0] != 0x1b { isWhole() }
    switch String(decoding: bytes, as: UTF8.self) {
    case " ", "n", "\n", "\r": self = .by(1)
    case "b", "\u{7f}": self = .by(-1)
    case "g": self = .first
    case "G": self = .last
    case ".": self = .landing(isForward: true)
    case ",": self = .landing(isForward: false)
    case "q", "\u{3}": self = .quit
    // The cursor keys in both modes of terminals. (ECMA-48; xterm's control sequences.)
    case "\u{1b}[C", "\u{1b}[B", "\u{1b}OC", "\u{1b}OB": self = .by(1)
    case "\u{1b}[D", "\u{1b}[A", "\u{1b}OD", "\u{1b}OA": self = .by(-1)
    case "\u{1b}[6~": self = .by(10)
    case "\u{1b}[5~": self = .by(-10)
    case "\u{1b}[H", "\u{1b}[1~", "\u{1b}OH": self = .first
    case "\u{1b}[F", "\u{1b}[4~", "\u{1b}OF": self = .last
    default:
      // Escape alone may begin a longer key.
      if bytes.count > 1, let last = bytes.last, bytes.count > 2,
        (0x40...0x7e).contains(last) || bytes.count > 6
      {
        isWhole()
      }
      return nil
    }
    isWhole()
  }
}

/// The frames of a recording's panel, each as lines of text.
struct StepPicture {
  private let device: Recording.Device
  private let kind: DeviceKind
  private let file: String
  /// The frames in which a contact is added or removed.
  private let changes: [Int]

  /// The time for which a way is drawn, in microseconds.
  private static let trail: Int64 = 1_000_000
  /// The terminal's rows beside the panel.
  private static let wordRows = 4

  /// - Throws: if the recording has no touches.
  init(_ recording: Recording) throws(Failure) {
    file = recording.file
    for device in recording.devices where !device.frames.isEmpty {
      guard let kind = DeviceClassifier.classify(device.description.capabilities).kind, kind.isTouchscreen
      else { continue }
      self.device = device
      self.kind = kind
      let trace = Self.trace(of: device, as: kind)
      var (changes, before): ([Int], (Int, Int)) = ([], (0, 0))
      for (index, frame) in device.frames.enumerated() {
        trace.add(frame)
        let now = (trace.contacts.count, trace.down.count)
        if now != before { changes.append(index) }
        before = now
      }
      self.changes = changes
      return
    }
    throw .recording(recording.file, "no device in it is a touchscreen; leave --step out to print its frames")
  }

  var count: Int { device.frames.count }

  /// Returns the next or previous frame with another number of contacts, or the end.
  func change(from index: Int, isForward: Bool) -> Int {
    isForward ? changes.first { $0 > index } ?? count - 1 : changes.last { $0 < index } ?? 0
  }

  private static func trace(of device: Recording.Device, as kind: DeviceKind) -> PanelTrace {
    let capabilities = device.description.capabilities
    let (x, y) = capabilities.positionAxes(of: kind)
    return PanelTrace(
      kind: kind, capabilities: capabilities, initial: device.initialState,
      geometry: PanelGeometry(x: x, y: y))
  }

  /// Returns the panel with its contacts, the events of the frame beside it, and the keys below.
  func lines(of index: Int, columns: Int, rows: Int) -> [String] {
    let trace = Self.trace(of: device, as: kind)
    for frame in device.frames[...index] { trace.add(frame) }
    let frame = device.frames[index]
    let time = frame.time.seconds(since: device.frames[0].time)
    let wait = index > 0 ? frame.time.seconds(since: device.frames[index - 1].time) * 1000 : nil
    let unit = trace.geometry.isInMillimetres ? "mm" : "units"
    var lines = [
      "\(device.description.title) in \(file)",
      "frame \(index + 1) of \(count), \(time.short) s"
        + (wait.map { ", \($0.short) ms after the one before" } ?? ""),
    ]
    let words =
      trace.down.enumerated().map { place, contact in
        let report = trace.contacts[contact].last
        return "\(Self.digit(place)) at \(report.point.x.short), \(report.point.y.short) \(unit)"
      } + [""] + frame.events.map(Self.text)
    let wide = columns >= 64
    let side = wide ? 34 : 0
    let panel = Self.panel(
      trace, columns: max(10, columns - side - 3), rows: max(4, rows - Self.wordRows - (wide ? 0 : 4)))
    if wide {
      for row in 0..<max(panel.count, min(words.count, rows - Self.wordRows)) {
        let left = row < panel.count ? panel[row] : String(repeating: " ", count: panel[0].count)
        lines.append("\(left)  \(row < words.count ? String(words[row].prefix(side - 2)) : "")")
      }
    } else {
      lines += panel + words.prefix(4)
    }
    lines.append("space, → next; b, ← back; PgDn, PgUp ten; . , landing or lift; g, G first, last; q ends")
    return lines.prefix(rows).map { String($0.onOneLine.prefix(columns)) }
  }

  private static func text(_ event: RawEvent) -> String {
    let name = EventName.code(event.code, of: event.type) ?? "type \(event.type) code \(event.code)"
    return "\(name) \(event.value)"
  }

  private static func digit(_ place: Int) -> Character { Character(String((place + 1) % 10)) }

  /// Returns a box of characters in the panel's proportions. A character is twice as high as it is wide.
  private static func panel(_ trace: PanelTrace, columns: Int, rows: Int) -> [String] {
    let size = trace.geometry.size
    let (most, room) = (Double(columns - 2), Double(rows - 2))
    let width = max(4, Int(min(most, room * 2 * size.width / size.height)))
    let height = max(2, Int(min(room, most / 2 * size.height / size.width)))
    var cells = Array(repeating: Array(repeating: Character(" "), count: width), count: height)
    func set(_ point: PanelPoint, _ character: Character) {
      guard point.isFinite else { return }
      let column = Int(saturating: min(max(point.x / size.width, 0), 0.9999) * Double(width))
      let row = Int(saturating: min(max(point.y / size.height, 0), 0.9999) * Double(height))
      cells[row][column] = character
    }
    for contact in trace.contacts where trace.end.microseconds(since: contact.last.time) <= Self.trail {
      for report in contact.reports where trace.end.microseconds(since: report.time) <= Self.trail {
        set(report.point, "·")
      }
    }
    for (place, contact) in trace.down.enumerated() { set(trace.contacts[contact].last.point, digit(place)) }
    let edge = "+" + String(repeating: "-", count: width) + "+"
    return [edge] + cells.map { "|" + String($0) + "|" } + [edge]
  }
}
