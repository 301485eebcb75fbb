import TouchConfig
import TouchCore
import TouchInput
import TouchKit
import TouchRecordings
import TouchSystem

/// Plays a recording into an input pipeline as if its devices were connected.
package final class Player {
  /// One device of the recording.
  package struct PlayedDevice {
    /// What the recording has of it, whose frames are played.
    package let recorded: Recording.Device
    /// Nil for one that touchtree does not use, which is only shown.
    package let setup: SourceSetup?
    fileprivate var rate: ReportRate

    fileprivate var source: TouchSource? { setup?.source }
    fileprivate var name: String { recorded.description.name }
  }

  private let pipeline: InputPipeline
  package private(set) var played: [PlayedDevice] = []
  private var order: PlayOrder
  /// Called with each frame and the place of its device in `played`, after the pipeline has applied it.
  package var onFrame: (Int, InputFrame) -> Void = { _, _ in }
  /// What was put right while reading, which devices are left out, and what of the configuration has no effect.
  package private(set) var notices: [String]

  /// - Parameter showsAll: whether devices are played that touchtree does not use, too. What is wrong with them, and what of
  ///   the configuration has no effect, is then no notice, but up to who shows them.
  /// - Throws: when no recorded device is one that touchtree uses.
  package init(
    recording: Recording, pipeline: InputPipeline, rules: DeviceRules, showsAll: Bool = false
  ) throws(Failure) {
    self.pipeline = pipeline
    notices = recording.notices
    var rejections: [String] = []
    var warnings: [String] = []
    for device in recording.devices {
      let description = device.description
      let verdict = rules.verdict(on: description)
      let isShown = showsAll && (verdict.kind == nil || rules.rule(for: description)?.isUsed == false)
      guard let kind = isShown ? DeviceKind.multitouch : verdict.kind else {
        rejections.append("\(recording.file): \(description.title) cannot be used: \(verdict.reason)")
        continue
      }
      let setup =
        isShown
        ? nil
        : SourceSetup(
          description, id: played.count + 1, as: kind, initial: device.initialState,
          rule: rules.rule(for: description), geometry: pipeline.geometry)
      warnings += (setup?.warnings ?? []).map { "configuration: \(description.title): \($0)" }
      played.append(
        PlayedDevice(
          recorded: device, setup: setup,
          rate: ReportRate(description.capabilities.positionAxes(of: kind))))
    }
    guard !played.isEmpty else {
      throw .recording(
        recording.file,
        rejections.map { $0.dropFirst(recording.file.count + 2) }.joined(separator: "; "))
    }
    if !showsAll { notices += rejections + warnings }
    pipeline.hasMouse = played.contains { $0.source?.kind == .relativePointer }
    order = PlayOrder(played.map(\.recorded.frames))
  }

  /// A recorded device's own name.
  package func name(of device: DeviceID) -> String {
    played.first { $0.source?.device == device }?.name ?? "a device that is gone"
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
    if let source = played[index].source {
      pipeline.apply(frame, from: source)
      played[index].rate.add(frame, changes: source.changes)
    }
    onFrame(index, frame)
    return true
  }

  /// What the recording left down is cancelled: the devices are gone with it.
  package func end() {
    for source in played.compactMap(\.source) { pipeline.lose(source, at: order.now) }
    pipeline.runOut()
  }

  /// For each touchscreen that reported often enough, how fast it did.
  package var reportRates: [String] {
    played.filter { $0.source?.kind.hasFingers ?? false }.flatMap { entry in
      [entry.rate.summary, entry.rate.warning].compactMap(\.self).map { "\(entry.name) \($0)" }
    }
  }
}
