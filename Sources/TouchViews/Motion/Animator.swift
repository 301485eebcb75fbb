import TouchCore

/// The motions in the pictures of a window. An animated view is at its end at once: hit tests, layout,
/// clients and expressions find it there. Only pictures show it in motion: while one is painted
/// (`presenting`), moving views have their values of the moment. So no painter or view knows of motions, and
/// they cost nothing if unused. (`CALayer.presentation()`.) Time comes from the turns of the loop. A picture
/// shows its own time, so a late one leaves steps out.
package final class Animator: WindowMotion {
  private unowned(unsafe) let window: Window
  private var movers: [Mover] = []
  /// The groups whose completion is awaited.
  private var waiting: [Group] = []
  /// The changes being recorded; nil while none are.
  private var recording: Recording?
  /// The time of the last step; nil while nothing moves.
  private var stepped: Timestamp?
  /// Whether a view changed that is concealed in the tree, but may be seen in pictures.
  private var isStale = false
  private var isPresenting = false
  /// Whether completions are being called. Groups that they begin start when
  /// time passes again, so that groups without a duration do not go on for ever.
  private var isCalling = false

  /// The shortest time between two pictures that only motions ask for, in
  /// microseconds. Frames of a touchscreen come more often than anybody sees.
  private static let shortestStep: Int64 = 10_000

  private final class Mover {
    let view: View
    var ways: [Way] = []
    /// The rectangle where it was painted last, in window space.
    var seen = WindowRect.zero

    init(_ view: View) { self.view = view }

    /// Notes whether the view moves and does nothing else.
    func followWays() {
      let moves = ways.contains { $0.property == .place }
      view.movesAsPicture =
        moves && ways.allSatisfy { [.place, .concealment, .clipping].contains($0.property) }
      if !view.movesAsPicture { view.knownLayer?.keptPicture = nil }
    }
  }

  /// The motion of one property of a view.
  private struct Way {
    let property: AnimatedProperty
    let start, end: AnimatedValue
    /// The view's own value. When it changes, the motion is over.
    let model: AnimatedValue
    /// The value that the view gets back after a picture.
    var kept: AnimatedValue
    /// The value that pictures show now.
    var shown: AnimatedValue
    let group: Group
  }

  /// Motions that began together.
  final class Group {
    fileprivate var motion: Motion
    /// The number of motions that have not ended.
    fileprivate var count = 0
    /// Whether all ended motions have reached their ends.
    fileprivate var isWhole = true
    fileprivate let completion: ((_ isFinished: Bool) -> Void)?

    fileprivate init(_ motion: Motion, _ completion: ((Bool) -> Void)?) {
      (self.motion, self.completion) = (motion, completion)
    }
  }

  private struct Recording {
    var seen: Set<ObjectIdentifier> = []
    var views: [View] = []
    /// The earlier values: for each view as many as there are settable properties.
    var before: [AnimatedValue?] = []
  }

  fileprivate init(_ window: Window) { self.window = window }

  // MARK: Beginning

  /// Returns a group that begins now. It has no duration if the window reduces motion.
  func group(_ timing: Timing, _ completion: ((Bool) -> Void)? = nil) -> Group {
    let timing = window.reducesMotion ? .off : timing
    let group = Group(Motion(timing, start: isCalling ? nil : window.dispatcher?.eventTime), completion)
    if completion != nil { waiting.append(group) }
    setDue()
    return group
  }

  /// Moves a property of a view in pictures, from a start to the view's own value.
  /// - Parameter start: the value at the beginning.
  /// - Parameter end: the value at the end in pictures; nil for the view's own.
  func move(
    _ property: AnimatedProperty, of view: View, from start: AnimatedValue, to end: AnimatedValue? = nil,
    in group: Group
  ) {
    guard let model = view.value(of: property) else { return }
    let mover: Mover
    if let known = movers.first(where: { $0.view === view }) {
      mover = known
      drop(property, of: mover)
    } else {
      mover = Mover(view)
      movers.append(mover)
    }
    let end = end ?? model
    mover.ways.append(
      Way(
        property: property, start: start, end: end, model: model, kept: model,
        shown: group.motion.isOff ? end : start, group: group))
    mover.followWays()
    group.count += 1
    isStale = true
    setDue()
  }

  /// Returns the value that pictures show of a view; nil if it is the view's own.
  func presented(_ property: AnimatedProperty, of view: View) -> AnimatedValue? {
    movers.first { $0.view === view }?.ways.first { $0.property == property }?.shown
  }

  /// Changes views, and has pictures move from the old values to the new ones.
  /// - Parameter isLaidOut: whether views that are arranged because of the changes move with them.
  func animate(_ timing: Timing, _ changes: () -> Void, _ completion: ((Bool) -> Void)?) {
    // Earlier changes do not belong to it, nor do those that an inner block has recorded.
    if window.needsLayout { window.layoutIfNeeded() }
    let outer = recording
    recording = Recording()
    changes()
    if window.needsLayout { window.layoutIfNeeded() }
    let recorded = recording.take() ?? Recording()
    recording = outer
    let group = group(timing, completion)
    let count = AnimatedProperty.settable.count
    for (index, view) in recorded.views.enumerated() where view.window === window {
      for (place, property) in AnimatedProperty.settable.enumerated() {
        guard let before = recorded.before[index * count + place], before != view.value(of: property) else {
          continue
        }
        move(property, of: view, from: presented(property, of: view) ?? before, in: group)
      }
    }
  }

  package func willDraw(_ view: View, isShown: Bool) {
    if !isShown { isStale = true }
    guard isShown, !isPresenting, recording?.seen.insert(ObjectIdentifier(view)).inserted ?? false else {
      return
    }
    recording?.views.append(view)
    recording?.before += AnimatedProperty.settable.map { view.settableValue(of: $0) }
  }

  package func didDraw(_ view: View, in rect: WindowRect) {
    guard !isPresenting else { return }
    for mover in movers where mover.view.movesAsPicture {
      if view.isDescendant(of: mover.view), let inverse = mover.view.windowFromLocal.inverse {
        mover.view.pictureChanged(in: inverse.bounding(rect))
      } else if mover.view.isDescendant(of: view) {
        mover.view.pictureChanged(in: .everywhere)
      }
    }
  }

  // MARK: Time

  private func setDue() {
    // A group that begins outside of an event, or has no time to wait for, begins when time passes again.
    let soon = (window.dispatcher?.present ?? .zero).advanced(byMicroseconds: 1)
    var next: Timestamp?
    func note(_ group: Group) {
      let end = group.count == 0 ? soon : group.motion.end ?? soon
      next = next.map { min($0, end) } ?? end
    }
    for mover in movers { for way in mover.ways { note(way.group) } }
    for group in waiting { note(group) }
    window.motionDue = next
  }

  /// Begins waiting groups, and ends those whose time is over.
  package func timePassed(to time: Timestamp) {
    for mover in movers {
      for way in mover.ways where way.group.motion.start == nil { way.group.motion.start = time }
    }
    for group in waiting where group.motion.start == nil { group.motion.start = time }
    var isChanged = false
    for mover in movers {
      for index in mover.ways.indices.reversed() {
        guard let end = mover.ways[index].group.motion.end, end <= time else { continue }
        mover.ways[index].group.count -= 1
        mover.ways.remove(at: index)
        isChanged = true
      }
    }
    if isChanged { damageMovers() }
    let over = waiting.filter { $0.count == 0 }
    waiting.removeAll { $0.count == 0 }
    setDue()
    isCalling = true
    for group in over { group.completion?(group.isWhole) }
    isCalling = false
  }

  /// The time of the next picture if nothing else changes. A past time means as
  /// soon as the display can show it. Nil means that nothing moves.
  package var nextStep: Timestamp? {
    var next: Timestamp?
    for mover in movers {
      for way in mover.ways {
        let beginning = way.group.motion.beginning ?? .zero
        next = next.map { min($0, beginning) } ?? beginning
      }
    }
    return waiting.contains { $0.count == 0 } ? .zero : next
  }

  /// Sets the values that pictures show at a time, and damages the views that this changes.
  package func step(to time: Timestamp) {
    guard !movers.isEmpty else { return }
    if window.needsLayout { window.layoutIfNeeded() }
    let isDue = stepped.map { !(0..<Self.shortestStep).contains(time.microseconds(since: $0)) } ?? true
    // Another change may lie in a moving view or around it.
    guard isDue || isStale || !window.damage.isEmpty else { return }
    var isChanged = isStale || !window.damage.isEmpty
    stepped = time
    isStale = false
    for mover in movers {
      for index in mover.ways.indices.reversed() {
        let way = mover.ways[index]
        guard mover.view.window === window, mover.view.value(of: way.property) == way.model else {
          // A program has given the view another value.
          drop(at: index, of: mover)
          isChanged = true
          continue
        }
        let shown = way.start.mixed(
          with: way.end, way.group.motion.fraction(at: time), pixels: window.pixelsPerUnit)
        guard shown != way.shown else { continue }
        mover.ways[index].shown = shown
        isChanged = true
      }
    }
    if isChanged { damageMovers() }
    if movers.isEmpty { setDue() }
  }

  /// Ends all motions at their ends. Their completions are called with false.
  package func finish() {
    guard !movers.isEmpty else { return }
    for mover in movers { for index in mover.ways.indices.reversed() { drop(at: index, of: mover) } }
    damageMovers()
    setDue()
  }

  /// Ends the motions of a view in pictures.
  func end(_ view: View) {
    guard let mover = movers.first(where: { $0.view === view }) else { return }
    for index in mover.ways.indices.reversed() { drop(at: index, of: mover) }
    isStale = true
  }

  private func drop(_ property: AnimatedProperty, of mover: Mover) {
    if let index = mover.ways.firstIndex(where: { $0.property == property }) { drop(at: index, of: mover) }
  }

  private func drop(at index: Int, of mover: Mover) {
    let group = mover.ways.remove(at: index).group
    group.count -= 1
    group.isWhole = false
  }

  // MARK: Pictures

  /// Runs a closure that paints, with moving views at their present values.
  package func presenting<Result, Failure: Error>(
    _ paint: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard !movers.isEmpty, !isPresenting else { return try paint() }
    // Layout needs the views at their own places.
    if window.needsLayout { window.layoutIfNeeded() }
    isPresenting = true
    for mover in movers {
      for index in mover.ways.indices {
        let way = mover.ways[index]
        mover.ways[index].kept = mover.view.kept(way.property) ?? way.model
        mover.view.present(way.shown, as: way.property)
      }
    }
    defer {
      for mover in movers { for way in mover.ways { mover.view.present(way.kept, as: way.property) } }
      isPresenting = false
    }
    return try paint()
  }

  /// Damages the old and the new rectangles of moving views, and forgets views that no longer move.
  private func damageMovers() {
    for mover in movers { window.damage.add(mover.seen) }
    presenting {
      for mover in movers {
        mover.seen = mover.view.seenRect
        window.damage.add(mover.seen)
        mover.followWays()
      }
    }
    movers.removeAll { $0.ways.isEmpty }
    if movers.isEmpty { stepped = nil }
  }
}

extension View {
  /// The rectangle of the view's visible pixels, as far as ancestors clip it; empty if it is
  /// concealed. Ancestors that keep a picture of their content are notified of its change.
  fileprivate var seenRect: WindowRect {
    var rect = isConcealed ? .zero : paintedWindowRect
    var next = superview
    while let view = next {
      if view.isConcealed { return .zero }
      if view.watchesContent { view.contentNeedsDisplay(in: .everywhere) }
      if view.movesAsPicture { view.pictureChanged(in: .everywhere) }
      if view.clipsToBounds { rect = rect.intersection(view.windowFromLocal.bounding(view.bounds)) }
      next = view.superview
    }
    return window == nil ? .zero : rect
  }
}

extension LocalRect {
  /// A rectangle that contains every view.
  fileprivate static let everywhere = LocalRect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
}

extension View {
  /// A painter's picture of the view, which is given back when the view no longer moves.
  package final var keptPicture: AnyObject? {
    get { knownLayer?.keptPicture }
    set { ownLayer.keptPicture = newValue }
  }

  /// Takes the changes in the kept picture since the last call, in the view's own space.
  package final func takePictureChanges() -> LocalRect {
    let changes = knownLayer?.changedPicture ?? .zero
    if !changes.isEmpty { knownLayer?.changedPicture = .zero }
    return changes
  }

  fileprivate final func pictureChanged(in rect: LocalRect) {
    guard let layer = knownLayer, layer.keptPicture != nil else { return }
    let isFinite = rect.origin.isFinite && rect.size.width.isFinite && rect.size.height.isFinite
    layer.changedPicture = isFinite ? layer.changedPicture.union(rect) : .everywhere
  }
}

extension Window {
  /// The animator; nil until something has moved.
  package final var animator: Animator? {
    // The property holds nothing but animators.
    motion.map { unsafeDowncast($0, to: Animator.self) }
  }

  /// The animator, made on the first call; nil if no time passes.
  package final var runningAnimator: Animator? {
    guard dispatcher != nil else { return nil }
    if let animator { return animator }
    let made = Animator(self)
    motion = made
    return made
  }

  /// Changes views, and has pictures move from the shown values to the new ones. Hit tests, layout and
  /// requests find the new values from the start. Views that are arranged because of the changes move with
  /// them. (`UIView.animate(withDuration:delay:options:animations:completion:)`.)
  ///
  /// Views in motion go on from their shown values.
  /// - Parameters:
  ///   - timing: the timing. Without a duration nothing moves.
  ///   - changes: sets frames, transforms, alphas, colours, values and scroll
  ///     offsets. The rest does not move.
  ///   - completion: called with true at the end of all motions, or with false when one was replaced.
  package final func animate(
    _ timing: Timing, _ changes: () -> Void, completion: ((_ isFinished: Bool) -> Void)? = nil
  ) {
    guard let runningAnimator else {
      changes()
      completion?(true)
      return
    }
    runningAnimator.animate(timing, changes, completion)
  }
}
