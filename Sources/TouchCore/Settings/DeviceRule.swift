/// What to do with the devices that match.
package struct DeviceRule: Hashable, Sendable {
  /// What a rule may give, by its key in a file.
  package enum Key: String, CaseIterable, Sendable {
    case match, use, calibration
    case calibratedFor = "calibrated_for"
    case rotation, output, grab, filter, speed, scanner
  }

  /// What a calibration depends on. What is nil is not looked at.
  package struct CalibratedFor: Hashable, Sendable {
    /// How the display was turned.
    package var displayRotation: DisplayGeometry.Rotation?
    /// The ranges that the device declared: minimum and maximum of x, then of y.
    package var axes: [Int32]?

    package init() {}
  }

  /// Which devices the rule is about.
  package var match = DeviceMatch()
  /// False: the device is ignored. True: it is used even if it is not classified as a pointing device. Nil: its
  /// classification decides.
  package var isUsed: Bool?
  /// Applied to normalised positions, before rotation. It has an inverse.
  /// (libinput's `LIBINPUT_CALIBRATION_MATRIX`.)
  package var calibration: AffineTransform?
  /// What the calibration was made for; where that is not so any more, it is not used.
  package var calibratedFor: CalibratedFor?
  /// How the device is turned against the panel, clockwise.
  package var rotation = DisplayGeometry.Rotation.none
  /// The part of the canvas that the device covers, in window space; nil is all of it.
  package var output: WindowRect?
  /// Whether other programs are kept from reading the device.
  package var isGrabbed = false
  /// What is done to contacts before they are mapped, in this order; each kind once.
  package var filters: [ContactFilter] = []
  /// By how many window units a mouse moves the pointer for each of its counts; nil is 1. There is no acceleration.
  package var speed: Double?
  /// Whether what its keys type is a barcode scanner's.
  package var scanner = ScannerUse.automatic
  /// Where the rule stands in the file.
  package var place: SourceLocation
  /// The keys that the file gives it, and `null` for none of them.
  package var given: Set<Key> = []

  package init(place: SourceLocation) {
    self.place = place
  }
}

extension DeviceRule {
  /// Whether the file says if the device is used.
  package var givesUse: Bool { given.contains(.use) }

  /// The keys that the file gives, in the order of the reference.
  package var givenKeys: [String] {
    Key.allCases.filter { $0 != .match && given.contains($0) }.map(\.rawValue)
  }

  /// This rule, and what it leaves out from a weaker one.
  ///
  /// A calibration contains how the panel is turned, so with one of its own it takes neither from the other.
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

  /// The rule without what it says of positions: which devices, whether they are used, and whether they are grabbed.
  package var withoutMapping: DeviceRule {
    var rule = DeviceRule(place: place)
    rule.match = match
    rule.isUsed = isUsed
    rule.isGrabbed = isGrabbed
    rule.given = given.intersection([.match, .use, .grab])
    return rule
  }
}

/// Device rules that ship with the program, for devices that are known to need one.
package struct DeviceQuirks: Sendable {
  /// The file, as messages call it.
  package let file: String
  /// In the file's order: the first that matches a device counts.
  package let rules: [DeviceRule]

  package init(file: String, rules: [DeviceRule]) {
    self.file = file
    self.rules = rules
  }

  /// None at all.
  package static let none = DeviceQuirks(file: "", rules: [])
}
