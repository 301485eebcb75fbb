/// The functions of a shared library, which is loaded when it is needed, and never unloaded. (`dlopen(3)`)
package struct LoadedLibrary<Functions>: @unchecked Sendable {
  package let functions: Functions

  /// Loads a library, whose header was compiled in, or throws, also for a missing function.
  ///
  /// - Parameters:
  ///   - name: the name for `dlopen(3)`.
  ///   - empty: the table of functions, to be filled.
  ///   - load: fills the table, or returns the message of `dlerror(3)`.
  package init(
    _ name: String, _ empty: Functions,
    by load: (UnsafePointer<CChar>?, UnsafeMutablePointer<Functions>?) -> UnsafePointer<CChar>?
  ) throws(MissingLibrary) {
    var functions = empty
    if let reason = load(name, &functions) { throw MissingLibrary(reason: String(cString: reason)) }
    self.functions = functions
  }
}

/// The reason why a library that is loaded on demand cannot be used.
package struct MissingLibrary: Error, Hashable {
  /// The message of `dlerror(3)`, with the library's name.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
