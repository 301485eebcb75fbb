import Testing

@testable import TouchDaemon
@testable import TouchKit
@testable import TouchSystem

/// Nodes that udev has not finished with.
@Suite struct PendingDevicesTests {
  @Test func `a node that is ready ends its own wait and no other`() throws {
    let loop = try EventLoop()
    var looks: [String] = []
    let pending = PendingDevices(loop: loop) { path in
      looks.append(path)
      loop.stop()
    }
    pending.add("/dev/input/event1")
    pending.add("/dev/input/event2")
    pending.remove("/dev/input/event1")
    #expect(!pending.isEmpty && !pending.isOver("/dev/input/event2"))
    // Ends a loop that nothing wakes; a node is looked at ten times a second.
    let limit = loop.addTimer(milliseconds: 900_000, repeats: false, loop.stop)
    try loop.run()
    loop.cancelTimer(limit)
    #expect(looks == ["/dev/input/event2"])
    pending.remove("/dev/input/event2")
    #expect(pending.isEmpty)
  }
}
