enum EscapeSequences {
  static let kittyQuery = Array("\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\".utf8)
  /// Queries the sizes in pixels, and then DA1, which every terminal answers.
  static let query = Array("\u{1b}[14t\u{1b}[16t\u{1b}[c".utf8)
  static let cellQuery = Array("\u{1b}[14t\u{1b}[16t".utf8)
  /// Shows the alternate screen, clear, without cursor and wrapping, and has mouse movements reported.
  static let enter = Array(
    "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?1003h\u{1b}[?1006h\u{1b}[0m\u{1b}[2J".utf8)
  /// Ends an unfinished sequence, and deletes kitty's pictures.
  static let forgetPictures = Array("\u{1b}\\\u{1b}_Ga=d,d=A,q=2\u{1b}\\".utf8)
  /// Ends an unfinished sequence, and undoes `enter`.
  static let leave = Array(
    "\u{1b}\\\u{1b}[?2026l\u{1b}[?1006l\u{1b}[?1003l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l".utf8)
  static let clear = Array("\u{1b}[0m\u{1b}[2J".utf8)
  /// Begins a picture. The terminal updates its screen after `endPicture`. (Synchronised output, mode 2026.)
  static let beginPicture = Array("\u{1b}[?2026h".utf8)
  static let endPicture = Array("\u{1b}[?2026l".utf8)
}

extension [UInt8] {
  mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }

  mutating func append(decimal number: Int) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
      divisor /= 10
    }
  }

  mutating func append(moveToColumn column: Int, row: Int) {
    append("\u{1b}[")
    append(decimal: row + 1)
    append(UInt8(ascii: ";"))
    append(decimal: column + 1)
    append(UInt8(ascii: "H"))
  }
}
