import Testing
import VMPictures

extension VirtualMachineTests {
  /// A display that is not touched. The panel's light is a folder of the test: QEMU has none.
  @Suite struct Idle {
    /// On a busy host a look at the display takes a second or two, so no stage lasts less than six.
    private static let configuration = """
      version: 1
      highlight: {view: none, touches: {marker: false}}
      idle: [{after: 6, backlight: 30}, {after: 12, blank: true}]
      window:
        subviews:
          - {id: red, kind: control, frame: [0, 0, 1280, 800], background: "#c02020"}

      """

    @Test
    func `a dark display is lit by a finger that touches nothing, by its terminal, and by its end`()
      async throws
    {
      let machine = try await Machines.main()
      let folder = try await machine.run(
        """
        mount -t tmpfs backlight /sys/class/backlight && mkdir /sys/class/backlight/panel &&
        cd /sys/class/backlight/panel && echo 100 >max_brightness && echo 80 >brightness
        """)
      try #require(folder.status == 0, "\(folder.stderr)")
      let text = try await machine.consoleText(1)
      let other = try await machine.consoleText(2)
      try await machine.run("chvt 1")
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(
        in: machine, devices: [finger.device].compactMap(\.self), configuration: Self.configuration)
      func shows(_ colour: Colour, brightness: String) async throws {
        var seen: (Colour?, String) = (nil, "")
        try await daemon.eventually("\(colour) at \(brightness), not \(seen)") {
          seen = (
            try await machine.pixel(640, 400),
            try await machine.run("head -n 1 /sys/class/backlight/panel/brightness").stdout
          )
          return seen == (colour, brightness + "\n")
        }
      }
      let (red, black) = (Colour(0xc0_20_20), Colour(0))
      try await shows(red, brightness: "30")
      try await shows(black, brightness: "30")
      try await daemon.eventually("the display is off") {
        try await machine.run("cat /sys/class/drm/card0-*/dpms").stdout == "Off\n"
      }

      try await finger.down(at: (640, 400))
      try await shows(red, brightness: "80")
      #expect(try await machine.run("cat /sys/class/drm/card0-*/dpms").stdout == "On\n")
      #expect(try daemon.trace.lives.isEmpty)
      try await finger.up()
      try await finger.down(at: (640, 400), contact: 2)
      try await daemon.eventually("the next finger is a touch") { try daemon.trace.hits == ["red"] }
      try await finger.up()

      try await shows(black, brightness: "30")
      try await machine.run("chvt 2")
      try await machine.shows(other, "terminal 2 is shown")
      #expect(try await machine.run("head -n 1 /sys/class/backlight/panel/brightness").stdout == "80\n")
      try await machine.run("chvt 1")
      try await shows(red, brightness: "80")

      try await shows(black, brightness: "30")
      try await daemon.signal("SEGV")
      try await daemon.end()
      try await machine.shows(text, "the text is back")
      #expect(try await machine.run("head -n 1 /sys/class/backlight/panel/brightness").stdout == "80\n")
      try await machine.run("umount /sys/class/backlight")
    }
  }
}
