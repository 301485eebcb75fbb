import TouchConfig
import TouchCore
import TouchInput

extension Configuration {
  /// What the filters of the file cost, a line for each device rule that has some.
  public var filterDelays: [String] {
    input.rules.filter { !$0.filters.isEmpty }.map { rule in
      "\(file):\(rule.place.line): \(rule.filters.sentence)"
    }
  }
}

extension [ContactFilter] {
  /// What each filter is and costs.
  var sentence: String {
    map { "\($0.kind.rawValue) (\($0.delay))" }.joined(separator: ", ")
  }

  /// Why a filter has no effect on a device, as a sentence.
  func remark(on device: DeviceDescription, as kind: DeviceKind) -> String? {
    guard !isEmpty else { return nil }
    if kind == .relativePointer { return "filters have no effect on a mouse; remove its filter" }
    guard contains(.hysteresis(margin: nil)) else { return nil }
    let axes =
      kind == .multitouch
      ? [EventCode.absMTPositionX, EventCode.absMTPositionY] : [EventCode.absX, EventCode.absY]
    guard axes.allSatisfy({ (device.capabilities.axes[$0]?.fuzz ?? 0) <= 0 }) else { return nil }
    return "the hysteresis has no effect, since the device declares no fuzz; give it a margin: "
      + "filter: {kind: hysteresis, margin: 4}"
  }
}
