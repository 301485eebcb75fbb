/// A box of the index: 32-bit floats, rounded outward, laid out so that one comparison tells whether a point is inside.
struct IndexBox: Equatable {
  /// minX, minY, −maxX, −maxY: two boxes are joined by the smaller of each.
  var lanes: SIMD4<Float>

  init(lanes: SIMD4<Float>) {
    self.lanes = lanes
  }

  init(_ reach: HitBounds) {
    lanes = SIMD4(
      reach.minX.roundedDown, reach.minY.roundedDown, (-reach.maxX).roundedDown, (-reach.maxY).roundedDown)
  }

  /// Whether a point is inside, the edges included.
  func contains(_ probe: IndexProbe) -> Bool { all(lanes .<= probe.lanes) }

  func union(_ other: Self) -> Self {
    Self(lanes: lanes.replacing(with: other.lanes, where: other.lanes .< lanes))
  }

  /// Half of the circumference: what it costs to have the box in a tree. An endless box costs very much.
  var cost: Float { min(-(lanes[0] + lanes[1] + lanes[2] + lanes[3]), 1e30) }
}

/// A point for `IndexBox`: each coordinate rounded both ways, so that no box loses it.
struct IndexProbe {
  var lanes: SIMD4<Float>

  init(_ point: LocalPoint) {
    // An edge is a 32-bit float, so `edge <= x` says the same of x and of the next such float towards the edge.
    lanes = SIMD4(point.x.roundedDown, point.y.roundedDown, (-point.x).roundedDown, (-point.y).roundedDown)
  }
}

extension Double {
  /// The largest 32-bit float that is not above the number.
  fileprivate var roundedDown: Float {
    let nearest = Float(self)
    return Double(nearest) > self ? nearest.nextDown : nearest
  }
}
