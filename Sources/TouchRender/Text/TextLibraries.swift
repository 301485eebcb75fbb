import CFcft
import CFribidi
import CUnibreak
import TouchSystem

/// fcft, loaded when the first text is painted, because it takes 1.5 MB with its dependencies.
struct TextLibrary: @unchecked Sendable {
  let functions: touchtree_fcft
  /// Whether whole lines can be shaped: ligatures, combining marks, right-to-left.
  let shapesLines: Bool

  /// fcft 3.
  static let shared = Result { () throws(MissingLibrary) in try TextLibrary("libfcft.so.4") }

  private init(_ name: String) throws(MissingLibrary) {
    functions = try LoadedLibrary(name, touchtree_fcft(), by: touchtree_fcft_load).functions
    guard functions.`init`(FCFT_LOG_COLORIZE_NEVER, false, FCFT_LOG_CLASS_NONE) else {
      throw MissingLibrary(reason: "\(name): its initialization failed")
    }
    shapesLines = functions.capabilities().rawValue & FCFT_CAPABILITY_TEXT_RUN_SHAPING.rawValue != 0
  }
}

/// FriBidi 1, loaded for the first text that may run right to left.
enum BidiLibrary {
  static let shared = Result { () throws(MissingLibrary) in
    try LoadedLibrary("libfribidi.so.0", touchtree_fribidi(), by: touchtree_fribidi_load)
  }
}

/// libunibreak, loaded for the first text that is broken into lines elsewhere than at spaces.
enum BreakingLibrary {
  /// The version of Debian 12, compiled in, or of Debian 13 with the same functions.
  static let shared = Result { () throws(MissingLibrary) in
    do throws(MissingLibrary) {
      return try load("libunibreak.so.1")
    } catch {
      guard let newer = try? load("libunibreak.so.6") else { throw error }
      return newer
    }
  }

  private static func load(_ name: String) throws(MissingLibrary) -> LoadedLibrary<touchtree_unibreak> {
    let library = try LoadedLibrary(name, touchtree_unibreak(), by: touchtree_unibreak_load)
    library.functions.init_linebreak()
    return library
  }
}
