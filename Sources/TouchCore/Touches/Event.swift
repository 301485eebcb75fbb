/// The touches that one frame changed, and all others that are down. (`UIEvent`.)
///
/// The dispatcher reuses one event: read it during the call, and do not keep it. A hit test caches results in
/// its event, so an event belongs to one thread.
public final class Event {
  /// The touches in the order in which they began. Those that did not change are stationary.
  public internal(set) var touches: [Touch] = []
  /// The time of the frame that caused the event.
  public internal(set) var timestamp = Timestamp.zero
  /// The observer of every step of hit testing and delivery, held strongly; nil for none.
  public var observer: (any DispatchObserver)? {
    get { watcher }
    set { watcher = newValue }
  }
  /// The observer, unchecked because it is read for each view; see `View.refusals`.
  @exclusivity(unchecked) var watcher: (any DispatchObserver)?
  /// Whether there is an observer. Reading this costs no retain and no release.
  var isWatched: Bool { watcher != nil }
  /// Cached results of the hit test in progress.
  var known = HitKnowledge()

  /// Makes an event outside any frame, for a hit test by a program or a tool. The dispatcher has an event of
  /// its own.
  public init(observer: (any DispatchObserver)? = nil) { watcher = observer }

  /// Makes an event of no frame, for an action of a program or a key.
  package init(at time: Timestamp, observer: (any DispatchObserver)?) {
    (timestamp, watcher) = (time, observer)
  }
}

/// An observer of the core's steps, for traces and explanations.
public protocol DispatchObserver: AnyObject {
  /// Called for each step.
  func observe(_ step: DispatchStep)
}

/// One step of hit testing or delivery, in the order in which they happen.
public enum DispatchStep {
  /// `hitTest` is called on a view. The point is in that view's own bounds space.
  case hitTest(view: View, point: LocalPoint)
  /// `point(inside:with:)` returned for a view.
  case pointInside(view: View, inside: Bool)
  /// The hit test of a touch is done; the view is nil if nothing was hit.
  case hit(Touch, view: View?)
  /// A touch was excluded by `isMultipleTouchEnabled` or `isExclusiveTouch`, for its whole life.
  case dropped(Touch)
  /// A touch got its responder chain.
  case chain(Touch, ResponderChain)
  /// A responder is about to get a touch in the touch's current phase; `captured` on the way down to the hit
  /// view.
  case delivery(Touch, responder: Responder, captured: Bool)
  /// A responder got a touch in the touch's current phase, and returned a disposition; `captured` on the way
  /// down to the hit view.
  case touch(Touch, responder: Responder, disposition: Disposition, captured: Bool)
  /// A recogniser entered its present state.
  case gesture(GestureRecognizer)
  /// A responder got a pointer event, and returned a disposition.
  case pointer(PointerEvent, responder: Responder, disposition: Disposition)
  /// A responder got a press in the press's current phase, and returned a disposition.
  case press(Press, responder: Responder, disposition: Disposition)
  /// A view sent a report of its kind, such as the action of a control.
  case report(any ViewReport)
}

/// Keeps the steps for an event's observer until it is known whether it may get them.
final class HeldSteps: DispatchObserver {
  private let observer: any DispatchObserver
  private var steps: [DispatchStep] = []

  /// Takes the place of the event's observer; nil if it has none.
  init?(of event: Event) {
    guard event.isWatched, let observer = event.observer else { return nil }
    self.observer = observer
    event.observer = self
  }

  func observe(_ step: DispatchStep) { steps.append(step) }

  /// Gives the event its observer back for all further steps.
  func release(_ event: Event) { event.observer = observer }

  func report() { for step in steps { observer.observe(step) } }
}

/// A report of a kind of view to observers. The module that has the views defines it.
public protocol ViewReport {
  /// Whether it happened in a private view, so that no client, no log and no trace of a run may get it.
  var isPrivate: Bool { get }
}
