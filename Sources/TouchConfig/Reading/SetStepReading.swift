import TouchCore
import TouchExpressions
import TouchViews

/// The settings of a `set` step, checked as the file's are.
extension ActionReader {
  mutating func set(_ value: Value) -> [ActionStep] {
    let setValue = { (reader: inout Self, value: Value, named: NamedValue) in reader.setValue(value, named) }
    return perView(value, "{setpoint: {text: \"22\"}}", orValue: setValue) { $0.settings($1, of: $2) }
  }

  mutating func settings(_ value: Value, of target: Target) -> ActionStep? {
    let advice = "give properties and their values: {hidden: true}"
    guard let fields = value.fields(.settable, advice, missing: advice) else { return nil }
    var settings: [ViewSetting] = []
    var computed: [BoundSetting] = []
    for (key, place) in fields.keys {
      guard let value = fields[key], let property = ViewProperty.named(key) else { continue }
      guard target.kind.has(property) else {
        report.add(
          at: place,
          "only \(property.owners.many) have \"\(property.name)\", and \"\(target.id.escaped)\" is "
            + "\(target.kind.one); name another view, or remove it")
        continue
      }
      read(property, value, of: target, &settings, &computed)
    }
    return settings.isEmpty && computed.isEmpty ? nil : .set(view: target.id, settings, computed: computed)
  }

  private mutating func read(
    _ property: ViewProperty, _ value: Value, of target: Target, _ settings: inout [ViewSetting],
    _ computed: inout [BoundSetting]
  ) {
    refuseBound(property, value, of: target)
    value.warnOfOpenBraces(property.shape)
    let expressions = value.expressions(of: property)
    for (part, value) in expressions {
      if property.givesValue { requireValue(of: target, value) }
      guard let content = value.content(property, part, for: target.kind, scope) else { continue }
      if property == .page, let index = target.index {
        for page in content.outcomes(at: value.node.place) {
          requirePage(page.name, at: page.place, of: index)
        }
      }
      computed.append(BoundSetting(property, part: part, content))
    }
    if expressions.contains(where: { $0.part == nil }) { return }
    guard let setting = value.setting(property, for: target.kind) else { return }
    check(setting, value, of: target)
    let resolved = setting.resolving { configuration.resolve($0, from: value.node.place) }
    configuration.requireOpened(resolved, value)
    settings.append(resolved.withShownTexts)
  }

  mutating func setWindow(_ property: ViewProperty, _ value: Value) -> [ActionStep] {
    let window = Target(id: configuration.window.id, kind: .window)
    var settings: [ViewSetting] = []
    var computed: [BoundSetting] = []
    read(property, value, of: window, &settings, &computed)
    return settings.isEmpty && computed.isEmpty ? [] : [.set(view: window.id, settings, computed: computed)]
  }

  private func refuseBound(_ property: ViewProperty, _ value: Value, of target: Target) {
    guard
      let binding = configuration.bindings.first(where: {
        $0.target == .property && $0.view == target.id && $0.setting.property == property && !$0.isOfRowAlone
          && ($0.setting.part == nil || value.part($0.setting.part ?? "") != nil)
      })
    else { return }
    value.complain(binding.refusal)
  }

  func setValue(_ value: Value, _ named: NamedValue) -> ActionStep? {
    if let formula = named.formula {
      value.complain(Binding(.value, named.name, formula, at: .start).refusal)
      return nil
    }
    if value.node.items != nil, named.type == .any || named.type == .list {
      let braces = value.node.scalars.first { $0.text.map { Formula.firstBraces(in: $0) != nil } ?? false }
      if let braces {
        Value(name: value.name, node: braces, report: report).complain(
          "the rows that a step sets are plain values; set a row's text where it is shown, by an expression")
        return nil
      }
      return value.rows().map { .setValue(named.name, .constant($0)) }
    }
    if value.node.entries != nil || value.node.items != nil {
      value.refuse(value.node.unquotedBraces.map { "put it in quotes: \"\($0)\"" } ?? "give what it becomes")
      return nil
    }
    if value.node.text.map({ Formula.firstBraces(in: $0) != nil }) ?? false {
      guard let formula = value.formula(scope) else { return nil }
      // A number or a truth value is a text as it is shown.
      let isShown = named.type == .text && formula.whole?.type != .list
      guard isShown || value.check(formula, is: named.type) else { return nil }
      return .setValue(named.name, .formula(formula))
    }
    let given = PropertyValue(value.node.scalar ?? .null)
    do throws(PropertyError) {
      return .setValue(named.name, .constant(try named.checked(given)))
    } catch {
      value.complain("\(error)")
      return nil
    }
  }

  /// Checks that depend on more than the kind of the view: values that the file would not take for the view
  /// itself, and those that fail when the step runs.
  private mutating func check(_ setting: ViewSetting, _ value: Value, of target: Target) {
    if setting.property.givesValue { requireValue(of: target, value) }
    guard let index = target.index else { return }
    let view = configuration.views[index]
    switch setting.property {
    case .value: setting.value(as: Double.self).map { numbers.append(($0, value, index)) }
    case .minimum, .maximum: movedLimits.insert(index)
    case .page: setting.value(as: String.self).map { requirePage($0, at: value.node.place, of: index) }
    case .border where lacksColor(setting, of: view):
      value.complain(
        "a border needs \"color\", and \"\(view.id.escaped)\" has none yet; \(Value.colorAdvice)")
    case .frame where view.isArranged:
      value.complain(
        view.kind == .sheet
          ? "the sheet \"\(view.id.escaped)\" has no frame in the file; set size: [width, height]"
          : parentKind(of: view) == .stack
            ? "the stack places \"\(view.id.escaped)\", which has no frame; set size: [width, height]"
            : "\"\(view.id.escaped)\" fills its superview, since it has no frame in the file; give it one there"
      )
    case .size where parentKind(of: view) != .stack && view.kind != .sheet:
      value.complain(
        "size is for a sheet and for a view in a stack, and \"\(view.id.escaped)\" is neither; set frame: [x, y, width, height]"
      )
    case .size where !view.isArranged:
      value.complain(
        "\"\(view.id.escaped)\" has a frame, so nothing arranges it; set frame: [x, y, width, height]"
      )
    case .axis where setting.value() == StackView.Axis.horizontal && hasColumns(view):
      value.complain(
        "columns of \"\(view.id.escaped)\" makes a grid of rows; set columns: null too, or neither")
    default: break
    }
  }

  /// Reports the numbers that the file would not take as the value of their controls, after all steps have
  /// been read: where one sets a limit, what is allowed when another one runs is not known.
  func checkNumbers() {
    for (number, place, index) in numbers where !movedLimits.contains(index) {
      let view = configuration.views[index]
      guard ViewKinds.withLimits.contains(view.kind), view.holdsValue else { continue }
      let (minimum, maximum) = view.limits
      if minimum < maximum, !(minimum...maximum).contains(number) { place.refuse(view.adviceOfLimits) }
    }
  }

  private func parentKind(of view: Configuration.View) -> ViewKind? {
    view.parent.map { configuration.views[$0].kind }
  }

  private func hasColumns(_ view: Configuration.View) -> Bool {
    (view.value(of: .columns, as: Int?.self) ?? nil) != nil
  }

  private func lacksColor(_ setting: ViewSetting, of view: Configuration.View) -> Bool {
    guard let values = setting.value(as: PartValues?.self) ?? nil, !values.has("color") else { return false }
    return (view.value(of: .border, as: PartValues?.self) ?? nil) == nil
  }

  func requireValue(of target: Target, _ value: Value) {
    guard target.index != nil, !holdsValue(target) else { return }
    value.complain("the control \"\(target.id.escaped)\" has no value to set; give it one, such as value: 0")
  }

  mutating func requirePage(_ page: String, at place: SourceLocation, of index: Int) {
    var reader = ConfigurationReader(file: configuration.file, report: report)
    (reader.configuration, reader.names) = (configuration, names)
    reader.requirePage(Names.Reference(name: page, place: place), of: index)
    names = reader.names
  }
}
