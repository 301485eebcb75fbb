import Glibc
import SystemPackage
import TouchHandlers
import TouchJSON
import TouchSystem

/// A board that is reached by the user's own ssh, with its configuration and keys. One connection carries
/// all: a shell there, which does what it is told line by line, and the connections of a preview.
package final class Board: PanelConnecting {
  /// The host, as ssh knows it.
  package let host: String
  private let ssh: [String]
  private let folder: PrivateFolder
  private let shell: UnixSocket
  private let process: PlainProcess
  private var input: [UInt8] = []
  /// The word with which the shell ends each answer.
  private let mark = AccessToken().text

  var name: String { host }
  var resizes: Bool { false }

  /// The longest answer, in bytes.
  private static let longestAnswer = 1 << 20

  /// Connects. ssh may ask for a passphrase on the terminal.
  /// - Parameters:
  ///   - host: as ssh knows it: `board`, `root@10.0.0.7`.
  ///   - ssh: the command and its options.
  /// - Throws: `Failure` if the board is not reached; `SystemError`.
  package init(_ host: String, ssh: [String]) throws {
    self.host = host
    folder = try PrivateFolder()
    let control = ["-o", "ControlPath=\(folder.path)/ssh"]
    self.ssh = ssh + control
    let pair = try SocketPair()
    shell = pair.own
    let loop = "while read -r line; do eval \"$line\"; echo \"\(mark) $?\"; done 2>&1"
    process = try PlainProcess(
      ssh + control + ["-o", "ControlMaster=yes", "-T", host, "exec sh -c '\(loop)'"],
      input: pair.other.rawValue, output: pair.other.rawValue)
  }

  deinit {
    shutdown(shell.rawValue, Int32(SHUT_RDWR))
    process.end()
  }

  /// A connection to a program that is started. Its end is closed here with the pair, and not shut down.
  private struct SocketPair: ~Copyable {
    let own: UnixSocket
    let other: OwnedDescriptor

    init() throws(SystemError) {
      var ends: [Int32] = [-1, -1]
      try checked("socketpair") {
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
      }
      own = UnixSocket(owning: ends[0])
      other = OwnedDescriptor(ends[1])
    }
  }

  /// Runs a command line in the shell.
  /// - Parameters:
  ///   - line: one line.
  ///   - data: what the command reads.
  /// - Returns: its exit status, and the lines that it wrote.
  /// - Throws: `Failure` if the board is not reached, or no more.
  package func run(
    _ line: String, reading data: [UInt8] = []
  ) throws(Failure) -> (status: Int32, lines: [String]) {
    do throws(Errno) {
      try shell.sendAll(Array(line.utf8) + [UInt8(ascii: "\n")] + data)
    } catch {
      throw lost
    }
    var lines: [String] = []
    var size = 0
    while true {
      let line = try nextLine()
      size += line.utf8.count
      guard size <= Self.longestAnswer else { throw Failure(.unavailable, "\(host) answers without end") }
      if line.hasPrefix(mark), let status = Int32(line.dropFirst(mark.count + 1)) { return (status, lines) }
      lines.append(line)
    }
  }

  private func nextLine() throws(Failure) -> String {
    while true {
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        defer { input.removeFirst(end + 1) }
        return String(decoding: input[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      let count = read(shell.rawValue, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0, input.count < Self.longestAnswer else { throw lost }
      input += buffer.prefix(count)
    }
  }

  /// ssh has written why.
  private var lost: Failure {
    Failure(.unavailable, "\(host) is not reached by ssh; try: \(ssh.first ?? "ssh") \(host) true")
  }

  /// Returns a connection to the daemon of the board, whose pictures come in its lines.
  /// - Throws: `SystemError`.
  func connect() throws -> PanelConnection {
    let pair = try SocketPair()
    let process = try PlainProcess(
      ssh + ["-o", "ControlMaster=no", "-T", host, "exec touchtree ctl - --pictures"],
      input: pair.other.rawValue, output: pair.other.rawValue)
    return PanelConnection(socket: pair.own, path: host, carrier: OwnedProcess(process))
  }
}
