import TouchConfig
import TouchCore
import TouchInput

/// Plays a recording into an input pipeline as if its devices were connected.
package final class Player {
  /// One device of the recording that touchtree uses.
  private struct PlayedDevice {
    var name: String
    var source: TouchSource
    var rate: ReportRate
  }

  private let pipeline: InputPipeline
  private var played: [PlayedDevice] = []
  private var order: PlayOrder
  /// What was put right while reading, which devices are left out, and what of the configuration has no effect.
  package private(set) var notices: [String]

  /// - Throws: `RecordingError` when no recorded device is one that touchtree uses.
  package init(
    recording: Recording, pipeline: InputPipeline, rules: [Configuration.DeviceRule]
  ) throws(RecordingError) {
    self.pipeline = pipeline
    notices = recording.notices
    let rules = DeviceRules(rules)
    var rejections: [String] = []
    var warnings: [String] = []
    var frames: [[InputFrame]] = []
    for device in recording.devices {
      let description = device.description
      let verdict = rules.verdict(on: description)
      guard let kind = verdict.kind else {
        rejections.append("\(recording.file): \(description.title) cannot be used: \(verdict.reason)")
        continue
      }
      let setup = SourceSetup(
        description, id: played.count + 1, as: kind, initial: device.initialState,
        rule: rules.rule(for: description), geometry: pipeline.geometry)
      warnings += setup.warnings.map { "configuration: \(description.title): \($0)" }
      played.append(
        PlayedDevice(
          name: description.name, source: setup.source,
          rate: ReportRate(description.capabilities.positionAxes(of: kind))))
      frames.append(device.frames)
    }
    guard !played.isEmpty else {
      throw RecordingError(
        .noUsableDevice, file: recording.file,
        message: rejections.map { $0.dropFirst(recording.file.count + 2) }.joined(separator: "; "))
    }
    notices += rejections + warnings
    order = PlayOrder(frames)
  }

  package var hasRelativePointer: Bool { played.contains { $0.source.kind == .relativePointer } }

  /// A recorded device's own name.
  package func name(of device: DeviceID) -> String {
    played.first { $0.source.device == device }?.name ?? "a device that is gone"
  }

  /// When something happens next, on the recording's clock; nil at the end.
  package var nextTime: Timestamp? { deadline ?? order.nextTime }

  /// When a gesture or a filter has waited long enough, if that is before the next frame.
  private var deadline: Timestamp? {
    guard let frame = order.nextTime, let deadline = pipeline.deadline else { return nil }
    return deadline < frame ? deadline : nil
  }

  /// Plays one frame, or lets a gesture go on that waits for a time before it. Returns false at the end of the recording.
  @discardableResult
  package func playNext() -> Bool {
    if let deadline {
      pipeline.advance(to: deadline)
      return true
    }
    guard let (index, frame) = order.next() else { return false }
    let source = played[index].source
    pipeline.apply(frame, from: source)
    played[index].rate.add(frame, changes: source.changes)
    return true
  }

  /// What the recording left down is cancelled: the devices are gone with it.
  package func end() {
    for entry in played { pipeline.lose(entry.source, at: order.now) }
    pipeline.runOut()
  }

  /// For each touchscreen that reported often enough, how fast it did.
  package var reportRates: [String] {
    played.filter { $0.source.kind.hasFingers }.flatMap { entry in
      [entry.rate.summary, entry.rate.warning].compactMap(\.self).map { "\(entry.name) \($0)" }
    }
  }
}
