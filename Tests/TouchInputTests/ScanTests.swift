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

  /// Notes what the log would have.
  private final class Notices: InputPipelineObserver {
    var notices: [ScanNotice] = []
    func pipelineNoticed(_ notice: ScanNotice, of device: DeviceID) { notices.append(notice) }
  }

  private let notices = Notices()
  private let window = Window(size: Size(width: 100, height: 100))
  private let taker = Taker()
  private let pipeline: InputPipeline
  private let device = DeviceID(rawValue: 1)

  init() {
    pipeline = InputPipeline(
      window: window, geometry: DisplayGeometry(displaySize: Size(width: 100, height: 100)))
    window.application = taker
    pipeline.observer = notices
  }

  private func time(_ milliseconds: Double) -> Timestamp {
    Timestamp(microseconds: Int64(1_000_000 + milliseconds * 1000))
  }

  /// Types a text, a letter every so many milliseconds. A line feed is enter, and a tab the key of that name.
  ///
  /// - Parameter pause: how much longer it is, in milliseconds, before which key.
  /// - Returns: when it was done.
  @discardableResult
  private func type(
    _ text: String, every gap: Double, from start: Double = 0, by device: Int = 1,
    as use: ScannerUse = .automatic, pause: (before: Int, of: Double)? = nil
  ) -> Double {
    var now = start
    for (index, character) in text.enumerated() {
      if let pause, pause.before == index { now += pause.of }
      let key =
        switch character {
        case "\n": Key(.enter, characters: "\r")
        case "\t": Key(.tab, characters: "\t")
        default:
          Key(
            KeyCode(name: String(character)) ?? KeyCode(rawValue: 500), characters: String(character))
        }
      for kind in [PressChange.Kind.began, .ended] {
        pipeline.apply(
          [PressChange(device: DeviceID(rawValue: device), kind: kind, key: key)], at: time(now), by: use)
      }
      now += gap
    }
    return now
  }

  private static func named(pause: Double = 0.1, end: ScannerSettings.End = .enter) -> ScannerUse {
    var settings = ScannerSettings()
    (settings.pause, settings.end) = (pause, end)
    return .always(settings)
  }

  /// A whole code, or nothing; and never a press.
  @Test(
    arguments: [
      ("the hiccup of a fast one", .automatic, 8, (6, 60), ["scanned 4006381333931"]),
      ("that of one with 20 ms", .automatic, 20, (10, 30), ["scanned 4006381333931"]),
      ("one before its end", .automatic, 8, (13, 80), ["scanned 4006381333931"]),
      ("45 ms a key", named(), 45, (0, 0), ["scanned 4006381333931"]),
      ("60 ms and a hiccup", named(), 60, (7, 35), ["scanned 4006381333931"]),
      ("a longer pause", named(pause: 0.5), 45, (7, 400), ["scanned 4006381333931"]),
      ("too long a pause", named(), 8, (7, 200), []),
      ("too long a pause before its end", named(), 8, (13, 200), []),
      ("a very long one", named(), 8, (3, 900), []),
    ] as [(String, ScannerUse, Double, (Int, Double), [String])])
  func `a scan is whole or it is nothing`(
    _ name: String, _ use: ScannerUse, _ gap: Double, _ pause: (Int, Double), _ lines: [String]
  ) {
    pipeline.fileWantsScans = true
    let end = type("4006381333931\n", every: gap, as: use, pause: pause)
    pipeline.runOut()
    #expect(taker.lines == lines, "\(name)")
    #expect(lines.isEmpty == notices.notices.contains(where: \.isLoss), "\(name)")
    // The next one is read.
    taker.lines = []
    type("123\n", every: gap, from: end + 300, as: use)
    #expect(taker.lines == ["scanned 123"], "\(name)")
  }

  @Test
  func `a device that has typed like a scanner is one, and its texts are not cut`() {
    pipeline.fileWantsScans = true
    var end = type("4006381333931\n", every: 8)
    #expect(notices.notices == [.recognised])
    for gap in [45.0, 80] {
      taker.lines = []
      end = type("4006381333931\n", every: gap, from: end + 500)
      #expect(taker.lines == ["scanned 4006381333931"])
    }
    taker.lines = []
    type("4006381333931\n", every: 8, from: end + 500, pause: (7, 200))
    pipeline.runOut()
    #expect(taker.lines == [])
    #expect(notices.notices.dropFirst() == [.unfinished(ScannerSettings())])
  }

  @Test
  func `a code whose first letters came too early is no code, since it is cut`() {
    pipeline.fileWantsScans = true
    let end = type("4006381333931\n", every: 8, pause: (1, 60))
    #expect(taker.lines == ["4"])
    #expect(notices.notices == [.cut])
    type("4006381333931\n", every: 8, from: end + 500)
    #expect(taker.lines == ["4", "scanned 4006381333931"])
  }

  @Test
  func `enter of a slow scanner that no rule names presses nothing, and its next code is read`() {
    pipeline.fileWantsScans = true
    let end = type("4006381333931\n", every: 45, pause: (5, 30))
    #expect(taker.lines == "4006381333931".map(String.init))
    #expect(notices.notices == [.slow])
    taker.lines = []
    type("4006381333931\n", every: 45, from: end + 500)
    #expect(taker.lines == ["scanned 4006381333931"])
  }

  @Test
  func `a device that is named as a scanner presses nothing, and one that is named as none always does`() {
    pipeline.fileWantsScans = true
    type("\n\t", every: 8, as: Self.named())
    type("12", every: 8, from: 500, as: Self.named())
    pipeline.runOut()
    #expect(taker.lines == [])
    type("123\n", every: 8, from: 3000, by: 2, as: .never)
    #expect(taker.lines == ["1", "2", "3", "enter"])
  }

  @Test(
    arguments: [
      (ScannerSettings.End.tab, "123\t", ["scanned 123"]), (.tab, "123\n", []),
      (.none, "123", ["scanned 123"]),
      (.none, "1\t2\n3", ["scanned 123"]), (.enter, "123", []),
    ])
  func `a text ends as its scanner s rule says`(
    _ end: ScannerSettings.End, _ typed: String, _ lines: [String]
  ) {
    pipeline.fileWantsScans = true
    type(typed, every: 8, as: Self.named(end: end))
    pipeline.runOut()
    #expect(taker.lines == lines)
  }

  @Test
  func `a second end after a code presses nothing`() {
    pipeline.fileWantsScans = true
    type("123\n\n", every: 8)
    #expect(taker.lines == ["scanned 123"])
  }

  @Test(arguments: [ScannerUse.automatic, named()])
  func `a code of which the kernel has lost events is dropped with all that is left of it`(
    _ use: ScannerUse
  ) throws {
    pipeline.fileWantsScans = true
    var capabilities = DeviceCapabilities()
    capabilities.keys = Set(1...83)
    let source = try #require(KeySource(device: device, capabilities: capabilities, scanner: use))
    type("4006", every: 8, as: use)
    pipeline.apply(InputFrame(time: time(35), cause: .resync), keysOf: source)
    type("13931\n", every: 8, from: 40, as: use)
    pipeline.runOut()
    #expect(taker.lines == [])
    #expect(notices.notices.first == .lostEvents)
    type("123\n", every: 8, from: 2000, as: use)
    #expect(taker.lines == ["scanned 123"])
  }

  @Test
  func `a code of a known scanner goes into a text field as a whole, or not at all`() {
    let field = Field(id: "field", frame: LocalRect(x: 0, y: 0, width: 50, height: 20))
    window.addSubview(field)
    field.becomeFirstResponder()
    let end = type("4006\n", every: 45, as: Self.named())
    #expect(field.text == "4006\n")
    type("4006\n", every: 45, from: end + 500, as: Self.named(), pause: (2, 100))
    pipeline.runOut()
    #expect(field.text == "4006\n")
    #expect(taker.lines == [])
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
  private func press(_ keys: [Key], from start: Double = 0, by device: Int = 1) {
    for (number, key) in keys.enumerated() {
      for kind in [PressChange.Kind.began, .ended] {
        pipeline.apply(
          [PressChange(device: DeviceID(rawValue: device), kind: kind, key: key)],
          at: time(start + Double(number) * 4))
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
    press([letters[0], key, letters[1]], from: 500, by: 2)
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
    type("a", every: 90, from: end + 200, by: 2)
    pipeline.isDark = false
    type("bc", every: 90, from: end + 290, by: 2)
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
