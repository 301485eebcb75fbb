import TouchCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ConfigurationReader {
  /// Six numbers in `CGAffineTransform`'s order, or steps that are done in the order scale, rotate, translate.
  func transform(_ value: Value) -> AffineTransform? {
    if value.node.entries != nil {
      return value.fields(TransformKey.self).map(steps)
    }
    let names = ["a", "b", "c", "d", "tx", "ty"]
    guard
      let matrix = value.numbers(
        names.map { ($0, .coordinate) }, or: "{rotate: ..., scale: ..., translate: ...}")
    else { return nil }
    return AffineTransform(
      a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], tx: matrix[4], ty: matrix[5])
  }

  private func steps(_ fields: Fields<TransformKey>) -> AffineTransform {
    var transform = AffineTransform.identity
    if let value = fields[.scale], let scale = scale(value) {
      transform = .scale(x: scale.x, y: scale.y)
    }
    if let degrees = fields[.rotate]?.number(in: .coordinate) {
      transform = transform.then(.rotation(degrees: degrees))
    }
    if let move = fields[.translate]?.numbers([("x", .coordinate), ("y", .coordinate)]) {
      transform = transform.then(.translation(x: move[0], y: move[1]))
    }
    return transform
  }

  /// One factor, or one for each axis.
  private func scale(_ value: Value) -> (x: Double, y: Double)? {
    if value.finiteNumber != nil { return value.number(in: .coordinate).map { ($0, $0) } }
    return value.numbers([("x", .coordinate), ("y", .coordinate)], or: "one number for both")
      .map { ($0[0], $0[1]) }
  }
}

extension AffineTransform {
  /// A turn that is clockwise as seen, since y grows downwards. Right angles are exact.
  static func rotation(degrees: Double) -> Self {
    let (cosine, sine) =
      switch degrees.truncatingRemainder(dividingBy: 360) {
      case 0: (1.0, 0.0)
      case 90, -270: (0.0, 1.0)
      case 180, -180: (-1.0, 0.0)
      case 270, -90: (0.0, -1.0)
      case let rest: (cos(rest * .pi / 180), sin(rest * .pi / 180))
      }
    return Self(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }
}
