import SystemPackage
import TouchPixels

/// What a daemon answers.
package enum ControlResponse {
  /// Lines, each with its line feed.
  case text([UInt8])
  case picture(Surface)
  case refused(Refusal, String)

  /// Why there is no answer.
  package enum Refusal: String, Sendable {
    /// The request is none that this version knows.
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

  /// Sends the answer in one packet. What does not fit into one goes beside it as a file that is only memory, so that a
  /// reader who is slow, or does not read at all, keeps nobody waiting.
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

  /// Reads an answer; nil when it is none that this version knows.
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
