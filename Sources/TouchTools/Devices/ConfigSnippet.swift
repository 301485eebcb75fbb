import TouchCore
import TouchInput

/// The text in a configuration file below `input: devices:` that matches one device.
package struct ConfigSnippet {
  private let device: DeviceDescription
  /// Whether another device has the same name and ids, so that the match needs more keys.
  private let isOneOfSeveral: Bool

  /// - Parameter others: the devices that must not match.
  package init(_ device: DeviceDescription, among others: [DeviceDescription]) {
    self.device = device
    isOneOfSeveral = others.contains {
      $0.path != device.path && $0.name == device.name && $0.vendor == device.vendor
        && $0.product == device.product
    }
  }

  /// The text: `- match: {name: "…", vendor: 0x0eef, product: 0x0001}`.
  package var text: String {
    "- match: {" + fields.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
  }

  private var fields: [(key: String, value: String)] {
    var fields = [
      ("name", Self.quoted(device.name)), ("vendor", Self.hex(device.vendor)),
      ("product", Self.hex(device.product)),
    ]
    guard isOneOfSeveral else { return fields }
    if !device.uniq.isEmpty { fields.append(("uniq", Self.quoted(device.uniq))) }
    if !device.phys.isEmpty { fields.append(("phys", Self.quoted(device.phys))) }
    return fields
  }

  /// Returns a pattern that fits only this text.
  private static func quoted(_ text: String) -> String { DeviceMatch.literal(text).inYAMLQuotes }

  package static func hex(_ number: UInt16) -> String { "0x" + number.hex(digits: 4) }
}
