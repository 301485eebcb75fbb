import TouchCore

/// What moves in the pictures of a window.
///
/// A view that is animated is where it goes at once: hit tests, layout, clients and expressions find it there. Pictures show it on its
/// way: while one is painted, the views that move have what they have on their way (`presenting`), and not longer than that. So
/// neither painters nor views know of it, and nothing costs anything while nothing moves. (`CALayer.presentation()`.)
///
/// Time comes from the turns of the loop, and a picture shows where everything is at its time: one that is late leaves steps out.
package final class Animator: WindowMotion {
  private unowned(unsafe) let window: Window
  /// The views that move.
  private var movers: [Mover] = []
  /// Those whose end somebody waits for.
  private var waiting: [Group] = []
  /// The changes that are being recorded; nil while none are.
  private var recording: Recording?
  /// The time of the last step; nil while nothing moves.
  private var stepped: Timestamp?
  /// Whether something changed that is concealed in the tree, and may be seen in pictures.
  private var isStale = false
  private var isPresenting = false
  /// Whether those that wait hear of their ends. What they begin then begins when time passes again, so that none goes on for ever
  /// without a duration.
  private var isCalling = false

  /// A picture that nothing else asks for comes no sooner after the one before, in microseconds: frames of a touchscreen come more
  /// often than anybody sees.
  private static let shortestStep: Int64 = 10_000

  /// A view that moves.
  private final class Mover {
    let view: View
    var ways: [Way] = []
    /// Where it was painted last, in window space.
    var seen = WindowRect.zero

    init(_ view: View) { self.view = view }
  }

  /// What one property of a view goes through.
  private struct Way {
    let property: AnimatedProperty
    let start, end: AnimatedValue
    /// What the view has. Once it has something else, the way is over.
    let model: AnimatedValue
    /// What the view gets back after a picture.
    var kept: AnimatedValue
    /// What pictures show now.
    var shown: AnimatedValue
    let group: Group
  }

  /// What began together.
  final class Group {
    fileprivate var motion: Motion
    /// How many ways are not at their ends.
    fileprivate var count = 0
    /// Whether all ways that ended have reached their ends.
    fileprivate var isWhole = true
    fileprivate let completion: ((_ isFinished: Bool) -> Void)?

    fileprivate init(_ motion: Motion, _ completion: ((Bool) -> Void)?) {
      (self.motion, self.completion) = (motion, completion)
    }
  }

  private struct Recording {
    var seen: Set<ObjectIdentifier> = []
    var views: [View] = []
    /// What each had before: for each view as many as there are settable properties.
    var before: [AnimatedValue?] = []
  }

  fileprivate init(_ window: Window) { self.window = window }

  // MARK: Beginning

  /// What begins now, unless nothing is to move.
  func group(_ timing: Timing, _ completion: ((Bool) -> Void)? = nil) -> Group {
    let timing = window.reducesMotion ? .off : timing
    let group = Group(Motion(timing, start: isCalling ? nil : window.dispatcher?.eventTime), completion)
    if completion != nil { waiting.append(group) }
    setDue()
    return group
  }

  /// Has a property of a view go on from what is seen to what the view has.
  ///
  /// - Parameters:
  ///   - start: where it begins.
  ///   - end: where it ends in pictures; nil for what the view has.
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
    group.count += 1
    isStale = true
    setDue()
  }

  /// What pictures show of a view; nil where they show what it has.
  func presented(_ property: AnimatedProperty, of view: View) -> AnimatedValue? {
    movers.first { $0.view === view }?.ways.first { $0.property == property }?.shown
  }

  /// Changes views, and has pictures go through what lies between.
  ///
  /// - Parameter isLaidOut: whether what views arrange because of the changes moves with them.
  func animate(_ timing: Timing, _ changes: () -> Void, _ completion: ((Bool) -> Void)?) {
    // What changed before is no part of it; nor is what a block in this one has recorded.
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

  // MARK: Time

  private func setDue() {
    // What begins outside of an event, or has nothing to wait for, does so when time passes again.
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

  /// Begins what has not begun, and ends what is at its end.
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

  /// When the next picture has to be painted if nothing else changes: a time that is past for as soon as a display can; nil while nothing
  /// moves.
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

  /// Brings what pictures show to a time, and marks as to be drawn again what that changes.
  package func step(to time: Timestamp) {
    guard !movers.isEmpty else { return }
    if window.needsLayout { window.layoutIfNeeded() }
    let isDue = stepped.map { !(0..<Self.shortestStep).contains(time.microseconds(since: $0)) } ?? true
    // Where something else has changed, it may lie in what moves, or around it.
    guard isDue || isStale || !window.damage.isEmpty else { return }
    var isChanged = isStale || !window.damage.isEmpty
    stepped = time
    isStale = false
    for mover in movers {
      for index in mover.ways.indices.reversed() {
        let way = mover.ways[index]
        guard mover.view.window === window, mover.view.value(of: way.property) == way.model else {
          // A program has put it elsewhere.
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

  /// Everything is where it is. What waited hears that it was not finished.
  package func finish() {
    guard !movers.isEmpty else { return }
    for mover in movers {
      for index in mover.ways.indices.reversed() { drop(at: index, of: mover) }
    }
    damageMovers()
    setDue()
  }

  /// Has pictures show a view where it is.
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

  /// Paints with what moves on its way.
  package func presenting<Result, Failure: Error>(
    _ paint: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard !movers.isEmpty, !isPresenting else { return try paint() }
    // What is laid out goes by where views are.
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
      for mover in movers {
        for way in mover.ways { mover.view.present(way.kept, as: way.property) }
      }
      isPresenting = false
    }
    return try paint()
  }

  /// Marks as to be drawn again where what moves was seen and where it is seen now, and lets go of what does not move any more.
  private func damageMovers() {
    for mover in movers { window.damage.add(mover.seen) }
    presenting {
      for mover in movers {
        mover.seen = mover.view.seenRect
        window.damage.add(mover.seen)
      }
    }
    movers.removeAll { $0.ways.isEmpty }
    if movers.isEmpty { stepped = nil }
  }
}

extension View {
  /// Around what is seen of the view, as far as views around it clip; nothing where it is concealed. Those that keep a picture of their
  /// content hear that it has changed.
  fileprivate var seenRect: WindowRect {
    var rect = isConcealed ? .zero : paintedWindowRect
    var next = superview
    while let view = next {
      if view.isConcealed { return .zero }
      if view.watchesContent {
        view.contentNeedsDisplay(in: LocalRect(x: -1e6, y: -1e6, width: 2e6, height: 2e6))
      }
      if view.clipsToBounds { rect = rect.intersection(view.windowFromLocal.bounding(view.bounds)) }
      next = view.superview
    }
    return window == nil ? .zero : rect
  }
}

extension Window {
  /// Nil until something has moved.
  package final var animator: Animator? {
    // Nothing else is kept there.
    motion.map { unsafeDowncast($0, to: Animator.self) }
  }

  /// Made when it is asked for; nil where no time passes.
  package final var runningAnimator: Animator? {
    guard dispatcher != nil else { return nil }
    if let animator { return animator }
    let made = Animator(self)
    motion = made
    return made
  }

  /// Changes views, and has pictures go from what they show to what the views are then. What is touched, asked or laid out finds the
  /// views where they go from the start; what is arranged because of the changes moves with them.
  /// (`UIView.animate(withDuration:delay:options:animations:completion:)`.)
  ///
  /// What moves already goes on from where it is seen.
  ///
  /// - Parameters:
  ///   - timing: without a duration everything is there at once.
  ///   - changes: set frames, transforms, alphas, colours, values and scroll offsets; everything else is there at once.
  ///   - completion: called when all of it is there, with true, or when something else has taken its place, with false.
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
