import TouchCore
import TouchViews

/// The windows of the program's applications, which are made on the main actor's thread. Views are used there
/// alone.
enum ApplicationWindows {
  private struct Entry { weak var window: Window? }
  nonisolated(unsafe) private static var entries: [Entry] = []

  static var all: [Window] { entries.compactMap(\.window) }

  static func add(_ window: Window) {
    entries.removeAll { $0.window == nil }
    entries.append(Entry(window: window))
  }
}

extension View {
  /// Changes views of the program's windows, and has pictures move from the shown values to the new ones: the
  /// same as the function of a view in the window, in UIKit's form.
  /// (`UIView.animate(withDuration:delay:options:animations:completion:)`.)
  ///
  /// - Parameters:
  ///   - duration: the duration in seconds.
  ///   - delay: the time before the beginning, in seconds.
  ///   - options: the course of the animation.
  ///   - animations: changes views. It is called at once.
  ///   - completion: called with true at the end of all motions, or with false when one was replaced.
  public static func animate(
    withDuration duration: Double, delay: Double = 0, options: AnimationOptions = [],
    animations: () -> Void, completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    animate(Timing(duration, delay: delay, curve: options.curve), animations, completion)
  }

  /// The same with a spring.
  /// (`UIView.animate(withDuration:delay:usingSpringWithDamping:initialSpringVelocity:options:animations:completion:)`.)
  ///
  /// - Parameters:
  ///   - duration: the time until the spring rests, in seconds.
  ///   - delay: the time before the beginning, in seconds.
  ///   - damping: the damping. With 1 the spring does not swing; with less, above 0, it swings longer.
  ///   - animations: changes views. It is called at once.
  ///   - completion: called as without a spring.
  public static func animate(
    withDuration duration: Double, delay: Double = 0, usingSpringWithDamping damping: Double,
    animations: () -> Void, completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    animate(Timing(duration, delay: delay, curve: .spring, damping: damping), animations, completion)
  }

  private static func animate(_ timing: Timing, _ changes: () -> Void, _ completion: ((Bool) -> Void)?) {
    let windows = ApplicationWindows.all
    var (waiting, isWhole) = (windows.count, true)
    // Each window records what changes in it.
    func record(in windows: ArraySlice<Window>) {
      guard let window = windows.first else { return changes() }
      window.animate(timing) {
        record(in: windows.dropFirst())
      } completion: { isFinished in
        waiting -= 1
        isWhole = isWhole && isFinished
        if waiting == 0 { completion?(isWhole) }
      }
    }
    record(in: windows[...])
    if windows.isEmpty { completion?(true) }
  }
}
