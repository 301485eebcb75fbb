/// What a touch looks like while its view hears of something that is not what the finger does now: of what was kept back,
/// of a cancelled because a gesture took the touch.
extension Touch {
  /// What a touch does at one time.
  struct Look {
    var phase: Phase
    var location: WindowPoint
    var previousLocation: WindowPoint
    var timestamp: Timestamp
    var coalescedSamples: [Sample]

    init(_ touch: Touch) {
      phase = touch.phase
      location = touch.location
      previousLocation = touch.previousLocation
      timestamp = touch.timestamp
      coalescedSamples = touch.coalescedSamples
    }

    /// Moves go on, as one.
    mutating func follow(_ touch: Touch) {
      location = touch.location
      timestamp = touch.timestamp
      coalescedSamples.append(contentsOf: touch.coalescedSamples)
    }

    /// Whether touches did the same in one frame.
    func isOfOneEvent(with other: Self) -> Bool { phase == other.phase && timestamp == other.timestamp }
  }

  /// Whether a recogniser that has not made up its mind keeps the began from the view.
  var isBeganDelayed: Bool {
    gestureRecognizers.contains { $0.state == .possible && $0.delaysTouchesBegan }
  }

  /// Whether a recogniser that has not made up its mind keeps the end from the view.
  var isEndDelayed: Bool {
    gestureRecognizers.contains { $0.state == .possible && ($0.delaysTouchesEnded || $0.delaysTouchesBegan) }
  }

  /// Shows another phase.
  func show(_ phase: Phase) {
    park()
    self.phase = phase
  }

  /// Shows what the touch did before.
  func show(_ look: Look) {
    park()
    become(look)
  }

  /// Ends the show.
  func showAsItIs() {
    guard let actual else { return }
    become(actual)
    self.actual = nil
  }

  private func become(_ look: Look) {
    phase = look.phase
    location = look.location
    previousLocation = look.previousLocation
    timestamp = look.timestamp
    coalescedSamples = look.coalescedSamples
  }

  private func park() {
    if actual == nil { actual = Look(self) }
  }
}
