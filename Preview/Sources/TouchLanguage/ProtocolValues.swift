import TouchConfig
import TouchJSON

/// The addresses of files in the Language Server Protocol.
enum DocumentURI {
  private static let scheme = "file://"

  /// Returns the path of a file; for a text without a file, its address.
  static func path(of uri: String) -> String {
    guard uri.hasPrefix(scheme) else { return uri }
    var (bytes, rest) = ([UInt8](), Array(uri.utf8.dropFirst(scheme.utf8.count))[...])
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return Workspace.plain(String(decoding: bytes, as: UTF8.self))
  }

  static func uri(of path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    let plain = Set("-._~/".utf8)
    return scheme
      + path.utf8.map { byte in
        let isPlain = plain.contains(byte) || Unicode.Scalar(byte).properties.isAlphabetic && byte < 128
        return isPlain || (48...57).contains(byte)
          ? String(Unicode.Scalar(byte))
          : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
  }
}

extension Outline.Place {
  /// Reads a position, which counts UTF-16 units. One behind the end of its line is at the end.
  init?(_ json: JSONValue, in lines: [[Unicode.Scalar]]) {
    guard case .integer(let line)? = json["line"], case .integer(let character)? = json["character"],
      line >= 0, character >= 0
    else { return nil }
    guard line < lines.count else {
      self.init(line: lines.count - 1, column: lines[lines.count - 1].count)
      return
    }
    var (column, units) = (0, 0)
    while column < lines[line].count, units < character {
      units += UTF16.width(lines[line][column])
      column += 1
    }
    self.init(line: line, column: column)
  }

  /// The column in UTF-16 units.
  fileprivate func character(in outline: Outline?) -> Int {
    guard let outline, line < outline.lines.count else { return column }
    return outline.lines[line].prefix(column).reduce(0) { $0 + UTF16.width($1) }
  }
}

/// A change of a text: a part of it, or all of it.
struct TextChange {
  private let range: JSONValue?
  private let text: String

  init?(_ json: JSONValue) {
    guard let text = json["text"]?.text else { return nil }
    (range, self.text) = (json["range"], text)
  }

  func apply(to lines: inout [[Unicode.Scalar]]) {
    var new = Outline.lines(of: text)
    guard let range else {
      lines = new
      return
    }
    guard let start = range["start"].flatMap({ Outline.Place($0, in: lines) }),
      let end = range["end"].flatMap({ Outline.Place($0, in: lines) }), start <= end
    else { return }
    new[0] = lines[start.line][..<start.column] + new[0]
    new[new.count - 1] += lines[end.line][end.column...]
    lines.replaceSubrange(start.line...end.line, with: new)
  }
}

extension JSONWriter {
  mutating func range(_ key: String, _ span: Outline.Span, in outline: Outline?) {
    object(key) {
      for (key, place) in [("start", span.start), ("end", span.end)] {
        $0.object(key) {
          $0.field("line", place.line)
          $0.field("character", place.character(in: outline))
        }
      }
    }
  }

  mutating func markdown(_ key: String, _ text: String) {
    object(key) {
      $0.field("kind", "markdown")
      $0.field("value", text)
    }
  }

  mutating func locations(_ targets: [(SourceFile, Outline.Span)], _ uri: (String) -> String) {
    beginArray()
    for (file, span) in targets {
      object {
        $0.field("uri", uri(file.path))
        $0.range("range", span, in: file.outline)
      }
    }
    endArray()
  }
}
