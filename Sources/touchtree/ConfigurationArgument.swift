import ArgumentParser
import TouchConfig
import TouchCore
import TouchDaemon

/// A configuration file, and the canvas that it is looked at on.
struct ConfigurationArgument: ParsableArguments {
  @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "The display's size in pixels, where the file names no canvas.",
      discussion: "Default: the canvas, or else what the views need.", valueName: "WxH"))
  var size: SizeArgument?

  /// Reads and checks the file; warnings go to standard error.
  func load() throws -> Configuration {
    try Configuration.loadTellingWarnings(file)
  }

  /// Builds the tree as it would lie on a display.
  func session() throws -> Session {
    let configuration = try load()
    let display = size?.size ?? TreeSize.of(configuration)
    return Session(
      configuration: configuration, geometry: DisplayGeometry(configuration, display: display))
  }
}

extension Configuration {
  static func loadTellingWarnings(_ file: String) throws -> Configuration {
    let configuration = try Configuration.load(path: file)
    let head = LogOutput.head(of: .warning, forPeople: "")
    for warning in configuration.warnings { StandardError.write(line: "\(head)\(warning)") }
    return configuration
  }
}
