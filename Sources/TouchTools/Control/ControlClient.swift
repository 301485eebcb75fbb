import SystemPackage
import TouchDaemon
import TouchSystem

/// Sends a request to a running daemon.
package enum ControlClient {
  /// In seconds. A display with many pixels takes a moment to be painted once more.
  private static let patience: Int32 = 10

  /// - Parameter path: of the socket; nil for the first of the usual ones that answers.
  /// - Throws: `ControlError` when there is no answer.
  package static func ask(_ request: ControlRequest, at path: String?) throws(ControlError) -> ControlResponse
  {
    let paths = path.map { [$0] } ?? ControlPath.candidates
    for path in paths.dropLast() {
      do throws(ControlError) {
        return try ask(request, at: path, patience: patience)
      } catch {
        guard error.reason == .noDaemon else { throw error }
      }
    }
    return try ask(request, at: paths.last ?? "", patience: patience)
  }

  static func ask(
    _ request: ControlRequest, at path: String, patience: Int32
  ) throws(ControlError) -> ControlResponse {
    guard let name = SocketName(path) else {
      throw ControlError(path: path, reason: .tooLong(limit: SocketName.longest))
    }
    let socket = try ControlSocket.make(for: name)
    if let cause = socket.connect(to: name, patience: patience) { throw refusal(path, "connect", cause) }
    do {
      try socket.send(ControlFields.encode(request.words), with: nil)
      var packet = try socket.receive()
      guard !packet.bytes.isEmpty else { throw ControlError(path: path, reason: .ended) }
      let head = ControlFields.decode(packet.bytes)
      guard let answer = ControlResponse(head: head, file: packet.takeFile()) else {
        throw ControlError(path: path, reason: .garbled)
      }
      return answer
    } catch let error as ControlError {
      throw error
    } catch {
      throw refusal(path, "sendmsg or recvmsg", error as? Errno ?? .ioError)
    }
  }

  private static func refusal(_ path: String, _ call: String, _ cause: Errno) -> ControlError {
    switch cause {
    case .noSuchFileOrDirectory, .notDirectory, .connectionRefused, .notSocket:
      ControlError(path: path, reason: .noDaemon)
    case .resourceTemporarilyUnavailable: ControlError(path: path, reason: .silent)
    case .connectionReset, .brokenPipe: ControlError(path: path, reason: .ended)
    default: ControlError(path: path, call: call, cause)
    }
  }
}
