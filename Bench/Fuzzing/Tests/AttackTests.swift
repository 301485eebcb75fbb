import AttackFuzzing
import Testing

/// A few of the attacks that `make test` makes by the thousand with the released program: here every access
/// to a variable is checked.
@Suite struct AttackTests {
  private static let seeds: ClosedRange<UInt64> = 1...100

  @Test func `configurations that were changed are refused in their place, or laid out and touched`() {
    for seed in Self.seeds {
      let result = ConfigurationAttack.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
    }
  }

  @Test func `recordings that were changed are refused with their line, or played`() {
    for seed in Self.seeds {
      let result = RecordingAttack.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
    }
  }

  @Test func `whatever lengths a program sets, a picture costs a bounded number of texts and parts`() throws {
    let attack = try LengthAttack()
    for seed in Self.seeds {
      let result = attack.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
    }
  }

  @Test func `pictures that were changed are refused or decoded`() {
    for seed in Self.seeds {
      let result = PictureAttack.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
    }
  }
}
