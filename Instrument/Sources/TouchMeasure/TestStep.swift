import TouchCore
import TouchRecordings

package struct TestStep: Sendable {
  package var test: PanelTest
  /// The details: a place such as `0.5,0.1`, a number of fingers, an edge. Empty for a test with one task.
  package var argument: String
  package var start: Timestamp
  /// The end. Contacts that come down before it belong to the step.
  package var end: Timestamp

  package init(_ test: PanelTest, _ argument: String = "", start: Timestamp, end: Timestamp) {
    (self.test, self.argument, self.start, self.end) = (test, argument, start, end)
  }

  /// The marked place as the user saw it, from 0 to 1; nil for a step without one.
  package var place: Point<NormalizedSpace>? {
    let parts = argument.split(separator: ",")
    guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]), (0...1).contains(x),
      (0...1).contains(y)
    else { return nil }
    return Point(x: x, y: y)
  }
}

/// A fact of a report besides its figures. The raw value is the word of its mark.
package enum TestFact: String, CaseIterable, Sendable {
  /// The panel's serial number.
  case unit
  case firmware
  /// The person who made the test.
  case by
  /// The state of the machine during the test, such as `battery` or `after suspend`.
  case condition
  case bar, temperature, humidity, kernel, date
}

/// The marks of a recording about the test in which it was made.
///
/// ```
/// # touchtree test: 0.000000 size 154x86         the panel's size in millimetres
/// # touchtree test: 0.000000 plan mapping,grid   the tests that are to be made
/// # touchtree test: 1.250000 grid 0.1,0.1        a step begins
/// # touchtree test: 0.000000 unit 17-0423        the panel's serial number; so for each other `TestFact`
/// # touchtree test: 2.000000 delay 4310          microseconds from a frame's time stamp until it was shown
/// # touchtree test: 2.500000 raw quiet 3.1 620   the noise and the strongest signal of the controller's own numbers
/// # touchtree test: 3.000000 finger              what an instrument saw: finger, beam or light
/// # touchtree test: 9.000000 again               the steps of this test do not count; so for `skip`
/// # touchtree test: 9.500000 quit                the user ended the test before its last task
/// # touchtree test: 9.500000 end                 the last step is over
/// ```
package struct TestMarks: Sendable {
  package private(set) var steps: [TestStep] = []
  package private(set) var discarded: [TestStep] = []
  /// The planned tests; nil for a plain recording, which has no plan.
  package private(set) var plan: [PanelTest]?
  /// The test whose tasks the user ended; nil if all tasks were shown.
  package private(set) var cut: PanelTest?
  /// Whether the test was ended after its last task.
  package private(set) var isComplete = false
  /// The size in millimetres.
  package private(set) var size: Size?
  /// The delays in microseconds.
  package private(set) var delays: [Int64] = []
  package private(set) var stamps: [InstrumentStamp] = []
  /// The controller's own numbers in each condition of the test for noise.
  package private(set) var strengths: [String: RawFigures.Strength] = [:]
  package private(set) var facts: [TestFact: String] = [:]

  /// - Parameter marks: the marks in the order of the file. Unknown ones are skipped.
  package init(_ marks: [Recording.Mark], end: Timestamp) {
    var open: TestStep?
    var last = Timestamp.zero
    func close(at time: Timestamp) -> [TestStep] {
      defer { open = nil }
      guard var step = open else { return [] }
      step.end = time
      return [step]
    }
    for mark in marks {
      let words = mark.text.split(separator: " ").map(String.init)
      guard let word = words.first else { continue }
      let argument = words.dropFirst().joined(separator: " ")
      last = max(last, mark.time)
      switch word {
      case "plan":
        let tests = argument.split(separator: ",").compactMap { PanelTest(rawValue: String($0)) }
        plan = (plan ?? []) + tests
      case "size": size = Self.size(argument)
      case "delay": if let delay = Int64(argument) { delays.append(delay) }
      case "raw":
        if words.count == 4, let noise = Double(words[2]), let signal = Double(words[3]), noise >= 0,
          signal >= 0
        {
          strengths[words[1]] = RawFigures.Strength(noise: noise, signal: signal)
        }
      case _ where TestFact(rawValue: word) != nil:
        if let fact = TestFact(rawValue: word), !argument.isEmpty { facts[fact] = argument }
      case "finger", "beam", "light":
        if let kind = InstrumentStamp.Kind(rawValue: word) {
          stamps.append(InstrumentStamp(kind, at: mark.time))
        }
      case "quit": cut = open?.test ?? steps.last?.test
      case "end":
        steps += close(at: mark.time)
        isComplete = cut == nil
      case "again", "skip":
        let test = open?.test ?? steps.last?.test
        // Touches until the next step begins belong to no step.
        let rest = TestStep(test ?? .protocol, start: mark.time, end: .init(microseconds: .max))
        discarded += close(at: mark.time) + steps.filter { $0.test == test } + [rest]
        steps.removeAll { $0.test == test }
        if test == .latency { delays.removeAll() }
      default:
        guard let test = PanelTest(rawValue: word) else { continue }
        if let last = discarded.indices.last { discarded[last].end = min(discarded[last].end, mark.time) }
        steps += close(at: mark.time)
        open = TestStep(test, argument, start: mark.time, end: mark.time)
      }
    }
    steps += close(at: max(end, last).advanced(byMicroseconds: 1))
  }

  /// Adds observations that an instrument wrote itself, on the same clock.
  package mutating func add(_ stamps: [InstrumentStamp]) { self.stamps += stamps }

  /// Sets a fact that the recording lacks, or that is better known.
  package mutating func set(_ fact: TestFact, _ text: String) { facts[fact] = text }

  /// Returns the size of `154x86`, with or without `mm` after it, in millimetres; nil for anything else.
  package static func size(_ text: String) -> Size? {
    let body = text.hasSuffix("mm") ? text.dropLast(2) : text[...]
    let parts = body.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]),
      (1...10_000).contains(width), (1...10_000).contains(height)
    else { return nil }
    return Size(width: width, height: height)
  }
}
