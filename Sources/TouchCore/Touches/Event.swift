/// The touches that one frame changed, and every touch still down. (`UIEvent`.)
///
/// The dispatcher reuses one event: read it during the call, do not keep it. A hit test caches results in its event, so an
/// event belongs to one thread.
public final class Event {
  /// In the order in which they began; the ones that did not change are stationary.
  public internal(set) var touches: [Touch] = []
  /// The time of the frame that caused the event.
  public internal(set) var timestamp = Timestamp.zero
  /// Sees every step of hit testing and delivery. It is kept strongly; nil for none.
  public var observer: (any DispatchObserver)? {
    get { watcher }
    set { watcher = newValue }
  }
  /// Stored in this module because it is read for each view; see `View.refusals`.
  @exclusivity(unchecked) var watcher: (any DispatchObserver)?
  /// Whether there is an observer, without the retain and the release that reading it costs.
  var isWatched: Bool { watcher != nil }
  /// Cached results of the hit test in progress.
  var known = HitKnowledge()

  /// An event outside any frame, for a hit test by a program or a tool; the dispatcher has an event of its own.
  public init(observer: (any DispatchObserver)? = nil) {
    watcher = observer
  }

  /// An event of no frame, for what a program or a key causes.
  package init(at time: Timestamp, observer: (any DispatchObserver)?) {
    timestamp = time
    watcher = observer
  }
}

/// Watches what the core does, for traces and explanations.
public protocol DispatchObserver: AnyObject {
  /// The core takes this step.
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
  /// A touch was shut out by `isMultipleTouchEnabled` or `isExclusiveTouch`, for its whole life.
  case dropped(Touch)
  /// A touch got its responder chain.
  case chain(Touch, ResponderChain)
  /// A responder is about to be given a touch in the touch's current phase.
  /// `captured`: on the way down to the hit view.
  case delivery(Touch, responder: Responder, captured: Bool)
  /// A responder was given a touch in the touch's current phase, and returned a disposition.
  /// `captured`: on the way down to the hit view.
  case touch(Touch, responder: Responder, disposition: Disposition, captured: Bool)
  /// A recogniser entered the state that it has now.
  case gesture(GestureRecognizer)
  /// A responder was given a pointer event, and returned a disposition.
  case pointer(PointerEvent, responder: Responder, disposition: Disposition)
  /// A responder was given a press in the press's current phase, and returned a disposition.
  case press(Press, responder: Responder, disposition: Disposition)
  /// A view reports what its kind does, such as the action of a control.
  case report(any ViewReport)
}

/// Keeps what an event's observer would be told, until it is known whether it may be told that.
final class HeldSteps: DispatchObserver {
  private let observer: any DispatchObserver
  private var steps: [DispatchStep] = []

  /// Becomes the event's observer in place of the one that it has; nil if it has none.
  init?(of event: Event) {
    guard event.isWatched, let observer = event.observer else { return nil }
    self.observer = observer
    event.observer = self
  }

  func observe(_ step: DispatchStep) { steps.append(step) }

  /// Has the observer told of each further step when it happens.
  func release(_ event: Event) { event.observer = observer }

  /// Tells the observer what was kept.
  func tell() { for step in steps { observer.observe(step) } }
}

/// What a kind of view reports to observers; the module that has the views says what.
public protocol ViewReport {
  /// Whether it happened in a private view, so that no client, no log and no trace of a run may get it.
  var isPrivate: Bool { get }
}
