/// What a touch looks like while its view hears of something that is not what the finger does now: of a began that was
/// kept back, of a cancelled because a gesture took the touch.
extension Touch {
  /// What a touch is, while it is shown as something else.
  struct Actual {
    var phase: Phase
    var location: WindowPoint
    var previousLocation: WindowPoint
    var timestamp: Timestamp
    var coalescedSamples: [Sample]
  }

  /// Whether a recogniser that has not made up its mind keeps the began from the view.
  var isBeganDelayed: Bool {
    gestureRecognizers.contains { $0.state == .possible && $0.delaysTouchesBegan }
  }

  /// Whether a recogniser that has not made up its mind keeps the end from the view.
  var isEndDelayed: Bool {
    gestureRecognizers.contains { $0.state == .possible && ($0.delaysTouchesEnded || $0.delaysTouchesBegan) }
  }

  /// Keeps the moves of this event for later.
  func keepMoves() {
    keptSamples.append(contentsOf: coalescedSamples)
  }

  /// Shows another phase.
  func show(_ phase: Phase) {
    park()
    self.phase = phase
  }

  /// Shows how the touch began.
  func showBegan() {
    park()
    phase = .began
    location = beganSample.location
    previousLocation = beganSample.location
    timestamp = beganSample.timestamp
    coalescedSamples = [beganSample]
  }

  /// Shows the moves that were kept, as one. Without any, the touch stays as it began.
  func showKeptMoves() {
    guard let last = keptSamples.last else { return }
    phase = .moved
    previousLocation = beganSample.location
    location = last.location
    timestamp = last.timestamp
    coalescedSamples = keptSamples
    keptSamples.removeAll()
  }

  /// Ends the show.
  func showAsItIs() {
    guard let actual else { return }
    phase = actual.phase
    location = actual.location
    previousLocation = actual.previousLocation
    timestamp = actual.timestamp
    coalescedSamples = actual.coalescedSamples
    self.actual = nil
  }

  private func park() {
    guard actual == nil else { return }
    actual = Actual(
      phase: phase, location: location, previousLocation: previousLocation, timestamp: timestamp,
      coalescedSamples: coalescedSamples)
  }
}
