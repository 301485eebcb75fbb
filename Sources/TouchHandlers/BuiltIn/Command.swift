import Glibc
import SystemPackage
import TouchSystem

/// A program with its arguments. It is found when the configuration is read, before the first touch.
package struct Command: CustomStringConvertible, Sendable {
  /// The words of the configuration, beginning with the program's name.
  package private(set) var words: [String]
  /// The path of the program's file.
  package let executable: String
  /// A warning about another user who could change the program; nil if there is none.
  package let warning: String?

  /// - Parameter words: a name that is searched in `path`, or a path; then the arguments.
  /// - Parameter path: folders with colons between them, as in PATH. An empty one would mean the working
  ///   folder, and is skipped.
  /// - Parameter trust: the users whose file the program may be; nil for every user.
  /// - Throws: if the program is missing, cannot be executed or is not trusted.
  package init(words: [String], path: String, trust: FileTrust? = nil) throws(Failure) {
    guard let name = words.first, !name.isEmpty else {
      throw Failure("the command is empty; give a list of words, the program first")
    }
    self.words = words
    var warning: String?
    do throws(Failure) {
      executable = try Self.find(name, in: path)
      try trust?.check(executable) { warning = $0 }
    } catch {
      throw Failure("command \(name): \(error)")
    }
    self.warning = warning
  }

  private static func find(_ name: String, in path: String) throws(Failure) -> String {
    do throws(Failure) {
      return try findFile(name, in: path)
    } catch {
      // A name may contain blanks. One that leads to no file is most likely a line for a shell.
      guard name.contains(" "), access(name, F_OK) != 0 else { throw error }
      throw Failure(
        "no program is called so, and no shell reads it; give each word for itself: \(ShellWords(name).list)")
    }
  }

  private static func findFile(_ name: String, in path: String) throws(Failure) -> String {
    if name.contains("/") {
      guard let problem = ExecutableFile(name).problem else { return name }
      throw Failure("cannot execute \(name): \(problem)")
    }
    var found: (path: String, problem: String)?
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/\(name)"
      guard let problem = ExecutableFile(candidate).problem else { return candidate }
      if found == nil, access(candidate, F_OK) == 0 { found = (candidate, problem) }
    }
    guard let found else { throw Failure("not found in PATH; install it, or give its full path") }
    throw Failure("cannot execute \(found.path): \(found.problem)")
  }

  func with(arguments: [String]) -> Command {
    var command = self
    command.words = [words[0]] + arguments
    return command
  }

  /// Returns why the program cannot be started now, in more detail than the kernel's error if possible.
  func problem(_ error: Errno) -> String {
    error.openFilesAdvice ?? ExecutableFile(executable).problem ?? error.description
  }

  package var description: String { words.first ?? "" }
}

private struct ExecutableFile {
  let path: String

  init(_ path: String) { self.path = path }

  var problem: String? {
    let status: Stat
    do {
      status = try Stat(FilePath(path))
    } catch {
      return HiddenFolder.remedy(for: path) ?? missing(error)
    }
    guard status.type == .regular else { return "it is not a file; give the program's path" }
    if access(path, X_OK) == 0 { return firstLine }
    let reason = Errno(rawValue: errno).description
    return status.permissions.contains(.otherExecute)
      ? "\(reason), although its mode allows it: its file system may be mounted with noexec; move it to /usr/local/bin"
      : "\(reason); run: chmod a+x \(path)"
  }

  private func missing(_ cause: Errno) -> String {
    let tilde = path.split(separator: "/").first { $0.hasPrefix("~") }
    switch cause {
    case .noSuchFileOrDirectory where tilde != nil:
      return
        "no shell reads it, so \(tilde ?? "~") does not stand for a home folder; write that folder's whole path"
    case .permissionDenied:
      return "\(cause): a folder on the way may not be entered; run: namei -l \(path), "
        + "and chmod a+x on the folder that lacks it"
    default: return "\(cause); correct the path"
    }
  }

  /// The error of a script's interpreter. (execve(2), binfmt_script)
  private var firstLine: String? {
    // An unreadable program can still be executed.
    guard let start = try? FileContents.read(path, upTo: 256) else { return nil }
    guard start.starts(with: "#!".utf8) else {
      // The kernel may know a program for another machine or interpreter. (binfmt_misc)
      return start.contains(0)
        ? nil
        : "it is neither a program nor a script: let its first line be #! and an interpreter, such as #!/bin/sh"
    }
    let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard let word = words.first else {
      return "its first line names no interpreter; let it be #!/bin/sh, for example"
    }
    if line.last == UInt8(ascii: "\r") {
      return #"its lines end with a carriage return, which counts as part of the interpreter's name; "#
        + #"run: sed -i 's/\r$//' \#(path)"#
    }
    let interpreter = String(decoding: word, as: UTF8.self)
    return access(interpreter, X_OK) == 0
      ? nil
      : "its first line names \(interpreter), which is not there or cannot be executed; "
        + "correct that line, or install \(interpreter)"
  }
}
