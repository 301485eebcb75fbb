import TouchCore
import TouchInput

/// Which devices `record` and `monitor` look at.
package enum DeviceSelection {
  /// Opens devices.
  ///
  /// - Parameters:
  ///   - paths: these, whatever they are. Empty: those that touchtree uses.
  ///   - rules: what a configuration says of devices, where there is one.
  ///   - onlyTouchscreens: of those that touchtree uses, leave out mice and tablets while there is a touchscreen.
  ///   - grab: whether nobody else is to get their events.
  /// - Throws: `DeviceError` when one that was asked for cannot be opened, or none may be; `NoDevices`.
  package static func open(
    _ paths: [String], by rules: DeviceRules = DeviceRules([]), onlyTouchscreens: Bool, grab: Bool
  ) throws -> [EvdevDevice] {
    var paths = paths
    if paths.isEmpty { paths = try chosen(by: rules, onlyTouchscreens: onlyTouchscreens) }
    var devices: [EvdevDevice] = []
    for path in paths {
      let device = try EvdevDevice(path: path, grab: grab)
      // Two names may lead to one device.
      let isNew = !devices.contains { $0.description.number == device.description.number }
      if isNew { devices.append(device) }
    }
    return devices
  }

  private static func chosen(by rules: DeviceRules, onlyTouchscreens: Bool) throws -> [String] {
    var touchscreens: [String] = []
    var pointers: [String] = []
    var failure: DeviceError?
    for report in try DeviceDirectory().reports() {
      switch report.finding {
      case .failure(let error): failure = error
      case .device(let device, _):
        switch rules.verdict(on: device).kind {
        case .multitouch, .singleTouch: touchscreens.append(report.path)
        case .absolutePointer, .relativePointer: pointers.append(report.path)
        case nil: break
        }
      }
    }
    let paths = onlyTouchscreens && !touchscreens.isEmpty ? touchscreens : touchscreens + pointers
    guard paths.isEmpty else { return paths }
    if let failure { throw failure }
    throw NoDevices()
  }
}

extension InputFrame {
  /// Whether the frame is what a device says that was just opened, and on which nothing has changed since: opening it
  /// makes the kernel report an overrun, in which nothing was lost.
  package func repeats(_ state: InitialState) -> Bool {
    cause == .resync
      && events.allSatisfy {
        $0.type == EventCode.abs && $0.code == EventCode.absMTSlot && $0.value == state.currentSlot
      }
  }
}
