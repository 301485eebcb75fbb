import Foundation
import Testing

extension VirtualMachineTests {
  /// `touchtree raw` with the touch controller that the kernel's driver for tests pretends to be: fingers
  /// that tap, slide and pinch, and noise between them. (kernel `admin-guide/media/vivid.rst`)
  @Suite struct RawData {
    private struct Figures: Decodable {
      struct Node: Decodable {
        var row: Int
        var column: Int
        var noise: Double
        var signal: Double
      }
      struct Line: Decodable {}
      var columns: Int
      var rows: Int
      var format: String
      var frames: Int
      var rateHz: Double
      var nodes: [Node]
      var dead: [Line]
    }

    /// The node of a controller, which the first call makes.
    private func node(in machine: VirtualMachine) async throws -> String {
      // Debian's kernels for ARM are not asked.
      if Image.build != ".build" { try Test.cancel("the image for ARM has no vivid") }
      let output = try await machine.run(
        """
        if [ ! -e /sys/module/vivid ]; then
          while read -r module; do
            case $module in */vivid.ko) options=node_types=0x80000 ;; *) options= ;; esac
            insmod "$module" $options || exit
          done </lib/modules/vivid
        fi
        ls /dev/v4l-touch*
        """)
      guard output.status == 0 else { throw MachineError("no touch controller: \(output.stderr)") }
      return output.stdout.trimmingCharacters(in: .newlines)
    }

    @Test func `what a controller measures is read, and its figures are told`() async throws {
      let machine = try await Machines.main()
      let node = try await node(in: machine)
      let output = try await machine.run("touchtree raw --json --seconds 8")
      #expect(output.status == 0, "\(output.stderr)")
      let lines = output.stdout.split(separator: "\n")
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let figures = try decoder.decode(Figures.self, from: Data(#require(lines.last).utf8))
      #expect(figures.frames == lines.count - 1 && figures.frames > 10)
      #expect(figures.nodes.count == figures.columns * figures.rows && figures.format == "TD16")
      #expect(figures.dead.isEmpty)
      #expect(figures.rateHz > 1)
      #expect(figures.nodes.contains { $0.signal > 20 * max($0.noise, 1) })

      let text = try await machine.run("touchtree raw \(node) --seconds 1")
      #expect(text.stdout.contains("\(figures.columns)×\(figures.rows) nodes, TD16"), "\(text)")
      #expect(text.stdout.contains("no row and no column is dead"), "\(text)")
    }

    @Test func `a test for noise has the controller's own signal and noise`() async throws {
      let machine = try await Machines.main()
      let node = try await node(in: machine)
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      // Nothing touches the panel: each task ends by the timeout.
      let output = try await machine.run(
        "touchtree test --device \(device.node) --raw \(node) --only noise --timeout 3 -o /run/noise.json; cat /run/noise.json"
      )
      let source = output.stderr.split(separator: "\n").first { $0.contains("signal and noise are those of") }
      #expect(source?.contains("(\(node))") ?? false, "\(output)")
      #expect(output.stdout.contains("least signal to noise of the controller's own numbers"), "\(output)")
      #expect(output.stdout.contains(#""signal_to_noise""#), "\(output)")
    }

    @Test func `what is not a controller, and what goes, is said`() async throws {
      let machine = try await Machines.main()
      let node = try await node(in: machine)
      let wrong = try await machine.run("touchtree raw \(node) --input 7")
      #expect(wrong.status == 69 && wrong.stderr.contains("there is no input 7"), "\(wrong)")
      let process = try await machine.spawn("exec touchtree raw --json")
      try await eventually("frames come") { process.stdout.contains("frame") }
      // The driver goes while it is read.
      let unbound = try await machine.run(
        "echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind; ls /dev/v4l-touch* 2>/dev/null | wc -l")
      #expect(unbound.stdout == "0\n", "\(unbound)")
      #expect(try await process.end() == 69)
      #expect(process.stderr.contains("the device gives nothing any longer"), "\(process.stderr)")
      #expect(try await machine.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/bind").status == 0)
    }
  }
}
