import ArgumentParser
import SystemPackage
import TouchCommand
import TouchConfig
import TouchCore
import TouchDaemon
import TouchHandlers
import TouchInput
import TouchOutput
import TouchPixels
import TouchSystem
import TouchTools

extension ExitStatus {
  init(_ error: ConfigurationError) {
    switch error {
    case .invalid: self = .badConfiguration
    case .unreadable(_, .permissionDenied), .unreadable(_, .notPermitted): self = .notPermitted
    case .unreadable: self = .noSuchFile
    }
  }

  init(_ error: DisplayError) {
    switch error.kind {
    case .notPermitted: self = .notPermitted
    case .tooLarge: self = .badConfiguration
    case .badName, .terminalOutput: self = .usage
    case .file: self.init(error.cause ?? .ioError)
    case .badPicture: self = .badAnswer
    case .missing, .wrongKind, .inUse, .elsewhere, .unsupported, .contradictory, .failed: self = .unavailable
    }
  }

  init(_ error: RecordingError) {
    switch error.reason {
    case .noSuchFile: self = .noSuchFile
    case .notPermitted: self = .notPermitted
    case .unreadable, .tooLarge, .otherFormat, .malformed, .cut, .noDescription, .noEvents, .noUsableDevice:
      self = .badRecording
    }
  }
}

extension Failure {
  /// A running daemon's answer.
  private init(_ refusal: RequestError) {
    switch refusal.code {
    case .notShown: self.init(.unavailable, refusal.message.onOneLine)
    case .notPermitted: self.init(.notPermitted, refusal.message.onOneLine)
    case .unknown, .failed: self.init(.badAnswer, refusal.message.onOneLine)
    case .configuration:
      self.init(.badConfiguration, refusal.diagnostics.map(\.onOneLine).joined(separator: "\n"))
      isOfFile = true
    }
  }

  /// Finds the status that an error of one of the modules stands for.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case ConfigurationError.unreadable(let path, let cause) where HiddenFolder.remedy(for: path) != nil:
      let remedy = HiddenFolder.remedy(for: path) ?? ""
      self.init(
        ExitStatus(ConfigurationError.unreadable(path: path, cause: cause)), "\(path): \(cause): \(remedy)")
    case let error as ConfigurationError:
      self.init(ExitStatus(error), "\(error)")
      if case .invalid = error { isOfFile = true }
    case let refusal as RequestError: self.init(refusal)
    case let error as FileTrustError: self.init(.badConfiguration, line: error)
    case let error as DisplayError where error.kind == .file || error.kind == .badPicture:
      self.init(ExitStatus(error), "\(error)".onOneLine + "; name a picture that can be written")
    case let error as DisplayError: self.init(ExitStatus(error), line: error)
    case let error as DeviceError:
      self.init(error.reason == .notPermitted ? .notPermitted : .unavailable, line: error)
    case let error as RecordingError:
      self.init(ExitStatus(error), line: error)
    case let error as SystemError: self.init(ExitStatus(error.errno), line: error)
    case let error as ControlError: self.init(ExitStatus(error), line: error)
    case let error as JSONError:
      self.init(
        .badRecording, "the baseline cannot be used: \(error); name a JSON report of `touchtree test`")
    case let error as Errno: self.init(.badAnswer, "the answer cannot be written (\(error))")
    default: self.init(.badAnswer, line: error)
    }
  }
}

extension ParsableCommand {
  /// Runs the body; an error of it becomes a `Failure`, which has the exit status.
  func exitingOnFailure(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let exit as ExitCode {
      throw exit
    } catch let error as ValidationError {
      throw error
    } catch {
      throw Failure(error)
    }
  }
}
