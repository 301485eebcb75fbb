import TouchSystem

StandardDescriptors.fill()
StackLimit.raise()
TextArguments.check()
TouchtreeCommand.main(NegativePoints.shielded(Array(CommandLine.arguments.dropFirst())))
