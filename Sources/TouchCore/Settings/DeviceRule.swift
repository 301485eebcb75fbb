package struct DeviceRule: Hashable, Sendable {
  /// The settings of a rule, by their keys in a file.
  package enum Key: String, CaseIterable, Sendable {
    case match, use, calibration
    case calibratedFor = "calibrated_for"
    case rotation, output, grab, filter, speed, scanner
  }

  /// The conditions under which a calibration is valid; nil for those that are not checked.
  package struct CalibratedFor: Hashable, Sendable {
    package var displayRotation: DisplayGeometry.Rotation?
    /// The ranges that the device declared: minimum and maximum of x, then of y.
    package var axes: [Int32]?

    package init() {}
  }

  package var match = DeviceMatch()
  /// Whether the device is used whatever its classification is; nil leaves that to it.
  package var isUsed: Bool?
  /// The matrix of normalised positions before rotation, with an inverse. (`LIBINPUT_CALIBRATION_MATRIX`)
  package var calibration: AffineTransform?
  /// The conditions for which the calibration was made. It is not used under others.
  package var calibratedFor: CalibratedFor?
  /// The clockwise turn of the device against the panel.
  package var rotation = DisplayGeometry.Rotation.none
  /// The part of the canvas that the device covers, in window space; nil for all of it.
  package var output: WindowRect?
  package var isGrabbed = false
  /// The filters of contacts before they are mapped, in this order, each kind once.
  package var filters: [ContactFilter] = []
  /// The window units for each count of a mouse; nil is 1. There is no acceleration.
  package var speed: Double?
  /// Whether the device's keys are those of a barcode scanner.
  package var scanner = ScannerUse.automatic
  package var place: SourceLocation
  /// The keys that the file gives, those with `null` included.
  package var given: Set<Key> = []

  package init(place: SourceLocation) { self.place = place }
}

extension DeviceRule {
  package var givesUse: Bool { given.contains(.use) }

  /// The keys that the file gives, in the order of the reference.
  package var givenKeys: [String] {
    Key.allCases.filter { $0 != .match && given.contains($0) }.map(\.rawValue)
  }

  /// Returns this rule, completed by a weaker one's settings. A calibration contains the panel's turn, so
  /// with one it takes neither the rotation nor the conditions of the other.
  package func completed(by quirk: DeviceRule) -> DeviceRule {
    var rule = self
    let isCalibrated = given.contains(.calibration)
    for key in quirk.given.subtracting(given) {
      switch key {
      case .match: continue
      case .use: rule.isUsed = quirk.isUsed
      case .calibration: rule.calibration = quirk.calibration
      case .calibratedFor where isCalibrated: continue
      case .calibratedFor: rule.calibratedFor = quirk.calibratedFor
      case .rotation where isCalibrated: continue
      case .rotation: rule.rotation = quirk.rotation
      case .output: rule.output = quirk.output
      case .grab: rule.isGrabbed = quirk.isGrabbed
      case .filter: rule.filters = quirk.filters
      case .speed: rule.speed = quirk.speed
      case .scanner: rule.scanner = quirk.scanner
      }
    }
    return rule
  }

  /// The rule without its settings for positions: the devices, their use and grab.
  package var withoutMapping: DeviceRule {
    var rule = DeviceRule(place: place)
    rule.match = match
    rule.isUsed = isUsed
    rule.isGrabbed = isGrabbed
    rule.given = given.intersection([.match, .use, .grab])
    return rule
  }
}

/// The device rules that ship with the program, for devices that are known to need one.
package struct DeviceQuirks: Sendable {
  package let file: String
  /// The rules in the file's order. The first that matches a device counts.
  package let rules: [DeviceRule]

  package init(file: String, rules: [DeviceRule]) { (self.file, self.rules) = (file, rules) }

  package static let none = DeviceQuirks(file: "", rules: [])
}
