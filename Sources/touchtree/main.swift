import TouchDaemon

StandardDescriptors.fill()
StackLimit.raise()
TouchtreeCommand.main(NegativePoints.shielded(Array(CommandLine.arguments.dropFirst())))
