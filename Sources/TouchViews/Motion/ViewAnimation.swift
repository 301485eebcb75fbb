import TouchCore

extension View {
  /// The course of an animation; by default one that begins and ends slowly. (`UIView.AnimationOptions`.)
  public struct AnimationOptions: OptionSet, Sendable {
    /// A bit for each option.
    public let rawValue: Int

    /// - Parameter rawValue: a bit for each option.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A slow beginning and a slow end.
    public static let curveEaseInOut = AnimationOptions([])
    /// A slow beginning.
    public static let curveEaseIn = AnimationOptions(rawValue: 1)
    /// A slow end.
    public static let curveEaseOut = AnimationOptions(rawValue: 2)
    /// The same speed from beginning to end.
    public static let curveLinear = AnimationOptions(rawValue: 4)

    package var curve: AnimationCurve {
      if contains(.curveLinear) { return .linear }
      if contains(.curveEaseIn) { return contains(.curveEaseOut) ? .easeInOut : .easeIn }
      return contains(.curveEaseOut) ? .easeOut : .easeInOut
    }
  }

  /// Changes views of this view's window, and has pictures move from the shown values to
  /// the new ones. (`UIView.animate(withDuration:delay:options:animations:completion:)`.)
  ///
  /// ```swift
  /// animate(withDuration: 0.25) { panel.frame.origin.y = 240 } completion: { _ in print("there") }
  /// ```
  ///
  /// The views have their new values from the start, for touches and for requests. Frames, bounds,
  /// transforms, alphas, colours, corners, borders, and the values of sliders, progress bars, gauges and
  /// switches move in pictures. Views that are laid out because of the changes move with them, without
  /// UIKit's `layoutIfNeeded()`. Unlike in UIKit, moving views can be touched. They go on from their shown
  /// values. A change outside of an animation ends their motion.
  ///
  /// - Parameters:
  ///   - duration: the duration in seconds. Nothing moves with 0, in no window, or with `reducesMotion`.
  ///   - delay: the time before the beginning, in seconds.
  ///   - options: the course of the animation.
  ///   - animations: changes views. It is called at once.
  ///   - completion: called with true at the end of all motions, or with false when one was replaced.
  public final func animate(
    withDuration duration: Double, delay: Double = 0, options: AnimationOptions = [],
    animations: () -> Void, completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    animate(Timing(duration, delay: delay, curve: options.curve), animations, completion)
  }

  /// Changes views with a spring, which swings about their new places.
  /// (`UIView.animate(withDuration:delay:usingSpringWithDamping:initialSpringVelocity:options:animations:completion:)`,
  /// from rest.)
  ///
  /// - Parameters:
  ///   - duration: the time until the spring rests, in seconds.
  ///   - delay: the time before the beginning, in seconds.
  ///   - damping: the damping. With 1 the spring does not swing; with less, above 0, it swings longer.
  ///   - animations: changes views. It is called at once.
  ///   - completion: called as without a spring.
  public final func animate(
    withDuration duration: Double, delay: Double = 0, usingSpringWithDamping damping: Double,
    animations: () -> Void, completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    animate(Timing(duration, delay: delay, curve: .spring, damping: damping), animations, completion)
  }

  private func animate(_ timing: Timing, _ changes: () -> Void, _ completion: ((Bool) -> Void)?) {
    if let window {
      window.animate(timing, changes, completion: completion)
    } else {
      changes()
      completion?(true)
    }
  }
}
