import Glibc
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchJSON
@testable import TouchSystem

/// Which touches subscribers are sent, by a channel that keeps what is written.
@Suite struct SubscribedViewTests {
  private final class Channel: PeerChannel {
    private let pipe: Pipe
    private(set) var written: [UInt8] = []
    let takesFiles = false
    let isRead = true
    var input: Int32 { pipe.reading.rawValue }
    var output: Int32 { pipe.writing.rawValue }

    init() throws { pipe = try Pipe() }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

    func write(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) -> Int {
      written += bytes
      return bytes.count
    }
  }

  private let pipeline: InputPipeline
  private let peers: Peers
  private let subscriptions: Subscriptions
  private let channel: Channel
  private let peer: Peer

  init() throws {
    let configuration = try Configuration.parse(
      text: """
        window:
          subviews:
            - id: card
              frame: [0, 0, 50, 100]
              subviews: [{id: inner, frame: [0, 0, 50, 50]}]
            - {id: other, frame: [50, 0, 50, 100]}
        """, file: "f.yaml")
    let size = Size(width: 100, height: 100)
    pipeline = InputPipeline(
      ViewTree(configuration, canvasSize: size), geometry: DisplayGeometry(displaySize: size))
    peers = Peers(loop: try EventLoop())
    subscriptions = Subscriptions(to: pipeline, peers)
    channel = try Channel()
    peer = Peer(channel, in: peers, answersAll: true)
  }

  private func subscribe(to views: Set<String>?) {
    subscriptions.add(Request.Subscription(events: [.touch], views: views), of: peer)
  }

  /// A tap in the middle of each view; the views of the touches that were sent.
  private func tapped() throws -> [String] {
    let before = channel.written.count
    for (index, point) in [(25.0, 25.0), (25, 75), (75, 50)].enumerated() {
      for kind in [TouchChange.Kind.began, .ended] {
        let change = TouchChange(
          contact: ContactID(device: DeviceID(rawValue: 1), serial: index), kind: kind,
          location: WindowPoint(x: point.0, y: point.1))
        pipeline.apply([change], at: Timestamp(microseconds: Int64(index) * 1_000_000))
      }
    }
    peers.flush()
    let text = String(decoding: channel.written[before...], as: UTF8.self)
    return try text.split(separator: "\n").map { try JSONReader.read(String($0)) }.compactMap {
      $0["phase"] == .text("began") ? $0["view"]?.text : nil
    }
  }

  @Test func `a subscription to a view has the touches on it and in it`() throws {
    subscribe(to: ["card"])
    #expect(try tapped() == ["inner", "card"])
    subscribe(to: ["inner"])
    #expect(try tapped() == ["inner"])
  }

  @Test func `another subscription of a client replaces its first one`() throws {
    subscribe(to: nil)
    subscribe(to: ["other"])
    #expect(subscriptions.count == 1)
    #expect(try tapped() == ["other"])
  }
}
