import Logging
import TouchCore

/// What handlers need from the daemon that runs them. Everything is called on the loop's thread.
package protocol HandlerHost: AnyObject {
  /// Where handlers write.
  var logger: Logger { get }

  /// The view of the tree that has this id, or nil.
  func view(id: String) -> View?

  /// Has `callback` called on the loop's thread after a time, once or again and again, until it is cancelled.
  ///
  /// - Parameter milliseconds: at least 1.
  /// - Returns: a number for `cancelTimer(_:)`, never used twice.
  func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int

  /// Ends a timer before its time; one that is over is left alone. May be called from the timer's own
  /// callback.
  func cancelTimer(_ timer: Int)
}
