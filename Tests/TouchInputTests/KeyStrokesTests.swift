import Testing
import TouchCore

@testable import TouchInput

/// Which keys a keyboard of the kernel presses.
@Suite
struct KeyStrokesTests {
  private func strokes(_ layout: String, _ variant: String? = nil) -> KeyStrokes {
    var settings = KeyboardSettings()
    (settings.layout, settings.variant) = (layout, variant)
    return KeyStrokes(settings)
  }

  /// The codes of `input-event-codes.h`.
  @Test(
    arguments: [
      ("us", "a", 30, []), ("us", "A", 30, [42]), ("us", "@", 3, [42]), ("us", " ", 57, []),
      ("us", "\n", 28, []),
      ("us", "z", 44, []), ("de", "z", 21, []), ("de", "ü", 26, []), ("de", "Ü", 26, [42]),
      ("de", "@", 16, [100]),
      ("de", "€", 18, [100]), ("fr", "1", 2, [42]), ("fr", "é", 3, []), ("ru", "й", 16, []),
      ("gr", "ω", 47, []),
      ("pl", "ą", 30, [100]), ("pl", "Ą", 30, [42, 100]),
    ] as [(String, Character, UInt16, [UInt16])])
  func `a letter is a key of the layout, with those that are held`(
    _ layout: String, _ letter: Character, _ code: UInt16, _ held: [UInt16]
  ) {
    #expect(strokes(layout)[letter] == KeyStrokes.Stroke(code: code, held: held))
  }

  @Test(arguments: [("us", "ü"), ("us", "é"), ("de", "й"), ("us", "👍")] as [(String, Character)])
  func `a letter that the layout has no key for has none`(_ layout: String, _ letter: Character) {
    #expect(strokes(layout)[letter] == nil)
  }

  @Test
  func `without the layout, letters are plain`() {
    let strokes = strokes("no such layout")
    #expect(strokes.problem?.contains("no such layout") ?? false)
    #expect(strokes["a"] == KeyStrokes.Stroke(code: 30))
    #expect(strokes["A"] == KeyStrokes.Stroke(code: 30, held: [42]))
    #expect(strokes["ä"] == nil)
  }

  @Test
  func `each key that goes down comes up, and what is held is held around the key`() {
    let events = KeyStrokes.Stroke(code: 30, held: [42, 100]).frames.flatMap(\.events)
    #expect(events.map(\.code) == [42, 100, 30, 30, 100, 42])
    #expect(events.map(\.value) == [1, 1, 1, 0, 0, 0])
    #expect(events.allSatisfy { $0.type == EventCode.key })
  }

  /// A keyboard that reads what it types would type it again.
  @Test
  func `what is made is a keyboard to others, and is known again`() {
    var capabilities = DeviceCapabilities()
    capabilities.keys = KeyStrokes.codes
    #expect(KeyRole(capabilities) == .keyboard)
    #expect(KernelKeyboard.made(DeviceDescription(name: "touchtree keyboard", bus: 6)))
    #expect(!KernelKeyboard.made(DeviceDescription(name: "touchtree keyboard", bus: 3)))
  }
}
