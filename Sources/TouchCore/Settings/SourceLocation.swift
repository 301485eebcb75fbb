/// A place in a text file. Lines and columns are counted from 1, columns in characters.
package struct SourceLocation: Hashable, Comparable, Sendable {
  package var line: Int
  /// A tab counts as one.
  package var column: Int
  /// Which of the files that were read together: 0 for the one that was asked for, and those that it includes from 1.
  package var file: Int32
  /// Which instance of a template repeats what stands there, counted from 1; 0 for none.
  package var instance: Int32

  /// Both counted from 1.
  package init(line: Int, column: Int, file: Int32 = 0, instance: Int32 = 0) {
    self.line = line
    self.column = column
    self.file = file
    self.instance = instance
  }

  /// Where a file begins.
  package static let start = SourceLocation(line: 1, column: 1)

  /// Whether the first place comes earlier in the file.
  package static func < (left: Self, right: Self) -> Bool {
    (left.file, left.line, left.column, left.instance) < (
      right.file, right.line, right.column, right.instance
    )
  }

  /// The place after the last character of a text. At a line end that nothing follows, the parser stops on a line that
  /// is not there; this is on the one before it.
  ///
  /// - Parameter text: UTF-8.
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

  /// Whether a line ends with this byte. (YAML 1.1, 4.2: also a carriage return alone, U+0085, U+2028 and U+2029.)
  private static func isBreak(_ index: Int, of text: [UInt8]) -> Bool {
    switch text[index] {
    case 0x0A: true
    case 0x0D: index + 1 == text.count || text[index + 1] != 0x0A
    case 0x85: index >= 1 && text[index - 1] == 0xC2
    case 0xA8, 0xA9: index >= 2 && text[index - 1] == 0x80 && text[index - 2] == 0xE2
    default: false
    }
  }

  /// The place of a byte, for problems that are found before lines are counted.
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
