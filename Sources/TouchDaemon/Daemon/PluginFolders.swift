import Glibc
import TouchConfig
import TouchHandlers
import TouchSystem

/// Where plugins are looked for by default.
package enum PluginFolders {
  /// The folders that packages and `make install` use, and the one that the program lies in, for a build that is
  /// not installed.
  package static var standard: [String] {
    ["/usr/lib/touchtree", "/usr/local/lib/touchtree"] + (OwnProgram.folder.map { [$0.string] } ?? [])
  }

  /// Whose plugins are loaded: root's, this user's, and those of the owner of the program, who could change that too.
  package static var trustedOwners: Set<UInt32> {
    var owners: Set<UInt32> = [0, geteuid()]
    var status = stat()
    if stat("/proc/self/exe", &status) == 0 { owners.insert(status.st_uid) }
    return owners
  }

  /// Looks for bare names in the configuration's folder and in these.
  package static func locator(for configuration: Configuration, _ folders: [String]) -> PluginLocator {
    PluginLocator(folders: [configuration.folder] + folders, trustedOwners: trustedOwners)
  }
}

extension FileTrust {
  /// Judges the configuration and the commands that root runs; nil for other users, who cannot be had for more than their
  /// own rights. It trusts those whose plugins are loaded, and the user who became root by sudo, who could name any
  /// other file here.
  package static var ofRoot: FileTrust? {
    guard geteuid() == 0 else { return nil }
    var trust = FileTrust(owners: PluginFolders.trustedOwners)
    if let text = getenv("SUDO_UID"), let user = UInt32(String(cString: text)) { trust.owners.insert(user) }
    return trust
  }
}
