import TouchSystem

StandardDescriptors.fill()
StackLimit.raise()
InstrumentCommand.run(ProgramArguments.line)
