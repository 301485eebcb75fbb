/// A place in a text file. Lines and columns are counted from 1, columns in characters.
public struct Place: Hashable, Comparable, Sendable {
  public var line: Int
  /// A tab counts as one.
  public var column: Int

  /// Both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Where a file begins.
  public static let start = Place(line: 1, column: 1)

  /// Whether the first place comes earlier in the file.
  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// The place of a byte, for problems that are found before lines are counted.
  init(offset: Int, in input: some Sequence<UInt8>) {
    self = .start
    for byte in input.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        self = Place(line: line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }
}
