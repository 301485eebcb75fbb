import Foundation
import Testing
import TouchPixels
import VMPictures

extension VirtualMachineTests.AsService {
  /// `touchtree push` from this host to the machine, which is a board with dropbear and busybox.
  @Suite struct Pushes {
    private static let panel = """
      version: 1
      include: [parts/box.yaml]
      display: {canvas: {size: [1280, 800]}, background: "#104060"}
      highlight: {view: none, touches: {marker: false}}
      values: {level: {value: 1, keep: true}}
      window:
        subviews:
          - {id: box, style: box, frame: [100, 100, 200, 200]}
          - {id: photo, kind: image, image: parts/photo.png, frame: [400, 100, 200, 200], image_mode: fill}
          - {id: gauge, frame: [700, 100, 200, 200], background: "{level == 7 ? '#00ff00' : '#ff0000'}"}

      """

    /// Colours of the display: its background, the view with the included style, the picture, and the view
    /// that follows the value.
    private struct Shown: Equatable {
      var background: Colour
      var box: Colour
      var photo: Colour
      var gauge: Colour

      init(_ background: UInt32, box: UInt32, photo: UInt32, gauge: UInt32) {
        (self.background, self.box) = (Colour(background), Colour(box))
        (self.photo, self.gauge) = (Colour(photo), Colour(gauge))
      }

      init(_ picture: Picture) {
        (background, box) = (picture[50, 600], picture[200, 200])
        (photo, gauge) = (picture[500, 200], picture[800, 200])
      }
    }

    private let machine: VirtualMachine
    private let service: Service
    /// Has the panel, and what ssh reads.
    private let folder: URL

    init() async throws {
      machine = try await Machines.service()
      service = try await Service.start(in: machine)
      folder = FileManager.default.temporaryDirectory.appending(path: "push-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "panel/parts"), withIntermediateDirectories: true)
    }

    @Test(.enabled(if: Image.build == ".build", "dropbear is this machine's own"))
    func `a pushed panel is shown with its files, a broken one is not, and a kept value stays`() async throws
    {
      defer { try? FileManager.default.removeItem(at: folder) }
      do {
        try await listen()
        try await pushPanels()
      } catch {
        try await takeBack()
        throw error
      }
      try await takeBack()
      try await service.control("reload touchtree")
      try await service.shows(Service.Horn.off)
    }

    private func pushPanels() async throws {
      try write(Self.panel, box: "#c02020", photo: 0xff20_a040)
      let first = try await push()
      try #require(first.status == 0 && first.text.hasSuffix("board shows panel.yaml\n"), "\(first)")
      try await shows(Shown(0x10_40_60, box: 0xc0_20_20, photo: 0x20_a0_40, gauge: 0xff_00_00))
      #expect(try await machine.run("touchtree ctl set level=7").status == 0)

      let changed = Self.panel.replacing("#104060", with: "#402060")
      let kept = Shown(0x40_20_60, box: 0x20_20_c0, photo: 0xe0_c0_20, gauge: 0x00_ff_00)
      try write(changed, box: "#2020c0", photo: 0xffe0_c020)
      let second = try await push()
      try #require(second.status == 0, "\(second)")
      try await shows(kept)

      // This host refuses the one, and the board, which has no such plugin, the other.
      try write(changed.replacing("kind: image", with: "kind: imago"), box: "#ffffff", photo: 0xffff_ffff)
      let wrong = try await push()
      #expect(wrong.status == 78 && wrong.text.contains("panel.yaml:9:"), "\(wrong)")
      let missing = "handlers: {there: {kind: plugin, path: /usr/lib/touchtree/no.so}}\n"
      try write(changed + missing, box: "#ffffff", photo: 0xffff_ffff)
      let refused = try await push()
      #expect(refused.status == 78 && refused.text.contains("board: panel.yaml:11:"), "\(refused)")
      #expect(refused.text.contains("board does not take panel.yaml; what it shows stays\n"), "\(refused)")
      try await shows(kept)

      try await service.control("restart touchtree")
      try await shows(kept)
    }

    private func write(_ panel: String, box: String, photo: UInt32) throws {
      let place = folder.appending(path: "panel")
      try Data(panel.utf8).write(to: place.appending(path: "panel.yaml"))
      try Data("styles: {box: {background: \"\(box)\"}}\n".utf8).write(
        to: place.appending(path: "parts/box.yaml"))
      let surface = try Surface(width: 8, height: 8)
      surface.pixels.update(repeating: photo, count: 64)
      try Data(PNGWriter.encode(surface)).write(to: place.appending(path: "parts/photo.png"))
    }

    /// Waits until the display shows the colours.
    private func shows(_ wanted: Shown) async throws {
      var seen: Shown?
      try await eventually("the display shows \(wanted), not \(seen as Any)") {
        seen = try await Shown(machine.screendump())
        return seen == wanted
      }
    }

    // MARK: The connection

    /// Starts dropbear for a new key, and writes the configuration of ssh that leads to it.
    private func listen() async throws {
      let key = folder.appending(path: "key").path
      let made = try await run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key])
      guard made.status == 0 else { throw MachineError("ssh-keygen: \(made.text)") }
      let own = try String(contentsOfFile: key + ".pub", encoding: .utf8)
      let port = try await machine.connect(toPort: 22)
      let board = try await machine.run(
        """
        sed -i 's,^\\(root:.*\\):.*,\\1:/bin/sh,' /etc/passwd
        mkdir -p -m 700 /root/.ssh
        echo '\(own.trimmingCharacters(in: .newlines))' >/root/.ssh/authorized_keys
        rm -f /run/dropbear.key
        dropbearkey -t ed25519 -f /run/dropbear.key | grep ^ssh- && dropbear -s -r /run/dropbear.key -P /run/dropbear.pid
        """)
      guard board.status == 0 else { throw MachineError("dropbear: \(board.stdout)\(board.stderr)") }
      try Data("[127.0.0.1]:\(port) \(board.stdout)".utf8).write(to: folder.appending(path: "known_hosts"))
      let configuration = """
        Host board
          HostName 127.0.0.1
          Port \(port)
          User root
          IdentityFile \(key)
          IdentitiesOnly yes
          IdentityAgent none
          UserKnownHostsFile \(folder.path)/known_hosts
          GlobalKnownHostsFile /dev/null
          BatchMode yes

        """
      try Data(configuration.utf8).write(to: folder.appending(path: "ssh_config"))
    }

    /// Takes back all that was pushed, and ends dropbear.
    private func takeBack() async throws {
      let own = "/etc/touchtree/touchtree.yaml"
      try await machine.run(
        """
        if test -e \(own).before-push; then mv \(own).before-push \(own); fi
        if test -e /run/dropbear.pid; then kill $(cat /run/dropbear.pid); fi
        rm -rf /var/lib/touchtree-push /root/.ssh
        """)
    }

    private func push() async throws -> (status: Int32, text: String) {
      // Beside the program of the tests.
      let touchtree = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "touchtree").path
      let ssh = "ssh -F \(folder.appending(path: "ssh_config").path)"
      return try await run([
        touchtree, "push", "board", folder.appending(path: "panel/panel.yaml").path, "--ssh", ssh,
      ])
    }

    /// Runs a program of this host, and returns its status and what it wrote.
    private func run(_ words: [String]) async throws -> (status: Int32, text: String) {
      let output = folder.appending(path: "output")
      try Data().write(to: output)
      let handle = try FileHandle(forWritingTo: output)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = words
      (process.standardOutput, process.standardError) = (handle, handle)
      process.standardInput = FileHandle.nullDevice
      try process.run()
      try handle.close()
      try await eventually("\(words) ends") { !process.isRunning }
      return (process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self))
    }
  }
}
