import Glibc
import SystemPackage
import TouchCore
import TouchInput
import TouchMeasure
import TouchRecordings
import TouchSystem

/// The target of a test's reports: one file by its name, or a folder for all and the recording.
package struct TestOutput {
  private enum Kind: String {
    case text = "txt"
    case json, xml, png, html, csv
  }

  private let path: String
  /// The kind of report; nil for a folder.
  private let kind: Kind?
  private var isMade = false

  /// - Parameter path: a path that ends in `.html`, `.txt`, `.json`,
  ///   `.csv`, `.xml` or `.png`; anything else is a folder.
  package init(path: String) {
    self.path = path
    kind = Self.suffix(of: path).flatMap { Kind(rawValue: $0.lowercased()) }
  }

  private static func suffix(of path: String) -> Substring? {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : name[name.index(after: $0)...] }
  }

  /// Returns the ending of a path that looks like a report of an unknown kind, such as `.pdf`; nil for a
  /// report or a folder. A path that ends in a slash is a folder, and so is one that exists.
  package static func unknownEnding(of path: String) -> String? {
    guard let suffix = suffix(of: path), Kind(rawValue: suffix.lowercased()) == nil, path.last != "/",
      (2...5).contains(suffix.count), suffix.allSatisfy({ $0.isASCII && $0.isLetter }),
      (try? Stat(FilePath(path)))?.type != .directory
    else { return nil }
    return ".\(suffix)"
  }

  /// The path of the recording, in the folder or beside the report.
  package var recording: String {
    kind == nil ? "\(path)/recording.yml" : "\(path.dropLast((kind?.rawValue.count ?? 0) + 1)).yml"
  }

  /// Makes the folder.
  package mutating func prepare() throws(SystemError) {
    guard kind == nil else { return }
    isMade = mkdir(path, 0o777) == 0
    guard !isMade else { return }
    let cause = Errno(rawValue: errno)
    guard cause == .fileExists, (try? Stat(FilePath(path)))?.type == .directory else {
      throw SystemError(
        "mkdir", cause, path: path, hint: "name another folder, or a report such as report.json")
    }
  }

  /// Removes the folder that was made, if it is empty because there is nothing to report.
  package func discard() { if isMade { rmdir(path) } }

  /// Writes the reports.
  package func write(_ judgement: PanelJudgement, _ report: TestReport) throws {
    func picture(_ path: String) throws {
      try TestPicture.write(judgement, headline: report.resultLine, to: path)
    }
    switch kind {
    case .text: try write(report.text, to: path)
    case .json: try write(report.json, to: path)
    case .xml: try write(report.junit, to: path)
    case .png: try picture(path)
    case .html: try write(report.html, to: path)
    case .csv: try write(report.csv, to: path)
    case nil:
      try write(report.html, to: "\(path)/report.html")
      try write(report.csv, to: "\(path)/report.csv")
      try write(report.text, to: "\(path)/report.txt")
      try write(report.json, to: "\(path)/report.json")
      try write(report.junit, to: "\(path)/report.xml")
      try picture("\(path)/report.png")
    }
  }

  /// Copies a recording's bytes into the folder, to be judged again. A single report gets none.
  package func copy(_ bytes: [UInt8], of original: String) throws(SystemError) {
    guard kind == nil else { return }
    let source = try? Stat(FilePath(original))
    let target = try? Stat(FilePath(recording))
    if let source, let target, source.inode == target.inode, source.deviceID == target.deviceID { return }
    try write(bytes, to: recording)
  }

  private func write(_ text: String, to path: String) throws(SystemError) {
    try write(Array(text.utf8), to: path)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    do throws(Errno) {
      let output = try LineOutput(path: path, backpressure: .waits)
      output.write(bytes)
      try output.flush()
    } catch {
      throw SystemError("write", error, path: path, hint: "name another file for the report")
    }
  }
}

extension PanelMeasurement {
  /// Reads a recording's first touchscreen, with a size in millimetres or its own. It throws without touches.
  package init(of recording: Recording, size: Size?) throws(Failure) {
    for device in recording.devices where !device.frames.isEmpty || !recording.marks.isEmpty {
      guard let kind = DeviceClassifier.classify(device.description.capabilities).kind,
        kind != .relativePointer
      else { continue }
      let end = device.frames.last?.time ?? .zero
      self.init(
        device.description, as: kind, initial: device.initialState, frames: device.frames,
        marks: TestMarks(recording.marks, end: end), size: size)
      clockJumps = device.clockJumps
      return
    }
    throw .recording(recording.file, "no device in it is a touchscreen; record one with `touchtree record`")
  }
}
