import Testing
import TouchCore

@testable import TouchInput

/// Barcode scanners: what they read goes to one place as a whole, and what people type is not kept from them.
@Suite
struct ScanTests {
  private final class Field: View, KeyInput {
    var text = ""
    var leavesAt = Int.max
    var hasText: Bool { !text.isEmpty }
    override var canBecomeFirstResponder: Bool { true }
    func insertText(_ text: String) {
      self.text += text
      if self.text.count >= leavesAt { _ = resignFirstResponder() }
    }
    func deleteBackward() {}
  }

  /// Notes what comes to the application.
  private final class Taker: ApplicationResponder {
    var lines: [String] = []
    override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
      lines += presses.map(\.key.keyCode.name)
      return .handled
    }
    override func scanned(_ scan: Scan, from first: Responder) -> Disposition {
      lines.append("scanned \(scan.text)")
      return .handled
    }
  }

  private let window = Window(size: Size(width: 100, height: 100))
  private let taker = Taker()
  private let pipeline: InputPipeline
  private let device = DeviceID(rawValue: 1)

  init() {
    pipeline = InputPipeline(
      window: window, geometry: DisplayGeometry(displaySize: Size(width: 100, height: 100)))
    window.application = taker
  }

  private func time(_ milliseconds: Double) -> Timestamp {
    Timestamp(microseconds: Int64(1_000_000 + milliseconds * 1000))
  }

  /// Types a text, a letter every so many milliseconds.
  ///
  /// - Returns: when it was done.
  @discardableResult
  private func type(_ text: String, every gap: Double, from start: Double = 0, by device: Int = 1) -> Double {
    var now = start
    for character in text {
      let code =
        character == "\n" ? KeyCode.enter : KeyCode(name: String(character)) ?? KeyCode(rawValue: 500)
      let key = Key(code, characters: character == "\n" ? "\r" : String(character))
      for kind in [PressChange.Kind.began, .ended] {
        pipeline.apply(
          [PressChange(device: DeviceID(rawValue: device), kind: kind, key: key)], at: time(now))
      }
      now += gap
    }
    return now
  }

  @Test(arguments: [1.0, 5, 20])
  func `a code is one text, however fast it comes`(_ gap: Double) {
    pipeline.fileWantsScans = true
    type("4006381333931\n", every: gap)
    #expect(taker.lines == ["scanned 4006381333931"])
    #expect(pipeline.deadline == nil)
  }

  @Test
  func `what a person types is pressed, letter by letter`() {
    pipeline.fileWantsScans = true
    type("hello\n", every: 90)
    pipeline.advance(to: time(1000))
    #expect(taker.lines == ["h", "e", "l", "l", "o", "enter"])
  }

  @Test
  func `a burst without an end, and one that is too short, are pressed after a moment`() {
    pipeline.fileWantsScans = true
    type("abc", every: 2)
    #expect(taker.lines == [])
    pipeline.runOut()
    #expect(taker.lines == ["a", "b", "c"])
    type("1\n", every: 2, from: 500)
    pipeline.runOut()
    #expect(taker.lines == ["a", "b", "c", "1", "enter"])
  }

  @Test
  func `where nobody waits for scans, nothing is held back`() {
    type("12345", every: 1)
    #expect(taker.lines.count == 5)
  }

  @Test
  func `a code goes to the text field that is the first responder`() {
    pipeline.fileWantsScans = true
    let field = Field(id: "field", frame: LocalRect(x: 0, y: 0, width: 50, height: 20))
    window.addSubview(field)
    field.becomeFirstResponder()
    type("4006381333931\n", every: 1)
    #expect(field.text == "4006381333931\n")
    #expect(taker.lines == [])
  }

  @Test
  func `a code that began in a field goes nowhere else when the field goes`() {
    pipeline.fileWantsScans = true
    let field = Field(id: "field", frame: LocalRect(x: 0, y: 0, width: 50, height: 20))
    field.leavesAt = 4
    window.addSubview(field)
    field.becomeFirstResponder()
    let end = type("4006381333931\n", every: 1)
    pipeline.runOut()
    #expect(field.text == "4006")
    #expect(taker.lines == [])
    // The next one is another text.
    type("123\n", every: 1, from: end + 200)
    #expect(taker.lines == ["scanned 123"])
  }

  @Test
  func `a scanner that is unplugged in the middle of a code has read nothing`() throws {
    pipeline.fileWantsScans = true
    var capabilities = DeviceCapabilities()
    capabilities.keys = Set(1...83)
    let source = try #require(KeySource(device: device, capabilities: capabilities))
    type("40063", every: 1)
    pipeline.lose(source, at: time(6))
    pipeline.runOut()
    #expect(taker.lines == [])
  }

  @Test
  func `two scanners at once read a text each`() {
    pipeline.fileWantsScans = true
    for index in 0..<4 {
      let (one, other) = (Array("123\n")[index], Array("456\n")[index])
      type(String(one), every: 1, from: Double(index) * 2, by: 1)
      type(String(other), every: 1, from: Double(index) * 2 + 1, by: 2)
    }
    #expect(taker.lines == ["scanned 123", "scanned 456"])
  }

  @Test
  func `while nothing is shown no key is heard, and one that is held stays unheard`() {
    func press(_ kind: PressChange.Kind) {
      pipeline.apply([PressChange(device: device, kind: kind, key: Key(KeyCode(rawValue: 59)))], at: time(0))
    }
    press(.began)
    pipeline.suspend(at: time(1))
    #expect(pipeline.pressDispatcher.presses.isEmpty)
    press(.ended)
    press(.began)
    pipeline.resume()
    press(.repeated)
    press(.ended)
    #expect(taker.lines == ["f1"])
  }

  /// Keys, 4 ms apart; each comes up before the next.
  private func press(_ keys: [Key], from start: Double = 0) {
    for (number, key) in keys.enumerated() {
      for kind in [PressChange.Kind.began, .ended] {
        pipeline.apply(
          [PressChange(device: device, kind: kind, key: key)], at: time(start + Double(number) * 4))
      }
    }
  }

  @Test(arguments: [
    (
      "a separator", Key(KeyCode(rawValue: 27), characters: "\u{1d}", modifierFlags: .control), "abc\u{1d}def"
    ),
    ("a dead key", Key(KeyCode(rawValue: 41)), "abcdef"),
    ("a function key", Key(KeyCode(rawValue: 66)), "abcdef"),
  ])
  func `a code is one text, whatever key is in it`(_ name: String, _ key: Key, _ text: String) {
    pipeline.fileWantsScans = true
    let letters = "abcdef".map { Key(KeyCode(name: String($0))!, characters: String($0)) }
    press(Array(letters[..<3]) + [key] + Array(letters[3...]) + [Key(.enter, characters: "\r")])
    pipeline.runOut()
    #expect(taker.lines == ["scanned \(text)"], "\(name)")
    // What is no code is pressed in its order.
    press([letters[0], key, letters[1]], from: 500)
    pipeline.runOut()
    #expect(taker.lines.dropFirst() == ["a", key.keyCode.name, "b"])
  }

  @Test(arguments: [1.0, 4, 20])
  func `a code that lights a dark display is read as a whole`(gap: Double) {
    pipeline.fileWantsScans = true
    pipeline.isDark = true
    type("40", every: gap)
    pipeline.isDark = false
    type("06381\n", every: gap, from: 2 * gap)
    pipeline.runOut()
    #expect(taker.lines == ["scanned 4006381"])
    #expect(pipeline.pressDispatcher.presses.isEmpty)
  }

  @Test
  func
    `a code that lights a dark display goes into the text field as a whole, and a person's letter does not`()
  {
    let field = Field(id: "field", frame: LocalRect(x: 0, y: 0, width: 50, height: 20))
    window.addSubview(field)
    field.becomeFirstResponder()
    pipeline.isDark = true
    type("4", every: 4)
    pipeline.isDark = false
    let end = type("006\n", every: 4, from: 4)
    #expect(field.text == "4006\n")
    pipeline.isDark = true
    type("a", every: 90, from: end + 200)
    pipeline.isDark = false
    type("bc", every: 90, from: end + 290)
    pipeline.runOut()
    #expect(field.text == "4006\nbc")
    #expect(pipeline.pressDispatcher.presses.isEmpty)
  }

  @Test
  func `the key that lights a dark display does nothing else`() {
    pipeline.isDark = true
    type("a", every: 1)
    pipeline.isDark = false
    type("b", every: 1)
    #expect(taker.lines == ["b"])
  }
}
