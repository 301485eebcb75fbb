import CFcft

/// fcft, loaded when the first text is painted and not before: with what it brings along it takes a megabyte and a half.
struct TextLibrary: @unchecked Sendable {
  let functions: touchtree_fcft
  /// Whether whole lines can be shaped: ligatures, combining marks, right-to-left.
  let shapesLines: Bool

  /// fcft 3, whose header this was compiled with. It stays for the life of the process.
  static let shared = Result { () throws(MissingLibrary) in try TextLibrary("libfcft.so.4") }

  /// - Parameter name: a shared library's, as `dlopen(3)` wants it.
  /// - Throws: `MissingLibrary` when the library, or a function that it should have, is not there.
  init(_ name: String) throws(MissingLibrary) {
    var functions = touchtree_fcft()
    if let reason = touchtree_fcft_load(name, &functions) {
      throw MissingLibrary(reason: String(cString: reason))
    }
    guard functions.`init`(FCFT_LOG_COLORIZE_NEVER, false, FCFT_LOG_CLASS_NONE) else {
      throw MissingLibrary(reason: "\(name): it does not start")
    }
    self.functions = functions
    shapesLines = functions.capabilities().rawValue & FCFT_CAPABILITY_TEXT_RUN_SHAPING.rawValue != 0
  }
}
