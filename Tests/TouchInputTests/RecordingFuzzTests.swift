import Foundation
import Testing

@testable import TouchCore
@testable import TouchInput

/// Recordings that no recorder wrote. `TOUCHTREE_FUZZ` says how many and `TOUCHTREE_FUZZ_SEED` which; `make nightly` sets
/// both.
@Suite struct RecordingFuzzTests {
  static let count = ProcessInfo.processInfo.environment["TOUCHTREE_FUZZ"].flatMap(Int.init) ?? 8_000
  static let workers: UInt64 = 8
  static let seed = ProcessInfo.processInfo.environment["TOUCHTREE_FUZZ_SEED"].flatMap(UInt64.init) ?? 0

  /// The beginning of each committed recording: enough of the head, and a few frames.
  static let originals: [[UInt8]] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Recordings")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.sorted().compactMap { name in
      guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else {
        return nil
      }
      // A pair becomes one file.
      let events = name.replacing(".desc", with: ".drag.events")
      guard !name.hasSuffix(".events") else { return nil }
      let rest =
        name.hasSuffix(".desc")
        ? (try? String(contentsOf: folder.appending(path: events), encoding: .utf8)) ?? "" : ""
      let lines = (text + rest).split(separator: "\n", omittingEmptySubsequences: false)
      // Up to the end of a frame.
      let few = lines.prefix(60)
      let end = few.lastIndex { $0.hasSuffix(" 0000 0000 0") || $0.hasSuffix("   0,   0,       0]") }
      return Array(few[...(end ?? 0)].joined(separator: "\n").utf8) + [0x0a]
    }
  }()

  /// What readers of numbers, of lines and of YAML stumble over.
  static let spare = [
    "-1", "9223372036854775807", "2147483648", "-2147483649", "99999999999999999999", "0x7f", "1e9", "nan",
    "65535", "47", "57", "9000000000", "9000000001", "9223372036854", "9223372036854.775807",
    "E: 9000000000.999999 0000 0000 0\n", "E: 9223372036854.775807 0000 0000 0\n",
    "    - [9000000000, 999999, 0, 0, 0]\n",
    "\r\n",
    "\n", "\u{0}", "\u{FEFF}", "E: ", "N: ", "B: 03 ff", "A: 2f 0 2147483647 0 0 0\n", "A: 35 5 5 0 0 0\n",
    "A: 35 9 -9 0 0 0\n", "E: 1.0 0000 0003 0000\n", "E: 1.0 0003 002f -5\n", "[", "]", "{", "}", ": ", "- ",
    "&a ",
    "*a ", "!!str ", "\"", "'", "#", "---\n", "...\n", "%YAML 1.1\n", "  - evdev:\n",
    "    - [0, 0, 0, 3, 0]\n",
    "    - [0, 0, 3, 47, -1]\n", "ndevices: 9\n", "events:\n", "slots: [{57: 1}]", "touchtree: resync\n",
    "\t", "é",
  ].map { Array($0.utf8) }

  /// Everything that reckons with the times.
  private static let filters: [ContactFilter] = [
    .debounce(milliseconds: 20), .median(samples: 3), .oneEuro(OneEuroSettings()), .hysteresis(margin: nil),
  ]

  @Test(arguments: 0..<workers)
  func `Mutated recordings are read or refused with a line, and every began ends`(worker: UInt64) throws {
    try #require(Self.originals.count >= 4)
    for original in Self.originals { _ = try Self.read(original) }
    var random = SplitMix(seed: Self.seed &* Self.workers &+ worker)
    var played = 0
    for _ in 0..<Self.count / Int(Self.workers) {
      var bytes = Self.originals[Int.random(in: 0..<Self.originals.count, using: &random)]
      for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, &random) }
      do {
        try play(Self.read(bytes))
        played += 1
      } catch let error as RecordingError {
        try check(error, bytes)
      }
    }
    // Most changes hurt, but a reader that refuses everything proves nothing.
    #expect(played * 8 > Self.count / Int(Self.workers))
  }

  private static func read(_ bytes: [UInt8]) throws -> Recording {
    // A String cannot hold bytes that are no text.
    try Recording(bytes: bytes, file: "f") { () throws(RecordingError) in nil }
  }

  private func check(_ error: RecordingError, _ bytes: [UInt8]) throws {
    let source = String(decoding: bytes, as: UTF8.self)
    if let line = error.line { #expect((1...Self.lineCount(source)).contains(line), "\(error)\n\(source)") }
    #expect(!error.message.isEmpty && !error.message.utf8.contains { $0 < 0x20 }, "\(error)\n\(source)")
    switch error.reason {
    case .malformed, .cut, .otherFormat, .noEvents, .noDescription: break
    case .noSuchFile, .notPermitted, .unreadable, .tooLarge, .noUsableDevice:
      Issue.record("\(error)\n\(source)")
    }
  }

  /// How many lines YAML sees; a last one that is ended has none after it.
  private static func lineCount(_ text: String) -> Int {
    let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
    let scalars = Array(text.replacing("\r\n", with: "\n").unicodeScalars)
    return scalars.dropLast().count { breaks.contains($0) } + 1
  }

  private func play(_ recording: Recording) throws {
    for device in recording.devices {
      #expect(zip(device.frames, device.frames.dropFirst()).allSatisfy { $0.time <= $1.time })
      let capabilities = device.description.capabilities
      guard let kind = DeviceClassifier.classify(capabilities).kind else { continue }
      for filters in [[], Self.filters] {
        let source = TouchSource(
          device: DeviceID(rawValue: 1), kind: kind, capabilities: capabilities, initial: device.initialState,
          filters: filters,
          geometry: DisplayGeometry(
            displaySize: Size(width: 800, height: 480), canvasSize: nil, scale: .fit, rotation: .none))
        try expectBalanced(device.frames, source)
      }
    }
  }

  private func expectBalanced(_ frames: [InputFrame], _ source: TouchSource) throws {
    var pointer = Pointer(bounds: WindowRect(x: 0, y: 0, width: 800, height: 480))
    var changes: [TouchChange] = []
    for frame in frames {
      source.apply(frame, pointer: &pointer, into: &changes)
      // What the filters hold back comes at its time, which is near the frame's.
      if let deadline = source.deadline {
        #expect(deadline > frame.time && deadline.seconds(since: frame.time) <= 1)
      }
    }
    source.cancelAll(pointer: pointer, into: &changes)
    var open: Set<ContactID> = []
    for change in changes {
      switch change.kind {
      case .began: #expect(open.insert(change.contact).inserted)
      case .moved: #expect(open.contains(change.contact))
      case .ended, .cancelled: #expect(open.remove(change.contact) != nil)
      }
    }
    #expect(open.isEmpty)
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...24, using: &random))
    let word = Self.spare[Int.random(in: 0..<Self.spare.count, using: &random)]
    switch Int.random(in: 0..<16, using: &random) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(contentsOf: word, at: place)
    case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 3: bytes.removeSubrange(place...)
    case 4: swapLine(&bytes, with: word, from: place)
    case 5: replaceNumber(&bytes, with: word, from: place)
    case 6: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
    default:
      replaceNumber(&bytes, with: Array("\(Int32.random(in: -9...70_000, using: &random))".utf8), from: place)
    }
  }

  /// A whole line becomes something else.
  private func swapLine(_ bytes: inout [UInt8], with word: [UInt8], from place: Int) {
    guard let start = bytes[place...].firstIndex(of: 0x0a), start + 1 < bytes.count else { return }
    let end = bytes[(start + 1)...].firstIndex(of: 0x0a) ?? bytes.count
    bytes.replaceSubrange(start + 1..<end, with: word)
  }

  private func replaceNumber(_ bytes: inout [UInt8], with word: [UInt8], from place: Int) {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: word)
  }
}

/// A small random generator whose numbers are the same everywhere. (Steele, Lea, Flood: SplitMix64.)
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
