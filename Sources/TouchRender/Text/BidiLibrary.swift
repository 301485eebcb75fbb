import CFribidi

/// FriBidi, loaded for the first text that may run to the left and not before.
struct BidiLibrary: @unchecked Sendable {
  let functions: touchtree_fribidi

  /// FriBidi 1, whose header this was compiled with. It stays for the life of the process.
  static let shared = Result { () throws(MissingLibrary) in try BidiLibrary("libfribidi.so.0") }

  /// - Parameter name: a shared library's, as `dlopen(3)` wants it.
  /// - Throws: `MissingLibrary` when the library, or a function that it should have, is not there.
  init(_ name: String) throws(MissingLibrary) {
    var functions = touchtree_fribidi()
    if let reason = touchtree_fribidi_load(name, &functions) {
      throw MissingLibrary(reason: String(cString: reason))
    }
    self.functions = functions
  }
}
