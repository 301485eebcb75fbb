import SystemPackage
import TouchConfig
import TouchCore
import TouchPixels
import TouchRender

/// A request to a running daemon.
package enum ControlRequest: Hashable, Sendable {
  /// The view tree as it is now.
  case tree
  /// What is under a point now.
  case hit(HitQuestion)
  /// What the display shows.
  case screenshot
  /// What the devices sent, and how long that took to show.
  case stats(isJSON: Bool)

  /// As it goes through the socket. Unknown words are refused, so later versions can add some.
  package var words: [String] {
    switch self {
    case .tree: ["tree"]
    case .screenshot: ["screenshot"]
    case .stats(let isJSON): ["stats"] + (isJSON ? ["json"] : [])
    case .hit(let question): ["hit"] + question.words
    }
  }

  /// Nil for a request that this version does not know.
  package init?(words: [String]) {
    switch words.first {
    case "tree" where words.count == 1: self = .tree
    case "screenshot" where words.count == 1: self = .screenshot
    case "stats" where words.count == 1: self = .stats(isJSON: false)
    case "stats" where words == ["stats", "json"]: self = .stats(isJSON: true)
    case "hit":
      guard let question = HitQuestion(words: Array(words.dropFirst())) else { return nil }
      self = .hit(question)
    default: return nil
    }
  }
}

extension HitQuestion {
  fileprivate var words: [String] {
    let flags = [(isAll, "all"), (isExplained, "explain"), (isJSON, "json")].filter(\.0).map(\.1)
    return ["\(x)", "\(y)", start ?? ""] + flags
  }

  fileprivate init?(words: [String]) {
    guard words.count >= 3, let x = Double(words[0]), let y = Double(words[1]), x.isFinite, y.isFinite else {
      return nil
    }
    self.init(x: x, y: y)
    start = words[2].isEmpty ? nil : words[2]
    for flag in words.dropFirst(3) {
      switch flag {
      case "all": isAll = true
      case "explain": isExplained = true
      case "json": isJSON = true
      default: return nil
      }
    }
  }
}

/// The answer of a daemon.
package enum ControlResponse {
  /// Lines, each with its line feed.
  case text([UInt8])
  case picture(Surface)
  case refused(Refusal, String)

  /// Why there is no answer.
  package enum Refusal: String, Sendable {
    /// This version does not know the request.
    case unknown
    /// Nothing of touchtree is on the display.
    case notShown
    /// The request was understood, and has no answer.
    case failed
  }
}

extension ControlResponse {
  /// What goes into the packet.
  private var head: [String] {
    switch self {
    case .text: ["text"]
    case .picture(let surface): ["picture", "\(surface.width)", "\(surface.height)"]
    case .refused(let refusal, let sentence): ["refused", refusal.rawValue, sentence]
    }
  }

  /// Sends the answer in one packet. Text and pictures are attached as a memory file, so that a client that reads slowly
  /// or not at all does not block the daemon.
  ///
  /// - Parameter socket: a connection's descriptor.
  package func send(over socket: borrowing ControlSocket) throws(Errno) {
    let head = ControlFields.encode(head)
    switch self {
    case .refused: try socket.send(head, with: nil)
    case .text(let bytes): try socket.send(head, with: try MemoryFile(bytes))
    case .picture(let surface):
      let bytes = UnsafeRawBufferPointer(start: surface.pixels, count: surface.width * surface.height * 4)
      try socket.send(head, with: try MemoryFile(bytes))
    }
  }

  /// Reads an answer; nil for one that this version does not know.
  package init?(head: [String], file: consuming MemoryFile?) {
    switch head.first {
    case "refused" where head.count == 3:
      self = .refused(Refusal(rawValue: head[1]) ?? .failed, head[2])
    case "text":
      guard let bytes = file?.contents() else { return nil }
      self = .text(bytes)
    case "picture" where head.count == 3:
      guard let width = Int(head[1]), let height = Int(head[2]),
        let surface = try? Surface(width: width, height: height)
      else { return nil }
      let bytes = UnsafeMutableRawBufferPointer(start: surface.pixels, count: width * height * 4)
      guard let isWhole = file?.read(into: bytes), isWhole else { return nil }
      self = .picture(surface)
    default: return nil
    }
  }
}

/// How requests and the heads of answers are written in a packet: words, with a zero byte between each two.
package enum ControlFields {
  /// In bytes; a packet that is longer is refused.
  package static let longest = 1 << 16

  package static func encode(_ words: [String]) -> [UInt8] {
    Array(words.joined(separator: "\0").utf8)
  }

  package static func decode(_ bytes: some Collection<UInt8>) -> [String] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ControlRequest {
  /// The answer.
  ///
  /// - Parameter hiddenBecause: why nothing of the tree is on the display; nil when it is.
  package func answer(
    in tree: ViewTree, _ renderer: Renderer, _ statistics: InputStatistics, hiddenBecause: String?
  ) -> ControlResponse {
    do {
      switch self {
      case .tree: return .lines(TreeDescription.lines(of: tree))
      case .stats(let isJSON): return .lines(isJSON ? [statistics.json] : statistics.lines)
      case .hit(let question): return .lines(try question.answer(in: tree).lines)
      case .screenshot:
        if let hiddenBecause { return .refused(.notShown, hiddenBecause) }
        return .picture(try renderer.picture(of: tree.window))
      }
    } catch let error as UnknownView {
      return .refused(.failed, "there is no view '\(error.id)'. `touchtree ctl tree` lists them.")
    } catch {
      return .refused(.failed, "\(error)")
    }
  }
}

extension ControlResponse {
  fileprivate static func lines(_ lines: [String]) -> ControlResponse {
    .text(Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
