import TouchSystem

StandardDescriptors.fill()
MQTTCommand.run(ProgramArguments.line)
