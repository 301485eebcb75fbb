import Testing
import TouchJSON
import TouchViews

@testable import TouchDaemon

/// The file of kept values.
@Suite struct KeptTextTests {
  private func long(_ letter: String, _ count: Int) -> PropertyValue {
    .text(String(repeating: letter, count: count))
  }

  @Test func `it has all values, as long as they have room`() throws {
    let kept = KeptText([("a", .number(1)), ("b", .text("x"))], before: [:], longest: 100)
    #expect(String(decoding: kept.bytes, as: UTF8.self) == #"{"a":1,"b":"x"}"# + "\n")
    #expect(kept.tooLong == [])
  }

  @Test func `the longest one that has no room stays as it was kept before`() throws {
    let values = [("a", long("x", 50)), ("b", long("y", 80)), ("c", PropertyValue.number(3))]
    let kept = KeptText(values, before: ["b": #""old""#], longest: 100)
    #expect(kept.tooLong == ["b"])
    let text = String(decoding: kept.bytes, as: UTF8.self)
    #expect(text.contains(#""b":"old""#) && text.contains("xxx") && text.contains(#""c":3"#))
    #expect(kept.bytes.count <= 100)
    #expect(kept.values["b"] == #""old""#)
    // What was never kept is left out.
    #expect(
      !String(decoding: KeptText(values, before: [:], longest: 100).bytes, as: UTF8.self).contains(#""b""#))
  }

  @Test func `values of more than a megabyte together are read as they were written`() throws {
    let values = (0..<60).map { ("v\($0)", long("z", 60_000)) }
    let kept = KeptText(values, before: [:], longest: StateFile.longest)
    #expect(kept.tooLong == [] && kept.bytes.count > 3 << 20)
    let members = try kept.bytes.withUnsafeBytes { try JSONReader.read($0) }.members
    #expect(members?.count == 60)
  }
}
