import Testing
import TouchCore
import TouchInput
import TouchMeasure

/// Which presses of a cross count.
@Suite struct CalibrationSamplerTests {
  /// Plays lines of `milliseconds kind device.contact x,y`, or `milliseconds` alone for time that passes.
  private func play(_ script: [String], device: Int? = nil) -> [String] {
    var sampler = CalibrationSampler(reach: 50)
    sampler.device = device.map { DeviceID(rawValue: $0) }
    var told: [String] = []
    for line in script {
      let words = line.split(separator: " ")
      let time = Timestamp(microseconds: (Int64(words[0]) ?? 0) * 1000)
      if let outcome = sampler.advance(to: time) { told.append(text(outcome)) }
      guard words.count > 1 else { continue }
      let kinds = ["down": ContactChange.Kind.began, "move": .moved, "up": .ended, "cancel": .cancelled]
      let names = words[2].split(separator: ".").compactMap { Int($0) }
      let place = words.count > 3 ? words[3].split(separator: ",").compactMap { Double($0) } : [0, 0]
      let contact = ContactID(device: DeviceID(rawValue: names[0]), serial: names[1])
      let outcome = sampler.take(
        kinds[String(words[1])] ?? .moved, of: contact, at: WindowPoint(x: place[0], y: place[1]), time: time)
      if let outcome { told.append(text(outcome)) }
    }
    return told
  }

  private func text(_ outcome: CalibrationSampler.Outcome) -> String {
    switch outcome {
    case .pressed: "pressed"
    case .undone(let reason): "undone: \(reason)"
    case .taken(let place, let device): "taken \(Int(place.x)),\(Int(place.y)) of \(device.rawValue)"
    }
  }

  @Test func `the middle of the positions is taken when the finger has gone`() {
    #expect(
      play([
        "0 down 1.1 100,200", "10 move 1.1 102,201", "20 move 1.1 104,199", "30 move 1.1 102,202",
        "40 move 1.1 140,203", "60 up 1.1", "159", "160",
      ]) == ["pressed", "taken 102,201 of 1"])
  }

  @Test(arguments: [
    (["0 down 1.1 5,5", "10 down 1.2 9,9", "50 up 1.1", "60 up 1.2", "500"], "secondFinger"),
    (["0 down 1.1 5,5", "10 down 2.1 9,9", "50 up 1.1", "60 up 2.1", "500"], "otherDevice"),
    (["0 down 1.1 5,5", "29 up 1.1", "500"], "tooShort"),
    (["0 down 1.1 5,5", "50 cancel 1.1", "500"], "cancelled"),
    (["0 down 1.1 5,5", "50 move 1.1 60,5", "90 move 1.1 5,5", "95 up 1.1", "500"], "moved"),
  ])
  func `whatever could have moved the finger undoes the sample`(script: [String], reason: String) {
    #expect(play(script) == ["pressed", "undone: \(reason)"])
    let again = ["600 down 1.9 7,8", "700 up 1.9", "800"]
    #expect(play(script + again) == ["pressed", "undone: \(reason)", "pressed", "taken 7,8 of 1"])
  }

  @Test func `a bounce starts the sample again`() {
    #expect(
      play([
        "0 down 1.1 5,5", "60 up 1.1", "90 down 1.2 50,50", "95 move 1.2 40,40", "150 up 1.2 40,40", "249",
        "250",
      ]) == ["pressed", "undone: bounce", "taken 45,45 of 1"])
  }

  @Test func `another device undoes a sample that waits for silence`() {
    #expect(
      play(["0 down 1.1 5,5", "60 up 1.1", "90 down 2.1 5,5", "150 up 2.1", "500"], device: 1) == [
        "pressed", "undone: otherDevice",
      ])
  }

  @Test func `nothing counts until every finger is up`() {
    #expect(
      play([
        "0 down 1.1 5,5", "10 down 1.2 9,9", "50 up 1.1", "100 down 1.3 9,9", "200 up 1.3", "400",
        "500 up 1.2",
        "600 down 1.4 6,6", "700 up 1.4", "800",
      ]) == ["pressed", "undone: secondFinger", "pressed", "taken 6,6 of 1"])
  }
}
