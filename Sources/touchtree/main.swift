TouchtreeCommand.main(NegativeNumbers.shielded(Array(CommandLine.arguments.dropFirst())))
