import Glibc
import SystemPackage

/// Reads files. All code that reads a file from its start to its end uses it.
package enum FileContents {
  /// Reads a file from its start up to a limit in bytes, one more than what is accepted. It does not wait for
  /// a pipe's writer unless asked. (open(2), read(2), close(2))
  package static func read(_ path: String, upTo limit: Int, waits: Bool = true) throws(Errno) -> [UInt8] {
    let file = try open(path, waits: waits)
    defer { try? file.close() }
    return try read(file, upTo: limit)
  }

  /// Opens a file that has to be checked before it is read. The caller closes it.
  package static func open(_ path: String, waits: Bool) throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        FilePath(path), .readOnly, options: waits ? [.closeOnExec] : [.closeOnExec, .nonBlocking])
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Whether the path leads to something other than a file: a pipe, a device or a folder. (stat(2))
  package static func isOther(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Returns the absolute path, without `.` and `..`, and without reading links. (getcwd(3))
  package static func plain(_ path: String) -> FilePath {
    var whole = FilePath(path)
    if !whole.isAbsolute, let folder = getcwd(nil, 0) {
      whole = FilePath(String(cString: folder)).pushing(whole)
      free(folder)
    }
    return whole.lexicallyNormalized()
  }

  /// Returns the names in a folder, in no order. (readdir(3))
  package static func entries(of folder: String) throws(Errno) -> [String] {
    guard let entries = opendir(folder) else { throw Errno(rawValue: errno) }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// Returns the names in a folder, sorted, without those that begin with a dot; none if it cannot be read.
  package static func names(in folder: String) -> [String] {
    ((try? entries(of: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Reads from the position of an open file up to its end or a limit in bytes.
  package static func read(_ file: FileDescriptor, upTo limit: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while bytes.count < limit {
      let count: Int
      do {
        count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
      } catch {
        throw error as? Errno ?? .ioError
      }
      if count == 0 { break }
      bytes += chunk[..<min(count, limit - bytes.count)]
    }
    return bytes
  }

  package enum Purpose {
    /// To survive a power failure: on the disk before it replaces the old one, only for this user.
    case keeping
    /// For other programs, repeatedly: every user can read it, and the disk is not waited for.
    case sharing
    /// The output of a command: the umask decides who can read it, and a pipe is waited for.
    case output
  }

  /// Replaces a file: readers see the old one or the new one. Others, such as /dev/null, are written to.
  /// After an error no other file remains. (write(2), fsync(2), rename(2))
  package static func replace(
    _ path: String, with bytes: [UInt8], for purpose: Purpose = .keeping
  ) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      // A file in the place of a device or a pipe would take it from all programs.
      let flags = purpose == .output ? O_WRONLY : O_WRONLY | O_NONBLOCK
      let file = OwnedDescriptor(try checked("open") { Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY) })
      return try write(bytes, to: file.rawValue)
    }
    let new = "\(path).\(getpid()).tmp"
    // The name is this process's own. An existing file is a remainder or another program's, maybe a pipe or a
    // link: it is never opened.
    unlink(new)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let file = OwnedDescriptor(
      try checked("open") { Glibc.open(new, flags, purpose == .output ? 0o666 : 0o600) })
    do throws(SystemError) {
      try write(bytes, to: file.rawValue)
      switch purpose {
      case .keeping: try checked("fsync") { fsync(file.rawValue) }
      case .sharing: try checked("fchmod") { fchmod(file.rawValue, 0o644) }
      case .output: break
      }
      try checked("rename") { rename(new, path) }
    } catch {
      unlink(new)
      throw error
    }
    guard purpose == .keeping,
      let folder = try? open(FilePath(path).removingLastComponent().string, waits: true)
    else { return }
    fsync(folder.rawValue)
    try? folder.close()
  }

  /// Removes the files of processes that were killed while they replaced a file. (kill(2), unlink(2))
  package static func removeRemainders(of path: String) {
    let path = FilePath(path)
    let (folder, name) = (path.removingLastComponent().string, path.lastComponent?.string ?? "")
    let parts = names(in: folder.isEmpty ? "." : folder).lazy.map { ($0, $0.split(separator: ".").suffix(2)) }
    for (other, end) in parts where other.hasPrefix(name + ".") && other.hasSuffix(".tmp") {
      guard let process = end.first.flatMap({ pid_t($0) }), other == "\(name).\(process).tmp",
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      unlink(path.removingLastComponent().appending(other).string)
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
    do {
      _ = try FileDescriptor(rawValue: file).writeAll(bytes)
    } catch {
      throw SystemError("write", error as? Errno ?? .ioError)
    }
  }
}

/// The folders that a service does not see, whatever their modes. (`ProtectHome=`, systemd.exec(5))
package enum HiddenFolder {
  private static let folders = ["/home", "/root", "/run/user"]

  /// Returns the advice for a file that this service cannot see because its unit hides the folder; nil
  /// otherwise. `variable` reads the environment.
  package static func remedy(
    for path: String, variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
  ) -> String? {
    // A shell on a desktop has INVOCATION_ID too, from its terminal.
    guard variable("INVOCATION_ID") != nil, variable("SYSTEMD_EXEC_PID") ?? "\(getpid())" == "\(getpid())",
      let folder = folders.first(where: { path.hasPrefix($0 + "/") })
    else { return nil }
    return "a service does not see \(folder) (ProtectHome= of its unit); move it to /usr/local/bin or "
      + "/usr/lib/touchtree, or run: systemctl edit touchtree, and add the lines [Service] and ProtectHome=read-only"
  }
}
