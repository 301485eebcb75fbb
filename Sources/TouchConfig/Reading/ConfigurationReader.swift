import TouchCore

/// Reads a document into a configuration, and reports everything that is wrong on the way.
struct ConfigurationReader {
  let report: Report
  var configuration: Configuration
  /// What has an id, and what refers to one.
  var names = Names()

  init(file: String, report: Report) {
    self.report = report
    configuration = Configuration(file: file)
  }

  mutating func read(_ root: YAMLNode) {
    guard let fields = Fields<RootKey>(root, report: report) else {
      if !root.isBroken {
        report.add(
          at: root.place, "the file is \(root.shown); start it with \"version: 1\" and a \"window:\"")
      }
      return
    }
    readVersion(fields)
    readDisplay(fields[.display]?.fields())
    readInput(fields[.input]?.fields())
    readHighlight(fields[.highlight]?.fields())
    readHandlers(fields[.handlers])
    let application = fields[.application]?.fields(ApplicationKey.self)
    configuration.applicationHandlers = handlerNames(application?[.handlers])
    readWindow(fields)
    resolveNames()
  }

  /// A file that does not say which version it is, is version 1: later ones will have to say it.
  private func readVersion(_ fields: Fields<RootKey>) {
    guard let version = fields[.version], version.node.scalar != .integer(1) else { return }
    version.refuseNumber("this touchtree reads version 1, so write 1")
  }

  /// The names of handlers that a responder has; each must be declared.
  mutating func handlerNames(_ value: Value?) -> [String] {
    let advice = "give a list of handler names, such as [log]"
    let items = value?.list(advice) ?? []
    return items.compactMap { item in
      let item = Value(name: "a handler's name", node: item.node, report: report)
      guard let name = item.nonEmptyText("give a handler's name, such as log") else { return nil }
      names.handlerReferences.append(Names.Reference(name: name, place: item.node.place))
      return name
    }
  }
}
