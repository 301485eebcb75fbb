import DispatchFuzzing
import Testing

/// A few of the sequences that `make test` plays by the hundred thousand.
@Suite struct DispatchFuzzTests {
  @Test func `random fingers on trees with gestures are heard of in order, and no press is lost`() {
    var presses = 0
    for seed in 1...5000 as ClosedRange<UInt64> {
      let result = DispatchFuzzer.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
      presses += result.presses
    }
    #expect(presses > 2500)
  }
}
