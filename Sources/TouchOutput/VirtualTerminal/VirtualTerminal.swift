import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels

/// An open virtual terminal. Its user closes the descriptor.
struct VirtualTerminal {
  let descriptor: FileDescriptor
  let path: String

  /// The number, from 1; 0 if the kernel does not report it.
  var number: Int32 { touchtree_vt_number(descriptor.rawValue) }

  var isSeen: Bool {
    let active = touchtree_vt_active(descriptor.rawValue)
    return number == 0 || active == number
  }

  /// Whether a program shows its picture on the terminal, or was killed while it did.
  var isInGraphics: Bool {
    var mode: Int32 = KD_TEXT
    return touchtree_vt_get_mode(descriptor.rawValue, &mode) == 0 && mode == KD_GRAPHICS
  }

  init(_ choice: Console.Choice) throws(DisplayError) {
    switch choice {
    case .path(let path): try self.init(path: path)
    case .own: try self.init(ofThisProcess: ())
    case .unused: try self.init(unused: ())
    }
  }

  private init(ofThisProcess: Void) throws(DisplayError) {
    // With systemd's StandardInput=tty the terminal is standard input. From a shell it is /dev/tty.
    if let terminal = try? FileDescriptor.standardInput.duplicate() {
      if Self.isVirtual(terminal) {
        self.init(descriptor: terminal, path: "standard input")
        return
      }
      try? terminal.close()
    }
    if let terminal = try? VirtualTerminal(path: "/dev/tty") {
      self = terminal
    } else {
      try self.init(path: "/dev/tty0")
    }
  }

  private init(unused: Void) throws(DisplayError) {
    let seen = try VirtualTerminal(path: "/dev/tty0")
    defer { try? seen.descriptor.close() }
    let number = touchtree_vt_unused(seen.descriptor.rawValue)
    guard number > 0 else { throw .console(.allInUse, "/dev/tty0", cause: Errno(rawValue: errno)) }
    try self.init(path: "/dev/tty\(number)")
  }

  init(path: String) throws(DisplayError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .console(.missing, path, cause: Errno(rawValue: errno)) }
    guard touchtree_is_terminal(&status) != 0 else { throw .console(.notTerminal, path) }
    let terminal: FileDescriptor
    do {
      // The group tty may write to terminals but not read them, which is enough for ioctls.
      let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]
      do {
        terminal = try FileDescriptor.open(path, .readWrite, options: options)
      } catch Errno.permissionDenied {
        terminal = try FileDescriptor.open(path, .writeOnly, options: options)
      }
    } catch {
      let cause = error as? Errno ?? .ioError
      let denied = cause == .permissionDenied || cause == .notPermitted
      throw .console(denied ? .notPermitted : .missing, path, cause: cause)
    }
    guard Self.isVirtual(terminal) else {
      try? terminal.close()
      throw .console(.notTerminal, path)
    }
    self.init(descriptor: terminal, path: path)
  }

  /// Locks the terminal against other instances of touchtree while the returned descriptor, its own, is open;
  /// nil if the terminal cannot be opened by its number.
  func claim() throws(DisplayError) -> FileDescriptor? {
    let number = number
    let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]
    guard number > 0, let own = try? FileDescriptor.open("/dev/tty\(number)", .writeOnly, options: options)
    else { return nil }
    guard touchtree_lock(own.rawValue, LOCK_EX) != 0, errno == EWOULDBLOCK else { return own }
    try? own.close()
    throw .console(.inUse, path)
  }

  private init(descriptor: FileDescriptor, path: String) { (self.descriptor, self.path) = (descriptor, path) }

  private static func isVirtual(_ terminal: FileDescriptor) -> Bool {
    var mode: Int32 = 0
    return touchtree_vt_get_mode(terminal.rawValue, &mode) == 0
  }
}
