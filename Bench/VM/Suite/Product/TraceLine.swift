import Foundation

/// One line of `touchtree run --trace`.
struct TraceLine: Decodable, Sendable {
  var event: String
  var touch: Int?
  var view: String?
  var responders: [String]?
  var phase: String?
  var responder: String?
  var point: [Double]?
  var disposition: String?

  /// The whole lines of a file that may still be written to.
  static func lines(of text: String) throws -> [TraceLine] {
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return try text[..<end].split(separator: "\n").map {
      do {
        return try JSONDecoder().decode(TraceLine.self, from: Data($0.utf8))
      } catch {
        throw MachineError("no line of a trace: \($0)")
      }
    }
  }
}

extension [TraceLine] {
  /// Returns the responders that were asked in a phase, in order.
  func responders(in phase: String) -> [String] {
    filter { $0.event == "touch" && $0.phase == phase }.compactMap(\.responder)
  }

  /// The views that touches began on, in order.
  var hits: [String?] { filter { $0.event == "hit" }.map(\.view) }

  /// The course of every touch: its phases as the hit view saw them, moves and rests left out.
  var lives: [Int: [String]] {
    var lives: [Int: [String]] = [:]
    for line in self where line.event == "touch" && line.responder == hitView(of: line.touch) {
      guard let touch = line.touch, let phase = line.phase, phase != "moved", phase != "stationary" else {
        continue
      }
      lives[touch, default: []].append(phase)
    }
    return lives
  }

  private func hitView(of touch: Int?) -> String? {
    first { $0.event == "hit" && $0.touch == touch }?.view
  }
}
