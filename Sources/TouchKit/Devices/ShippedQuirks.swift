import TouchCore

extension DeviceQuirks {
  /// Those of `config/quirks/devices.yaml`, as values: nobody who links this module reads YAML. A test holds the two together.
  package static let shipped = DeviceQuirks(
    file: "quirks/devices.yaml",
    rules: [
      .unused(DeviceMatch(name: "ILITEK Multi-Touch-V3000 Mouse", vendor: 0x222a, product: 0x0001), line: 8)
    ])
}

extension DeviceRule {
  /// A rule that keeps a device out.
  ///
  /// - Parameter line: where it stands in the file.
  fileprivate static func unused(_ match: DeviceMatch, line: Int) -> DeviceRule {
    var rule = DeviceRule(place: SourceLocation(line: line, column: 5))
    rule.match = match
    rule.isUsed = false
    rule.given = [.match, .use]
    return rule
  }
}
