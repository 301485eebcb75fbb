import CDrm
import TouchCore
import TouchPixels
import TouchSystem

/// The buffers of a display, and the choice of the one to draw in. Usually there is one buffer. It is shown
/// while it is drawn in, so a press is visible at once. While something moves over much of the screen,
/// pictures are drawn by turns into two more buffers, and shown as a whole.
final class KMSPages {
  var report: (String) -> Void = { _ in }
  /// Called with the time at which the display has begun to show another picture.
  var onShown: (Timestamp) -> Void = { _ in }
  let layout: FramebufferLayout
  let converter: RowConverter
  private let pipe: KMSPipe
  private let staging: StagingBuffer
  private var buffers: [KMSBuffer]
  var framebuffers: [UInt32] { buffers.map(\.framebuffer) }
  var format: KMSFormat { buffers[0].format }
  private var missing = [Damage()]
  private var announcer: KMSAnnouncer
  private let loop: EventLoop
  private var watch: EventLoop.Source?

  private var turns = KMSTurns()
  private var target = 0
  private let clips = KMSClips()
  private var isInFlight = false
  /// The timer that ends the wait for a missing event; nil while nothing has to follow an event.
  private var timer: Int?
  /// The timer's action. It is made once, because a closure takes memory.
  private var timeIsUp: () -> Void = {}
  /// The timer that looks for the end of the motion; nil while there is one buffer.
  private var rest: Int?
  /// The number of times in a row that the driver was busy.
  private var busyRounds = 0

  private var motion = Motion()
  /// Whether flipping is worth while and the driver does not refuse it.
  private var canFlip: Bool
  /// Whether the log already has that the driver does not show the picture.
  private var hasReported = false
  /// Whether the composed picture is written into every buffer.
  private var fillsAll = false

  /// The longest time in which a driver may show a picture, in milliseconds.
  private static let longestFlight = 1000
  /// The pause before a busy driver is asked again, in milliseconds, and the most times that it is asked.
  private static let (busyPause, mostBusyRounds) = (10, 100)
  /// The time for which the buffers of a motion are kept for the next one, in milliseconds.
  private static let keep = 5000

  /// Shows black, in the best format that the driver takes, or throws the driver's refusal.
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

  /// Begins with a pipe that already shows a black buffer.
  private init(_ pipe: KMSPipe, _ buffer: KMSBuffer, in loop: EventLoop) throws(DisplayError) {
    (self.pipe, self.loop) = (pipe, loop)
    buffers = [buffer]
    layout = try buffer.layout()
    converter = RowConverter(layout: layout)
    staging = try StagingBuffer(width: layout.width, height: layout.height, showsPictures: true)
    announcer = KMSAnnouncer(pipe)
    canFlip = true
    timeIsUp = { [weak self] in
      guard let self else { return }
      timer = nil
      arrive()
    }
    do {
      watch = try loop.watch(pipe.card.descriptor.rawValue) { [weak self] in self?.takeEvents() }
    } catch {
      throw DisplayError(
        .failed, path: pipe.card.path, detail: "its events cannot be read", cause: error.errno)
    }
  }

  func end() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    stopTimer()
    stopResting()
    announcer.dropClips()
  }

  /// Shows the picture on its way as far as possible, before the end and before the display is off.
  func settle() {
    guard isInFlight || !clips.isEmpty || turns.ready != nil else { return }
    if turns.latest != turns.shown, (try? pipe.show(buffers[turns.latest])) != nil {
      // The picture in flight is shown before the mode is set; its event must not count for a later one.
      var time: Int64 = 0
      _ = touchtree_drm_take_events(pipe.card.descriptor.rawValue, &time)
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

  /// Shows the newest picture by setting the mode.
  func showAgain() throws(DisplayError) {
    try pipe.show(buffers[turns.latest])
    turns.settle()
  }

  // MARK: Drawing

  /// Whether the composed picture is visible at once: the buffer drawn in is the one scanned out.
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
    // A buffer not given to the driver yet is shown whole. One that was given may be copied already.
    guard turns.ready == nil, announcer.isNeeded else { return clips.removeAll() }
    guard !isInFlight else { return startTimer(Self.longestFlight) }
    settle(announcer.announce(clips, of: buffers[turns.shown]))
  }

  /// Returns the outcome. A driver that stays busy has failed.
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
    // A missing card is reported elsewhere.
    case .failed(.operationNotSupportedByDevice): clips.removeAll()
    case .failed(let cause):
      if announcer.fallBack() { return settle(announcer.announce(clips, of: buffers[turns.shown])) }
      clips.removeAll()
      guard !hasReported else { return }
      hasReported = true
      report("the driver \(pipe.card.driver) does not show what is drawn (\(cause))")
    }
  }

  /// Gives the ready buffer to the driver, unless the driver still has another one.
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
    case .busy: startTimer(Self.busyPause)
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
    var time: Int64 = 0
    guard touchtree_drm_take_events(pipe.card.descriptor.rawValue, &time) > 0 else { return }
    onShown(Timestamp(microseconds: time))
    arrive()
  }

  /// Follows the end of a flight: the picture is shown, or is not waited for any longer.
  private func arrive() {
    stopTimer()
    isInFlight = false
    turns.arrive()
    if turns.ready != nil { _ = submit() } else { announce() }
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

  /// Adds two buffers and has all three composed; false if they gain nothing, or there is no memory.
  private func addPages() -> Bool {
    // A picture that is copied on its announcement does not tear, unless the hardware is slow.
    let gains =
      !announcer.isNeeded || touchtree_drm_has_vertical_blank(pipe.card.descriptor.rawValue, pipe.crtc) == 0
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
    rest = loop.addTimer(milliseconds: Self.keep, repeats: true) { [weak self] in
      guard let self else { return }
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

  private func dropPages() {
    stopResting()
    guard buffers.count > 1 else { return }
    buffers = [buffers[turns.shown]]
    missing.removeLast(missing.count - 1)
    missing[0].removeAll()
    (turns, target, fillsAll) = (KMSTurns(), 0, false)
  }
}

/// The buffer that is shown, and those that follow it.
struct KMSTurns: Equatable {
  private(set) var shown = 0
  /// The buffer that was given to the driver, until an event reports that it is shown.
  private(set) var queued: Int?
  var ready: Int?

  var latest: Int { ready ?? queued ?? shown }
  var isAtRest: Bool { queued == nil && ready == nil }

  /// Returns a buffer to draw in unseen: the ready one, else one neither shown nor queued.
  func free(of count: Int) -> Int? {
    (0..<count).first { $0 != shown && $0 != queued && (ready == nil || $0 == ready) }
  }

  mutating func submit() { (queued, ready) = (ready, nil) }

  mutating func arrive() { (shown, queued) = (queued ?? shown, nil) }

  mutating func settle() { self = KMSTurns(shown: latest) }

  init(shown: Int = 0) { self.shown = shown }
}

/// A motion over much of the screen: pictures in succession that each redraw a large part.
private struct Motion {
  /// The pixels drawn of the present picture.
  var drawn = 0
  private var largeInRow = 0
  private var last: Int64 = 0

  private static let begin = 3
  /// The divisor of the screen's pixels that makes a picture large.
  private static let largePart = 4
  /// The time that a motion lasts after its last large picture, in nanoseconds.
  private static let pause: Int64 = 250_000_000

  // A touch is small, and on some machines reading the clock is a system call.

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

  /// Returns whether nothing has moved for a time in milliseconds.
  func isOver(at now: Int64, for milliseconds: Int) -> Bool { now - last >= Int64(milliseconds) * 1_000_000 }
}
