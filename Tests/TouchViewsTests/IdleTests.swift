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

  @Test func `a use begins with the first stage again, from the time of the use`() {
    var clock = IdleClock([.init(after: 60, .backlight(20)), .init(after: 90, .blank)], from: .zero)
    _ = clock.advance(to: seconds(95))
    clock.use(at: seconds(100))
    #expect(clock.deadline == seconds(160))
    #expect(clock.advance(to: seconds(160)).map(\.after) == [60])
  }

  /// Something that happens to the light.
  enum Step: CustomStringConvertible {
    case touch
    case stage(IdleStage.Effect)
    case backlight(Double?)
    case blank(Bool)

    var description: String {
      switch self {
      case .touch: "touch"
      case .stage(let effect): "\(effect)"
      case .backlight(let percent): percent.map { "backlight \($0)" } ?? "backlight none"
      case .blank(let isBlank): isBlank ? "blank" : "show"
      }
    }
  }

  /// The rows: what happens, then the level, the limit, and whether it is blank.
  @Test(
    arguments: [
      ([], nil, nil, false),
      ([.stage(.backlight(60)), .stage(.backlight(20))], nil, 20, false),
      ([.stage(.backlight(20)), .stage(.blank)], nil, 20, true),
      ([.stage(.backlight(20)), .stage(.blank), .touch], nil, nil, false),
      // What was requested is what a touch brings back.
      ([.backlight(40), .stage(.backlight(20))], 40, 20, false),
      ([.backlight(40), .stage(.backlight(20)), .touch], 40, nil, false),
      // The last word counts until the next touch or the next stage.
      ([.stage(.backlight(20)), .backlight(40)], 40, nil, false),
      ([.stage(.backlight(20)), .backlight(40), .stage(.blank)], 40, nil, true),
      ([.stage(.blank), .backlight(40)], 40, nil, false),
      ([.blank(true)], nil, nil, true),
      ([.blank(true), .stage(.backlight(20))], nil, 20, true),
      ([.blank(true), .touch], nil, nil, false),
      ([.stage(.backlight(20)), .stage(.blank), .blank(false)], nil, 20, false),
      ([.stage(.backlight(0)), .blank(false)], nil, nil, false),
      // 0 is dark until then.
      ([.backlight(40), .backlight(0)], 0, nil, false),
      ([.backlight(40), .backlight(0), .touch], 40, nil, false),
      ([.backlight(40), .backlight(0), .blank(false)], 40, nil, false),
      ([.backlight(40), .backlight(nil)], nil, nil, false),
    ] as [([Step], Double?, Double?, Bool)])
  func `the last word counts`(steps: [Step], level: Double?, limit: Double?, isBlank: Bool) {
    var light = DisplayLight()
    for step in steps {
      switch step {
      case .touch: light.use()
      case .stage(let effect): light.reach(effect)
      case .backlight(let percent): light.request(backlight: percent)
      case .blank(let isBlank): light.request(blank: isBlank)
      }
    }
    #expect(light.level == level && light.limit == limit && light.isBlank == isBlank)
  }
}
