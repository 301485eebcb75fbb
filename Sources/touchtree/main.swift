import TouchSystem

StandardDescriptors.fill()
StackLimit.raise()
TouchtreeCommand.run(CommandLine.arguments)
