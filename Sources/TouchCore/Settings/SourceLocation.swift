/// A place in a text file. Lines and columns are counted from 1, columns in characters.
package struct SourceLocation: Hashable, Comparable, Sendable {
  package var line: Int
  /// The column in characters, from 1. A tab counts as one.
  package var column: Int
  /// The index of the file: 0 for the main file, from 1 for those that it includes.
  package var file: Int32
  /// The instance of a template that repeats this place, from 1; 0 for none.
  package var instance: Int32

  /// Makes a place of line and column, in characters, both from 1.
  package init(line: Int, column: Int, file: Int32 = 0, instance: Int32 = 0) {
    (self.line, self.column, self.file, self.instance) = (line, column, file, instance)
  }

  package static let start = SourceLocation(line: 1, column: 1)

  /// Whether the first place comes earlier in the file.
  package static func < (left: Self, right: Self) -> Bool {
    (left.file, left.line, left.column, left.instance) < (
      right.file, right.line, right.column, right.instance
    )
  }

  /// Returns the place after the last character of UTF-8 text, before a final line end.
  package static func end(of text: [UInt8]) -> SourceLocation {
    var end = start
    var isAfterBreak = false
    for index in text.indices {
      if isAfterBreak { end = SourceLocation(line: end.line + 1, column: 1) }
      isAfterBreak = isBreak(index, of: text)
      if !isAfterBreak && text[index] & 0xC0 != 0x80 && text[index] != 0x0D { end.column += 1 }
    }
    return end
  }

  /// Whether this byte ends a line. (YAML 1.1, 4.2: also a carriage return alone, U+0085, U+2028 and U+2029.)
  private static func isBreak(_ index: Int, of text: [UInt8]) -> Bool {
    switch text[index] {
    case 0x0A: true
    case 0x0D: index + 1 == text.count || text[index + 1] != 0x0A
    case 0x85: index >= 1 && text[index - 1] == 0xC2
    case 0xA8, 0xA9: index >= 2 && text[index - 1] == 0x80 && text[index - 2] == 0xE2
    default: false
    }
  }

  /// Makes the place of a byte, for problems that are found before lines are counted.
  package init(offset: Int, in input: some Sequence<UInt8>) {
    self = .start
    for byte in input.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        self = SourceLocation(line: line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }
}
