import Glibc
import SystemPackage
import TouchCore
import TouchDaemon
import TouchHandlers
import TouchPixels
import TouchSystem

/// A connection to a running daemon, which waits for its answers.
package final class ControlClient {
  /// Of the socket.
  package let path: String
  private let socket: UnixSocket
  private var reader = LineReader(longest: longestAnswer)
  /// What came with the last line.
  private var file: MemoryFile?
  /// Lines that the daemon has not taken yet.
  private var unsent: [UInt8] = []

  /// In seconds. A display with many pixels takes a moment to be painted once more.
  private static let patience: Int32 = 10
  /// In bytes: a tree of a configuration of 16 MiB has less to say.
  private static let longestAnswer = 1 << 28

  /// Connects.
  ///
  /// - Parameter path: of the socket; nil for the first of the usual ones that answers.
  /// - Throws: `ControlError` when there is no daemon, or it does not greet.
  package static func connect(to path: String?) throws(ControlError) -> ControlClient {
    let paths = path.map { [$0] } ?? ControlPath.candidates
    for path in paths.dropLast() {
      do throws(ControlError) {
        return try ControlClient(path: path, patience: patience)
      } catch {
        guard error.reason == .noDaemon else { throw error }
      }
    }
    return try ControlClient(path: paths.last ?? "", patience: patience)
  }

  /// - Parameter patience: in seconds: how long each answer may take.
  init(path: String, patience: Int32) throws(ControlError) {
    guard let name = SocketName(path) else {
      throw ControlError(path: path, reason: .tooLong(limit: SocketName.longest))
    }
    self.path = path
    do {
      socket = try UnixSocket()
    } catch {
      throw ControlError(path: path, call: error.call, error.errno)
    }
    if let cause = socket.connect(to: name, patience: patience) {
      throw Self.refusal(path, "connect", cause)
    }
    guard try next()["type"] == .text("hello") else { throw ControlError(path: path, reason: .garbled) }
  }

  private static func refusal(_ path: String, _ call: String, _ cause: Errno) -> ControlError {
    switch cause {
    case .noSuchFileOrDirectory, .notDirectory, .connectionRefused, .notSocket:
      ControlError(path: path, reason: .noDaemon)
    case .protocolWrongTypeForSocket: ControlError(path: path, reason: .otherProtocol)
    case .resourceTemporarilyUnavailable: ControlError(path: path, reason: .silent)
    case .connectionReset, .brokenPipe: ControlError(path: path, reason: .ended)
    default: ControlError(path: path, call: call, cause)
    }
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Throws: `ControlError` when there is none; `RequestError` with the daemon's own words.
  @discardableResult
  package func ask(_ request: [UInt8]) throws -> JSONValue {
    try send(request)
    let answer = try next()
    if let error = Self.error(in: answer) { throw error }
    return answer
  }

  /// What a message says that is an error; nil for every other message.
  private static func error(in message: JSONValue) -> RequestError? {
    guard message["type"] == .text("error") else { return nil }
    return RequestError(
      id: message["id"],
      code: message["code"]?.text.flatMap(RequestError.Code.init) ?? .failed,
      message: message["message"]?.text ?? "",
      diagnostics: message["diagnostics"]?.elements?.compactMap(\.text) ?? [])
  }

  /// Sends a line.
  package func send(_ line: [UInt8]) throws(ControlError) {
    do {
      try socket.sendAll(line)
    } catch {
      throw Self.refusal(path, "sendmsg", error)
    }
  }

  /// Waits for the next message.
  ///
  /// - Throws: `ControlError`; with `ended` when the daemon has gone.
  package func next() throws(ControlError) -> JSONValue {
    while true {
      var message: Result<JSONValue, JSONError>?
      let step = reader.next { line in
        message = Result { () throws(JSONError) in try JSONReader.read(line) }
      }
      if step == .line, case .success(let message)? = message { return message }
      guard step == .incomplete else { throw ControlError(path: path, reason: .garbled) }
      guard try receive() > 0 else { throw ControlError(path: path, reason: .ended) }
    }
  }

  /// From now on messages may take any time.
  package func waitForEver() {
    socket.limitWaiting(to: 0)
  }

  private func receive() throws(ControlError) -> Int {
    do throws(Errno) {
      return try reader.read { (room) throws(Errno) in
        let (count, file) = try socket.awaitBytes(into: room)
        if let file { self.file = file }
        return count
      }
    } catch {
      throw Self.refusal(path, "recvmsg", error)
    }
  }

  /// Asks for what the display shows.
  package func screenshot() throws -> Surface {
    let answer = try ask(Message.line("screenshot"))
    guard let file, case .integer(let width)? = answer["width"],
      case .integer(let height)? = answer["height"],
      answer["stride"] == .integer(width * 4)
    else { throw ControlError(path: path, reason: .garbled) }
    let picture = try Surface(width: width, height: height)
    let bytes = UnsafeMutableRawBufferPointer(start: picture.pixels, count: width * height * 4)
    guard file.read(into: bytes) else { throw ControlError(path: path, reason: .garbled) }
    return picture
  }
}

// MARK: - Fingers

extension ControlClient {
  /// How often a finger that is dragged moves, in milliseconds.
  private static let step = 16

  /// Goes down at the first point, by each of the others, and up at the last.
  ///
  /// - Parameters:
  ///   - points: in canvas coordinates; one for a tap.
  ///   - duration: how long the finger is down, in seconds.
  package func touch(_ points: [(x: Double, y: Double)], duration: Double) throws {
    guard let first = points.first, let last = points.last else { return }
    try inject("began", first)
    let steps = points.count == 1 ? 0 : max(points.count - 1, Int(duration * 1000) / Self.step)
    for step in stride(from: 1, through: steps, by: 1) {
      usleep(UInt32(duration * 1e6 / Double(steps)))
      try inject("moved", Self.point(of: points, at: Double(step) / Double(steps)))
    }
    if steps == 0 { usleep(UInt32(duration * 1e6)) }
    try inject("ended", last)
  }

  /// A point of a path.
  ///
  /// - Parameter part: 0 for the first point, 1 for the last.
  private static func point(of path: [(x: Double, y: Double)], at part: Double) -> (x: Double, y: Double) {
    let place = part * Double(path.count - 1)
    let index = min(Int(place), path.count - 2)
    let (from, to, rest) = (path[index], path[index + 1], place - Double(index))
    return (from.x + (to.x - from.x) * rest, from.y + (to.y - from.y) * rest)
  }

  private func inject(_ phase: String, _ point: (x: Double, y: Double)) throws {
    try ask(Self.injection(phase, WindowPoint(x: point.x, y: point.y)))
  }

  /// A request that moves the one finger of this client.
  ///
  /// - Parameter point: in canvas coordinates.
  package static func injection(_ phase: String, _ point: WindowPoint, id: JSONValue? = nil) -> [UInt8] {
    Message.line("inject", id: id) { json in
      json.key("phase")
      json.value(phase)
      json.key("finger")
      json.value(1)
      json.key("x")
      json.value(point.x)
      json.key("y")
      json.value(point.y)
    }
  }
}

// MARK: - The live screen

/// The picture of a daemon's display, which the daemon keeps up to date.
package struct RemoteScreen {
  /// In the display's pixels; as it was when it was last read.
  package let picture: Surface
  /// In window units.
  package let canvas: Size
  package let canvasFromPicture: AffineTransform
  private let file: MemoryFile

  /// - Parameter file: came with the message.
  /// - Returns: nil if this is not a message that describes a picture.
  fileprivate init?(_ message: JSONValue, _ file: MemoryFile?) {
    guard message["type"] == .text("screen"), let file, case .integer(let width)? = message["width"],
      case .integer(let height)? = message["height"],
      let canvas = message["canvas"]?.elements?.compactMap(\.number), canvas.count == 2,
      let matrix = message["transform"]?.elements?.compactMap(\.number), matrix.count == 6,
      canvas[0] >= 1, canvas[1] >= 1, let picture = try? Surface(width: width, height: height),
      message["stride"] == .integer(width * 4)
    else { return nil }
    self.file = file
    self.picture = picture
    self.canvas = Size(width: canvas[0], height: canvas[1])
    canvasFromPicture = AffineTransform(
      a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], tx: matrix[4], ty: matrix[5])
    guard read(picture.bounds) else { return nil }
  }

  /// Reads the rows of a part of the picture; false when the file is shorter.
  package func read(_ part: PixelRect) -> Bool {
    let part = part.intersection(picture.bounds)
    guard !part.isEmpty else { return true }
    let rowBytes = picture.width * MemoryLayout<UInt32>.stride
    return file.read(
      into: UnsafeMutableRawBufferPointer(
        start: picture.pixels + part.minY * picture.width, count: part.height * rowBytes),
      from: part.minY * rowBytes)
  }
}

extension ControlClient {
  /// Asks for the picture of the display, and for word of its changes from then on.
  ///
  /// - Throws: `ControlError`; `RequestError` with the daemon's own words.
  package func followScreen() throws -> RemoteScreen {
    let answer = try ask(Message.line("screen"))
    return try screen(in: answer)
  }

  /// The picture that a message of the type `screen` describes.
  ///
  /// - Throws: `ControlError` for a message of another kind.
  package func screen(in message: JSONValue) throws(ControlError) -> RemoteScreen {
    defer { file = nil }
    guard let screen = RemoteScreen(message, file) else { throw ControlError(path: path, reason: .garbled) }
    return screen
  }

  /// To be watched for input; and for output while lines are unsent.
  package var descriptor: Int32 { socket.rawValue }
  package var hasUnsent: Bool { !unsent.isEmpty }

  /// Sends a line as soon as the daemon takes it, and does not wait.
  package func post(_ line: [UInt8]) throws(ControlError) {
    unsent += line
    try sendUnsent()
  }

  /// Sends what the daemon takes now.
  package func sendUnsent() throws(ControlError) {
    if hasUnsent { try write(&unsent) }
  }

  /// Receives what is there. To be called when the descriptor is readable.
  ///
  /// - Throws: what `body` throws; `ControlError`, with `ended` when the daemon has gone.
  package func receive(_ body: (JSONValue) throws -> Void) throws {
    guard try receive() > 0 else { throw ControlError(path: path, reason: .ended) }
    while let message = nextReceived() { try body(message) }
  }
}

// MARK: - Requests from elsewhere

extension ControlClient {
  /// Passes lines on to the daemon, and its answers back, until both ends are through.
  ///
  /// - Parameter body: gets each answer.
  /// - Throws: `ControlError`.
  package func relay(from input: FileDescriptor, _ body: (JSONValue) throws -> Void) throws {
    var waiting: [UInt8] = []
    var isOver = false
    while true {
      let reads = !isOver && waiting.count < 1 << 16
      var requests = [
        pollfd(fd: socket.rawValue, events: Int16(waiting.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
        pollfd(fd: reads ? input.rawValue : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&requests, 2, -1) >= 0 || errno == EINTR else {
        throw ControlError(path: path, call: "poll", Errno(rawValue: errno))
      }
      if requests[1].revents != 0 {
        isOver = try !Self.read(input, into: &waiting)
      }
      if !waiting.isEmpty { try write(&waiting) }
      if isOver && waiting.isEmpty { shutdown(socket.rawValue, Int32(SHUT_WR)) }
      if requests[0].revents & Int16(POLLIN | POLLHUP) != 0 {
        guard try receive() > 0 else {
          guard isOver else { throw ControlError(path: path, reason: .ended) }
          return
        }
        while let message = nextReceived() { try body(message) }
      }
    }
  }

  private func nextReceived() -> JSONValue? {
    var message: JSONValue?
    while reader.next({ message = try? JSONReader.read($0) }) == .line {
      if let message { return message }
    }
    return nil
  }

  /// - Returns: whether there is more to come.
  private static func read(_ input: FileDescriptor, into bytes: inout [UInt8]) throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
    bytes += buffer.prefix(count)
    return count > 0
  }

  private func write(_ bytes: inout [UInt8]) throws(ControlError) {
    do {
      bytes.removeFirst(try bytes.withUnsafeBytes { try socket.send($0, with: nil) })
    } catch {
      let cause = error as? Errno ?? .ioError
      guard cause == .resourceTemporarilyUnavailable else { throw Self.refusal(path, "sendmsg", cause) }
    }
  }
}
