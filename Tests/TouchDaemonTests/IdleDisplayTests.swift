import Foundation
import Logging
import Testing
import TouchInspection

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchKit
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchSystem
@testable import TouchViews

/// A display that is not touched, with a clock that the test turns, and a panel in a folder of the test.
@Suite struct IdleDisplayTests {
  private final class Room {
    let pipeline: InputPipeline
    let presentation: Presentation
    let idle: IdleDisplay
    let tree: ViewTree
    let loop: EventLoop
    let folder = FileManager.default.temporaryDirectory.appending(path: "idle-\(UUID().uuidString)").path
    var output: Output { presentation.output }

    init(
      _ stages: String =
        "[{after: 60, backlight: 20}, {after: 300, page: {screens: home}}, {after: 600, blank: true}]"
    ) throws {
      let configuration = try Configuration.parse(
        text: """
          display: {canvas: {size: [100, 100]}}
          highlight: {touches: false}
          idle: \(stages)
          window:
            subviews:
              - id: screens
                kind: pages
                subviews: [{id: home, background: "#ff0000"}, {id: more, background: "#00ff00"}]
              - {id: sure, kind: sheet}
          """, file: "f.yaml")
      try FileManager.default.createDirectory(atPath: folder + "/panel", withIntermediateDirectories: true)
      for file in ["brightness", "max_brightness"] {
        try "100\n".write(toFile: "\(folder)/panel/\(file)", atomically: false, encoding: .utf8)
      }
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      loop = try EventLoop()
      let output = try Output(.headless(), for: configuration.presentation, log: log)
      tree = ViewTree(configuration, canvasSize: output.inputGeometry.canvasSize)
      pipeline = InputPipeline(tree, geometry: output.inputGeometry)
      presentation = try Presentation(configuration.presentation, pipeline, on: output, in: loop, log: log)
      presentation.isLive = false
      let host = Host(loop: loop, tree: tree, logger: log)
      let factory = HandlerFactory(
        plugins: PluginLocator(folders: []), children: ChildProcesses(host: host), host: host)
      host.attach(try tree.makeHandlers(from: factory))
      idle = IdleDisplay(presentation, pipeline, host: host, in: loop, log: log)
      idle.follow(configuration, at: .zero, backlights: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The end of a turn.
    func turn(at seconds: Double) {
      let now = Timestamp.zero.advanced(bySeconds: seconds)
      if idle.turnPlace != nil { idle.turnEnds(at: now) }
      presentation.turnEnds(at: now)
    }

    /// A finger does something, in a turn of its own.
    func finger(_ number: Int, _ kind: TouchChange.Kind, at seconds: Double) {
      let change = TouchChange(
        contact: ContactID(device: DeviceID(rawValue: 1), serial: number), kind: kind,
        location: WindowPoint(x: 50, y: 50))
      pipeline.apply([change], at: .zero.advanced(bySeconds: seconds))
      turn(at: seconds)
    }

    var brightness: Int? {
      let text = try? String(contentsOfFile: folder + "/panel/brightness", encoding: .utf8)
      return text.flatMap { Int($0.prefix { $0.isNumber }) }
    }
    var page: String? { (tree.viewsByID["screens"] as? PagesView)?.page?.id }
    /// The display's first pixel.
    var pixel: UInt32? { output.display.picture.map { $0.pixels[0] } }
    /// Whether it is dimmed and dark, as Prometheus gets it.
    var metrics: [Substring] {
      var metrics = MetricsText()
      idle.write(to: &metrics)
      return metrics.text.split(separator: "\n").filter { $0.hasPrefix("touchtree_display_d") }.map {
        $0.suffix(1)
      }
    }
    /// What is under fingers that are delivered.
    var touched: Int { pipeline.dispatcher.touches.count }
  }

  @Test func `stages come at their times, and a touch undoes dimming and blanking`() throws {
    let room = try Room()
    (room.tree.viewsByID["screens"] as? PagesView)?.page = room.tree.viewsByID["more"]
    room.turn(at: 59.9)
    #expect(room.brightness == 100 && room.page == "more" && room.pixel == 0xff00_ff00)
    room.turn(at: 60)
    #expect(room.brightness == 20 && room.page == "more" && room.metrics == ["1", "0"])
    room.turn(at: 300)
    #expect(room.brightness == 20 && room.page == "home" && room.pixel == 0xffff_0000)
    room.turn(at: 600)
    #expect(room.metrics == ["0", "1"])
    #expect(room.output.isBlank && !room.output.isShown && room.pixel == 0xff00_0000)
    room.finger(1, .began, at: 700)
    #expect(!room.output.isBlank && room.brightness == 100 && room.pixel == 0xffff_0000)
    room.finger(1, .ended, at: 701)
    room.turn(at: 760.9)
    #expect(room.brightness == 100)
    room.turn(at: 761)
    #expect(room.brightness == 20)
  }

  @Test func `a stage does steps of actions`() throws {
    let room = try Room(
      "[{after: 70, steps: [dismiss: sure, set: {screens: {alpha: 0.5}}, page: {screens: more}]}]")
    let sure = try #require(room.tree.viewsByID["sure"] as? SheetView)
    sure.isPresented = true
    room.turn(at: 69)
    #expect(sure.isPresented && room.page == "home")
    room.turn(at: 70)
    #expect(!sure.isPresented && room.page == "more" && room.tree.viewsByID["screens"]?.alpha == 0.5)
    room.finger(1, .began, at: 71)
    #expect(room.page == "more", "a touch undoes no step")
  }

  @Test func `the timer waits for the next stage, whether that is later than the one before or sooner`()
    throws
  {
    let room = try Room()
    func deadline() -> Double? { room.idle.armed.map { $0.deadline.seconds(since: .zero) } }
    // Two stages have come at once.
    room.turn(at: 300)
    #expect(deadline() == 600)
    // The first stage comes sooner than the last one would have.
    room.finger(1, .began, at: 310)
    room.finger(1, .ended, at: 310)
    #expect(deadline() == 370)
    // The display goes dark after the last one, and no timer waits.
    room.turn(at: 2000)
    #expect(deadline() == nil)
  }

  @Test func `a touch on a dimmed display acts`() throws {
    let room = try Room()
    room.turn(at: 60)
    room.finger(1, .began, at: 61)
    #expect(room.touched == 1 && room.brightness == 100)
  }

  @Test func `a panel without light is dark, too`() throws {
    let room = try Room("[{after: 60, backlight: 0}]")
    room.turn(at: 60)
    room.finger(1, .began, at: 61)
    #expect(room.touched == 0 && room.brightness == 100)
    room.finger(1, .ended, at: 62)
    room.finger(2, .began, at: 63)
    #expect(room.touched == 1)
  }

  @Test func `what wakes a dark display is withheld until every finger of it has lifted`() throws {
    let room = try Room("[{after: 60, blank: true}]")
    room.turn(at: 60)
    var delivered: [Int] = []
    for (number, kind) in [
      (1, TouchChange.Kind.began), (2, .began), (1, .moved), (1, .ended), (3, .began), (2, .ended),
      (3, .moved),
      (3, .cancelled), (4, .began), (5, .began), (4, .ended),
    ] {
      room.finger(number, kind, at: 61)
      delivered.append(room.touched)
    }
    #expect(delivered == [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1])
    #expect(!room.output.isBlank)
  }

  @Test func `a mouse that moves wakes, and its next press acts`() throws {
    let room = try Room("[{after: 60, blank: true}]")
    let mouse = TouchSource(
      device: DeviceID(rawValue: 3), kind: .relativePointer, capabilities: DeviceCapabilities(),
      initial: InitialState(), geometry: room.pipeline.geometry)
    func send(_ type: UInt16, _ code: UInt16, _ value: Int32, at seconds: Double) {
      let event = RawEvent(type: type, code: code, value: value)
      room.pipeline.apply(
        InputFrame(time: .zero.advanced(bySeconds: seconds), events: [event]), from: mouse)
      room.turn(at: seconds)
    }
    room.turn(at: 60)
    send(EventCode.rel, EventCode.relX, 5, at: 61)
    #expect(!room.output.isBlank)
    send(EventCode.key, EventCode.btnLeft, 1, at: 62)
    #expect(room.touched == 1)
    send(EventCode.key, EventCode.btnLeft, 0, at: 62)
    room.turn(at: 130)
    send(EventCode.key, EventCode.btnLeft, 1, at: 131)
    #expect(room.touched == 0 && !room.output.isBlank)
  }

  @Test func `a finger that rests keeps the display awake, withheld or not`() throws {
    let room = try Room("[{after: 60, blank: true}]")
    room.finger(1, .began, at: 1)
    room.turn(at: 100)
    #expect(!room.output.isBlank)
    room.finger(1, .ended, at: 101)
    room.turn(at: 161)
    #expect(room.output.isBlank)
    room.finger(2, .began, at: 162)
    room.turn(at: 300)
    #expect(!room.output.isBlank)
  }

  @Test func `a device whose clock is behind does not make the display idle sooner`() throws {
    let room = try Room()
    // Two frames of one turn, of two devices.
    for (number, seconds) in [(1, 50.0), (2, 10)] {
      for kind in [TouchChange.Kind.began, .ended] {
        let contact = ContactID(device: DeviceID(rawValue: number), serial: 1)
        let change = TouchChange(contact: contact, kind: kind, location: WindowPoint(x: 50, y: 50))
        room.pipeline.apply([change], at: .zero.advanced(bySeconds: seconds))
      }
    }
    room.turn(at: 51)
    room.turn(at: 109)
    #expect(room.brightness == 100)
    room.turn(at: 110)
    #expect(room.brightness == 20)
  }

  @Test func `what a client sets wakes nothing, unless it asks`() throws {
    let room = try Room()
    room.turn(at: 600)
    try room.tree.viewsByID["home"]?.set([.init(key: "background", value: .text("#0000ff"))])
    room.turn(at: 601)
    #expect(room.output.isBlank && room.pixel == 0xff00_0000 && room.brightness == 20)
    room.idle.wake(at: .zero.advanced(bySeconds: 602))
    room.turn(at: 602)
    #expect(!room.output.isBlank && room.pixel == 0xff00_00ff && room.brightness == 100)
    room.finger(1, .began, at: 603)
    #expect(room.touched == 1)
  }

  @Test func `another configuration and the end make the display bright`() throws {
    let room = try Room()
    room.turn(at: 600)
    room.idle.follow(room.tree.configuration, at: .zero.advanced(bySeconds: 601), backlights: room.folder)
    room.turn(at: 601)
    #expect(!room.output.isBlank && room.brightness == 100)
    room.turn(at: 661)
    #expect(room.brightness == 20)
    room.idle.end(at: .zero.advanced(bySeconds: 662))
    #expect(room.brightness == 100)
    room.turn(at: 2000)
    #expect(room.brightness == 100 && !room.output.isBlank)
  }

  @Test func `what is requested of the window counts until the next touch or stage`() throws {
    let room = try Room()
    func set(_ key: String, _ value: PropertyValue) throws {
      try room.tree.window.set([.init(key: key, value: value)])
    }
    try set("backlight", .number(40))
    #expect(room.brightness == 40 && room.metrics.contains("0"))
    room.turn(at: 60)
    #expect(room.brightness == 20, "a stage dims it")
    try set("backlight", .number(50))
    #expect(room.brightness == 50, "the last word counts")
    room.finger(1, .began, at: 61)
    room.finger(1, .ended, at: 61)
    #expect(room.brightness == 50 && room.touched == 0)
    try set("blank", .flag(true))
    #expect(room.output.isBlank)
    room.finger(2, .began, at: 62)
    #expect(!room.output.isBlank && room.touched == 0, "the touch that wakes does nothing else")
    room.finger(2, .ended, at: 62)
    try set("backlight", .number(0))
    #expect(room.brightness == 0)
    room.idle.follow(room.tree.configuration, at: .zero.advanced(bySeconds: 63), backlights: room.folder)
    #expect(room.brightness == 50, "a reload keeps it")
    try set("backlight", .null)
    #expect(room.brightness == 100)
    room.idle.end(at: .zero.advanced(bySeconds: 64))
    #expect(room.brightness == 100)
  }

  @Test func `without a backlight, a brightness is refused with the reason`() throws {
    let room = try Room("[]")
    room.idle.follow(room.tree.configuration, at: .zero, backlights: "/nonexistent")
    let error = #expect(throws: PropertyError.self) {
      try room.tree.window.set([.init(key: "backlight", value: .number(40))])
    }
    #expect(error?.description.contains("it has no backlight") == true, "\(error as Any)")
    try room.tree.window.set([.init(key: "blank", value: .flag(true))])
    room.turn(at: 1)
    #expect(room.output.isBlank)
    room.finger(1, .began, at: 2)
    #expect(!room.output.isBlank, "a touch wakes without stages, too")
  }
}
