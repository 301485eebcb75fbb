import Testing

extension VirtualMachineTests {
  /// What it costs to have it running.
  @Suite struct Figures {
    @Test(
      "it is not woken once in ten seconds while nothing happens, with and without a resting finger, and after a glow"
    )
    func idle() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      var scene = Scene()
      (scene.style, scene.trail) = ("glow", 0.3)
      let daemon = try await Daemon.start(scene, in: machine, devices: [finger.device].compactMap(\.self))
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      #expect(try await wakeUps(of: daemon) == 0)
      try await finger.up()
      try await daemon.shows(daemon.scene.left, lit: false)
      #expect(try await wakeUps(of: daemon) == 0)
      try await daemon.stop()
    }

    /// How often any of its threads gave up the processor of its own accord in ten seconds.
    private func wakeUps(of daemon: Daemon) async throws -> Int {
      let count =
        "cat /proc/\(daemon.pid)/task/*/status | awk '/^voluntary_ctxt/ {sum += $2} END {print sum}'"
      let output = try await daemon.machine.run("\(count); sleep 10; \(count)", timeout: .seconds(30))
      let counts = output.stdout.split(separator: "\n").compactMap { Int($0) }
      guard counts.count == 2 else { throw MachineError("no counts of wake-ups: \(output)") }
      return counts[1] - counts[0]
    }

    /// In the machine, the pages of the program and its libraries count as shared memory: they lie in a RAM disk.
    @Test("it takes at most 12 MB of memory without text, program and libraries included")
    func memory() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(in: machine, devices: [finger.device].compactMap(\.self))
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await finger.up()
      try await daemon.shows(daemon.scene.left, lit: false)

      let output = try await machine.run("grep -E '^(VmRSS|Rss)' /proc/\(daemon.pid)/status")
      let words = output.stdout.split(whereSeparator: \.isWhitespace)
      let kilobytes = try #require(words.firstIndex(of: "VmRSS:").flatMap { Int(words[$0 + 1]) })
      print("touchtree run, in kB: \(words.joined(separator: " "))")
      #expect(kilobytes <= 12 * 1024)
      try await daemon.stop()
    }

    @Test("moving a finger allocates nothing, however far it goes")
    func allocations() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      var scene = Scene()
      scene.showsTouches = true
      // A glow and a trail change with time, too, and nothing of that may cost memory.
      (scene.style, scene.trail) = ("glow", 0.2)
      // The sample plugin logs every call, and a line of a log is a string.
      scene.isHandled = false
      let count = "/run/allocations"
      let daemon = try await Daemon.start(
        scene, in: machine,
        prefix: "env LD_PRELOAD=/usr/lib/liballocation-counter.so ALLOCATION_COUNT=\(count)",
        devices: [finger.device].compactMap(\.self), traced: false)

      /// What a touch allocates from down to up.
      func touch(frames: Int) async throws -> Int {
        let before = try await number(in: count, of: machine)
        try await finger.down(at: scene.left.centre)
        try await daemon.shows(scene.left, lit: true)
        try await finger.drag(from: scene.left.centre, to: (x: 1200, y: 760), frames: frames)
        try await finger.up()
        try await daemon.shows(scene.left, lit: false)
        return try await number(in: count, of: machine) - before
      }

      _ = try await touch(frames: 20)
      let few = try await touch(frames: 10)
      let many = try await touch(frames: 300)
      print("allocations of a touch: \(few) with 10 moved frames, \(many) with 300")
      #expect(few > 0)
      // What is left of growing buffers; not one for every tenth frame.
      #expect(many - few < 29)
      try await daemon.stop()
    }

    private func number(in file: String, of machine: VirtualMachine) async throws -> Int {
      let output = try await machine.run("od -A n -t u8 -N 8 \(file)")
      let word = output.stdout.split(whereSeparator: \.isWhitespace).first
      return try #require(word.flatMap { Int($0) }, "\(output)")
    }
  }
}
