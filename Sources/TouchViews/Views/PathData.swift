import TouchCore

extension Path {
  /// Reads path data of SVG, such as `M4 4h16v16H4z`. (SVG 1.1, chapter 8.3.)
  ///
  /// - Returns: nil for a text with a fault, and for one that is longer than 8192 bytes.
  public init?(svg data: String) {
    guard data.utf8.count <= Self.longestData else { return nil }
    self.init()
    var reader = PathDataReader(bytes: Array(data.utf8), path: self)
    guard reader.read() else { return nil }
    self = reader.path
  }

  private static let longestData = 8192
}

/// Reads the commands of path data, one after the other.
private struct PathDataReader {
  let bytes: [UInt8]
  private(set) var path: Path
  private var place = 0
  /// The current point, and where the part began.
  private var point = LocalPoint.zero, start = LocalPoint.zero
  /// The last control point, for a smooth curve after one of the same kind.
  private var control: (point: LocalPoint, isCubic: Bool)?

  init(bytes: [UInt8], path: Path) { (self.bytes, self.path) = (bytes, path) }

  /// - Returns: whether all of the text could be read.
  mutating func read() -> Bool {
    var command: UInt8 = 0
    while let next = peek() {
      if Self.letters.contains(next) {
        command = next
        place += 1
      } else if command | 0x20 == UInt8(ascii: "m") {
        // More points after the first are lines.
        command -= UInt8(ascii: "M") - UInt8(ascii: "L")
      } else if command | 0x20 == UInt8(ascii: "z") {
        return false
      }
      guard path.elements.isEmpty == false || command | 0x20 == UInt8(ascii: "m"), run(command) else {
        return false
      }
    }
    return true
  }

  private static let letters = Array("MmLlHhVvCcSsQqTtAaZz".utf8)

  /// The next byte that is no space; nil at the end.
  private mutating func peek() -> UInt8? {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ",")].contains(bytes[place]) {
      place += 1
    }
    return place < bytes.count ? bytes[place] : nil
  }

  /// Reads a number, which ends where the next one can begin: `.5.5`, `1-2`.
  private mutating func number() -> Double? {
    guard peek() != nil else { return nil }
    let start = place
    if bytes[place] == UInt8(ascii: "-") || bytes[place] == UInt8(ascii: "+") { place += 1 }
    var hasPoint = false
    while place < bytes.count, (0x30...0x39).contains(bytes[place]) || bytes[place] == 0x2E && !hasPoint {
      hasPoint = hasPoint || bytes[place] == 0x2E
      place += 1
    }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      place += 1
      if place < bytes.count, bytes[place] == 0x2D || bytes[place] == 0x2B { place += 1 }
      while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    guard let number = Double(text.first == "+" ? String(text.dropFirst()) : text), abs(number) <= 1e6 else {
      return nil
    }
    return number
  }

  /// Reads one of the two digits that an arc has, which need no space between them.
  private mutating func flag() -> Bool? {
    guard let digit = peek(), digit == 0x30 || digit == 0x31 else { return nil }
    place += 1
    return digit == 0x31
  }

  private mutating func point(_ isRelative: Bool) -> LocalPoint? {
    guard let x = number(), let y = number() else { return nil }
    return isRelative ? point.offset(x: x, y: y) : LocalPoint(x: x, y: y)
  }

  private mutating func run(_ command: UInt8) -> Bool {
    let isRelative = command & 0x20 != 0
    let before = control
    control = nil
    switch Character(Unicode.Scalar(command & ~0x20)) {
    case "M":
      guard let end = point(isRelative) else { return false }
      path.move(to: end)
      (point, start) = (end, end)
    case "L":
      guard let end = point(isRelative) else { return false }
      line(to: end)
    case "H":
      guard let x = number() else { return false }
      line(to: LocalPoint(x: isRelative ? point.x + x : x, y: point.y))
    case "V":
      guard let y = number() else { return false }
      line(to: LocalPoint(x: point.x, y: isRelative ? point.y + y : y))
    case "C":
      guard let first = point(isRelative) else { return false }
      return curve(from: first, isRelative)
    case "S": return curve(from: smooth(before, isCubic: true), isRelative)
    case "Q":
      guard let middle = point(isRelative) else { return false }
      return quadCurve(middle, isRelative)
    case "T": return quadCurve(smooth(before, isCubic: false), isRelative)
    case "A": return arc(isRelative)
    default:
      path.close()
      point = start
    }
    return true
  }

  /// A part after a closed one begins where that began.
  private mutating func begin() { if path.currentPoint == nil { path.move(to: point) } }

  private mutating func line(to end: LocalPoint) {
    begin()
    path.addLine(to: end)
    point = end
  }

  /// The mirror image of the last control point, or the current point.
  private func smooth(_ before: (point: LocalPoint, isCubic: Bool)?, isCubic: Bool) -> LocalPoint {
    guard let before, before.isCubic == isCubic else { return point }
    return LocalPoint(x: 2 * point.x - before.point.x, y: 2 * point.y - before.point.y)
  }

  private mutating func curve(from first: LocalPoint, _ isRelative: Bool) -> Bool {
    guard let second = point(isRelative), let end = point(isRelative) else { return false }
    begin()
    path.addCurve(to: end, control1: first, control2: second)
    (point, control) = (end, (second, true))
    return true
  }

  private mutating func quadCurve(_ middle: LocalPoint, _ isRelative: Bool) -> Bool {
    guard let end = point(isRelative) else { return false }
    begin()
    path.addQuadCurve(to: end, control: middle)
    (point, control) = (end, (middle, false))
    return true
  }

  // MARK: Arcs

  private mutating func arc(_ isRelative: Bool) -> Bool {
    guard let width = number(), let height = number(), let angle = number(), let isLarge = flag(),
      let isClockwise = flag(), let end = point(isRelative)
    else { return false }
    let radii = (x: abs(width), y: abs(height))
    guard radii.x > 0, radii.y > 0, end != point else {
      line(to: end)
      return true
    }
    begin()
    // In the space in which the ellipse is a circle around zero with the radius 1. (SVG 1.1, F.6.5.)
    let turn = AffineTransform.rotation(degrees: angle)
    let half = (x: (point.x - end.x) / 2, y: (point.y - end.y) / 2)
    let u = (
      x: (turn.a * half.x + turn.b * half.y) / radii.x, y: (turn.a * half.y - turn.b * half.x) / radii.y
    )
    let length = u.x * u.x + u.y * u.y
    // An ellipse that is too small grows.
    let scale = max(1, length.squareRoot())
    var rest = max(0, 1 / max(length, 1e-12) - 1).squareRoot()
    if isLarge == isClockwise { rest = -rest }
    let center = scale > 1 ? (x: 0.0, y: 0.0) : (x: rest * u.y, y: -rest * u.x)
    let middle = LocalPoint(x: (point.x + end.x) / 2, y: (point.y + end.y) / 2)
    func place(_ x: Double, _ y: Double) -> LocalPoint {
      let (x, y) = ((x + center.x) * radii.x * scale, (y + center.y) * radii.y * scale)
      return middle.offset(x: turn.a * x - turn.b * y, y: turn.b * x + turn.a * y)
    }
    let first = (x: u.x / scale - center.x, y: u.y / scale - center.y)
    let last = (x: -u.x / scale - center.x, y: -u.y / scale - center.y)
    addArc(from: first, to: last, isClockwise, depth: 0, place)
    point = end
    return true
  }

  /// Adds a part of the circle, cut in halves until each is at most a quarter.
  private mutating func addArc(
    from first: (x: Double, y: Double), to last: (x: Double, y: Double), _ isClockwise: Bool, depth: Int,
    _ place: (Double, Double) -> LocalPoint
  ) {
    let (dot, cross) = (first.x * last.x + first.y * last.y, first.x * last.y - first.y * last.x)
    let isShort = (cross > 0) == isClockwise
    let side = isClockwise ? 1.0 : -1.0
    guard !isShort || dot < -1e-9, depth < 3 else {
      // The length of the tangents, by the tangent of a fourth of the angle.
      let cosine = max(0, (1 + dot) / 2).squareRoot()
      let tangent = 4 / 3 * max(0, 1 - cosine * cosine).squareRoot() / (1 + cosine) * side
      path.addCurve(
        to: place(last.x, last.y), control1: place(first.x - tangent * first.y, first.y + tangent * first.x),
        control2: place(last.x + tangent * last.y, last.y - tangent * last.x))
      return
    }
    var middle = (x: first.x + last.x, y: first.y + last.y)
    let length = (middle.x * middle.x + middle.y * middle.y).squareRoot()
    middle =
      length < 1e-6
      ? (-side * first.y, side * first.x)
      : (middle.x / length * (isShort ? 1 : -1), middle.y / length * (isShort ? 1 : -1))
    addArc(from: first, to: middle, isClockwise, depth: depth + 1, place)
    addArc(from: middle, to: last, isClockwise, depth: depth + 1, place)
  }
}
