import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// Programs that are built with TouchKit, under fingers: two of `Examples`.
  @Suite struct Examples {
    /// On 1280 × 800 pixels their canvas of 375 × 320 is 2.5 times as large, in the middle.
    private static func pixel(_ x: Int, _ y: Int) -> (x: Int, y: Int) { (171 + x * 5 / 2, y * 5 / 2) }

    private func start(
      _ name: String, in machine: VirtualMachine, showing colour: Colour, at place: (x: Int, y: Int)
    ) async throws -> GuestProcess {
      // Not in the image, which every boot loads.
      let (folder, guest) = try await machine.newFolder()
      try FileManager.default.copyItem(
        at: Image.root.appending(path: "\(Image.build)/release/\(name)"), to: folder.appending(path: name))
      try await machine.run("cp \(guest)/\(name) /run/ && chmod 755 /run/\(name)")
      let process = try await machine.spawn("exec /run/\(name)")
      try await shows(colour, at: place, process, machine)
      return process
    }

    private func shows(
      _ colour: Colour, at place: (x: Int, y: Int), _ process: GuestProcess, _ machine: VirtualMachine
    ) async throws {
      try await VMTests.eventually("\(colour) is at \(place): \(process.stderr)") {
        try await machine.framebuffer()[place.x, place.y] == colour
      }
    }

    @Test(arguments: [Finger.Kind.multitouch, .tablet])
    func `a touch goes up the chain to the controller of a program, which shows it`(
      _ kind: Finger.Kind
    ) async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(kind, in: machine)
      let light = Self.pixel(180, 210)
      let program = try await start("example-chain", in: machine, showing: Colour(0x55_55_55), at: light)
      try await finger.down(at: Self.pixel(100, 90))
      try await shows(Colour(0xff_ff_00), at: light, program, machine)
      try await finger.up()
      try await finger.down(at: Self.pixel(10, 300))
      try await shows(Colour(0x55_55_55), at: light, program, machine)
      try await finger.up()
      try await program.signal("TERM")
      #expect(try await program.end() == 0)
      #expect(
        program.stdout
          == "inner saw it\nouter saw it\nthe controller switched the light\nthe controller switched the light\n"
      )
    }

    @Test func `a program's own hit test decides who gets a finger, and devices come while it runs`()
      async throws
    {
      let machine = try await Machines.main()
      let first = try await Finger.make(.multitouch, in: machine)
      let button = Self.pixel(250, 140)
      let program = try await start("example-shelter", in: machine, showing: Colour(0xc0_39_2b), at: button)
      try await first.down(at: Self.pixel(150, 120))
      try await first.up()
      // Plugged in now; the program opens it, as the daemon would.
      let second = try await Finger.make(.singleTouch, in: machine)
      let node = try #require(second.device).node
      try await VMTests.eventually("the program opens \(node)") {
        try await machine.run("ls -l /proc/\(program.pid)/fd | grep -q '\(node)$'").status == 0
      }
      try await second.down(at: Self.pixel(90, 200))
      try await second.up()
      try await program.signal("INT")
      #expect(try await program.end() == 0)
      #expect(program.stdout == "the button was pressed\nthe shelter answered\n")
    }
  }
}
