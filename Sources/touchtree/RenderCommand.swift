import ArgumentParser
import TouchCommand
import TouchConfig
import TouchCore
import TouchInspection
import TouchOutput
import TouchPixels
import TouchSystem
import TouchTools

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw the view tree as a PNG file.",
    discussion: """
      It is drawn as it is at first. For another language or theme: --set language=de --set theme=light. With --all-pages, --sizes \
      or --themes, the folder -o gets a picture for each: home-800x480-dark.png.
      """)

  @OptionGroup var tree: ConfigurationArgument

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The PNG file to write; - is standard output. For several pictures, their folder.", valueName: "OUT.png"
    ),
    completion: .file(extensions: ["png"]), transform: PictureArgument.init)
  var output: PictureArgument

  @Option(
    help: ArgumentHelp(
      "Show this page, and those in which it lies; may be repeated.", valueName: "PAGE"))
  var page: [String] = []

  @Flag(help: "Draw every page, each into a file.")
  var allPages = false

  @Option(
    help: ArgumentHelp("Draw on displays of these sizes, with commas between them.", valueName: "WxH,…"),
    transform: SizesArgument.init)
  var sizes: SizesArgument?

  @Option(help: ArgumentHelp("Draw in these themes, with commas between them.", valueName: "NAME,…"))
  var themes: String?

  @Option(
    help: ArgumentHelp(
      "Set a named value of the file, as ctl set does; may be repeated.", valueName: "NAME=VALUE"),
    transform: ValueArgument.init)
  var set: [ValueArgument] = []

  @Option(
    help: ArgumentHelp("Draw a finger that touches this point; may be repeated.", valueName: "X,Y"),
    transform: PointArgument.init)
  var touch: [PointArgument] = []

  @Option(
    help: ArgumentHelp(
      "Draw the picture as this framebuffer or connector would show it, in its size and colours.",
      valueName: "/dev/fbN|kms:NAME"), completion: .displays())
  var like: String?

  @Flag(help: "Outline every view, and write its id on it.") var ids = false

  func validate() throws {
    if like != nil && tree.size != nil {
      throw ValidationError("Give either --size or --like: a display has its own size.")
    }
    if allPages, !page.isEmpty { throw ValidationError("Give either --page or --all-pages.") }
    if sizes != nil, tree.size != nil || like != nil {
      throw ValidationError("Give either --sizes, --size or --like.")
    }
    if isSeries, output.path == "-" {
      throw ValidationError("Several pictures go to a folder: give its name with -o.")
    }
  }

  /// - Throws: `DisplayError`; or a `Failure` that lists the displays if there is none with the name.
  private func preview(of name: String) throws -> DisplayPreview {
    var reason = "\(name): such a display has no size before it is open"
    do throws(DisplayError) {
      if let preview = try DisplayName(name).preview() { return preview }
    } catch {
      guard error.kind == .missing || error.kind == .badName else { throw error }
      reason = error.description
    }
    let others = DisplayReport.survey().reports.map(\.name)
    throw Failure(
      .unavailable,
      "\(reason). "
        + (others.isEmpty
          ? "This machine has no display to draw for, so give the size instead: --size 800x480"
          : "This machine has " + others.joined(separator: ", ")))
  }

  func run() throws {
    let preview = try like.map(preview(of:))
    // The errors of the file are reported once.
    let file = try tree.load(showsRest: true)
    if isSeries {
      try drawSeries(of: file, like: preview)
    } else {
      try draw(file, to: output.path, like: preview, pages: page)
    }
    // The rest is painted.
    if file.warnings.contains(where: { $0.severity == .error }) {
      throw ExitCode(ExitStatus.badConfiguration.rawValue)
    }
  }

  /// Draws one picture.
  /// - Parameters:
  ///   - pages: the pages to show.
  ///   - size: the size of the display in pixels; nil for that of the options.
  ///   - theme: the theme in place of that of the file.
  private func draw(
    _ file: Configuration, to path: String, like preview: DisplayPreview?, pages: [String],
    on size: Size? = nil, in theme: String? = nil
  ) throws {
    let values = set.map(\.entry) + (theme.map { [.init(key: "theme", value: .text($0))] } ?? [])
    let (tree, pipeline) = try tree.tree(of: file, on: size ?? preview?.size, values: values)
    let dryRun = DryRun(tree: tree, pipeline: pipeline) {
      StandardError.write(line: "touchtree: warning: \($0)")
    }
    for page in pages { try dryRun.showPage(page) }
    for point in touch { try dryRun.touchDown(point.windowPoint) }
    try dryRun.render(to: path, like: preview, showsIDs: ids)
  }

  // MARK: Several pictures

  private var isSeries: Bool { allPages || sizes != nil || themes != nil }

  /// Draws a picture for each page, size and theme, and writes the names of the files.
  private func drawSeries(of file: Configuration, like preview: DisplayPreview?) throws {
    try PictureSeries.makeFolder(output.path)
    let lines = LineOutput(.standardOutput)
    let pages = allPages ? try tree.tree(of: file).tree.innermostPages : []
    let themes = themes?.split(separator: ",").map { Optional(String($0)) } ?? [nil]
    for page in pages.isEmpty ? [nil] : pages.map(Optional.some) {
      for size in sizes?.sizes.map(Optional.some) ?? [nil] {
        for theme in themes {
          let parts = [page ?? stem, size.map { "\($0.width.plain)x\($0.height.plain)" }, theme]
          let name = parts.compactMap(\.self).map(Self.fileName).joined(separator: "-")
          let path = "\(output.path)/\(name).png"
          try draw(file, to: path, like: preview, pages: page.map { [$0] } ?? self.page, on: size, in: theme)
          lines.write(line: path)
        }
      }
    }
    try lines.flush()
  }

  private var stem: String {
    let name = tree.file.split(separator: "/").last ?? "panel"
    return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
  }

  /// Returns a part of a file's name. A theme may be a path, and an id may have any letters.
  private static func fileName(_ text: String) -> String {
    let last = text.hasSuffix(".yaml") ? text.dropLast(5).split(separator: "/").last ?? "theme" : text[...]
    return String(last.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
  }
}
