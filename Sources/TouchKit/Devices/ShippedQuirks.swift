import TouchCore

extension DeviceQuirks {
  /// The quirks of `config/quirks/devices.yaml` as values, so that programs that link this
  /// module read no YAML. A test keeps the two equal.
  package static let shipped = DeviceQuirks(
    file: "quirks/devices.yaml",
    rules: [
      .unused(DeviceMatch(name: "ILITEK Multi-Touch-V3000 Mouse", vendor: 0x222a, product: 0x0001), line: 8)
    ])
}

extension DeviceRule {
  /// Returns a rule that excludes a device.
  /// - Parameter line: the rule's line in the file.
  fileprivate static func unused(_ match: DeviceMatch, line: Int) -> DeviceRule {
    var rule = DeviceRule(place: SourceLocation(line: line, column: 5))
    rule.match = match
    rule.isUsed = false
    rule.given = [.match, .use]
    return rule
  }
}
