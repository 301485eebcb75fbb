import Logging
import TouchCore
import TouchInput
import TouchOutput
import TouchPixels
import TouchRender
import TouchSystem

/// Follows the display when it is hidden, shown again or replaced. (`Presentation.addFollower(_:)`)
package protocol DisplayFollower: AnyObject {
  /// Called before anything is shown on the display. Devices are already mapped to a replaced one.
  func displayChanged(_ change: Output.Change)
}

/// The presentation of a window: the renderer on the output, the mouse pointer, and fading highlights.
/// It keeps the pipeline in step with the display.
package final class Presentation: TurnHook {
  package let output: Output
  package private(set) var renderer: Renderer
  /// The reason why the display cannot be used any more; nil if it can.
  package private(set) var failure: DisplayError?
  /// Whether highlights fade in real time rather than in that of a recording.
  package var isLive = true

  package var turnPlace: TurnPlace?
  /// Called when the last pixel of a turn is painted. The argument tells whether it is already shown.
  package var onPainted: (_ isShown: Bool) -> Void = { _ in }
  /// Called once for each thing that cannot be painted, in addition to the log.
  package var onNotice: ((PaintNotice) -> Void)?
  package let window: Window
  private var settings: PresentationSettings
  private let pipeline: InputPipeline
  private let loop: EventLoop
  private let log: Logger
  private var followers: [Follower] = []
  /// The time of the next picture of a motion, with its timer; nil while nothing moves or fades.
  private var nextFrame: (time: Timestamp, timer: Int)?
  /// The time at which the last picture of a motion was due.
  private var lastFrame = Timestamp.zero
  /// Whether a picture was shown. From then on no turn waits for the decoding of a large picture.
  private var wasShown = false
  /// The timer's action. It is made once, because a closure takes memory.
  private var frameIsDue: () -> Void = {}

  /// The time between two pictures of a motion, in microseconds: 60 a second.
  private static let frame: Int64 = 16_667

  private struct Follower {
    weak var object: (any DisplayFollower)?
  }

  package init(
    _ settings: PresentationSettings, _ pipeline: InputPipeline, on output: Output, in loop: EventLoop,
    log: Logger
  ) throws(DisplayError) {
    (self.output, self.settings) = (output, settings)
    window = pipeline.dispatcher.window
    self.pipeline = pipeline
    self.loop = loop
    self.log = log
    renderer = try Self.renderer(on: output.display, geometry: output.geometry, settings)
    window.reducesMotion = settings.display.reducesMotion
    // The end of the turn does the work.
    frameIsDue = { [weak self] in
      guard let self else { return }
      if let nextFrame { lastFrame = nextFrame.time }
      nextFrame = nil
    }
    loop.addHook(self, at: .paint)
  }

  /// Adds a follower that is told of every change of the display. It is held weakly.
  package func addFollower(_ follower: any DisplayFollower) { followers.append(Follower(object: follower)) }

  /// A prepared change of settings.
  package struct Replacement {
    fileprivate let arrangement: Output.Arrangement
    fileprivate let renderer: Renderer
    fileprivate let settings: PresentationSettings
  }

  /// Prepares to show the window with other settings.
  /// - Throws: `DisplayError` if there is no memory.
  package func prepare(_ settings: PresentationSettings) throws(DisplayError) -> Replacement {
    let arrangement = try output.arrangement(for: settings)
    let renderer = try Self.renderer(on: arrangement.display, geometry: arrangement.geometry, settings)
    return Replacement(arrangement: arrangement, renderer: renderer, settings: settings)
  }

  /// Shows the window with other settings from the next update on. Pictures and fonts are read again.
  package func show(with replacement: Replacement) {
    output.use(replacement.arrangement, for: replacement.settings)
    settings = replacement.settings
    window.reducesMotion = settings.display.reducesMotion
    renderer = replacement.renderer
    prepareRenderer()
  }

  private static func renderer(
    on display: any Display, geometry: DisplayGeometry, _ settings: PresentationSettings
  ) throws(DisplayError) -> Renderer {
    var style = settings.highlight
    if settings.display.reducesMotion { (style.view.fade, style.path.fade, style.touches.trail) = (0, 0, 0) }
    return try Renderer(
      display: display, geometry: geometry, style: style, background: settings.display.background)
  }

  /// Takes the console and follows the display from now on. The signals must already be watched.
  /// - Throws: `DisplayError` if another touchtree is shown there.
  package func begin(terminal: Console.Choice, keyboard: Console.Keyboard) throws(DisplayError) {
    prepareRenderer()
    output.onChange = { [weak self] change in self?.follow(change) }
    output.onTouch = { [pipeline, loop] in pipeline.apply([$0], at: loop.now) }
    try output.begin(in: loop, terminal: terminal, keyboard: keyboard)
  }

  package func turnEnds(at now: Timestamp) { update(at: now) }

  /// Draws the changes.
  /// - Parameter now: the time on the monotonic clock.
  package func update(at now: Timestamp) {
    if output.isShown {
      renderer.update(pipeline.dispatcher, cursor: cursor, at: isLive ? now : pipeline.time)
      if !renderer.isCurrent { output.look() }
      if !wasShown {
        wasShown = true
        decodePicturesLater()
      }
    }
    watchMotion(at: now)
  }

  /// Draws the final picture, without highlights that fade, since no update follows.
  package func settle() { if output.isShown { renderer.settle(window) } }

  package var hasPrivateViews: Bool { window.containsPrivateViews }

  /// Brings a copy of the display up to date; see `Renderer.updateCopy`.
  package func updateCopy(on copy: any Screen) { renderer.updateCopy(of: window, on: copy) }

  /// Shows nothing, or the picture again. While nothing is shown,
  /// touches are not delivered. (`InputPipeline.isDark`)
  package func setBlank(_ isBlank: Bool) {
    guard isBlank != output.isBlank else { return }
    if isBlank {
      output.blank()
    } else {
      output.unblank()
      renderer.drawEverything()
    }
  }

  /// Restores the display and the console.
  package func end() { output.end() }

  /// Wakes the loop 60 times a second while something moves or fades, and at no other time. A
  /// late picture skips those that were due before it.
  private func watchMotion(at now: Timestamp) {
    let wanted = isLive && output.isShown ? renderer.nextStep(of: window) : nil
    guard let wanted else {
      if let nextFrame { loop.cancelTimer(nextFrame.timer) }
      nextFrame = nil
      return
    }
    let missed = max(0, now.microseconds(since: lastFrame) / Self.frame)
    let next = max(
      wanted,
      missed > 1000
        ? now.advanced(byMicroseconds: Self.frame)
        : lastFrame.advanced(byMicroseconds: (missed + 1) * Self.frame))
    if let nextFrame {
      guard next < nextFrame.time else { return }
      loop.cancelTimer(nextFrame.timer)
    }
    nextFrame = (next, loop.addTimer(at: next, frameIsDue))
  }

  package var isPointerShown: Bool { cursor != nil }

  /// The place at which the pointer is drawn; nil if it is not drawn.
  private var cursor: WindowPoint? {
    let hasPointer = output.hasPointer
    let location = hasPointer ? output.pointer : pipeline.pointer.location
    switch settings.pointer {
    case .always: return location
    case .never: return nil
    case .auto: return hasPointer || (pipeline.hasMouse && pipeline.isPointerInUse) ? location : nil
    }
  }

  private func prepareRenderer() {
    renderer.report = { [weak self] notice in
      guard let self else { return }
      if let onNotice { onNotice(notice) } else { log.warning("\(notice)") }
    }
    renderer.onPainted = onPainted
    if wasShown { decodePicturesLater() }
    renderer.prepare()
  }

  /// Schedules the decoding of large pictures, piece by piece, after the other work of each turn.
  private func decodePicturesLater() {
    // In a recording's time each picture is there when it is shown.
    guard isLive else { return }
    renderer.onPicturesWait = { [weak self, loop] in loop.again { _ = self?.decodePictures() } }
  }

  /// Decodes waiting pictures now.
  /// - Returns: whether there were any.
  package func finishPictures() -> Bool {
    guard renderer.decodePictures() else { return false }
    while renderer.decodePictures() {}
    return true
  }

  private func decodePictures() {
    repeat {
      guard renderer.decodePictures() else { return }
    } while loop.hasTime
    loop.again { [weak self] in self?.decodePictures() }
  }

  /// Keeps the pipeline and the renderer in step with the display.
  private func follow(_ change: Output.Change) {
    if case .replaced = change {
      pipeline.suspend(at: loop.now)
      // Devices are mapped to the new display.
      pipeline.move(to: output.geometry)
    }
    for follower in followers { follower.object?.displayChanged(change) }
    switch change {
    case .hidden: pipeline.suspend(at: loop.now)
    case .shown:
      pipeline.resume()
      renderer.drawEverything()
    case .resized: replaceRenderer()
    case .replaced: if replaceRenderer() { pipeline.resume() }
    case .failed(let error): fail(error)
    case .ended: loop.stop()
    }
  }

  /// - Returns: false if that failed.
  @discardableResult
  private func replaceRenderer() -> Bool {
    do {
      renderer = try Self.renderer(on: output.display, geometry: output.geometry, settings)
      prepareRenderer()
      return true
    } catch {
      fail(error)
      return false
    }
  }

  private func fail(_ error: DisplayError) {
    failure = error
    loop.stop()
  }
}
