import ExpressionFuzzing
import Testing

/// Senseless expressions, by seeds. `fuzz expressions` plays many more.
@Suite struct ExpressionFuzzTests {
  @Test func everyTextIsAnErrorInItsPlaceOrIsComputed() {
    var read = 0
    for seed in UInt64(1)...5_000 {
      let result = ExpressionFuzzer.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed): \(result.fault ?? "")")
      read += result.read
    }
    #expect(read > 500, "input that is never right proves nothing")
  }
}
