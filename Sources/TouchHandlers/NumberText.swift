extension Double {
  /// The shortest text that reads back as the same number, without a fraction where there is none: 12, not
  /// 12.0.
  var shortText: String {
    guard let whole = Int(exactly: self) else { return description }
    return whole.description
  }

  /// `shortText` of the number rounded to hundredths, for people to read.
  var roundedText: String {
    ((self * 100).rounded() / 100).shortText
  }
}
