import Logging
import Testing
import TouchInspection
import TouchViews

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchJSON
@testable import TouchKit
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchSystem

/// A display whose cable the test pulls.
private final class Plug: Display {
  let name = "plug"
  var onEvent: (DisplayEvent) -> Void = { _ in }
  var isAttached = true
  private let page: Surface
  let scanout: Scanout? = .connector(
    .init(card: "/dev/dri/card0", name: "HDMI-A-1", crtc: 41, buffers: [51, 52], format: "XR24"))

  init() throws(DisplayError) { page = try Surface(width: 100, height: 100) }

  var width: Int { page.width }
  var height: Int { page.height }
  var picture: Surface? { page }
  var isCurrent: Bool { true }
  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) { page.compose(rect, paint) }
  func begin(in loop: EventLoop) {}
  func restore() {}
  func reopen() throws(DisplayError) {
    if !isAttached { throw DisplayError(.missing, path: name, detail: "nothing is connected") }
  }
}

/// What the daemon says of itself. The parts of it are there; the devices, the clock and the cable are the
/// test's.
@Suite struct HealthTests {
  private final class Room: RequestHost {
    let plug: Plug
    let loop: EventLoop
    let pipeline: InputPipeline
    let presentation: Presentation
    let idle: IdleDisplay
    let tree: ViewTree
    var time = Timestamp.zero
    private(set) lazy var statistics = InputStatistics { [unowned self] in time }
    private(set) var health: HealthReport!
    var status: ConfigurationStatus
    var ownProblems: [HealthProblem] = []
    let clientCount = 0

    init() throws {
      let configuration = try Configuration.parse(
        text: """
          window:
            subviews:
              - {id: open, frame: [0, 0, 100, 50]}
              - {id: pin, private: true, frame: [10, 60, 40, 20], subviews: [{id: key, frame: [30, 0, 20, 20]}]}
          """, file: "/etc/panel.yaml")
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      loop = try EventLoop()
      let kind = DisplayKind(example: "plug", named: { _ throws(DisplayError) in nil })
      let name = DisplayName("plug", of: kind, DisplayKind.Named { _ throws(DisplayError) in try Plug() })
      let output = try Output(name, for: configuration.presentation, log: log)
      plug = try #require(output.display as? Plug)
      tree = ViewTree(configuration, canvasSize: output.inputGeometry.canvasSize)
      pipeline = InputPipeline(tree, geometry: output.inputGeometry)
      presentation = try Presentation(configuration.presentation, pipeline, on: output, in: loop, log: log)
      presentation.isLive = false
      let host = TouchDaemon.Host(loop: loop, tree: tree, logger: log)
      idle = IdleDisplay(presentation, pipeline, host: host, in: loop, log: log)
      status = ConfigurationStatus(configuration, insteadOf: nil)
      idle.follow(configuration, at: .zero, backlights: "/nonexistent")
      health = HealthReport(of: self, host, pipeline, presentation, statistics, idle)
    }

    func ownName(of device: TouchCore.DeviceID) -> String { "panel" }
    func reload(then answer: @escaping (Result<[String], ReloadError>) -> Void) {}

    func at(_ seconds: Double) -> Timestamp { Timestamp.zero.advanced(bySeconds: seconds) }

    func finger(_ number: Int, _ kind: TouchChange.Kind, at seconds: Double) {
      let change = TouchChange(
        contact: ContactID(device: DeviceID(rawValue: 1), serial: number), kind: kind,
        location: WindowPoint(x: 50, y: 20 + seconds / 100))
      pipeline.apply([change], at: at(seconds))
      pipeline.endTurn()
    }

    func problems(at seconds: Double = 0) -> [HealthProblem] { health.problems(at: at(seconds)) }
    func codes(at seconds: Double = 0) -> [String] { problems(at: seconds).map(\.code) }

    /// A turn in which a frame took so long, in milliseconds.
    func turn(taking delay: Double, at seconds: Double) {
      statistics.count(
        InputFrame(time: at(seconds), cause: .report, events: []), of: DeviceID(rawValue: 1),
        stamp: at(seconds),
        changes: [], dispatcher: pipeline.dispatcher, name: "panel")
      statistics.turnEnds(at: at(seconds + delay / 1000))
    }
  }

  @Test(arguments: HealthProblem.Code.allCases)
  func `the manual says what to do`(code: HealthProblem.Code) throws {
    let page = #filePath.replacing("Tests/TouchDaemonTests/HealthTests.swift", with: "docs/displays.md")
    let text = String(decoding: try FileContents.read(page, upTo: 1 << 20), as: UTF8.self)
    #expect(text.contains("| `\(code.rawValue)`") || text.contains(", `\(code.rawValue)` |"))
  }

  @Test func `what works is well, dimmed and dark too`() throws {
    let room = try Room()
    #expect(room.codes().isEmpty)
    room.idle.isBlank = true
    #expect(room.presentation.output.isBlank && room.codes().isEmpty)
  }

  @Test func `no problem is found in a working panel during a day of touches`() throws {
    let room = try Room()
    for second in stride(from: 0.0, to: 86_400, by: 15) {
      room.idle.isBlank = second > 72_000
      if second.remainder(dividingBy: 300) == 0 {
        room.finger(1, .began, at: second)
        room.finger(1, .ended, at: second)
        room.turn(taking: 30, at: second)
      }
      // A hand that rests.
      if second.remainder(dividingBy: 3600) == 600 { room.finger(2, .began, at: second) }
      if second.remainder(dividingBy: 3600) == 645 { room.finger(2, .ended, at: second) }
      try #require(room.codes(at: second).isEmpty, "second \(second)")
    }
  }

  @Test func `a file that is not what is shown is a problem until it is`() throws {
    let room = try Room()
    room.status.problems = ["/etc/panel.yaml:3:1: error: no", "/etc/panel.yaml:4:1: error: no"]
    let problem = try #require(room.problems().first)
    #expect(problem.code == "not_reloaded")
    #expect(problem.message.contains("panel.yaml:3:1: error: no (and 1 more)"), "\(problem)")
    room.status = ConfigurationStatus(
      room.tree.configuration, insteadOf: ("/etc/a.yaml", ["/etc/a.yaml:1:1: no"]))
    #expect(room.codes() == ["fallback"])
    room.status.reloaded(room.tree.configuration)
    #expect(room.codes().isEmpty)
  }

  @Test func `a finger that is down and silent for more than a minute is stuck, whatever others do`() throws {
    let room = try Room()
    room.finger(1, .began, at: 10)
    room.finger(1, .moved, at: 20)
    #expect(room.codes(at: 79.9).isEmpty)
    room.finger(2, .began, at: 80)
    let problem = try #require(room.problems(at: 80.5).first)
    #expect(problem.code == "stuck_finger" && problem.message.contains("down for 60 s"), "\(problem)")
    room.finger(1, .ended, at: 81)
    #expect(room.codes(at: 81).isEmpty)
    room.finger(2, .ended, at: 82)
    #expect(room.codes(at: 1000).isEmpty, "nobody touches it for long")
  }

  @Test func `a finger that is withheld in the dark is stuck, too`() throws {
    let room = try Room()
    room.pipeline.isDark = true
    room.finger(1, .began, at: 10)
    #expect(room.pipeline.dispatcher.touches.isEmpty)
    #expect(room.codes(at: 69).isEmpty && room.codes(at: 71) == ["stuck_finger"])
    room.finger(1, .ended, at: 72)
    #expect(room.codes(at: 1000).isEmpty)
  }

  @Test(
    arguments: [
      ([300, 300, 300], []), ([300, 300, 300, 300], ["slow_touches"]), ([240, 240, 240, 240], []),
      ([300, 300, 10, 10], ["slow_touches"]), ([300, 10, 10, 10], []),
    ] as [([Double], [String])])
  func `touches are slow if half of the latest ones are`(delays: [Double], codes: [String]) throws {
    let room = try Room()
    for (index, delay) in delays.enumerated() { room.turn(taking: delay, at: Double(index)) }
    #expect(room.codes(at: 10) == codes)
    #expect(room.codes(at: 604).isEmpty, "what was long ago does not count")
  }

  @Test(arguments: [false, true])
  func `what was slow makes room for what is quick, whether or not figures are read`(isRead: Bool) throws {
    let room = try Room()
    for turn in 0..<100 { room.turn(taking: 300, at: Double(turn)) }
    #expect(room.codes(at: 100) == ["slow_touches"])
    for turn in 100..<230 {
      if isRead { _ = room.statistics.lines }
      room.turn(taking: 10, at: Double(turn))
    }
    #expect(room.codes(at: 230).isEmpty)
  }

  @Test func `a display that is gone is a problem until it is back`() throws {
    let room = try Room()
    room.plug.isAttached = false
    room.plug.onEvent(.changed)
    let problem = try #require(room.problems().first)
    #expect(problem.code == "not_shown" && problem.message == "plug is gone")
    room.plug.isAttached = true
    room.plug.onEvent(.changed)
    #expect(room.codes().isEmpty)
  }

  @Test func `the answer says what is scanned out, and which places a screenshot leaves out`() throws {
    let room = try Room()
    room.ownProblems = [HealthProblem(.noDevice, "none")]
    func answer(glass: Bool, at seconds: Double) throws -> JSONValue {
      var json = JSONWriter()
      json.object { room.health.write(to: &$0, glass: glass, at: room.at(seconds)) }
      return try JSONReader.read(json.string)
    }
    let plain = try answer(glass: false, at: 0)
    #expect(
      plain["well"] == .boolean(false) && plain["problems"]?.elements?.first?["code"] == .text("no_device"))
    #expect(plain["configuration"]?["sha256"]?.text?.count == 64 && plain["glass"] == nil)
    room.finger(1, .began, at: 1)
    room.finger(1, .ended, at: 2)
    let glass = try #require(try answer(glass: true, at: 3)["glass"])
    #expect(glass["connector"] == .text("HDMI-A-1") && glass["buffers"]?.json == "[51,52]")
    #expect(glass["private"]?.json == "[[10,60,50,20]]", "a key may lie outside its keyboard")
    #expect(glass["complete"] == .boolean(false), "a highlight would show what was touched")
    #expect(try answer(glass: true, at: 8)["glass"]?["complete"] == .boolean(true))
  }

  @Test func `a device that was asked for and is not there is missing`() throws {
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let (loop, room) = (try EventLoop(), try Room())
    let devices = DeviceManager(
      loop: loop, pipeline: room.pipeline, rules: DeviceRules([]), chosen: ["/dev/input/nowhere"], log: log)
    #expect(devices.problems(needsOne: true, file: "f.yaml").isEmpty, "before the start")
    #expect(throws: DeviceError.self) { try devices.start() }
    #expect(devices.problems(needsOne: true, file: "f.yaml").map(\.code) == ["no_device"])
    let missing = devices.problems(needsOne: false, file: "f.yaml")
    #expect(missing.map(\.code) == ["device_missing"])
    #expect(missing.first?.message.hasPrefix("/dev/input/nowhere is not read") == true, "\(missing)")
  }

  @Test func `of the rules, those that say that a device is used have to match one`() throws {
    let configuration = try Configuration.parse(
      text: """
        input:
          devices:
            - {match: {name: "Goodix*"}, use: true}
            - {match: {name: "FT5x06*"}, use: true}
            - {match: {name: "ILI*"}, rotation: 90}
            - {match: {name: mouse}, use: false}
            - {match: {name: remote}, use: true}
        window: {}
        """, file: "f.yaml")
    let panel = DeviceDescription(name: "Goodix Capacitive")
    let rules = DeviceRules(configuration.input.rules)
    #expect(rules.missing(among: [panel]) == [4])
    #expect(rules.missing(among: []) == [3, 4])
  }
}
