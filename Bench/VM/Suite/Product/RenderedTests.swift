import Foundation
import Testing
import TouchPixels
import VMPictures

extension VirtualMachineTests {
  /// What `touchtree render` draws is what a framebuffer holds, or a screen shows.
  @Suite struct Rendered {
    struct Row: Sendable, CustomTestStringConvertible {
      var rotation: Int
      var scale: String
      var style: String
      var testDescription: String { "\(rotation)°, \(scale), \(style)" }
    }

    @Test(arguments: [
      Row(rotation: 0, scale: "fit", style: "outline"), Row(rotation: 90, scale: "stretch", style: "glow"),
      Row(rotation: 180, scale: "none", style: "fill"), Row(rotation: 270, scale: "fill", style: "outline"),
    ])
    func `the framebuffer holds what render draws, pixel by pixel, with and without a finger`(row: Row)
      async throws
    {
      let machine = try await Machines.main()
      let tree = Self.tree(rotation: row.rotation, scale: row.scale, style: row.style)
      let finger = try await Finger.make(.multitouch, in: machine)
      let run = try await Run(
        tree, in: machine, node: VirtualMachine.display, finger: finger, options: "--size 1280x800")
      func bytes(_ surface: Surface) -> [UInt8] {
        // Blue, green, red and a byte that is set, in the machine's order: as bochs has it.
        [UInt8](UnsafeRawBufferPointer(start: surface.pixels, count: surface.width * surface.height * 4))
      }
      let untouched = bytes(try await run.picture())
      try await run.holds(untouched, "nothing touched")
      // Somewhere that the views are in each of the rows, on no pixel's border.
      try await finger.down(at: (x: 577, y: 331))
      let touched = bytes(try await run.pictureTouched())
      #expect(touched != untouched)
      try await run.holds(touched, "a finger")
      try await finger.up()
      try await run.holds(untouched, "nothing touched any more")
      try await run.daemon.stop()
    }

    @Test(arguments: [
      (
        Depths.Mode(
          testDescription: "16 bits", words: "320x240x16 virtual=325x250 offset=5,10", meaning: .channels),
        90
      ),
      (Depths.Mode(testDescription: "24 bits", words: "320x240x24", meaning: .channels), 0),
      (Depths.Mode(testDescription: "a colour map", words: "320x240x8", meaning: .cube), 180),
      (
        Depths.Mode(
          testDescription: "1 bit", words: "320x240x1 virtual=384x260 offset=13,9", meaning: .inverted), 270
      ),
    ])
    func `a framebuffer with fewer colours holds the dithered picture, and render can show it`(
      mode: Depths.Mode, rotation: Int
    ) async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      let output = try await machine.run("vm-guest framebuffer \(node) \(mode.words)")
      try #require(output.status == 0, "\(output.stderr)")
      let layout = try FramebufferLayout(line: output.stdout)
      try await machine.fill(node, with: "Z")
      let expected = ExpectedMemory(layout: layout, meaning: mode.meaning, before: UInt8(ascii: "Z"))

      let tree = Self.tree(rotation: rotation, scale: "fit", style: "outline")
      let finger = try await Finger.make(.multitouch, in: machine, display: (320, 240))
      let run = try await Run(tree, in: machine, node: node, finger: finger, options: "--size 320x240")
      func check(_ picture: Surface, _ what: String, _ touch: String) async throws {
        let drawing = Drawing(picture)
        try await run.holds(expected.bytes(4_194_304, showing: drawing), what)
        // The way back: what each pixel of the memory is on the screen.
        let like = try await Drawing(run.picture("--like \(node) \(touch)"))
        let wrong = like.firstDifference(from: expected.shown(drawing))
        #expect(wrong == nil, "\(what), --like: pixel \(wrong as Any)")
      }
      try await check(try await run.picture(), "nothing touched", "")
      try await finger.down(at: (x: 138, y: 65))
      let picture = try await run.pictureTouched()
      try await check(picture, "a finger", run.touchOption())
      try await finger.up()
      try await run.daemon.stop()
    }

    /// Every kind of view, where no edge lies on a pixel's.
    private static func tree(rotation: Int, scale: String, style: String) -> String {
      """
      version: 1
      display: {rotation: \(rotation), canvas: {size: [700, 470], scale: \(scale)}, background: "#101418"}
      highlight:
        view: {style: \(style), color: "#35d6ff", width: 4}
        path: outline
        touches: {marker: true, id: true, coordinates: true, trail: 0.2}
      window:
        id: window
        subviews:
          - id: root
            frame: [0, 0, 700, 470]
            background: "#18303c"
            subviews:
              - {id: logo, kind: image, frame: [20, 20, 200, 150], image: /tmp/logo.png}
              - id: turned
                frame: [240.5, 60.25, 280, 220]
                background: "#24405cc0"
                corner_radius: 17
                border: {color: "#ff8000", width: 3}
                transform: {rotate: 11}
                subviews:
                  - {id: inner, frame: [30, 40, 200.5, 130], background: "#a04080", alpha: 0.7}
              - id: text
                kind: label
                frame: [30, 200, 230, 120]
                text: "Übergröße, العربية, fi: several words on several lines"
                font: {family: sans-serif, size: 21, color: "#e8eef4", lines: 0}
              - {id: ok, kind: button, frame: [480, 300, 150, 70], text: OK, background: "#0a84ff", corner_radius: 12}

      """
    }
  }
}

extension VirtualMachineTests.Rendered {
  /// A daemon, and the same program that renders what the daemon shows.
  struct Run {
    let daemon: Daemon
    private let machine: VirtualMachine
    private let node: String
    private let options: String

    init(
      _ tree: String, in machine: VirtualMachine, node: String, finger: Finger, options: String
    ) async throws {
      (self.machine, self.node, self.options) = (machine, node, options)
      let device = try #require(finger.device)
      let logo = try await machine.run(
        """
        cat >/tmp/logo.yaml <<'END'
        version: 1
        window:
          subviews:
            - {frame: [0, 0, 97, 61], background: "#ff8000", corner_radius: 30}
            - {frame: [20, 10, 50, 50], background: "#00ff0080", transform: {rotate: 30}}
        END
        touchtree render /tmp/logo.yaml -o /tmp/logo.png
        """)
      try #require(logo.status == 0, "\(logo.stderr)")
      daemon = try await Daemon.start(
        in: machine, arguments: "--display \(node) --device \(device.node)", devices: [device],
        configuration: tree)
    }

    /// Returns the picture of `render`.
    ///
    /// - Parameter other: Instead of the usual options.
    func picture(_ other: String? = nil) async throws -> Surface {
      let output = try await machine.run(
        "touchtree render \(daemon.configurationPath) \(other ?? options) -o /shared/rendered.png")
      try #require(output.status == 0, "\(output.stderr)")
      #expect(output.stderr.isEmpty)
      return try PNGReader.read(path: machine.shared.appending(path: "rendered.png").path)
    }

    /// With the finger where the daemon has one.
    func pictureTouched() async throws -> Surface {
      try await daemon.delivers("began")
      return try await picture("\(options) \(touchOption())")
    }

    func touchOption() throws -> String {
      let began = try daemon.trace.last { $0.phase == "began" && $0.responder == "window" }
      let point = try #require(began?.point)
      return "--touch=\(point[0]),\(point[1])"
    }

    /// Waits until a framebuffer's memory begins with these bytes.
    func holds(_ bytes: [UInt8], _ what: String) async throws {
      var memory: [UInt8] = []
      /// Checked only if given.
      func difference() -> String {
        firstDifference(of: memory, from: bytes).map {
          ", not byte \($0): \(memory[$0]) instead of \(bytes[$0])"
        } ?? ""
      }
      try await daemon.eventually("the framebuffer holds the picture with \(what)\(difference())") {
        memory = try await machine.memory(of: node)
        return memory.prefix(bytes.count) == bytes[...]
      }
    }
  }
}
