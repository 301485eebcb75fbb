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
    /// Nil for one that is only shown, or has keys alone.
    package let setup: SourceSetup?
    /// Nil for one without keys, and where keys are not played.
    fileprivate let keys: KeySource?
    fileprivate var rate: ReportRate

    fileprivate var source: TouchSource? { setup?.source }
    fileprivate var name: String { recorded.description.name }

    /// Whether touches or presses of it bear this id.
    fileprivate func isDevice(_ id: DeviceID) -> Bool { source?.device == id || keys?.device == id }
  }

  private let pipeline: InputPipeline
  package private(set) var played: [PlayedDevice] = []
  private var order: PlayOrder
  /// Called with each frame and the place of its device in `played`, after the pipeline has applied it.
  package var onFrame: (Int, InputFrame) -> Void = { _, _ in }
  /// What was put right while reading, which devices are left out, and what of the configuration has no effect.
  package private(set) var notices: [String]
  /// Called with why keys do not type what their layout says, as a sentence without its end.
  package var onProblem: (String) -> Void = { _ in }

  /// - Parameters:
  ///   - keyboard: the letters that recorded keyboards type; nil to play no keys.
  ///   - showsAll: whether devices are played that touchtree does not use, too. What is wrong with them, and what of
  ///     the configuration has no effect, is then no notice, but up to who shows them.
  /// - Throws: when no recorded device is one that touchtree uses.
  package init(
    recording: Recording, pipeline: InputPipeline, rules: DeviceRules, keyboard: KeyboardSettings? = nil,
    showsAll: Bool = false
  ) throws(Failure) {
    self.pipeline = pipeline
    notices = recording.notices
    var rejections: [String] = []
    var warnings: [String] = []
    for device in recording.devices {
      let description = device.description
      let (verdict, rule) = (rules.verdict(on: description), rules.rule(for: description))
      let isShown = showsAll && (verdict.kind == nil || rule?.isUsed == false)
      let (id, kind) = (played.count + 1, isShown ? nil : verdict.kind)
      var keys: KeySource?
      if let keyboard, rules.keyRole(of: description) != nil {
        keys = KeySource(
          device: DeviceID(rawValue: id), capabilities: description.capabilities, settings: keyboard,
          scanner: rule?.scanner ?? .automatic)
      }
      guard isShown || kind != nil || keys != nil else {
        rejections.append("\(recording.file): \(description.title) cannot be used: \(verdict.reason)")
        continue
      }
      let setup = kind.map {
        SourceSetup(
          description, id: id, as: $0, initial: device.initialState, rule: rule, geometry: pipeline.geometry)
      }
      warnings += (setup?.warnings ?? []).map { "configuration: \(description.title): \($0)" }
      played.append(
        PlayedDevice(
          recorded: device, setup: setup, keys: keys,
          rate: ReportRate(description.capabilities.positionAxes(of: kind ?? .multitouch))))
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
    played.first { $0.isDevice(device) }?.name ?? "a device that is gone"
  }

  /// When something happens next, on the recording's clock; nil at the end.
  package var nextTime: Timestamp? { deadline ?? order.nextTime }

  /// When a gesture, a filter or a scanner has waited long enough, if that is before the next frame. After
  /// the last frame a text of a scanner still ends; what is down then is cancelled.
  private var deadline: Timestamp? {
    guard let frame = order.nextTime else { return pipeline.scanDeadline }
    guard let deadline = pipeline.deadline else { return nil }
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
    if let keys = played[index].keys {
      pipeline.apply(frame, keysOf: keys)
      if let problem = keys.takeProblem() { onProblem("\(played[index].name): \(problem)") }
    }
    onFrame(index, frame)
    return true
  }

  /// What the recording left down is cancelled: the devices are gone with it.
  package func end() {
    for device in played {
      if let source = device.source { pipeline.lose(source, at: order.now) }
      if let keys = device.keys { pipeline.lose(keys, at: order.now) }
    }
    pipeline.runOut()
  }

  /// For each touchscreen that reported often enough, how fast it did.
  package var reportRates: [String] {
    played.filter { $0.source?.kind.hasFingers ?? false }.flatMap { entry in
      [entry.rate.summary, entry.rate.warning].compactMap(\.self).map { "\(entry.name) \($0)" }
    }
  }
}
