import TouchSystem

StandardDescriptors.fill()
MQTTCommand.run(CommandLine.arguments)
