import TouchDaemon

StackLimit.raise()
TouchtreeCommand.main(NegativeNumbers.shielded(Array(CommandLine.arguments.dropFirst())))
