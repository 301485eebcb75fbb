import Logging
import TouchConfig
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

/// The view tree as the daemon shows it: the renderer on the output, the mouse pointer, and highlights that fade. It keeps
/// the pipeline in step with the display.
package final class Presentation: TurnHook {
  package let output: Output
  package private(set) var renderer: Renderer
  /// Why the display cannot be used any more; nil while it can.
  package private(set) var failure: DisplayError?
  /// Whether highlights fade in real time; otherwise in that of the recording.
  package var isLive = true

  package var turnPlace: TurnPlace?
  private var tree: ViewTree
  private let pipeline: InputPipeline
  private let loop: EventLoop
  private let statistics: InputStatistics
  private let log: Logger
  private var followers: [Follower] = []
  /// Fires while a highlight fades; nil while none does.
  private var fadeTimer: Int?

  /// 30 steps a second look smooth, and leave a slow board time for touches. In milliseconds.
  private static let fadeStep = 33

  private struct Follower {
    weak var object: (any DisplayFollower)?
  }

  /// - Parameter statistics: are told when a picture is painted.
  /// - Throws: `DisplayError`.
  package init(
    of tree: ViewTree, _ pipeline: InputPipeline, on output: Output, in loop: EventLoop,
    _ statistics: InputStatistics, log: Logger
  ) throws(DisplayError) {
    self.output = output
    self.tree = tree
    self.pipeline = pipeline
    self.loop = loop
    self.statistics = statistics
    self.log = log
    renderer = try Self.renderer(on: output.display, geometry: output.geometry, tree.configuration)
    loop.addHook(self, at: .paint)
  }

  /// Has an object told of every change of the display, as long as it lives: it is not kept.
  package func addFollower(_ follower: any DisplayFollower) {
    followers.append(Follower(object: follower))
  }

  /// What another configuration is going to be shown with.
  package struct Replacement {
    fileprivate let arrangement: Output.Arrangement
    fileprivate let renderer: Renderer
    fileprivate let configuration: Configuration
  }

  /// Prepares to show another configuration.
  ///
  /// - Throws: `DisplayError` if there is no memory.
  package func prepare(_ configuration: Configuration) throws(DisplayError) -> Replacement {
    let arrangement = try output.arrangement(for: configuration)
    let renderer = try Self.renderer(
      on: arrangement.display, geometry: arrangement.geometry, configuration)
    return Replacement(arrangement: arrangement, renderer: renderer, configuration: configuration)
  }

  /// Shows another tree from the next update on. Pictures and fonts are read again.
  ///
  /// - Parameter replacement: made for the tree's configuration.
  package func show(_ tree: ViewTree, with replacement: Replacement) {
    output.use(replacement.arrangement, for: replacement.configuration)
    self.tree = tree
    renderer = replacement.renderer
    prepareRenderer()
  }

  private static func renderer(
    on display: any Display, geometry: DisplayGeometry, _ configuration: Configuration
  ) throws(DisplayError) -> Renderer {
    try Renderer(
      display: display, geometry: geometry, style: configuration.highlight,
      background: configuration.display.background)
  }

  /// Takes the console, and follows the display from here on. The signals must be watched already.
  ///
  /// - Throws: `DisplayError` when another touchtree is shown there.
  package func begin(terminal: Console.Choice, keyboard: Console.Keyboard) throws(DisplayError) {
    prepareRenderer()
    output.onChange = { [unowned self] change in follow(change) }
    output.onTouch = { [unowned self] in pipeline.apply([$0], at: MonotonicClock.now()) }
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
    }
    watchFading()
  }

  /// Draws the picture without highlights that fade: no update follows.
  package func settle() {
    if output.isShown { renderer.settle(tree.window) }
  }

  /// Where private views lie on the display, in pixels.
  package var privateAreas: [PixelRect] { renderer.privateAreas(of: tree.window) }

  /// Brings a copy of the display up to date; see `Renderer.updateCopy`.
  package func updateCopy(on copy: any Screen) {
    renderer.updateCopy(of: tree.window, on: copy)
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

  /// Wakes the loop while something fades, and at no other time.
  private func watchFading() {
    let isFading = isLive && output.isShown && renderer.isFading
    guard isFading != (fadeTimer != nil) else { return }
    if let fadeTimer {
      loop.cancelTimer(fadeTimer)
      self.fadeTimer = nil
    } else {
      fadeTimer = loop.addTimer(milliseconds: Self.fadeStep, repeats: true) {}
    }
  }

  /// Where the pointer is drawn; nil for nowhere.
  private var cursor: WindowPoint? {
    let hasPointer = output.hasPointer
    let location = hasPointer ? output.pointer : pipeline.pointer.location
    switch tree.configuration.input.cursor {
    case .always: return location
    case .never: return nil
    case .auto: return hasPointer || (pipeline.hasMouse && pipeline.isPointerInUse) ? location : nil
    }
  }

  private func prepareRenderer() {
    renderer.report = { [unowned self] notice in
      // What cannot be painted of a private view's text says what it is.
      if let view = notice.viewOfText, tree.viewsByID[view]?.privateView != nil { return }
      log.warning("\(tree.configuration.sentence(for: notice))")
    }
    renderer.onPainted = { [statistics] in statistics.painted(isShown: $0) }
    renderer.prepare()
  }

  /// Keeps the pipeline and the renderer in step with the display.
  private func follow(_ change: Output.Change) {
    if case .replaced = change {
      pipeline.suspend(at: MonotonicClock.now())
      // Devices are mapped to it.
      pipeline.move(to: output.geometry)
    }
    for follower in followers { follower.object?.displayChanged(change) }
    switch change {
    case .hidden:
      pipeline.suspend(at: MonotonicClock.now())
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
      renderer = try Self.renderer(on: output.display, geometry: output.geometry, tree.configuration)
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
