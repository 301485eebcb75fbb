import ArgumentParser
import Glibc
import Logging
import TouchCommand
import TouchConfig
import TouchCore
import TouchInput
import TouchInstruments
import TouchMeasure
import TouchRecordings
import TouchSystem
import TouchTools
import TouchViews

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.test.rawValue, abstract: ExternalCommand.test.abstract,
    discussion: """
      Shows one task after the other on the display, records what the device reports, and judges it. The keys a, s, n and \
      q make a test again, skip it, go to the next task, and end; without a touch, the next task comes by itself. The \
      exit status is 0 if every test conforms, 1 if one does not, and 2 if one is undecided or not measured. A recording that was not made by a test is judged by the tests that need no task: \
      \(PanelTest.allCases.filter(\.needsNoTask).map(\.rawValue).joined(separator: ", ")). With --only, all that it holds \
      is taken for the task. Limits in millimetres need the resolution of the device's axes, or --size, or the profile's panel.
      """, subcommands: [TestComparisonCommand.self, TestVerificationCommand.self])

  @Option(help: ArgumentHelp("Judge a recording, and show nothing.", valueName: "REC"), completion: .file())
  var replay: String?

  @Option(
    help: ArgumentHelp("The device to test. Default: the first touchscreen.", valueName: "PATH"),
    completion: .devices)
  var device: String?

  @Option(
    help: ArgumentHelp(
      "The node of the controller's own numbers, for signal to noise. Default: the device's.",
      valueName: "/dev/v4l-touchN"), completion: .file())
  var raw: String?

  @Option(
    help: ArgumentHelp(
      "Make only these tests: \(PanelTest.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "TEST,…"), completion: .list(PanelTest.allCases.map(\.rawValue)),
    transform: TestsArgument.init)
  var only: TestsArgument?

  @Option(
    help: ArgumentHelp("The limits: chromeos, hlk, iec62908, or a YAML file.", valueName: "NAME|FILE"),
    completion: .profiles)
  var profile = "chromeos"

  @Option(
    name: .customLong("operator"),
    help: ArgumentHelp(
      "Who touches the panel, which decides the limits: hand or robot.",
      discussion: "Default: that of the profile, which is hand unless it says otherwise.",
      valueName: "hand|robot"), completion: .list(PanelOperator.allCases.map(\.rawValue)),
    transform: OperatorArgument.init)
  var touchedBy: OperatorArgument?

  @Option(
    help: ArgumentHelp(
      "The panel's width and height in millimetres, as you see it.",
      discussion: "Default: from the profile, or the resolution of the device's axes.", valueName: "WxHmm"),
    transform: MillimetresArgument.init)
  var size: MillimetresArgument?

  @Option(help: ArgumentHelp("The panel's serial number, for the report.", valueName: "TEXT"))
  var unit: String?

  @Option(help: ArgumentHelp("The panel's firmware, for the report.", valueName: "TEXT"))
  var firmware: String?

  @Option(help: ArgumentHelp("Who makes the test, for the report.", valueName: "NAME")) var by: String?

  @Option(
    help: ArgumentHelp("The diameter of the test bar or the finger, for the report.", valueName: "TEXT"))
  var bar: String?

  @Option(help: ArgumentHelp("The temperature, for the report.", valueName: "TEXT")) var temperature: String?

  @Option(help: ArgumentHelp("The relative humidity, for the report.", valueName: "TEXT"))
  var humidity: String?

  @Option(
    help: ArgumentHelp(
      "The state of the machine, such as battery or \"after suspend\", for the report.", valueName: "TEXT"))
  var condition: String?

  @Option(
    help: ArgumentHelp(
      "What an instrument writes during the test: a line of SECONDS (of CLOCK_MONOTONIC) and finger, beam or light.",
      valueName: "FILE"), completion: .file())
  var stamps: String?

  @Option(
    help: ArgumentHelp(
      "Let a robot touch the panel: its program listens on this Unix socket, reads `start NAME` for each step and answers `done`.",
      valueName: "SOCKET"), completion: .file())
  var trigger: String?

  @Option(
    help: ArgumentHelp(
      "Show the figures of this JSON report of another test next to the new ones.", valueName: "REPORT"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Take the display and the device rules from this configuration.",
      discussion: "Default: \(Configuration.installed), if it exists.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The display for the tasks: auto, /dev/fbN, kms[:CONNECTOR], terminal, or headless:WxH.",
      valueName: "auto|/dev/fbN|terminal"), completion: .displays("auto", "terminal"),
    transform: DisplayArgument.init)
  var display: DisplayArgument?

  @Option(
    help: ArgumentHelp(
      "The virtual terminal to use: /dev/ttyN, or new for a free one. Default: the current one.",
      valueName: "/dev/ttyN|new"), completion: .terminals)
  var tty: String?

  @Option(help: ArgumentHelp("Go to the next task after this time without a touch.", valueName: "seconds"))
  var timeout = 15

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Save the report: as FILE.html, FILE.txt, FILE.json, FILE.csv (every report of the panel), FILE.xml (JUnit) or FILE.png, or all of them and the recording in a folder.",
      valueName: "FILE|DIR"), completion: .file())
  var output: String?

  func validate() throws {
    if !(1...86_400).contains(timeout) { throw ValidationError("--timeout takes 1 to 86400 seconds.") }
    if let output, let ending = TestOutput.unknownEnding(of: output) {
      throw ValidationError(
        "there is no report as '\(ending)': give \(output) the ending .html, .txt, .json, .csv, .xml or .png, or name a folder."
      )
    }
    let needingDevice = [
      ("--device", device), ("--config", config), ("--stamps", stamps), ("--tty", tty),
      ("--trigger", trigger),
      ("--display", display.map { _ in "" }),
    ]
    if replay != nil, let (name, _) = needingDevice.first(where: { $0.1 != nil }) {
      throw ValidationError("\(name) has no effect with --replay: remove one of them.")
    }
  }

  func run() throws {
    let profile = try limits()
    var destination = output.map { TestOutput(path: $0) }
    let baseline = try baseline.map(Self.text)
    try destination?.prepare()
    let measurement: PanelMeasurement
    var bytes: [UInt8]?
    do {
      if let replay {
        // It may be a pipe, which is read once.
        let read = try RecordingFile.read(replay)
        measurement = try self.measurement(of: replay, read)
        bytes = read
      } else {
        measurement = try test(by: profile, recording: destination?.recording)
        bytes = destination.flatMap { try? RecordingFile.read($0.recording) }
      }
    } catch {
      destination?.discard()
      throw error
    }
    if let replay, let bytes { try destination?.copy(bytes, of: replay) }
    let only = replay == nil ? nil : only?.tests
    let judgement = PanelJudgement(of: measurement, by: profile, only: only)
    let report = try TestReport(
      judgement, baseline: baseline, recording: replay == nil ? destination?.recording : nil, bytes: bytes,
      only: only)
    try destination?.write(judgement, report)
    try conclude(judgement, report)
  }

  private func limits() throws -> PanelProfile {
    var limits: PanelProfile
    do {
      limits = try PanelProfile.load(profile)
    } catch {
      guard case .unreadable(_, let cause) = error, cause == .noSuchFileOrDirectory, !profile.contains("/"),
        !profile.contains(".")
      else { throw error }
      // Windows' limits are named after its lab kit.
      let near =
        profile.lowercased().hasPrefix("win")
        ? "hlk" : Suggestion.nearest(to: profile, among: PanelProfile.names)
      throw Failure(
        .noSuchFile,
        "there is no profile '\(profile.escaped)', and no such file; the profiles are "
          + PanelProfile.names.joined(separator: ", ") + (near.map { " (did you mean '\($0)'?)" } ?? "")
          + ", and a file of your own has limits in YAML")
    }
    if let touchedBy { limits.touchedBy = touchedBy.touchedBy }
    return limits
  }

  private func measurement(of path: String, _ bytes: [UInt8]) throws -> PanelMeasurement {
    let recording = try Recording(bytes: bytes, path: path)
    for notice in recording.notices { StandardError.write(line: "touchtree: warning: \(notice)") }
    var measurement = try PanelMeasurement(of: recording, size: size?.size)
    for (fact, text) in facts { measurement.marks.set(fact, text) }
    return measurement
  }

  private var facts: [TestFact: String] {
    var facts: [TestFact: String] = [:]
    facts[.unit] = unit
    facts[.firmware] = firmware
    facts[.by] = by
    facts[.condition] = condition
    facts[.bar] = bar
    facts[.temperature] = temperature
    facts[.humidity] = humidity
    return facts
  }

  private func test(by profile: PanelProfile, recording: String?) throws -> PanelMeasurement {
    var options = PanelTester.Options(profile: profile)
    if let only { options.tests = only.tests }
    options.size = size?.size
    options.device = device
    options.raw = raw
    options.display = display?.name
    if let tty { options.terminal = tty == "new" ? .unused : .path(tty) }
    options.timeout = timeout
    options.facts = facts
    options.stamps = stamps
    options.trigger = trigger
    options.recording = recording
    // A terminal that is the display gets no lines.
    if options.display?.usesTerminal != true {
      options.report = { StandardError.write(line: $0) }
      if isatty(STDIN_FILENO) == 1 { options.askSize = Self.askSize }
    }
    let log = Logger(label: "touchtree") { LogOutput(label: $0, level: .warning) }
    return try PanelTester(
      configuration: try Configuration.installedOr(config), options: options, log: log
    ).run()
  }

  /// Asks in the terminal for the size of a panel whose driver gives none. An empty line is no answer.
  private static func askSize(_ name: String) -> Size? {
    while true {
      StandardError.write(
        line:
          "\(name): the driver gives no size. Type the panel's width and height in millimetres, such as 154x86, or Enter: "
          + "without a size nothing in millimetres is measured.")
      guard let line = readLine(), !line.isEmpty else { return nil }
      if let size = TestMarks.size(line) { return size }
    }
  }

  private func conclude(_ judgement: PanelJudgement, _ report: TestReport) throws {
    let lines = LineOutput(.standardOutput)
    lines.write(Array(report.text.utf8))
    try lines.flush()
    switch judgement.conformity {
    case .conforms: break
    case .doesNotConform: throw ExitCode(ExitStatus.badAnswer.rawValue)
    case .undecided, .notMeasured: throw ExitCode(ExitStatus.incomplete.rawValue)
    }
  }

  static func text(of report: String) throws -> String {
    do {
      return String(decoding: try FileContents.read(report, upTo: 1 << 20), as: UTF8.self)
    } catch {
      throw Failure(
        ExitStatus(error),
        "\(report): the report cannot be read (\(error)); name a JSON report of `touchtree test`")
    }
  }
}

struct OperatorArgument {
  var touchedBy: PanelOperator

  /// - Throws: `ValidationError` for anything else.
  init(argument: String) throws {
    guard let touchedBy = PanelOperator(rawValue: argument) else {
      throw ValidationError("a panel is touched by hand or robot")
    }
    self.touchedBy = touchedBy
  }
}

/// A list of tests: `grid,rate,…`.
struct TestsArgument {
  var tests: [PanelTest]

  /// - Throws: `ValidationError` for a name that is no test.
  init(argument: String) throws {
    tests = try argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let test = PanelTest(rawValue: String(name)) else {
        let names = PanelTest.allCases.map(\.rawValue)
        let near = Suggestion.nearest(to: String(name), among: names)
        throw ValidationError(
          "there is no test '\(name)'; \(near.map { "did you mean '\($0)'?" } ?? names.joined(separator: ", "))"
        )
      }
      return test
    }
  }
}

/// A size as `WxHmm`.
struct MillimetresArgument {
  var size: Size

  /// - Throws: `ValidationError` for anything else.
  init(argument: String) throws {
    guard let size = TestMarks.size(argument) else {
      throw ValidationError("a panel's size is its width and height in millimetres, such as 154x86mm")
    }
    self.size = size
  }
}

extension CompletionKind {
  fileprivate static var profiles: CompletionKind {
    .shellCommand("echo chromeos hlk iec62908; ls *.yaml *.yml 2>/dev/null")
  }
}
