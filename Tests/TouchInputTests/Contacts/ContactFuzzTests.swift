import ContactFuzzing
import Testing
import TouchCore

/// A few of the sequences that `make test` plays by the hundred thousand, with the fuzzer's own faults.
@Suite struct ContactFuzzTests {
  @Test func `senseless frames leave every contact whole`() {
    var contacts = 0
    for seed in 1...1000 as ClosedRange<UInt64> {
      let result = ContactFuzzer.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
      contacts += result.contacts
    }
    #expect(contacts > 500)
  }

  @Test(
    arguments: [
      ([.began], "contact 1 never ended"), ([.began, .began], "contact 1 began again"),
      ([.moved], "contact 1 moved without being down"), ([.ended], "contact 1 ended without being down"),
      ([.began, .ended, .cancelled], "contact 1 ended without being down"),
      ([.began, .moved, .cancelled], nil),
    ] as [([ContactChange.Kind], String?)])
  func `a life that is not whole is noticed`(_ kinds: [ContactChange.Kind], _ fault: String?) {
    let contact = ContactID(device: DeviceID(rawValue: 1), serial: 1)
    var checker = LifeChecker()
    checker.check(kinds.map { TouchChange(contact: contact, kind: $0, location: WindowPoint(x: 1, y: 1)) })
    checker.checkEnd()
    #expect(checker.fault == fault)
  }
}
