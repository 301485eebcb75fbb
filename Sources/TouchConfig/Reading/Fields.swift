import TouchCore

/// The keys and values of a mapping, after the keys were checked.
struct Fields<Key: ConfigurationKey> {
  let node: YAMLNode
  let report: Report
  private var values: [(key: Key, keyPlace: SourceLocation, value: YAMLNode)] = []

  /// Nil when the node is no mapping. Reports keys that do not belong, and ones that are not built yet.
  init?(_ node: YAMLNode, report: Report) {
    guard let entries = node.entries else { return nil }
    self.node = node
    self.report = report
    values.reserveCapacity(entries.count)
    for (keyNode, value) in entries {
      let name = keyNode.text ?? ""
      guard let key = Key(rawValue: name) else {
        // Whatever it was meant to be, it is not there.
        Self.refuse(name, at: keyNode.place, report)
        continue
      }
      if key.isBuilt {
        values.append((key, keyNode.place, value))
      } else {
        report.add(at: keyNode.place, "\"\(name)\", a key of \(Key.owner), is not built yet; remove it")
      }
    }
  }

  /// The value of a key, if the file has it.
  subscript(key: Key) -> Value? {
    guard let found = values.first(where: { $0.key == key }) else { return nil }
    return Value(name: key.rawValue, node: found.value, report: report)
  }

  /// As the subscript, for a key where `null` means that there is none of it.
  func unlessNull(_ key: Key) -> Value? {
    guard let value = self[key], !value.node.isNull || value.node.isEmpty else { return nil }
    return value
  }

  /// The value of a key that must be there, and have a value.
  func require(_ key: Key, _ advice: String) -> Value? {
    if let value = self[key] {
      if !value.node.isNull { return value }
      value.refuse(advice)
    } else {
      report.add(at: node.place, "\(Key.owner) needs \"\(key.rawValue)\"; \(advice)")
    }
    return nil
  }

  /// The keys that the file has, and where.
  var keys: [(key: Key, place: SourceLocation)] { values.map { ($0.key, $0.keyPlace) } }

  private static func refuse(_ name: String, at place: SourceLocation, _ report: Report) {
    let unknown = "unknown key \"\(name.escaped)\" in \(Key.owner)"
    if let advice = Key.advice(for: name) {
      return report.add(at: place, "\(unknown); \(advice)", ofLook: false)
    }
    if let key = Suggestion.nearestKey(to: name, among: Key.builtNames) {
      return report.add(at: place, "\(unknown); did you mean \"\(key)\"?", ofLook: false)
    }
    let owners = ConfigurationKeys.owners(of: name)
    let other = owners.isEmpty ? "" : "it belongs to \(owners.joined(lastWith: "or")), and "
    report.addUnknownKey(
      at: place, "\(unknown); \(other)", of: Key.owner,
      takes: "\(Key.owner) takes " + Key.builtNames.joined(lastWith: "and"))
  }
}
