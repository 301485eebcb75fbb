import ArgumentParser
import TouchCommand
import TouchLanguage
import TouchSystem

struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.languageServer.rawValue, abstract: ExternalCommand.languageServer.abstract,
    discussion: """
      Editors start it and speak the Language Server Protocol with it, on standard input and output. It finds what \
      `touchtree check` finds, in the text that is being written.
      """)

  @Flag(help: "Ignored: editors give it to servers that have a choice.")
  var stdio = false

  func run() throws {
    var server = LanguageServer()
    if try !server.run() { throw ExitCode(1) }
  }
}
