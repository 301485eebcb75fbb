import TouchCore

extension PropertyType where Value == LocalRect {
  /// `[x, y, width, height]`
  static var rect: Self {
    let parts: [(name: String, range: NumberRange)] = [
      ("x", .coordinate), ("y", .coordinate), ("width", .length), ("height", .length),
    ]
    return Self(.list(parts.map { .number($0.range) })) { (reader) throws(PropertyError) in
      let numbers = try reader.numbers(parts)
      return LocalRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    } write: {
      .numbers($0.origin.x, $0.origin.y, $0.size.width, $0.size.height)
    }
  }
}

extension PropertyType {
  /// `[x, y]`
  static func point<Space>() -> Self where Value == Point<Space> {
    Self(.list([.number(.coordinate), .number(.coordinate)])) { (reader) throws(PropertyError) in
      let numbers = try reader.numbers([("x", .coordinate), ("y", .coordinate)])
      return Point(x: numbers[0], y: numbers[1])
    } write: {
      .numbers($0.x, $0.y)
    }
  }
}

extension PropertyType where Value == Size {
  /// `[width, height]`
  static var size: Self {
    Self(.list([.number(.length), .number(.length)])) { (reader) throws(PropertyError) in
      let sides = try reader.numbers([("width", .length), ("height", .length)])
      return Size(width: sides[0], height: sides[1])
    } write: {
      .numbers($0.width, $0.height)
    }
  }
}

extension PropertyType where Value == [Double?] {
  /// Lengths by these names, of which each may be nothing.
  static func lengths(_ names: String...) -> Self {
    let length = PropertyType<Double>.length.orNone
    return Self(.list(names.map { _ in length.shape })) { (reader) throws(PropertyError) in
      try reader.list(of: names, or: ", with null for what the content decides") {
        (_, item) throws(PropertyError) in try length.read(item)
      }
    } write: {
      .list($0.map(length.write))
    }
  }
}

extension PropertyType where Value == Insets {
  /// One distance for all edges, or one for each.
  static var insets: Self {
    let sides = ["top", "left", "bottom", "right"]
    let lengths = sides.map { _ in PropertyShape.number(.length) }
    return Self(.either([.number(.length), .list(lengths)])) { (reader) throws(PropertyError) in
      if reader.number != nil {
        let all = try reader.number(in: .length)
        return Insets(top: all, left: all, bottom: all, right: all)
      }
      let sides = try reader.numbers(sides.map { ($0, .length) }, or: " or one number for all of them")
      return Insets(top: sides[0], left: sides[1], bottom: sides[2], right: sides[3])
    } write: {
      .numbers($0.top, $0.left, $0.bottom, $0.right)
    }
  }
}

extension PropertyType where Value == Corners {
  /// One radius for all corners, or one for each.
  static var corners: Self {
    let names = ["top left", "top right", "bottom right", "bottom left"]
    let lengths = names.map { _ in PropertyShape.number(.length) }
    return Self(.either([.number(.length), .list(lengths)])) { (reader) throws(PropertyError) in
      // What is no list is most likely a wrong number.
      guard reader.hasItems else { return Corners(try reader.number(in: .length)) }
      let radii = try reader.numbers(names.map { ($0, .length) }, or: " or one number for all of them")
      return Corners(topLeft: radii[0], topRight: radii[1], bottomRight: radii[2], bottomLeft: radii[3])
    } write: {
      $0.isUniform ? .number($0.topLeft) : .numbers($0.topLeft, $0.topRight, $0.bottomRight, $0.bottomLeft)
    }
  }
}

extension PropertyType where Value == AffineTransform {
  /// A matrix, or steps that are done in the order scale, rotate, translate.
  static var transform: Self {
    let names = ["a", "b", "c", "d", "tx", "ty"]
    let matrix = PropertyShape.list(names.map { _ in .number(.coordinate) })
    let steps = PropertyShape.parts(of: "a transform", TransformSteps.parts.map { $0.described(by: nil) })
    return Self(.either([matrix, steps, .nothing])) { (reader) throws(PropertyError) in
      if reader.isNothing { return .identity }
      if case .map = reader.value {
        var steps = TransformSteps()
        try reader.parts(TransformSteps.parts).apply(to: &steps, TransformSteps.parts)
        return steps.transform
      }
      let numbers = try reader.numbers(
        names.map { ($0, .coordinate) }, or: " or {rotate: ..., scale: ..., translate: ...}")
      return AffineTransform(
        a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
    } write: {
      .numbers($0.a, $0.b, $0.c, $0.d, $0.tx, $0.ty)
    }
  }
}

private struct TransformSteps: Sendable {
  var degrees = 0.0
  var factors = LocalPoint(x: 1, y: 1)
  var way = LocalPoint.zero

  static let parts: [PropertyPart<TransformSteps>] = [
    PropertyPart("rotate", \.degrees, .coordinate, "Degrees, clockwise."),
    PropertyPart("scale", \.factors, .factors, "One factor, or one for each axis."),
    PropertyPart("translate", \.way, .point(), "x and y, in the superview's units."),
  ]

  var transform: AffineTransform {
    AffineTransform.scale(x: factors.x, y: factors.y).then(.rotation(degrees: degrees))
      .then(.translation(x: way.x, y: way.y))
  }
}

extension PropertyType where Value == LocalPoint {
  /// One factor, or one for each axis.
  fileprivate static var factors: Self {
    let axes: [(name: String, range: NumberRange)] = [("x", .coordinate), ("y", .coordinate)]
    return Self(.either([.number(.coordinate), .list(axes.map { .number($0.range) })])) {
      (reader) throws(PropertyError) in
      if reader.number != nil {
        let factor = try reader.number(in: .coordinate)
        return LocalPoint(x: factor, y: factor)
      }
      let factors = try reader.numbers(axes, or: " or one number for both")
      return LocalPoint(x: factors[0], y: factors[1])
    } write: {
      .numbers($0.x, $0.y)
    }
  }
}

extension PropertyValue {
  static func numbers(_ numbers: Double...) -> PropertyValue { .list(numbers.map { .number($0) }) }
}
