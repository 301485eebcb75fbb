import Glibc
import Logging
import SystemPackage
import TouchCore
import TouchInput
import TouchKit
import TouchSystem

/// Writes devices' reports in libinput's format, until a signal arrives or they are unplugged. The format
/// puts one device after the other, so the frames of others than the first are kept until the end.
package final class Recorder: TurnHook {
  private final class RecordedDevice {
    let open: OpenDevice
    var writer: LibinputWriter?
    /// The bytes that are not in the file yet.
    var bytes: [UInt8] = []
    var frames = 0

    var description: DeviceDescription { open.description }

    init(_ device: EvdevDevice) { open = OpenDevice(device) }
  }

  package var turnPlace: TurnPlace?
  private let loop: EventLoop
  private let recorded: [RecordedDevice]
  private let path: String
  private let output: LineOutput
  private let log: Logger
  private var failure: SystemError?

  /// Opens the devices and begins the file.
  /// - Parameters:
  ///   - devices: the nodes; empty for the touchscreens or, without touchscreens, the mice and tablets.
  ///   - recorder: the name and version of this program.
  /// - Throws: `DeviceError`, `SystemError`, also if the file cannot be made.
  package init(
    to path: String, devices: [String], grab: Bool, recorder: String, log: Logger
  ) throws {
    (self.path, self.log) = (path, log)
    loop = try EventLoop()
    recorded = try DeviceRules([]).open(devices, grab: grab).map(RecordedDevice.init)
    do {
      output = try LineOutput(path: path, backpressure: .waits)
    } catch {
      throw Self.error("open", error, path)
    }
    output.write(
      Array(
        LibinputWriter.header(devices: recorded.count, recorder: recorder, system: .current).utf8))
    if let first = recorded.first { output.write(Self.header(of: first)) }
  }

  /// Records until a signal, or for some seconds. It throws when the disk is full, for example.
  package func run(seconds: Int? = nil) throws {
    signal(SIGPIPE, SIG_IGN)
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in loop.stop() }
    // Several devices share a clock. A single one begins with its first frame.
    let start = recorded.count > 1 ? MonotonicClock.now() : nil
    for entry in recorded {
      entry.writer = start.map { LibinputWriter(start: $0) }
      try entry.open.watch(in: loop, fromFirstChange: true) { [unowned self, unowned entry] frame in
        record(frame, of: entry)
      } onLoss: { [unowned self, unowned entry] error in
        log.warning("\(entry.description.title): \(error)")
        if !recorded.contains(where: \.open.isWatched) { loop.stop() }
      }
      log.notice("recording \(entry.description.title) (\(entry.description.path)) to \(path)")
    }
    loop.addHook(self, at: .record)
    if let seconds {
      _ = loop.addTimer(milliseconds: 1000 * seconds, repeats: false) { [unowned self] in loop.stop() }
    }
    try loop.run()
    finish()
    if let failure, failure.errno != .brokenPipe { throw failure }
  }

  private func record(_ frame: InputFrame, of entry: RecordedDevice) {
    var writer = entry.writer ?? LibinputWriter(start: frame.time)
    writer.append(frame.withoutKeystrokes, to: &entry.bytes)
    entry.writer = writer
    entry.frames += 1
  }

  package func turnEnds(at now: Timestamp) { flush() }

  private func flush() {
    if let first = recorded.first, !first.bytes.isEmpty {
      output.write(first.bytes)
      first.bytes.removeAll(keepingCapacity: true)
    }
    do {
      try output.flush()
    } catch {
      failure = failure ?? Self.error("write", error, path)
      loop.stop()
    }
  }

  /// Writes the remaining frames, and the recordings of the other devices.
  private func finish() {
    for entry in recorded { entry.open.drain(limit: 1024) }
    flush()
    for entry in recorded.dropFirst() {
      output.write(Self.header(of: entry))
      output.write(entry.bytes)
    }
    flush()
    for entry in recorded {
      let count = entry.frames == 1 ? "1 frame" : "\(entry.frames) frames"
      log.notice("\(entry.description.title): \(count) in \(path)")
    }
  }

  private static func error(_ call: String, _ cause: Errno, _ path: String) -> SystemError {
    SystemError(call, cause, path: path, hint: "name another file for the recording")
  }

  private static func header(of entry: RecordedDevice) -> [UInt8] {
    let device = entry.description
    let header = LibinputWriter.header(
      device, entry.open.device.initialState, udev: UdevProperties(of: device), hid: device.reportDescriptor()
    )
    return Array(header.utf8)
  }
}

extension InputFrame {
  /// The frame with KEY_A for every key that types: recordings are given away. (libinput-record(1))
  fileprivate var withoutKeystrokes: InputFrame {
    guard events.contains(where: \.isKeystroke) else { return self }
    var frame = self
    for index in frame.events.indices where frame.events[index].isKeystroke {
      if frame.events[index].type == EventCode.key {
        frame.events[index].code = RawEvent.keyA
      } else {
        frame.events[index].value = Int32(RawEvent.keyA)
      }
    }
    return frame
  }
}

extension RawEvent {
  fileprivate static let keyA: UInt16 = 30

  /// Whether it is KEY_ESC to KEY_KPENTER, the rest of the keypad, KEY_NUMERIC_0 to _D, or a scan code.
  fileprivate var isKeystroke: Bool {
    switch type {
    case EventCode.key:
      (1...96).contains(code) || [98, 117, 121, 124].contains(code) || (0x200...0x20f).contains(code)
    case 4: code == 4
    default: false
    }
  }
}
