import Glibc
import SystemPackage
import TouchSystem

/// `touchtree`, run with files for its output, in a folder of its own that is also this process's.
public struct Child {
  /// The result of its end.
  struct Outcome {
    /// Its exit status, or minus the signal that ended it.
    let status: Int32
    let output: String
    let errors: String
    /// In seconds.
    let processorTime: Double
    /// In KiB.
    let memory: Int
  }

  let id: pid_t

  /// The one that runs now, for a signal handler that has to end it; 0 for none.
  nonisolated(unsafe) public static var current: pid_t = 0

  /// Next to this program.
  private static let program: String = {
    let own = FilePath("/proc/self/exe").resolvedLink
    return (own?.removingLastComponent().string ?? ".") + "/touchtree"
  }()

  /// - Parameter environment: as `NAME=VALUE`, besides what keeps it to these fonts and this folder.
  /// - Throws: `Errno` when it cannot be started.
  init(_ arguments: [String], environment: [String] = [], output: String, errors: String) throws {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    let isNew = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, isNew, 0o600)
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors, isNew, 0o600)
    let own = [
      "FONTCONFIG_FILE=\(Corpus.package)/Tests/Fonts/fonts.conf", "PATH=/usr/bin:/bin",
      "STATE_DIRECTORY=\(Self.folder)",
    ]
    let words = ([Self.program] + arguments).map { strdup($0) }
    // The first one of a name counts.
    let variables = (environment + own).map { strdup($0) }
    defer { for text in words + variables { free(text) } }
    var id: pid_t = 0
    let failure = posix_spawn(&id, Self.program, &files, nil, words + [nil], variables + [nil])
    guard failure == 0 else { throw Errno(rawValue: failure) }
    self.id = id
    Self.current = id
  }

  /// Waits for its end. If that takes too long, the limits of the program end the run.
  static func run(_ arguments: [String], environment: [String]) throws -> Outcome {
    let child = try Child(arguments, environment: environment, output: "stdout", errors: "stderr")
    var (status, usage): (Int32, rusage) = (0, rusage())
    wait4(child.id, &status, 0, &usage)
    current = 0
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    func text(_ file: String) throws -> String {
      String(decoding: try FileContents.read(file, upTo: 1 << 20), as: UTF8.self)
    }
    return Outcome(
      status: status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f), output: try text("stdout"),
      errors: try text("stderr"), processorTime: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      memory: usage.ru_maxrss)
  }

  /// Makes a folder, and goes there for good.
  static func enterFolder() throws {
    var name = Array("/tmp/touchtree-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil, chdir(name) == 0 else { throw Errno(rawValue: errno) }
    folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    atexit {
      chdir("/")
      var arguments = ["rm", "-rf", Child.folder].map { (word: String) in strdup(word) } + [nil]
      var id: pid_t = 0
      if posix_spawn(&id, "/bin/rm", nil, nil, &arguments, environ) == 0 { waitpid(id, nil, 0) }
    }
  }

  nonisolated(unsafe) private static var folder = ""
}

extension FilePath {
  fileprivate var resolvedLink: FilePath? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(string, &buffer, buffer.count - 1)
    return count > 0
      ? FilePath(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)) : nil
  }
}
