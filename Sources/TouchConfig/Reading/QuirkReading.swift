import TouchCore

extension DeviceQuirks {
  /// Reads a file of quirks from memory. It has `version:` and `quirks:`, and each quirk has the keys of a
  /// rule for devices.
  /// - Throws: every fault of the file.
  package static func parse(text: String, file: String) throws(ConfigurationError) -> DeviceQuirks {
    let configuration = try Configuration.parse(bytes: Array(text.utf8), file: file, takesOthers: true)
    return DeviceQuirks(file: file, rules: configuration.contents == .quirks ? configuration.input.rules : [])
  }
}

extension ConfigurationReader {
  /// A file of quirks: it has nothing else.
  mutating func readQuirks(_ quirks: Value, _ fields: Fields) {
    configuration.contents = .quirks
    configuration.input.rules = KeyType.deviceRules.read(quirks) ?? []
    guard let place = fields.entries.first(where: { $0.key == "quirks" })?.place else { return }
    if !takesOthers {
      report.add(
        at: place,
        "quirks are a file of their own, which shows nothing; write your rules below \"input: devices:\"")
    }
    for entry in fields.entries where entry.key != "quirks" && entry.key != "version" {
      report.add(
        at: entry.place,
        "a file of quirks has no \"\(entry.key)\"; remove it, or write the rules below \"input: devices:\""
      )
    }
  }
}
