import TouchConfig
import TouchCore
import TouchInput

/// What the configuration says of devices: the first rule that matches one counts. A device that no rule matches is
/// used as it is.
package struct DeviceRules {
  private let rules: [Configuration.DeviceRule]

  package init(_ rules: [Configuration.DeviceRule]) {
    self.rules = rules
  }

  package func rule(for device: DeviceDescription) -> Configuration.DeviceRule? {
    rules.first { $0.match.matches(device) }
  }

  /// What a device is to touchtree: what it looks like, unless its rule says `use: true`. Whether a rule keeps it out is
  /// another question.
  package func verdict(on device: DeviceDescription) -> Classification {
    DeviceClassifier.classify(device.capabilities, isInsistedOn: rule(for: device)?.isUsed ?? false)
  }
}
