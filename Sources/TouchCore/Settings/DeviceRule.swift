/// The settings of the devices that match.
package struct DeviceRule: Hashable, Sendable {
  /// The settings of a rule, by their keys in a file.
  package enum Key: String, CaseIterable, Sendable {
    case match, use, calibration
    case calibratedFor = "calibrated_for"
    case rotation, output, grab, filter, speed, scanner
  }

  /// The conditions under which a calibration is valid; nil for those that are not checked.
  package struct CalibratedFor: Hashable, Sendable {
    /// The rotation of the display.
    package var displayRotation: DisplayGeometry.Rotation?
    /// The ranges that the device declared: minimum and maximum of x, then of y.
    package var axes: [Int32]?

    package init() {}
  }

  /// The devices to which the rule applies.
  package var match = DeviceMatch()
  /// Whether the device is used: false ignores it, true uses it even if it is not classified as a pointing
  /// device. Nil leaves that to its classification.
  package var isUsed: Bool?
  /// The matrix that is applied to normalised positions, before rotation. It has an inverse. (libinput's
  /// `LIBINPUT_CALIBRATION_MATRIX`.)
  package var calibration: AffineTransform?
  /// The conditions for which the calibration was made. It is not used under others.
  package var calibratedFor: CalibratedFor?
  /// The clockwise turn of the device against the panel.
  package var rotation = DisplayGeometry.Rotation.none
  /// The part of the canvas that the device covers, in window space; nil for all of it.
  package var output: WindowRect?
  /// Whether other programs are kept from reading the device.
  package var isGrabbed = false
  /// The filters of contacts before they are mapped, in this order, each kind once.
  package var filters: [ContactFilter] = []
  /// The movement of the pointer for each count of a mouse, in window units; nil is 1. There is no
  /// acceleration.
  package var speed: Double?
  /// Whether the device's keys are those of a barcode scanner.
  package var scanner = ScannerUse.automatic
  /// The place of the rule in the file.
  package var place: SourceLocation
  /// The keys that the file gives, those with `null` included.
  package var given: Set<Key> = []

  package init(place: SourceLocation) { self.place = place }
}

extension DeviceRule {
  /// Whether the file gives `use`.
  package var givesUse: Bool { given.contains(.use) }

  /// The keys that the file gives, in the order of the reference.
  package var givenKeys: [String] {
    Key.allCases.filter { $0 != .match && given.contains($0) }.map(\.rawValue)
  }

  /// Returns this rule, completed by the settings of a weaker one that it does not give. A calibration
  /// contains the turn of the panel. A rule with its own calibration therefore takes neither the rotation nor
  /// the conditions of the other.
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

  /// The rule without its settings for positions: the devices, whether they are used, and whether they are
  /// grabbed.
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
  /// The file's name in messages.
  package let file: String
  /// The rules in the file's order. The first that matches a device counts.
  package let rules: [DeviceRule]

  package init(file: String, rules: [DeviceRule]) {
    self.file = file
    self.rules = rules
  }

  /// No rules.
  package static let none = DeviceQuirks(file: "", rules: [])
}
