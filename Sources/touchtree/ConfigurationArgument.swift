import ArgumentParser
import SystemPackage
import TouchCommand
import TouchConfig
import TouchCore
import TouchExpressions
import TouchHandlers
import TouchInput
import TouchInspection
import TouchSystem
import TouchTools
import TouchViews

/// A configuration file, and the size of the display.
struct ConfigurationArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The configuration file.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "The size of the display in pixels, for a file without a canvas.",
      discussion: "Default: the canvas, or the smallest size that shows every view.", valueName: "WxH"),
    transform: SizeArgument.init)
  var size: SizeArgument?

  /// Reads and checks the file; warnings go to standard error.
  func load(showsRest: Bool = false) throws -> Configuration {
    try Configuration.loadReportingWarnings(file, showsRest: showsRest)
  }

  /// Builds the tree, and what touches it, as it would lie on a display.
  ///
  /// - Parameters:
  ///   - display: the display's size in pixels; nil for the one that was given, or that suits the tree.
  ///   - showsRest: whether what cannot be painted is left out.
  ///   - values: what named values are at first, in place of what the file says.
  func tree(
    on display: Size? = nil, showsRest: Bool = false, values: [PropertyValue.Entry] = []
  ) throws -> (tree: ViewTree, pipeline: InputPipeline) {
    let file = try load(showsRest: showsRest)
    let known = NamedValues(file.values)
    let configuration = try file.beginning(with: values.map { $0.readingList(for: known) })
    let canvas = configuration.canvasLayout
    let geometry = canvas.geometry(on: display ?? size?.size ?? canvas.naturalDisplaySize)
    let tree = ViewTree(configuration, geometry: geometry)
    return (tree, InputPipeline(tree, geometry: geometry))
  }
}
