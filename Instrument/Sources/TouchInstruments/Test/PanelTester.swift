import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchExpressions
import TouchInput
import TouchKit
import TouchMeasure
import TouchOutput
import TouchRecordings
import TouchRender
import TouchSystem

/// The program behind `touchtree test`: shows the tasks and records the reports of the bare device.
package final class PanelTester: TurnHook {
  package struct Options {
    package var profile: PanelProfile
    package var tests = PanelTest.allCases
    /// The panel's size in millimetres; nil to take it from the profile or the axes' resolution.
    package var size: Size?
    /// Called for a panel whose size is not known, with its name. It returns the size in millimetres, or nil.
    package var askSize: (String) -> Size? = { _ in nil }
    /// The device node; nil for the first touchscreen.
    package var device: String?
    /// The node with the controller's own measurements; nil for the one that belongs to the device.
    package var raw: String?
    /// The display in place of the configuration's; nil for that one.
    package var display: DisplayName?
    package var terminal = Console.Choice.own
    /// The longest wait for a touch before the next task, in seconds.
    package var timeout = 15
    /// The facts at the head of the report, beside the kernel and the date.
    package var facts: [TestFact: String] = [:]
    /// The file to which an instrument writes its observations (`InstrumentFile`); nil without one.
    package var stamps: String?
    /// The socket of a robot's program, which touches the panel; nil for a person or a robot that sees the
    /// tasks.
    package var trigger: String?
    /// The path of the recording; nil to write none.
    package var recording: String?
    package var report: (String) -> Void = { _ in }

    package init(profile: PanelProfile) { self.profile = profile }
  }

  package var turnPlace: TurnPlace?
  private let options: Options
  /// The panel's size in millimetres; nil to take it from the axes' resolution.
  private let size: Size?
  private let configuration: Configuration
  private let loop: EventLoop
  private let displayOutput: Output
  private let device: OpenDevice
  private let kind: DeviceKind
  private let plan: TestPlan
  private let trace: PanelTrace
  private let screen: TestScreen
  private let renderer: Renderer
  private let source: TouchSource
  private let log: Logger
  private let robot: RobotLine?
  /// The measurements of the controller while noise is tested; nil without a node of its driver.
  private let raw: RawSampling?
  private let start = MonotonicClock.now()

  private let kernel: String
  private var writer: LibinputWriter
  private let output: LineOutput?
  private var frames: [InputFrame] = []
  private var marks: [Recording.Mark] = []
  private var task = 0
  /// The first contact of the task, among those of the trace.
  private var firstContact = 0
  private var taskStart = Timestamp.zero
  private var lastActivity = Timestamp.zero
  private var corners: [CalibrationFit.Sample] = []
  /// The orientation of the axes, as far as the corners have shown it.
  private var orientation = PanelOrientation()
  /// The frame that changed the picture in this turn, while delays are measured.
  private var shownFrame: Timestamp?
  private var failure: (any Error)?
  private var lastText = ""
  /// The rubbed cells in the task that asks for rubbing.
  private var rubbed: RubMap?

  /// Opens the display, the device and the recording.
  package init(configuration: Configuration, options: Options, log: Logger) throws {
    (self.options, self.configuration, self.log) = (options, configuration, log)
    loop = try EventLoop()
    let rules = DeviceRules(configuration.input.rules)
    let devices = try rules.open(options.device.map { [$0] } ?? [], grab: false)
    guard
      let device = devices.first(where: { device in
        rules.classification(of: device.description).kind?.isTouchscreen ?? false
      })
    else {
      guard options.device != nil, let other = devices.first?.description else {
        throw DeviceError.noTouchscreen
      }
      throw DeviceError(.unsuitable, path: other.path, detail: "\(other.name): it is no touchscreen")
    }
    let description = device.description
    kind = rules.classification(of: description).kind ?? .multitouch
    let (x, y) = description.capabilities.positionAxes(of: kind)
    let given = options.size ?? options.profile.size
    size = given ?? (PanelGeometry(x: x, y: y).isInMillimetres ? nil : options.askSize(description.title))
    displayOutput = try Output(options.display, for: configuration.presentation, log: log)
    screen = try TestScreen(display: configuration.display, geometry: displayOutput.geometry)
    renderer = try Renderer(
      display: displayOutput.display, geometry: displayOutput.geometry,
      style: screen.tree.configuration.highlight, background: configuration.display.background)
    let setup = SourceSetup(
      description, id: 1, as: kind, initial: device.initialState, rule: nil,
      geometry: displayOutput.inputGeometry)
    source = setup.source
    self.device = OpenDevice(device, source: setup.source)
    trace = PanelTrace(
      kind: kind, capabilities: description.capabilities, initial: device.initialState,
      geometry: PanelGeometry(x: x, y: y, millimetres: size))
    let fingers = kind == .multitouch ? min(10, description.capabilities.slotCount ?? 10) : 1
    plan = TestPlan(
      options.tests, options.profile, fingers: fingers, geometry: trace.geometry,
      hasInstrument: options.stamps != nil)
    writer = LibinputWriter(start: start)
    do throws(Errno) {
      output = try options.recording.map { path throws(Errno) in
        try LineOutput(path: path, backpressure: .waits)
      }
    } catch {
      throw SystemError(
        "open", error, path: options.recording, hint: "name another file or folder for the report")
    }
    if plan.tests.contains(.noise), let node = options.raw ?? RawSampling.node(of: description) {
      raw =
        options.raw == nil ? try? RawSampling(node: node, in: loop) : try RawSampling(node: node, in: loop)
    } else {
      raw = nil
    }
    robot = try options.trigger.map { path throws(Failure) in try RobotLine(path: path) }
    let recorder = "touchtree \(TouchtreeVersion.text)"
    let system = SystemDescription.current
    kernel = system.kernel
    output?.write(Array(LibinputWriter.header(devices: 1, recorder: recorder, system: system).utf8))
    output?.write(
      Array(
        LibinputWriter.header(description, device.initialState, udev: UdevProperties(of: description)).utf8))
  }

  /// Runs until every task was shown, or the user ends the test, with the rest incomplete.
  package func run() throws -> PanelMeasurement {
    signal(SIGPIPE, SIG_IGN)
    options.report("testing \(device.description.title) (\(device.description.path))")
    if let raw {
      options.report("signal and noise are those of \(raw.title)")
    } else if plan.tests.contains(.noise), let node = RawTouchNode.nodes().first {
      options.report("\(node) is no node of this panel that can be read: signal and noise need --raw NODE")
    }
    let ends = EndSignals.numbers
    try loop.watchSignals(ends + Output.signals) { [unowned self] signal in
      if ends.contains(signal) { finish("a signal") } else { displayOutput.handle(signal: signal) }
    }
    displayOutput.onChange = { [unowned self] in follow($0) }
    try device.watch(in: loop, fromFirstChange: true) { [unowned self] in
      take($0)
    } onLoss: {
      [unowned self] error in
      log.warning("\(error)")
      finish("the loss of the device")
    }
    let keys = AbortKeys(loop: loop, watchesTerminal: !displayOutput.usesTerminal) { [unowned self] in
      take($0)
    }
    try robot?.begin(in: loop) { [unowned self] in
      robotIsDone()
    } onFault: {
      [unowned self] in
      finish($0)
    }
    displayOutput.onKey = { [unowned self] in take(AbortKeys.Key(byte: $0)) }
    try displayOutput.begin(in: loop, terminal: options.terminal, keyboard: .signals)
    loop.addHook(screen.pipeline, at: .deliver)
    loop.addHook(self, at: .paint)
    _ = loop.addTimer(milliseconds: 250, repeats: true) { [unowned self] in tick() }
    _ = loop.addTimer(milliseconds: 50, repeats: true) { [unowned self] in
      if case .pattern = plan.tasks[task].shape { screen.flicker() }
    }
    if let size { mark("size \(size.width.plain)x\(size.height.plain)") }
    var facts = options.facts
    facts[.kernel] = kernel
    facts[.date] = Self.date
    for fact in TestFact.allCases { if let text = facts[fact] { mark("\(fact.rawValue) \(text.onOneLine)") } }
    mark("plan \(plan.tests.map(\.rawValue).joined(separator: ","))")
    if plan.tasks.isEmpty { loop.stop() } else { begin(0) }
    try loop.run()
    robot?.end()
    endSampling()
    mark("end")
    withExtendedLifetime(keys) {}
    displayOutput.end()
    try addStamps()
    try output?.flush()
    if let failure { throw failure }
    return PanelMeasurement(
      device.description, as: kind, initial: device.device.initialState, frames: frames,
      marks: TestMarks(marks, end: MonotonicClock.now()), size: size)
  }

  /// The date in the form `2026-05-04 14:20`, in the time zone of the process.
  private static var date: String {
    let now = LocalTime.now()
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(now.year)-\(digits(now.month))-\(digits(now.day)) \(digits(now.hour)):\(digits(now.minute))"
  }

  // MARK: Tasks

  private func begin(_ index: Int) {
    learnCorner()
    endSampling()
    guard plan.tasks.indices.contains(index) else { return loop.stop() }
    task = index
    firstContact = trace.contacts.count
    taskStart = MonotonicClock.now()
    lastActivity = taskStart
    let current = plan.tasks[index]
    let name = "\(current.test.rawValue) \(current.argument)".trimmed
    mark(name)
    robot?.start(name)
    if current.test == .noise { raw?.begin() }
    lastText = current.instruction
    rubbed = nil
    if case .cells = current.shape {
      let diameter = options.profile.limit(of: .deadDiameter)?.value ?? 4
      rubbed = RubMap(diameter: trace.geometry.length(diameter), in: seenGeometry)
    }
    screen.show(current, progress: Double(index) / Double(plan.tasks.count))
    var place = ""
    if case .cross(let at) = current.shape {
      let display = displayOutput.geometry.displaySize
      place = " (pixel \(Int(at.x * display.width)),\(Int(at.y * display.height)))"
    }
    options.report(
      "\(index + 1) of \(plan.tasks.count), \(current.test.rawValue): \(current.instruction)\(place)")
  }

  /// Marks what the controller has measured in a task of the test for noise.
  private func endSampling() {
    guard plan.tasks.indices.contains(task), plan.tasks[task].test == .noise, let strength = raw?.end() else {
      return
    }
    mark("raw \(plan.tasks[task].argument) \(strength.noise.short) \(strength.signal.short)")
  }

  /// Learns the orientation of the axes from a touched corner, so that the cells turn green under the finger.
  private func learnCorner() {
    guard case .cross(let place) = plan.tasks[task].shape, plan.tasks[task].test == .mapping,
      trace.contacts.indices.contains(firstContact)
    else { return }
    corners.removeAll { $0.target == place }
    corners.append(
      CalibrationFit.Sample(
        touched: trace.geometry.normalized(trace.contacts[firstContact].firstPosition), target: place))
    orientation = MappingFault(corners)?.orientation ?? PanelOrientation()
  }

  private func take(_ frame: InputFrame) {
    frames.append(frame)
    var bytes: [UInt8] = []
    writer.append(frame, to: &bytes)
    output?.write(bytes)
    screen.pipeline.apply(frame, from: source)
    let count = trace.contacts.count
    trace.add(frame)
    lastActivity = MonotonicClock.now()
    let current = plan.tasks[task]
    switch current.shape {
    case .area where trace.contacts.count != count || trace.down.isEmpty:
      screen.showArea(isTouched: !trace.down.isEmpty)
      if trace.contacts.count != count { shownFrame = frame.time }
    case .cells: rub()
    default: break
    }
    guard trace.down.isEmpty, trace.contacts.count > firstContact, robot == nil else { return }
    if let rubbed {
      if rubbed.isDone { begin(task + 1) }
      return
    }
    guard let missing = current.missing(Array(trace.contacts[firstContact...]), of: trace, options.profile)
    else { return begin(task + 1) }
    if missing != lastText {
      lastText = missing
      screen.say(missing)
      options.report(missing)
    }
  }

  /// The panel as its user sees it, as far as the corners have shown the orientation of the axes.
  private var seenGeometry: PanelGeometry {
    let (x, y) = device.description.capabilities.positionAxes(of: kind)
    return PanelGeometry(x: x, y: y, millimetres: size, orientation: orientation)
  }

  /// Marks the way of one finger. With several fingers it is unknown which of them rubs.
  private func rub() {
    guard let index = trace.down.first, trace.down.count == 1, var report = trace.contacts[index].reports.last
    else {
      rubbed?.lift()
      return
    }
    let (size, seen) = (trace.geometry.size, seenGeometry)
    let place = orientation.map(Point(x: report.point.x / size.width, y: report.point.y / size.height))
    report.point = seen.point(place)
    rubbed?.rub(report)
    guard let rubbed else { return }
    // A finger goes at most this far between two reports.
    screen.show(rubbed, around: place, reach: 0.2)
    if rubbed.isDone { screen.say("Every cell is green. Lift the finger.") }
  }

  /// Goes on to the next task after a time without touches.
  private func tick() {
    let now = MonotonicClock.now()
    let current = plan.tasks[task]
    if current.test == .ghost {
      let share = now.seconds(since: taskStart) / Double(options.profile.ghostSeconds)
      screen.show(progress: (Double(task) + min(share, 1)) / Double(plan.tasks.count))
      if share < 1 { return }
      if robot?.step == nil { return begin(task + 1) }
    }
    var timeout = options.timeout
    if trace.contacts.count > firstContact { timeout = current.timeout(options.profile) ?? timeout }
    // A contact that never lifts must not stop the test for ever.
    let wait = Double(trace.down.isEmpty ? timeout : 4 * timeout)
    guard now.seconds(since: lastActivity) >= wait else { return }
    if let robot, robot.step != nil {
      return finish(robot.sentence("neither an answer nor a touch for \(Int(wait)) s"))
    }
    begin(task + 1)
  }

  /// Goes on when the panel has reported what the robot did, or the task's time is over.
  private func robotIsDone() {
    let done = task
    guard plan.tasks[done].test != .ghost else { return }
    _ = loop.addTimer(milliseconds: Self.reportTime, repeats: false) { [unowned self] in
      if task == done { begin(done + 1) }
    }
  }

  /// The time for reports that are on their way, in milliseconds.
  private static let reportTime = 100

  private func take(_ key: AbortKeys.Key) {
    let test = plan.tasks[task].test
    // A robot makes every step, once.
    guard robot == nil || key == .quit else { return }
    switch key {
    case .next: begin(task + 1)
    case .skip:
      mark("skip")
      begin(plan.tasks.lastIndex { $0.test == test }.map { $0 + 1 } ?? plan.tasks.count)
    case .again:
      mark("again")
      begin(plan.tasks.firstIndex { $0.test == test } ?? 0)
    case .quit: finish("a key")
    case .other: break
    }
  }

  private func finish(_ reason: String) {
    options.report("ended by \(reason); what was not done is not judged")
    mark("quit")
    loop.stop()
  }

  /// Adds the instrument's observations during the test.
  private func addStamps() throws(Failure) {
    guard let path = options.stamps else { return }
    let end = MonotonicClock.now()
    for stamp in try InstrumentFile.read(path) where stamp.time >= start && stamp.time <= end {
      mark(stamp.kind.rawValue, at: stamp.time)
    }
  }

  private func mark(_ text: String, at time: Timestamp = MonotonicClock.now()) {
    let mark = Recording.Mark(time: time, text: text)
    marks.append(mark)
    var bytes: [UInt8] = []
    writer.append(mark, to: &bytes)
    output?.write(bytes)
  }

  // MARK: Display

  package func turnEnds(at now: Timestamp) {
    if displayOutput.isShown {
      let isPainted = renderer.update(screen.pipeline.dispatcher, cursor: nil, at: now)
      if isPainted, let frame = shownFrame {
        mark("delay \(max(0, MonotonicClock.now().microseconds(since: frame)))")
      }
      if !renderer.isCurrent { displayOutput.look() }
    }
    shownFrame = nil
    do {
      try output?.flush()
    } catch {
      failure = SystemError(
        "write", error, path: options.recording, hint: "name another file or folder for the report")
      loop.stop()
    }
  }

  private func follow(_ change: Output.Change) {
    switch change {
    case .hidden: screen.pipeline.suspend(at: MonotonicClock.now())
    case .shown:
      screen.pipeline.resume()
      renderer.drawEverything()
    // The marks would be in another place.
    case .replaced: finish("a change of the display")
    case .resized: finish("a terminal of another size")
    case .ended: finish("a key")
    case .failed(let error):
      failure = error
      loop.stop()
    }
  }
}

extension String {
  /// The text without a space at the end.
  fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}
