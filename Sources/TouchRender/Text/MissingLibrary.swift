/// Why something cannot be done that a library is loaded for when it is needed.
struct MissingLibrary: Error, Hashable {
  /// In the words of `dlerror(3)`, with the library's name.
  let reason: String
}
