import Testing

@testable import TouchCore
@testable import TouchViews

@Suite struct IdleTests {
  /// A stage at each of some times; the brightness tells them apart.
  private static func clock(_ times: Double...) -> IdleClock {
    IdleClock(
      times.map { IdleStage(after: $0, .backlight($0)) }, from: Timestamp(microseconds: 1_000_000))
  }

  private func seconds(_ seconds: Double) -> Timestamp { .zero.advanced(bySeconds: seconds) }

  @Test(
    arguments: [
      (clock(60, 300), [60.999], [[]], 61),
      (clock(60, 300), [61], [[60]], 301),
      (clock(60, 300), [61, 61, 300, 301], [[60], [], [], [300]], nil),
      (clock(60, 300), [1000, 2000], [[60, 300], []], nil),
      (clock(300, 60), [400], [[60, 300]], nil),
      (clock(60), [0], [[]], 61),
      (clock(), [1000], [[]], nil),
    ] as [(IdleClock, [Double], [[Double]], Double?)])
  func `each stage comes once, at its time, in the order of time`(
    clock: IdleClock, times: [Double], expected: [[Double]], deadline: Double?
  ) {
    var clock = clock
    #expect(times.map { clock.advance(to: seconds($0)).map(\.after) } == expected)
    #expect(clock.deadline == deadline.map(seconds))
  }

  @Test func `stages with the same time come in the order of the file`() {
    var clock = IdleClock(
      [IdleStage(after: 5, .blank), .init(after: 1, .backlight(9)), .init(after: 5, .backlight(0))],
      from: .zero)
    #expect(clock.advance(to: seconds(9)).map(\.effect) == [.backlight(9), .blank, .backlight(0)])
  }

  @Test func `of the stages that dim, the last one that has come counts`() {
    var clock = Self.clock(20, 60, 300)
    _ = clock.advance(to: seconds(61))
    #expect(clock.brightness == 60)
    _ = clock.advance(to: seconds(301))
    #expect(clock.brightness == 300)
  }

  @Test func `a use begins with the first stage again, from the time of the use`() {
    var clock = IdleClock([.init(after: 60, .backlight(20)), .init(after: 90, .blank)], from: .zero)
    _ = clock.advance(to: seconds(95))
    #expect(clock.isBlank && clock.brightness == 20)
    clock.use(at: seconds(100))
    #expect(!clock.isBlank && clock.brightness == nil && clock.deadline == seconds(160))
    #expect(clock.advance(to: seconds(160)).map(\.after) == [60])
    #expect(!clock.isBlank && clock.brightness == 20)
  }
}
