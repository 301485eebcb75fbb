import TouchSystem

// Before anything takes time.
if CommandLine.arguments.dropFirst().first == RunCommand.configuration.commandName { EarlyHangup.hold() }
StandardDescriptors.fill()
StackLimit.raise()
TouchtreeCommand.run(CommandLine.arguments)
