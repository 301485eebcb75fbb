import DispatchFuzzing
import TouchCore
import TouchInput
import TouchMeasure
import TouchRecordings
import TouchSystem

/// Recordings with something changed in them: each is refused with a line of it, or is played, and every
/// began has its end.
public enum RecordingAttack {
  /// The beginning of each recording, of every format: enough of the head, and some frames.
  private static let originals: [[UInt8]] = ["Tests/Recordings", "config", "config/examples"].flatMap {
    folder in
    ["yml", "evemu", "desc", "hid"].flatMap { Corpus.paths(in: folder, endingIn: ".\($0)") }
  }.compactMap { path in
    guard var bytes = try? Corpus.bytes(path) else { return nil }
    // A description and its events become one file.
    if path.hasSuffix(".desc") {
      bytes += (try? Corpus.bytes(path.dropLast(5) + ".drag.events")) ?? []
    }
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).prefix(80)
    // Up to the end of a frame.
    let end = lines.lastIndex {
      let line = String(decoding: $0, as: UTF8.self)
      return line.hasSuffix(" 0000 0000 0") || line.hasSuffix(" 0000 0000 0000")
        || line.contains("   0,   0,       0]") || path.hasSuffix(".hid") && line.hasPrefix("E: ")
    }
    return end.map { Array(lines[...$0].joined(separator: [0x0a])) + [0x0a] }
  }

  private static let mutation = Mutation([
    "9000000000", "9000000001", "9223372036854.775807", "E: 9000000000.999999 0000 0000 0\n",
    "E: 9223372036854.775807 0000 0000 0\n", "    - [9000000000, 999999, 0, 0, 0]\n", "\r\n", "\n", "E: ",
    "N: ",
    "B: 03 ff", "A: 2f 0 2147483647 0 0 0\n", "A: 35 5 5 0 0 0\n", "A: 35 9 -9 0 0 0\n",
    "E: 1.0 0000 0003 0000\n",
    "E: 1.0 0003 002f -5\n", "[", "]", "{", "}", ": ", "- ", "&a ", "*a ", "!!str ", "\"", "'", "#", "---\n",
    "...\n",
    "%YAML 1.1\n", "  - evdev:\n", "    - [0, 0, 0, 3, 0]\n", "    - [0, 0, 3, 47, -1]\n", "ndevices: 9\n",
    "events:\n", "R: 4 05 0d 09 04\n", "R: 4096 ", "E: 1.0 2 01 ff\n", " 96 ff ff", " 77 ff ff ff ff",
    " a1 02", " fe ff", " c0",
    "slots: [{57: 1}]", "# touchtree test: 1.0 grid 9,9\n", "touchtree: resync\n", "\t", "é", "\u{FEFF}",
  ])

  /// Everything that reckons with the times.
  private static let filters: [ContactFilter] = [
    .debounce(milliseconds: 20), .median(samples: 3), .oneEuro(OneEuroSettings()), .hysteresis(margin: nil),
  ]

  /// - Returns: the rule that was broken, and whether the recording could be played.
  public static func run(seed: UInt64) -> (fault: String?, isPlayed: Bool) {
    var random = RandomSource(seed: seed)
    var bytes = random.pick(originals)
    mutation.apply(to: &bytes, &random)
    do throws(Failure) {
      let recording = try Recording(bytes: bytes, file: "f") { () throws(Failure) in nil }
      return (play(recording, isJudged: random.oneIn(8)), true)
    } catch {
      return (fault(of: error, in: bytes), false)
    }
  }

  private static func fault(of error: Failure, in bytes: [UInt8]) -> String? {
    guard error.status == .badRecording, SourceText.isShown("\(error)") else {
      return "another status, or control characters in: \(error)"
    }
    // "f:12: what", or "f: what".
    let parts = error.message.split(separator: ":", maxSplits: 2)
    if let line = parts.dropFirst().first.flatMap({ Int($0) }),
      !(1...SourceText.lineCount(bytes)).contains(line)
    {
      return "outside of the file: \(error)"
    }
    return parts.count > 1 && parts[0] == "f" ? nil : "no message: \(error)"
  }

  private static func play(_ recording: Recording, isJudged: Bool) -> String? {
    for device in recording.devices {
      guard zip(device.frames, device.frames.dropFirst()).allSatisfy({ $0.time <= $1.time }) else {
        return "frames are not in order"
      }
      let capabilities = device.description.capabilities
      guard let kind = DeviceClassifier.classify(capabilities).kind else { continue }
      for filters in [[], filters] {
        let source = TouchSource(
          device: DeviceID(rawValue: 1), kind: kind, capabilities: capabilities, initial: device.initialState,
          filters: filters,
          geometry: DisplayGeometry(
            displaySize: Size(width: 800, height: 480), canvasSize: nil, scale: .fit, rotation: .none))
        if let fault = play(device.frames, source) { return fault }
      }
      guard isJudged, kind == .multitouch || kind == .singleTouch else { continue }
      let measurement = PanelMeasurement(
        device.description, as: kind, initial: device.initialState, frames: device.frames,
        marks: TestMarks(recording.marks, end: device.frames.last?.time ?? .zero), size: nil)
      let figures = PanelJudgement(of: measurement, by: PanelProfile(name: "none"), only: nil).results
        .flatMap(
          \.figures)
      if let figure = figures.first(where: { !($0.value?.isFinite ?? true) }) {
        return "no number: \(figure)"
      }
    }
    return nil
  }

  private static func play(_ frames: [InputFrame], _ source: TouchSource) -> String? {
    var pointer = Pointer(bounds: WindowRect(x: 0, y: 0, width: 800, height: 480))
    var changes: [TouchChange] = []
    for frame in frames {
      source.apply(frame, pointer: &pointer, into: &changes)
      // What the filters hold back comes at its time, which is near the frame's.
      if let deadline = source.deadline, deadline <= frame.time || deadline.seconds(since: frame.time) > 1 {
        return "a filter waits until \(deadline) at \(frame.time)"
      }
    }
    source.cancelAll(pointer: pointer, into: &changes)
    var open: Set<ContactID> = []
    for change in changes {
      let isRight =
        switch change.kind {
        case .began: open.insert(change.contact).inserted
        case .moved: open.contains(change.contact)
        case .ended, .cancelled: open.remove(change.contact) != nil
        }
      guard isRight else { return "\(change.kind) of a contact that is not where it should be" }
    }
    return open.isEmpty ? nil : "a contact has no end"
  }
}
