import Glibc
import SystemPackage
import TouchHandlers
import TouchSystem

/// The panel to which sessions connect: a panel of this program's own, or one that runs already.
protocol PanelConnecting: AnyObject {
  /// The name of what is shown, for people.
  var name: String { get }
  /// Whether the size of the display can be chosen.
  var resizes: Bool { get }
  /// Returns a new connection to the daemon. Nothing has been read from it, so that nobody waits.
  /// - Throws: `ControlError`, `SystemError`.
  func connect() throws -> PanelConnection
}

struct PanelConnection {
  let socket: UnixSocket
  /// The name of the other end, for messages.
  let path: String
  /// The program that carries it; nil for a socket of the daemon itself.
  var carrier: OwnedProcess?
}

extension PanelConnection {
  /// - Parameter path: the daemon's socket; nil for the first usual one that answers.
  fileprivate init(to path: String?) throws(ControlError) {
    // The kernel connects at once, or when the daemon has taken one of those that wait.
    (socket, self.path) = try ControlClient.open(path, timeout: 1)
  }
}

/// A daemon that runs already.
final class RunningPanel: PanelConnecting {
  private let socket: String?
  var name: String { socket ?? "touchtree" }
  var resizes: Bool { false }

  init(_ socket: String?) { self.socket = socket }

  func connect() throws -> PanelConnection { try PanelConnection(to: socket) }
}

/// A daemon of this program's own, `touchtree run FILE --display headless --watch`, on a socket in a private
/// folder. It ends with this program, however that ends.
final class PanelProcess: PanelConnecting {
  /// Called when the daemon has ended by itself, with the last lines that it wrote.
  var onEnd: ([String]) -> Void = { _ in }

  private let file: String
  private let program: String
  private let folder: PrivateFolder
  private let loop: EventLoop
  private var child: Child?
  /// The lines that it wrote last.
  private var lines: [String] = []
  private var partial: [UInt8] = []

  var name: String { file }
  var resizes: Bool { true }
  private var socket: String { folder.path + "/control.sock" }

  /// The daemon that runs.
  private final class Child {
    let id: pid_t
    /// The kernel ends the process when this is closed.
    let lifeline: PipeEnd
    /// The log of the process.
    let errors: PipeEnd
    var source: EventLoop.Source?

    /// - Throws: `SystemError`.
    init(_ program: String, _ arguments: [String]) throws(SystemError) {
      let (life, output) = (try Pipe(), try Pipe())
      (lifeline, errors) = (life.writing, output.reading)
      errors.stopBlocking()
      do {
        id = try ProcessSpawn.start(
          program, arguments: arguments, environment: ChildProcesses.ownEnvironment,
          errors: output.writing.rawValue,
          lifeline: life.reading.rawValue)
      } catch {
        throw SystemError("execve", error, path: program)
      }
    }
  }

  /// The most lines that are kept, and the longest in bytes.
  private static let mostLines = 20
  private static let longestLine = 4096

  /// - Throws: `Failure` without touchtree; `SystemError` without a folder.
  init(_ file: String, in loop: EventLoop) throws {
    guard let program = Self.program else {
      throw Failure(
        .unavailable, "touchtree is neither beside this program nor in PATH; type: apt install touchtree")
    }
    (self.file, self.program, self.loop) = (file, program, loop)
    folder = try PrivateFolder()
  }

  deinit { end() }

  func connect() throws -> PanelConnection { try PanelConnection(to: socket) }

  /// Starts the daemon, in place of the one that runs.
  /// - Parameter size: of the display in pixels; nil for that of the file's canvas.
  /// - Throws: `SystemError`.
  func start(size: (width: Int, height: Int)?) throws {
    end()
    lines = []
    let display = size.map { "headless:\($0.width)x\($0.height)" } ?? "headless"
    let child = try Child(
      program,
      [
        "touchtree", "run", file, "--display", display, "--watch", "--control", socket, "--watch-socket",
        "none",
      ])
    child.source = try loop.watch(child.errors.rawValue, as: .later) { [weak self] in self?.readErrors() }
    self.child = child
  }

  /// Reads what the daemon writes about itself, and passes it on to this program's own errors.
  private func readErrors() {
    guard let child else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(child.errors.rawValue, &buffer, buffer.count)
    guard count > 0 else {
      if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
      return ended()
    }
    _ = try? FileDescriptor.standardError.writeAll(buffer.prefix(count))
    for byte in buffer.prefix(count) {
      if byte != UInt8(ascii: "\n") {
        if partial.count < Self.longestLine { partial.append(byte) }
        continue
      }
      lines.append(String(decoding: partial, as: UTF8.self))
      if lines.count > Self.mostLines { lines.removeFirst() }
      partial.removeAll(keepingCapacity: true)
    }
  }

  private func ended() {
    let lines = lines
    end()
    onEnd(lines)
  }

  /// Ends the daemon, and waits until it has.
  func end() {
    guard let child else { return }
    self.child = nil
    if let source = child.source { loop.unwatch(source) }
    kill(child.id, SIGTERM)
    var status: Int32 = 0
    while waitpid(child.id, &status, 0) < 0 && errno == EINTR {}
  }

  /// The program beside this one, in the folder of programs that is beside its own, or in PATH.
  private static var program: String? {
    let own = OwnProgram.folder.map { [$0, $0.appending("../../bin")] } ?? []
    let path = ChildProcesses.ownPath.split(separator: ":").map { FilePath(String($0)) }
    return (own + path).map { $0.appending("touchtree").string }.first { access($0, X_OK) == 0 }
  }
}

/// A folder that this user alone can open, which is removed with all that is in it.
final class PrivateFolder {
  let path: String

  /// Makes it below $XDG_RUNTIME_DIR, or the folder of temporary files.
  /// - Throws: `SystemError`.
  init() throws(SystemError) {
    let parents = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { (name: String) in
      getenv(name).map { String(cString: $0) }
    }
    // The path of a socket in it has to be short: sun_path has 108 bytes.
    let parent = parents.first { $0.hasPrefix("/") && $0.utf8.count < 64 && access($0, W_OK) == 0 } ?? "/tmp"
    var template = Array((parent + "/touchtree-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap(mkdtemp).map { String(cString: $0) }
    }
    guard let made else { throw SystemError("mkdtemp", Errno(rawValue: errno), path: parent) }
    path = made
  }

  deinit {
    for name in (try? FileContents.entries(of: path)) ?? [] { unlink(path + "/" + name) }
    rmdir(path)
  }
}
