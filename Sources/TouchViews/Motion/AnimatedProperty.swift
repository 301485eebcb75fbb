import TouchCore

/// What of a view a picture can show on its way.
enum AnimatedProperty: CaseIterable {
  /// The top-left corner of `layoutRect`.
  case place
  case size
  /// The origin of the bounds: how far it has scrolled.
  case offset
  case transform
  case alpha
  /// Colours, corners and the border's width.
  case appearance
  case textColor
  /// Those of a control's parts.
  case colors
  /// Of a slider, a progress bar or a gauge.
  case number
  /// The place of the part that moves by itself: see `PartPresenting`.
  case part
  /// The colours of a control's states.
  case states
  /// That it is not seen, as a page that another one has replaced.
  case concealment
  /// That it cuts off what is beyond its edges.
  case clipping

  /// Those that a program changes.
  static let settable: [AnimatedProperty] = [
    .place, .size, .offset, .transform, .alpha, .appearance, .textColor, .colors, .number, .part,
  ]
}

/// A view of which pictures show one part on its way, such as a knob, or a colour that fades.
protocol PartPresenting: View {
  /// Where the part is, in a measure of the view; nil while there is no part.
  var ownPart: Double? { get }
  /// Where the part is in a picture that is painted; nil outside of one.
  var presentedPart: Double? { get set }
  /// Whether the part moves in an animation of a program.
  var partIsSettable: Bool { get }
}

extension PartPresenting {
  var partIsSettable: Bool { false }
}

enum AnimatedValue: Equatable {
  case point(LocalPoint)
  case size(Size)
  case matrix(AffineTransform)
  case number(Double)
  case appearance(Appearance)
  case color(Color)
  case colors(ValueControl.Colors)
  case flag(Bool)
  case states(ControlStates)
}

extension View {
  /// What the view has now; nil for what it has not.
  final func value(of property: AnimatedProperty) -> AnimatedValue? {
    switch property {
    case .place: .point(layoutRect.origin)
    case .size: .size(bounds.size)
    case .offset: .point(bounds.origin)
    case .transform: .matrix(transform)
    case .alpha: .number(alpha)
    case .appearance: .appearance(appearance)
    case .textColor: (self as? any TitleHolding).map { .color($0.textStyle.color) }
    case .colors: valueControl.map { .colors($0.colors) }
    case .number: valueControl?.presentableValue.map { .number($0.number) }
    case .part: (self as? any PartPresenting)?.ownPart.map { .number($0) }
    case .states: control.map { .states($0.ownStates) }
    case .concealment: .flag(isConcealed)
    case .clipping: .flag(clipsToBounds)
    }
  }

  private final var valueControl: ValueControl? { self as? ValueControl }

  /// What `present` takes to have the view as it is now.
  final func kept(_ property: AnimatedProperty) -> AnimatedValue? {
    switch property {
    case .part, .states: .flag(false)
    case .place, .size, .offset, .transform, .alpha, .appearance, .textColor, .colors, .number, .concealment,
      .clipping:
      value(of: property)
    }
  }

  /// The same; nil for what no program sets.
  final func settableValue(of property: AnimatedProperty) -> AnimatedValue? {
    if property == .part, !((self as? any PartPresenting)?.partIsSettable ?? false) { return nil }
    return value(of: property)
  }

  /// Has a picture show something else than what the view has. Nothing is damaged.
  final func present(_ value: AnimatedValue, as property: AnimatedProperty) {
    switch (property, value) {
    case (.place, .point(let origin)): present(origin: origin)
    case (.size, .size(let size)): present(bounds: LocalRect(origin: bounds.origin, size: size))
    case (.offset, .point(let origin)): present(bounds: LocalRect(origin: origin, size: bounds.size))
    case (.transform, .matrix(let matrix)): present(transform: matrix)
    case (.alpha, .number(let alpha)): present(alpha: alpha)
    case (.appearance, .appearance(let appearance)): ownLayer.appearance = appearance
    case (.textColor, .color(let color)):
      (self as? any TitleHolding)?.storedTextStyle.color = color
    case (.colors, .colors(let colors)): valueControl?.storedColors = colors
    case (.number, .number(let number)):
      if let valueControl { valueControl.storedValue = valueControl.storedValue?.presenting(number) }
    case (.part, .number(let place)): (self as? any PartPresenting)?.presentedPart = place
    case (.part, .flag): (self as? any PartPresenting)?.presentedPart = nil
    case (.states, .states(let states)): ownLayer.presentedStates = states
    case (.states, .flag): knownLayer?.presentedStates = nil
    case (.concealment, .flag(let isConcealed)): present(isConcealed: isConcealed)
    case (.clipping, .flag(let clips)): present(clipsToBounds: clips)
    default: break
    }
  }
}

// MARK: Between two values

extension AnimatedValue {
  /// What lies between this value and another one of the same kind.
  ///
  /// - Parameters:
  ///   - fraction: 0 is this value, 1 the other one.
  ///   - pixels: how many of them a unit has: places and sizes are on whole ones, where pictures are sharp and nothing has to be drawn
  ///     again that only moves.
  func mixed(with end: AnimatedValue, _ fraction: Double, pixels: Size) -> AnimatedValue {
    if fraction == 1 { return end }
    if fraction == 0 { return self }
    func mix(_ one: Double, _ other: Double) -> Double { one + (other - one) * fraction }
    func mix(_ one: Double, _ other: Double, on scale: Double) -> Double {
      scale > 0 ? (mix(one, other) * scale).rounded() / scale : mix(one, other)
    }
    switch (self, end) {
    case (.point(let one), .point(let other)):
      return .point(
        LocalPoint(
          x: mix(one.x, other.x, on: pixels.width), y: mix(one.y, other.y, on: pixels.height)))
    case (.size(let one), .size(let other)):
      return .size(
        Size(
          width: max(0, mix(one.width, other.width, on: pixels.width)),
          height: max(0, mix(one.height, other.height, on: pixels.height))))
    case (.matrix(let one), .matrix(let other)): return .matrix(one.mixed(with: other, fraction))
    case (.number(let one), .number(let other)): return .number(mix(one, other))
    case (.appearance(let one), .appearance(let other)): return .appearance(one.mixed(with: other, fraction))
    case (.color(let one), .color(let other)): return .color(one.mixed(with: other, fraction))
    case (.colors(let one), .colors(let other)):
      var colors = other
      colors.tint = one.tint.mixed(with: other.tint, fraction)
      colors.track = one.track.mixed(with: other.track, fraction)
      colors.thumb = one.thumb.mixed(with: other.thumb, fraction)
      return .colors(colors)
    case (.states(let one), .states(let other)): return .states(one.mixed(with: other, fraction))
    default: return end
    }
  }
}

extension Color {
  /// A colour between two, premultiplied, so that one that fades in does not come through another.
  package func mixed(with other: Color, _ fraction: Double) -> Color {
    let part = min(max(fraction, 0), 1)
    let (one, two) = (Double(alpha) * (1 - part), Double(other.alpha) * part)
    let sum = one + two
    guard sum > 0 else { return Color(red: other.red, green: other.green, blue: other.blue, alpha: 0) }
    func mix(_ channel: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Double(channel) * one + Double(other) * two) / sum + 0.5)
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: UInt8(sum + 0.5))
  }

  /// The same, and transparent.
  package var clear: Color { Color(red: red, green: green, blue: blue, alpha: 0) }

  /// The same, with a part of its alpha.
  package func faded(to part: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: UInt8(Double(alpha) * min(max(0, part), 1) + 0.5))
  }
}

extension Appearance {
  /// Colours, corners and the border's width move; everything else is as at the end.
  fileprivate func mixed(with end: Appearance, _ fraction: Double) -> Appearance {
    var mixed = end
    if let color = end.background ?? background {
      mixed.background = (background ?? color.clear).mixed(with: end.background ?? color.clear, fraction)
    }
    mixed.cornerRadius = max(0, cornerRadius + (end.cornerRadius - cornerRadius) * fraction)
    if let line = end.border ?? border {
      let (first, last) = (border, end.border)
      mixed.border = Border(
        color: (first?.color ?? line.color.clear).mixed(with: last?.color ?? line.color.clear, fraction),
        width: max(
          0,
          (first?.width ?? line.width) + ((last?.width ?? line.width) - (first?.width ?? line.width))
            * fraction))
    }
    return mixed
  }
}

extension AffineTransform {
  /// A matrix between two: what turns goes on turning, the shorter way, and keeps its size. (As Core Animation takes matrices apart.)
  fileprivate func mixed(with end: AffineTransform, _ fraction: Double) -> AffineTransform {
    func mix(_ one: Double, _ other: Double) -> Double { one + (other - one) * fraction }
    guard let first = Parts(self), let last = Parts(end) else {
      return AffineTransform(
        a: mix(a, end.a), b: mix(b, end.b), c: mix(c, end.c), d: mix(d, end.d), tx: mix(tx, end.tx),
        ty: mix(ty, end.ty))
    }
    var turn = last.degrees - first.degrees
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let upright = AffineTransform(
      a: mix(first.width, last.width), b: 0, c: mix(first.shear, last.shear),
      d: mix(first.height, last.height),
      tx: 0, ty: 0)
    var mixed = upright.then(.rotation(degrees: first.degrees + turn * fraction))
    (mixed.tx, mixed.ty) = (mix(tx, end.tx), mix(ty, end.ty))
    return mixed
  }

  /// A matrix as a scale with a shear, and a turn after it.
  private struct Parts {
    let degrees, width, shear, height: Double

    /// Nil for a matrix that makes everything flat.
    init?(_ matrix: AffineTransform) {
      let right = LocalVector(x: matrix.a, y: matrix.b)
      guard right.length > 0, matrix.determinant != 0 else { return nil }
      degrees = LocalVector(x: 1, y: 0).angle(to: right) * 180 / .pi
      width = right.length
      shear = (matrix.a * matrix.c + matrix.b * matrix.d) / width
      height = matrix.determinant / width
    }
  }
}
