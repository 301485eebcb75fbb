import SystemPackage
import TouchSystem

/// The line to the program of a robot that touches the panel, which listens on a Unix socket.
///
/// The test writes a line as each step begins, and goes on to the next step when the robot has answered. A
/// step has the name of its mark in the recording. After the last one the test writes `end` and closes the
/// line.
///
/// ```
/// start grid 0.1,0.1
/// done
/// start line horizontal
/// done
/// end
/// ```
///
/// A robot that closes the line, does not read it, or answers anything else ends the test.
final class RobotLine {
  private let path: String
  private let socket: UnixSocket
  private var loop: EventLoop?
  private var source: EventLoop.Source?
  private var received: [UInt8] = []
  /// The step that the robot has not answered; nil if it has.
  private(set) var step: String?
  var isOpen: Bool { source != nil }
  private var onDone: () -> Void = {}
  private var onFault: (String) -> Void = { _ in }

  /// The longest answer in bytes, with its line feed.
  private static let longest = 256
  /// The longest wait until the robot's program takes the line, in seconds.
  private static let timeout: Int32 = 5

  /// Connects to a socket on which something listens.
  convenience init(path: String) throws(Failure) {
    guard let name = SocketName(path) else {
      throw Failure(
        .usage, "\(path): the path of a socket has at most \(SocketName.longest) bytes; use a shorter one")
    }
    let socket: UnixSocket
    do {
      socket = try UnixSocket()
    } catch {
      throw error.failure
    }
    if let cause = socket.connect(to: name, timeout: Self.timeout) {
      throw Failure(
        cause == .connectionRefused ? .unavailable : ExitStatus(cause),
        "\(path): the robot's program cannot be reached (\(cause)); start it first, so that it listens on this socket"
      )
    }
    self.init(socket, path: path)
  }

  /// - Parameter path: the socket's path in messages.
  init(_ socket: UnixSocket, path: String) { (self.socket, self.path) = (socket, path) }

  /// Begins to read.
  /// - Parameter onDone: called when the robot has done a step.
  /// - Parameter onFault: called once with the fault that ends the line, as a clause with its place and
  ///   advice.
  func begin(
    in loop: EventLoop, onDone: @escaping () -> Void, onFault: @escaping (String) -> Void
  ) throws(SystemError) {
    (self.loop, self.onDone, self.onFault) = (loop, onDone, onFault)
    source = try loop.watch(socket.rawValue) { [unowned self] in read() }
  }

  /// Has the robot do a step, by the text of its mark.
  func start(_ step: String) {
    self.step = step
    write("start \(step.onOneLine)\n")
  }

  /// Tells the robot that the test is over, and closes the line.
  func end() {
    if isOpen { write("end\n") }
    close()
  }

  private func write(_ line: String) {
    let bytes = Array(line.utf8)
    let count = bytes.withUnsafeBytes { try? socket.send($0, with: nil) }
    if count != bytes.count { fail("it does not read, or has closed the line") }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: Self.longest)
    let count: Int
    do {
      count = try chunk.withUnsafeMutableBytes { try socket.receive(into: $0) }
    } catch Errno.wouldBlock {
      return
    } catch Errno.connectionReset {
      return fail("it has closed the line")
    } catch {
      return fail("it cannot be read (\(error))")
    }
    guard count > 0 else { return fail("it has closed the line") }
    received += chunk[..<count]
    while isOpen, let end = received.firstIndex(of: UInt8(ascii: "\n")) {
      take(String(decoding: received[..<end], as: UTF8.self))
      received.removeFirst(end + 1)
    }
    if received.count >= Self.longest { fail("its answer is longer than \(Self.longest) bytes") }
  }

  private func take(_ line: String) {
    let answer = line.hasSuffix("\r") ? String(line.dropLast()) : line
    guard answer == "done" else { return fail("it answered \"\(answer.prefix(40).description.escaped)\"") }
    guard step != nil else { return fail("it answered \"done\" twice") }
    step = nil
    onDone()
  }

  private func fail(_ fault: String) {
    guard isOpen else { return }
    close()
    onFault(sentence(fault))
  }

  /// Returns a fault of the robot with its place and advice, a clause after "ended by".
  func sentence(_ fault: String) -> String {
    let place = step.map { " in the step \"\($0)\"" } ?? ""
    return
      "the robot's program at \(path): \(fault)\(place) (a line \"start NAME\" has one answer, \"done\"; see docs/hardware-testing.md)"
  }

  private func close() {
    if let source { loop?.unwatch(source) }
    source = nil
  }
}
