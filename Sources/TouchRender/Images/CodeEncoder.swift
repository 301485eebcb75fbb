import CQrencode
import TouchSystem
import TouchViews

/// libqrencode 4, loaded for the first QR code.
struct CodeEncoder: @unchecked Sendable {
  private let functions: touchtree_qrencode

  static let shared = Result { () throws(MissingLibrary) in try CodeEncoder("libqrencode.so.4") }

  init(_ name: String) throws(MissingLibrary) {
    functions = try LoadedLibrary(name, touchtree_qrencode(), by: touchtree_qrencode_load).functions
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
