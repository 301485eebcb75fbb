import Glibc
import SystemPackage
import TouchJSON
import TouchMeasure
import TouchSystem

/// The program behind `touchtree raw`: a controller's measurements, and at the end noise and dead electrodes.
package final class RawMonitor {
  package struct Options: Sendable {
    /// The V4L2 node; nil for the first one.
    package var node: String?
    /// The measurement, by the number or the name of the driver's input.
    package var input: String?
    /// The time after which it ends by itself, in seconds; nil for none.
    package var seconds: Double?
    package var isJSON = false

    package init() {}
  }

  private let node: RawTouchNode
  private let options: Options
  private let loop: EventLoop
  private let output = LineOutput(.standardOutput)
  private var figures: RawFigures
  private var picture: RawPicture
  private var json = JSONWriter()
  /// The times of the first and the last frame, in nanoseconds.
  private var times: (first: Int64, last: Int64)?
  private var failure: Failure?

  /// - Throws: `Failure` if there is no such node, or it cannot be read; `SystemError`.
  package init(_ options: Options) throws {
    guard let path = options.node ?? RawTouchNode.nodes().first else {
      throw Failure(
        .unavailable,
        "no driver offers what its touch controller measures: there is no /dev/v4l-touchN. Drivers that do are rmi4 (with "
          + "CONFIG_RMI4_F54), atmel_mxt_ts (with CONFIG_TOUCHSCREEN_ATMEL_MXT_T37) and sur40")
    }
    self.options = options
    node = try RawTouchNode(path: path, input: options.input)
    figures = RawFigures(columns: node.columns, rows: node.rows)
    picture = RawPicture(columns: node.columns, rows: node.rows)
    loop = try EventLoop()
  }

  /// Runs until the user, the time or the device's removal, an error, ends it. Returns whether no electrode
  /// is dead.
  package func run() throws -> Bool {
    let isPicture = isatty(1) == 1 && !options.isJSON
    let keys = isPicture ? TerminalKeys(.standardInput) : nil
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in loop.stop() }
    if let keys {
      try loop.watch(FileDescriptor.standardInput.rawValue) { [unowned self] in
        let typed = keys.drain()
        if typed.isEmpty || typed.contains(UInt8(ascii: "q")) || typed.contains(3) { loop.stop() }
      }
    }
    try loop.watch(node.readiness) { [unowned self] in take(isPicture) }
    if let seconds = options.seconds {
      _ = loop.addTimer(milliseconds: max(1, Int(seconds * 1000)), repeats: false) { [unowned self] in
        loop.stop()
      }
    }
    // This is another screen without a cursor. The old contents of the terminal return at the end.
    if isPicture { write("\u{1b}[?1049h\u{1b}[?25l") }
    do {
      defer { if isPicture { write("\u{1b}[?25h\u{1b}[?1049l") } }
      if !isPicture && !options.isJSON { announce() }
      try loop.run()
    }
    withExtendedLifetime(keys) {}
    let nodes = figures.nodes()
    let faults = figures.faults(of: nodes)
    report(nodes, faults)
    try output.flush()
    if let failure { throw failure }
    return faults.isEmpty
  }

  private func take(_ isPicture: Bool) {
    do throws(Failure) {
      guard let frame = try node.read() else { return }
      let now = MonotonicClock.nanoseconds()
      times = (times?.first ?? now, now)
      figures.add(frame)
      picture.add(frame)
      if options.isJSON { line(of: frame, at: now) }
      if isPicture { show(frame) }
    } catch {
      failure = error
      loop.stop()
    }
  }

  private func show(_ frame: [Int32]) {
    var size = winsize()
    let isKnown = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    let (columns, rows) = isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    let lines =
      [title] + picture.lines(of: frame, width: columns, height: max(1, rows - 4)) + [
        "q ends, and prints the figures"
      ]
    write("\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }

  private var title: String {
    "\(node.name.onOneLine), \(node.path): \(node.columns)×\(node.rows) nodes, \(node.format.rawValue)"
  }

  private func announce() {
    output.write(line: title)
    for (index, name) in node.inputs.enumerated() { output.write(line: "input \(index): \(name.onOneLine)") }
    do throws(Errno) { try output.flush() } catch { loop.stop() }
  }

  private func write(_ text: String) {
    output.write(Array(text.utf8))
    do throws(Errno) { try output.flush() } catch { loop.stop() }
  }

  // MARK: The figures

  /// The rate in frames a second; nil before there are two frames.
  private var rate: Double? {
    guard let times, figures.count > 1, times.last > times.first else { return nil }
    return Double(figures.count - 1) / Double(times.last - times.first) * 1e9
  }

  private func report(
    _ nodes: [RawFigures.Node], _ faults: [(line: RawFigures.Line, fault: RawFigures.Fault)]
  ) {
    if options.isJSON { return reportJSON(nodes, faults) }
    guard let rate, let worst = nodes.max(by: { $0.noise < $1.noise }),
      let strongest = nodes.max(by: { $0.signal < $1.signal })
    else { return output.write(line: "no frames came: nothing can be said") }
    let noises = nodes.map(\.noise).sorted()
    output.write(line: "\(figures.count) frames, \(rate.short) a second")
    output.write(
      line:
        "noise: median \(RawFigures.median(noises).short), worst \(worst.noise.short) at \(Self.place(worst))"
    )
    output.write(line: "strongest signal: \(strongest.signal.short) at \(Self.place(strongest))")
    for (line, fault) in faults {
      switch fault {
      case .constant: output.write(line: "\(line) is dead: its numbers never change")
      case .deaf:
        output.write(
          line: "\(line) is dead: a finger that its neighbours on both sides report changes nothing in it")
      }
    }
    if faults.isEmpty { output.write(line: "no row and no column is dead, as far as it was touched") }
  }

  private static func place(_ node: RawFigures.Node) -> String { "row \(node.row), column \(node.column)" }

  private func line(of frame: [Int32], at time: Int64) {
    output.write(
      json.line("event", "frame") {
        $0.field("time_us", Int(time / 1000))
        $0.field("values", frame.map(Int.init))
      })
    do throws(Errno) { try output.flush() } catch { loop.stop() }
  }

  private func reportJSON(
    _ nodes: [RawFigures.Node], _ faults: [(line: RawFigures.Line, fault: RawFigures.Fault)]
  ) {
    output.write(
      json.line("event", "figures") {
        $0.field("device", node.name)
        $0.field("path", node.path)
        $0.field("columns", node.columns)
        $0.field("rows", node.rows)
        $0.field("format", node.format.rawValue)
        $0.field("frames", figures.count)
        $0.field("rate_hz", rate)
        $0.objects("nodes", of: nodes) { json, node in
          json.field("row", node.row)
          json.field("column", node.column)
          json.field("rest", node.rest)
          json.field("noise", node.noise)
          json.field("signal", node.signal)
        }
        $0.objects("dead", of: faults) { json, fault in
          switch fault.line {
          case .row(let index): json.field("row", index)
          case .column(let index): json.field("column", index)
          }
          json.field("because", fault.fault == .constant ? "constant" : "deaf")
        }
      })
  }
}
