import TouchCore

/// A property of a view that pictures can show in motion.
enum AnimatedProperty: CaseIterable {
  /// The top-left corner of `layoutRect`.
  case place
  case size
  /// The origin of the bounds: the distance scrolled.
  case offset
  case transform, alpha
  /// The colours, the corners and the border's width.
  case appearance
  case textColor
  /// The colours of a control's parts.
  case colors
  /// The value of a slider, a progress bar or a gauge.
  case number
  /// The place of a part that moves by itself. See `PartPresenting`.
  case part
  /// The colours of a control's states.
  case states
  /// The concealment of the view, such as a page that another one has replaced.
  case concealment
  case clipping

  static let settable: [AnimatedProperty] = [
    .place, .size, .offset, .transform, .alpha, .appearance, .textColor, .colors, .number, .part,
  ]
}

/// A view whose pictures show one part in motion, such as a knob or a fading colour.
protocol PartPresenting: View {
  /// The place of the part, in a measure of the view; nil while there is no part.
  var ownPart: Double? { get }
  /// The place of the part in the picture being painted; nil outside of one.
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
  /// Returns the view's present value; nil for a property that it lacks.
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

  /// The value with which `present` shows the view as it is now.
  final func kept(_ property: AnimatedProperty) -> AnimatedValue? {
    switch property {
    case .part, .states: .flag(false)
    case .place, .size, .offset, .transform, .alpha, .appearance, .textColor, .colors, .number, .concealment,
      .clipping:
      value(of: property)
    }
  }

  /// Returns the same value; nil for a property that no program sets.
  final func settableValue(of property: AnimatedProperty) -> AnimatedValue? {
    if property == .part, !((self as? any PartPresenting)?.partIsSettable ?? false) { return nil }
    return value(of: property)
  }

  /// Has a picture show another value than the view's own. Nothing is damaged.
  final func present(_ value: AnimatedValue, as property: AnimatedProperty) {
    switch (property, value) {
    case (.place, .point(let origin)): present(origin: origin)
    case (.size, .size(let size)): present(bounds: LocalRect(origin: bounds.origin, size: size))
    case (.offset, .point(let origin)): present(bounds: LocalRect(origin: origin, size: bounds.size))
    case (.transform, .matrix(let matrix)): present(transform: matrix)
    case (.alpha, .number(let alpha)): present(alpha: alpha)
    case (.appearance, .appearance(let appearance)): ownLayer.appearance = appearance
    case (.textColor, .color(let color)): (self as? any TitleHolding)?.storedTextStyle.color = color
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
  /// Returns a value between this one and another of the same kind.
  /// - Parameter fraction: the fraction, from 0 for this value to 1 for the other one.
  /// - Parameter pixels: the number of pixels in a unit. Places and sizes are at whole pixels, where
  ///   pictures are sharp and a moving view needs no new drawing.
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
  /// Returns a colour between two, mixed premultiplied, so that a faded colour does not shine through.
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

  /// The same colour, transparent.
  package var clear: Color { Color(red: red, green: green, blue: blue, alpha: 0) }

  /// Returns the same colour with a part of its alpha.
  package func faded(to part: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: UInt8(Double(alpha) * min(max(0, part), 1) + 0.5))
  }
}

extension Appearance {
  /// Returns a mix of the colours, the corners and the border's width. The rest is as at the end.
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
  /// Returns a matrix between two. A turn takes the shorter way and keeps its size, as in Core Animation.
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

  /// A matrix as a scale with a shear, followed by a turn.
  private struct Parts {
    let degrees, width, shear, height: Double

    /// - Returns: nil for a matrix that flattens everything.
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
