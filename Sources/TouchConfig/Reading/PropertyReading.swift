import TouchExpressions
import TouchViews

/// Properties of views, as a file has them: read by their rows in the table, and reported where they stand.
extension Value {
  /// Reads the new value of a property, and reports everything that is wrong with it.
  /// - Parameter kind: that of the view; nil where it is not known.
  /// - Returns: nil for a value that is wrong altogether. Wrong parts are left out.
  func setting(_ property: ViewProperty, for kind: ViewKind?) -> ViewSetting? {
    let given = propertyValue(of: property)
    let others = PropertyErrors()
    defer { for error in others.all { refuse(error, of: property) } }
    do throws(PropertyError) {
      let setting = try ViewSetting(property, given, for: kind, others: others)
      return property == .page ? setting.map { (id: String) in node.global(id) } : setting
    } catch {
      refuse(error, of: property)
      return nil
    }
  }

  /// A kind of view; nil, and a report, for anything else.
  func kind() -> ViewKind? {
    let kinds = ViewKind.declared + report.ownKinds
    if let text = node.text {
      if let kind = kinds.first(where: { $0.name == text }) { return kind }
      if ViewKind.named(text) == nil, let meant = ForeignWords.kind(for: text) {
        refuse("did you mean \"\(meant.name)\"?")
        return nil
      }
    }
    let names = kinds.map(\.name)
    refuse(word: names, "give " + names.joined(lastWith: "or"))
    return nil
  }

  /// Reports parts that a file has to give where it gives the property.
  func requireParts(of property: ViewProperty) {
    guard node.entries != nil, let (whole, parts) = property.shape.parts else { return }
    for part in parts where part.isRequired && self.part(part.name) == nil {
      if let other = part.alternative, self.part(other) != nil { continue }
      // What the part's reader asks for instead of something that no part takes.
      let wrong = PropertyValue.map([.init(key: part.name, value: .list([]))])
      do throws(PropertyError) {
        _ = try ViewSetting(property, wrong, for: nil)
      } catch {
        guard case .badValue(let expected) = error.cause else { continue }
        report.add(at: node.place, "\(whole) needs \"\(part.name)\"; give \(expected.words)")
      }
    }
  }

  /// A part of a mapping that it has itself, or that one of the styles has.
  func part(_ name: String) -> (key: YAMLNode, value: YAMLNode)? {
    ([node] + styles).lazy.compactMap { $0.entries?.first { $0.key.text == name } }.first
  }

  // MARK: Errors

  private func refuse(_ error: PropertyError, of property: ViewProperty) {
    var place = (key: node.place, value: self)
    for step in error.path {
      switch step {
      case .key(let key):
        guard let part = place.value.part(key) else { continue }
        place = (part.key.place, Value(name: error.name, node: part.value, report: report))
      case .item(let index, _):
        guard let items = place.value.node.items, items.indices.contains(index) else { continue }
        place.value = Value(name: error.name, node: items[index], report: report)
      }
    }
    switch error.cause {
    case .badValue(let expected): place.value.refuse(expected)
    case .noSuchProperty(let known):
      guard case .key(let key)? = error.path.last else { return }
      let owner = property.shape.parts?.whole
      report.refuse(
        key, at: place.key,
        of: known == Gradient.keys ? .gradient : KeyTable(owner ?? property.name, [], properties: known))
    case .notOfThisView, .noSuchView, .unusable: break
    }
  }

  private func refuse(_ expected: PropertyError.Expected) {
    let advice = "give " + expected.words
    switch expected.form {
    // These report what is wrong themselves, if they find anything.
    case .flag: if bool() != nil { refuse(advice) }
    case .text: if freeText(advice) != nil { refuse(advice) }
    case .name: if nonEmptyText(advice) != nil { refuse(advice) }
    case .number(let range): refuseNumber(advice, in: range)
    case .word(let words): refuse(word: words, advice)
    case .color(let nearest):
      refuse(
        node.isEmpty
          ? "put the colour in quotes, since # starts a comment"
          : nearest.map { "did you mean \"\($0)\"?" } ?? advice)
    case .list(let count):
      guard let items = node.items, items.count != count else { return refuse(advice) }
      let values = items.count == 1 ? "1 value" : "\(items.count) values"
      complain("\(name) has \(values), not \(count); \(advice)")
    case .other: refuse(advice)
    }
  }
}

// MARK: Values

extension Value {
  private func propertyValue(of property: ViewProperty) -> PropertyValue {
    // Nothing at all is not null: it may be a colour that YAML takes for a comment.
    if node.isEmpty { return .map([]) }
    // 21.50, not 21.5.
    let isText = property.isShown
    let bound = Set(expressions(of: property).compactMap(\.part))
    func read(_ node: YAMLNode) -> PropertyValue {
      let value = node.propertyValue(isText: isText)
      return report.palette.isEmpty || !property.shape.hasColor ? value : value.coloured(by: report.palette)
    }
    var value = read(node)
    for style in styles {
      guard case .map(let own) = value, case .map(let added) = read(style) else { continue }
      value = .map(own + added.filter { new in !own.contains { $0.key == new.key } })
    }
    // What follows an expression is no value of the file.
    if !bound.isEmpty, case .map(let entries) = value {
      value = .map(entries.filter { !bound.contains($0.key) })
    }
    return value
  }
}

extension PropertyShape {
  fileprivate var hasColor: Bool {
    switch self {
    case .color: true
    case .list(let shapes), .either(let shapes): shapes.contains { $0.hasColor }
    case .parts(of: _, let parts): parts.contains { $0.shape.hasColor }
    default: false
    }
  }
}

extension PropertyValue {
  fileprivate func coloured(by palette: [String: String]) -> PropertyValue {
    switch self {
    case .text(let name): palette[name].map { .text($0) } ?? self
    case .list(let items): .list(items.map { $0.coloured(by: palette) })
    case .map(let entries): .map(entries.map { Entry(key: $0.key, value: $0.value.coloured(by: palette)) })
    case .null, .flag, .number: self
    }
  }
}

extension YAMLNode {
  /// The longest list is that of rows; one more is too long.
  private static let mostItems = 10_001

  /// The node as a property's value. No other property than rows takes more than a few items, nor lists in
  /// lists in lists: what is beyond that is not read, so that aliases cannot make it large.
  /// - Parameter isText: whether numbers and truth values are texts as they are written.
  package func propertyValue(isText: Bool) -> PropertyValue { propertyValue(isText: isText, depth: 3) }

  private func propertyValue(isText: Bool, depth: Int) -> PropertyValue {
    if let items {
      return .list(
        depth == 0
          ? []
          : items.prefix(depth == 3 ? Self.mostItems : 16).map {
            $0.propertyValue(isText: isText, depth: depth - 1)
          })
    }
    if let entries {
      return .map(
        depth == 0
          ? []
          : entries.prefix(16).map {
            .init(key: $0.key.text ?? "", value: $0.value.propertyValue(isText: isText, depth: depth - 1))
          })
    }
    if isText, !isNull, let text { return .text(text) }
    return switch scalar {
    case .null, nil: .null
    case .text(let text): .text(text)
    case .bool(let flag): .flag(flag)
    case .integer(let integer): .number(Double(integer))
    case .number(let number): .number(number)
    }
  }
}

// MARK: Texts

extension ViewProperty {
  var isShown: Bool {
    switch shape {
    case .text, .texts: true
    default: false
    }
  }
}

extension ViewSetting {
  /// The same with larger texts, and rows of a list that are higher with them.
  func scalingTexts(by factor: Double) -> ViewSetting {
    switch property.name {
    case "font", "detail_font": map { (parts: PartValues) in parts.scaled("size", by: factor) }
    case ViewProperty.rowHeight.name: map { (height: Double) in height * factor }
    default: self
    }
  }

  /// Texts in which nothing is filled in, as they are shown.
  var withShownTexts: ViewSetting {
    map { (text: String) in property.isShown ? Formula.shown(text) : text }
      .map { (texts: [String]) in texts.map(Formula.shown) }
  }
}
