import TouchSystem

// This comes before anything that takes time.
if ProgramArguments.line.dropFirst().first == RunCommand.configuration.commandName { EarlyHangup.hold() }
StandardDescriptors.fill()
StackLimit.raise()
TouchtreeCommand.run(ProgramArguments.line)
