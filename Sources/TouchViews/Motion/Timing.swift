import TouchCore

/// How fast an animation goes at which part of its time. (`UIView.AnimationCurve`; the springs of
/// `UIView.animate(withDuration:delay:usingSpringWithDamping:initialSpringVelocity:options:animations:completion:)`.)
package enum AnimationCurve: String, CaseIterable, Sendable {
  /// As fast at the beginning as at the end.
  case linear
  /// It begins slowly.
  case easeIn = "ease_in"
  /// It ends slowly.
  case easeOut = "ease_out"
  /// It begins and ends slowly.
  case easeInOut = "ease_in_out"
  /// It swings about its end, and rests there.
  case spring
}

/// How long a change takes in pictures, and how it goes on meanwhile. One that is off has no duration, and takes the same path.
package struct Timing: Hashable, Sendable {
  /// In seconds; 0 is there at once.
  package var duration: Double
  /// How long it waits before, in seconds.
  package var delay: Double
  package var curve: AnimationCurve
  /// Of a spring: 1 does not swing, and less swings longer. (`UISpringTimingParameters.init(dampingRatio:)`.)
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

  /// Of a spring of which nothing else is said.
  package static let standardDamping = 0.7

  /// There at once.
  package static let off = Timing(0)
  /// Of an alert that comes or goes.
  static let alert = Timing(0.2, curve: .easeOut)
  /// Of a sheet that a program presents: it rests as early as one that a finger lets go.
  static let sheet = Timing(0.5, curve: .spring, damping: 1)
  /// Of a keyboard that comes or goes, with the field that it would cover. (As long as iOS reports in
  /// `UIResponder.keyboardAnimationDurationUserInfoKey`.)
  static let keyboard = Timing(0.25, curve: .easeOut)

  /// How far it is after a part of its duration: 0 at the beginning, 1 at the end; a spring may be beyond.
  ///
  /// - Parameter part: from 0 to 1.
  package func fraction(after part: Double) -> Double {
    switch curve {
    case .linear: part
    // Core Animation's control points. (`CAMediaTimingFunctionName`.)
    case .easeIn: Self.bezier(part, 0.42, 1)
    case .easeOut: Self.bezier(part, 0, 0.58)
    case .easeInOut: Self.bezier(part, 0.42, 0.58)
    case .spring: Self.spring(part, damping: damping)
    }
  }

  /// A cubic Bézier curve from (0, 0) by (`first`, 0) and (`second`, 1) to (1, 1).
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

  /// A spring that is within a thousandth of its end when its time is over.
  private static func spring(_ part: Double, damping: Double) -> Double {
    guard part > 0, part < 1 else { return part <= 0 ? 0 : 1 }
    if damping >= 1 {
      // e^-r (1 + r) is a thousandth there.
      let rate = 9.234 * part
      return 1 - (-rate).exponential * (1 + rate)
    }
    // ln 1000
    let rate = 6.908 * part
    let swing = rate / damping * (1 - damping * damping).squareRoot()
    // The core has sine and cosine in its rotations.
    let turned = AffineTransform.rotation(degrees: swing * 180 / .pi)
    return 1 - (-rate).exponential * (turned.a + rate / swing * turned.b)
  }
}

/// A way from 0 to 1 that takes time: what everything that moves in pictures goes by.
package struct Motion: Hashable, Sendable {
  package var timing: Timing
  /// When it began, with its delay; nil while no time has passed.
  package var start: Timestamp?

  package init(_ timing: Timing, start: Timestamp? = nil) { (self.timing, self.start) = (timing, start) }

  /// Whether it is at its end whenever it begins.
  var isOff: Bool { timing.duration <= 0 && timing.delay <= 0 }

  /// How far it is at a time: 0 before it begins and 1 at its end.
  package func fraction(at time: Timestamp) -> Double {
    guard let start, !isOff else { return isOff ? 1 : 0 }
    let elapsed = time.seconds(since: start) - timing.delay
    guard elapsed < timing.duration else { return 1 }
    return elapsed > 0 ? timing.fraction(after: elapsed / timing.duration) : 0
  }

  /// When it moves first; nil while no time has passed.
  var beginning: Timestamp? { start?.advanced(bySeconds: timing.delay) }

  /// When it is at its end; nil while no time has passed.
  var end: Timestamp? { start?.advanced(bySeconds: timing.delay + timing.duration) }
}
