import TouchConfig
import TouchCore
import TouchViews

/// Findings about a panel for people who do not see it, do not see well, or whose hands are not steady
/// (`check --accessible`).
extension TreeLint {
  func accessibleFindings() -> [Finding] {
    var isLeftOut: [Bool] = []
    let named = viewsNamedLater()
    return configuration.views.flatMap { values -> [Finding] in
      let view = tree.viewsByID[values.id]
      isLeftOut.append(
        view.map { $0.isHidden || $0.alpha == 0 || showsNoRow($0, values) } ?? true
          || values.parent.map { isLeftOut[$0] } ?? false)
      guard isLeftOut.last == false, let view else { return [] }
      return [missingName(of: view, values, named), smallTarget(view, values), faintText(of: view, values)]
        .compactMap(\.self)
    }
  }

  /// A control that is announced as nothing. (WCAG 2.2, 4.1.2.)
  private func missingName(
    of view: View, _ values: Configuration.View, _ named: Set<ObjectIdentifier>
  ) -> Finding? {
    guard values.kind.isControl || view.waitsForTap, values.kind != .keyboard, view.spokenName == nil,
      !named.contains(ObjectIdentifier(view))
    else { return nil }
    return Finding(
      place: values.place,
      sentence: "\(values.id) has no name for people who do not see it; give it one: label: …")
  }

  /// Returns the views whose name follows something that is empty for now: their own, or the text of a label in
  /// them.
  private func viewsNamedLater() -> Set<ObjectIdentifier> {
    let follows: [ViewProperty] = [.text, .label]
    var (named, around): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
    for values in configuration.views where values.bound.contains(where: follows.contains) {
      guard let view = tree.viewsByID[values.id] else { continue }
      named.insert(ObjectIdentifier(view))
      guard view.kind == .label else { continue }
      // The views around one that was met before were met, too.
      for outer in sequence(first: view, next: \.superview).dropFirst()
      where !around.insert(ObjectIdentifier(outer)).inserted { break }
    }
    return named.union(around)
  }

  /// The least side of a target: 9 mm at 124 units an inch, as no file knows its display's millimetres. (WCAG
  /// 2.2, 2.5.5: 44 pixels of CSS, as Apple's 44 points; 2.5.8, which is level AA, asks for 24.)
  private static let leastSide = 44.0

  private func smallTarget(_ view: View, _ values: Configuration.View) -> Finding? {
    guard values.kind.isControl || view.waitsForTap, !isInactive(view), view.isUserInteractionEnabled else {
      return nil
    }
    let slop = view.hitBehavior?.slop ?? .zero
    let matrix = view.windowFromLocal
    func scaled(_ length: Double, _ x: Double, _ y: Double) -> Double {
      length * (x * x + y * y).squareRoot()
    }
    let (width, height) = (
      scaled(max(view.bounds.size.width, view.minimumHitSize) + slop.left + slop.right, matrix.a, matrix.b),
      scaled(max(view.bounds.size.height, view.minimumHitSize) + slop.top + slop.bottom, matrix.c, matrix.d)
    )
    guard min(width, height) + 1e-6 < Self.leastSide, view.bounds.size.width > 0, view.bounds.size.height > 0
    else {
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
    return layers.map { Color.contrast($0.front, $0.back) }.min() ?? 21
  }

  private static func lay(_ front: SIMD4<Double>, on back: SIMD4<Double>) -> SIMD4<Double> {
    front + back * (1 - front.w)
  }
}
