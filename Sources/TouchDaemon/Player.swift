import TouchCore
import TouchInput

/// Plays a recording into a session as if its device were there.
final class Player {
  private let recording: EvemuRecording
  private let session: Session
  private let source: TouchSource
  private var next = 0

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
    next += 1
    return true
  }

  /// Plays in real time, and then stops the loop.
  func play(in loop: EventLoop) {
    guard next < recording.frames.count else {
      loop.stop()
      return
    }
    let frame = recording.frames[next]
    let before = next == 0 ? frame.time : recording.frames[next - 1].time
    let wait = Int(frame.time.seconds(since: before) * 1000)
    _ = loop.addTimer(milliseconds: wait, repeats: false) { [unowned self] in
      _ = playNext()
      play(in: loop)
    }
  }

  /// What the recording left down is cancelled: the device is gone with it.
  func end() {
    session.lose(source, at: recording.frames.last?.time ?? .zero)
  }
}
