import TouchCore

extension ConfigurationReader {
  /// `none`, a filter, or a list of filters.
  func filters(_ value: Value) -> [ContactFilter] {
    if value.node.text == "none" { return [] }
    guard let items = value.node.items else { return filter(value, or: ["none"]).map { [$0] } ?? [] }
    var filters: [ContactFilter] = []
    for item in items {
      let value = Value(name: "a filter", node: item, report: report)
      guard let filter = filter(value, or: []) else { continue }
      if filters.contains(where: { $0.kind == filter.kind }) {
        value.complain("\(filter.kind.rawValue) is there twice; remove one")
      } else {
        filters.append(filter)
      }
    }
    return filters
  }

  /// - Parameter words: what else may stand here.
  private func filter(_ value: Value, or words: [String]) -> ContactFilter? {
    guard value.node.entries != nil else { return kind(value, or: words).flatMap { filter($0, nil) } }
    guard let fields = value.fields(FilterKey.self),
      let kind = fields.require(.kind, advice(or: [])).flatMap({ kind($0, or: []) })
    else { return nil }
    refuseKeysThatDoNotFit(kind, fields)
    return filter(kind, fields)
  }

  private func advice(or words: [String]) -> String {
    "give " + (words + ContactFilter.Kind.allCases.map(\.rawValue)).joined(lastWith: "or")
  }

  private func kind(_ value: Value, or words: [String]) -> ContactFilter.Kind? {
    if let text = value.node.text, let kind = ContactFilter.Kind(rawValue: text) { return kind }
    let names = words + ContactFilter.Kind.allCases.map(\.rawValue)
    let name = value.node.text.flatMap { Suggestion.nearest(to: $0, among: names) }
    value.refuse(name.map { "did you mean \"\($0)\"?" } ?? advice(or: words))
    return nil
  }

  /// - Parameter fields: nil for a filter that is named and no more.
  private func filter(_ kind: ContactFilter.Kind, _ fields: Fields<FilterKey>?) -> ContactFilter? {
    switch kind {
    case .debounce:
      let time = fields?[.milliseconds].map { $0.integer(in: 1...1000) } ?? 20
      return time.map { .debounce(milliseconds: $0) }
    case .median:
      let samples = fields?[.samples].map(samples) ?? 3
      return samples.map { .median(samples: $0) }
    case .oneEuro:
      let standard = OneEuroSettings()
      let cutoff =
        fields?[.minimumCutoff].map { $0.number(in: NumberRange(lower: 0.1, upper: 100)) }
        ?? standard.minimumCutoff
      let slope =
        fields?[.beta].map { $0.number(in: NumberRange(lower: 0, upper: 1000)) } ?? standard.slope
      guard let cutoff, let slope else { return nil }
      return .oneEuro(OneEuroSettings(minimumCutoff: cutoff, slope: slope))
    case .hysteresis:
      guard let margin = fields?.unlessNull(.margin) else { return .hysteresis(margin: nil) }
      return margin.number(in: .length).map { .hysteresis(margin: $0) }
    }
  }

  private func samples(_ value: Value) -> Int? {
    if case .integer(let samples) = value.node.scalar, (3...15).contains(samples), samples % 2 == 1 {
      return samples
    }
    value.refuseNumber("give an odd number from 3 to 15")
    return nil
  }

  private func refuseKeysThatDoNotFit(_ kind: ContactFilter.Kind, _ fields: Fields<FilterKey>) {
    for (key, place) in fields.keys {
      let owner: ContactFilter.Kind
      switch key {
      case .kind: continue
      case .milliseconds: owner = .debounce
      case .samples: owner = .median
      case .minimumCutoff, .beta: owner = .oneEuro
      case .margin: owner = .hysteresis
      }
      guard owner != kind else { continue }
      report.add(
        at: place,
        "\"\(key.rawValue)\" is a key of \(owner.shown), and this is \(kind.shown); "
          + "change the kind or remove it")
    }
  }
}

extension ContactFilter.Kind {
  fileprivate var shown: String {
    switch self {
    case .debounce: "a debounce"
    case .median: "a median"
    case .oneEuro: "a one-euro filter"
    case .hysteresis: "a hysteresis"
    }
  }
}
