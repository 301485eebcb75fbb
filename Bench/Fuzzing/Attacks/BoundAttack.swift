import DispatchFuzzing
import Glibc
import TouchHandlers
import TouchJSON
import TouchSystem

/// Requests about as large as the bounds of `docs/limits.md`, just beyond them and far beyond. The daemon
/// refuses or does each of them, in bounded processor time, and stays as small as it was.
public final class BoundAttack {
  private static let configuration = """
    version: 1
    theme: dark
    display: {canvas: {size: [320, 200]}}
    values:
      rows: []
      grown: a
      kept: {value: "", keep: true}
      heat: {value: null, history: 600}
    templates:
      room: {parameters: [key, name], view: {id: "{key}", kind: button, frame: [0, 0, 60, 20], text: "{name}"}}
    window:
      subviews:
        - {id: double, kind: button, frame: [0, 0, 100, 40], actions: {touch_up_inside: [set: {grown: "{grown + grown}"}]}}
        - {id: shown, kind: label, frame: [100, 0, 100, 40], text: "{grown}"}
        - {id: field, kind: text_field, frame: [0, 40, 200, 40]}
        - {id: songs, kind: list, frame: [200, 0, 100, 200], rows: [a, b, c]}
        - {id: level, kind: slider, frame: [0, 80, 100, 40], maximum: 10}
        - {id: chart, kind: chart, frame: [0, 120, 100, 40], of: heat}
        - {id: card, frame: [100, 80, 60, 60], background: red, shadow: {blur: 4}}
        - id: stack
          kind: stack
          frame: [0, 160, 200, 40]
          subviews: [{repeat: {of: room, for: rows}}]

    """

  /// In seconds, for one request. The bound of a quiet machine is 0.05; this one holds on a busy one.
  private static let mostTime = 1.0

  private let daemon: AttackedDaemon
  private var sent = 0
  /// Clients that never read.
  private var deaf: [ControlClient] = []

  /// - Throws: `Errno`, `ControlError`.
  public init() throws {
    daemon = try AttackedDaemon(Self.configuration)
  }

  /// - Returns: the rule that was broken, and whether the request was done.
  public func run(seed: UInt64) -> (fault: String?, isDone: Bool) {
    var random = RandomSource(seed: seed)
    do {
      return (nil, try attack("seed \(seed)", &random))
    } catch {
      return (daemon.fault(error), false)
    }
  }

  private func attack(_ name: String, _ random: inout RandomSource) throws -> Bool {
    sent += 1
    let before = try daemon.processorTime()
    let lines = try request(&random)
    let isDone = try daemon.ask(lines, name)
    let taken = try daemon.processorTime() - before
    guard taken < Self.mostTime else {
      let start = String(decoding: lines.prefix(200), as: UTF8.self)
      throw AttackedDaemon.Excess(description: "\(lines.count) bytes took \(taken) s: \(start)")
    }
    // The client that asked for something longest ago may have been disconnected for those that never read.
    if deaf.count > 210 {
      deaf.removeAll()
      try daemon.reconnect()
    }
    if sent.isMultiple(of: 50) { try daemon.checkSize(after: sent) }
    return isDone
  }

  /// A number near a bound, or far beyond it.
  private func size(_ bound: Int, _ random: inout RandomSource) -> Int {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bound - 1
    case 1: bound
    case 2: bound + 1
    case 3: bound * 2
    case 4: bound * 10
    default: Int.random(in: 0...bound, using: &random)
    }
  }

  private static let letters = ["a", "ä", "漢", "🇩🇪", "e\u{301}", " ", "\\n", "\\u202e", "ا"]

  private func text(_ bound: Int, _ random: inout RandomSource) -> String {
    String(repeating: random.pick(Self.letters), count: min(size(bound, &random), 200_000))
  }

  /// Settings of views, `#` for a number that may be huge.
  private static let settings = [
    ("card", #""shadow":{"blur":#}"#), ("card", #""corner_radius":#"#), ("card", #""border":{"width":#}"#),
    ("shown", #""font":{"size":#}"#), ("level", #""maximum":#"#), ("level", #""step":#"#),
    ("card", #""frame":[0,0,#,#]"#), ("card", #""transform":[{"scale":#}]"#), ("songs", #""row_height":#"#),
    ("field", #""limit":#"#), ("songs", #""offset":[0,#]"#), ("stack", #""spacing":#"#),
  ]

  private func request(_ random: inout RandomSource) throws -> [UInt8] {
    let line =
      switch Int.random(in: 0..<12, using: &random) {
      case 0: #"{"type":"set","view":"field","properties":{"text":"\#(text(4096, &random))"}}"#
      case 1: #"{"type":"text","view":"field","text":"\#(text(4096, &random))"}"#
      case 2: #"{"type":"set","values":{"kept":"\#(text(65_000, &random))"}}"#
      case 3: #"{"type":"set","values":{"rows":[\#(rows(&random))]}}"#
      case 4: #"{"type":"set","view":"songs","properties":{"rows":[\#(rows(&random))]}}"#
      case 5: presses(&random)
      case 6: fingers(&random)
      case 7: String(repeating: "[", count: min(size(2048, &random), 200_000))
      case 8: #"{"type":"tree","id":"\#(text(65_500, &random))"}"#
      case 9: history(&random)
      case 10: try leaveUnread(&random)
      default: setting(&random)
      }
    return Array((line + "\n").utf8)
  }

  private func setting(_ random: inout RandomSource) -> String {
    let (view, setting) = random.pick(Self.settings)
    let bound = random.pick([250, 1000, 8192, 1_000_000, 10_000_000])
    let filled = setting.split(separator: "#", omittingEmptySubsequences: false)
      .joined(separator: "\(size(bound, &random))")
    return #"{"type":"set","view":"\#(view)","properties":{\#(filled)}}"#
  }

  private func rows(_ random: inout RandomSource) -> String {
    let count = min(size(1000, &random), 4000)
    let isKeyed = random.oneIn(2)
    return (0..<count).map { isKeyed ? #"{"key":"k\#($0)","name":"\#($0)"}"# : "\"\($0)\"" }
      .joined(separator: ",")
  }

  /// A value that doubles with each press.
  private func presses(_ random: inout RandomSource) -> String {
    let press =
      #"{"type":"inject","phase":"began","x":10,"y":10}"# + "\n" + #"{"type":"inject","phase":"ended"}"#
    return Array(repeating: press, count: Int.random(in: 1...20, using: &random)).joined(separator: "\n")
  }

  private func fingers(_ random: inout RandomSource) -> String {
    let count = min(size(16, &random), 100)
    return ["began", "moved", "ended"].flatMap { phase in
      (1...max(1, count)).map { finger in
        let (x, y) = (Int.random(in: -10...330, using: &random), Int.random(in: -10...210, using: &random))
        return #"{"type":"inject","phase":"\#(phase)","finger":\#(finger),"x":\#(x),"y":\#(y)}"#
      }
    }.joined(separator: "\n")
  }

  private func history(_ random: inout RandomSource) -> String {
    (0..<min(size(50, &random), 500))
      .map { #"{"type":"set","values":{"heat":\#($0 * 1_000_003 % 9_999_999)}}"# }.joined(separator: "\n")
  }

  /// Clients that ask for pictures or events and read nothing.
  private func leaveUnread(_ random: inout RandomSource) throws -> String {
    for _ in 0..<min(size(10, &random), 40) {
      let client = try AttackedDaemon.connect()
      try client.write(
        Array((random.oneIn(2) ? #"{"type":"screenshot"}"# : #"{"type":"subscribe"}"#).utf8) + [0x0a])
      deaf.append(client)
    }
    return #"{"type":"stats"}"#
  }
}
