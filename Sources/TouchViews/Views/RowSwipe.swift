import TouchCore

/// Rows of a list that a finger swipes aside, for the actions behind them. (`UISwipeActionsConfiguration`.)
///
/// ```
///               finger goes along the row          lifts beyond the middle of the actions, or fast
///     closed ────────────────────────────→ dragged ─────────────────────────────────────────────→ open
///        ↑                                  │   │ lifts far away: the first action                  │
///        │     lifts before that            │   ↓                                                   │
///        └──────────────────────────────────┴── closing ←───────────────────────────────────────────┘
///                                                         an action, or any other touch of the list
/// ```
final class RowSwipe {
  enum Side {
    /// At the left, for a finger that goes right. (`leadingSwipeActionsConfigurationForRowAt`.)
    case leading
    /// At the right, for a finger that goes left. (`trailingSwipeActionsConfigurationForRowAt`.)
    case trailing
  }

  private unowned let list: ListView
  private let pan: RowPanGestureRecognizer
  /// The row that is aside, or on its way; nil for none.
  private(set) var row: Int?
  private(set) var offset = 0.0
  private var start = 0.0
  private var motion: ScrollMotion?

  /// The width of each action. (iOS: 74 points.)
  private static let actionWidth = 74.0
  /// The part of a row's width after which a lifting finger performs the first action. (iOS: about so much.)
  private static let fullPart = 0.6
  private static let step: Int64 = 16_667

  init(of list: ListView) {
    self.list = list
    pan = RowPanGestureRecognizer(id: "\(list.id).swipe")
    pan.maximumNumberOfTouches = 1
    pan.delaysTouchesEnded = false
    pan.swipe = self
    pan.action = { [weak self] _ in self?.follow() }
    list.addGestureRecognizer(pan)
  }

  func end() {
    list.removeGestureRecognizer(pan)
    list.redraw(row)
  }

  // MARK: Parts

  /// The side at which the actions are seen; nil where none are.
  var side: Side? { row == nil ? nil : side(at: offset) }

  private func side(at offset: Double) -> Side? { offset == 0 ? nil : offset > 0 ? .leading : .trailing }

  private func actions(_ side: Side) -> [String] {
    side == .leading ? list.leadingActions : list.trailingActions
  }

  /// The visible actions behind the row, from the edge of the list inwards. The first one fills excess width.
  var parts: [(action: String, rect: LocalRect)] { parts(at: offset) }

  private func parts(at offset: Double) -> [(action: String, rect: LocalRect)] {
    guard let row, let side = side(at: offset) else { return [] }
    let (actions, rect, width) = (actions(side), list.rect(of: row), abs(offset))
    guard !actions.isEmpty else { return [] }
    let isFull = width >= Self.fullPart * rect.size.width
    return actions.enumerated().compactMap { index, action in
      if isFull, index > 0 { return nil }
      let share = isFull ? width : width / Double(actions.count)
      let (near, far) = ((Double(index) * share).rounded(), (Double(index + 1) * share).rounded())
      return (
        action,
        LocalRect(
          x: side == .leading ? rect.minX + near : rect.maxX - far, y: rect.minY, width: far - near,
          height: rect.size.height)
      )
    }
  }

  /// The place where the row goes, or rests. Touches find it there.
  private var goal: Double { motion?.end ?? offset }

  func action(at point: LocalPoint) -> String? { parts(at: goal).first { $0.rect.contains(point) }?.action }

  // MARK: Fingers

  /// Returns whether a finger that came down at a point and moved this far swipes a row.
  func begins(at point: LocalPoint, after way: LocalVector) -> Bool {
    guard abs(way.x) > abs(way.y), let touched = list.row(at: point) else { return false }
    return touched == row && offset != 0 || !actions(way.x > 0 ? .leading : .trailing).isEmpty
  }

  private func follow() {
    switch pan.state {
    case .began:
      let touched = list.row(at: list.convertFromWindow(pan.beganLocation))
      if touched != row {
        list.redraw(row)
        (row, offset) = (touched, 0)
      }
      (start, motion) = (offset, nil)
      list.deadline = nil
      drag()
    case .changed: drag()
    case .ended: letGo(pan.velocity(in: list).x)
    case .cancelled: go(to: 0)
    case .possible, .failed: break
    }
  }

  private func drag() {
    guard let row else { return }
    var next = start + pan.translation(in: list).x
    let width = list.bounds.size.width
    // Towards a side without actions the row follows less.
    if next != 0, actions(next > 0 ? .leading : .trailing).isEmpty {
      next = (next > 0 ? 1 : -1) * ScrollMotion.stretched(abs(next), length: width / 4)
    }
    show(min(width, max(-width, next)), row)
  }

  private func letGo(_ speed: Double) {
    guard row != nil, let side else { return go(to: 0) }
    let actions = actions(side)
    let open = Double(actions.count) * Self.actionWidth
    if let first = actions.first, abs(offset) >= Self.fullPart * list.bounds.size.width,
      let touch = pan.touches.last ?? pan.attempt.last
    {
      return perform(first, touch)
    }
    let outward = side == .leading ? speed : -speed
    let opens = abs(outward) >= ScrollMotion.pageSpeed ? outward > 0 : abs(offset) > open / 2
    go(to: opens && !actions.isEmpty ? (side == .leading ? open : -open) : 0)
  }

  func perform(_ action: String, _ touch: Touch) {
    guard let row, let event = list.window?.dispatcher?.currentEvent else { return }
    list.swiped = (row, action)
    go(to: 0)
    list.send(.rowAction, touch, event)
  }

  /// Closes the open row. Returns false if there is none.
  func close() -> Bool {
    guard row != nil, goal != 0 else { return false }
    go(to: 0)
    return true
  }

  /// Forgets the row, because the rows are others.
  func forget() {
    (row, offset, motion) = (nil, 0, nil)
    list.deadline = nil
  }

  // MARK: Moving

  private func show(_ offset: Double, _ row: Int) {
    self.offset = offset.rounded()
    list.redraw(row)
  }

  private func go(to end: Double) {
    guard let row else { return }
    guard let time = list.window?.dispatcher?.eventTime else {
      show(end, row)
      if end == 0 { self.row = nil }
      return
    }
    motion = .turning(from: offset, to: end, speed: 0, at: time)
    resume(at: time)
  }

  /// Goes on after the list has finished a touch, which takes its deadline away.
  func resume(at time: Timestamp) {
    if motion != nil { list.deadline = time.advanced(byMicroseconds: Self.step) }
  }

  func advance(to time: Timestamp) {
    list.deadline = nil
    guard let row, let motion else { return }
    guard let now = motion.state(at: time) else {
      self.motion = nil
      show(motion.end, row)
      if motion.end == 0 { self.row = nil }
      return
    }
    show(now.offset, row)
    resume(at: time)
  }
}

/// A finger that goes along a row.
final class RowPanGestureRecognizer: PanGestureRecognizer {
  fileprivate(set) weak var swipe: RowSwipe?
  /// The place where the finger came down, in window space.
  var beganLocation: WindowPoint { attempt.first?.beganSample.location ?? .nowhere }

  override func begins(after travel: WindowVector) -> Bool {
    guard super.begins(after: travel), let swipe, let view else { return false }
    if swipe.begins(at: view.convertFromWindow(beganLocation), after: view.convertFromWindow(travel)) {
      return true
    }
    transition(to: .failed)
    return false
  }
}
