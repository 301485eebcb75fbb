import Testing
import VMPictures

extension VirtualMachineTests {
  /// Controls that show a value, by a real finger.
  @Suite struct Controls {
    /// The slider's thumb is 32 pixels wide, and its middle goes from 116 to 924.
    private static let configuration = """
      version: 1
      display: {background: "#101418"}
      highlight: {view: none, touches: {marker: false}}
      window:
        subviews:
          - {id: level, kind: slider, frame: [100, 100, 840, 80], maximum: 100, step: 1}
          - {id: heating, kind: switch, frame: [100, 400, 200, 100]}
          - id: shelf
            kind: scroll
            frame: [980, 100, 280, 600]
            subviews:
              - id: songs
                kind: list
                row_height: 50
                rows: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, 1, 2, 3, 4]

      """

    @Test
    func
      `a drag on a slider, a tap on a switch and a flick of a list are on the screen, and watched by a client`()
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(
        in: machine, devices: [finger.device].compactMap(\.self), configuration: Self.configuration)
      let (tint, track, thumb) = (Colour(0x3a_a6_ff), Colour(0x34_43_54), Colour(0xf2_f6_fa))
      func shows(_ x: Int, _ y: Int, _ colour: Colour) async throws {
        try await daemon.eventually("(\(x), \(y)) is \(colour)") {
          try await machine.pixel(x, y) == colour
        }
      }
      try await shows(116, 140, thumb)
      let watch = try await machine.spawn("exec touchtree ctl watch --json")
      try await daemon.eventually("the client sees what is set") {
        try await machine.run("touchtree ctl set level value=1; touchtree ctl set level value=0")
        return watch.stdout.contains("\"view\":\"level\",\"value\":0")
      }

      try await finger.down(at: (116, 140))
      try await finger.drag(from: (116, 140), to: (520, 140), frames: 20)
      try await shows(300, 140, tint)
      try await finger.up()
      try await shows(520, 140, thumb)
      try await shows(800, 140, track)

      try await shows(280, 450, track)
      try await finger.down(at: (200, 450), contact: 2)
      try await finger.up()
      try await shows(120, 450, tint)
      try await daemon.eventually("the client has the values and the actions") {
        let lines = watch.stdout
        return lines.contains("\"view\":\"level\",\"value\":50")
          && lines.contains("\"view\":\"heating\",\"value\":true")
          && lines.contains("\"view\":\"heating\",\"action\":\"valueChanged\"")
      }

      // The list goes on after the finger has lifted, comes to rest, and a row is where it is seen.
      /// A second later: near its end it goes on by a unit in half a second.
      func offset() async throws -> Int {
        let tree = try await machine.run("sleep 1; touchtree ctl tree --json").stdout
        let found = tree.firstMatch(of: /"id":"shelf".*?"bounds_origin":\[0,(\d+)\]/)
        return found.flatMap { Int($0.1) } ?? -1
      }
      var (start, place) = (0, 0)
      // A finger that a busy host holds up before it lifts is at rest, and the list only follows it.
      for flick in 0..<4 where place - start < 250 {
        start = place
        try await finger.down(at: (1100, 600), contact: 3 + flick)
        try await finger.drag(from: (1100, 600), to: (1100, 400), frames: 20, lifts: true)
        try await daemon.eventually("the list has come to rest") {
          let last = place
          place = try await offset()
          return place == last && place > start
        }
        print("flick \(flick + 1): the list went from \(start) to \(place)")
      }
      #expect(place - start > 250, "it went on by itself")
      try await finger.down(at: (1100, 510), contact: 7)
      try await finger.up()
      // The panel's units put the finger at 509.875; at the list's end a row begins at 500.
      try await daemon.eventually("the row under the finger is chosen") {
        watch.stdout.contains("\"view\":\"songs\",\"value\":\((place + 409) / 50)")
      }
      try await shows(990, 509, tint)
      try await daemon.stop()
    }
  }
}
