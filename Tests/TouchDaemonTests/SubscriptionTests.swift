import Glibc
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchJSON
@testable import TouchSystem
@testable import TouchViews

/// What subscribers hear of touches, and in which order.
@Suite struct SubscriptionTests {
  private let pipeline: InputPipeline
  private let tree: ViewTree
  private let peers: Peers
  private let subscriptions: Subscriptions
  private let socket: UnixSocket
  private let peer: Peer

  init() throws {
    let configuration = try Configuration.parse(
      text: """
        display: {canvas: {size: [400, 300]}}
        window:
          subviews:
            - {id: amount, kind: stepper, frame: [0, 0, 100, 50], maximum: 100}
            - {id: volume, kind: slider, frame: [0, 100, 300, 50], jumps: true}
            - id: keys
              frame: [0, 200, 300, 100]
              subviews:
                - {id: c, kind: button, frame: [0, 0, 100, 100], tracking: slide_over}
                - {id: d, kind: button, frame: [100, 0, 100, 100], tracking: slide_over}
            - id: list
              kind: scroll
              frame: [310, 0, 90, 100]
              subviews: [{frame: [0, 0, 90, 500]}]
            - {id: sure, kind: sheet, alert: true, size: [100, 50]}
        """, file: "f.yaml")
    tree = ViewTree(configuration, canvasSize: Size(width: 400, height: 300))
    let size = Size(width: 400, height: 300)
    pipeline = InputPipeline(
      tree, geometry: DisplayGeometry(displaySize: size, canvasSize: size, scale: .stretch))
    peers = Peers(loop: try EventLoop())
    subscriptions = Subscriptions(to: pipeline, peers)
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    socket = UnixSocket(owning: ends[1])
    peer = Peer(UnixSocket(owning: ends[0]), in: peers, answersAll: true)
  }

  private func frame(_ kind: TouchChange.Kind, _ x: Double, _ y: Double, at milliseconds: Int64) {
    pipeline.dispatcher.dispatch(
      [
        TouchChange(
          contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: kind,
          location: Point(x: x, y: y))
      ], at: Timestamp(microseconds: milliseconds * 1000))
    pipeline.dispatcher.flush()
  }

  private func subscribe() {
    subscriptions.add(Request.Subscription(events: Request.Subscription.Event.usual, views: nil), of: peer)
  }

  /// What was heard since the last call.
  private func heard() throws -> [String] {
    peers.flush()
    var reader = LineReader(longest: 1 << 20)
    var lines: [String] = []
    while true {
      var line: JSONValue?
      if reader.next({ line = try? JSONReader.read($0) }) == .line, let line {
        let what = line["phase"] ?? line["action"] ?? line["value"] ?? line["presented"] ?? .null
        lines.append("\(line["view"]?.text ?? "") \(what.text ?? what.json)")
      } else {
        let count = try? reader.read { try socket.receive(into: $0) }
        guard let count, count > 0 else { return lines }
      }
    }
  }

  @Test
  func `a sheet and a scroll view are heard of by whom asks for them, the scroll from beginning to end`()
    throws
  {
    let (list, sheet) = (tree.viewsByID["list"] as? ScrollView, tree.viewsByID["sure"] as? SheetView)
    subscribe()
    sheet?.isPresented = true
    sheet?.isPresented = false
    #expect(try heard().isEmpty)
    subscriptions.add(Request.Subscription(events: [.sheet, .scroll], views: nil), of: peer)
    sheet?.isPresented = true
    sheet?.isPresented = false
    #expect(try heard() == ["sure true", "sure false"])
    frame(.began, 350, 90, at: 1000)
    frame(.moved, 350, 60, at: 1010)
    frame(.moved, 350, 40, at: 1020)
    #expect(try heard() == ["list began", "list changed"], "what was not read is replaced")
    frame(.ended, 350, 40, at: 1300)
    #expect(try heard() == ["list ended"])
    try list?.scroll(to: .edge(.bottom))
    pipeline.dispatcher.advance(to: Timestamp(microseconds: 1_300_000))
    pipeline.dispatcher.advance(to: Timestamp(microseconds: 9_000_000))
    #expect(try heard() == ["list began", "list changed", "list ended"] && list?.isAtEnd == true)
  }

  @Test func `of a secure field a screen reader hears what it is called, and nothing of its keys`() throws {
    let field = TextField(id: "secret", frame: LocalRect(x: 0, y: 50, width: 100, height: 40))
    (field.isSecure, field.accessibilityLabel, field.accessibilityHint) = (true, "Password", "Eight letters")
    field.text = "hunter2"
    let keyboard = KeyboardView(id: "board", frame: LocalRect(x: 0, y: 100, width: 300, height: 100))
    keyboard.isAlways = true
    for view in [field, keyboard] { tree.window.addSubview(view) }
    subscriptions.add(Request.Subscription(events: [.focus], views: nil), of: peer)
    let system = tree.window.focusSystem
    system.focus(FocusSystem.Item(field))
    #expect(
      try focused() == [
        #"{"type":"focus","view":"secret","kind":"text_field","secure":true,"accessibility":{"label":"Password","#
          + #""hint":"Eight letters"},"previous":null,"heading":"none"}"#
      ])
    let time = Timestamp(microseconds: 1_000_000)
    // The first one shows the ring.
    for code in [KeyCode.enter, .enter, .tab, .tab, .enter, .escape] {
      for kind in [PressChange.Kind.began, .ended] {
        pipeline.apply([PressChange(device: DeviceID(rawValue: 3), kind: kind, key: Key(code))], at: time)
      }
    }
    #expect(field.text == "e" && field.isFocused)
    system.focus(FocusSystem.Item(try #require(tree.viewsByID["volume"])))
    let lines = try focused()
    #expect(lines.count == 2 && lines[0].contains(#""view":"secret""#) && !lines[0].contains("board"))
    #expect(lines[1].contains(#""view":"volume""#) && lines[1].contains(#""previous":"secret""#))
  }

  /// The lines that came since the last call.
  private func focused(at other: UnixSocket? = nil) throws -> [String] {
    peers.flush()
    var reader = LineReader(longest: 1 << 20)
    _ = try? reader.read { try (other ?? socket).receive(into: $0) }
    var lines: [String] = []
    while true {
      var line: String?
      guard reader.next({ line = String(decoding: $0, as: UTF8.self) }) == .line, let line else {
        return lines
      }
      lines.append(line)
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `keys of a private keypad are named while touches explore, to clients that may act`(
    isExplored: Bool, mayAct: Bool
  ) throws {
    let tree = ViewTree(
      try Configuration.parse(
        text: """
          display: {canvas: {size: [400, 300]}}
          window:
            subviews:
              - id: pad
                private: true
                frame: [0, 0, 300, 100]
                subviews:
                  - {id: one, kind: button, text: "1", frame: [0, 0, 50, 50]}
                  - {id: code, kind: label, text: "2580", frame: [50, 0, 50, 50]}
                  - {id: known, kind: button, text: "{code.text}", frame: [100, 0, 50, 50]}
                  - {id: pin, kind: text_field, label: PIN, secure: true, text: "2580", frame: [150, 0, 90, 50]}
              - {id: board, kind: keyboard, always: true, layout: numbers, frame: [0, 100, 300, 200]}
          """, file: "f.yaml"), canvasSize: Size(width: 400, height: 300))
    let size = Size(width: 400, height: 300)
    let pipeline = InputPipeline(
      tree, geometry: DisplayGeometry(displaySize: size, canvasSize: size, scale: .stretch))
    let subscriptions = Subscriptions(to: pipeline, peers)
    subscriptions.follow(tree.bindings)
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    let (mine, other) = (UnixSocket(owning: ends[1]), UnixSocket(owning: ends[0]))
    let peer = Peer(other, in: peers, answersAll: true, access: mayAct ? .everything : .watching)
    subscriptions.add(Request.Subscription(events: [.focus], views: nil), of: peer)
    tree.window.isExplored = isExplored
    let keyboard = try #require(tree.viewsByID["board"])
    keyboard.isPrivate = true
    let keys = (0..<keyboard.focusPartCount).map { FocusSystem.Item(keyboard, part: $0) }
    let seven = try #require(keys.first { $0.shownText == "7" })
    let items = ["one", "code", "known", "pin"].compactMap { tree.viewsByID[$0] }.map { FocusSystem.Item($0) }
    for item in items + [seven] { tree.window.focusSystem.focus(item) }
    let text = try focused(at: mine).joined(separator: "\n")
    #expect(!text.contains("2580"), "\(text)")
    let isNamed = isExplored && mayAct
    for word in [#""view":"one""#, #""text":"1""#, #""label":"PIN""#, #""text":"7""#] {
      #expect(text.contains(word) == isNamed, "\(word) in \(text)")
    }
  }

  @Test func `a stepper that repeats is heard while the finger is down`() throws {
    subscribe()
    frame(.began, 90, 25, at: 1000)
    #expect(try heard() == ["amount began", "amount touchDown"])
    for number in 1...5 {
      // Far enough for one more step, however fast they come.
      let before = (tree.viewsByID["amount"] as? Stepper)?.controlValue?.number
      var time = pipeline.dispatcher.deadline
      while let due = time, (tree.viewsByID["amount"] as? Stepper)?.controlValue?.number == before {
        pipeline.dispatcher.advance(to: due)
        time = pipeline.dispatcher.deadline
      }
      #expect(try heard() == ["amount \(number)", "amount valueChanged"])
    }
    let due = try #require(pipeline.dispatcher.deadline)
    frame(.ended, 90, 25, at: due.microseconds / 1000 - 1)
    #expect(try heard().prefix(1) == ["amount ended"])
  }

  @Test func `a touch comes before the value and the actions that it causes, in each of its phases`() throws {
    subscribe()
    frame(.began, 150, 125, at: 1000)
    let began = try heard()
    #expect(began.first == "volume began" && began.contains("volume touchDown"))
    frame(.moved, 250, 125, at: 1010)
    let moved = try heard()
    #expect(moved.first == "volume moved")
    let value = try #require(moved.firstIndex { $0.hasPrefix("volume 0.") })
    #expect(value < moved.firstIndex(of: "volume valueChanged") ?? 0)
    frame(.ended, 250, 125, at: 1020)
    #expect(try heard() == ["volume ended", "volume touchUpInside"])
  }

  @Test func `the keys that a finger slides over are heard at once, and each phase of the finger once`()
    throws
  {
    subscribe()
    frame(.began, 50, 250, at: 1000)
    _ = try heard()
    frame(.moved, 150, 250, at: 1010)
    let moved = try heard()
    #expect(moved.contains("d touchDragEnter") && moved.count { $0 == "c moved" } == 1, "\(moved)")
    frame(.ended, 150, 250, at: 1020)
    let ended = try heard()
    #expect(ended.contains("d touchUpInside") && ended.count { $0 == "c ended" } == 1, "\(ended)")
  }

  @Test func `who watched before the first subscriber still does when the last one has gone`() throws {
    final class Watcher: DispatchObserver {
      var count = 0
      func observe(_ step: DispatchStep) { count += 1 }
    }
    let watcher = Watcher()
    pipeline.dispatcher.observer = watcher
    subscribe()
    // Another subscription of the same client replaces the first.
    subscribe()
    frame(.began, 50, 250, at: 1000)
    frame(.ended, 50, 250, at: 1010)
    let before = watcher.count
    #expect(before > 0)
    subscriptions.remove(peer)
    #expect(subscriptions.count == 0 && pipeline.dispatcher.observer === watcher)
    subscriptions.remove(peer)
    frame(.began, 50, 250, at: 2000)
    frame(.ended, 50, 250, at: 2010)
    #expect(watcher.count > before)
    subscribe()
    #expect(pipeline.dispatcher.observer === subscriptions)
  }
}
