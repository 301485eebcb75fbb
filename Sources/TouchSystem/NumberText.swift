extension Double {
  /// The shortest text that reads back as this number, without `.0` after a whole one; −0 is 0.
  package var plain: String {
    if self == 0 { return "0" }
    if let whole = Int(exactly: self), abs(self) < 1e15 { return String(whole) }
    return "\(self)"
  }

  package var short: String { ((self * 100).rounded() / 100).plain }
}
