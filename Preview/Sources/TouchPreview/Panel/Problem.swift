import Glibc
import TouchHandlers
import TouchJSON
import TouchSystem

/// An error of the file, with the line that it is in.
struct Problem: Equatable {
  /// `panel.yaml:6:25: error: …`
  let text: String
  /// The line in the file, without its end; nil where the message has no place, or the file no such line.
  let line: String?
  /// Counted from 1; 0 without a place.
  let column: Int

  /// The longest line that is shown, in bytes.
  private static let longestLine = 400
  /// The size of the largest file that is read, in bytes.
  private static let largestFile = 16 << 20

  /// - Parameter text: a line that the daemon writes about its configuration.
  init(_ text: String) {
    self.text = text
    guard let place = text.firstMatch(of: #/:([0-9]+):([0-9]+): /#), let number = Int(place.1),
      let column = Int(place.2)
    else {
      (line, self.column) = (nil, 0)
      return
    }
    self.column = column
    line = Self.line(number, of: String(text[..<place.range.lowerBound]))
  }

  private static func line(_ number: Int, of file: String) -> String? {
    guard number > 0, let bytes = try? FileContents.read(file, upTo: largestFile, waits: false)
    else { return nil }
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    return String(decoding: lines[number - 1].prefix(longestLine), as: UTF8.self)
  }

  /// Returns what the page gets of a configuration: its errors; none while it is shown.
  static func line(of configuration: JSONValue) -> [UInt8] {
    line(of: configuration["problems"]?.elements?.compactMap(\.text) ?? [])
  }

  static func line(of texts: [String]) -> [UInt8] {
    Message.line("problems") { json in
      json.key("problems")
      json.beginArray()
      for problem in texts.map(Problem.init) {
        json.object {
          $0.field("text", problem.text)
          $0.field("line", problem.line)
          $0.field("column", problem.column)
        }
      }
      json.endArray()
    }
  }
}
