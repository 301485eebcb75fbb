import Glibc
import Logging
import Testing
import TouchInspection

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchJSON
@testable import TouchKit
@testable import TouchOutput
@testable import TouchRender
@testable import TouchSystem
@testable import TouchViews

/// What clients get that view the screen, with a clock that the test turns.
@Suite struct ViewersTests {
  private let tree: ViewTree
  private let presentation: Presentation
  private let pipeline: InputPipeline
  private let peers: Peers
  private let viewers: Viewers

  init() throws {
    try self.init(
      """
      display: {canvas: {size: [100, 100]}}
      highlight: {touches: false}
      window:
        subviews:
          - {id: a, frame: [10, 20, 30, 40], background: "#ff0000"}
          - {id: b, frame: [60, 60, 20, 20], background: "#00ff00"}
          - id: pad
            private: true
            frame: [0, 80, 50, 20]
            background: "#ffffff"
            subviews: [{id: key, frame: [5, 5, 10, 10], background: "#0000ff"}]
      """)
  }

  private init(_ file: String) throws {
    let configuration = try Configuration.parse(text: file, file: "f.yaml")
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let loop = try EventLoop()
    let output = try Output(.headless(), for: configuration.presentation, log: log)
    tree = ViewTree(configuration, canvasSize: output.inputGeometry.canvasSize)
    pipeline = InputPipeline(tree, geometry: output.inputGeometry)
    presentation = try Presentation(
      configuration.presentation, pipeline, on: output,
      in: loop, log: log)
    peers = Peers(loop: loop)
    viewers = Viewers(of: presentation, among: peers)
    turn(at: 0)
  }

  /// The other end of a peer that views.
  private final class Reader {
    let socket: UnixSocket
    let peer: Peer
    private var lines = LineReader(longest: 1 << 20)
    private(set) var file: MemoryFile?

    /// - Parameter room: what the kernel keeps for the reader, in bytes; nil for the usual amount.
    init(in peers: Peers, room: Int32? = nil) throws {
      var ends: [Int32] = [-1, -1]
      try #require(
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
      if var room {
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
      }
      socket = UnixSocket(owning: ends[1])
      peer = Peer(UnixSocket(owning: ends[0]), in: peers, answersAll: true)
    }

    /// Everything that is there.
    func messages() throws -> [JSONValue] {
      var found: [JSONValue] = []
      while true {
        var message: JSONValue?
        if lines.next({ message = try? JSONReader.read($0) }) == .line {
          found.append(try #require(message))
          continue
        }
        let count = try? lines.read { room in
          let (count, file) = try socket.awaitBytes(into: room)
          if let file { self.file = file }
          return count
        }
        guard let count, count > 0 else { return found }
      }
    }

    /// The rectangles of all that is there.
    func damage() throws -> [[Int]] {
      try messages().flatMap { message in
        #expect(message["type"] == .text("damage"))
        return (message["rects"]?.elements ?? []).map {
          ($0.elements ?? []).compactMap { $0.number.map { Int($0) } }
        }
      }
    }
  }

  /// Ends a turn of the loop.
  private func turn(at milliseconds: Int) {
    let now = Timestamp(microseconds: Int64(milliseconds) * 1000)
    presentation.turnEnds(at: now)
    if viewers.turnPlace != nil { viewers.turnEnds(at: now) }
    peers.flush()
  }

  private func change(_ id: String) throws {
    let view = try #require(tree.viewsByID[id])
    view.isHidden.toggle()
  }

  @Test func `a viewer gets the picture once, in memory that it cannot change, and then what changes in it`()
    throws
  {
    let reader = try Reader(in: peers)
    try viewers.add(reader.peer, id: .integer(7))
    turn(at: 1000)
    let screen = try #require(reader.messages().first)
    #expect(
      screen.json
        == #"{"type":"screen","id":7,"width":100,"height":100,"stride":400,"format":"xrgb8888","canvas":[100,100],"#
        + #""transform":[1,0,0,1,0,0]}"#)
    let file = try #require(reader.file)
    func pixel(_ x: Int, _ y: Int) -> UInt32 {
      var pixel: UInt32 = 0
      #expect(withUnsafeMutableBytes(of: &pixel) { file.read(into: $0, from: (y * 100 + x) * 4) })
      return pixel & 0xff_ffff
    }
    #expect(pixel(10, 20) == 0xff0000 && pixel(79, 79) == 0x00ff00)
    try change("a")
    turn(at: 1001)
    #expect(try reader.damage() == [[10, 20, 30, 40]])
    #expect(pixel(10, 20) != 0xff0000 && pixel(79, 79) == 0x00ff00)
    var byte: UInt8 = 0
    #expect(ftruncate(file.rawValue, 4) == -1 && errno == EPERM)
    #expect(pwrite(file.rawValue, &byte, 1, 0) == -1 && errno == EPERM)
  }

  @Test func `of a private view there are no pixels, and where in it something changes is not said`() throws {
    let reader = try Reader(in: peers)
    try viewers.add(reader.peer, id: nil)
    turn(at: 1000)
    _ = try reader.messages()
    let file = try #require(reader.file)
    func pixel(_ x: Int, _ y: Int) -> UInt32 {
      var pixel: UInt32 = 0
      #expect(withUnsafeMutableBytes(of: &pixel) { file.read(into: $0, from: (y * 100 + x) * 4) })
      return pixel & 0xff_ffff
    }
    let blank = pixel(1, 81)
    #expect(blank != 0xffffff && pixel(7, 87) == blank && pixel(49, 99) == blank && pixel(50, 80) != blank)
    // The display shows it, a screenshot for a client does not.
    let renderer = presentation.renderer
    #expect(try renderer.picture(of: tree.window).pixels[87 * 100 + 7] & 0xff_ffff == 0x0000ff)
    #expect(try renderer.disclosedPicture(of: tree.window).pixels[87 * 100 + 7] & 0xff_ffff == blank)
    try change("key")
    turn(at: 2000)
    #expect(try reader.damage() == [])
    // A change beside it and one in it, in one turn: the rectangles do not say where in it.
    try change("key")
    try change("b")
    turn(at: 3000)
    #expect(try reader.damage() == [[60, 60, 20, 20]])
    try change("pad")
    turn(at: 4000)
    #expect(try reader.damage() == [[0, 80, 50, 20]])
    #expect(pixel(7, 87) != blank)
  }

  @Test(arguments: TextField.Keyboard.allCases)
  func `of the keys of a secure field nothing is said, nor of the bubble above a finger`(
    kind: TextField.Keyboard
  ) throws {
    let panel = try ViewersTests(
      """
      display: {canvas: {size: [400, 300]}}
      window:
        subviews:
          - {id: secret, kind: text_field, frame: [0, 0, 200, 44], secure: true, keyboard: \(kind.rawValue), editing: true}
          - {id: keys, kind: keyboard, always: true, frame: [0, 100, 400, 200]}
      """)
    let keyboard = try #require(panel.tree.viewsByID["keys"] as? KeyboardView)
    let reader = try Reader(in: panel.peers)
    try panel.viewers.add(reader.peer, id: nil)
    panel.turn(at: 1000)
    _ = try reader.messages()
    var time = 1000
    for placed in keyboard.keys where placed.key.role != .enter {
      let point = keyboard.convertToWindow(LocalPoint(x: placed.rect.midX, y: placed.rect.midY))
      // Long enough for its variants.
      for kind in [TouchChange.Kind.began, .moved, .ended] {
        time += 500
        let now = Timestamp(microseconds: Int64(time) * 1000)
        panel.pipeline.advance(to: now)
        let change = TouchChange(
          contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: kind, location: point)
        panel.pipeline.apply([change], at: now)
        panel.turn(at: time)
        #expect(try reader.damage() == [], "\(placed.key.role) \(kind)")
      }
    }
    #expect((panel.tree.viewsByID["secret"] as? TextField)?.hasText == true)
  }

  @Test func `changes are sent 30 times a second at most, and what came too early is sent then`() throws {
    let reader = try Reader(in: peers)
    try viewers.add(reader.peer, id: nil)
    turn(at: 1000)
    #expect(try reader.messages().count == 1)
    try change("a")
    turn(at: 1010)
    #expect(try reader.damage() == [[10, 20, 30, 40]])
    try change("b")
    turn(at: 1020)
    try change("a")
    turn(at: 1030)
    #expect(try reader.damage() == [])
    turn(at: 1044)
    #expect(try Set(reader.damage()) == [[10, 20, 30, 40], [60, 60, 20, 20]])
    turn(at: 1100)
    #expect(try reader.damage() == [])
  }

  @Test
  func `for a viewer that does not read one line waits, with all that changed, and the others get theirs`()
    throws
  {
    let deaf = try Reader(in: peers, room: 1)
    let reader = try Reader(in: peers)
    for peer in [deaf.peer, reader.peer] { try viewers.add(peer, id: nil) }
    turn(at: 1000)
    #expect(try reader.messages().count == 1)
    for step in 1...500 {
      try change("b")
      turn(at: 1000 + step * 40)
      #expect(try reader.damage() == [[60, 60, 20, 20]])
    }
    try change("a")
    turn(at: 30_000)
    #expect(deaf.peer.isBehind && deaf.peer.end == nil && peers.dropped == 0)
    var last: [JSONValue] = []
    var count = 0
    while true {
      let messages = try deaf.messages()
      if messages.isEmpty { break }
      (last, count) = (messages, count + messages.count)
      deaf.peer.flush()
    }
    #expect(count < 100 && peers.dropped == 0)
    #expect(last.last?.json == #"{"type":"damage","rects":[[10,20,70,60]]}"#)
  }

  @Test func `without a viewer nothing is collected, and the next one gets the picture of then`() throws {
    try change("a")
    turn(at: 1000)
    #expect(!presentation.renderer.isCopyOutdated)
    let reader = try Reader(in: peers)
    try viewers.add(reader.peer, id: nil)
    viewers.remove(reader.peer)
    try change("a")
    turn(at: 2000)
    #expect(viewers.count == 0 && !presentation.renderer.isCopyOutdated)
    _ = try reader.messages()
    let next = try Reader(in: peers)
    try viewers.add(next.peer, id: nil)
    turn(at: 3000)
    _ = try next.messages()
    var pixel: UInt32 = 0
    let file = try #require(next.file)
    #expect(withUnsafeMutableBytes(of: &pixel) { file.read(into: $0, from: (20 * 100 + 10) * 4) })
    #expect(pixel & 0xff_ffff == 0xff0000)
  }
}
