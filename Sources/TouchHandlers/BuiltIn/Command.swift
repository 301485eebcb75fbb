import Glibc
internal import SystemPackage

/// A program with its arguments, found when the configuration is read rather than when the first finger
/// comes.
public struct Command: CustomStringConvertible, Sendable {
  /// What was written in the configuration, the program's name first.
  public let words: [String]
  /// The program's file.
  public let executable: String

  /// - Parameters:
  ///   - words: a name that is searched in `path`, or a path; then the arguments.
  ///   - path: folders with colons between them, as in PATH. An empty one, which would mean the working
  ///     folder, is passed over.
  /// - Throws: when the program is not there or cannot be executed.
  public init(words: [String], path: String) throws(CommandError) {
    guard let name = words.first, !name.isEmpty else {
      throw CommandError(command: "", cause: .empty)
    }
    self.words = words
    if name.contains("/") {
      if let refusal = Self.refusal(of: name) {
        throw CommandError(command: name, cause: .cannotExecute(path: name, reason: refusal))
      }
      executable = name
      return
    }
    var found: (path: String, refusal: String)?
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/\(name)"
      guard let refusal = Self.refusal(of: candidate) else {
        executable = candidate
        return
      }
      if found == nil, access(candidate, F_OK) == 0 { found = (candidate, refusal) }
    }
    guard let found else { throw CommandError(command: name, cause: .notFound(path: path)) }
    throw CommandError(command: name, cause: .cannotExecute(path: found.path, reason: found.refusal))
  }

  public var description: String { words.first ?? "" }

  /// Why a file cannot be executed, or nil when it can.
  private static func refusal(of file: String) -> String? {
    do {
      if try Stat(FilePath(file)).type != .regular { return "it is not a file" }
    } catch {
      return error.description
    }
    return access(file, X_OK) == 0 ? nil : Errno(rawValue: errno).description
  }
}

/// Why a command cannot be used.
public struct CommandError: Error, CustomStringConvertible {
  /// What is wrong with the first word.
  public enum Cause: Hashable, Sendable {
    case empty
    case notFound(path: String)
    case cannotExecute(path: String, reason: String)
  }

  /// The first word; empty when there is none.
  public let command: String
  public let cause: Cause

  public var description: String {
    switch cause {
    case .empty:
      "the command is empty; give a list of words, the program first"
    case .notFound(let path):
      "command \(command): not found in PATH (\(path)); install it, or give its full path"
    case .cannotExecute(let path, let reason):
      "command \(command): cannot execute \(path): \(reason); correct the path, or run: chmod a+x \(path)"
    }
  }
}
