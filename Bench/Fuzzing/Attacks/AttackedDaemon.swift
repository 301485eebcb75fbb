import Glibc
import SystemPackage
import TouchHandlers
import TouchSystem

/// A daemon in a folder of its own, and a client of its control socket. It is to stay as small as it was.
final class AttackedDaemon {
  /// Something that has become too large or too slow.
  struct Excess: Error, CustomStringConvertible {
    let description: String
  }

  static let socket = "./control"
  /// In KiB.
  private static let mostMemory = 100 << 10

  private let daemon: Child
  private(set) var client: ControlClient

  /// - Parameter pipe: one that is there before it starts.
  /// - Throws: `Errno`, `ControlError`.
  init(_ configuration: String, pipe: String? = nil) throws {
    signal(SIGPIPE, SIG_IGN)
    try Child.enterFolder()
    try FileContents.replace("tree.yaml", with: Array(configuration.utf8))
    if let pipe, mkfifo(pipe, 0o600) != 0 { throw Errno(rawValue: errno) }
    daemon = try Child(
      ["run", "tree.yaml", "--display", "headless:320x200", "--control", Self.socket], output: "stdout",
      errors: "log")
    client = try Self.connect()
    atexit { kill(Child.current, SIGKILL) }
  }

  static func connect() throws -> ControlClient {
    var tries = 0
    while true {
      do {
        return try ControlClient(path: socket, timeout: 30)
      } catch {
        tries += 1
        guard tries < 3000 else { throw error }
        usleep(10_000)
      }
    }
  }

  func reconnect() throws { client = try Self.connect() }

  /// The rule that an error means, and the last words of a daemon that has ended.
  func fault(_ error: any Error) -> String {
    var status: Int32 = 0
    var isGone = false
    for _ in 0..<100 where !isGone {
      isGone = waitpid(daemon.id, &status, WNOHANG) != 0
      if !isGone { usleep(10_000) }
    }
    let log = (try? FileContents.read("log", upTo: 1 << 24)) ?? []
    let end = String(decoding: log.suffix(2000), as: UTF8.self)
    return "\(error)\(isGone ? "; the daemon ended with \(status): \(end)" : "")"
  }

  /// Sends lines, and reads their answers up to that of a last question.
  ///
  /// - Returns: whether one of them is anything but an error.
  func ask(_ lines: [UInt8], _ name: String) throws -> Bool {
    let question = Message.line("hit", id: .text(name)) { json in
      json.key("x")
      json.value(1)
      json.key("y")
      json.value(1)
    }
    try client.write(lines + question)
    var isUnderstood = false
    while true {
      let answer = try client.next()
      if answer["id"] == .text(name) { return isUnderstood }
      if answer["type"] != .text("error") { isUnderstood = true }
    }
  }

  /// In seconds, since it was started. (`proc(5)`: in ticks, the 14th and 15th field; the second one is in
  /// brackets.)
  func processorTime() throws -> Double {
    let line = String(
      decoding: try FileContents.read("/proc/\(daemon.id)/stat", upTo: 1 << 12), as: UTF8.self)
    let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      throw Excess(description: "the daemon has no processor time")
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// - Parameter lines: how many were sent so far.
  /// - Throws: what has become too large.
  func checkSize(after lines: Int) throws {
    let status = String(
      decoding: try FileContents.read("/proc/\(daemon.id)/status", upTo: 1 << 16), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    let peak = line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    guard peak > 0, peak <= Self.mostMemory else {
      throw Excess(description: "the daemon has taken \(peak) KiB")
    }
    let log = try FileContents.read("log", upTo: 1 << 24).count
    guard log <= 1 << 20 + lines * 100 else {
      throw Excess(description: "its log has \(log) bytes after \(lines) lines")
    }
  }
}
