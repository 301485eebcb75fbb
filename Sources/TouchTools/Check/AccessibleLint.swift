import Glibc
import TouchConfig
import TouchCore
import TouchViews

/// Findings about a panel for people who do not see it, do not see well, or whose hands are not steady (`check --accessible`).
extension TreeLint {
  func accessibleFindings() -> [Finding] {
    var isLeftOut: [Bool] = []
    return configuration.views.flatMap { values -> [Finding] in
      let view = tree.viewsByID[values.id]
      isLeftOut.append(
        view.map { $0.isHidden || $0.alpha == 0 || showsNoRow($0, values) } ?? true
          || values.parent.map { isLeftOut[$0] } ?? false)
      guard isLeftOut.last == false, let view else { return [] }
      return [missingName(of: view, values), smallTarget(view, values), faintText(of: view, values)]
        .compactMap(\.self)
    }
  }

  /// A control that is announced as nothing.
  private func missingName(of view: View, _ values: Configuration.View) -> Finding? {
    guard values.kind.isControl, values.kind != .keyboard, view.spokenLabel == nil else { return nil }
    // A text that follows something is empty for now.
    let named: [ViewProperty] = [.text, .label]
    guard !values.bound.contains(where: named.contains) else { return nil }
    return Finding(
      place: values.place,
      sentence: "\(values.id) has no name for people who do not see it; give it one: label: …")
  }

  /// The least side of a target: 9 mm at 124 pixels an inch, where a unit is a pixel. (ISO 9241-411 and Apple's 44 points.)
  private static let leastSide = 44.0

  private func smallTarget(_ view: View, _ values: Configuration.View) -> Finding? {
    guard let control = view.control, values.kind.isControl, control.isEnabled, view.isUserInteractionEnabled
    else {
      return nil
    }
    let slop = view.hitBehavior?.slop ?? .zero
    let (width, height) = (
      max(view.bounds.size.width, control.minimumHitSize) + slop.left + slop.right,
      max(view.bounds.size.height, control.minimumHitSize) + slop.top + slop.bottom
    )
    guard min(width, height) < Self.leastSide, view.bounds.size.width > 0, view.bounds.size.height > 0 else {
      return nil
    }
    return Finding(
      place: values.place,
      sentence: "\(values.id) is a target of less than 9 mm (44 units); make it larger, or give it hit_slop",
      figures: " (\(width.plain) × \(height.plain))", isOfSize: true)
  }

  /// The least contrast of a text. (WCAG 2.2, 1.4.3.)
  private static let leastContrast = 4.5

  private func faintText(of view: View, _ values: Configuration.View) -> Finding? {
    guard let text = view.shownText, !text.isEmpty, view.control?.isEnabled ?? true,
      case .map(let font)? = ViewProperty.font.value(of: view),
      case .text(let name)? = font.first(where: { $0.key == "color" })?.value, let color = Color(name)
    else { return nil }
    let contrast = Self.contrast(of: color, on: view.surfaceColor)
    guard contrast < Self.leastContrast else { return nil }
    return Finding(
      place: values.place,
      sentence: "the text of \(values.id) has less contrast than 4.5 : 1; make it lighter or darker",
      figures: " (it is \(((contrast * 10).rounded(.down) / 10).plain))")
  }

  /// Returns the contrast of a colour on an opaque one, from 1 to 21. (WCAG 2.2, contrast ratio.)
  static func contrast(of color: Color, on behind: Color) -> Double {
    let part = Double(color.alpha) / 255
    func luminance(_ channels: [Double]) -> Double {
      let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    func channels(_ color: Color) -> [Double] {
      [color.red, color.green, color.blue].map { Double($0) / 255 }
    }
    let back = channels(behind)
    let front = zip(channels(color), back).map { $0 * part + $1 * (1 - part) }
    let (one, other) = (luminance(front), luminance(back))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}
