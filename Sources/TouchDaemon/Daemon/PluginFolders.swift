import Glibc
import TouchConfig
import TouchHandlers
import TouchSystem

package enum PluginFolders {
  /// The folders of packages and of `make install`, and that of a program that is not installed.
  package static var standard: [String] {
    ["/usr/lib/touchtree", "/usr/local/lib/touchtree"] + (OwnProgram.folder.map { [$0.string] } ?? [])
  }

  /// The users whose plugins are loaded: root, this user, and the program's owner, who could change that.
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
  /// The check of the configuration and the commands that root runs; nil for other users. It trusts the
  /// owners of loaded plugins, and the user who became root by sudo.
  package static var ofRoot: FileTrust? {
    guard geteuid() == 0 else { return nil }
    var trust = FileTrust(owners: PluginFolders.trustedOwners)
    if let text = getenv("SUDO_UID"), let user = UInt32(String(cString: text)) { trust.owners.insert(user) }
    return trust
  }
}
