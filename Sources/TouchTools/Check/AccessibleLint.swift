import Glibc
import TouchConfig
import TouchCore
import TouchViews

/// Findings about a panel for people who do not see it, do not see well, or whose hands are not steady
/// (`check --accessible`).
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

  /// A control that is announced as nothing. (WCAG 2.2, 4.1.2.)
  private func missingName(of view: View, _ values: Configuration.View) -> Finding? {
    guard values.kind.isControl || view.waitsForTap, values.kind != .keyboard, !isNamed(view, values) else {
      return nil
    }
    return Finding(
      place: values.place,
      sentence: "\(values.id) has no name for people who do not see it; give it one: label: …")
  }

  /// Whether a view has a name, which may be the text of a label in it, or may follow something that is empty
  /// for now.
  private func isNamed(_ view: View, _ values: Configuration.View) -> Bool {
    let follows: [ViewProperty] = [.text, .label]
    return view.spokenName != nil
      || configuration.views.contains {
        $0.bound.contains(where: follows.contains)
          && tree.viewsByID[$0.id].map { $0 === view || $0.kind == .label && $0.isDescendant(of: view) }
            ?? false
      }
  }

  /// The least side of a target: 9 mm at 124 units an inch, as no file knows its display's millimetres. (WCAG
  /// 2.2, 2.5.5: 44 pixels of CSS, as Apple's 44 points; 2.5.8, which is level AA, asks for 24.)
  private static let leastSide = 44.0

  private func smallTarget(_ view: View, _ values: Configuration.View) -> Finding? {
    guard values.kind.isControl || view.waitsForTap, !isInactive(view), view.isUserInteractionEnabled else {
      return nil
    }
    let slop = view.hitBehavior?.slop ?? .zero
    let (width, height) = (
      max(view.bounds.size.width, view.minimumHitSize) + slop.left + slop.right,
      max(view.bounds.size.height, view.minimumHitSize) + slop.top + slop.bottom
    )
    guard min(width, height) < Self.leastSide, view.bounds.size.width > 0, view.bounds.size.height > 0 else {
      return nil
    }
    return Finding(
      place: values.place,
      sentence: "\(values.id) is a target of less than 9 mm (44 units); make it larger, or give it hit_slop",
      figures: " (\(width.plain) × \(height.plain))", isOfSize: true)
  }

  /// Whether a control is disabled, or a view lies in such a one: neither needs contrast or size. (WCAG 2.2,
  /// 1.4.3: "part of an inactive user interface component".)
  private func isInactive(_ view: View) -> Bool {
    sequence(first: view, next: \.superview).contains { $0.control?.isEnabled == false }
  }

  /// The least contrast of a text: less for large letters, of 18 points, or of 14 in bold. (WCAG 2.2, 1.4.3.)
  /// A point is the 72nd part of an inch of 124 units.
  private static func leastContrast(size: Double, isBold: Bool) -> Double {
    size * 72 / 124 >= (isBold ? 14 : 18) ? 3 : 4.5
  }

  private func faintText(of view: View, _ values: Configuration.View) -> Finding? {
    guard let text = view.shownText, !text.isEmpty, !isInactive(view),
      case .map(let font)? = ViewProperty.font.value(of: view),
      case .text(let name)? = font.first(where: { $0.key == "color" })?.value, let color = Color(name)
    else { return nil }
    var (size, isBold) = (18.0, false)
    for entry in font {
      if entry.key == "size", case .number(let number) = entry.value { size = number }
      if entry.key == "weight" { isBold = [.text("bold"), .text("black")].contains(entry.value) }
    }
    let least = Self.leastContrast(size: size, isBold: isBold)
    let contrast = self.contrast(of: color, in: view)
    guard contrast < least else { return nil }
    return Finding(
      place: values.place,
      sentence:
        "the text of \(values.id) has less contrast than \(least.plain) : 1; make it lighter or darker",
      figures: " (it is \(((contrast * 10).rounded(.down) / 10).plain))")
  }

  /// The contrast of a text in a view with what is behind it, from 1 to 21: at the worst place of the view's
  /// gradient, and with the alphas of the views around it.
  private func contrast(of color: Color, in view: View) -> Double {
    var layers = [(front: color.light, back: SIMD4<Double>.zero)]
    for around in sequence(first: view, next: \.superview) {
      let stops =
        around === view ? around.gradient?.stops.map(\.color) : (around.gradient?.middle).map { [$0] }
      let colors = stops ?? [around.background ?? .clear]
      layers = layers.flatMap { layer in
        colors.map {
          (
            Self.lay(layer.front, on: $0.light) * around.alpha,
            Self.lay(layer.back, on: $0.light) * around.alpha
          )
        }
      }
    }
    return layers.map { layer in
      let (one, other) = (Self.luminance(layer.front), Self.luminance(layer.back))
      return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }.min() ?? 21
  }

  private static func lay(_ front: SIMD4<Double>, on back: SIMD4<Double>) -> SIMD4<Double> {
    front + back * (1 - front.w)
  }

  /// The luminance of a colour on black, from 0 to 1. (WCAG 2.2, relative luminance.)
  private static func luminance(_ light: SIMD4<Double>) -> Double {
    func linear(_ channel: Double) -> Double {
      channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(light.x) + 0.7152 * linear(light.y) + 0.0722 * linear(light.z)
  }
}

extension Color {
  /// The channels and the alpha from 0 to 1, premultiplied.
  fileprivate var light: SIMD4<Double> {
    let alpha = Double(alpha) / 255
    return SIMD4(Double(red) / 255 * alpha, Double(green) / 255 * alpha, Double(blue) / 255 * alpha, alpha)
  }
}
