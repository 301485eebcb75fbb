import TouchCore

extension View {
  /// How an animation goes on; nothing of it is an animation that begins and ends slowly. (`UIView.AnimationOptions`.)
  public struct AnimationOptions: OptionSet, Sendable {
    /// A bit for each option.
    public let rawValue: Int

    /// - Parameter rawValue: a bit for each option.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It begins and ends slowly.
    public static let curveEaseInOut = AnimationOptions([])
    /// It begins slowly.
    public static let curveEaseIn = AnimationOptions(rawValue: 1)
    /// It ends slowly.
    public static let curveEaseOut = AnimationOptions(rawValue: 2)
    /// It is as fast at the beginning as at the end.
    public static let curveLinear = AnimationOptions(rawValue: 4)

    fileprivate var curve: AnimationCurve {
      if contains(.curveLinear) { return .linear }
      if contains(.curveEaseIn) { return contains(.curveEaseOut) ? .easeInOut : .easeIn }
      return contains(.curveEaseOut) ? .easeOut : .easeInOut
    }
  }

  /// Changes views of this view's window, and has pictures go from what they show to what the views are then.
  /// (`UIView.animate(withDuration:delay:options:animations:completion:)`.)
  ///
  /// ```swift
  /// animate(withDuration: 0.25, options: .curveEaseOut) { panel.frame.origin.y = 240 } completion: { _ in print("there") }
  /// ```
  ///
  /// The views are where they go from the start: touches find them there, and so does whoever asks. Frames, bounds, transforms, alphas,
  /// colours, corners, borders, and the values of sliders, progress bars, gauges and switches move; everything else is there at once.
  /// Unlike in UIKit, what is laid out because of the changes moves with them without `layoutIfNeeded()`, and the views can be touched
  /// meanwhile. What moves already goes on from where it is seen; a change outside of an animation ends it.
  ///
  /// - Parameters:
  ///   - duration: in seconds; with 0, in no window, or where `Window.reducesMotion` is set, everything is there at once.
  ///   - delay: how long it waits before, in seconds.
  ///   - options: how it goes on.
  ///   - animations: changes views. It is called at once.
  ///   - completion: called when everything is there, with true, or when something else has taken the place of a part of it, with false.
  public final func animate(
    withDuration duration: Double, delay: Double = 0, options: AnimationOptions = [],
    animations: () -> Void, completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    animate(Timing(duration, delay: delay, curve: options.curve), animations, completion)
  }

  /// The same with a spring, which swings about where the views go.
  /// (`UIView.animate(withDuration:delay:usingSpringWithDamping:initialSpringVelocity:options:animations:completion:)`, from rest.)
  ///
  /// - Parameters:
  ///   - duration: until the spring rests, in seconds.
  ///   - delay: how long it waits before, in seconds.
  ///   - damping: 1 does not swing; less, above 0, swings longer.
  ///   - animations: changes views. It is called at once.
  ///   - completion: as without a spring.
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
