import ArgumentParser
import Glibc
import TouchCommand
import TouchPreview
import TouchSystem
import TouchTools

struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.preview.rawValue, abstract: ExternalCommand.preview.abstract,
    discussion: """
      It prints the address of a page of this machine alone, on which the panel is live: mouse and fingers are touches, keys \
      are keys, and a save in any editor is shown at once. An error is shown with its line while the panel before it stays.
      """)

  @Argument(
    help: ArgumentHelp("The configuration file; none with --socket.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  @Option(
    help: ArgumentHelp(
      "Show a daemon that runs, by its control socket, in place of one of its own.", valueName: "PATH"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The size of the display in pixels. Default: that of the file's canvas.", valueName: "WxH"),
    transform: SizeArgument.init)
  var size: SizeArgument?

  @Option(help: ArgumentHelp("The port of the page. Default: a free one.", valueName: "PORT"))
  var port: UInt16 = 0

  @Flag(help: "Open the page in the browser of this desktop.") var open = false

  func validate() throws {
    guard (file == nil) != (socket == nil) else {
      throw ValidationError("Give either FILE or --socket: a daemon that runs has a file.")
    }
    if socket != nil && size != nil {
      throw ValidationError("--size takes a FILE: a daemon that runs has a size.")
    }
  }

  func run() throws {
    let size = size.map { (width: Int($0.size.width), height: Int($0.size.height)) }
    var settings = Preview.Settings(file.map { .file($0, size: size) } ?? .socket(socket))
    settings.port = port
    let preview = try Preview(settings)
    try preview.announce(opening: open)
    try preview.run()
  }
}
