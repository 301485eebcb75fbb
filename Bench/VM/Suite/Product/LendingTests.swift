import Testing
import VMPictures

/// Several touchtrees by KMS: on cards of their own, and on one that lends.
extension VirtualMachineTests.Connectors {
  @Test(.enabled(if: isNight || !isNewer))
  func `two cards have a touchtree each`() async throws {
    let machine = try await VirtualMachine.booted(
      name: "connector",
      display: .adapters(
        ["bochs-display,id=first", "virtio-gpu-pci,id=second"], kernel: Hardware.withoutFramebuffer))
    func start(_ connector: String, lit: Colour, _ arguments: String = "") async throws -> Daemon {
      try await Daemon.start(
        Scene(lit: lit, isHandled: false), in: machine,
        arguments: "--display kms:\(connector) \(arguments)")
    }
    let first = try await start("Virtual-1", lit: Colour(0xe6_00_7a))
    let second = try await start("Virtual-2", lit: Colour(0x00_ff_ff), Self.apart)
    let (x, y) = first.scene.left.centre
    let sample = first.scene.left.sample
    try await machine.movePointer(toX: x, y: y)
    func areLit(_ isLit: Bool) async throws {
      for (daemon, device) in [(first, "first"), (second, "second")] {
        try await daemon.eventually("\(device) is lit: \(isLit)") {
          try await machine.screendump(of: device)[sample.x, sample.y]
            == (isLit ? daemon.scene.lit : daemon.scene.left.background)
        }
      }
    }
    try await areLit(false)
    try await machine.pressPointer(true)
    try await areLit(true)
    try await machine.pressPointer(false)
    try await areLit(false)

    #expect(try await second.stop() == 0)
    try await first.eventually("the first one goes on") {
      try await machine.screendump(of: "first")[sample.x, sample.y] == first.scene.left.background
    }
    #expect(try await first.stop() == 0)
    await machine.stop()
  }

  /// The monitors of one card.
  private static let heads = [(1280, 800), (1024, 768), (800, 600)].enumerated().map { index, size in
    Hardware(
      testDescription: "the monitor \(index + 1)", display: "Virtual-\(index + 1) (virtio_gpu", size: size,
      screen: ("heads", index), arguments: "--display kms:Virtual-\(index + 1)")
  }

  /// The options of a touchtree beside another one, which has the sockets.
  private static let apart = "--control none --watch-socket none"

  private func start(
    _ head: Hardware, on machine: VirtualMachine, _ extra: String = "", prefix: String = ""
  ) async throws -> Daemon {
    let daemon = try await Daemon.start(
      in: machine, arguments: "\(head.arguments) \(extra)", prefix: prefix, traced: prefix.isEmpty,
      configuration: Self.tree())
    #expect(daemon.log.contains("ready: ") && daemon.log.contains(head.display), "\(daemon.log)")
    return daemon
  }

  /// With a console on the card and without one.
  @Test
  func `two monitors of one card have a touchtree each, and each outlives the other`() async throws {
    let machine = try await VirtualMachine.booted(
      name: "connector",
      display: .adapters(
        ["virtio-gpu-pci,id=heads,max_outputs=2"],
        kernel: "\(Self.isNewer ? "" : Hardware.withoutFramebuffer) video=Virtual-2:1024x768e"))
    let pictures = [
      try await rendered(Self.heads[0], on: machine), try await rendered(Self.heads[1], on: machine),
    ]
    var first = try await start(Self.heads[0], on: machine)
    var second = try await start(Self.heads[1], on: machine, Self.apart)
    func areShown(_ when: String) async throws {
      try await isShown(pictures[0], Self.heads[0], first, when)
      try await isShown(pictures[1], Self.heads[1], second, when)
    }
    func firstLends() async throws {
      try await second.eventually("the second one borrows of the first") {
        let list = try await machine.run("touchtree displays").stdout
        return list.contains(
          "touchtree (pid \(second.pid)) has it, lent by touchtree (pid \(first.pid))")
      }
      #expect(second.log.contains("is lent by touchtree (pid \(first.pid))"), "\(second.log)")
    }
    func switchTerminals(_ round: Int) async throws {
      try await machine.run("chvt 2")
      try await second.eventually("it waits, round \(round)") {
        second.log.components(separatedBy: "another program is shown on the card").count == round + 1
      }
      #expect(try await VirtualMachineTests.Figures.wakeUps(of: second) == 0)
      try await machine.run("chvt 1")
      try await areShown("terminal 1 again, round \(round)")
    }
    try await firstLends()
    try await followsFinger(Self.heads[0], first)
    try await followsFinger(Self.heads[1], second)
    #expect(try await VirtualMachineTests.Figures.wakeUps(of: second) == 0)

    let third = try await machine.run(
      "touchtree run --config \(first.configurationPath) --display kms:Virtual-2 \(Self.apart)")
    #expect(third.status == 69, "\(third)")
    #expect(third.stderr.contains("touchtree (pid \(first.pid)) has it"), "\(third)")
    #expect(third.stderr.contains("it has lent Virtual-2 already"), "\(third)")

    for round in 1...2 { try await switchTerminals(round) }

    // The second one takes the card, and hands it over: it would keep it while another terminal is shown.
    try await first.signal("KILL")
    try await first.end()
    try await isShown(pictures[1], Self.heads[1], second, "the first one killed")
    #expect(try await machine.run("touchtree displays").stdout.contains("and lends this connector"))
    // Which has the kernel show the console on both.
    try await machine.run("touchtree console-restore /dev/tty1")
    try await isShown(pictures[1], Self.heads[1], second, "the console restored")
    first = try await start(Self.heads[0], on: machine)
    try await areShown("the first one back")
    try await firstLends()
    try await switchTerminals(3)

    // The same after an end in order, which brings the console back.
    #expect(try await first.stop() == 0)
    try await isShown(pictures[1], Self.heads[1], second, "the first one stopped")
    first = try await start(Self.heads[0], on: machine)
    try await areShown("the first one started again")
    try await firstLends()

    try await second.signal("KILL")
    try await second.end()
    try await isShown(pictures[0], Self.heads[0], first, "the second one killed")
    second = try await start(Self.heads[1], on: machine, Self.apart)
    try await areShown("the second one back")
    try await firstLends()
    // What is given back can be lent again.
    #expect(try await second.stop() == 0)
    try await isShown(pictures[0], Self.heads[0], first, "the second one ended")
    second = try await start(Self.heads[1], on: machine, Self.apart)
    try await areShown("the second one started again")
    try await followsFinger(Self.heads[0], first)

    // A user in the group video needs no other right to borrow, nor to take the card.
    #expect(try await second.stop() == 0)
    second = try await start(
      Self.heads[1], on: machine, Self.apart, prefix: "vm-guest as 990 990,44,104")
    try await areShown("another user")
    try await firstLends()
    try await first.signal("KILL")
    try await first.end()
    try await isShown(pictures[1], Self.heads[1], second, "another user alone")
    for daemon in [first, second] {
      #expect(!daemon.log.contains("does not show what is drawn"), "\(daemon.log)")
    }
    #expect(try await second.stop() == 0)
    await machine.stop()
  }

  /// The kernel has a lease for each. When the lender ends one of the two takes the card, and the other one
  /// borrows of that.
  @Test(.enabled(if: isNight || isNewer))
  func `two touchtrees borrow of a third, and of each other when it ends`() async throws {
    let machine = try await VirtualMachine.booted(
      name: "connector",
      display: .adapters(
        ["virtio-gpu-pci,id=heads,max_outputs=3"],
        kernel: "\(Hardware.withoutFramebuffer) video=Virtual-2:1024x768e video=Virtual-3:800x600e"))
    let heads = Self.heads
    var pictures: [Picture] = []
    for head in heads { pictures.append(try await rendered(head, on: machine)) }
    func started(_ index: Int) async throws -> Daemon {
      try await start(heads[index], on: machine, index == 0 ? "" : Self.apart)
    }
    var daemons: [Daemon] = []
    for index in 0..<3 { daemons.append(try await started(index)) }
    func areShown(_ shown: [Int], _ when: String) async throws {
      for index in shown { try await isShown(pictures[index], heads[index], daemons[index], when) }
    }
    /// Each of the connectors is lent by this process, as `touchtree displays` says.
    func areLent(_ borrowers: [Int], by lender: Daemon) async throws {
      try await lender.eventually("it lends to \(borrowers)") {
        let list = try await machine.run("touchtree displays").stdout
        return borrowers.allSatisfy {
          list.contains("touchtree (pid \(daemons[$0].pid)) has it, lent by touchtree (pid \(lender.pid))")
        }
      }
    }
    try await areShown([0, 1, 2], "three monitors")
    try await areLent([1, 2], by: daemons[0])
    for index in 0..<3 { try await followsFinger(heads[index], daemons[index]) }
    try await machine.run("chvt 2")
    for borrower in daemons[1...] {
      try await borrower.eventually("it waits") {
        borrower.log.contains("another program is shown on the card")
      }
    }
    try await machine.run("chvt 1")
    try await areShown([0, 1, 2], "terminal 1 again")

    try await daemons[0].signal("KILL")
    try await daemons[0].end()
    try await areShown([1, 2], "the lender killed")
    let list = try await machine.run("touchtree displays").stdout
    #expect(list.components(separatedBy: "lent by touchtree (pid ").count == 2, "\(list)")
    daemons[0] = try await started(0)
    try await areShown([0, 1, 2], "the lender back")
    try await areLent([1, 2], by: daemons[0])

    // One gives back what it has borrowed; the other one does not notice.
    try await daemons[1].signal("KILL")
    try await daemons[1].end()
    try await areShown([0, 2], "a borrower killed")
    daemons[1] = try await started(1)
    try await areShown([0, 1, 2], "the borrower back")
    for daemon in daemons { #expect(try await daemon.stop() == 0) }
    await machine.stop()
  }
}
