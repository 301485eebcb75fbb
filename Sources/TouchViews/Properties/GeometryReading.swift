import TouchCore

extension AffineTransform {
  /// A matrix, or steps that are done in the order scale, rotate, translate.
  init(_ value: PropertyReader) throws(PropertyError) {
    self = .identity
    if value.isNothing { return }
    guard case .map = value.value else {
      let numbers = try value.numbers(
        ["a", "b", "c", "d", "tx", "ty"].map { ($0, .coordinate) },
        or: " or {rotate: ..., scale: ..., translate: ...}")
      self.init(
        a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
      return
    }
    var (scale, degrees, move) = ([1.0, 1.0], 0.0, [0.0, 0.0])
    try value.fields(["rotate", "scale", "translate"]) { (key, value) throws(PropertyError) in
      switch key {
      case "rotate": degrees = try value.number(in: .coordinate)
      case "scale": scale = try value.scale()
      default: move = try value.numbers([("x", .coordinate), ("y", .coordinate)])
      }
    }
    self = AffineTransform.scale(x: scale[0], y: scale[1]).then(.rotation(degrees: degrees))
      .then(.translation(x: move[0], y: move[1]))
  }
}

extension PropertyReader {
  /// One factor, or one for each axis.
  func scale() throws(PropertyError) -> [Double] {
    if let factor = try? number(in: .coordinate) { return [factor, factor] }
    return try numbers([("x", .coordinate), ("y", .coordinate)], or: " or one number for both")
  }

  /// One distance for all edges, or one for each.
  func insets() throws(PropertyError) -> Insets {
    if let all = try? number(in: .length) { return Insets(top: all, left: all, bottom: all, right: all) }
    let sides = try numbers(
      ["top", "left", "bottom", "right"].map { ($0, .length) }, or: " or one number for all of them")
    return Insets(top: sides[0], left: sides[1], bottom: sides[2], right: sides[3])
  }
}
