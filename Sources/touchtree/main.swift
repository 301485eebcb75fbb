import TouchDaemon

StackLimit.raise()
TouchtreeCommand.main(NegativePoints.shielded(Array(CommandLine.arguments.dropFirst())))
