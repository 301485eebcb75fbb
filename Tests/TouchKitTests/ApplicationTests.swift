import Foundation
import Testing
import TouchKit

/// A program on a display in memory, as the tests of a program have it.
@Suite @MainActor struct ApplicationTests {
  /// The view of the first program that anybody writes.
  private final class Round: View {
    override func point(inside point: LocalPoint, with event: Event?) -> Bool {
      bounds.ellipse.contains(point)
    }
    override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
      background = .red
      return .handled
    }
  }

  private func application() throws -> Application {
    try Application(display: .headless(width: 320, height: 240))
  }

  private func point(_ x: Double, _ y: Double) -> WindowPoint { WindowPoint(x: x, y: y) }

  @Test func `a view decides where it is touched, and what it shows then`() throws {
    let app = try application()
    app.window.addSubview(Round(id: "dial", frame: Rect(x: 40, y: 20, width: 200, height: 200)))
    app.touch(.tap(at: point(42, 22)))
    #expect(try #require(app.picture)[140, 120] == .black, "the corner is outside of the circle")
    app.touch(.tap(at: point(140, 120)))
    let picture = try #require(app.picture)
    #expect(picture.width == 320 && picture.height == 240)
    #expect(picture[140, 120] == .red && picture[39, 120] == .black && picture[40, 120] == .red)
    #expect(picture[-1, 0] == .clear && picture[320, 0] == .clear)
  }

  @Test func `a button calls its closures, and those that were removed no more`() throws {
    let app = try application()
    var calls: [String] = []
    let button = Button("Horn", frame: Rect(x: 10, y: 10, width: 100, height: 50)) { calls.append("made") }
    let added = button.addAction(for: .touchUpInside) { calls.append("added") }
    button.addAction(for: .touchDown) { calls.append("down") }
    app.window.addSubview(button)
    app.touch(.tap(button))
    #expect(calls == ["down", "made", "added"])
    button.removeAction(added)
    app.touch(.drag(from: point(20, 20), to: point(300, 220)))
    app.touch(.tap(at: point(20, 20)))
    #expect(calls == ["down", "made", "added", "down", "down", "made"])
  }

  @Test func `a closure hears of its own control, and not of one inside`() throws {
    let app = try application()
    var calls = 0
    let outer = Control(frame: Rect(x: 0, y: 0, width: 200, height: 200))
    outer.addAction(for: .touchUpInside) { calls += 1 }
    let inner = Button(frame: Rect(x: 50, y: 50, width: 50, height: 50))
    outer.addSubview(inner)
    app.window.addSubview(outer)
    app.touch(.tap(inner))
    #expect(calls == 0)
    app.touch(.tap(at: point(10, 10)))
    #expect(calls == 1)
  }

  // MARK: Time

  @Test func `timers come at their times, which pass as the test says`() throws {
    let app = try application()
    let start = app.loop.now
    var calls: [(String, Int64)] = []
    func note(_ name: String) { calls.append((name, app.loop.now.microseconds(since: start))) }
    app.addTimer(after: .milliseconds(30)) { note("once") }
    let ticks = app.addTimer(every: .milliseconds(20)) { note("tick") }
    app.advance(by: .milliseconds(19))
    #expect(calls.isEmpty)
    app.advance(by: .milliseconds(31))
    #expect(calls.map(\.0) == ["tick", "once", "tick"])
    #expect(calls.map(\.1) == [20_000, 30_000, 40_000])
    ticks.cancel()
    app.advance(by: .seconds(3600))
    #expect(calls.count == 3)
    #expect(app.loop.now.microseconds(since: start) == 3_600_050_000)
  }

  @Test func `gestures wait for time to pass`() throws {
    let app = try application()
    var found: [String] = []
    let view = View(frame: Rect(x: 0, y: 0, width: 320, height: 240))
    app.window.addSubview(view)
    let twice = TapGestureRecognizer()
    twice.numberOfTapsRequired = 2
    let once = TapGestureRecognizer()
    once.require(toFail: twice)
    view.addGestureRecognizer(twice) { _ in found.append("twice") }
    view.addGestureRecognizer(once) { _ in found.append("once") }
    view.addGestureRecognizer(PinchGestureRecognizer()) { pinch in
      if pinch.state == .ended { found.append("pinch \(pinch.scale > 1.5)") }
    }
    app.touch(.tap(at: point(50, 50)))
    #expect(found.isEmpty, "a second tap may follow")
    app.advance(by: .seconds(1))
    #expect(found == ["once"])
    app.touch(.tap(at: point(50, 50), count: 2))
    #expect(found == ["once", "twice"])
    app.advance(by: .seconds(1))
    app.touch(.pinch(around: point(160, 120), from: 60, to: 120))
    #expect(found == ["once", "twice", "pinch true"])
  }

  @Test func `a pressed view is held as long as the test says`() throws {
    let app = try application()
    var states: [GestureRecognizer.State] = []
    let view = View(frame: Rect(x: 0, y: 0, width: 320, height: 240))
    view.addGestureRecognizer(LongPressGestureRecognizer()) { states.append($0.state) }
    app.window.addSubview(view)
    app.touch(.press(at: point(9, 9), for: .milliseconds(300)))
    #expect(states.isEmpty)
    app.touch(.began(at: point(9, 9)))
    app.advance(by: .seconds(2))
    #expect(states == [.began])
    app.touch(.ended(at: point(9, 9)))
    #expect(states == [.began, .ended])
  }

  @Test func `touches that fit nothing change nothing`() throws {
    let app = try application()
    app.touch(.ended(at: point(1, 1)))
    app.touch(.began(at: point(1, 1)) + .began(at: point(2, 2)) + .cancelled(at: point(1, 1)))
    app.touch(.tap(View()))
    app.touch(.drag(through: []))
    app.touch(.tap(at: point(1, 1), count: -1))
  }

  // MARK: From elsewhere

  @Test func `what another thread performs comes on the loop's, in its order`() throws {
    let app = try application()
    let label = Label("none", id: "numbers", frame: Rect(x: 0, y: 0, width: 100, height: 20))
    app.window.addSubview(label)
    let thread = Thread {
      for number in 1...3 {
        // A view belongs to its thread and cannot come along: it is found there.
        app.perform { (app.window.view(id: "numbers") as? Label)?.text += " \(number)" }
      }
    }
    thread.start()
    while !thread.isFinished { usleep(1000) }
    #expect(label.text == "none")
    app.advance(by: .zero)
    #expect(label.text == "none 1 2 3")
  }

  @Test func `a descriptor is read when there is something to read`() throws {
    let app = try application()
    let pipe = Pipe()
    var heard: [String] = []
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let watch = try app.watch(descriptor) {
      heard.append(String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self))
    }
    app.advance(by: .zero)
    #expect(heard.isEmpty)
    pipe.fileHandleForWriting.write(Data("hello".utf8))
    app.advance(by: .zero)
    #expect(heard == ["hello"])
    watch.cancel()
    pipe.fileHandleForWriting.write(Data("again".utf8))
    app.advance(by: .zero)
    #expect(heard == ["hello"])
  }

  @Test func `a file cannot be waited for, and the error says so`() throws {
    let app = try application()
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/exe"))
    let error = #expect(throws: ApplicationError.self) { try app.watch(file.fileDescriptor) {} }
    #expect(error?.description.contains("epoll_ctl") ?? false)
  }

  @Test func `it runs until it quits, and time passes by itself`() throws {
    let app = try application()
    var calls: [String] = []
    app.addTimer(after: .milliseconds(20)) { calls.append("before") }
    app.advance(by: .milliseconds(10))
    app.addTimer(after: .milliseconds(15)) {
      calls.append("quit")
      app.quit()
    }
    let start = ContinuousClock.now
    try app.run()
    #expect(calls == ["before", "quit"])
    #expect(ContinuousClock.now - start >= .milliseconds(14))
  }

  @Test func `a view finds the loop of the application that shows it`() throws {
    final class Clock: View {
      var ticks = 0
      func start() { loop?.addTimer(every: .seconds(1)) { [unowned self] in ticks += 1 } }
    }
    let app = try application()
    let clock = Clock()
    #expect(clock.loop == nil)
    app.window.addSubview(clock)
    clock.start()
    app.advance(by: .milliseconds(3500))
    #expect(clock.ticks == 3)
  }

  @Test(arguments: [(0, 100), (100, 0), (9000, 10), (-1, 10)])
  func `a display of no size is refused`(_ width: Int, _ height: Int) {
    let error = #expect(throws: ApplicationError.self) {
      try Application(display: .headless(width: width, height: height))
    }
    #expect(error?.description.contains("1 to 8192") ?? false)
  }

  @Test func `a display that is not there is named in the error`() {
    let error = #expect(throws: ApplicationError.self) {
      try Application(display: .named("/dev/nothing"))
    }
    #expect(error?.reason == .unavailable && error?.description.contains("/dev/nothing") ?? false)
    #expect(error?.exitStatus == 69)
    let missing = #expect(throws: ApplicationError.self) { try Picture(contentsOf: "/nowhere.png") }
    #expect(missing?.reason == .file && missing?.exitStatus == 66)
  }

  // MARK: Pictures

  @Test func `a picture is the same after it was written and read`() throws {
    let app = try application()
    app.window.addSubview(Round(frame: Rect(x: 3, y: 5, width: 30, height: 30)))
    app.touch(.tap(at: point(18, 20)))
    let picture = try #require(app.picture)
    let path = FileManager.default.temporaryDirectory.appending(path: "picture-\(getpid()).png").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try picture.write(to: path)
    let read = try Picture(contentsOf: path)
    #expect(read == picture && picture.firstDifference(from: read) == nil)
    app.window.subviews[0].background = .blue
    let changed = try #require(app.picture)
    let first = try #require(changed.firstDifference(from: read))
    #expect(first == (3, 5))
    #expect(throws: ApplicationError.self) { try Picture(contentsOf: "/nowhere.png") }
    let narrow = try #require(Application(display: .headless(width: 10, height: 240)).picture)
    #expect(try #require(narrow.firstDifference(from: picture)) == (10, 0))
  }

  // MARK: Controllers, stacks

  private final class Screen: ViewController {
    var loads = 0
    var ticks = 0
    override func viewDidLoad() {
      loads += 1
      loop?.addTimer(every: .seconds(1)) { [weak self] in self?.ticks += 1 }
      view.addSubview(Label("Hello", id: "hello", frame: Rect(x: 0, y: 0, width: 90, height: 30)))
    }
  }

  @Test func `a controller's view is loaded once, and fills the window`() throws {
    let app = try application()
    let screen = Screen(id: "screen")
    #expect(!screen.isViewLoaded && screen.loads == 0)
    app.window.rootViewController = screen
    #expect(screen.loads == 1 && app.window.rootViewController === screen)
    _ = app.picture
    #expect(screen.view.frame == Rect(x: 0, y: 0, width: 320, height: 240))
    let label = try #require(app.window.view(id: "hello") as? Label)
    #expect(label.text == "Hello" && label.owningViewController === screen)
    #expect(screen.loop === app.loop)
    app.advance(by: .seconds(2))
    #expect(screen.ticks == 2)
    app.window.rootViewController = Screen()
    #expect(app.window.subviews.count == 1 && screen.loads == 1 && app.window.rootViewController !== screen)
  }

  @Test func `views between braces are the same as views that are added`() throws {
    let app = try application()
    var pressed = 0
    let isLoud = true
    let stack = Stack(.vertical, spacing: 4, insets: 10) {
      Label("Hello")
      if isLoud { Button("Horn") { pressed += 1 } }
      for number in 1...2 { View(id: "\(number)") }
    }
    app.window.addSubview(stack)
    let built = try #require(app.picture)
    app.touch(.tap(stack.arrangedSubviews[1]))
    #expect(pressed == 1 && stack.arrangedSubviews.map(\.id) == ["", "", "1", "2"])
    let other = try application()
    let byHand = StackView()
    byHand.arrangement.axis = .vertical
    byHand.arrangement.spacing = 4
    byHand.arrangement.insets = Insets(top: 10, left: 10, bottom: 10, right: 10)
    byHand.isArranged = true
    for view in [Label("Hello"), Button("Horn"), View(), View()] { byHand.addArrangedSubview(view) }
    other.window.addSubview(byHand)
    #expect(other.picture == built)
    #expect(stack.subviews.map(\.frame) == byHand.subviews.map(\.frame))
  }

  @Test func `a view has the room in a stack that it asks for`() throws {
    final class Badge: View {
      override var intrinsicContentSize: Size? { Size(width: 50, height: 20) }
    }
    let app = try application()
    let badge = Badge()
    let stack = Stack(.vertical, spacing: 0) {
      badge
      View()
    }
    stack.arrangement.alignment = .leading
    app.window.addSubview(stack)
    _ = app.picture
    #expect(badge.frame == Rect(x: 0, y: 0, width: 50, height: 20))
  }
}
