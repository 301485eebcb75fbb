import TouchCore

@testable import TouchHandlers
@testable import TouchInput
@testable import TouchSystem

/// Does something at the end of each turn, as long as it lives.
final class TurnEnd: TurnHook {
  var turnPlace: TurnPlace?
  private let body: (Timestamp) -> Void

  init(of loop: EventLoop, at stage: TurnStage = .record, _ body: @escaping (Timestamp) -> Void) {
    self.body = body
    loop.addHook(self, at: stage)
  }

  func turnEnds(at now: Timestamp) { body(now) }
}

extension EventLoop {
  /// Runs until `stop()`, and does something when everything else of a turn is done.
  func run(endingTurns body: @escaping () -> Void) throws {
    let end = TurnEnd(of: self) { _ in body() }
    try run()
    withExtendedLifetime(end) {}
  }
}

/// Tells a test what the pipeline does.
final class PipelineWatcher: InputPipelineObserver {
  var onFrame: (InputFrame, TouchSource) -> Void = { _, _ in }
  var onDeadline: (Timestamp, TouchSource?) -> Void = { _, _ in }

  func pipelineApplied(_ frame: InputFrame, from source: TouchSource) { onFrame(frame, source) }
  func pipelineDelivered(at time: Timestamp, from source: TouchSource?) { onDeadline(time, source) }
}

/// Answers requests as a test says. Only the loop's thread uses it.
final class Answers: PeersDelegate, @unchecked Sendable {
  var onRequest: (Request, Peer) -> Void = { request, peer in peer.acknowledge(request.id) }

  var windowSize: Size { .zero }

  func answer(_ request: Request, to peer: Peer) { onRequest(request, peer) }
  func forget(_ peer: Peer) {}
  func broadcast(_ message: String, from view: String) {}
  func name(of device: DeviceID) -> String { "" }
}
