import DispatchFuzzing
import Glibc
import SystemPackage
import TouchHandlers
import TouchMQTT
import TouchSystem

/// Lines with something changed in them, sent to a daemon as a client of its control socket, as a process
/// handler, and as messages of an MQTT broker are: it answers the next client in time, and stays as small as
/// it was.
public final class LineAttack {
  /// The process handler writes what is written here.
  private static let pipe = "./lines"

  private static let configuration = """
    version: 1
    display: {canvas: {size: [320, 200]}}
    handlers: {lines: {kind: process, command: [cat, lines]}}
    window:
      handlers: [lines]
      subviews:
        - {id: lamp, kind: button, frame: [0, 0, 100, 40], text: on, actions: {touch_up_inside: [send: {to: lines, message: 1}]}}
        - {id: name, kind: label, frame: [100, 0, 100, 40], text: name}
        - {id: level, kind: slider, frame: [0, 40, 200, 40], maximum: 10, step: 1, actions: {value_changed: [set: {name: {text: "{value}"}}]}}
        - {id: modes, kind: segmented, frame: [0, 80, 200, 40], segments: [a, b, c]}
        - {id: songs, kind: list, frame: [200, 0, 100, 200], rows: [a, b, c]}
        - {id: row, kind: stack, frame: [0, 120, 200, 40], subviews: [{id: one, kind: label, text: 1}, {id: two, kind: switch}]}
        - {id: screens, kind: pages, frame: [0, 160, 200, 40], slide: true, subviews: [{id: home}, {id: settings}]}
        - {id: shelf, kind: scroll, frame: [300, 0, 20, 200], content: [20, 400], gestures: [{id: pan, kind: pan}]}

    """

  private static let requests = [
    #"{"type":"set","id":1,"view":"lamp","properties":{"background":"none","font":{"size":12},"text":"off"}}"#,
    #"{"type":"set","view":"level","properties":{"value":3,"maximum":20,"frame":[0,40,100,30]}}"#,
    #"{"type":"set","view":"row","properties":{"axis":"vertical","spacing":4,"insets":[1,2,3,4],"hidden":true}}"#,
    #"{"type":"set","view":"songs","format":"text","properties":{"rows":"[x, y]","row_height":"9"}}"#,
    #"{"type":"set","view":"modes","properties":{"segments":["x","y"],"value":1,"tint":"none"}}"#,
    #"{"type":"set","view":"home","properties":{"transform":[1,0,0,1,5,5],"alpha":0.5,"border":{"width":2}}}"#,
    #"{"type":"page","view":"screens","page":"settings"}"#,
    #"{"type":"page","view":"screens","page":"next"}"#,
    #"{"type":"tree","id":"a","format":"text"}"#,
    #"{"type":"hit","x":1.5,"y":-2e3,"in":"lamp","all":true,"explain":true}"#,
    #"{"type":"stats","format":"text"}"#, #"{"type":"inject","phase":"began","finger":1,"x":10,"y":20}"#,
    #"{"type":"inject","phase":"moved","finger":1,"x":90,"y":60}"#,
    #"{"type":"inject","phase":"ended","finger":1}"#,
    #"{"type":"subscribe","events":["touch","action","text"],"views":["lamp","\u00e9"]}"#,
    #"{"type":"screenshot"}"#,
    #"{"type":"screen","id":2}"#, #"{"type":"wake"}"#, #"{"type":"reload"}"#,
    #"{"type":"ready","protocol":1,"wants":["began"]}"#,
    "[[[[[[[[", "{\"type\":",
  ]

  private static let messages = [
    ("home/lamp/set", #"{"hidden": true}"#), ("home/name/set/text", "21 °C"), ("home/level/set/value", "7"),
    ("home/modes/set/segment", "b"), ("home/screens/page/set", "home"), ("home/reload", ""),
    ("home/a%2fb/set/text", "x"),
  ]

  private static let mutation = Mutation(
    [
      "{", "}", "[", "]", "\"", "\\", "\\u0000", "\\ud800", ":", ",", "null", "true", "\n", "/", "%", "%2f",
      "+", "#",
      "\"text\":\"\u{202e}\"", "\"font\":{\"size\":1000}", "\"frame\":[0,0,1e9,1e9]", "\"rows\":[]",
      "\"alpha\":-1", "type", "lamp",
      "level", "screens", "home", "\"z\":1e300", "\"value\":1e300", "\"step\":1e-300",
      "\"image\":\"/dev/zero\"",
      String(repeating: "[", count: 2000), String(repeating: "a", count: 70_000),
    ], longest: 1 << 18)

  private let daemon: AttackedDaemon
  private let words: FileDescriptor
  private let topics: Topics
  private var count = 0

  /// Starts the daemon.
  ///
  /// - Throws: `Errno`, `ControlError`.
  public init() throws {
    guard let topics = Topics(prefix: "home") else { throw Errno.invalidArgument }
    self.topics = topics
    daemon = try AttackedDaemon(Self.configuration, pipe: Self.pipe)
    // Open for both, so that it has a reader while the process is started again.
    words = try FileDescriptor.open(FilePath(Self.pipe), .readWrite, options: [.nonBlocking, .closeOnExec])
  }

  /// - Returns: the rule that was broken, and whether the daemon answered with anything but an error.
  public func run(seed: UInt64) -> (fault: String?, isUnderstood: Bool) {
    var random = RandomSource(seed: seed)
    do {
      return (nil, try attack(seed: seed, &random))
    } catch {
      return (daemon.fault(error), false)
    }
  }

  private func attack(seed: UInt64, _ random: inout RandomSource) throws -> Bool {
    count += 1
    if count % 500 == 0 {
      try daemon.reconnect()
      try daemon.checkSize(after: count)
    }
    var line: [UInt8]
    if random.oneIn(4) {
      guard let request = request(&random) else { return false }
      line = request
    } else {
      line = Array(random.pick(Self.requests).utf8)
      mutation(&line, &random)
      line.append(0x0a)
    }
    if random.oneIn(4) { return try write(line) }
    return try daemon.ask(line, "seed \(seed)")
  }

  private func mutation(_ bytes: inout [UInt8], _ random: inout RandomSource) {
    if !random.oneIn(8) { Self.mutation.apply(to: &bytes, &random) }
  }

  /// The output of the process handler. A pipe that is full is read soon.
  private func write(_ line: [UInt8]) throws -> Bool {
    for _ in 0..<1000 {
      do {
        _ = try line.prefix(4096).withUnsafeBytes { try words.write($0) }
        return false
      } catch Errno.resourceTemporarilyUnavailable {
        usleep(1000)
      }
    }
    throw Errno.timedOut
  }

  /// The request that a message of the broker becomes.
  private func request(_ random: inout RandomSource) -> [UInt8]? {
    let message = random.pick(Self.messages)
    var (topic, payload) = (Array(message.0.utf8), Array(message.1.utf8))
    if random.oneIn(2) { mutation(&topic, &random) } else { mutation(&payload, &random) }
    let text = String(decoding: topic, as: UTF8.self)
    return try? topics.command(text)?.request(payload, on: text) {
      $0 == "modes" ? (name: "segment", texts: ["a", "b", "c"]) : nil
    }
  }
}
