import CLinux.Display
import Glibc
import SystemPackage

/// An open virtual terminal. Whoever has it closes it.
struct VirtualTerminal {
  let descriptor: FileDescriptor
  let path: String

  /// From 1; 0 where the kernel does not say.
  var number: Int32 { touchtree_vt_number(descriptor.rawValue) }

  init(_ choice: Console.Choice) throws(ConsoleNotice) {
    switch choice {
    case .path(let path): try self.init(path: path)
    case .own: try self.init(ofThisProcess: ())
    case .unused: try self.init(unused: ())
    }
  }

  private init(ofThisProcess: Void) throws(ConsoleNotice) {
    // Standard input is the terminal when systemd gave us one; /dev/tty is it when a person started us there.
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

  private init(unused: Void) throws(ConsoleNotice) {
    let seen = try VirtualTerminal(path: "/dev/tty0")
    defer { try? seen.descriptor.close() }
    let number = touchtree_vt_unused(seen.descriptor.rawValue)
    guard number > 0 else {
      throw ConsoleNotice(path: "/dev/tty0", problem: .allInUse, cause: Errno(rawValue: errno))
    }
    try self.init(path: "/dev/tty\(number)")
  }

  init(path: String) throws(ConsoleNotice) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ConsoleNotice(path: path, problem: .missing, cause: Errno(rawValue: errno))
    }
    guard touchtree_is_terminal(&status) != 0 else {
      throw ConsoleNotice(path: path, problem: .notTerminal, cause: nil)
    }
    let terminal: FileDescriptor
    do {
      // The group tty may write to terminals, not read them; writing is enough for what is done here.
      let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]
      do {
        terminal = try FileDescriptor.open(path, .readWrite, options: options)
      } catch Errno.permissionDenied {
        terminal = try FileDescriptor.open(path, .writeOnly, options: options)
      }
    } catch {
      let cause = error as? Errno ?? .ioError
      let denied = cause == .permissionDenied || cause == .notPermitted
      throw ConsoleNotice(path: path, problem: denied ? .notPermitted : .missing, cause: cause)
    }
    guard Self.isVirtual(terminal) else {
      try? terminal.close()
      throw ConsoleNotice(path: path, problem: .notTerminal, cause: nil)
    }
    self.init(descriptor: terminal, path: path)
  }

  /// Keeps others of us off the terminal for as long as the descriptor is open.
  ///
  /// The lock is on a descriptor that nobody else has: ours may be the one that the shell gave to all of its children.
  ///
  /// - Returns: nil where the terminal may not be opened by its number.
  /// - Throws: `ConsoleNotice` when another one has it.
  func claim() throws(ConsoleNotice) -> FileDescriptor? {
    let number = number
    let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]
    guard number > 0,
      let own = try? FileDescriptor.open("/dev/tty\(number)", .writeOnly, options: options)
    else { return nil }
    guard touchtree_lock(own.rawValue, LOCK_EX) != 0, errno == EWOULDBLOCK else { return own }
    try? own.close()
    throw ConsoleNotice(path: path, problem: .inUse, cause: nil)
  }

  private init(descriptor: FileDescriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  private static func isVirtual(_ terminal: FileDescriptor) -> Bool {
    var mode: Int32 = 0
    return touchtree_vt_get_mode(terminal.rawValue, &mode) == 0
  }
}
