/// A box outside which neither a view nor its subviews can be hit. It may be too large, never too small: the
/// index only saves hit tests, and the remaining views are tested themselves. The space depends on the use.
struct HitBounds {
  var minX, minY, maxX, maxY: Double

  static var nothing: Self { Self(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity) }
  static var everything: Self { Self(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity) }

  var isNothing: Bool { !(minX <= maxX && minY <= maxY) }

  func union(_ other: Self) -> Self {
    Self(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }

  private var magnitude: Double { max(abs(minX), abs(minY), abs(maxX), abs(maxY)) }

  /// The reach in the superview's space.
  ///
  /// A point `p` is converted by `local`, the rounded inverse of `parent`, with rounding of its own. So the
  /// box that `parent` gives is too small by up to `share · |p| + fixed`: half a unit in the last place for
  /// each of a few operations, and the deviation of `parent · local` from the identity. A point in the result
  /// is no farther out than the box and its margin, which bounds `|p|`. If the matrix nearly has no inverse,
  /// there is no such bound, and the reach is everything.
  func mapped(by parent: AffineTransform, inverse local: AffineTransform) -> Self {
    guard !isNothing, magnitude.isFinite else { return isNothing ? .nothing : .everything }
    if parent.isTranslation && local.isTranslation { return moved(by: parent) }
    let box = bounding(parent)
    let unit = 8 * Double.ulpOfOne
    let out = parent.magnitude * local.magnitude
    let back = local.then(parent)
    let share = unit * out + max(abs(back.a - 1) + abs(back.c), abs(back.b) + abs(back.d - 1))
    let shift = parent.magnitude * local.shift + parent.shift
    let fixed =
      unit * (parent.magnitude * magnitude + shift + box.magnitude) + max(abs(back.tx), abs(back.ty))
    guard share < 0.25 else { return .everything }
    let margin = share * (box.magnitude + fixed) / (1 - share) + fixed
    guard margin.isFinite else { return .everything }
    return Self(
      minX: box.minX - margin, minY: box.minY - margin, maxX: box.maxX + margin, maxY: box.maxY + margin)
  }

  /// The result of `mapped(by:inverse:)` for a translation: the only error is the rounding of a few sums.
  private func moved(by parent: AffineTransform) -> Self {
    let box = Self(
      minX: minX + parent.tx, minY: minY + parent.ty, maxX: maxX + parent.tx, maxY: maxY + parent.ty)
    let margin = 16 * Double.ulpOfOne * (magnitude + parent.shift + box.magnitude)
    guard margin.isFinite else { return .everything }
    return Self(
      minX: box.minX - margin, minY: box.minY - margin, maxX: box.maxX + margin, maxY: box.maxY + margin)
  }

  private func bounding(_ matrix: AffineTransform) -> Self {
    var box = Self.nothing
    for (x, y) in [(minX, minY), (maxX, minY), (minX, maxY), (maxX, maxY)] {
      let mappedX = matrix.a * x + matrix.c * y + matrix.tx
      let mappedY = matrix.b * x + matrix.d * y + matrix.ty
      box = box.union(Self(minX: mappedX, minY: mappedY, maxX: mappedX, maxY: mappedY))
    }
    return box
  }
}

extension HitBounds {
  init(_ rect: LocalRect) {
    self.init(minX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
    if isNothing { self = .nothing }
  }

  init(_ box: IndexBox) {
    self.init(
      minX: Double(box.lanes[0]), minY: Double(box.lanes[1]), maxX: -Double(box.lanes[2]),
      maxY: -Double(box.lanes[3]))
  }
}

extension AffineTransform {
  /// The largest factor by which a vector's larger coordinate can grow.
  fileprivate var magnitude: Double { max(abs(a) + abs(c), abs(b) + abs(d)) }
  fileprivate var shift: Double { max(abs(tx), abs(ty)) }
}

extension View {
  /// The area in the superview's space in which the view, without overrides, or a part can be hit.
  final var reach: HitBounds {
    guard canBeHit, let localFromParent else { return .nothing }
    return localReach.mapped(by: parentFromLocal, inverse: localFromParent)
  }

  private var localReach: HitBounds {
    guard let behavior = hitExtension?.behavior else { return HitBounds(enlargedBounds ?? bounds) }
    var reach = behavior.shape.box(in: bounds).map { HitBounds($0.outset(by: behavior.slop)) } ?? .nothing
    if let enlargedBounds { reach = reach.union(HitBounds(enlargedBounds)) }
    guard behavior.shape == .children || behavior.asksOutside(self) else { return reach }
    if let index = currentIndex { return reach.union(index._withUnsafeGuaranteedRef(\.reach)) }
    for subview in subviews { reach = reach.union(subview.reach) }
    return reach
  }
}

/// A box of the index, in 32-bit floats rounded outward. One comparison tells whether a point is inside.
struct IndexBox: Equatable {
  /// The four edges as minX, minY, −maxX, −maxY: the union of two boxes has the smaller of each.
  var lanes: SIMD4<Float>

  /// The box that contains no point, and adds nothing to another box.
  static var nothing: Self { Self(lanes: SIMD4(repeating: .infinity)) }

  init(lanes: SIMD4<Float>) { self.lanes = lanes }

  init(_ reach: HitBounds) {
    lanes = SIMD4(
      reach.minX.roundedDown, reach.minY.roundedDown, (-reach.maxX).roundedDown, (-reach.maxY).roundedDown)
  }

  func contains(_ probe: IndexProbe) -> Bool { all(lanes .<= probe.lanes) }

  func union(_ other: Self) -> Self {
    Self(lanes: lanes.replacing(with: other.lanes, where: other.lanes .< lanes))
  }

  /// Half of the circumference: the cost of having the box in a tree. An endless box costs very much.
  var cost: Float { min(-(lanes[0] + lanes[1] + lanes[2] + lanes[3]), 1e30) }
}

/// A point for `IndexBox`, or a box that it overlaps, rounded to 32-bit floats so that no box loses it.
struct IndexProbe {
  var lanes: SIMD4<Float>

  @inline(__always)
  init(_ point: LocalPoint) {
    // Rounding keeps the order, and an edge is a 32-bit float: if `edge <= x`, then `edge <= Float(x)`.
    let nearest = SIMD2<Float>(SIMD2(point.x, point.y))
    lanes = SIMD4(lowHalf: nearest, highHalf: -nearest)
  }

  init(overlapping box: IndexBox) { lanes = -SIMD4(lowHalf: box.lanes.highHalf, highHalf: box.lanes.lowHalf) }
}

extension Double {
  /// The largest 32-bit float that is not above the number.
  fileprivate var roundedDown: Float {
    let nearest = Float(self)
    return Double(nearest) > self ? nearest.nextDown : nearest
  }
}
