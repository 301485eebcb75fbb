import Glibc
import Logging
import TouchCore
import TouchInput

/// Plays a recording on devices that it makes in the kernel, so that any program can be tested with it.
public final class UinputReplay {
  private let loop: EventLoop
  private let recording: Recording
  private let devices: [UinputDevice]
  private var order: PlayOrder
  private let isPaced: Bool
  private let log: Logger
  private var playback: Playback?
  private var failure: DeviceError?

  /// How long the devices stay after the last frame, in milliseconds: an unplugged device gives nothing any more, not
  /// even what it has reported.
  private static let lingering = 500

  /// Makes the devices, each with the name, the ids, the axes and the state of the recorded one.
  ///
  /// - Throws: `DeviceError` when there is no uinput or a device cannot be made; `LoopError`.
  public init(recording: Recording, isPaced: Bool, log: Logger) throws {
    self.recording = recording
    self.isPaced = isPaced
    order = PlayOrder(recording.devices.map(\.frames))
    self.log = log
    loop = try EventLoop()
    var devices: [UinputDevice] = []
    for device in recording.devices {
      let made = try UinputDevice(device.description)
      if let frame = device.stateFrame { try made.emit(frame) }
      devices.append(made)
    }
    self.devices = devices
  }

  /// The nodes of the devices, in the order of the recording.
  public var nodes: [String] { devices.map(\.path) }

  /// Waits for the programs that are to find the devices, plays, and unplugs the devices. A signal ends it earlier.
  ///
  /// - Parameter wait: in milliseconds.
  /// - Throws: `DeviceError` when the kernel does not take an event; `LoopError`.
  public func run(wait: Int) throws {
    for notice in recording.notices { log.warning("\(notice)") }
    try loop.watchSignals([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) { [unowned self] _ in loop.stop() }
    let playback = Playback(
      in: loop, isPaced: isPaced, nextTime: { [unowned self] in order.nextTime },
      playNext: { [unowned self] in emitNext() },
      onEnd: { [unowned self] in
        _ = loop.addTimer(milliseconds: Self.lingering, repeats: false) { [unowned self] in loop.stop() }
      })
    self.playback = playback
    _ = loop.addTimer(milliseconds: max(1, wait), repeats: false, playback.start)
    try loop.run()
    if let failure { throw failure }
  }

  private func emitNext() {
    guard failure == nil, let (device, frame) = order.next() else { return }
    do {
      try devices[device].emit(frame)
    } catch {
      failure = error
      loop.stop()
    }
  }
}

extension Recording.Device {
  /// A frame that brings a new device into the state that the recorded one had before its first frame; nil when that is
  /// the state of a new device.
  fileprivate var stateFrame: InputFrame? {
    var events: [RawEvent] = []
    func abs(_ code: UInt16, _ value: Int32?) {
      guard let value, description.capabilities.axes[code] != nil else { return }
      events.append(RawEvent(type: EventCode.abs, code: code, value: value))
    }
    for (index, slot) in initialState.slots.enumerated() where slot != InitialState.Slot() {
      abs(EventCode.absMTSlot, Int32(index))
      if slot.trackingID >= 0 { abs(EventCode.absMTTrackingID, slot.trackingID) }
      abs(EventCode.absMTPositionX, slot.x)
      abs(EventCode.absMTPositionY, slot.y)
      abs(EventCode.absMTToolType, slot.toolType)
      abs(EventCode.absMTPressure, slot.pressure)
      abs(EventCode.absMTTouchMajor, slot.touchMajor)
      abs(EventCode.absMTTouchMinor, slot.touchMinor)
      abs(EventCode.absMTDistance, slot.distance)
    }
    abs(EventCode.absMTSlot, initialState.currentSlot)
    abs(EventCode.absX, initialState.x)
    abs(EventCode.absY, initialState.y)
    if initialState.isPressed {
      switch PressSignal(description.capabilities) {
      case .button(let key): events.append(RawEvent(type: EventCode.key, code: key, value: 1))
      case .pressure(above: let threshold): abs(EventCode.absPressure, threshold &+ 1)
      }
    }
    return events.contains { $0.value != 0 } ? InputFrame(events: events) : nil
  }
}
