import TouchCore

/// The pan of a scroll view. (`UIScrollView.panGestureRecognizer`.) It keeps touches from the content for a
/// moment, since they may be about to scroll, and it begins only where the scroll view can go, so that
/// another one around it may begin instead.
final class ScrollGestureRecognizer: PanGestureRecognizer {
  /// The delay of a touch for the content, in seconds. (Scroll View Programming
  /// Guide for iOS: 150 milliseconds.)
  static let contentDelay = 0.15

  /// The time when touches are delivered to the content.
  private var due: Timestamp?
  private(set) var time = Timestamp.zero
  private weak var scrollView: ScrollView?

  init(of scrollView: ScrollView) {
    self.scrollView = scrollView
    super.init(id: "\(scrollView.owner.id).pan")
    delaysTouchesEnded = false
  }

  override var deadline: Timestamp? { state == .possible && wanted == nil ? due : nil }

  override func deadlinePassed(with event: Event) { deliverToContent() }

  private func deliverToContent() {
    due = nil
    delaysTouchesBegan = false
  }

  override func touchesBegan(_ touches: [Touch], with event: Event) {
    super.touchesBegan(touches, with: event)
    time = event.timestamp
    guard state == .possible, let scrollView else { return }
    guard self.touches.count == touches.count else { return }
    delaysTouchesBegan = scrollView.scrolling.delaysTouches && scrollView.canScroll
    due = delaysTouchesBegan ? event.timestamp.advanced(bySeconds: Self.contentDelay) : nil
    if scrollView.isMoving { transition(to: .began) }
  }

  override func touchesMoved(_ touches: [Touch], with event: Event) {
    time = event.timestamp
    super.touchesMoved(touches, with: event)
  }

  override func touchesEnded(_ touches: [Touch], with event: Event) {
    time = event.timestamp
    super.touchesEnded(touches, with: event)
  }

  override func touchesCancelled(_ touches: [Touch], with event: Event) {
    time = event.timestamp
    super.touchesCancelled(touches, with: event)
  }

  override func begins(after travel: WindowVector) -> Bool {
    guard let scrollView else { return false }
    guard scrollView.scrolls(by: translation(in: scrollView), least: leastTranslation) else {
      // A control that keeps this drag gets it now, and not at the end of the delay.
      if delaysTouchesBegan, travel.length >= minimumMovement, !isAllowedByViews { transition(to: .failed) }
      return false
    }
    if isAtScreenEdge { return false }
    guard attempt.contains(where: isKept) else { return true }
    guard touches.contains(where: { !isKept($0) }) else {
      transition(to: .failed)
      return false
    }
    // The other fingers scroll by themselves, from where they are.
    for touch in attempt where isKept(touch) { ignore(touch) }
    setTranslation(.zero, in: nil)
    return false
  }

  /// Whether a finger may turn out to come from an edge of the screen: that goes first.
  private var isAtScreenEdge: Bool {
    touches.contains { touch in
      touch.gestureRecognizers.contains { ($0 as? ScreenEdgePanGestureRecognizer)?.isPending ?? false }
    }
  }

  /// Whether the content has a touch and keeps it; then it never scrolls.
  private func isKept(_ touch: Touch) -> Bool {
    guard touch.isInView, let scrollView, let content = touch.view, content !== scrollView
    else { return false }
    return !scrollView.touchesShouldCancel(in: content)
  }

  /// `minimumMovement` in units of the scroll view, along the way of the fingers.
  var leastTranslation: Double {
    let length = translation(in: nil).length
    return length > 0 ? translation(in: scrollView).length * minimumMovement / length : minimumMovement
  }

  override func reset() {
    super.reset()
    deliverToContent()
  }
}
