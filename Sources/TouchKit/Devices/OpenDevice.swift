import TouchCore
import TouchInput
import TouchSystem

/// An open device that the loop reads. The daemon, the monitor, the recorder and the keys that
/// abort a calibration read their devices through it.
package final class OpenDevice {
  package let device: EvdevDevice
  /// The source that turns frames into touches; nil for a device that is only read.
  package let source: TouchSource?
  let keys: KeySource?
  var floodDetector = FloodDetector()
  private var loop: EventLoop?
  private var watch: EventLoop.Source?
  private var onFrame: (InputFrame) -> Void = { _ in }
  private var onLoss: (DeviceError) -> Void = { _ in }
  /// The time of the last frame read while more were waiting; nil if all have been read.
  package private(set) var readUntil: Timestamp? { didSet { if oldValue != readUntil { onBacklog() } } }
  /// Called when `readUntil` has changed.
  package var onBacklog: () -> Void = {}
  private var lastFrame = Timestamp.zero
  /// Whether frames that only repeat the initial state are still skipped.
  private var skipsRepetition = false

  package init(_ device: EvdevDevice, source: TouchSource? = nil, keys: KeySource? = nil) {
    (self.device, self.source, self.keys) = (device, source, keys)
  }

  deinit { stop() }

  package var description: DeviceDescription { device.description }

  /// Whether its touches or its keys come from a device.
  func isDevice(_ id: TouchCore.DeviceID) -> Bool { source?.device == id || keys?.device == id }

  /// Whether the device is read. It is not before `watch`, and after `stop` or a read error.
  package var isWatched: Bool { watch != nil }

  /// Starts reading.
  /// - Parameter fromFirstChange: whether frames that only repeat the state at the opening are skipped.
  ///   Opening a device makes the kernel report an overrun, in which nothing was lost.
  /// - Parameter onFrame: called with each frame, which is valid until it returns.
  /// - Parameter onLoss: called when the device cannot be read any more, for example because it is
  ///   unplugged. It is not watched then.
  package func watch(
    in loop: EventLoop, fromFirstChange: Bool = false, onFrame: @escaping (InputFrame) -> Void,
    onLoss: @escaping (DeviceError) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onFrame = onFrame
    self.onLoss = onLoss
    skipsRepetition = fromFirstChange
    // `read` takes everything, or goes on in the next turn.
    watch = try loop.watch(device.descriptor.rawValue, for: .arrival) { [weak self] in self?.read() }
  }

  /// Stops reading. The device stays open.
  package func stop() {
    if let watch { loop?.unwatch(watch) }
    watch = nil
    readUntil = nil
  }

  /// Passes on the frames that the kernel has queued, without waiting for the loop.
  /// - Parameter limit: the most frames.
  package func drain(limit: Int) {
    guard watch != nil else { return }
    _ = try? device.readFrames(limit: limit) { deliver($0) }
  }

  private func read() {
    guard watch != nil else { return }
    do {
      let progress = try device.readFrames { deliver($0) }
      readUntil = progress == .more ? lastFrame : nil
      guard readUntil != nil else { return }
      loop?.again { [weak self] in self?.read() }
    } catch {
      stop()
      onLoss(error)
    }
  }

  private func deliver(_ frame: InputFrame) {
    lastFrame = frame.time
    if skipsRepetition {
      guard !frame.repeats(device.initialState) else { return }
      skipsRepetition = false
    }
    onFrame(frame)
  }
}

extension InputFrame {
  fileprivate func repeats(_ state: InitialState) -> Bool {
    cause == .resync
      && events.allSatisfy {
        $0.type == EventCode.abs && $0.code == EventCode.absMTSlot && $0.value == state.currentSlot
      }
  }
}

extension DeviceRules {
  /// Opens the devices that `record` and `test` read.
  ///
  /// - Parameters:
  ///   - paths: the devices, whatever they are. If empty, they are the touchscreens that touchtree uses,
  ///     or, without touchscreens, its mice and tablets.
  ///   - grab: whether to grab them exclusively.
  /// - Throws: `DeviceError` if a requested device cannot be opened, or no device can be used.
  package func open(_ paths: [String], grab: Bool) throws -> [EvdevDevice] {
    var devices: [EvdevDevice] = []
    for path in paths.isEmpty ? try usablePaths() : paths {
      let device = try EvdevDevice(path: path, grab: grab)
      // Two paths may lead to one device.
      let isNew = !devices.contains { $0.description.number == device.description.number }
      if isNew { devices.append(device) }
    }
    return devices
  }

  private func usablePaths() throws -> [String] {
    var touchscreens: [String] = []
    var pointers: [String] = []
    var failure: DeviceError?
    for report in try DeviceDirectory().reports() {
      switch report.finding {
      case .failure(let error): failure = error
      case .device(let device, _):
        switch classification(of: device).kind {
        case .multitouch, .singleTouch: touchscreens.append(report.path)
        case .absolutePointer, .relativePointer: pointers.append(report.path)
        case nil: break
        }
      }
    }
    let paths = touchscreens.isEmpty ? pointers : touchscreens
    guard paths.isEmpty else { return paths }
    if let failure { throw failure }
    throw DeviceError.noDevices
  }
}
