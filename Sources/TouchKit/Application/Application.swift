import Glibc
import Logging
@_exported import TouchCore
import TouchOutput
import TouchSystem
import TouchViews
@_exported import TouchViews

/// A program that shows a window and is touched. (`UIApplication`.)
///
/// ```swift
/// let app = try Application()
/// app.window.addSubview(Button("Horn", frame: Rect(x: 40, y: 40, width: 200, height: 80)) { print("honk") })
/// try app.run()
/// ```
///
/// The application belongs to the main actor, and its loop runs on that actor's thread. The views in
/// its window cannot be sent to another thread either. Only `perform(_:)` may be called from
/// elsewhere, and the compiler enforces that. Views and controllers belong to no actor. Their code
/// finds the application's loop at `Responder.loop`.
@MainActor
public final class Application {
  /// The window that is shown and touched. It is as large as the canvas,
  /// and empty until views are added. (`UIWindow`.)
  public let window: Window
  /// The loop, which provides timers, descriptors and the end to the code of views.
  public let loop: MainLoop

  let runtime: Runtime
  private let display: Display
  private let deferredLog: DeferredLog
  private nonisolated let mailbox: Mailbox
  /// The contacts of the fingers of `touch(_:)` that are down.
  private var fingers: [Int: ContactID] = [:]
  private var lastContact = 0
  private var hasBegun = false

  /// Opens the display. `run()` reads devices and takes the console.
  ///
  /// - Parameters:
  ///   - display: the display; by default the one that `touchtree run` would find.
  ///   - canvas: the size of the window in its own units, scaled to fit
  ///     the display; nil for the display's own pixels.
  ///   - rotation: the clockwise rotation on the display; nil to follow the panel's mounting.
  ///   - devices: the device nodes to read; empty for every touchscreen, tablet and mouse.
  /// - Throws: `ApplicationError` if there is no display, or it may not be used.
  public init(
    display: Display = .automatic, canvas: Size? = nil, rotation: Rotation? = nil, devices: [String] = []
  ) throws(ApplicationError) {
    let display = display.resolved
    self.display = display
    let (log, deferredLog) = Self.makeLog()
    self.deferredLog = deferredLog
    var settings = PresentationSettings(source: Self.programName)
    settings.display.canvasSize = canvas
    settings.display.rotation = rotation?.geometry
    settings.display.background = .black
    do {
      var options = Runtime.Options()
      options.display = try display.name()
      options.devices = devices
      options.clock = display.isHeadless ? ManualClock() : nil
      // A program that tests may contain many applications.
      options.takesSignalsEarly = !display.isHeadless
      options.errorHead = LogOutput.head(of: .error, forPeople: "\(Self.programName): error: ")
      options.deferredLog = deferredLog
      runtime = try Runtime(settings, options, windowID: "window", log: log)
      mailbox = try Mailbox()
      window = runtime.window
      ApplicationWindows.add(window)
      loop = MainLoop(runtime.loop)
      window.application = LoopResponder(loop)
      try runtime.loop.watch(mailbox.descriptor, as: .later) { [mailbox] in
        for body in mailbox.take() { body() }
      }
      if let queue = MainQueue() {
        try runtime.loop.watch(queue.descriptor, as: .later) { queue.serve() }
        // Work that waits already wakes nobody any more.
        runtime.loop.again { queue.serve() }
      }
      if display.isHeadless { try begin() }
    } catch {
      throw ApplicationError(error)
    }
  }

  private static func makeLog() -> (Logger, DeferredLog) {
    let held = DeferredLog()
    let name = programName
    return (Logger(label: name) { LogOutput(label: $0, level: .notice, held: held) }, held)
  }

  private static var programName: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map(String.init) ?? "program"
  }

  private func begin() throws {
    guard !hasBegun else { return }
    hasBegun = true
    try runtime.begin(keyboard: .signals)
  }

  // MARK: Running

  /// Makes an application, sets it up and runs it. It is all that a
  /// program's `main` has to do. (`UIApplicationMain`.)
  ///
  /// ```swift
  /// @main struct Horn {
  ///   static func main() {
  ///     Application.main { app in app.window.rootViewController = Panel() }
  ///   }
  /// }
  /// ```
  ///
  /// An error is written to standard error in one line, under the program's name, and ends the
  /// program with its `ApplicationError.exitStatus`. (An error thrown at the top of a program
  /// is printed with Swift's own words and a trace.)
  ///
  /// - Parameters:
  ///   - display: the display, as for `init(display:canvas:rotation:devices:)`.
  ///   - canvas: the size of the window.
  ///   - rotation: the clockwise rotation on the display.
  ///   - devices: the device nodes to read.
  ///   - setUp: fills the window. An error that it throws ends the program.
  @available(
    *, noasync, message: "it keeps its thread until the program ends; call it in a main() that is not async"
  )
  public static func main(
    display: Display = .automatic, canvas: Size? = nil, rotation: Rotation? = nil, devices: [String] = [],
    _ setUp: (Application) throws -> Void
  ) -> Never {
    do {
      let app = try Application(display: display, canvas: canvas, rotation: rotation, devices: devices)
      try setUp(app)
      try app.run()
      exit(0)
    } catch {
      let error = ApplicationError(error)
      error.report(as: programName)
      exit(error.exitStatus)
    }
  }

  /// Runs until `quit()`, a signal, or, in a terminal, the key q. Then every touch is cancelled, and display
  /// and console are restored. (`UIApplicationMain`.)
  ///
  /// On a headless display only requested devices are read, and time passes by itself from now on.
  ///
  /// Meanwhile tasks of the main actor and work in `DispatchQueue.main` are served in turn with
  /// timers and descriptors. An asynchronous `main` is a task itself, and would keep all of them
  /// waiting. The compiler refuses the call there.
  ///
  /// - Throws: `ApplicationError` if no device can be used, if another program is shown on the
  ///   display, or if the display cannot be used any more.
  @available(*, noasync, message: "it keeps its thread until it ends; call it in a main() that is not async")
  public func run() throws(ApplicationError) {
    do {
      runtime.loop.releaseClock()
      try runtime.takeSignals()
      try runtime.startDevices(where: display.isHeadless)
      try begin()
      try runtime.run()
      runtime.pipeline.end(at: runtime.loop.now)
      runtime.loop.endTurn()
      runtime.presentation.settle()
      runtime.end()
      deferredLog.finish()
      if let failure = runtime.presentation.failure { throw failure }
    } catch {
      if hasBegun { runtime.end() }
      deferredLog.finish()
      throw ApplicationError(error)
    }
  }

  /// Ends `run()` after this turn of the loop.
  public func quit() { loop.quit() }

  /// Calls a closure on the main actor's thread, in a later turn of the loop, in the order of the calls.
  ///
  /// It may be called on any thread, unlike every other member. (`DispatchQueue.main.async(execute:)`.)
  public nonisolated func perform(_ body: @escaping @MainActor @Sendable () -> Void) { mailbox.put(body) }

  /// Calls a closure once, after a time. (`Timer.scheduledTimer(withTimeInterval:repeats:block:)`.)
  ///
  /// - Parameters:
  /// - time: the time until the call, at least a millisecond.
  ///   - body: called on the application's thread.
  @discardableResult
  public func addTimer(after time: Duration, _ body: @escaping () -> Void) -> Cancellable {
    loop.addTimer(after: time, body)
  }

  /// Calls a closure again and again. (`Timer.scheduledTimer(withTimeInterval:repeats:block:)`.)
  ///
  /// - Parameters:
  /// - time: the time between two calls, at least a millisecond.
  ///   - body: called on the application's thread.
  @discardableResult
  public func addTimer(every time: Duration, _ body: @escaping () -> Void) -> Cancellable {
    loop.addTimer(every: time, body)
  }

  /// Calls a closure whenever a descriptor is ready, such as a socket of the program's own.
  ///
  /// The descriptor must stay open until the watch is cancelled. (`DispatchSource`.)
  ///
  /// - Throws: `ApplicationError` for a descriptor that cannot be waited for, such as that of a file.
  @discardableResult
  public func watch(
    _ descriptor: Int32, for readiness: MainLoop.Readiness = .reading, _ body: @escaping () -> Void
  ) throws(ApplicationError) -> Cancellable {
    try loop.watch(descriptor, for: readiness, body)
  }

  // MARK: The picture

  /// The picture on the display, with all changes made so far.
  ///
  /// - Returns: nil if there is no memory for it.
  public var picture: Picture? {
    runtime.presentation.update(at: runtime.loop.now)
    if runtime.presentation.finishPictures() { runtime.presentation.update(at: runtime.loop.now) }
    return (try? runtime.presentation.renderer.picture(of: window)).map(Picture.init)
  }

  // MARK: Testing

  /// Lets time pass on a headless display before it runs.
  ///
  /// Timers, waiting gestures, work of other threads and
  /// descriptors are served meanwhile, each at its own time.
  public func advance(by time: Duration) {
    // A loop that cannot wait any more has lost its descriptors. `run()` reports that.
    try? runtime.loop.advance(byNanoseconds: time.nanoseconds)
  }

  /// Touches the window as fingers on a panel do.
  ///
  /// On a headless display that does not run, the clock advances by the duration of
  /// the touches. Otherwise they come as time passes.
  public func touch(_ touches: TouchSequence) {
    guard display.isHeadless && !runtime.loop.isRunning else { return play(touches) }
    for step in touches.steps {
      if step.wait > .zero { advance(by: step.wait) }
      apply(step)
      advance(by: .zero)
    }
  }

  private func play(_ touches: TouchSequence) {
    var wait = Duration.zero
    for step in touches.steps {
      wait += step.wait
      guard wait > .zero else {
        apply(step)
        continue
      }
      loop.addTimer(after: wait) { [weak self] in self?.apply(step) }
    }
  }

  private func apply(_ step: TouchSequence.Step) {
    let contact: ContactID
    switch (step.kind, fingers[step.finger]) {
    // A finger that is down cannot go down again, and one that is up does nothing.
    case (.began, .some), (.moved, nil), (.ended, nil), (.cancelled, nil): return
    case (.began, nil):
      lastContact += 1
      contact = ContactID(device: Self.device, serial: lastContact)
      fingers[step.finger] = contact
    case (.moved, let down?): contact = down
    case (.ended, let down?), (.cancelled, let down?):
      contact = down
      fingers[step.finger] = nil
    }
    runtime.pipeline.apply(
      [TouchChange(contact: contact, kind: step.kind, location: step.location)], at: runtime.loop.now)
  }

  /// The device of these touches. Devices of hardware have positive numbers.
  private static let device = TouchCore.DeviceID(rawValue: -1)
}

extension Runtime {
  /// - Parameter isHeadless: whether nobody can touch the display, so that only requested devices are read.
  fileprivate func startDevices(where isHeadless: Bool) throws {
    if !isHeadless || hasChosenDevices { try startDevices() }
  }
}

extension Duration {
  /// The duration in nanoseconds, at most 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if isTooLong { return seconds < 0 ? .min : .max }
    return product.addingReportingOverflow(attoseconds / 1_000_000_000).overflow
      ? .max : product + attoseconds / 1_000_000_000
  }
}
