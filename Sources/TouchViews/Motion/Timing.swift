import TouchCore

/// The speed of an animation over its time. (`UIView.AnimationCurve`; the springs of
/// `UIView.animate(withDuration:delay:usingSpringWithDamping:initialSpringVelocity:options:animations:completion:)`.)
package enum AnimationCurve: String, CaseIterable, Sendable {
  /// The same speed from beginning to end.
  case linear
  case easeIn = "ease_in"
  case easeOut = "ease_out"
  /// A slow beginning and a slow end.
  case easeInOut = "ease_in_out"
  /// A spring that swings about its end, and rests there.
  case spring
}

/// The duration and the course of a change in pictures. One that is off has no duration and the same path.
package struct Timing: Hashable, Sendable {
  /// The duration in seconds; 0 for no motion.
  package var duration: Double
  /// The time before the beginning, in seconds.
  package var delay: Double
  package var curve: AnimationCurve
  /// The damping of a spring: 1 does not swing, less swings longer. (`UISpringTimingParameters`.)
  package var damping: Double

  package init(
    _ duration: Double, delay: Double = 0, curve: AnimationCurve = .easeInOut,
    damping: Double = Timing.standardDamping
  ) {
    self.duration = duration.isFinite ? max(0, duration) : 0
    self.delay = delay.isFinite ? max(0, delay) : 0
    self.curve = curve
    self.damping = damping > 0 ? min(damping, 1) : Self.standardDamping
  }

  package static let standardDamping = 0.7

  package static let off = Timing(0)
  static let alert = Timing(0.2, curve: .easeOut)
  /// The timing of a sheet that a program presents. It rests as early as one that a finger releases.
  static let sheet = Timing(0.5, curve: .spring, damping: 1)
  /// The timing of a keyboard that appears or disappears, and of the field that it would
  /// cover. (As long as iOS reports in `UIResponder.keyboardAnimationDurationUserInfoKey`.)
  static let keyboard = Timing(0.25, curve: .easeOut)

  /// Returns the progress after a part of the duration, 0 at the beginning and 1 at the end; more in springs.
  /// - Parameter part: the part, from 0 to 1.
  package func fraction(after part: Double) -> Double {
    switch curve {
    case .linear: part
    // The control points of Core Animation. (`CAMediaTimingFunctionName`.)
    case .easeIn: Self.bezier(part, 0.42, 1)
    case .easeOut: Self.bezier(part, 0, 0.58)
    case .easeInOut: Self.bezier(part, 0.42, 0.58)
    case .spring: Self.spring(part, damping: damping)
    }
  }

  /// Returns a point of the cubic Bézier curve from (0, 0) by (`first`, 0) and (`second`, 1) to (1, 1).
  private static func bezier(_ x: Double, _ first: Double, _ second: Double) -> Double {
    guard x > 0, x < 1 else { return x <= 0 ? 0 : 1 }
    func coordinate(_ place: Double, _ one: Double, _ two: Double) -> Double {
      let rest = 1 - place
      return place * (3 * rest * (rest * one + place * two) + place * place)
    }
    // x grows with the place, so its place is found by halving.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if coordinate(middle, first, second) < x { low = middle } else { high = middle }
    }
    return coordinate((low + high) / 2, 0, 1)
  }

  /// Returns a place of a spring that is within a thousandth of its end when its time is over.
  private static func spring(_ part: Double, damping: Double) -> Double {
    guard part > 0, part < 1 else { return part <= 0 ? 0 : 1 }
    if damping >= 1 {
      // At the end, e^-r (1 + r) is a thousandth.
      let rate = 9.234 * part
      return 1 - (-rate).exponential * (1 + rate)
    }
    // The rate is ln 1000.
    let rate = 6.908 * part
    let swing = rate / damping * (1 - damping * damping).squareRoot()
    // The core has sine and cosine only in its rotations.
    let turned = AffineTransform.rotation(degrees: swing * 180 / .pi)
    return 1 - (-rate).exponential * (turned.a + rate / swing * turned.b)
  }
}

/// The course from 0 to 1 over time, which all motions in pictures follow.
package struct Motion: Hashable, Sendable {
  package var timing: Timing
  /// The time of the beginning, before the delay; nil while no time has passed.
  package var start: Timestamp?

  package init(_ timing: Timing, start: Timestamp? = nil) { (self.timing, self.start) = (timing, start) }

  /// Whether the motion is at its end whenever it begins.
  var isOff: Bool { timing.duration <= 0 && timing.delay <= 0 }

  /// Returns the progress at a time: 0 before the beginning and 1 at the end.
  package func fraction(at time: Timestamp) -> Double {
    guard let start, !isOff else { return isOff ? 1 : 0 }
    let elapsed = time.seconds(since: start) - timing.delay
    guard elapsed < timing.duration else { return 1 }
    return elapsed > 0 ? timing.fraction(after: elapsed / timing.duration) : 0
  }

  /// The time of the first motion; nil while no time has passed.
  var beginning: Timestamp? { start?.advanced(bySeconds: timing.delay) }

  /// The time of the end; nil while no time has passed.
  var end: Timestamp? { start?.advanced(bySeconds: timing.delay + timing.duration) }
}
