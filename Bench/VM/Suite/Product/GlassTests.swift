import Testing
import VMPictures

extension VirtualMachineTests {
  /// The picture that the display adapter scans out, past the driver's shadow buffer: bochs shows what is
  /// written to the mapping 50 ms later, and what is written by calls at once.
  @Suite struct Glass {
    @Test
    func `each step of a highlight that fades is on the glass`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      var scene = Scene()
      scene.style = "glow, fade: 1"
      let daemon = try await Daemon.start(scene, in: machine, devices: [finger.device].compactMap(\.self))
      let (x, y) = scene.left.sample
      var (mapping, glass) = (0, 0)
      // On a busy host a fade may have too few steps to tell, or the kernel takes some together: then it is
      // repeated.
      for contact in 0..<5 where mapping < 10 || glass < mapping - 1 {
        try await finger.down(at: scene.left.centre, contact: contact)
        try await daemon.shows(scene.left, lit: true)
        let watch = try await machine.spawn("exec vm-guest glass /dev/fb0 \(x),\(y),1x1 4000")
        try await eventually("the glass is watched") { watch.stdout.contains("ready\n") }
        try await finger.up()
        #expect(try await watch.end() == 0, "\(watch.stderr)")
        let counts = watch.stdout.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(counts.count == 2, "\(watch.stdout)")
        (mapping, glass) = (counts[0], counts[1])
        print("steps of a fade: \(mapping) in the mapping, \(glass) on the glass")
      }
      #expect(mapping >= 3)
      // The watcher may miss one. A driver's timer would take three or more together.
      #expect(glass >= mapping - 1)
      try await daemon.stop()
    }

    @Test
    func `a view at the right edge is on the glass, though a write to the row's end counts as empty`()
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      var scene = Scene()
      scene.layout = .corners
      let daemon = try await Daemon.start(scene, in: machine, devices: [finger.device].compactMap(\.self))
      let view = Scene.Target(
        view: "lower-right", frame: [640, 400, 640, 400], background: Colour(0x30_30_30), chain: [])
      for isLit in [true, false] {
        if isLit { try await finger.down(at: (x: 1100, y: 700)) } else { try await finger.up() }
        let (x, y) = view.sample
        try await daemon.eventually("the view is lit in the mapping: \(isLit)") {
          try await machine.pixel(x, y) == (isLit ? scene.lit : view.background)
        }
        try await daemon.eventually("the glass has every row of the view, lit: \(isLit)") {
          let output = try await machine.run("vm-guest glass /dev/fb0 640,400,640x400")
          guard output.status == 0 else { throw MachineError(output.stderr) }
          return output.stdout == "0\n"
        }
      }
      try await daemon.stop()
    }
  }
}
