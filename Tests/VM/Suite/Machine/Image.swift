import Foundation

/// What the machine boots. Made by `Tests/VM/build-image`.
struct Image: Sendable {
  /// The repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL

  /// Has the kernel and the initramfs.
  let directory: URL

  /// The folder that `TOUCHTREE_VM_IMAGE` names, or `.build/vm`. It must be there, and newer than the programs in it:
  /// a test of yesterday's program proves nothing.
  init() throws {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["TOUCHTREE_VM_IMAGE"] {
      directory = URL(filePath: path)
    } else {
      directory = Self.root.appending(path: ".build/vm")
    }
    guard let made = Self.modified(directory.appending(path: "initrd")) else {
      throw MachineError(
        "There is no virtual machine image in \(directory.path): run make test, which builds it first.")
    }
    guard environment["TOUCHTREE_VM_IMAGE"] == nil else { return }
    for program in ["touchtree", "vm-guest", "libbell.so", "liblamp.so"] {
      if let built = Self.modified(Self.root.appending(path: ".build/release/\(program)")), built > made {
        throw MachineError(
          "The virtual machine image in \(directory.path) is older than \(program): run make test, which builds it again."
        )
      }
    }
  }

  private static func modified(_ file: URL) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
  }
}
