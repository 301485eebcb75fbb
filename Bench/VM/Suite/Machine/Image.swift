import Foundation

/// The image that the machine boots, made by `Bench/VM/build-image` or `Bench/VM/build-service-image`.
struct Image: Sendable {
  /// The contents.
  enum Kind: Sendable {
    /// touchtree, and nothing that runs by itself.
    case plain
    /// systemd, and touchtree installed as its service.
    case service
    /// systemd and dpkg, without touchtree.
    case packages
  }

  /// The repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL

  /// The folder of the build for the machine's processor: `.build`, or if `TOUCHTREE_VM_ARM64` is set the
  /// folder that `TOUCHTREE_ARM64_BUILD` names, `.build-arm64` without it.
  static let build: String = {
    let environment = ProcessInfo.processInfo.environment
    if environment["TOUCHTREE_VM_ARM64"] == nil { return ".build" }
    return environment["TOUCHTREE_ARM64_BUILD"] ?? ".build-arm64"
  }()

  /// The root of Debian's files for the machine's processor: this host's, or one of `Bench/VM/fetch-root`.
  static var system: URL {
    build == ".build" ? URL(filePath: "/") : root.appending(path: ".cache/vm/arm64/root")
  }

  /// Has the kernel and the initramfs.
  let directory: URL

  /// Whether it is for 64-bit ARM.
  var isARM: Bool {
    FileManager.default.fileExists(atPath: directory.appending(path: "architecture").path)
  }

  /// The folder that `TOUCHTREE_VM_IMAGE` names, or `.build/vm` with Debian 12's kernel, or
  /// `.build/vm/debian13` if `TOUCHTREE_VM_DEBIAN` is 13; that of the service is `service` in it, and the
  /// one for packages `packages`. It must be there, and newer than the programs in it: a
  /// test of yesterday's program proves nothing.
  init(_ kind: Kind = .plain) throws {
    let environment = ProcessInfo.processInfo.environment
    let kernel = environment["TOUCHTREE_VM_DEBIAN"].map { "/debian\($0)" } ?? ""
    let folder =
      environment["TOUCHTREE_VM_IMAGE"].map { URL(filePath: $0) }
      ?? Self.root.appending(path: "\(Self.build)/vm\(kernel)")
    var parts = ["touchtree", "vm-guest", "libbell.so", "liblamp.so"].map { "\(Self.build)/release/\($0)" }
    switch kind {
    case .plain: directory = folder
    case .service:
      directory = folder.appending(path: "service")
      parts += ["systemd/touchtree.service", "systemd/touchtree.sysusers", "config/touchtree.yaml"]
    case .packages:
      directory = folder.appending(path: "packages")
      parts = ["\(Self.build)/release/vm-guest"]
    }
    guard let age = Self.modified(directory.appending(path: "initrd")) else {
      throw MachineError(
        "There is no virtual machine image in \(directory.path): run make test, which builds it first.")
    }
    guard environment["TOUCHTREE_VM_IMAGE"] == nil else { return }
    for file in parts {
      if let changed = Self.modified(Self.root.appending(path: file)), changed > age {
        throw MachineError(
          "The virtual machine image in \(directory.path) is older than \(file): run make test, which builds it again."
        )
      }
    }
  }

  private static func modified(_ file: URL) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
  }
}
