import Foundation
import Testing

/// What `make install` leaves, and what `scripts/install-deps` asks of the machine.
@Suite struct InstallationTests {
  private static func install(_ variables: String...) throws {
    // The debug build: the test then needs no other one.
    let build = "RELEASE=\(Program.executable.deletingLastPathComponent().path)"
    let outcome = try Program.run(
      "/usr/bin/env", ["make", "-s", "install", build] + variables, in: Program.package.path)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// What a unit sets that a screen of its own does not change: when it is restarted, and what it may do.
  private static func settings(of unit: String) -> [Substring] {
    let own = [
      "Exec", "Runtime", "StateDirectory=", "TTYPath=", "StandardInput=", "Description=", "Documentation=",
      "Conflicts=",
      "After=", "Condition", "OnFailure", "#", "[",
    ]
    return unit.split(separator: "\n").filter { line in !own.contains { line.hasPrefix($0) } }
  }

  @Test func `installed files name the prefix they were installed to`() throws {
    try Program.inFolder { root in
      try Self.install("DESTDIR=\(root)", "PREFIX=/usr/local")
      func read(_ path: String) throws -> String {
        try String(contentsOfFile: root + path, encoding: .utf8)
      }

      let unit = try read("/usr/local/lib/systemd/system/touchtree.service")
      #expect(
        unit.contains(
          "\nExecStart=/usr/local/bin/touchtree run --config /etc/touchtree/touchtree.yaml --fallback\n"))
      #expect(unit.contains("\nExecReload=/usr/local/bin/touchtree ctl reload\n"))
      #expect(unit.contains("\nExecStopPost=-+/usr/local/bin/touchtree console-restore /dev/tty1\n"))
      #expect(unit.contains("\nDocumentation=file:/usr/local/share/doc/touchtree/README.md\n"))
      #expect(!unit.contains("/usr/bin") && !unit.contains("/usr/share"))

      let second = try read("/usr/local/lib/systemd/system/touchtree@.service")
      #expect(
        second.contains(
          "\nExecStart=/usr/local/bin/touchtree run --config /etc/touchtree/%i.yaml --fallback\n"))
      #expect(
        second.contains(
          "\nExecReload=/usr/local/bin/touchtree ctl reload --socket %t/touchtree-%i/control.sock\n"))
      #expect(!second.contains("/usr/bin") && !second.contains("/usr/share"))
      #expect(Self.settings(of: second) == Self.settings(of: unit))

      let bridge = try read("/usr/local/lib/systemd/system/touchtree-mqtt.service")
      #expect(bridge.contains("\nExecStart=/usr/local/bin/touchtree-mqtt $OPTIONS\n"))
      #expect(bridge.contains("\nDocumentation=file:/usr/local/share/doc/touchtree/docs/mqtt.md\n"))
      #expect(!bridge.contains("/usr/bin") && !bridge.contains("/usr/share"))
      // The bridge may open the network, and else as little as touchtree itself.
      let system = root + "/usr/local/lib/systemd/system/"
      try FileManager.default.copyItem(
        atPath: system + "touchtree@.service", toPath: system + "touchtree@second.service")
      for unit in ["touchtree@second.service", "touchtree-mqtt.service", "touchtree-fetch.service"] {
        let exposure = try Program.run(
          "/usr/bin/systemd-analyze",
          ["security", "--no-pager", "--offline=true", "--threshold=15", system + unit], in: root)
        #expect(exposure.status == 0, "\(exposure.output)\(exposure.errors)")
      }

      // An editor looks for the schema at the path that a configuration names.
      let documents = "/usr/local/share/doc/touchtree"
      let experiments = try FileManager.default.contentsOfDirectory(
        atPath: root + documents + "/config/experiments")
      #expect(experiments.count == 13)
      for file in ["/etc/touchtree/touchtree.yaml", documents + "/config/touchtree.yaml"]
        + experiments.map({ documents + "/config/experiments/" + $0 })
        + [documents + "/config/examples/thermostat.yaml"]
      {
        let line = try #require(try read(file).split(separator: "\n").first)
        let schema = try #require(line.split(separator: "$schema=").last)
        #expect(schema.hasPrefix("/") && FileManager.default.fileExists(atPath: root + schema), "\(file)")
        let checked = try Program.run(["check", root + file])
        #expect(checked.status == 0, "\(checked.errors)")
      }
      let dropIns = try FileManager.default.contentsOfDirectory(atPath: root + documents + "/systemd")
      #expect(
        dropIns.sorted() == [
          "backlight.conf", "home.conf", "network.conf", "sound.conf", "state.conf", "typing.conf",
        ])
      #expect(try read("/usr/local/lib/udev/rules.d/90-touchtree-backlight.rules").contains("chgrp video"))
      #expect(try read("/usr/local/lib/udev/rules.d/90-touchtree-bridge.rules").contains("WL_OUTPUT"))
      #expect(unit.contains("/usr/local/share/doc/touchtree/systemd"))
      for file in ["LICENSE", "README.md", "config/demo.evemu", "docs/README.md", "docs/panel.png"] {
        #expect(FileManager.default.fileExists(atPath: root + documents + "/" + file), "\(file)")
      }
      let update = try read("/usr/local/lib/systemd/system/touchtree-fetch.service")
      #expect(update.contains("\nExecStart=/usr/local/bin/touchtree-fetch\n") && !update.contains("/usr/bin"))
      #expect(FileManager.default.isExecutableFile(atPath: root + "/usr/local/bin/touchtree-fetch"))
      for program in ["touchtree", "touchtree-mqtt"] {
        #expect(try Program.run(root + "/usr/local/bin/\(program)", ["--version"], in: root).status == 0)
      }
      let preview = root + "/usr/local/libexec/touchtree/touchtree-preview"
      #expect(try Program.run(preview, ["--version"], in: root).status == 0)
      // touchtree finds the other program where it is installed, and says so where it is not.
      let test = { try Program.run(root + "/usr/local/bin/touchtree", ["test", "--version"], in: root) }
      #expect(try test().status == 0)
      try FileManager.default.removeItem(atPath: root + "/usr/local/libexec/touchtree/touchtree-instrument")
      let missing = try test()
      #expect(missing.status == 69 && missing.errors.contains("apt install touchtree-instrument"))

      // The second installation keeps what the administrator has written.
      try "window: {}\n".write(
        toFile: root + "/etc/touchtree/touchtree.yaml", atomically: true, encoding: .utf8)
      try Self.install("DESTDIR=\(root)")
      #expect(try read("/etc/touchtree/touchtree.yaml") == "window: {}\n")
      #expect(
        try read("/usr/lib/systemd/system/touchtree.service")
          == String(
            contentsOf: Program.package.appending(path: "systemd/touchtree.service"), encoding: .utf8))
    }
  }

  @Test(arguments: [
    ("echo 'Swift version 6.2.4 (swift-6.2.4-RELEASE)'", "is Swift 6.2, which is too old: install Swift 6.3"),
    ("echo 'Apple Swift version 5.10'", "is Swift 5.10, which is too old: install Swift 6.3"),
    ("exit 1", "printed no version: install Swift 6.3"),
  ])
  func `an old swift is rejected with what to install`(swift: String, message: String) throws {
    try Program.inFolder { folder in
      try "#!/bin/sh\n\(swift)\n".write(toFile: folder + "/swift", atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/swift")
      let outcome = try Program.run(
        "/usr/bin/env", ["PATH=\(folder):/usr/bin:/bin", "scripts/install-deps", "build"],
        in: Program.package.path)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
  }
}
