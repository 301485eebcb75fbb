import ArgumentParser

@main struct TouchtreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "touchtree")
}
