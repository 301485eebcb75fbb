import TouchCore
import TouchInput

/// Plays a recording into a session as if its devices were there.
final class Player {
  /// One device of the recording that touchtree uses.
  private struct Part {
    var name: String
    var frames: [InputFrame]
    var source: TouchSource
    var rate: ReportRate
  }

  private let session: Session
  private var parts: [Part] = []
  /// When which device's frame is to be played.
  let schedule: PlaySchedule
  /// What was put right while reading, and which devices are left out.
  private(set) var notices: [String]

  /// - Throws: `RecordingError` when no recorded device is one that touchtree uses.
  init(recording: Recording, session: Session) throws(RecordingError) {
    self.session = session
    notices = recording.notices
    let rules = DeviceRules(session.configuration.input.rules)
    var refusals: [String] = []
    for device in recording.devices {
      let description = device.description
      let verdict = DeviceClassifier.classify(description.capabilities)
      guard let kind = verdict.kind else {
        refusals.append("\(recording.file): \(description.name) cannot be used: \(verdict.reason)")
        continue
      }
      let source = TouchSource(
        device: DeviceID(rawValue: parts.count + 1), kind: kind, capabilities: description.capabilities,
        initial: device.initialState,
        settings: rules.rule(for: description)?.mapping ?? Mapping.Settings(), geometry: session.geometry)
      parts.append(
        Part(name: description.name, frames: device.frames, source: source, rate: ReportRate()))
    }
    guard !parts.isEmpty else {
      throw RecordingError(
        .noUsableDevice, file: recording.file,
        message: refusals.map { $0.dropFirst(recording.file.count + 2) }.joined(separator: "; "))
    }
    notices += refusals
    schedule = PlaySchedule(parts.map(\.frames))
  }

  var hasRelativePointer: Bool { parts.contains { $0.source.kind == .relativePointer } }

  /// A recorded device's own name.
  func name(of device: DeviceID) -> String {
    parts.first { $0.source.device == device }?.name ?? "a device that is gone"
  }

  /// Plays one frame.
  func play(_ entry: PlaySchedule.Entry) {
    let part = parts[entry.device]
    let frame = part.frames[entry.frame]
    session.apply(frame, from: part.source)
    parts[entry.device].rate.add(frame, changes: part.source.changes)
  }

  /// What the recording left down is cancelled: the devices are gone with it.
  func end() {
    for part in parts { session.lose(part.source, at: schedule.end) }
    session.runOut()
  }

  /// For each touchscreen that reported often enough, how fast it did.
  var reportRates: [String] {
    parts.filter { $0.source.kind.hasFingers }.flatMap { part in
      [part.rate.summary, part.rate.remark].compactMap(\.self).map { "\(part.name) \($0)" }
    }
  }
}
