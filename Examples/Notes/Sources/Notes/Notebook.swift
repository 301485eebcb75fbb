import Foundation

/// The notes, kept in a file: each ends with a form feed.
final class Notebook {
  private let path: String
  var notes: [String] { didSet { save() } }
  /// The size of letters in the editor, in units.
  var textSize = 18.0

  init(path: String) {
    self.path = path
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    notes = text.split(separator: "\u{c}").map(String.init)
  }

  private func save() {
    try? notes.map { $0 + "\u{c}" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
  }
}
