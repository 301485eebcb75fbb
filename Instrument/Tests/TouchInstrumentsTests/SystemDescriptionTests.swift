import Testing

@testable import TouchInstruments

@Suite struct SystemDescriptionTests {
  @Test(arguments: [
    (["PRETTY_NAME=\"Debian\"", "ID=debian", "VERSION_ID=\"12\""], "debian:12"),
    (["ID=arch"], "arch:unknown"),
    ([], "unknown:unknown"),
  ])
  func `the distribution is named as in os-release`(_ lines: [String], _ os: String) {
    #expect(SystemDescription.os(in: lines) == os)
  }

  @Test func `this computer has a kernel`() {
    #expect(SystemDescription.current.kernel.contains("."))
  }
}
