import CFcft
import CFribidi
import CUnibreak

/// fcft, loaded when the first text is painted, because it takes 1.5 MB with its dependencies.
struct TextLibrary: @unchecked Sendable {
  let functions: touchtree_fcft
  /// Whether whole lines can be shaped: ligatures, combining marks, right-to-left.
  let shapesLines: Bool

  /// fcft 3, whose header was compiled in. It is never unloaded.
  static let shared = Result { () throws(MissingLibrary) in try TextLibrary("libfcft.so.4") }

  /// Loads a library for `dlopen(3)`, or throws `MissingLibrary`, also for a function.
  init(_ name: String) throws(MissingLibrary) {
    var functions = touchtree_fcft()
    if let reason = touchtree_fcft_load(name, &functions) {
      throw MissingLibrary(reason: String(cString: reason))
    }
    guard functions.`init`(FCFT_LOG_COLORIZE_NEVER, false, FCFT_LOG_CLASS_NONE) else {
      throw MissingLibrary(reason: "\(name): its initialization failed")
    }
    self.functions = functions
    shapesLines = functions.capabilities().rawValue & FCFT_CAPABILITY_TEXT_RUN_SHAPING.rawValue != 0
  }
}

/// FriBidi, loaded for the first text that may run right to left.
struct BidiLibrary: @unchecked Sendable {
  let functions: touchtree_fribidi

  /// FriBidi 1, whose header was compiled in. It is never unloaded.
  static let shared = Result { () throws(MissingLibrary) in try BidiLibrary("libfribidi.so.0") }

  /// Loads a library for `dlopen(3)`, or throws `MissingLibrary`, also for a function.
  init(_ name: String) throws(MissingLibrary) {
    var functions = touchtree_fribidi()
    if let reason = touchtree_fribidi_load(name, &functions) {
      throw MissingLibrary(reason: String(cString: reason))
    }
    self.functions = functions
  }
}

/// libunibreak, loaded for the first text that is broken into lines elsewhere than at spaces.
struct BreakingLibrary: @unchecked Sendable {
  let functions: touchtree_unibreak

  /// The version of Debian 12, compiled in, or of Debian 13 with the same functions; never unloaded.
  static let shared = Result { () throws(MissingLibrary) in
    do throws(MissingLibrary) {
      return try BreakingLibrary("libunibreak.so.1")
    } catch {
      guard let newer = try? BreakingLibrary("libunibreak.so.6") else { throw error }
      return newer
    }
  }

  /// Loads a library for `dlopen(3)`, or throws `MissingLibrary`, also for a function.
  init(_ name: String) throws(MissingLibrary) {
    var functions = touchtree_unibreak()
    if let reason = touchtree_unibreak_load(name, &functions) {
      throw MissingLibrary(reason: String(cString: reason))
    }
    functions.init_linebreak()
    self.functions = functions
  }
}

/// The reason why a library that is loaded on demand cannot be used.
struct MissingLibrary: Error, Hashable {
  /// The message of `dlerror(3)`, with the library's name.
  let reason: String
}
