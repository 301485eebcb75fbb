import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchInput
import TouchInspection
import TouchKit
import TouchMeasure
import TouchRecordings
import TouchSystem
import TouchTools

/// The output of `touchtree report`, text or page, for a bug report. It names what is missing in its place.
package struct HardwareReport {
  package struct Options {
    /// The device nodes to record; empty for the touchscreens.
    package var devices: [String] = []
    /// The time for which touches are recorded, in seconds; 0 for no recording.
    package var seconds = 20
    package var recording: String?
    package var keepsNames = false

    package init() {}
  }

  private let configuration: Configuration
  private let options: Options
  private let version: String
  private let log: Logger

  /// - Parameter version: the version of the program.
  package init(configuration: Configuration, options: Options, version: String, log: Logger) {
    (self.configuration, self.options, self.version, self.log) = (configuration, options, version, log)
  }

  struct Section {
    let title: String
    let lines: [String]
    /// The HTML that a page shows in place of the lines; nil for the lines.
    var html: String?
  }

  /// Records if requested, and puts a text together, or a page of HTML with the judgement's pictures. It
  /// throws if a recording cannot be read.
  package func lines(asPage isPage: Bool = false) throws -> [String] {
    let title = "touchtree \(version)"
    let sections = try sections()
    if isPage { return ReportPage(title: title, sections).lines }
    return [title] + sections.flatMap { ["", "== \($0.title)"] + $0.lines }
  }

  private func sections() throws -> [Section] {
    let recorded = try recording()
    // A given recording may be of any machine, and this one has nothing to do with it.
    let isHere = options.recording == nil
    let devices =
      isHere ? (try? DeviceListing.reports()) ?? [] : recorded.recording.map(DeviceListing.reports) ?? []
    let descriptions = devices.compactMap { report in
      if case .device(let device, _) = report.finding { device } else { nil }
    }
    let disguise =
      options.keepsNames
      ? nil
      : Disguise(
        devices: descriptions + (recorded.recording?.devices.map(\.description) ?? []),
        names: Disguise.namesHere())
    func disguised(_ lines: [String]) -> [String] { disguise.map { lines.map($0.apply) } ?? lines }
    var sections: [Section] = []
    func section(_ title: String, _ body: [String], html: String? = nil) {
      let lines = html?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      sections.append(
        Section(
          title: title, lines: disguised(body.isEmpty ? ["none"] : body),
          html: lines.map { disguised($0).joined(separator: "\n") }))
    }
    if isHere { section("system", system) }
    section(
      "devices", devices.isEmpty ? [DeviceError.noDevices.description] : descriptions.listed(of: devices))
    if isHere {
      section("displays", DisplayListing().lines)
      section("kernel", kernel)
    }
    section("configuration: display and input", settings)
    if isHere { section("descriptors", descriptions.flatMap(descriptor)) }
    section("touches", touches(of: recorded.recording, recorded.failure))
    let judged = judgement(of: recorded.recording)
    section("judgement", judged.lines, html: judged.html)
    section("recording", recorded.lines)
    return sections
  }

  private var system: [String] {
    let system = SystemDescription.current
    // A board with a device tree has no DMI. The name ends with a zero.
    let board = (try? FileContents.read("/proc/device-tree/model", upTo: 256)).map {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return ["os: \(system.os)", "kernel: \(system.kernel)", "board: \((board ?? system.dmi).onOneLine)"]
  }

  private var kernel: [String] {
    do {
      return try KernelMessages.read()
    } catch {
      return ["the kernel's messages cannot be read (\(error)); run it as root"]
    }
  }

  /// The sections that decide about touches, without views and handlers, which may be secret.
  private var settings: [String] {
    let text = String(decoding: configuration.text, as: UTF8.self)
    return Self.sections(["display", "input"], of: text)
  }

  /// Returns the lines of these keys of the file, without comments.
  static func sections(_ keys: [String], of text: String) -> [String] {
    var isInside = false
    return text.split(separator: "\n").map(String.init).filter { line in
      let trimmed = line.drop { $0 == " " }
      if trimmed.isEmpty || trimmed.first == "#" { return false }
      if line.first != " " && line.first != "-" { isInside = keys.contains { line.hasPrefix($0 + ":") } }
      return isInside
    }
  }

  private func descriptor(of device: DeviceDescription) -> [String] {
    guard !device.capabilities.axes.isEmpty, let opened = try? EvdevDevice(path: device.path) else {
      return []
    }
    let header = LibinputWriter.header(
      opened.description, opened.initialState, udev: UdevProperties(of: device),
      hid: device.reportDescriptor())
    return header.split(separator: "\n").map(String.init)
  }

  // MARK: Touches

  private typealias Recorded = (recording: Recording?, lines: [String], failure: String?)

  private func recording() throws -> Recorded {
    if let path = options.recording { return try read(path) }
    guard options.seconds > 0 else { return (nil, [], "nothing was recorded") }
    do {
      return try withTemporaryFile { path in
        let recorder = try Recorder(
          to: path, devices: options.devices, grab: false, recorder: "touchtree \(version)", log: log)
        log.notice(
          "touch the panel for \(options.seconds) s, where and how it goes wrong; Ctrl-C ends it earlier")
        try recorder.run(seconds: options.seconds)
        return try read(path)
      }
    } catch {
      return (nil, [], "nothing was recorded: \(error)")
    }
  }

  private func read(_ path: String) throws -> Recorded {
    let recording = try Recording(path: path)
    let bytes = (try? RecordingFile.read(path)) ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return (recording, lines, nil)
  }

  private func withTemporaryFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/touchtree-report-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw SystemError(
        "mkstemp", Errno(rawValue: errno), path: folder, hint: "set TMPDIR to a folder that you may write to")
    }
    close(descriptor)
    defer { unlink(name) }
    return try body(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  private func touches(of recording: Recording?, _ failure: String?) -> [String] {
    guard let recording else { return [failure ?? "nothing was recorded"] }
    let canvas = configuration.canvasLayout
    let geometry = canvas.geometry(on: canvas.naturalDisplaySize)
    let pipeline = InputPipeline(ViewTree(configuration, geometry: geometry), geometry: geometry)
    let witness = Witness()
    pipeline.observer = witness
    do {
      let player = try Player(
        recording: recording, pipeline: pipeline, rules: DeviceRules(configuration.input.rules))
      while player.playNext() { pipeline.endTurn() }
      player.end()
      return player.notices + player.reportRates + witness.lines
    } catch {
      return ["\(error.message)"]
    }
  }

  private func judgement(of recording: Recording?) -> (lines: [String], html: String?) {
    guard let recording else { return (["without a recording there is nothing to judge"], nil) }
    do {
      let measurement = try PanelMeasurement(of: recording, size: nil)
      let judgement = PanelJudgement(of: measurement, by: try PanelProfile.load("chromeos"))
      let report = try TestReport(judgement)
      return (report.text.split(separator: "\n").map(String.init), TestPage(report).judgement)
    } catch {
      return (["\(error)"], nil)
    }
  }
}

/// Counts the changes of contacts, and keeps the errors of devices.
private final class Witness: InputPipelineObserver {
  private var counts: [TouchChange.Kind: Int] = [:]
  private var notices: [String] = []

  var lines: [String] {
    let kinds: [(TouchChange.Kind, String)] = [
      (.began, "began"), (.ended, "ended"), (.cancelled, "cancelled"), (.moved, "moved"),
    ]
    return [kinds.map { "\(counts[$0.0] ?? 0) \($0.1)" }.joined(separator: ", ")] + notices
  }

  func pipelineApplied(_ frame: InputFrame, from source: TouchSource) { count(source) }
  func pipelineDelivered(at time: Timestamp, from source: TouchSource?) { source.map(count) }

  private func count(_ source: TouchSource) {
    for change in source.changes { counts[change.kind, default: 0] += 1 }
  }

  func pipelineNoticed(_ notice: InputNotice, of device: TouchCore.DeviceID) {
    notices.append("kernel bug: device \(device.rawValue) \(notice.sentence)")
  }
}

extension [DeviceDescription] {
  fileprivate func listed(of reports: [DeviceReport]) -> [String] {
    reports.flatMap { DeviceListing.lines($0, among: self) }
  }
}
