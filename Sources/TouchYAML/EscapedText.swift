extension String {
  /// The text as it can stand in one line of a message: shortened, and nothing in it that a terminal obeys.
  public var escaped: String { escaped(upTo: 40) }

  /// The same, with another length.
  ///
  /// - Parameter longest: in characters.
  public func escaped(upTo longest: Int) -> String {
    var shown = ""
    for (index, scalar) in unicodeScalars.enumerated() {
      if index == longest { return shown + "..." }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
        shown += scalar.escaped(asASCII: true)
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
