import TouchCore
import TouchInput

/// Plays a recording into a session as if its device were there.
final class Player {
  private let recording: EvemuRecording
  private let session: Session
  private let source: TouchSource
  /// The recorded device's own name.
  var deviceName: String { recording.description.name }
  var hasRelativePointer: Bool { source.kind == .relativePointer }
  private var next = 0
  /// How far the recording's own time has come.
  private var clock = Timestamp.zero
  /// Plays a frame and sees to the next one; made once.
  private var step: () -> Void = {}

  /// - Throws: `DeviceRefusal` when the recorded device is not one that touchtree uses.
  init(recording: EvemuRecording, session: Session) throws {
    let verdict = DeviceClassifier.classify(recording.description.capabilities)
    guard let kind = verdict.kind else {
      throw DeviceRefusal(
        path: recording.description.path, name: recording.description.name, reason: verdict.reason)
    }
    let rule = DeviceRules(session.configuration.input.rules).rule(for: recording.description)
    self.recording = recording
    self.session = session
    source = TouchSource(
      device: DeviceID(rawValue: 1), kind: kind, capabilities: recording.description.capabilities,
      initial: recording.initialState, settings: rule?.mapping ?? Mapping.Settings(),
      geometry: session.geometry)
  }

  /// Plays one frame. Answers false when there is none left.
  func playNext() -> Bool {
    guard next < recording.frames.count else { return false }
    session.apply(recording.frames[next], from: source)
    clock = recording.frames[next].time
    next += 1
    return true
  }

  /// Plays in the loop, and then stops it.
  ///
  /// - Parameter isPaced: whether the frames come as far apart as they were recorded, or one each turn.
  func play(in loop: EventLoop, isPaced: Bool) {
    step = { [unowned self, unowned loop] in
      if let deadline = nextDeadline {
        session.dispatcher.advance(to: deadline)
        clock = deadline
      } else {
        _ = playNext()
      }
      goOn(in: loop, isPaced: isPaced)
    }
    goOn(in: loop, isPaced: isPaced)
  }

  private func goOn(in loop: EventLoop, isPaced: Bool) {
    guard next < recording.frames.count else { return loop.stop() }
    let wait = isPaced ? millisecondsBeforeNext : 0
    if wait > 0 { _ = loop.addTimer(milliseconds: wait, repeats: false, step) } else { loop.again(step) }
  }

  /// When a gesture has waited long enough, if that is before the next frame.
  private var nextDeadline: Timestamp? {
    guard next < recording.frames.count, let deadline = session.dispatcher.deadline else { return nil }
    return deadline < recording.frames[next].time ? deadline : nil
  }

  private var millisecondsBeforeNext: Int {
    guard next > 0 else { return 0 }
    let seconds = (nextDeadline ?? recording.frames[next].time).seconds(since: clock)
    return Int(min(max(seconds, 0), Self.longestWait) * 1000)
  }

  /// A recording may have a gap of days in it, in seconds.
  private static let longestWait = 10.0

  /// What the recording left down is cancelled: the device is gone with it.
  func end() {
    session.lose(source, at: recording.frames.last?.time ?? .zero)
    session.runOut()
  }
}
