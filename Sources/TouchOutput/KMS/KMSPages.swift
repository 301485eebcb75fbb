import CDrm
import SystemPackage
import TouchCore
import TouchPixels
import TouchSystem

/// The buffers of a display, and which of them is drawn in.
///
/// Usually there is one: what is pressed is drawn into the buffer that is shown, and seen at once. While something moves over
/// much of the screen, pictures are drawn into two more buffers by turns, and shown as a whole.
final class KMSPages {
  /// Called with a line for the log.
  var report: (String) -> Void = { _ in }
  let layout: FramebufferLayout
  let converter: RowConverter
  private let pipe: KMSPipe
  private let staging: StagingBuffer
  private var buffers: [KMSBuffer]
  /// What each buffer has missed since it was drawn in.
  private var missing = [Damage()]
  private var announcer: KMSAnnouncer
  private let loop: EventLoop
  private var watch: EventLoop.Source?

  private var turns = KMSTurns()
  /// The one that is drawn in.
  private var target = 0
  /// What is announced next.
  private let clips = KMSClips()
  /// Whether the driver works on an announcement.
  private var isInFlight = false
  /// Ends the wait for an event that does not come; nil while none is waited for with something to follow.
  private var timer: Int?
  /// What the timer does, made once: a closure takes memory.
  private var timeIsUp: () -> Void = {}
  /// Looks whether the motion is over for long; nil while there is one buffer.
  private var rest: Int?
  /// How often in a row the driver was busy.
  private var busyRounds = 0

  private var motion = Motion()
  /// False where the driver refuses to flip, or nothing is gained by it.
  private var canFlip: Bool
  /// Whether the log has that the driver does not show what is drawn.
  private var hasReported = false
  /// Whether what is composed is written into every buffer.
  private var fillsAll = false

  /// How long a driver may take to show a picture, in milliseconds.
  private static let longestFlight = 1000
  /// When a busy driver is asked again, in milliseconds, and how often.
  private static let (busyPause, mostBusyRounds) = (10, 100)
  /// How long the buffers of a motion are kept for the next one, in milliseconds.
  private static let keep = 5000

  /// Shows black, in the best format that the driver takes.
  ///
  /// - Throws: `DisplayError`, with what the driver refuses.
  static func showingBlack(by pipe: KMSPipe, in loop: EventLoop) throws(DisplayError) -> KMSPages {
    var refusal = pipe.hasNoFormat
    for format in pipe.formats {
      do throws(DisplayError) {
        let buffer = try KMSBuffer(
          on: pipe.card, width: pipe.mode.width, height: pipe.mode.height, format: format)
        buffer.clear()
        try pipe.show(buffer)
        return try KMSPages(pipe, buffer, in: loop)
      } catch {
        refusal = error
      }
    }
    throw refusal
  }

  /// - Parameters:
  ///   - pipe: shows the buffer already.
  ///   - buffer: is black.
  /// - Throws: `DisplayError` if there is no memory.
  private init(_ pipe: KMSPipe, _ buffer: KMSBuffer, in loop: EventLoop) throws(DisplayError) {
    self.pipe = pipe
    self.loop = loop
    buffers = [buffer]
    layout = try buffer.layout()
    converter = RowConverter(layout: layout)
    staging = try StagingBuffer(width: layout.width, height: layout.height)
    announcer = KMSAnnouncer(pipe)
    canFlip = true
    timeIsUp = { [unowned self] in
      timer = nil
      arrive()
    }
    do {
      watch = try loop.watch(pipe.card.descriptor.rawValue) { [unowned self] in takeEvents() }
    } catch {
      throw DisplayError(
        .failed, path: pipe.card.path, detail: "its events cannot be read", cause: error.errno)
    }
  }

  /// Nothing is drawn any more.
  func end() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    stopTimer()
    stopResting()
    announcer.dropClips()
  }

  /// Gets what is on its way shown, as far as that can be waited for: before the end, and before it is switched off.
  func settle() {
    guard isInFlight || !clips.isEmpty || turns.ready != nil else { return }
    if turns.latest != turns.shown, (try? pipe.show(buffers[turns.latest])) != nil {
      // What was in flight is shown before a mode is set: its event is there, and must not be taken for a later one's.
      _ = touchtree_drm_take_events(pipe.card.descriptor.rawValue)
      turns.settle()
    }
    if !clips.isEmpty {
      _ = touchtree_drm_dirty(
        pipe.card.descriptor.rawValue, buffers[turns.latest].framebuffer, clips.corners, UInt32(clips.count))
      clips.removeAll()
    }
    isInFlight = turns.queued != nil
    if !isInFlight { stopTimer() }
  }

  /// Shows the newest picture by setting the mode, where the display was not switched on again.
  ///
  /// - Throws: `DisplayError` if the driver does not.
  func showAgain() throws(DisplayError) {
    try pipe.show(buffers[turns.latest])
    turns.settle()
  }

  // MARK: Drawing

  /// Whether what is composed is seen: the driver scans out the buffer, and it is the one that is drawn in.
  var showsAtOnce: Bool { !announcer.isNeeded && target == turns.shown }

  func begin(_ damage: inout Damage) {
    if buffers.count == 1 { return }
    let now = MonotonicClock.nanoseconds()
    let isMoving = canFlip && motion.isMoving(at: now)
    target = (isMoving ? turns.free(of: buffers.count) : nil) ?? turns.latest
    for index in buffers.indices where index != target { missing[index].add(damage) }
    damage.add(missing[target])
    missing[target].removeAll()
  }

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    let visible = rect.intersection(layout.bounds)
    guard !visible.isEmpty else { return }
    let memory = buffers[target].memory
    staging.compose(visible, paint) { target, part, pixel in
      converter.write(part, of: target, filledWith: pixel, to: memory)
      guard fillsAll else { return }
      for buffer in buffers where buffer.memory != memory {
        converter.write(part, of: target, filledWith: pixel, to: buffer.memory)
      }
    }
    clips.add(visible)
    motion.drawn += visible.width * visible.height
  }

  /// - Returns: false if everything has to be composed again.
  func present() -> Bool {
    if fillsAll {
      for index in missing.indices { missing[index].removeAll() }
      fillsAll = false
    }
    motion.end(at: MonotonicClock.nanoseconds(), pixels: layout.width * layout.height)
    if target != turns.latest {
      clips.removeAll()
      turns.ready = target
      return submit()
    }
    announce()
    guard buffers.count == 1, canFlip, motion.isMoving(at: MonotonicClock.nanoseconds()) else { return true }
    return !addPages()
  }

  // MARK: Announcing

  private func announce() {
    guard !clips.isEmpty else { return }
    // A buffer that the driver has not got yet will be shown whole. One that it has got may be copied already.
    guard turns.ready == nil, announcer.isNeeded else { return clips.removeAll() }
    guard !isInFlight else { return startTimer(Self.longestFlight) }
    settle(announcer.announce(clips, of: buffers[turns.shown]))
  }

  /// A driver that stays busy has failed.
  private func judged(_ outcome: KMSAnnouncer.Outcome) -> KMSAnnouncer.Outcome {
    guard case .busy = outcome, busyRounds < Self.mostBusyRounds else {
      let isBusy = busyRounds == Self.mostBusyRounds
      busyRounds = 0
      return isBusy ? .failed(.resourceBusy) : outcome
    }
    busyRounds += 1
    return outcome
  }

  private func settle(_ outcome: KMSAnnouncer.Outcome) {
    switch judged(outcome) {
    case .done: clips.removeAll()
    case .inFlight:
      clips.removeAll()
      isInFlight = true
    case .busy: startTimer(Self.busyPause)
    // That the card is gone is reported by others.
    case .failed(.operationNotSupportedByDevice): clips.removeAll()
    case .failed(let cause):
      if announcer.fallBack() { return settle(announcer.announce(clips, of: buffers[turns.shown])) }
      clips.removeAll()
      guard !hasReported else { return }
      hasReported = true
      report("the driver \(pipe.card.driver) does not show what is drawn (\(cause))")
    }
  }

  /// Gives the driver the buffer that is ready, unless it has one already.
  private func submit() -> Bool {
    guard let next = turns.ready else { return true }
    guard !isInFlight else {
      startTimer(Self.longestFlight)
      return true
    }
    switch judged(announcer.flip(to: buffers[next])) {
    case .inFlight, .done:
      turns.submit()
      isInFlight = true
    case .busy:
      startTimer(Self.busyPause)
    case .failed(.operationNotSupportedByDevice): turns.ready = nil
    case .failed(let cause):
      report("the driver \(pipe.card.driver) does not change buffers (\(cause)); one is used")
      canFlip = false
      let isShown = (try? pipe.show(buffers[next])) != nil
      if isShown { turns.settle() } else { turns.ready = nil }
      target = turns.latest
      dropPages()
      return isShown
    }
    return true
  }

  private func takeEvents() {
    guard touchtree_drm_take_events(pipe.card.descriptor.rawValue) > 0 else { return }
    arrive()
  }

  /// What was in flight is shown, or is not waited for any longer.
  private func arrive() {
    stopTimer()
    isInFlight = false
    turns.arrive()
    if turns.ready != nil {
      _ = submit()
    } else {
      announce()
    }
  }

  private func startTimer(_ milliseconds: Int) {
    guard timer == nil else { return }
    timer = loop.addTimer(milliseconds: milliseconds, repeats: false, timeIsUp)
  }

  private func stopTimer() {
    if let timer { loop.cancelTimer(timer) }
    timer = nil
  }

  // MARK: Pages

  /// Adds two buffers, and has everything composed into all three.
  ///
  /// - Returns: false if nothing is gained by them, or there is no memory.
  private func addPages() -> Bool {
    // A picture that is copied when it is announced does not tear, unless the hardware takes its time.
    let gains =
      !announcer.isNeeded
      || touchtree_drm_has_vertical_blank(pipe.card.descriptor.rawValue, pipe.crtc) == 0
    guard gains else {
      canFlip = false
      return false
    }
    do {
      let first = buffers[0]
      for _ in 0..<2 {
        buffers.append(
          try KMSBuffer(on: first.card, width: first.width, height: first.height, format: first.format))
        missing.append(Damage())
      }
    } catch {
      canFlip = false
      dropPages()
      return false
    }
    fillsAll = true
    rest = loop.addTimer(milliseconds: Self.keep, repeats: true) { [unowned self] in
      if motion.isOver(at: MonotonicClock.nanoseconds(), for: Self.keep), turns.isAtRest, !isInFlight {
        dropPages()
      }
    }
    return true
  }

  private func stopResting() {
    if let rest { loop.cancelTimer(rest) }
    rest = nil
  }

  /// Keeps the buffer that is shown.
  private func dropPages() {
    stopResting()
    guard buffers.count > 1 else { return }
    buffers = [buffers[turns.shown]]
    missing.removeLast(missing.count - 1)
    missing[0].removeAll()
    (turns, target, fillsAll) = (KMSTurns(), 0, false)
  }
}

/// Which buffer is shown, and which ones follow it.
struct KMSTurns: Equatable {
  private(set) var shown = 0
  /// The one that the driver has been given, until an event says that it is shown.
  private(set) var queued: Int?
  /// The one that follows it.
  var ready: Int?

  /// The buffer with the newest picture.
  var latest: Int { ready ?? queued ?? shown }
  /// Whether no other buffer follows.
  var isAtRest: Bool { queued == nil && ready == nil }

  /// A buffer that may be drawn in without being seen: the one that is ready, as long as the driver has not got it; nil if there is none.
  func free(of count: Int) -> Int? {
    (0..<count).first { $0 != shown && $0 != queued && (ready == nil || $0 == ready) }
  }

  /// The driver has got the one that was ready.
  mutating func submit() { (queued, ready) = (ready, nil) }

  /// What the driver has got is shown.
  mutating func arrive() { (shown, queued) = (queued ?? shown, nil) }

  /// The newest picture is shown, and nothing follows it.
  mutating func settle() { self = KMSTurns(shown: latest) }

  init(shown: Int = 0) { self.shown = shown }
}

/// Whether something moves over much of the screen: pictures that are drawn one after the other, each of a large part.
private struct Motion {
  /// Pixels of the picture that is being drawn.
  var drawn = 0
  private var largeInRow = 0
  /// When the last large picture was drawn, in nanoseconds.
  private var last: Int64 = 0

  /// How many large pictures begin a motion.
  private static let begin = 3
  /// A large picture draws at least this part of the screen.
  private static let largePart = 4
  /// How long a motion lasts after its last large picture, in nanoseconds.
  private static let pause: Int64 = 250_000_000

  // The clock is read for what is large: a touch is small, and reading the clock is a call of the kernel's on some machines.

  mutating func end(at now: @autoclosure () -> Int64, pixels: Int) {
    defer { drawn = 0 }
    guard drawn >= pixels / Self.largePart else { return }
    let now = now()
    largeInRow = now - last < Self.pause ? largeInRow + 1 : 1
    last = now
  }

  mutating func isMoving(at now: @autoclosure () -> Int64) -> Bool {
    guard largeInRow >= Self.begin else { return false }
    if now() - last < Self.pause { return true }
    largeInRow = 0
    return false
  }

  /// Whether nothing has moved for some time, in milliseconds.
  func isOver(at now: Int64, for milliseconds: Int) -> Bool { now - last >= Int64(milliseconds) * 1_000_000 }
}
