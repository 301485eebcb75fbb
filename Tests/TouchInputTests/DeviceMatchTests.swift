import Testing

@testable import TouchCore
@testable import TouchInput

@Suite struct DeviceMatchTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("?", "", false),
    ("?", "®", true), ("FT5x06*", "FT5x06 (00)", true), ("FT5x06*", "generic FT5x06", false),
    ("*FT5x06*", "generic FT5x06 (00)", true), ("ft5x06", "FT5x06", false), ("a*b*c", "a-b-b-c", true),
    ("a*b*c", "a-b-b-c-d", false), ("*ab", "aab", true), ("a?c", "abc", true), ("a?c", "ac", false),
    ("[ab]", "a", true), ("[ab]", "[ab]", true), ("[ab]", "c", false), ("a**", "a", true),
    (#"\[ab\]"#, "[ab]", true), (#"\[ab\]"#, "a", false), (#"\*"#, "*", true), (#"\*"#, "a", false),
    ("[", "[", true),
    ("CoolTouch®*", "CoolTouch® System", true),
  ])
  func `a pattern fits whole texts`(_ pattern: String, _ text: String, _ fits: Bool) {
    #expect(DeviceMatch.glob(pattern, matches: text) == fits)
  }

  @Test(arguments: ["plain", "*", "?", "[ab]", #"\"#, #"\*"#, "[!a]*é?", "", "\u{1b}[31m\n"])
  func `a text as a pattern fits itself alone`(_ text: String) {
    let pattern = DeviceMatch.literal(text)
    #expect(DeviceMatch.glob(pattern, matches: text))
    for other in ["plain text", "a", "xaéx", "*x", "x", "\u{1b}3\n"] where other != text {
      #expect(!DeviceMatch.glob(pattern, matches: other), "\(other)")
    }
  }

  @Test func `a pattern of many stars takes no exponential time`() {
    let pattern = String(repeating: "a*", count: 200) + "b"
    #expect(!DeviceMatch.glob(pattern, matches: String(repeating: "a", count: 4000)))
  }

  static let device = DeviceDescription(
    name: "Panel", phys: "usb-1/input0", uniq: "42", vendor: 0x0eef, product: 1)

  @Test(arguments: [
    (DeviceMatch(), true), (DeviceMatch(name: "Pan*"), true), (DeviceMatch(name: "Other"), false),
    (DeviceMatch(phys: "usb-?/input0"), true), (DeviceMatch(phys: "usb-2*"), false),
    (DeviceMatch(uniq: "42"), true), (DeviceMatch(uniq: "43"), false),
    (DeviceMatch(vendor: 0x0eef), true), (DeviceMatch(vendor: 0), false), (DeviceMatch(product: 1), true),
    (DeviceMatch(product: 2), false), (DeviceMatch(name: "Panel", product: 2), false),
  ])
  func `everything that is given must fit`(_ match: DeviceMatch, _ fits: Bool) {
    #expect(match.matches(Self.device) == fits)
  }

  @Test func `a path means the device that it leads to`() throws {
    var device = Self.device
    // Any character device will do: two names for one, and another one.
    device.number = DeviceNumber(path: "/dev/null")
    #expect(DeviceMatch(path: "/dev/null").matches(device))
    #expect(DeviceMatch(path: "/proc/self/root/dev/null").matches(device))
    #expect(!DeviceMatch(path: "/dev/zero").matches(device))
    #expect(!DeviceMatch(path: "/dev/missing").matches(device))
    #expect(!DeviceMatch(path: "/dev/null").matches(Self.device))
  }

  @Test func `a device number is read as the system writes it`() throws {
    let null = try #require(DeviceNumber(path: "/dev/null"))
    #expect(null.major == 1)
    #expect(null.minor == 3)
    #expect(DeviceNumber(path: "/") == nil)
  }
}
