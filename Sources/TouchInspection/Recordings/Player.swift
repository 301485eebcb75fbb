import TouchCore
import TouchInput
import TouchKit
import TouchRecordings
import TouchSystem

/// Plays a recording into an input pipeline as if its devices were connected.
package final class Player {
  package struct PlayedDevice {
    /// The recorded device, whose frames are played.
    package let recorded: Recording.Device
    /// The touch source; nil for a device that is only shown, or has keys alone.
    package let setup: SourceSetup?
    fileprivate let keys: KeySource?
    fileprivate var rate: ReportRate

    fileprivate var source: TouchSource? { setup?.source }
    fileprivate var name: String { recorded.description.name }

    fileprivate func isDevice(_ id: DeviceID) -> Bool { source?.device == id || keys?.device == id }
  }

  private let pipeline: InputPipeline
  package private(set) var played: [PlayedDevice] = []
  private var order: PlayOrder
  /// Called with each frame and the index of its device in `played`, after the pipeline has applied it.
  package var onFrame: (Int, InputFrame) -> Void = { _, _ in }
  /// The corrections of the reader, the devices left out, and the configuration's ineffective parts.
  package private(set) var notices: [String]
  /// Called with the reason why keys do not type the letters of their layout, as a sentence without its end.
  package var onProblem: (String) -> Void = { _ in }

  /// - Parameter keyboard: the layout of recorded keyboards; nil to play no keys.
  /// - Parameter showsAll: whether devices are also played that touchtree does not use. Their errors, and
  ///   the parts of the configuration without effect, are then left to the caller instead of notices.
  /// - Throws: if the recording has no device that touchtree uses.
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
      let (classification, rule) = (rules.classification(of: description), rules.rule(for: description))
      let isShown = showsAll && (classification.kind == nil || rule?.isUsed == false)
      let (id, kind) = (played.count + 1, isShown ? nil : classification.kind)
      var keys: KeySource?
      if let keyboard, rules.keyRole(of: description) != nil {
        keys = KeySource(
          device: DeviceID(rawValue: id), capabilities: description.capabilities, settings: keyboard,
          scanner: rule?.scanner ?? .automatic)
      }
      guard isShown || kind != nil || keys != nil else {
        rejections.append("\(recording.file): \(description.title) cannot be used: \(classification.reason)")
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

  package func name(of device: DeviceID) -> String {
    played.first { $0.isDevice(device) }?.name ?? "a device that is gone"
  }

  /// The time of the next event on the recording's clock; nil at the end.
  package var nextTime: Timestamp? { deadline ?? order.nextTime }

  /// The end of a wait before the next frame. After the last, a scan ends; then all is cancelled.
  private var deadline: Timestamp? {
    guard let frame = order.nextTime else { return pipeline.scanDeadline }
    guard let deadline = pipeline.deadline else { return nil }
    return deadline < frame ? deadline : nil
  }

  /// Plays one frame, or an earlier deadline of a gesture. Returns false at the end of the recording.
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

  /// Cancels the fingers and keys that the recording left down, because the devices are gone with it.
  package func end() {
    for device in played {
      if let source = device.source { pipeline.lose(source, at: order.now) }
      if let keys = device.keys { pipeline.lose(keys, at: order.now) }
    }
    pipeline.runOut()
  }

  /// The rates of all touchscreens that reported often enough.
  package var reportRates: [String] {
    played.filter { $0.source?.kind.isTouchscreen ?? false }.flatMap { entry in
      [entry.rate.summary, entry.rate.warning].compactMap(\.self).map { "\(entry.name) \($0)" }
    }
  }
}
