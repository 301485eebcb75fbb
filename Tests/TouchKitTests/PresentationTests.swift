import Foundation
import Logging
import Testing
import TouchInput

@testable import TouchKit
@testable import TouchSystem

/// What a turn of the loop shows, and what it leaves for later ones.
@Suite @MainActor struct PresentationTests {
  /// A window on a display in memory.
  private struct Room {
    let loop: EventLoop
    let window: Window
    let pipeline: InputPipeline
    let presentation: Presentation

    init(_ loop: EventLoop) throws {
      self.loop = loop
      let settings = PresentationSettings(source: "t")
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let output = try Output(
        .headless(Size(width: 200, height: 100)), for: settings, log: log)
      window = Window(id: "w", size: output.inputGeometry.canvasSize)
      pipeline = InputPipeline(window: window, geometry: output.inputGeometry)
      presentation = try Presentation(settings, pipeline, on: output, in: loop, log: log)
      window.background = .blue
      presentation.update(at: loop.now)
    }

    /// In the middle.
    var pixel: UInt32? {
      presentation.output.display.picture.map { $0.pixels[$0.width * $0.height / 2 + $0.width / 2] }
    }
  }

  /// Counts turns, and does something in each of them.
  private final class Turns: TurnHook {
    var turnPlace: TurnPlace?
    var count = 0
    var body: () -> Void = {}

    func turnEnds(at now: Timestamp) {
      count += 1
      body()
    }
  }

  @Test func `a large picture is decoded in many turns, and the first one shows the rest`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    let app = try Application(display: .headless(width: 1000, height: 1000))
    app.window.background = .red
    try #require(app.picture).write(to: file.path)
    // Each look at the clock takes a millisecond of a slice of four.
    var time: Int64 = 1_000_000_000
    let room = try Room(
      EventLoop(clock: {
        time += 1_000_000
        return time
      }))
    let image = ImageView(id: "i", frame: room.window.bounds)
    image.mode = .stretch
    room.window.addSubview(image)
    image.path = file.path
    var shown: [UInt32?] = []
    let turns = Turns()
    turns.body = {
      shown.append(room.pixel)
      if shown.last == 0xffff_0000 || shown.count == 500 { room.loop.stop() } else { room.loop.again {} }
    }
    room.loop.addHook(turns, at: .record)
    try room.loop.run()
    #expect(shown.first == 0xff00_00ff && shown.last == 0xffff_0000)
    // 62 pieces of 16 rows, and some of the other work.
    #expect((20..<500).contains(turns.count), "\(turns.count) turns")
  }

  @Test func `pictures of a motion that come late are left out, and nothing is due after it`() throws {
    let clock = ManualClock()
    var options = Runtime.Options()
    options.display = .headless(Size(width: 200, height: 100))
    options.clock = clock
    options.takesSignalsEarly = false
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let runtime = try Runtime(PresentationSettings(source: "t"), options, windowID: "w", log: log)
    try runtime.begin(keyboard: .signals)
    let box = View(id: "box", frame: Rect(x: 0, y: 0, width: 20, height: 20))
    box.background = .red
    runtime.window.addSubview(box)
    try runtime.loop.advance(byNanoseconds: 1)
    var starts: [Int64] = []
    runtime.presentation.renderer.onPainted = { _ in
      starts.append(clock.nanoseconds / 1000)
      // The first ones take as long as seven frames.
      if starts.count <= 4 { clock.advance(to: clock.nanoseconds + 120_000_000) }
    }
    box.animate(withDuration: 1) { box.frame.origin.x = 150 }
    try runtime.loop.advance(byNanoseconds: 10_000_000_000)
    let pauses = zip(starts.dropFirst(), starts).map { $0 - $1 }
    #expect(pauses.prefix(4).allSatisfy { $0 >= 120_000 } && (30...40).contains(pauses.count), "\(pauses)")
    // None of those that were late is made up for: only one comes sooner, when the next frame is due.
    #expect(pauses.count { $0 < 16_667 } <= 1, "\(pauses)")
    let turns = Turns()
    runtime.loop.addHook(turns, at: .record)
    try runtime.loop.advance(byNanoseconds: 60_000_000_000)
    #expect(turns.count == 2, "those of the test itself")
  }
}
