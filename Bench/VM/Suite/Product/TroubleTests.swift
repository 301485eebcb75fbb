import Foundation
import Testing

extension VirtualMachineTests {
  /// Clients, children and plugins of every bad kind, all at once against one daemon.
  @Suite struct Trouble {
    private static let ready = #"echo '{\"type\":\"ready\"}'"#
    /// The fault of each kind of handler when a touch begins, and its line in the log, once.
    private static let culprits: [(name: String, settings: String, line: String)] = [
      (
        "stays", #"kind: exec, when: began, timeout: 0.3, command: [sh, -c, "trap '' TERM; exec sleep 600"]"#,
        "still ran 0.3 s after"
      ),
      ("fills", #"kind: exec, when: began, timeout: 2, command: [sh, -c, "yes | head -n 20000"]"#, ""),
      ("leaves", #"kind: exec, when: began, command: [sh, -c, "sleep 3 &"]"#, ""),
      ("closes", #"kind: exec, when: began, command: [sh, -c, "exec <&- >&- 2>&-; sleep 0.1"]"#, ""),
      ("fails", #"kind: exec, when: began, command: [sh, -c, "exit 3"]"#, "sh exited with status 3"),
      ("faults", #"kind: exec, when: began, command: [sh, -c, "kill -SEGV $$"]"#, "was ended by signal 11"),
      ("dies", #"kind: process, command: [sh, -c, "exit 1"]"#, "sh exited with status 1; it is started"),
      (
        "killed", #"kind: process, command: [sh, -c, "\#(ready); kill -9 $$"]"#,
        "sh was ended by signal 9; it is started"
      ),
      ("deaf", #"kind: process, command: [sh, -c, "\#(ready); exec sleep 600"]"#, ""),
      ("mute", #"kind: process, command: [sleep, "600"]"#, ""),
      ("babbles", #"kind: process, command: [cat, /dev/zero]"#, "wrote a line that is longer than 65536"),
      (
        "raves",
        #"kind: process, command: [sh, -c, "\#(ready); head -c 3000 /dev/urandom; exec sleep 600"]"#,
        "sh: "
      ),
      ("slow", "kind: plugin, path: libprobe.so, config: {script: slow}", "and its budget is 5 ms"),
      (
        "wrong", "kind: plugin, path: libprobe.so, config: {script: nonsense nulls properties misuses}",
        "plugin bug: called set_property from a thread that is not the loop's"
      ),
    ]

    private func configuration(troubled: Bool) -> String {
      guard troubled else { return Scene(isHandled: false).yaml(record: "") }
      let names = Self.culprits.map(\.name).joined(separator: ", ")
      let declarations = Self.culprits.map { "  \($0.name): {\($0.settings)}\n" }.joined()
      return Scene(isHandled: false, targetKeys: ", handlers: [\(names)]").yaml(record: "")
        .replacing("window:\n", with: "handlers:\n\(declarations)window:\n")
    }

    @Test
    func
      `whatever clients, children and plugins do at once, touches are highlighted and end, and nothing of it stays`()
      async throws
    {
      let machine = try await Machines.main()
      let probe = Image.root.appending(path: "Tests/TouchHandlersTests/Fixtures/probe.c")
      try await machine.installPlugin(String(contentsOf: probe, encoding: .utf8), as: "libprobe.so")
      let finger = try await Finger.make(.multitouch, in: machine)
      let run = try await SoakRun.start(configuration(troubled: false), in: machine)
      let daemon = run.daemon
      try await daemon.opens(try #require(finger.device).node)
      func reload(troubled: Bool) async throws {
        let before = daemon.log.utf8.count
        try await machine.run(
          """
          cat >\(daemon.configurationPath) <<'END'
          \(configuration(troubled: troubled))
          END
          kill -HUP \(daemon.pid)
          """)
        try await daemon.eventually("it is reloaded") {
          daemon.log.utf8.dropFirst(before).split(separator: 10).contains { line in
            String(line)?.contains("reloaded ") == true
          }
        }
      }
      func touch(_ contact: Int) async throws {
        let target = daemon.scene.left
        try await finger.down(at: target.centre, contact: contact)
        try await daemon.shows(target, lit: true)
        try await finger.up()
        try await daemon.shows(target, lit: false)
      }

      var figures: [SoakRun.Figures] = []
      // A leak grows with each round. What allocations leave in pieces comes and goes, by half a megabyte on
      // pages of 16 KiB.
      for round in 1...4 {
        let log = daemon.log.utf8.count
        try await reload(troubled: true)
        let clients = try await machine.spawn("exec vm-guest clients /run/touchtree/control.sock 200")
        try await touch(round * 10)
        try await daemon.eventually("every client is there") {
          if try await clients.hasEnded { throw MachineError("vm-guest clients ended: \(clients.stderr)") }
          return clients.stdout.contains("done\n")
        }
        // 200 are connected: the one that has said nothing for longest makes room.
        try await daemon.eventually("one more client is served") {
          try await machine.run("touchtree ctl stats").status == 0
        }
        try await touch(round * 10 + 1)
        func lines() -> [String] {
          String(decoding: daemon.log.utf8.dropFirst(log), as: UTF8.self).split(separator: "\n")
            .map(String.init)
        }
        try await daemon.eventually("each culprit is named: \(lines().filter { $0 != "y" })") {
          Self.culprits.allSatisfy { culprit in
            culprit.line.isEmpty
              || lines().contains { $0.contains("handler \(culprit.name): ") && $0.contains(culprit.line) }
          }
        }
        for (name, _, line) in Self.culprits where !line.isEmpty && line != "sh: " {
          let named = lines().filter { $0.contains("handler \(name): ") && $0.contains(line) }
          // A process is started again and fails again, until that is not logged any more. What a touch
          // causes is logged once a touch, and there were two, or less often.
          let most = line.hasSuffix("it is started") || name == "babbles" ? 5 : 2
          #expect((1...most).contains(named.count), "\(named)")
        }
        try await clients.signal("KILL")
        try await clients.end()
        try await reload(troubled: false)
        try await touch(round * 10 + 2)
        try await daemon.eventually("no child is left") { try await daemon.childCount == 0 }
        figures.append(try await run.figuresAtRest())
        print("round \(round): \(figures[round - 1])")
        if round > 1, figures[round - 1].anonymous - figures[0].anonymous <= 512,
          figures[round - 1].descriptors <= figures[0].descriptors
        {
          break
        }
      }
      let (first, last) = (figures[0], figures[figures.count - 1])
      #expect(last.descriptors <= first.descriptors && last.children == 0)
      #expect(first.children == 0 && last.anonymous - first.anonymous <= 512)
      #expect(last.begins == last.ends && run.problems.isEmpty, "\(run.problems)")
      for message in [
        "sent a line that did not end within 16 MiB", "sent file descriptors",
        "200 clients of the control socket are connected; for another one",
      ] {
        #expect(daemon.log.components(separatedBy: message).count == 2, "\(message)")
      }
      #expect(try await daemon.stop() == 0)
    }
  }
}
