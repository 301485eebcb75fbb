import TouchCore
import TouchInput
import TouchInspection
import TouchMeasure
import TouchSystem

/// The monitor's output for people: the device's events on the left, contacts and touches on the right.
struct MonitorText: MonitorWriter {
  private let output: LineOutput
  /// The time that is shown as zero.
  private var start: Timestamp?
  /// The devices that were reported as slow.
  private var warned: Set<String> = []

  private static let nameWidth = 24
  private static let valueWidth = 9

  init(_ output: LineOutput) { self.output = output }

  mutating func added(_ device: DeviceDescription, _ use: MonitoredUse) {
    let what = use.kind.map { "used as \($0.rawValue)\(use.filterSentence)" } ?? "not used"
    output.write(line: "\(device.path)  \(device.title)  \(what). \(use.reason)")
    for warning in use.warnings { output.write(line: "configuration: \(device.title): \(warning)") }
  }

  mutating func removed(_ device: DeviceDescription, because reason: String, _ outcome: MonitoredOutcome) {
    output.write(line: "\(device.path)  \(device.title)  gone. \(reason)")
    writeRows([], outcome)
  }

  mutating func frame(_ frame: MonitoredFrame) {
    var head = head(frame.frame.time, frame.device)
    if let interval = frame.interval {
      head += "  +\(interval.short) ms"
      if interval > 0 && interval < 1000 { head += ", \((1000 / interval).rounded().plain) a second" }
    }
    if frame.frame.cause == .resync { head += "  the kernel's buffer overflowed; these are the differences" }
    output.write(line: head)
    writeRows(frame.frame.events.map(Self.text), frame.outcome)
  }

  mutating func deadline(of device: DeviceDescription, at time: Timestamp, _ outcome: MonitoredOutcome) {
    output.write(line: head(time, device) + "  no frame: the delay of a filter or a gesture is over")
    writeRows([], outcome)
  }

  private mutating func head(_ time: Timestamp, _ device: DeviceDescription) -> String {
    let zero = start ?? time
    start = zero
    return "\(Self.seconds(time.microseconds(since: zero)))  \(device.title)"
  }

  /// Writes two columns side by side.
  private func writeRows(_ left: [String], _ outcome: MonitoredOutcome) {
    let right = outcome.contacts.map(Self.text) + outcome.touches.map(Self.text)
    for row in 0..<max(left.count, right.count) {
      let said = row < left.count ? left[row] : ""
      guard row < right.count else {
        output.write(line: "  \(said)")
        continue
      }
      output.write(line: "  \(Self.padded(said, to: Self.nameWidth + Self.valueWidth))   \(right[row])")
    }
  }

  mutating func rate(_ rate: ReportRate, of device: DeviceDescription) {
    if let summary = rate.summary { output.write(line: "\(device.title) \(summary)") }
    if let warning = rate.warning, warned.insert(device.path + device.name).inserted {
      output.write(line: "\(device.title) \(warning)")
    }
  }

  mutating func readDelay(_ delay: LatencyHistogram, of device: DeviceDescription) {
    let figures = zip(LatencyHistogram.heads, delay.cells).dropLast().map { "\($0) \($1)" }
    output.write(
      line: "\(device.title) frames are read \(figures.joined(separator: ", ")) after the kernel's time stamp"
    )
  }

  mutating func rest(_ spread: Spread, seconds: Double, of device: DeviceDescription) {
    output.write(
      line:
        "\(device.title) reported a finger that rested for \(seconds.short) s within \(spread.value.short) "
        + (spread.isInMillimetres ? "mm" : "units"))
  }

  mutating func violation(
    _ violation: ProtocolAudit.Violation, count: Int, example: String, of device: DeviceDescription
  ) {
    let times = count == 1 ? "once" : "\(count) times"
    output.write(
      line: "kernel bug: \(device.title) \(violation.sentence), \(times) so far (the first \(example))")
  }

  mutating func notice(_ notice: InputNotice, of device: DeviceDescription) {
    output.write(line: "kernel bug: \(device.title) \(notice.sentence)")
  }

  private static func text(_ event: RawEvent) -> String {
    let name = EventName.code(event.code, of: event.type) ?? "type \(event.type) code \(event.code)"
    let value = String(event.value)
    return padded(name, to: nameWidth) + String(repeating: " ", count: max(0, valueWidth - value.utf8.count))
      + value
  }

  private static func text(_ contact: (device: ContactChange, window: TouchChange)) -> String {
    let change = contact.device
    var text = "contact \(change.contact.serial) \(change.kind) at \(change.position.text)"
    text += " → window \(contact.window.location.text)"
    if let pressure = change.attributes.pressure { text += ", pressure \(pressure)" }
    if let size = change.attributes.touchMajor {
      text += ", size \(size)" + (change.attributes.touchMinor.map { "x\($0)" } ?? "")
    }
    switch change.attributes.tool {
    case .finger: break
    case .pen: text += ", pen"
    case .palm: text += ", palm"
    case .other(let tool): text += ", tool \(tool)"
    }
    return text
  }

  private static func text(_ news: MonitoredOutcome.TouchNews) -> String {
    "touch \(news.touch) \(news.what.rawValue) on \(news.view ?? "nothing")"
  }

  private static func padded(_ text: String, to count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - text.utf8.count))
  }

  /// Returns seconds in the form `   1.002003`.
  private static func seconds(_ microseconds: Int64) -> String {
    let fraction = String(microseconds.magnitude % 1_000_000)
    let whole = (microseconds < 0 ? "-" : "") + String(microseconds.magnitude / 1_000_000)
    return String(repeating: " ", count: max(0, 5 - whole.utf8.count)) + whole + "."
      + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }
}
