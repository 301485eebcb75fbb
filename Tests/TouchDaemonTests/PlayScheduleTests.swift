import Testing
import TouchCore

@testable import TouchDaemon

@Suite struct PlayScheduleTests {
  private func frames(_ milliseconds: [Int64]) -> [InputFrame] {
    milliseconds.map { InputFrame(time: Timestamp(microseconds: $0 * 1000)) }
  }

  @Test func `frames of several devices come in the order of their times`() {
    let schedule = PlaySchedule([frames([5, 7, 7]), [], frames([3, 7, 20])])
    #expect(schedule.entries.map(\.device) == [2, 0, 0, 0, 2, 2])
    #expect(schedule.entries.map(\.frame) == [0, 0, 1, 2, 1, 2])
    #expect(schedule.entries.map(\.due) == [0, 2000, 4000, 4000, 4000, 17_000])
    #expect(schedule.end.microseconds == 20_000)
  }

  @Test func `a gap of days is played as ten seconds`() {
    let schedule = PlaySchedule([frames([0, 1, 200_000_000, 200_000_001])])
    #expect(schedule.entries.map(\.due) == [0, 1000, 10_001_000, 10_002_000])
  }

  @Test func `nothing to play is no schedule`() {
    #expect(PlaySchedule([[], []]).entries.isEmpty)
  }
}
