import Logging
import TouchCore
import TouchInput
import TouchInspection
import TouchKit
import TouchSystem

/// The trace and the pictures of a run, written at the end of each turn, whatever their faults.
final class RunRecords: TurnHook {
  /// The reason why the trace or a picture could not be written.
  private(set) var failure: (any Error)?

  var turnPlace: TurnPlace?
  private let trace: TraceOutput?
  private let pictures: PictureSeries?
  private let presentation: Presentation
  private let dispatcher: Dispatcher
  private let loop: EventLoop
  private let log: Logger

  init(
    trace: TraceOutput?, pictures: PictureSeries?, of presentation: Presentation, _ pipeline: InputPipeline,
    in loop: EventLoop, log: Logger
  ) {
    (self.trace, self.pictures, self.presentation) = (trace, pictures, presentation)
    dispatcher = pipeline.dispatcher
    self.loop = loop
    self.log = log
    guard trace != nil || pictures != nil else { return }
    dispatcher.observer = trace?.writer
    trace?.follow(in: loop)
    pictures?.isLive = true
    loop.addHook(self, at: .record)
  }

  func turnEnds(at now: Timestamp) {
    attempt {
      try pictures?.consider(dispatcher, presentation.renderer)
      try trace?.flush()
      if !presentation.isLive { try trace?.awaitReader() }
    }
  }

  func finishPictures() {
    guard presentation.output.isShown else { return }
    attempt { try pictures?.finish(dispatcher, presentation.renderer) }
  }

  func finishTrace() {
    trace?.finish()
    if let dropped = trace?.droppedLines, dropped > 0 {
      log.warning("\(dropped) lines of the trace were dropped: its reader was too slow")
    }
  }

  /// Logs once that something cannot be written.
  private func attempt(_ write: () throws -> Void) {
    do {
      try write()
    } catch {
      if trace?.isAllThatIsWanted ?? false { loop.stop() }
      // The reader of the trace has closed it.
      if (error as? SystemError)?.errno == .brokenPipe { return }
      guard failure == nil else { return }
      failure = error
      log.error("\(error)")
    }
  }
}
