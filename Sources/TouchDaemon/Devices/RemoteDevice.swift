import TouchCore
import TouchHandlers
import TouchInput
import TouchKit
import TouchSystem

/// The touchscreen of a peer's fingers, a device like any other without hardware. Its frames go through
/// filters and mapping, and its fingers are cancelled when the peer leaves. Its coordinates are the canvas's,
/// so the keys of device rules about the panel's place do not count.
package final class RemoteDevice {
  package static let name = DeviceRules.remoteName
  /// Returns the name if the device is a remote one, whose id is negative; nil for another device.
  package static func name(of device: DeviceID) -> String? { device.rawValue < 0 ? name : nil }

  package let source: TouchSource
  package let scanner: ScannerUse
  private let canvasSize: Size
  private var slots: [Int: Int32] = [:]
  private var lastTrackingID: Int32 = 0

  private static let resolution = 64.0
  private static let slotCount: Int32 = 16
  /// The tool types of a finger and a palm. (MT_TOOL_FINGER and MT_TOOL_PALM of `input.h`)
  private static let (finger, palm): (Int32, Int32) = (0, 2)

  /// Fails if a rule excludes the device.
  /// - Parameter id: a number that is unique among all devices of
  ///   the pipeline. Those of hardware are positive.
  package init?(id: Int, rules: DeviceRules, canvasSize: Size) {
    self.canvasSize = canvasSize
    var capabilities = DeviceCapabilities()
    capabilities.slotCount = Int(Self.slotCount)
    for (code, length) in [
      (EventCode.absMTPositionX, canvasSize.width), (EventCode.absMTPositionY, canvasSize.height),
    ] {
      capabilities.axes[code] = AxisRange(minimum: 0, maximum: Self.units(length) - 1)
    }
    let description = DeviceDescription(name: Self.name, capabilities: capabilities)
    var rule = rules.rule(for: description)
    guard rule?.isUsed ?? true else { return nil }
    scanner = rule?.scanner ?? .automatic
    rule?.calibration = nil
    rule?.rotation = .none
    rule?.output = nil
    let slots = [InitialState.Slot](repeating: InitialState.Slot(), count: Int(Self.slotCount))
    source =
      SourceSetup(
        description, id: id, as: .multitouch, initial: InitialState(slots: slots, reportsLifts: true),
        rule: rule,
        geometry: DisplayGeometry(displaySize: canvasSize, canvasSize: canvasSize, scale: .stretch)
      ).source
  }

  package func changes(for press: Request.KeyPress) -> [PressChange] {
    let (code, modifiers) = (press.command.keyCode, press.command.modifierFlags)
    let plain = code.plainText
    let typed = modifiers.contains(.shift) ? plain.uppercased() : plain
    let key = Key(
      code, characters: press.characters ?? typed, charactersIgnoringModifiers: press.characters ?? plain,
      modifierFlags: modifiers)
    let kinds: [PressChange.Kind] =
      switch press.phase {
      case nil: [.began, .ended]
      case .began: [.began]
      case .ended: [.ended]
      case .cancelled: [.cancelled]
      }
    return kinds.map { PressChange(device: source.device, kind: $0, key: key) }
  }

  private static func units(_ length: Double) -> Int32 {
    Int32(min(1e9, max(1, (length * resolution).rounded(.up))))
  }

  /// Returns the frames that a panel would report, or throws why the finger cannot do that.
  package func frames(
    for injection: Request.Injection, at time: Timestamp
  ) throws(Failure) -> [InputFrame] {
    let finger = injection.finger
    switch injection.phase {
    case .began:
      guard slots[finger] == nil else {
        throw Failure("finger \(finger) is down already; send its ended or cancelled first")
      }
      if let location = injection.location, !isInside(location) {
        throw Failure(
          "a finger cannot go down at \(location.x.plain),\(location.y.plain): the canvas is "
            + "\(canvasSize.width.plain) × \(canvasSize.height.plain)")
      }
      let used = Set(slots.values)
      guard let slot = (0..<Self.slotCount).first(where: { !used.contains($0) }) else {
        throw Failure("at most \(Self.slotCount) fingers can be down")
      }
      slots[finger] = slot
      lastTrackingID = lastTrackingID == .max ? 1 : lastTrackingID + 1
      let tool = event(EventCode.absMTToolType, Self.finger)
      return [frame(slot, [event(EventCode.absMTTrackingID, lastTrackingID), tool], injection, time)]
    case .moved: return [frame(try slot(of: finger), [], injection, time)]
    case .ended:
      let slot = try slot(of: finger)
      slots[finger] = nil
      var last = frame(slot, [], injection, time)
      last.events.append(event(EventCode.absMTTrackingID, -1))
      return [last]
    case .cancelled:
      let slot = try slot(of: finger)
      slots[finger] = nil
      return [
        frame(slot, [event(EventCode.absMTToolType, Self.palm)], injection, time),
        InputFrame(
          time: time, events: [event(EventCode.absMTSlot, slot), event(EventCode.absMTTrackingID, -1)]),
      ]
    }
  }

  private func isInside(_ location: WindowPoint) -> Bool {
    (0..<canvasSize.width).contains(location.x) && (0..<canvasSize.height).contains(location.y)
  }

  private func slot(of finger: Int) throws(Failure) -> Int32 {
    guard let slot = slots[finger] else {
      throw Failure("finger \(finger) is not down; send its began first")
    }
    return slot
  }

  private func frame(
    _ slot: Int32, _ events: [RawEvent], _ injection: Request.Injection, _ time: Timestamp
  ) -> InputFrame {
    var events = [event(EventCode.absMTSlot, slot)] + events
    if let location = injection.location {
      events.append(event(EventCode.absMTPositionX, Self.position(location.x, of: canvasSize.width)))
      events.append(event(EventCode.absMTPositionY, Self.position(location.y, of: canvasSize.height)))
    }
    return InputFrame(time: time, events: events)
  }

  /// Returns a position in device units. A finger that leaves the canvas stays at its edge, as on a panel.
  private static func position(_ place: Double, of length: Double) -> Int32 {
    let unit = (place / length * Double(units(length))).rounded()
    return Int32(max(0, min(Double(units(length) - 1), unit)))
  }

  private func event(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.abs, code: code, value: value)
  }
}
