import CQrencode
import TouchViews

/// libqrencode, loaded for the first QR code.
struct CodeEncoder: @unchecked Sendable {
  private let functions: touchtree_qrencode

  /// libqrencode 4, whose header was compiled in. It is never unloaded.
  static let shared = Result { () throws(MissingLibrary) in try CodeEncoder("libqrencode.so.4") }

  /// - Parameter name: the name of a shared library for `dlopen(3)`.
  /// - Throws: `MissingLibrary` if the library or one of its functions is missing.
  init(_ name: String) throws(MissingLibrary) {
    var functions = touchtree_qrencode()
    if let reason = touchtree_qrencode_load(name, &functions) {
      throw MissingLibrary(reason: String(cString: reason))
    }
    self.functions = functions
  }

  /// Returns the smallest code of a text that can be read with 15 % of it damaged (level M); nil for a text
  /// without one: an empty one, and one of more than about 2300 bytes.
  func code(of text: String) -> CodeModules? {
    guard let code = functions.encode(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
    defer { functions.free(code) }
    let side = Int(code.pointee.width)
    return CodeModules(side: side, areDark: (0..<side * side).map { code.pointee.data[$0] & 1 == 1 })
  }
}
