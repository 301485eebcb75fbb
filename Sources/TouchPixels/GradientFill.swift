import TouchCore
import TouchViews

/// The colours from the beginning of a gradient to its end, premultiplied.
package final class GradientRamp {
  /// The number of steps. More would show no difference: eight bits have 256.
  static let count = 1024
  fileprivate let pixels: UnsafeMutablePointer<UInt32>
  let isOpaque: Bool

  package init(_ stops: [Gradient.Stop]) {
    pixels = .allocate(capacity: Self.count)
    pixels.initialize(repeating: 0, count: Self.count)
    isOpaque = stops.allSatisfy { $0.color.alpha == 255 }
    guard var from = stops.first else { return }
    var next = 0
    for step in 0..<Self.count {
      let place = (Double(step) + 0.5) / Double(Self.count)
      while next < stops.count, stops[next].place <= place {
        from = stops[next]
        next += 1
      }
      let to = next < stops.count ? stops[next] : from
      let part = to.place > from.place ? max(0, (place - from.place) / (to.place - from.place)) : 0
      pixels[step] = Self.mix(from.color.premultiplied(), to.color.premultiplied(), part)
    }
  }

  deinit { pixels.deallocate() }

  private static func mix(_ one: UInt32, _ other: UInt32, _ part: Double) -> UInt32 {
    var mixed: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      let (from, to) = (Double(one >> shift & 255), Double(other >> shift & 255))
      mixed |= UInt32(from + (to - from) * part + 0.5) << shift
    }
    return mixed
  }

  /// Returns the pixel at a place in steps; beyond an end, that end's colour.
  @inline(__always)
  fileprivate func pixel(at place: Double) -> UInt32 {
    pixels[Int(max(0, min(Double(Self.count - 1), place)))]
  }
}

/// A gradient over an area of the display, reused for others. A pixel depends only on its place, so painting
/// a part gives the same pixels as painting everything.
package final class GradientFill {
  /// A number that grows evenly along the rows and columns of pixels.
  private struct Plane {
    var x, y: Double
    var start: Double

    static var zero: Plane { Plane(x: 0, y: 0, start: 0) }

    private init(x: Double, y: Double, start: Double) { (self.x, self.y, self.start) = (x, y, start) }

    /// Makes it by slopes for each unit of the local space, and the point at which it is 0.
    init(_ slopes: (x: Double, y: Double), from origin: LocalPoint, _ localFromDisplay: AffineTransform) {
      let matrix = localFromDisplay
      func slope(_ x: Double, _ y: Double) -> Double {
        let slope = slopes.x * x + slopes.y * y
        // Over a whole display that is no step.
        return abs(slope) < 1e-6 ? 0 : slope
      }
      (x, y) = (slope(matrix.a, matrix.b), slope(matrix.c, matrix.d))
      let middle: LocalPoint = matrix.map(Point<DisplaySpace>(x: 0.5, y: 0.5))
      start = slopes.x * (middle.x - origin.x) + slopes.y * (middle.y - origin.y)
    }
  }

  private enum Way {
    case linear(Plane)
    /// The distance from the centre, whose coordinates are in steps of the ramp.
    case radial(Plane, Plane)
    /// The angle around the centre, in turns clockwise from where it begins, up to a number.
    case conic(Plane, Plane, turns: Double)
  }

  private var ramp = GradientRamp([])
  private var way = Way.radial(.zero, .zero)

  /// Makes a fill that paints nothing, until it gets a gradient.
  package init() {}

  /// Sets the ramp of the stops over an area in local units; false for a transform without an inverse.
  package func set(
    _ gradient: Gradient, _ ramp: GradientRamp, over rect: LocalRect, displayFromLocal: AffineTransform
  ) -> Bool {
    guard let inverse = displayFromLocal.inverse, !rect.isEmpty else { return false }
    self.ramp = ramp
    let (width, height, steps) = (rect.maxX - rect.minX, rect.maxY - rect.minY, Double(GradientRamp.count))
    let center = LocalPoint(
      x: rect.minX + width * gradient.center.x, y: rect.minY + height * gradient.center.y)
    switch gradient.kind {
    case .linear:
      let way: LocalPoint = AffineTransform.rotation(degrees: gradient.angle).map(LocalPoint(x: 0, y: -1))
      let length = abs(width * way.x) + abs(height * way.y)
      guard length > 0 else { return false }
      var plane = Plane(
        (way.x / length * steps, way.y / length * steps), from: LocalPoint(x: rect.midX, y: rect.midY),
        inverse)
      plane.start += steps / 2
      self.way = .linear(plane)
    case .radial:
      // The ellipse through the farthest corner, in the proportions of that of the farthest sides.
      let reach = 2.0.squareRoot() * gradient.radius
      let x = max(center.x - rect.minX, rect.maxX - center.x) * reach
      let y = max(center.y - rect.minY, rect.maxY - center.y) * reach
      guard x > 0, y > 0 else { return false }
      way = .radial(
        Plane((steps / x, 0), from: center, inverse), Plane((0, steps / y), from: center, inverse))
    case .conic: way = Self.conic(around: center, from: gradient.angle, turns: 1, inverse)
    }
    return true
  }

  /// Sets a gradient along an arc clockwise, in degrees from twelve o'clock and at most 360 long. It returns
  /// false for a transform without an inverse, and for no arc.
  package func set(
    _ ramp: GradientRamp, around center: LocalPoint, from start: Double, to end: Double,
    displayFromLocal: AffineTransform
  ) -> Bool {
    guard let inverse = displayFromLocal.inverse, end > start else { return false }
    self.ramp = ramp
    way = Self.conic(around: center, from: start, turns: min(1, (end - start) / 360), inverse)
    return true
  }

  private static func conic(
    around center: LocalPoint, from start: Double, turns: Double, _ localFromDisplay: AffineTransform
  ) -> Way {
    // It is turned back, so that the first ray is at twelve o'clock.
    let turn = AffineTransform.rotation(degrees: -start)
    return .conic(
      Plane((turn.a, turn.c), from: center, localFromDisplay),
      Plane((turn.b, turn.d), from: center, localFromDisplay), turns: turns)
  }

  /// Returns the angle of a direction, in turns clockwise from twelve o'clock, to a thousandth of a step of
  /// the ramp. C's function may round differently on another processor. (Abramowitz and Stegun, 4.4.49.)
  @inline(__always)
  private static func turn(_ x: Double, _ y: Double) -> Double {
    let (wide, high) = (abs(x), abs(y))
    let (least, most) = (min(wide, high), max(wide, high))
    guard most > 0 else { return 0 }
    let part = least / most
    let square = part * part
    let series =
      0.999_866_0 + square
      * (-0.330_299_5 + square * (0.180_141_0 + square * (-0.085_133_0 + square * 0.020_835_1)))
    let eighth = part * series / (2 * .pi)
    // From the nearer axis to the upper one, and from there clockwise.
    let quarter = wide > high ? 0.25 - eighth : eighth
    let half = y > 0 ? 0.5 - quarter : quarter
    return x < 0 ? 1 - half : half
  }

  /// Paints whole pixels inside of the target, with an opacity of 0 … 255.
  func paint(_ box: PixelRect, opacity: UInt32, on target: Target) {
    target.settle(box)
    let isCopied = ramp.isOpaque && opacity == 255
    for y in box.minY..<box.maxY {
      let row = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
      switch way {
      case .linear(let plane) where plane.x == 0:
        let pixel = cover(ramp.pixel(at: plane.y * Double(y) + plane.start), opacity)
        if isCopied {
          var line = box
          (line.minY, line.maxY) = (y, y + 1)
          target.fill(line, with: pixel)
        } else {
          for x in box.minX..<box.maxX { row[x] = over(pixel, row[x]) }
        }
      case .linear(let plane) where plane.y == 0 && isCopied && y > box.minY:
        (row + box.minX).update(from: row + (box.minX - target.surface.width), count: box.width)
      case .linear(let plane):
        let start = plane.y * Double(y) + plane.start
        paint(box.minX..<box.maxX, row, isCopied, opacity) { plane.x * Double($0) + start }
      case .radial(let across, let down):
        let (u, v) = (across.y * Double(y) + across.start, down.y * Double(y) + down.start)
        paint(box.minX..<box.maxX, row, isCopied, opacity) {
          let (x, y) = (across.x * Double($0) + u, down.x * Double($0) + v)
          return (x * x + y * y).squareRoot()
        }
      case .conic(let across, let down, let turns):
        let (u, v) = (across.y * Double(y) + across.start, down.y * Double(y) + down.start)
        let steps = Double(GradientRamp.count)
        paint(box.minX..<box.maxX, row, isCopied, opacity) {
          let turn = Self.turn(across.x * Double($0) + u, down.x * Double($0) + v)
          // The gap between the end and the beginning is shared.
          return turn > turns && turn > (1 + turns) / 2 ? 0 : turn / turns * steps
        }
      }
    }
  }

  @inline(__always)
  private func paint(
    _ columns: Range<Int>, _ row: UnsafeMutablePointer<UInt32>, _ isCopied: Bool, _ opacity: UInt32,
    place: (Int) -> Double
  ) {
    if isCopied {
      for x in columns { row[x] = ramp.pixel(at: place(x)) }
    } else {
      for x in columns { row[x] = over(cover(ramp.pixel(at: place(x)), opacity), row[x]) }
    }
  }
}
