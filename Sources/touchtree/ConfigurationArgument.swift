import ArgumentParser
import TouchConfig
import TouchCore
import TouchExpressions
import TouchInput
import TouchTools
import TouchViews

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

  func load(showsRest: Bool = false) throws -> Configuration {
    try Configuration.loadReportingWarnings(file, showsRest: showsRest)
  }

  /// Builds the tree and its touch handling for a display.
  /// - Parameters:
  ///   - display: the display's size in pixels; nil for the one that was given, or that suits the tree.
  ///   - showsRest: whether views that cannot be painted are left out.
  ///   - values: initial values of named values in place of those of the file.
  func tree(
    on display: Size? = nil, showsRest: Bool = false, values: [PropertyValue.Entry] = []
  ) throws -> (tree: ViewTree, pipeline: InputPipeline) {
    try tree(of: try load(showsRest: showsRest), on: display, values: values)
  }

  func tree(
    of file: Configuration, on display: Size? = nil, values: [PropertyValue.Entry] = []
  ) throws -> (tree: ViewTree, pipeline: InputPipeline) {
    let known = NamedValues(file.values)
    let configuration = try file.beginning(with: values.map { $0.readingList(for: known) })
    let canvas = configuration.canvasLayout
    let geometry = canvas.geometry(on: display ?? size?.size ?? canvas.naturalDisplaySize)
    let tree = ViewTree(configuration, geometry: geometry)
    return (tree, InputPipeline(tree, geometry: geometry))
  }
}
