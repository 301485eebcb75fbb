import TouchCore
import TouchSystem

/// Device rules that ship with the program, for devices that are known to need one. A file of them has `version:` and `quirks:`,
/// and each has the keys of a rule for devices.
package struct DeviceQuirks: Sendable {
  /// The file, as messages call it.
  package let file: String
  /// In the file's order: the first that matches a device counts.
  package let rules: [Configuration.DeviceRule]

  /// None at all.
  package static let none = DeviceQuirks(file: "", rules: [])

  /// Those of `config/quirks`, which the program has in it.
  package static let shipped: DeviceQuirks = {
    let file = "quirks/devices.yaml"
    // A test holds that the file has no fault.
    let configuration = try? Configuration.parse(
      bytes: PackageResources.devices_yaml, file: file, takesQuirks: true)
    return DeviceQuirks(file: file, rules: configuration?.input.rules ?? [])
  }()

  /// Reads a file of quirks from memory.
  ///
  /// - Throws: every fault of the file.
  package static func parse(text: String, file: String) throws(ConfigurationError) -> DeviceQuirks {
    let configuration = try Configuration.parse(bytes: Array(text.utf8), file: file, takesQuirks: true)
    return DeviceQuirks(file: file, rules: configuration.isOfQuirks ? configuration.input.rules : [])
  }
}

extension ConfigurationReader {
  /// A file of quirks: it has nothing else.
  mutating func readQuirks(_ quirks: Value, _ fields: Fields<RootKey>) {
    configuration.isOfQuirks = true
    configuration.input.rules = rules(quirks)
    guard let place = fields.entries.first(where: { $0.key == .quirks })?.place else { return }
    if !takesQuirks {
      report.add(
        at: place,
        "quirks are a file of their own, which shows nothing; write your rules below \"input: devices:\"")
    }
    for entry in fields.entries where entry.key != .quirks && entry.key != .version {
      report.add(
        at: entry.place,
        "a file of quirks has no \"\(entry.key.rawValue)\"; remove it, or write the rules below \"input: devices:\""
      )
    }
  }
}

extension Configuration.DeviceRule {
  /// Whether the file says if the device is used.
  package var givesUse: Bool { given.contains(.use) }

  /// The keys that the file gives, in the order of the reference.
  package var givenKeys: [String] {
    DeviceKey.allCases.filter { $0 != .match && given.contains($0) }.map(\.rawValue)
  }

  /// This rule, and what it leaves out from a weaker one.
  ///
  /// A calibration contains how the panel is turned, so with one of its own it takes neither from the other.
  package func completed(by quirk: Configuration.DeviceRule) -> Configuration.DeviceRule {
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
      }
    }
    return rule
  }

  /// The rule without what it says of positions: which devices, whether they are used, and whether they are grabbed.
  package var withoutMapping: Configuration.DeviceRule {
    var rule = Configuration.DeviceRule(place: place)
    rule.match = match
    rule.isUsed = isUsed
    rule.isGrabbed = isGrabbed
    rule.given = given.intersection([.match, .use, .grab])
    return rule
  }
}
