/// What a terminal answers when it is asked what it can.
struct TerminalAnswers {
  var hasKittyGraphics = false
  var hasSixel = false
  var cell: (width: Int, height: Int)?
  var textArea: (width: Int, height: Int)?
  /// What was typed meanwhile.
  var keys: [TerminalEvent] = []

  /// Asks, and waits for the answer that every terminal gives, or until `patience` milliseconds have passed without any.
  init(of device: TerminalEmulatorDevice, patience: Int32) {
    if !device.isMultiplexer { device.writeInTime(TerminalBytes.kittyQuery, milliseconds: patience) }
    device.writeInTime(TerminalBytes.query, milliseconds: patience)
    var input = TerminalInput()
    var isComplete = false
    while !isComplete, device.awaitInput(milliseconds: patience) {
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
        guard let count = device.read(into: buffer) else {
          isComplete = true
          return
        }
        for byte in buffer.prefix(count) {
          input.take(byte) { if note($0) { isComplete = true } }
        }
      }
    }
  }

  /// - Returns: whether this was the last answer.
  private mutating func note(_ event: TerminalEvent) -> Bool {
    switch event {
    case .kittyGraphics(let isThere): hasKittyGraphics = isThere
    case .cell(let width, let height): cell = (width, height)
    case .textArea(let width, let height): textArea = (width, height)
    case .attributes(let numbers):
      hasSixel = numbers.dropFirst().contains(4)
      return true
    case .key, .mouse: keys.append(event)
    }
    return false
  }
}
