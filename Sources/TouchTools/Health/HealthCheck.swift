import Glibc
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
    let answer = try client.ask(Message.line("health") { $0.field("glass", isOfGlass) })
    guard answer["well"]?.boolean != nil else { throw ControlError(path: client.path, reason: .garbled) }
    var result = Result()
    result.problems = (answer["problems"]?.elements ?? []).map {
      HealthProblem(code: $0["code"]?.text ?? "", message: $0["message"]?.text ?? "")
    }
    let file = answer["configuration"]?["file"]?.text ?? ""
    result.subject = "\(answer["output"]?.text ?? "") shows \(file)"
    if let remark = savedRemark(file, answer) { result.remarks.append(remark) }
    // What is not shown at all cannot be seen.
    if isOfGlass, answer["display"]?["seen"] == .boolean(true) { try look(at: answer, client, &result) }
    return result
  }

  /// Returns a remark about a file that has changed since it was read; nil if it has not.
  private func savedRemark(_ file: String, _ answer: JSONValue) -> String? {
    // A relative path is the daemon's.
    guard file.hasPrefix("/"), let shown = answer["configuration"]?["sha256"]?.text,
      answer["well"] == .boolean(true),
      let bytes = try? FileContents.read(file, upTo: Self.longestFile + 1, waits: false),
      SHA256.hex(of: bytes) != shown
    else { return nil }
    return "the file has changed since it was read: touchtree ctl reload"
  }

  // MARK: The glass

  private func look(at answer: JSONValue, _ client: ControlClient, _ result: inout Result) throws {
    guard let glass = Glass(answer, sysfs: sysfs), let scanout = glass.scanout else {
      return result.remarks.append("no device shows it, so there is no glass")
    }
    result.problems += glass.problems
    guard result.isWell, glass.isLit else {
      if result.isWell { result.remarks.append("the display is dark, as asked") }
      return
    }
    guard glass.isComplete else {
      return result.remarks.append("pixels not compared: a finger may be on a picture with private views")
    }
    do throws(DisplayError) {
      guard let count = try differences(of: scanout, glass.hidden, client) else {
        return result.remarks.append("pixels not compared: the display has just changed")
      }
      guard count > Self.mostDifferences else { return result.remarks.append("its pixels are there") }
      result.problems.append(
        HealthProblem(
          .otherPixels,
          "\(answer["output"]?.text ?? "") has \(count) pixels that touchtree did not draw; look for a program that "
            + "draws there, such as a console or a splash screen (display: {console: hide})"))
    } catch {
      result.remarks.append("pixels not compared: \(error)")
    }
  }

  /// Returns the number of wrong pixels; nil if there is no picture to compare with.
  private func differences(
    of scanout: Scanout, _ hidden: [PixelRect], _ client: ControlClient
  ) throws(DisplayError) -> Int? {
    guard let before = try? client.screenshot() else { return nil }
    let picture = try scanout.read()
    guard let count = picture.differences(from: before, before, outside: hidden),
      count > Self.mostDifferences,
      // Something may have moved.
      let after = try? client.screenshot()
    else { return picture.differences(from: before, before, outside: hidden) }
    return picture.differences(from: before, after, outside: hidden)
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
