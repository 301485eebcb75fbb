import Glibc

/// Where the control socket is.
package enum ControlPath {
  /// The service's, and root's.
  private static let system = "/run/touchtree/control.sock"

  /// Where a daemon listens when nobody says: in the folder that the service manager made for it, root in `/run`, and
  /// anybody else in the user's own folder. Nil for a user who has none.
  package static var ofThisDaemon: String? {
    if let folders = variable("RUNTIME_DIRECTORY"), let first = folders.split(separator: ":").first {
      return "\(first)/control.sock"
    }
    return geteuid() == 0 ? system : ofThisUser
  }

  /// Where a daemon is looked for when nobody says, first to last.
  package static var candidates: [String] {
    geteuid() == 0 ? [system] : (ofThisUser.map { [$0] } ?? []) + [system]
  }

  private static var ofThisUser: String? {
    variable("XDG_RUNTIME_DIR").map { "\($0)/touchtree/control.sock" }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.hasPrefix("/") ? text : nil
  }
}
