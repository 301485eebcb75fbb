import Glibc
import Testing

@testable import TouchSystem

@Suite struct WallClockAlarmTests {
  /// Not time(2), whose clock is up to a tick behind.
  private static func now() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec)
  }

  private static func isReadable(_ alarm: WallClockAlarm, within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) == 1
  }

  @Test func `it is readable when its time has come, until that is taken`() throws {
    let alarm = try WallClockAlarm()
    #expect(!Self.isReadable(alarm, within: 0))
    let end = Self.now() + 1
    #expect(alarm.wait(for: end))
    #expect(Self.isReadable(alarm, within: 10_000))
    #expect(Self.now() >= end)
    alarm.take()
    #expect(!Self.isReadable(alarm, within: 0))
    // Each time is waited for once, a time that is past too.
    #expect(alarm.wait(for: end))
    #expect(Self.isReadable(alarm, within: 10_000))
  }

  @Test func `it waits for the time that was given last, and for none`() throws {
    let alarm = try WallClockAlarm()
    #expect(alarm.wait(for: Self.now() - 10) && alarm.wait(for: Self.now() + 1000))
    #expect(!Self.isReadable(alarm, within: 20))
    #expect(alarm.wait(for: 1) && alarm.wait(for: nil))
    #expect(!Self.isReadable(alarm, within: 20))
  }
}
