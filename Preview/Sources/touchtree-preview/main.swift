import TouchSystem

StandardDescriptors.fill()
PreviewProgram.run(ProgramArguments.line)
