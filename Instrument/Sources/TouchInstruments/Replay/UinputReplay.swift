import Glibc
import Logging
import TouchInput
import TouchInspection
import TouchRecordings
import TouchSystem

/// Plays a recording on devices that it makes in the kernel, so that any program can be tested with it.
package final class UinputReplay {
  private let loop: EventLoop
  private let recording: Recording
  private let devices: [UinputDevice]
  private var order: PlayOrder
  private let isPaced: Bool
  private let log: Logger
  /// A sentence about the parts of the recording that were left out; nil if there are none.
  private let omission: String?
  private var playback: Playback?
  private var failure: DeviceError?

  /// The time after the last frame, in milliseconds: an unplugged device delivers nothing more.
  private static let lingering = 500

  /// Makes the devices, each with the name, the ids, the axes and the state of the recorded one.
  /// - Parameter hasKeys: whether the devices also get the keys and switches of the
  ///   recorded ones. The kernel's console and the login manager obey those, so a recording
  ///   could type a command, or switch the machine off.
  /// - Throws: `DeviceError` if there is no uinput or a device cannot be made; `SystemError`.
  package init(recording original: Recording, isPaced: Bool, hasKeys: Bool, log: Logger) throws {
    var recording = original
    omission = hasKeys ? nil : recording.removeKeys()
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

  package var nodes: [String] { devices.map(\.path) }

  /// Waits some milliseconds for programs to find the devices, plays, and unplugs them, earlier after a
  /// signal. It throws if the kernel refuses an event.
  package func run(wait: Int) throws {
    for notice in recording.notices { log.warning("\(notice)") }
    if let omission { log.warning("\(omission)") }
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in loop.stop() }
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

extension Recording {
  /// Removes keys and switches that other programs would obey, and returns a sentence about it; nil for none.
  mutating func removeKeys() -> String? {
    var codes = 0
    var events = 0
    for index in devices.indices { devices[index].removeKeys(codes: &codes, events: &events) }
    guard codes + events > 0 else { return nil }
    return
      "\(file): left out \(codes) codes of keys and switches, and \(events) events of them: they would type on this "
      + "machine or switch it off; add --keys to play them too"
  }
}

extension Recording.Device {
  fileprivate mutating func removeKeys(codes: inout Int, events: inout Int) {
    let keys = description.capabilities.keys.filter(RawEvent.isKey)
    description.capabilities.keys.subtract(keys)
    codes += keys.count
    for type in RawEvent.switchTypes {
      codes += description.capabilities.otherCodes.removeValue(forKey: type)?.count ?? 0
    }
    for index in frames.indices where frames[index].events.contains(where: \.isKeyOrSwitch) {
      let count = frames[index].events.count
      frames[index].events.removeAll(where: \.isKeyOrSwitch)
      events += count - frames[index].events.count
    }
  }
}

extension RawEvent {
  /// The types of switches: EV_SW, which suspends machines and turns off radios, and EV_PWR.
  fileprivate static let switchTypes: [UInt16] = [0x05, 0x16]

  fileprivate var isKeyOrSwitch: Bool {
    type == EventCode.key && Self.isKey(code) || Self.switchTypes.contains(type)
  }

  /// Returns whether a code of EV_KEY is a key, and no button: BTN_MISC up to KEY_OK, BTN_DPAD_UP to
  /// BTN_GRIPR2, BTN_TRIGGER_HAPPY1 to 40. (kernel `input-event-codes.h`; its console types with every such
  /// device)
  fileprivate static func isKey(_ code: UInt16) -> Bool {
    switch code {
    case 0x100..<0x160, 0x220...0x227, 0x2c0...0x2e7: false
    default: true
    }
  }
}

extension Recording.Device {
  /// The frame that gives a new device the recorded one's first state; nil if it has that.
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
