import Foundation
import Logging
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput
@testable import TouchKit
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchSystem
@testable import TouchViews

/// Sensors in a folder of the test, as the kernel lists those of industrial I/O, with a clock that the test
/// turns.
@Suite struct SensorTests {
  private final class Room {
    let clock = ManualClock()
    let loop: EventLoop
    let host: TouchDaemon.Host
    let idle: IdleDisplay
    let sensors: Sensors
    let folder = FileManager.default.temporaryDirectory.appending(path: "iio-\(UUID().uuidString)").path

    init(_ source: String, idle stages: String = "[]", _ files: [String: String]) throws {
      let text = """
        display: {canvas: {size: [100, 100]}}
        idle: \(stages)
        values: {light: {value: 80, source: {\(source)}}}
        window: {}
        """
      let configuration = try Configuration.parse(text: text, file: "f.yaml")
      loop = try EventLoop(manualClock: clock)
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let output = try Output(.headless(), for: configuration.presentation, log: log)
      let tree = ViewTree(configuration, canvasSize: output.inputGeometry.canvasSize)
      let pipeline = InputPipeline(tree, geometry: output.inputGeometry)
      let presentation = try Presentation(
        configuration.presentation, pipeline, on: output, in: loop, log: log)
      presentation.isLive = false
      host = TouchDaemon.Host(loop: loop, tree: tree, logger: log)
      idle = IdleDisplay(presentation, pipeline, host: host, in: loop, log: log)
      sensors = Sensors(host: host, idle, in: loop, log: log) { false }
      try FileManager.default.createDirectory(
        atPath: "\(folder)/iio:device0", withIntermediateDirectories: true)
      for (name, content) in files { try write(name, content) }
      idle.follow(configuration, at: loop.now)
      sensors.follow(in: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ name: String, _ content: String) throws {
      try (content + "\n").write(toFile: "\(folder)/iio:device0/\(name)", atomically: false, encoding: .utf8)
    }

    func pass(_ seconds: Double) { try? loop.advance(byNanoseconds: Int64(seconds * 1e9)) }

    var light: PropertyValue? { host.bindings.values.value("light") }
  }

  @Test func `a channel is read in the kernel's units, or computed from the device's`() throws {
    let device = ["name": "apds9960", "in_illuminance_input": "250"]
    let room = try Room("device: apds*, event: illuminance", device)
    #expect(room.light == .number(250))
    try room.write("in_illuminance_input", "12.5")
    #expect(room.light == .number(250))
    room.pass(1)
    #expect(room.light == .number(12.5))
    let raw = [
      "name": "als", "in_illuminance0_raw": "10", "in_illuminance0_scale": "0.5",
      "in_illuminance0_offset": "2",
    ]
    #expect(try Room("device: als, event: illuminance", raw).light == .number(6))
  }

  @Test func `small changes do not count`() throws {
    let room = try Room(
      "device: als, event: illuminance, hysteresis: 10", ["name": "als", "in_illuminance_input": "100"])
    for (reading, shown) in [("109", 100.0), ("91", 100), ("110", 110), ("101", 110), ("99", 99)] {
      try room.write("in_illuminance_input", reading)
      room.pass(1)
      #expect(room.light == .number(shown), "\(reading)")
    }
  }

  @Test func `the value is that of the file until the sensor is there, and when it is gone`() throws {
    let room = try Room("device: als, event: illuminance, every: 2", ["name": "als"])
    #expect(room.light == .number(80))
    try room.write("in_illuminance_input", "5")
    room.pass(2)
    #expect(room.light == .number(5))
    try FileManager.default.removeItem(atPath: room.folder + "/iio:device0")
    room.pass(2)
    #expect(room.light == .number(80))
  }

  @Test func `a dark display reads no channel, unless that wakes it`() throws {
    let device = ["name": "als", "in_proximity_input": "1"]
    let dark = try Room("device: als, event: proximity", idle: "[{after: 5, blank: true}]", device)
    dark.pass(6)
    try dark.write("in_proximity_input", "2")
    dark.pass(60)
    #expect(dark.idle.isDark && dark.light == .number(1))
    let woken = try Room(
      "device: als, event: proximity, wakes: true", idle: "[{after: 5, blank: true}]", device)
    woken.pass(6)
    #expect(woken.idle.isDark)
    try woken.write("in_proximity_input", "2")
    woken.pass(1)
    #expect(!woken.idle.isDark && woken.light == .number(2))
  }

  @Test(arguments: [
    ("device: als, event: lux meter", "give an event such as ABS_MISC"),
    ("device: als", "needs \"event\""), ("event: ABS_MISC", "needs \"device\""),
    ("device: als, event: ABS_MISC, every: 0", "0.05"),
  ])
  func `a source that cannot be is refused`(source: String, words: String) throws {
    let error = try #require(throws: ConfigurationError.self) { _ = try Room(source, [:]) }
    #expect("\(error)".contains(words), "\(error)")
  }
}
