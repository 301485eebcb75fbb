import Glibc
import TouchConfig
import TouchHandlers
import TouchSystem

/// The default folders of plugins.
package enum PluginFolders {
  /// The folders of packages and of `make install`, and that of
  /// the program, for a build that is not installed.
  package static var standard: [String] {
    ["/usr/lib/touchtree", "/usr/local/lib/touchtree"] + (OwnProgram.folder.map { [$0.string] } ?? [])
  }

  /// The users whose plugins are loaded: root, this user, and the
  /// owner of the program, who could change that too.
  package static var trustedOwners: Set<UInt32> {
    var owners: Set<UInt32> = [0, geteuid()]
    var status = stat()
    if stat("/proc/self/exe", &status) == 0 { owners.insert(status.st_uid) }
    return owners
  }

  /// Returns a locator that searches for bare names in the configuration's folder and in these.
  package static func locator(for configuration: Configuration, _ folders: [String]) -> PluginLocator {
    PluginLocator(folders: [configuration.folder] + folders, trustedOwners: trustedOwners)
  }
}

extension FileTrust {
  /// The check of the configuration and the commands that root runs. It is nil for other users, who risk no
  /// more than their own rights. It trusts the owners of loaded plugins, and the user who became root by
  /// sudo, who could name any other file here.
  package static var ofRoot: FileTrust? {
    guard geteuid() == 0 else { return nil }
    var trust = FileTrust(owners: PluginFolders.trustedOwners)
    if let text = getenv("SUDO_UID"), let user = UInt32(String(cString: text)) { trust.owners.insert(user) }
    return trust
  }
}
