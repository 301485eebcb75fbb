import TouchCore
import TouchViews

extension ConfigurationReader {
  /// Reads what a control holds, and how it shows it.
  func readControl(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    switch view.kind {
    case .switch: view.value = ControlValue(isOn: fields.unlessNull(.value)?.bool() ?? false)
    case .segmented:
      view.parts.segments = segments(fields) ?? []
      let range = -1...max(0, view.parts.segments.count - 1)
      let chosen = fields.unlessNull(.value)?.integer(in: range)
      view.value = ControlValue(
        Double(chosen ?? -1), minimum: -1, maximum: Double(range.upperBound), step: 1)
    case .list:
      view.parts.rows = rows(fields) ?? []
      let last = view.parts.rows.count - 1
      let chosen = fields.unlessNull(.value)?.integer(in: -1...last)
      view.value = ControlValue(Double(chosen ?? -1), minimum: -1, maximum: Double(last), step: 1)
    case .control:
      let keys: [ViewKey] = [.value, .minimum, .maximum, .step]
      if keys.contains(where: { fields[$0] != nil }) { view.value = controlValue(fields, of: view.kind) }
    default: view.value = controlValue(fields, of: view.kind)
    }
    readParts(fields, into: &view.parts)
  }

  private func controlValue(_ fields: Fields<ViewKey>, of kind: ViewKind) -> ControlValue {
    let value = fields.unlessNull(.value)?.number(in: .coordinate)
    let minimum = fields.unlessNull(.minimum)?.number(in: .coordinate) ?? 0
    let maximum = fields.unlessNull(.maximum)?.number(in: .coordinate) ?? (kind == .stepper ? 100 : 1)
    // UIKit's stepper raises an exception for a step of 0.
    let steps: NumberRange = kind == .stepper ? .extent : .length
    let step = fields.unlessNull(.step)?.number(in: steps) ?? (kind == .stepper ? 1 : 0)
    let range = minimum...max(minimum, maximum)
    if range.lowerBound == range.upperBound, let limit = fields[.maximum] ?? fields[.minimum] {
      limit.complain("minimum is \(minimum.shown) and maximum \(maximum.shown); give a larger maximum")
    } else if let value, !range.contains(value), let given = fields[.value] {
      given.refuse("give a number from \(range.lowerBound.shown) to \(range.upperBound.shown)")
    }
    return ControlValue(
      value ?? range.lowerBound, minimum: range.lowerBound, maximum: range.upperBound, step: step)
  }

  private func segments(_ fields: Fields<ViewKey>) -> [String]? {
    let advice = "give a list of texts: [Low, High]"
    guard let value = fields.require(.segments, advice), let items = value.list(advice) else { return nil }
    guard !items.isEmpty else {
      value.complain("segments is an empty list; give at least one text")
      return nil
    }
    return items.map { Value(name: "a segment", node: $0.node, report: report).shownText() ?? "" }
  }

  private func rows(_ fields: Fields<ViewKey>) -> [String]? {
    guard let value = fields.unlessNull(.rows), let items = value.list("give a list of texts: [One, Two]")
    else {
      return nil
    }
    let most = Configuration.View.mostRows
    if items.count > most { value.complain("rows has \(items.count) texts; give \(most) at most") }
    return items.map { Value(name: "a row", node: $0.node, report: report).shownText() ?? "" }
  }

  private func readParts(_ fields: Fields<ViewKey>, into parts: inout Configuration.View.Parts) {
    if let jumps = fields[.jumps]?.bool() { parts.jumps = jumps }
    if let continuous = fields[.continuous]?.bool() { parts.isContinuous = continuous }
    if let autorepeat = fields[.autorepeat]?.bool() { parts.autorepeats = autorepeat }
    if let height = fields.unlessNull(.rowHeight)?.number(in: .extent) { parts.rowHeight = height }
    if let wraps = fields[.wraps]?.bool() { parts.wraps = wraps }
    report.cosmetic {
      if let color = fields.unlessNull(.tint)?.color() { parts.colors.tint = color }
      if let color = fields.unlessNull(.track)?.color() { parts.colors.track = color }
      if let color = fields.unlessNull(.thumb)?.color() { parts.colors.thumb = color }
    }
    if let style = fields.unlessNull(.gauge)?.choice(Gauge.Style.self) { parts.gaugeStyle = style }
    if let start = fields.unlessNull(.startAngle)?.number(in: .angle) { parts.startAngle = start }
    if let end = fields.unlessNull(.endAngle)?.number(in: .angle) { parts.endAngle = end }
    let sweep = parts.endAngle - parts.startAngle
    if !(sweep > 0 && sweep <= 360), let angle = fields[.endAngle] ?? fields[.startAngle] {
      angle.complain(
        "start_angle is \(parts.startAngle.shown) and end_angle \(parts.endAngle.shown); give an end_angle above "
          + "\(parts.startAngle.shown), up to \((parts.startAngle + 360).shown)")
    }
  }
}

extension NumberRange {
  /// In degrees.
  fileprivate static let angle = NumberRange(lower: -360, upper: 360)
}

extension ViewKey {
  /// The kinds of view that have the key; nil for a key that has nothing to do with a control's value.
  var controlKinds: Set<ViewKind>? {
    switch self {
    case .value: Set(ViewKind.declared.filter(\.hasValue))
    case .minimum, .maximum, .step: Set(ViewKind.declared.filter(\.hasLimits))
    case .tint, .track: Set(ViewKind.declared.filter(\.showsValue))
    case .thumb: Set(ViewKind.declared.filter { $0.showsValue && $0 != .list })
    case .continuous: [.slider, .stepper]
    case .jumps: [.slider]
    case .autorepeat, .wraps: [.stepper]
    case .segments: [.segmented]
    case .rows, .rowHeight: [.list]
    case .gauge, .startAngle, .endAngle: [.gauge]
    default: nil
    }
  }

  /// The kinds that have the key, in a sentence.
  var controlOwner: String {
    switch self {
    case .value, .minimum, .maximum, .step: "a control"
    default:
      ViewKind.declared.filter { controlKinds?.contains($0) ?? false }.map(\.row.one).joined(lastWith: "or")
    }
  }
}
