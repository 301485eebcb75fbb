import Logging
import TouchConfig
import TouchCore
import TouchDaemon
import TouchExpressions
import TouchHandlers
import TouchInput
import TouchInspection
import TouchKit
import TouchPixels
import TouchSystem
import TouchViews

/// A panel on a display in memory, with a clock that stands.
///
/// It is made of the daemon's parts, so its actions, gestures, stages of `idle:` and rows work as they do in
/// a run. Nothing outside of it is started: no handler, no command.
final class RehearsedPanel {
  let host: TouchDaemon.Host
  private let runtime: Runtime
  private let idle: IdleDisplay
  private let following: Following
  private let children: ChildProcesses
  private let factory: HandlerFactory
  /// The device of the keys.
  private let device: RemoteDevice?
  private var lastContact = 0

  /// The time between two moves of a finger, in seconds.
  private static let moveTime = 1.0 / 60
  /// The time between two taps, in seconds.
  private static let tapPause = 0.1

  /// - Parameters:
  ///   - size: the size of the display in pixels; nil for the one that suits the panel.
  ///   - start: the time on the wall clock, in seconds since 1970.
  init(_ configuration: Configuration, size: Size?, start: Int) throws {
    var configuration = configuration
    nonisolated(unsafe) let clock = ManualClock()
    let first = clock.nanoseconds
    configuration.clock = {
      let passed = clock.nanoseconds - first
      return .at(seconds: start + Int(passed / 1_000_000_000), nanoseconds: Int(passed % 1_000_000_000))
    }
    let log = Logger(label: "rehearsal") { _ in SwiftLogNoOpLogHandler() }
    var options = Runtime.Options()
    options.display = .headless(size ?? configuration.canvasLayout.naturalDisplaySize)
    options.clock = clock
    options.takesSignalsEarly = false
    runtime = try Runtime(configuration.presentation, options, windowID: configuration.window.id, log: log)
    let (loop, pipeline, presentation) = (runtime.loop, runtime.pipeline, runtime.presentation)
    host = Host(loop: loop, tree: ViewTree(configuration, in: runtime.window), logger: log)
    runtime.window.layoutIfNeeded()
    pipeline.dispatcher.tapSettings = configuration.input.taps
    pipeline.fileWantsScans = configuration.wantsScans
    idle = IdleDisplay(presentation, pipeline, host: host, in: loop, log: log)
    following = try Following(host, presentation, in: loop)
    children = ChildProcesses(host: host)
    factory = HandlerFactory(
      plugins: PluginLocator(folders: []), children: children, host: host, isRehearsal: true)
    device = RemoteDevice(id: -1, rules: DeviceRules([]), canvasSize: pipeline.geometry.canvasSize)
    following.repeatRows = { [weak self] in
      guard let self, host.mayHaveOtherViews else { return }
      _ = host.repeatRows(factory)
    }
    host.attach(try host.makeHandlers(of: host.tree, from: factory))
    idle.follow(configuration, at: loop.now)
    try runtime.begin(keyboard: .mute)
  }

  deinit {
    host.endHandlers()
    runtime.end()
  }

  var window: Window { runtime.window }

  /// Lets time pass, with everything that is due meanwhile.
  func wait(seconds: Double) throws {
    try runtime.loop.advance(byNanoseconds: Int64((seconds * 1e9).rounded()))
  }

  // MARK: Fingers and keys

  func tap(_ point: WindowPoint, times: Int, hold: Double) throws {
    for tap in 0..<times {
      if tap > 0 { try wait(seconds: Self.tapPause) }
      try drag(from: point, to: point, over: 0, hold: hold)
    }
  }

  /// Moves a finger, 60 times a second.
  ///
  /// - Parameters:
  ///   - seconds: how long it moves.
  ///   - hold: how long it stays before it lifts, in seconds.
  func drag(from start: WindowPoint, to end: WindowPoint, over seconds: Double, hold: Double) throws {
    lastContact += 1
    let contact = ContactID(device: DeviceID(rawValue: -1), serial: lastContact)
    try apply(TouchChange(contact: contact, kind: .began, location: start))
    let count = start == end ? 0 : max(1, Int((seconds / Self.moveTime).rounded()))
    for index in 0..<count {
      let part = Double(index + 1) / Double(count)
      try wait(seconds: seconds / Double(count))
      let point = WindowPoint(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
      try apply(TouchChange(contact: contact, kind: .moved, location: point))
    }
    try wait(seconds: hold)
    try apply(TouchChange(contact: contact, kind: .ended, location: end))
  }

  private func apply(_ change: TouchChange) throws {
    runtime.pipeline.apply([change], at: runtime.loop.now)
    try wait(seconds: 0)
  }

  func press(_ command: KeyCommand) throws {
    let changes = device?.changes(for: .init(command: command, phase: nil)) ?? []
    runtime.pipeline.apply(changes, at: runtime.loop.now)
    try wait(seconds: 0)
  }

  /// Returns the part of a text that no field takes.
  func type(_ text: String) throws -> Substring {
    var rest = text[...]
    while !rest.isEmpty, let first = window.firstResponder as? any KeyInput {
      // A line break may lead to another field.
      let end = rest.firstIndex(where: \.isNewline).map(rest.index(after:)) ?? rest.endIndex
      first.insertText(String(rest[..<end]))
      rest = rest[end...]
      try wait(seconds: 0)
    }
    return rest
  }

  // MARK: Pictures

  /// Returns what is shown now.
  ///
  /// - Parameter view: the view of which it is; nil for the whole display.
  func picture(of view: View?) throws -> Surface {
    try wait(seconds: 0)
    let presentation = runtime.presentation
    if presentation.finishPictures() { presentation.update(at: runtime.loop.now) }
    let whole = try presentation.renderer.picture(of: window)
    guard let view else { return whole }
    let geometry = presentation.renderer.geometry
    // In pixels of the display.
    let box = geometry.displayFromWindow.bounding(view.windowFrame, in: LocalSpace.self)
    let left = max(0, Int(box.minX.rounded(.down)))
    let top = max(0, Int(box.minY.rounded(.down)))
    let right = min(whole.width, Int(box.maxX.rounded(.up)))
    let bottom = min(whole.height, Int(box.maxY.rounded(.up)))
    guard left < right, top < bottom else { throw Failure("\(view.id) is not on the display") }
    let part = try Surface(width: right - left, height: bottom - top)
    for y in top..<bottom {
      (part.pixels + (y - top) * part.width).update(
        from: whole.pixels + y * whole.width + left, count: right - left)
    }
    return part
  }
}
