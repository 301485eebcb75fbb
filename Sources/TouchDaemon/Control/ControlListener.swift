import CLinux.Control
import Glibc
import SystemPackage
import TouchHandlers
import TouchSystem

/// The socket that a daemon listens on. Its file is removed with it.
package struct ControlListener: ~Copyable {
  package let path: String
  /// The reason why the socket is not the group's, if there is such a group; else nil.
  package let groupProblem: Errno?
  private let lock: Lock
  private let socket: UnixSocket
  /// The device and number of the file, to recognise it later.
  private let identity: (device: dev_t, number: ino_t)

  /// The most connections that wait in the kernel while the daemon is busy.
  private static let backlog: Int32 = 128

  /// Makes the socket's file, for the daemon's user and a group of this machine, and its folder if that is
  /// missing, in place of a killed daemon's. The lock is held from before until the file is gone, so that two
  /// daemons cannot replace each other's file.
  package init(path: String, group: String? = nil) throws(ControlError) {
    guard let name = SocketName(path) else {
      throw ControlError(path: path, reason: .tooLong(limit: SocketName.longest))
    }
    let lock = try Lock(for: path)
    let listening = try Self.listening(name)
    identity = try Self.identity(of: path)
    groupProblem = group.flatMap { Self.give(path, to: $0) }
    socket = listening
    self.lock = lock
    self.path = path
  }

  deinit {
    // The path may belong to another daemon by now.
    if let now = try? Self.identity(of: path), now == identity { unlink(path) }
    // Closed here and not with the socket: closing the descriptors of waiting connections may block.
    shutdown(socket.rawValue, Int32(SHUT_RDWR))
    while let waiting = try? accept() { _ = UnixSocket(owning: waiting) }
  }

  package var rawValue: Int32 { socket.rawValue }

  /// Returns the next waiting connection; nil if its client has disconnected.
  /// - Throws: the reason why the kernel does not return it, such as
  ///   too many descriptors. It then goes on waiting.
  package func accept() throws(Errno) -> Int32? {
    let number = touchtree_accept(socket.rawValue)
    if number >= 0 { return number }
    switch Errno(rawValue: errno) {
    case .resourceTemporarilyUnavailable, .connectionAbort, .interrupted: return nil
    case let cause: throw cause
    }
  }

  private static func listening(_ name: SocketName) throws(ControlError) -> UnixSocket {
    let socket = try Self.socket(for: name)
    if let cause = bind(socket, name) {
      guard cause == .addressInUse else { throw ControlError(path: name.text, call: "bind", cause) }
      try removeStaleSocket(name)
      if let cause = bind(socket, name) { throw ControlError(path: name.text, call: "bind", cause) }
    }
    guard listen(socket.rawValue, backlog) == 0 else {
      throw ControlError(path: name.text, call: "listen", Errno(rawValue: errno))
    }
    return socket
  }

  private static func socket(for name: SocketName) throws(ControlError) -> UnixSocket {
    do {
      return try UnixSocket()
    } catch {
      throw ControlError(path: name.text, call: error.call, error.errno)
    }
  }

  /// Makes the socket's file for the user and the group, whatever the process's umask is, by the socket's own
  /// mode. (`bind(2)`; `umask(2)` would concern all threads.)
  private static func bind(_ socket: UnixSocket, _ name: SocketName) -> Errno? {
    let number = socket.rawValue
    guard fchmod(number, 0o600) == 0, name.withAddress({ Glibc.bind(number, $0, $1) }) == 0,
      chmod(name.text, 0o660) == 0
    else { return Errno(rawValue: errno) }
    return nil
  }

  /// Changes the group of a file. A user may give its file to one of its own groups. (`chown(2)`)
  private static func give(_ path: String, to group: String) -> Errno? {
    guard let entry = getgrnam(group) else { return nil }
    return lchown(path, uid_t.max, entry.pointee.gr_gid) == 0 ? nil : Errno(rawValue: errno)
  }

  private static func removeStaleSocket(_ name: SocketName) throws(ControlError) {
    var status = stat()
    guard lstat(name.text, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlError(path: name.text, reason: .occupied)
    }
    let probe = try socket(for: name)
    // A stopped daemon with a full queue of connections counts as running.
    let cause = probe.connect(to: name, timeout: 1)
    guard cause == .connectionRefused else { throw ControlError(path: name.text, reason: .taken) }
    unlink(name.text)
  }

  /// A locked file beside the socket (`flock(2)`), with their folder. The kernel releases the lock.
  package struct Lock: ~Copyable {
    package let path: String
    private let descriptor: OwnedDescriptor
    private let madeFolder: String?

    /// Locks by the path of the socket, or throws `taken` if another daemon has it.
    package init(for path: String) throws(ControlError) {
      self.path = path + ".lock"
      let folder = FilePath(path).removingLastComponent().string
      madeFolder = mkdir(folder, 0o755) == 0 ? folder : nil
      while true {
        let number = open(self.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw ControlError(path: path, call: "open", Errno(rawValue: errno)) }
        let file = OwnedDescriptor(number)
        guard touchtree_lock_file(number) == 0 else {
          let cause = Errno(rawValue: errno)
          throw cause == .wouldBlock
            ? ControlError(path: path, reason: .taken) : ControlError(path: path, call: "flock", cause)
        }
        // The previous holder may have removed the file before this lock.
        var (locked, named) = (stat(), stat())
        guard fstat(number, &locked) == 0, lstat(self.path, &named) == 0,
          (locked.st_dev, locked.st_ino) == (named.st_dev, named.st_ino)
        else { continue }
        descriptor = file
        return
      }
    }

    deinit {
      // The lock is still held, since the descriptor is closed later.
      unlink(path)
      if let madeFolder { rmdir(madeFolder) }
    }
  }

  private static func identity(of path: String) throws(ControlError) -> (dev_t, ino_t) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw ControlError(path: path, call: "lstat", Errno(rawValue: errno))
    }
    return (status.st_dev, status.st_ino)
  }
}
