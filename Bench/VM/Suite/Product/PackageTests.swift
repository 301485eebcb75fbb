import Foundation
import Testing

extension VirtualMachineTests.AsService {
  /// The Debian packages that `make deb` builds, on a system that has never had them.
  @Suite struct Packages {
    /// busybox's shell would run its own.
    private let dpkg = "PATH=/usr/sbin:/usr/bin /usr/bin/dpkg"

    /// Runs a command, which has to succeed.
    @discardableResult
    private func run(_ command: String, in machine: VirtualMachine) async throws -> String {
      let output = try await machine.run(command)
      guard output.status == 0 else {
        let log = try await machine.run("journalctl -u touchtree -n 30 --no-pager").stdout
        throw MachineError(
          "\(command)\nended with status \(output.status): \(output.stdout)\(output.stderr)\(log)")
      }
      return output.stdout
    }

    /// Files of touchtree outside of what dpkg, systemd, udev and /proc keep for themselves.
    private func files(in machine: VirtualMachine) async throws -> [String] {
      try await run(
        """
        find / -xdev \\( -path /shared -o -path /proc -o -path /sys -o -path /tmp -o -path /var/log -o -path /var/lib/dpkg \\) \
          -prune -o -name '*touchtree*' -print
        find /run /var/lib /var/cache \\( -path /run/udev -o -path /var/lib/dpkg \\) -prune -o -name '*touchtree*' -print
        """, in: machine
      ).split(separator: "\n").map(String.init).sorted()
    }

    /// The first commands of a section of the README.
    private func commands(of section: String) throws -> [String] {
      let readme = try String(contentsOf: Image.root.appending(path: "README.md"), encoding: .utf8)
      let text = try #require(readme.range(of: "## \(section)\n")).upperBound
      let block = readme[text...].split(separator: "```\n", maxSplits: 2, omittingEmptySubsequences: false)[1]
      return block.split(separator: "\n").map { String($0.trimmingPrefix("sudo ")) }
    }

    /// The package with a higher version and another default configuration, as the next release will be.
    private func makeUpgrade(of package: URL, in folder: URL) throws {
      let script = """
        set -e
        dpkg-deb -R '\(package.path)' '\(folder.path)/next'
        sed -i 's/^Version: .*/&+next/' '\(folder.path)/next/DEBIAN/control'
        echo '# The next release.' >>'\(folder.path)/next/etc/touchtree/touchtree.yaml'
        dpkg-deb --root-owner-group -Zgzip -z1 -b '\(folder.path)/next' '\(folder.path)/next.deb' >/dev/null
        rm -r '\(folder.path)/next'
        """
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", script]
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
    }

    /// The unit of touchtree-mqtt, where no broker answers: it waits for one, says so, and ends when it is
    /// asked to.
    private func runClientOfBroker(in machine: VirtualMachine) async throws {
      let unit = "touchtree-mqtt"
      try await run(
        "mkdir -p /etc/default && echo 'OPTIONS=--broker localhost --prefix panel' >/etc/default/\(unit)",
        in: machine)
      try await run("systemctl start \(unit) || { journalctl -u \(unit) --no-pager; false; }", in: machine)
      let says = "journalctl -u \(unit) --no-pager -o cat"
      try await eventually("it says what it waits for") {
        try await run(says, in: machine).contains("no connection to the broker localhost:1883")
      }
      #expect(try await run("systemctl is-active \(unit)", in: machine) == "active\n")
      #expect(try await run("systemctl show \(unit) -P StatusText", in: machine).contains("broker"))
      try await run("systemctl stop \(unit)", in: machine)
      let end = try await run("systemctl show \(unit) -P Result -P ExecMainStatus -P NRestarts", in: machine)
      #expect(end.split(separator: "\n") == ["success", "0", "0"])
      // No call that the sandbox refuses, and the control socket may be opened.
      let log = try await run(says, in: machine)
      #expect(!log.contains("not permitted") && !log.contains("Permission denied"), "\(log)")
      try await run("rm /etc/default/\(unit)", in: machine)
    }

    /// A folder of the guest with the packages, and the main one's place here.
    private func packages(in machine: VirtualMachine) async throws -> (host: URL, guest: String, main: URL) {
      let folder = try await machine.newFolder()
      let built = try FileManager.default.contentsOfDirectory(
        at: Image.root.appending(path: "\(Image.build)/deb"), includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "deb" }
      for file in built {
        try FileManager.default.copyItem(at: file, to: folder.host.appending(path: file.lastPathComponent))
      }
      let main = try #require(built.first { $0.lastPathComponent.hasPrefix("touchtree_") })
      // The image has an empty folder for plugins.
      try await run("rmdir /usr/lib/touchtree", in: machine)
      return (folder.host, folder.guest, main)
    }

    /// Boots a machine of its own: in the night, with the other suites by KMS.
    @Test(.enabled(if: VirtualMachine.display == "kms"))
    func `the packaged service shows its picture by KMS without a framebuffer, and a touch lights its view`()
      async throws
    {
      let machine = try await VirtualMachine.booted(
        name: "packages", image: .packages,
        display: .adapters(["bochs-display"], kernel: "drm_kms_helper.fbdev_emulation=0"))
      let folder = try await packages(in: machine)
      try await run("test ! -e /dev/fb0 && \(dpkg) -i \(folder.guest)/touchtree_*.deb", in: machine)
      try await run("systemctl enable --now touchtree", in: machine)
      let service = Service(machine: machine)
      #expect(try await service.property("ActiveState") == "active")
      #expect(try await service.property("StatusText").hasPrefix("Showing /dev/dri/card0 Virtual-1"))
      let pid = try await service.property("MainPID")
      // The user of the unit, with the group video and no capability.
      let rights = try await run("grep -E '^(Uid|CapEff):' /proc/\(pid)/status", in: machine)
      #expect(!rights.contains("Uid:\t0\t") && rights.contains("CapEff:\t0000000000000000"), "\(rights)")
      for _ in 1...2 {
        try await service.shows(Service.Horn.off)
        try await machine.movePointer(toX: Service.Horn.centre.x, y: Service.Horn.centre.y)
        try await machine.pressPointer(true)
        try await service.shows(Service.Horn.lit)
        try await machine.pressPointer(false)
        try await service.shows(Service.Horn.off)
        // After a kill systemd starts it again.
        try await service.control("kill -s KILL touchtree")
        try await eventually("it runs again") {
          let next = try await service.property("MainPID")
          let state = try await service.property("ActiveState")
          return next != "0" && next != pid && state == "active"
        }
      }
      let lines = try await service.journal(of: service.property("ExecMainPID")).map(\.message)
      #expect(lines.contains { $0.hasPrefix("ready: /dev/dri/card0") }, "\(lines)")
      #expect(!lines.contains { $0.contains("not permitted") || $0.contains("not noticed") }, "\(lines)")
      await machine.stop()
    }

    @Test
    func `the package is installed as README says, used, upgraded and removed, and leaves its configuration`()
      async throws
    {
      let machine = try await VirtualMachine.booted(name: "packages", image: .packages)
      let folder = try await packages(in: machine)
      #expect(try await files(in: machine) == [])

      for command in try commands(of: "A kiosk") {
        // There is no apt, which would find the dependencies installed.
        let install = "\(dpkg) -i \(folder.guest)"
        try await run(command.replacing("apt install .", with: install), in: machine)
        if command.contains("install") {
          #expect(try await machine.run("systemctl is-active touchtree").stdout == "inactive\n")
          #expect(try await machine.run("systemctl is-enabled touchtree").stdout == "disabled\n")
        }
      }
      #expect(try await run("systemctl is-active touchtree", in: machine) == "active\n")
      #expect(try await run("touchtree ctl hit 436,410", in: machine) == "horn\n")
      #expect(try await run("systemctl is-active getty@tty1 || true", in: machine) == "inactive\n")
      // The schema is where the configuration's first line says.
      try await run("test -s \"$(sed -n 's/.*$schema=//p' /etc/touchtree/touchtree.yaml)\"", in: machine)

      // A configuration that was changed stays.
      try await run("sed -i 's/^version: 1/&  # mine/' /etc/touchtree/touchtree.yaml", in: machine)
      let first = try await run("systemctl show touchtree -P MainPID", in: machine)
      try makeUpgrade(of: folder.main, in: folder.host)
      try await run("\(dpkg) --force-confold -i \(folder.guest)/next.deb </dev/null", in: machine)
      #expect(try await run("dpkg-query -W -f '${Version}' touchtree", in: machine).hasSuffix("+next"))
      try await run("grep -q '# mine' /etc/touchtree/touchtree.yaml", in: machine)
      try await eventually("the new version runs") {
        try await machine.run("touchtree ctl hit 436,410").stdout == "horn\n"
      }
      #expect(try await run("systemctl show touchtree -P MainPID", in: machine) != first)

      let missing = try await machine.run("touchtree record -o /dev/null")
      #expect(missing.status == 69 && missing.stderr.contains("apt install touchtree-instrument"))
      // Without touchtree-fetch and touchtree-preview, since the image has neither curl nor ssh, and no
      // libwebsockets.
      try await run("\(dpkg) -i \(folder.guest)/touchtree-[!fp]*.deb", in: machine)
      try await run("touchtree test --help", in: machine)
      try await run("test -f /usr/include/touchtree.h && touchtree-mqtt --version", in: machine)
      try await runClientOfBroker(in: machine)
      try await run("\(dpkg) -r touchtree-dev touchtree-mqtt touchtree-instrument touchtree", in: machine)
      #expect(try await files(in: machine).filter { !$0.hasPrefix("/etc/touchtree") } == [])
      #expect(
        try await run("ls -A /etc/touchtree", in: machine).split(separator: "\n").sorted() == [
          "touchtree.yaml", "touchtree.yaml.dpkg-dist",
        ])
      #expect(try await machine.run("systemctl status touchtree").status == 4)
      try await eventually("the login prompt is back") {
        try await machine.run("systemctl is-active getty@tty1").stdout == "active\n"
      }
      #expect(try await machine.consoleModes() == "display=text keyboard=unicode switching=automatic\n")

      try await run("\(dpkg) -P touchtree", in: machine)
      #expect(try await files(in: machine) == [])
      await machine.stop()
    }
  }
}
