import TouchCore
import TouchViews

/// The errors in settings of a view that are right by themselves.
extension ConfigurationReader {
  /// Reports settings that contradict each other, and adds those that follow from others.
  func checkSettings(_ fields: Fields, of view: inout Configuration.View) {
    if ViewKinds.withLimits.contains(view.kind) { checkLimits(fields, of: &view) }
    if view.kind.choiceName != nil, rowViews(fields) == nil { checkChoice(fields, of: view) }
    checkAngles(fields, of: view)
    if fields.unlessNone(.columns) != nil, let axis = fields.unlessNull(.axis),
      view.value(of: .axis) == StackView.Axis.horizontal
    {
      axis.complain("axis is horizontal, and columns makes a grid of rows; remove one of them")
    }
    if let other = fields[.imageMode], fields[.image]?.part("mode") != nil {
      report.cosmetic { other.complain("image_mode is set, and so is mode; remove one of them") }
    }
    // What slides is cut at the edges of the pages, unless the file says otherwise.
    if let axis = view.value(of: .slide, as: ScrollView.Axis?.self) {
      view.settings.append(ViewSetting(.clips, view.value(of: .clips) ?? (axis != nil)))
    }
  }

  /// The value is the minimum, unless it is set.
  private func checkLimits(_ fields: Fields, of view: inout Configuration.View) {
    guard view.settings.contains(where: \.property.givesValue) else { return }
    let (minimum, maximum) = view.limits
    let value: Double? = view.value(of: .value)
    if minimum >= maximum, let limit = fields[.maximum] ?? fields[.minimum] {
      limit.complain("minimum is \(minimum.numeral) and maximum \(maximum.numeral); give a larger maximum")
    } else if let value, !(minimum...maximum).contains(value), let given = fields[.value],
      // Of rows that follow something it may not be known how many there are.
      !view.bound.contains(.rows) || view.value(of: .rows, as: [String].self) != nil
    {
      given.refuse(view.adviceOfLimits)
    }
    if value == nil { view.settings.append(ViewSetting(.value, minimum)) }
    if let step: Double = view.value(of: .step), let advice = view.sample?.advice(forStep: step) {
      fields[.step]?.refuse(advice)
    }
  }

  /// The value is the number of one of the texts, or -1.
  private func checkChoice(_ fields: Fields, of view: Configuration.View) {
    let property = view.kind.has(.segments) ? ViewProperty.segments : .rows
    if property == .segments { _ = fields.require("segments", "give a list of texts: [Low, High]") }
    let given: [String]? = view.value(of: property)
    // How many there will be of what follows something is not known here.
    if given == nil, view.bound.contains(property) { return }
    let texts = given ?? []
    guard view.value(of: .value, as: Double.self) != nil else { return }
    _ = fields[.value]?.integer(in: -1...texts.count - 1)
  }

  private func checkAngles(_ fields: Fields, of view: Configuration.View) {
    guard let angle = fields[.endAngle] ?? fields[.startAngle], view.kind == .gauge else { return }
    let standard = Gauge(id: "")
    let start = view.value(of: .startAngle) ?? standard.startAngle
    let end = view.value(of: .endAngle) ?? standard.endAngle
    guard !(end > start && end <= start + 360) else { return }
    angle.complain(
      "start_angle is \(start.numeral) and end_angle \(end.numeral); give an end_angle above \(start.numeral), up to "
        + "\((start + 360).numeral)")
  }
}

extension Configuration.View {
  /// The advice to give a value between its limits.
  var adviceOfLimits: String {
    let (minimum, maximum) = limits
    let words = sample?.words(from: minimum, to: maximum)
    return "give " + (words ?? "a number from \(minimum.numeral) to \(maximum.numeral)")
  }

  /// A control like this one before it has limits; nil for one that shows no value.
  fileprivate var sample: Control? {
    let control = kind.make("").control
    control?.apply(settings.filter { $0.property == .mode || $0.property == .rows })
    return control
  }

  /// The lowest and the highest value of one that has limits, in the units of its value; those of its kind
  /// unless the file gives others.
  var limits: (minimum: Double, maximum: Double) {
    let standard = sample?.controlValue ?? ControlValue(0)
    return (value(of: .minimum) ?? standard.minimum, value(of: .maximum) ?? standard.maximum)
  }
}
