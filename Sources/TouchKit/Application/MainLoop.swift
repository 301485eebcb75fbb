import TouchCore
import TouchSystem

/// The loop of an application for its code: timers, descriptors and the end. (`RunLoop`.)
///
/// Views and controllers in a window find it at `Responder.loop`. It belongs to the thread of
/// the application, and cannot be sent to another.
public final class MainLoop {
  let events: EventLoop

  init(_ events: EventLoop) { self.events = events }

  /// The condition for which a descriptor is watched.
  public enum Readiness: Sendable {
    /// There is something to read, or the other end is gone.
    case reading
    /// There is room to write. Cancel the watch when nothing is
    /// left to write. Otherwise the loop never rests.
    case writing
  }

  /// The time of the loop: that of the kernel's monotonic clock, or in a test that of the test's own clock.
  public var now: Timestamp { events.now }

  /// Calls a closure once, after a time. (`Timer.scheduledTimer(withTimeInterval:repeats:block:)`.)
  ///
  /// - Parameters:
  /// - time: the time until the call, at least a millisecond.
  ///   - body: called on the application's thread.
  @discardableResult
  public func addTimer(after time: Duration, _ body: @escaping () -> Void) -> Cancellable {
    addTimer(time, repeats: false, body)
  }

  /// Calls a closure again and again. (`Timer.scheduledTimer(withTimeInterval:repeats:block:)`.)
  ///
  /// - Parameters:
  /// - time: the time between two calls, at least a millisecond.
  ///   - body: called on the application's thread.
  @discardableResult
  public func addTimer(every time: Duration, _ body: @escaping () -> Void) -> Cancellable {
    addTimer(time, repeats: true, body)
  }

  private func addTimer(_ time: Duration, repeats: Bool, _ body: @escaping () -> Void) -> Cancellable {
    let milliseconds = Int((Double(time.nanoseconds) / 1_000_000).rounded(.up))
    let timer = events.addTimer(milliseconds: max(1, milliseconds), repeats: repeats, as: .later, body)
    return Cancellable { [weak events] in events?.cancelTimer(timer) }
  }

  /// Calls a closure whenever a descriptor is ready, such as a socket of the program's own.
  ///
  /// The descriptor must stay open until the watch is cancelled. (`DispatchSource`.)
  ///
  /// - Throws: `ApplicationError` for a descriptor that cannot be waited for, such as that of a file.
  @discardableResult
  public func watch(
    _ descriptor: Int32, for readiness: Readiness = .reading, _ body: @escaping () -> Void
  ) throws(ApplicationError) -> Cancellable {
    do {
      let source = try events.watch(
        descriptor, for: readiness == .reading ? .input : .output, as: .later, body)
      return Cancellable { [weak events] in events?.unwatch(source) }
    } catch {
      throw ApplicationError(error)
    }
  }

  /// Ends `Application.run()` after this turn.
  public func quit() { events.stop() }
}

/// A timer or a watch. It goes on until it is cancelled, even if nobody keeps this object.
public final class Cancellable {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Prevents further calls of the closure. It has no effect on a timer that is over.
  public func cancel() {
    body?()
    body = nil
  }
}

/// The end of every chain, which provides the loop. (`UIApplication` as a responder.)
final class LoopResponder: ApplicationResponder {
  let applicationLoop: MainLoop

  init(_ loop: MainLoop) {
    applicationLoop = loop
    super.init()
  }
}

extension Responder {
  /// The loop of the application that shows this view or controller; nil outside of a window. (UIKit programs
  /// use `RunLoop.main` and `UIApplication.shared`.)
  public final var loop: MainLoop? {
    var responder: Responder? = self
    while let current = responder {
      if let last = current as? LoopResponder { return last.applicationLoop }
      responder = current.next
    }
    return nil
  }
}
