import ArgumentParser
import TouchCommand
import TouchConfig
import TouchCore
import TouchDaemon
import TouchExpressions
import TouchInspection
import TouchKit
import TouchSystem
import TouchTools

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate configuration files.",
    discussion: """
      An error is what run refuses. A warning is about what is allowed and probably a mistake: a view that can never be \
      touched because it is covered, or lies outside the canvas or its superview; an exec handler that nothing names; text \
      that does not fit; a font or a picture that is missing.
      """)

  @Argument(
    help: ArgumentHelp("The configuration files.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Option(
    help: ArgumentHelp("Look for plugins in this folder, as run does; may be repeated.", valueName: "DIR"),
    completion: .directory)
  var plugins: [String] = []

  @Option(
    help: ArgumentHelp(
      "Look whether it fits on a display of this size in pixels; may be repeated.",
      discussion: "Default: the canvas, or the smallest size that shows every view.", valueName: "WxH"),
    transform: SizeArgument.init)
  var size: [SizeArgument] = []

  @Flag(
    help:
      "Look whether each control has a name, each text a contrast of 4.5:1, and each target 9 mm. Warnings are errors then."
  )
  var accessible = false

  @Flag(help: "Treat warnings as errors.") var strict = false

  func run() throws {
    var worst: ExitStatus?
    for file in files {
      do {
        if let status = try check(file), worst != .badConfiguration { worst = status }
      } catch {
        let failure = Failure(error)
        failure.report(as: "touchtree")
        // A bad file matters more than one that is missing or cannot be read.
        if worst != .badConfiguration { worst = failure.status }
      }
    }
    if let worst { throw ExitCode(worst.rawValue) }
  }

  /// - Returns: the status of a program that has reported errors itself; nil if all is well.
  private func check(_ file: String) throws -> ExitStatus? {
    let configuration = try Configuration.load(path: file, takesOthers: true)
    switch configuration.contents {
    case .quirks: try reportGood(file, Self.count(configuration.input.rules.count, "quirk"), configuration)
    case .theme: try reportGood(file, "a theme", configuration)
    case .rehearsal: return try ExternalProgram.preview.run(["rehearse", "--check", file])
    case .views: try checkViews(of: configuration, file)
    }
    return nil
  }

  private func checkViews(of configuration: Configuration, _ file: String) throws {
    try configuration.checkHandlers(pluginFolders: plugins.isEmpty ? PluginFolders.standard : plugins) {
      StandardError.write(line: LogOutput.head(of: .warning, forPeople: "touchtree: warning: ") + "\($0)")
    }
    let warnings =
      configuration.warnings
      + (try TreeLint.warnings(of: configuration, on: size.map(\.size), isAccessible: accessible))
    if strict || accessible, !warnings.isEmpty { throw ConfigurationError.invalid(warnings.map(\.asError)) }
    for warning in warnings { Configuration.report(warning) }
    try reportGood(
      file, Self.count(configuration.views.count, "view"), configuration, warnings: warnings.count)
  }

  private func reportGood(
    _ file: String, _ contents: String, _ configuration: Configuration, warnings: Int = 0
  ) throws {
    let output = LineOutput(.standardOutput)
    output.write(
      line: "\(file): good, \(contents)"
        + (warnings == 0 ? "" : ", \(Self.count(warnings, "warning"))"))
    for delay in configuration.filterDelays { output.write(line: delay) }
    let histories = configuration.values.count { $0.history != nil }
    if histories > 0 {
      let bytes = NamedValues.bytesOfHistories(configuration.values)
      output.write(
        line:
          "the histories of \(Self.count(histories, "value")) take \((bytes + 1023) / 1024) KiB while it runs"
      )
    }
    // Errors of the next file go to another stream, and have to come after this.
    try output.flush()
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension Diagnostic {
  fileprivate var asError: Diagnostic {
    var error = self
    error.severity = .error
    return error
  }
}
