import Glibc
import TouchConfig
import TouchHandlers
import TouchJSON
import TouchOutput
import TouchPixels
import TouchSystem

/// Asks a daemon whether it is well, by one connection, at most once in `interval` while nothing is wrong,
/// and looks at what it cannot know. A fault on the glass is looked at twice, because the picture may change
/// meanwhile.
package final class HealthCheck {
  package struct Result {
    package internal(set) var problems: [HealthProblem] = []
    /// The facts that are no problem and worth knowing.
    var remarks: [String] = []
    var subject = ""

    package var isWell: Bool { problems.isEmpty }

    package var line: String {
      guard let first = problems.first else {
        return "well: " + ([subject] + remarks).joined(separator: "; ")
      }
      let others = problems.dropFirst().map(\.code)
      let more = others.isEmpty ? "" : " (and \(others.count) more: \(others.joined(separator: ", ")))"
      return "not well: \(first.code): \(first.message)\(more)"
    }
  }

  /// The shortest time between two questions, in seconds.
  private static let interval = 15.0
  /// The time between two looks at a glass that shows something wrong, in microseconds.
  private static let pause: UInt32 = 500_000
  /// The most looks after the first one, while each finds something else.
  private static let mostLooks = 3
  /// The number of wrong pixels that is tolerated, about half a letter.
  private static let mostDifferences = 64
  private static let longestFile = 16 << 20

  private let socket: String?
  private let isOfGlass: Bool
  private let sysfs: String
  private var client: ControlClient?
  private var reader: ScanoutReader?

  /// Asks by the control socket, that for watching, or the usual one, may look at the glass, and reads the
  /// kernel's files.
  package init(of socket: String?, glass isOfGlass: Bool, sysfs: String = "/sys") {
    (self.socket, self.isOfGlass, self.sysfs) = (socket, isOfGlass, sysfs)
  }

  /// Asks until a problem is found or the seconds are over; 0 asks once.
  package func run(for seconds: Double) -> Result {
    let times = seconds > 0 ? max(1, Int(seconds / Self.interval)) : 0
    var result = look()
    for _ in 0..<times where result.isWell {
      usleep(UInt32(min(seconds / Double(times) * 1e6, 4e9)))
      result = look()
    }
    return result
  }

  private func look() -> Result {
    do {
      var result = try lookOnce()
      for _ in 0..<Self.mostLooks where isOfGlass && !result.isWell {
        usleep(Self.pause)
        let before = result.problems.map(\.code)
        result = try lookOnce()
        let lasting = result.problems.filter { before.contains($0.code) }
        guard lasting.isEmpty else {
          result.problems = lasting
          return result
        }
      }
      return result
    } catch {
      return Result(problems: [HealthProblem(error)])
    }
  }

  private func lookOnce() throws -> Result {
    let client = try client ?? ControlClient.connect(to: socket)
    self.client = client
    let question = Message.line("health") { $0.field("glass", isOfGlass) }
    // Two requests at once, so that the daemon is woken once.
    let answer = try client.ask(isOfGlass ? question + Message.line("screenshot") : question)
    let picture = isOfGlass ? try? client.receivedScreenshot() : nil
    guard answer["well"]?.boolean != nil else { throw ControlError(path: client.path, reason: .garbled) }
    var result = Result()
    result.problems = (answer["problems"]?.elements ?? []).map {
      HealthProblem(code: $0["code"]?.text ?? "", message: $0["message"]?.text ?? "")
    }
    let file = answer["configuration"]?["file"]?.text ?? ""
    result.subject = "\(answer["output"]?.text ?? "") shows \(file)"
    if let problem = unread(file, answer) { result.problems.append(problem) }
    // What is not shown at all cannot be seen.
    if isOfGlass, answer["display"]?["seen"] == .boolean(true) {
      try look(at: answer, picture, client, &result)
    }
    return result
  }

  /// Returns the problem of a file that has changed since the daemon read it; nil if none has, as far as this
  /// user may read them.
  private func unread(_ file: String, _ answer: JSONValue) -> HealthProblem? {
    let configuration = answer["configuration"]
    // The daemon's own problems, such as the fallback, are more exact.
    guard configuration?["problems"]?.elements?.isEmpty ?? true,
      let changed = configuration?["sources"]?.elements?.compactMap({ source -> String? in
        // A relative path is the daemon's.
        guard let path = source["file"]?.text, path.hasPrefix("/"),
          let bytes = try? FileContents.read(path, upTo: Self.longestFile + 1, waits: false)
        else { return nil }
        return SHA256.hex(of: bytes) == source["sha256"]?.text ? nil : path
      }).first
    else { return nil }
    var problem = "\(changed) has changed since it was read; type"
    do throws(ConfigurationError) {
      _ = try Configuration.load(path: file, showsRest: true, waits: false)
    } catch {
      problem =
        "\(changed) has changed since it was read, and cannot be used: \(error.first); correct it, and type"
    }
    return HealthProblem(.notReloaded, "\(problem): touchtree ctl reload")
  }

  // MARK: The glass

  private func look(
    at answer: JSONValue, _ picture: Surface?, _ client: ControlClient, _ result: inout Result
  ) throws {
    guard let glass = Glass(answer, sysfs: sysfs), let scanout = glass.scanout else {
      return result.remarks.append("no device shows it, so there is no glass")
    }
    let reader = self.reader.flatMap { $0.scanout == scanout ? $0 : nil } ?? ScanoutReader(scanout)
    self.reader = reader
    result.problems += glass.problems(by: reader)
    guard result.isWell, glass.isLit else {
      if result.isWell { result.remarks.append("the display is dark, as asked") }
      return
    }
    guard glass.isComplete else {
      return result.remarks.append("pixels not compared: a finger may be on a picture with private views")
    }
    do throws(DisplayError) {
      guard let count = try differences(of: reader, from: picture, glass.hidden, client) else {
        return result.remarks.append("pixels not compared: the display has just changed")
      }
      guard count > Self.mostDifferences else { return result.remarks.append("its pixels are there") }
      result.problems.append(
        HealthProblem(
          .otherPixels,
          "\(answer["output"]?.text ?? "") has \(count) pixels that touchtree did not draw; look for a program that "
            + "draws there, such as a console or a splash screen (display: {console: hide})"))
    } catch {
      // The node may be another device's by now.
      self.reader = nil
      result.remarks.append("pixels not compared: \(error)")
    }
  }

  /// Returns the number of wrong pixels; nil if there is no picture to compare with.
  private func differences(
    of reader: ScanoutReader, from before: Surface?, _ hidden: [PixelRect], _ client: ControlClient
  ) throws(DisplayError) -> Int? {
    guard let before else { return nil }
    let picture = try reader.read()
    guard let count = picture.differences(from: before, before, outside: hidden),
      count > Self.mostDifferences
    else { return picture.differences(from: before, before, outside: hidden) }
    // Something may have moved.
    return (try? client.screenshot()).flatMap { picture.differences(from: before, $0, outside: hidden) }
  }
}

extension HealthProblem {
  /// Makes the problem of a daemon that did not answer.
  fileprivate init(_ error: any Error) {
    let failure = (error as? any FailureError)?.failure ?? Failure("\(error)")
    let code: Code =
      switch (error as? ControlError)?.reason {
      case .noDaemon, .ended, .left, .gone: .notRunning
      case .silent: .noAnswer
      case .system where failure.status == .notPermitted: .notPermitted
      default: .notUnderstood
      }
    self.init(code, failure.message)
  }
}
