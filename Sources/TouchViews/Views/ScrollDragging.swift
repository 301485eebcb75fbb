import TouchCore

// Content of a scroll view that follows a finger.

extension ScrollView {
  final func follow(_ pan: ScrollGestureRecognizer) {
    if zoom?.holds(pan) ?? false { return }
    switch pan.state {
    case .began: begin(pan)
    case .changed: drag(pan)
    case .ended:
      let speed = pan.velocity(in: nil)
      release(WindowVector(x: speed.x, y: speed.y), at: pan.time)
    case .cancelled: release(.zero, at: pan.time)
    case .possible, .failed: break
    }
  }

  private func begin(_ pan: ScrollGestureRecognizer) {
    let (range, translation) = (range, pan.translation(in: self))
    // The content follows from the place at which the finger had gone far enough.
    let length = translation.length
    let part = length > 0 ? min(1, pan.leastTranslation / length) : 0
    var drag = Drag(
      origin: LocalPoint(
        x: range.x.unstretched(offset.x, bounds.size.width),
        y: range.y.unstretched(offset.y, bounds.size.height)),
      translation: LocalVector(x: translation.x * part, y: translation.y * part))
    if scrolling.locksDirection {
      let (x, y) = (abs(translation.x), abs(translation.y))
      // A diagonal drag is free.
      drag.lock = x > 2 * y ? .horizontal : y > 2 * x ? .vertical : nil
    }
    take(drag)
    self.drag(pan)
  }

  final func take(_ drag: Drag) {
    state = .dragging(drag)
    deadline = nil
    indicators.stay()
    setIndicatorOpacity(canScroll ? 1 : 0)
    report(.began)
    begin(.dragging)
  }

  private func drag(_ pan: ScrollGestureRecognizer) {
    let now = pan.translation(in: self)
    guard case .dragging(let drag) = state, drag.leader == nil, now.isFinite else { return }
    let range = range
    let goesX = drag.lock != .vertical && (range.x.isOpen || offset.x != 0)
    let goesY = drag.lock != .horizontal && (range.y.isOpen || offset.y != 0)
    var next = LocalPoint(
      x: goesX ? drag.origin.x - (now.x - drag.translation.x) : offset.x,
      y: goesY ? drag.origin.y - (now.y - drag.translation.y) : offset.y)
    let taken = dragAlong(
      LocalVector(
        x: goesX ? range.x.excess(of: next.x, beyond: drag.origin.x) : 0,
        y: goesY ? range.y.excess(of: next.y, beyond: drag.origin.y) : 0))
    if goesX { next.x = range.x.stretched(next.x - taken.x, bounds.size.width, scrolling.bounces) }
    if goesY { next.y = range.y.stretched(next.y - taken.y, bounds.size.height, scrolling.bounces) }
    show(next)
  }
}
