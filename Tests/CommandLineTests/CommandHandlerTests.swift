import Foundation
import Testing

/// Commands that handlers start, as a user meets them: by `check`, `run` and `replay`.
@Suite struct CommandHandlerTests {
  /// A finger that is put down and lifted, and a configuration of one view that has the handlers.
  private func write(handlers: String, in folder: String) throws -> (file: String, recording: String) {
    let file = folder + "/chime.yaml"
    let recording = folder + "/tap.yml"
    try """
    version: 1
    display: {canvas: {size: [400, 240]}}
    handlers:
    \(handlers.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
    window: {subviews: [{id: pad, frame: [0, 0, 400, 240], handlers: [chime]}]}
    """.write(toFile: file, atomically: true, encoding: .utf8)
    try """
    version: 1
    devices:
      - evdev:
          name: Panel
          id: [24, 0, 0, 0]
          codes: {1: [330], 3: [0, 1]}
          absinfo: {0: [0, 399, 0, 0, 0], 1: [0, 239, 0, 0, 0]}
          properties: [1]
        events:
          - evdev: [[0, 0, 3, 0, 300], [0, 0, 3, 1, 180], [0, 0, 1, 330, 1], [0, 0, 0, 0, 0]]
          - evdev: [[0, 80000, 1, 330, 0], [0, 80000, 0, 0, 0]]

    """.write(toFile: recording, atomically: true, encoding: .utf8)
    return (file, recording)
  }

  @Test(arguments: ["run", "replay"])
  func `a recording's commands are waited for, and one that fails is reported`(command: String) throws {
    try Program.inFolder { folder in
      let (file, recording) = try write(
        handlers: "chime: {kind: exec, when: pressed, command: [sh, -c, 'sleep 0.6; exit 3']}", in: folder)
      let outcome = try Program.run(
        command == "replay"
          ? ["replay", recording, "--config", file]
          : ["run", "--config", file, "--display", "headless", "--replay", recording])
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("handler chime: sh exited with status 3"), "\(outcome.errors)")
    }
  }

  @Test(arguments: ["run", "replay"])
  func `a command that takes too long is ended, and reported with its handler and view`(command: String)
    throws
  {
    try Program.inFolder { folder in
      let (file, recording) = try write(
        handlers: "chime: {kind: exec, when: pressed, timeout: 0.2, command: [sleep, 600]}", in: folder)
      let outcome = try Program.run(
        command == "replay"
          ? ["replay", recording, "--config", file]
          : ["run", file, "--display", "headless", "--control", "none", "--replay", recording])
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains("handler chime: sleep still ran 0.2 s"),
        "\(outcome.errors)")
    }
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGSEGV], ["exec", "process"])
  func `nothing that a handler started outlives the daemon, whatever ends that`(
    signal: Int32, kind: String
  ) throws {
    try Program.inFolder { folder in
      let pidFile = folder + "/pids"
      // A child, one whose parent has ended, and the command itself.
      try """
      trap "" TERM HUP
      sleep 1000 & echo $! >>\(pidFile)
      (sleep 1000 & echo $! >>\(pidFile))
      echo $$ >>\(pidFile)
      echo '{"type":"ready","protocol":1}'
      while :; do sleep 1; done
      """.write(toFile: folder + "/start.sh", atomically: true, encoding: .utf8)
      let when = kind == "exec" ? "when: began, timeout: none, " : ""
      let (file, recording) = try write(
        handlers: "chime: {kind: \(kind), \(when)command: [sh, \(folder)/start.sh]}", in: folder)
      let daemon = Process()
      daemon.executableURL = URL(filePath: Program.executable.path)
      // Several run at once, and the machine has one usual place for the socket.
      daemon.arguments =
        ["run", "--config", file, "--display", "headless", "--control", folder + "/socket"]
        + (kind == "exec" ? ["--replay", recording] : [])
      // Swift's backtracer lets the program go on after a signal that no instruction caused.
      daemon.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
        $1
      }
      daemon.standardInput = FileHandle.nullDevice
      daemon.standardError = FileHandle.nullDevice
      try daemon.run()
      defer { if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) } }
      var pids: [Int32] = []
      try Program.eventually("the command starts") {
        let lines = (try? String(contentsOfFile: pidFile, encoding: .utf8)) ?? ""
        pids = lines.split(separator: "\n").compactMap { Int32($0) }
        return pids.count == 3
      }
      defer { for pid in pids { kill(pid, SIGKILL) } }
      kill(daemon.processIdentifier, signal)
      _ = daemon.awaitEnd()
      try Program.eventually("\(pids) end") {
        pids.removeAll { pid in
          let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
          return status.map { $0.contains("State:\tZ") } ?? true
        }
        return pids.isEmpty
      }
    }
  }

  @Test func `what run refuses of handlers is an error of check, at its place`() throws {
    try Program.inFolder { folder in
      let (file, _) = try write(
        handlers: """
          chime: {kind: exec, when: pressed, command: [aplay-is-not-here, ding.wav]}
          bell: {kind: plugin, path: libnot-here.so}
          home: {kind: exec, when: pressed, command: [~/bell.sh]}
          fine: {kind: exec, when: pressed, command: ["true"]}
          """, in: folder)
      let check = try Program.run(["check", file])
      let run = try Program.run(["run", "--config", file, "--display", "headless"])
      for outcome in [check, run] {
        #expect(outcome.status == 78)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        try #require(lines.count == 3, "\(outcome.errors)")
        #expect(
          lines[0].hasPrefix(
            "\(file):4:3: error: handler chime: command aplay-is-not-here: not found in PATH"))
        #expect(lines[1].hasPrefix("\(file):5:3: error: handler bell: plugin libnot-here.so: not found"))
        #expect(lines[2].hasPrefix("\(file):6:3: error: handler home: command "))
        #expect(lines[2].contains("no shell reads it, so ~ does not stand for a home folder"))
      }
    }
  }

  @Test
  func
    `root refuses a configuration and a command that every user may write or exchange, and warns of a group`()
    throws
  {
    try Program.inFolder { folder in
      let program = folder + "/bell"
      try "#!/bin/sh\n".write(toFile: program, atomically: true, encoding: .utf8)
      chmod(program, 0o755)
      let (file, recording) = try write(
        handlers: "chime: {kind: exec, when: pressed, command: [./bell]}", in: folder)
      let isRoot = geteuid() == 0
      let commands = [
        ["check", file], ["replay", recording, "--config", file],
        ["run", "--config", file, "--display", "headless", "--replay", recording],
      ]
      for (path, mode) in [
        (file, 0o666), (program, 0o777), (folder, 0o777), (folder, 0o775), (program, 0o775),
      ] as [(String, mode_t)] {
        chmod(path, mode)
        for command in commands {
          let outcome = try Program.run(command)
          let isRefused = isRoot && mode & 0o002 != 0
          #expect(outcome.status == (isRefused ? 78 : 0), "\(command) \(outcome.errors)")
          // The command is written as it is found from the configuration.
          let name = path == program ? "bell" : path
          #expect(outcome.errors.contains("run: chmod go-w ") == isRoot)
          #expect(outcome.errors.contains("\(name)\n") == isRoot, "\(outcome.errors)")
        }
        chmod(path, path == file ? 0o644 : 0o755)
      }
      for command in commands {
        let outcome = try Program.run(command)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
    }
  }
}
