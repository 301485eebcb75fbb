import Logging
import TouchCore
import TouchInput
import TouchOutput
import TouchPixels
import TouchRender
import TouchSystem

/// Is told when the display is hidden, shown again or replaced: see `Presentation.addFollower(_:)`.
package protocol DisplayFollower: AnyObject {
  /// Called before anything is shown on it. Devices are mapped to one that was replaced already.
  func displayChanged(_ change: Output.Change)
}

/// A window as it is shown: the renderer on the output, the mouse pointer, and highlights that fade. It keeps the pipeline in
/// step with the display.
package final class Presentation: TurnHook {
  package let output: Output
  package private(set) var renderer: Renderer
  /// Why the display cannot be used any more; nil while it can.
  package private(set) var failure: DisplayError?
  /// Whether highlights fade in real time; otherwise in that of the recording.
  package var isLive = true

  package var turnPlace: TurnPlace?
  /// Called when the last pixel of a turn is painted, with whether it is shown already.
  package var onPainted: (_ isShown: Bool) -> Void = { _ in }
  /// Called once for each thing that cannot be painted; it is logged by itself.
  package var onNotice: ((PaintNotice) -> Void)?
  package let window: Window
  private var settings: PresentationSettings
  private let pipeline: InputPipeline
  private let loop: EventLoop
  private let log: Logger
  private var followers: [Follower] = []
  /// When the next picture of a motion is due, and its timer; nil while nothing moves or fades.
  private var nextFrame: (time: Timestamp, timer: Int)?
  /// When the last picture of a motion was due.
  private var lastFrame = Timestamp.zero
  /// Whether a picture was shown. From then on no turn waits until a large one is decoded.
  private var wasShown = false
  /// Made once: a closure takes memory.
  private var frameIsDue: () -> Void = {}

  /// Between two pictures of what moves, in microseconds: 60 a second.
  private static let frame: Int64 = 16_667

  private struct Follower {
    weak var object: (any DisplayFollower)?
  }

  /// - Throws: `DisplayError`.
  package init(
    _ settings: PresentationSettings, _ pipeline: InputPipeline, on output: Output, in loop: EventLoop,
    log: Logger
  ) throws(DisplayError) {
    self.output = output
    self.settings = settings
    window = pipeline.dispatcher.window
    self.pipeline = pipeline
    self.loop = loop
    self.log = log
    renderer = try Self.renderer(on: output.display, geometry: output.geometry, settings)
    window.reducesMotion = settings.display.reducesMotion
    // The end of the turn does the work.
    frameIsDue = { [unowned self] in
      if let nextFrame { lastFrame = nextFrame.time }
      nextFrame = nil
    }
    loop.addHook(self, at: .paint)
  }

  /// Has an object told of every change of the display, as long as it lives: it is not kept.
  package func addFollower(_ follower: any DisplayFollower) {
    followers.append(Follower(object: follower))
  }

  /// What the window is going to be shown with.
  package struct Replacement {
    fileprivate let arrangement: Output.Arrangement
    fileprivate let renderer: Renderer
    fileprivate let settings: PresentationSettings
  }

  /// Prepares to show the window with other settings.
  ///
  /// - Throws: `DisplayError` if there is no memory.
  package func prepare(_ settings: PresentationSettings) throws(DisplayError) -> Replacement {
    let arrangement = try output.arrangement(for: settings)
    let renderer = try Self.renderer(
      on: arrangement.display, geometry: arrangement.geometry, settings)
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

  /// Takes the console, and follows the display from here on. The signals must be watched already.
  ///
  /// - Throws: `DisplayError` when another touchtree is shown there.
  package func begin(terminal: Console.Choice, keyboard: Console.Keyboard) throws(DisplayError) {
    prepareRenderer()
    output.onChange = { [unowned self] change in follow(change) }
    output.onTouch = { [unowned self] in pipeline.apply([$0], at: loop.now) }
    try output.begin(in: loop, terminal: terminal, keyboard: keyboard)
  }

  /// Draws what the turn changed.
  package func turnEnds(at now: Timestamp) {
    update(at: now)
  }

  /// Draws what has changed.
  ///
  /// - Parameter now: on the monotonic clock.
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

  /// Draws the picture without highlights that fade: no update follows.
  package func settle() {
    if output.isShown { renderer.settle(window) }
  }

  /// Whether a view of the window is private.
  package var hasPrivateViews: Bool { window.containsPrivateViews }

  /// Brings a copy of the display up to date; see `Renderer.updateCopy`.
  package func updateCopy(on copy: any Screen) {
    renderer.updateCopy(of: window, on: copy)
  }

  /// Shows nothing, or the picture again. While nothing is shown, touches are not delivered: see `InputPipeline.isDark`.
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

  /// Wakes the loop 60 times a second while something moves or fades, and at no other time. A picture that comes late leaves those out
  /// that were due before it.
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

  /// Where the pointer is drawn; nil for nowhere.
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
    renderer.report = { [unowned self] notice in
      if let onNotice { onNotice(notice) } else { log.warning("\(notice)") }
    }
    renderer.onPainted = onPainted
    if wasShown { decodePicturesLater() }
    renderer.prepare()
  }

  /// Has large pictures decoded after everything else that a turn serves, piece by piece.
  private func decodePicturesLater() {
    // In the time of a recording each picture is there when it is shown.
    guard isLive else { return }
    renderer.onPicturesWait = { [unowned self] in loop.again { [weak self] in self?.decodePictures() } }
  }

  /// Decodes now what waits.
  ///
  /// - Returns: whether there was anything.
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
      // Devices are mapped to it.
      pipeline.move(to: output.geometry)
    }
    for follower in followers { follower.object?.displayChanged(change) }
    switch change {
    case .hidden:
      pipeline.suspend(at: loop.now)
    case .shown:
      pipeline.resume()
      renderer.drawEverything()
    case .resized:
      replaceRenderer()
    case .replaced:
      if replaceRenderer() { pipeline.resume() }
    case .failed(let error):
      fail(error)
    case .ended:
      loop.stop()
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
