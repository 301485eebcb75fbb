import ArgumentParser
import TouchPixels
import TouchSystem
import TouchTools

struct IconsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "icons",
    abstract: "Show the icons that views can name: in a terminal as pictures, else a name a line.")

  @Argument(help: ArgumentHelp("A part of the names; without one, all of them.", valueName: "WORD"))
  var word: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The PNG file to write; - is standard output.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"]), transform: PictureArgument.init)
  var output: PictureArgument?

  @Flag(help: "Print one JSON object per icon, with its character.") var json = false

  @Flag(help: "Print the names alone, in a terminal too.") var names = false

  func validate() throws {
    if output != nil && (json || names) {
      throw ValidationError("Give either -o, or --json or --names: a picture is no list.")
    }
  }

  func run() throws {
    let sheet = try IconSheet(word)
    if let output { return try PNGWriter.write(sheet.picture(), to: output.path) }
    let lines = LineOutput(.standardOutput)
    if let columns = json || names ? nil : TerminalColumns.ofStandardOutput {
      try sheet.writePictures(to: lines, columns: columns)
    } else {
      sheet.writeList(to: lines, json: json)
    }
    try lines.flush()
  }
}
