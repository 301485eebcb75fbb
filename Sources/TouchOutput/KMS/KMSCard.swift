import CDrm
import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// The places of cards and their sockets. Tests use cards in other folders.
struct KMSMachine: Sendable {
  /// The nodes of all cards, by their numbers.
  var paths: [String]
  /// The folder with a link for each card to the folder of its device. (kernel `sysfs`)
  var sysfs: String
  /// The folder with links to the nodes by place, such as `platform-gpu-card`. (udev's `60-drm.rules`)
  var links: String
  /// The prefix of the sockets of programs that lend connectors; the card's number follows. (`KMSLender`)
  var lenders = "@touchtree/drm"
  var library: @Sendable () throws(DisplayError) -> touchtree_drm

  static var this: KMSMachine {
    KMSMachine(
      paths: (0..<64).map { "/dev/dri/card\($0)" as String }.filter { access($0, F_OK) == 0 },
      sysfs: "/sys/class/drm", links: "/dev/dri/by-path",
      library: { () throws(DisplayError) in try KMSLibrary.load() })
  }
}

/// An open card, `/dev/dri/cardN`. (kernel `gpu/drm-kms.rst`) Only its master may change its picture.
final class KMSCard {
  let path: String
  let descriptor: FileDescriptor
  let drm: touchtree_drm
  /// The driver's name, such as `vc4`.
  let driver: String
  let isAtomic: Bool
  /// Whether this program may change the picture of the card, or of the part that another program has lent.
  private(set) var isMaster = false
  let isLease: Bool
  /// The folder of the card's device in sysfs, which is the same after each start; empty if sysfs has none.
  let device: String
  /// The names before a connector's name: `card0`, which may change; the driver, `vc4`; the place, by udev.
  let names: [String]

  /// Opens a card without disturbing what is shown, or throws `unsupported` for one without connectors.
  convenience init(path: String, on machine: KMSMachine = .this) throws(DisplayError) {
    let drm = try machine.library()
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(path, .readWrite, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw Self.openError(path, error as? Errno ?? .ioError)
    }
    try self.init(descriptor, of: path, by: drm, on: machine, isLease: false)
  }

  /// Opens the part of a card that another program lends.
  /// - Parameter lease: the lent descriptor, which is closed with the card. It lists only the lent part of
  ///   the card, and may change that part as long as its lender may.
  /// - Parameter path: the card's path.
  /// - Throws: `DisplayError` of kind `unsupported` if the loan is over.
  convenience init(lease: FileDescriptor, of path: String, on machine: KMSMachine = .this)
    throws(DisplayError)
  {
    let drm: touchtree_drm
    do throws(DisplayError) {
      drm = try machine.library()
    } catch {
      try? lease.close()
      throw error
    }
    try self.init(lease, of: path, by: drm, on: machine, isLease: true)
  }

  private init(
    _ descriptor: FileDescriptor, of path: String, by drm: touchtree_drm, on machine: KMSMachine,
    isLease: Bool
  ) throws(DisplayError) {
    (self.path, self.descriptor, self.drm, self.isLease) = (path, descriptor, drm, isLease)
    // The first program that opens an unused card becomes its master, but this one shows nothing yet.
    if !isLease { _ = drm.drop_master(descriptor.rawValue) }
    isMaster = isLease
    guard let resources = drm.get_resources(descriptor.rawValue) else {
      let cause = Errno(rawValue: errno)
      try? descriptor.close()
      guard cause == .notSupported else {
        throw DisplayError(.failed, path: path, detail: "its connectors cannot be read", cause: cause)
      }
      throw DisplayError(.unsupported, path: path, detail: "the card renders, and has no displays")
    }
    drm.free_resources(resources)
    if let version = drm.get_version(descriptor.rawValue) {
      driver = String(cString: version.pointee.name)
      drm.free_version(version)
    } else {
      driver = "unknown"
    }
    let name = Self.name(of: path)
    device = (SymbolicLink.target(of: "\(machine.sysfs)/\(name)") ?? "").split(separator: "/")
      .dropLast(2).joined(separator: "/")
    let place = FileContents.names(in: machine.links).first {
      SymbolicLink.target(of: "\(machine.links)/\($0)").map(Self.name) == name
    }
    names = [name, driver] + (place.map { [$0.hasSuffix("-card") ? String($0.dropLast(5)) : $0] } ?? [])
    _ = drm.set_client_capability(descriptor.rawValue, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
    isAtomic = drm.set_client_capability(descriptor.rawValue, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0
  }

  deinit {
    dropMaster()
    try? descriptor.close()
  }

  /// The error of a card that was unplugged while it is open.
  var isGone: DisplayError { DisplayError(.missing, path: path, detail: "the card is gone") }

  var name: String { Self.name(of: path) }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The card's major and minor number, as the kernel and systemd-logind write them: `226:0`.
  var number: String { Self.status(of: path).map(Self.number) ?? "" }

  /// Returns the status of a card's node, without opening it; nil if there is no node. (stat(2))
  static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  static func number(_ node: stat) -> String {
    "\(gnu_dev_major(node.st_rdev)):\(gnu_dev_minor(node.st_rdev))"
  }

  func capability(_ number: Int32) -> UInt64? {
    var value: UInt64 = 0
    return drm.get_capability(descriptor.rawValue, UInt64(number), &value) == 0 ? value : nil
  }

  func properties(of object: UInt32, _ type: UInt32) -> KMSProperties {
    KMSProperties(of: object, type, on: descriptor, drm)
  }

  /// The numbers of the card's CRTCs, in the order of the bits in `possible_crtcs`.
  var crtcs: [UInt32] {
    guard let resources = drm.get_resources(descriptor.rawValue) else { return [] }
    defer { drm.free_resources(resources) }
    return (0..<Int(resources.pointee.count_crtcs)).map { resources.pointee.crtcs[$0] }
  }

  /// Returns all connectors of the card.
  /// - Parameter probing: whether to ask the monitors again,
  ///   which takes time, or to use what the kernel knows.
  func connectors(probing: Bool) -> [KMSConnector] {
    guard let resources = drm.get_resources(descriptor.rawValue) else { return [] }
    defer { drm.free_resources(resources) }
    // Monitors are asked one by one: other programs wait while this one is master, and a monitor may be slow.
    return (0..<Int(resources.pointee.count_connectors)).compactMap {
      connector(resources.pointee.connectors[$0], probing: probing)
    }
  }

  /// Returns the present state of a connector, for which the monitor may be asked again; nil if it is gone.
  func connector(_ id: UInt32, probing: Bool) -> KMSConnector? {
    // Since Linux 5.18 only the master may have monitors probed. Another program that is master has done so.
    let isForThis = probing && !isMaster && tryMaster() == nil
    defer { if isForThis { dropMaster() } }
    return KMSConnector(id, of: self, probing: probing)
  }

  // MARK: Master

  /// Becomes the master of the card, or throws `inUse`. It waits for programs that only look, a second at
  /// most.
  func takeMaster() throws(DisplayError) {
    for left in stride(from: 50, through: 0, by: -1) {
      guard let cause = tryMaster() else { return }
      guard left > 0, cause == .resourceBusy || cause == .invalidArgument else {
        throw KMSCardUsers.isInUse(self, cause: cause)
      }
      usleep(20_000)
    }
  }

  private func tryMaster() -> Errno? {
    guard !isMaster else { return nil }
    guard drm.set_master(descriptor.rawValue) == 0 else { return Errno(rawValue: errno) }
    isMaster = true
    return nil
  }

  var isFree: Bool {
    guard tryMaster() == nil else { return false }
    dropMaster()
    return true
  }

  /// Returns a sentence that names the program with a picture on the card; nil if there is none.
  func otherUser() -> String? { isFree ? nil : KMSCardUsers.who(has: self) }

  /// Ends being master. A lent part is given back when the card is closed.
  func dropMaster() {
    guard isMaster, !isLease else { return }
    isMaster = false
    _ = drm.drop_master(descriptor.rawValue)
  }

  // MARK: Its framebuffers

  var framebuffers: [UInt32] { Self.framebuffers(of: path, on: .this) }

  /// - Parameter path: the path of a card, which is not opened.
  static func framebuffers(of path: String, on machine: KMSMachine) -> [UInt32] {
    FileContents.names(in: "\(machine.sysfs)/\(name(of: path))/device/graphics")
      .compactMap { $0.hasPrefix("fb") ? UInt32($0.dropFirst(2)) : nil }
  }

  private static func openError(_ path: String, _ cause: Errno) -> DisplayError {
    switch cause {
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice:
      DisplayError(.missing, path: path, detail: "there is no such card", cause: cause)
    case .permissionDenied, .notPermitted:
      .closed(
        path,
        "Cards belong to the group video: usermod -aG video USER and log in again, or SupplementaryGroups=video and "
          + "DeviceAllow=char-drm rw in the unit", cause, isSetUp: DisplayError.isSetUp(path))
    default: DisplayError(.failed, path: path, detail: "cannot open the card", cause: cause)
    }
  }
}
