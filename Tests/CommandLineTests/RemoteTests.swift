import Foundation
import Testing

/// A daemon without a display or a device, as programs use it over its control socket.
@Suite("A daemon that programs use", .serialized)
struct RemoteTests {
  static let tree = """
    version: 1
    display: {canvas: {size: [400, 300]}}
    input: {devices: [{match: {name: remote}, filter: {kind: median, samples: 3}}]}
    window:
      subviews:
        - id: root
          frame: [0, 0, 400, 300]
          subviews:
            - {id: ok, kind: button, frame: [50, 50, 100, 50], text: OK}
            - {id: lamp, frame: [200, 50, 50, 50], background: "#ff0000"}
    """

  /// A running daemon; it ends with its owner.
  final class Daemon {
    let socket: String
    let process = Process()
    private let errors: String

    init(
      in folder: String, tree: String = RemoteTests.tree, _ options: [String] = [], file: String? = nil,
      socket: String? = nil,
      environment: [String: String] = [:], beforeStart: () throws -> Void = {}
    ) throws {
      let name = UUID().uuidString.prefix(8)
      self.socket = socket ?? "\(folder)/\(name).sock"
      errors = "\(folder)/\(name).log"
      try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      try Data().write(to: URL(filePath: errors))
      process.executableURL = Program.executable
      process.arguments =
        ["run", file ?? "\(folder)/tree.yaml", "--display", "headless", "--control", self.socket] + options
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
      try beforeStart()
      try process.run()
      try Program.eventually("the daemon answers") {
        try #require(process.isRunning, "\(log)")
        return try ctl("stats").status == 0
      }
    }

    deinit {
      if process.isRunning { process.terminate() }
      _ = process.awaitEnd()
    }

    var log: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

    func end() -> Int32 {
      process.terminate()
      return process.awaitEnd()
    }

    func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

    /// Without a chance to say goodbye.
    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      _ = process.awaitEnd()
    }

    @discardableResult
    func ctl(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(["ctl"] + arguments + ["--socket", socket])
    }

    /// How often something was painted.
    func paints() throws -> Int {
      let answer = try ctl("stats", "--json").output
      return try #require(answer.firstMatch(of: /"paints":(\d+)/).flatMap { Int($0.1) }, "\(answer)")
    }

    /// Runs a shell command that finds the socket in $S and the program in $T.
    func shell(_ command: String) throws -> Program.Outcome {
      try Program.run(
        "/usr/bin/env", ["S=\(socket)", "T=\(Program.executable.path)", "sh", "-c", command],
        in: Program.package.path)
    }
  }

  @Test func `it is touched, changed and queried, and nothing needs a device`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      #expect(daemon.log.contains("touches come from `touchtree ctl touch` alone"))
      // Everything that happens, until the daemon ends.
      let watching = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c",
          "'\(Program.executable.path)' ctl watch --socket '\(daemon.socket)' --view ok >'\(folder)/watched' 2>&1",
        ])
      try Program.eventually("the subscription") {
        try daemon.ctl("stats").output.contains("subscribers: 1")
      }

      #expect(try daemon.ctl("set", "lamp", "hidden=true", "background=#00ff00").status == 0)
      let tree = try daemon.ctl("tree", "--json")
      #expect(tree.output.contains(##""background":"#00ff00""##) && tree.output.contains(#""hidden":true"#))
      let refused = try daemon.ctl("set", "lamp", "alpha=0.5", "hiden=true")
      #expect(refused.status == 1 && refused.errors.contains("hiden"))
      #expect(try !daemon.ctl("tree", "--json").output.contains(#""alpha":0.5"#))
      #expect(try daemon.ctl("set", "lamp", "hidden").status == 64)
      #expect(try daemon.ctl("page", "lamp", "next").status == 1)
      #expect(try daemon.ctl("reload").status == 0)
      #expect(try daemon.ctl("touch", "60,60").status == 0)
      #expect(try daemon.ctl("touch", "60,60", "350,250", "--duration", "0.1").status == 0)

      let socat = try daemon.shell(
        ##"echo '{"type":"hit","x":60,"y":60,"id":7}' | socat -t 900 - UNIX-CONNECT:"$S""##)
      #expect(
        socat.lines.count == 2 && socat.output.contains(#"{"type":"hit","id":7,"point":[60,60],"view":"ok""#))
      let statistics = try daemon.ctl("stats").output
      #expect(statistics.contains("\nremote\n") && !statistics.contains("gone"), "\(statistics)")
      let relayed = try daemon.shell(
        ##"printf '{"type":"stats","id":1}\n{"type":"nonsense","id":2}\n' | "$T" ctl - --socket "$S""##)
      #expect(relayed.status == 1 && relayed.lines.count == 2)
      #expect(relayed.lines.last?.hasPrefix(#"{"type":"error","id":2"#) == true)

      #expect(daemon.end() == 0)
      _ = watching.awaitEnd()
      let watched = try String(contentsOfFile: "\(folder)/watched", encoding: .utf8).split(separator: "\n")
      #expect(
        watched.prefix(4) == [
          "touch  1 began  ok 10,10", "action  ok  touchDown", "touch  1 ended  ok 10,10",
          "action  ok  touchUpInside",
        ])
      #expect(watched.contains("action  ok  touchUpOutside") && watched.contains("action  ok  touchDragExit"))
      #expect(watched.contains(#"bye  {"reason":"end"}"#))
      #expect(watched.last?.hasSuffix("touchtree has ended") == true, "\(watched)")
    }
  }

  @Test func `a text that is longer than a request may be is not sent`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      let text = String(repeating: "x", count: 70_000)
      for outcome in [try daemon.ctl("type", text), try daemon.ctl("set", "ok", "text=\(text)")] {
        #expect(
          outcome.status == 64 && outcome.errors.contains("a line of the protocol at most 65536"),
          "\(outcome)")
      }
      #expect(daemon.end() == 0)
    }
  }

  @Test func `a subscriber gets reloads and texts only if it asks for them`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      func watch(_ name: String, _ options: String) throws -> Process {
        let command = "'\(Program.executable.path)' ctl watch --socket '\(daemon.socket)' \(options)"
        return try Process.run(
          URL(filePath: "/bin/sh"), arguments: ["-c", "exec \(command) >'\(folder)/\(name)' 2>&1"])
      }
      let watching = [try watch("usual", ""), try watch("texts", "--event text --event reload")]
      try Program.eventually("the subscriptions") {
        try daemon.ctl("stats").output.contains("subscribers: 2")
      }
      #expect(try daemon.ctl("set", "ok", "text=Yes").status == 0)
      #expect(try daemon.ctl("set", "ok", "text=Yes").status == 0)
      #expect(try daemon.ctl("reload").status == 0)
      #expect(daemon.end() == 0)
      for process in watching { _ = process.awaitEnd() }
      func lines(_ name: String) throws -> [Substring] {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").filter {
          $0.hasPrefix("text") || $0.hasPrefix("reload")
        }
      }
      #expect(try lines("usual") == [])
      #expect(try lines("texts") == ["text  ok  Yes", "reload  {}"])
    }
  }

  @Test func `a finger is cancelled when its client goes, and one that is excluded does not come down`()
    throws
  {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder, ["--trace", "\(folder)/trace"])
      let began = #"echo '{"type":"inject","phase":"began","x":60,"y":60}'"#
      _ = try daemon.shell("\(began) | \"$T\" ctl - --socket \"$S\"")
      try Program.eventually("the cancelling") {
        try daemon.ctl("tree", "--json").output.contains(#""highlighted":false"#)
      }
      #expect(daemon.end() == 0)
      let trace = try String(contentsOfFile: "\(folder)/trace", encoding: .utf8)
      #expect(trace.contains("touchCancel") && !trace.contains("touchUpInside"))
      let closed = try Daemon(
        in: folder, tree: Self.tree.replacing("filter: {kind: median, samples: 3}", with: "use: false"))
      let refused = try closed.ctl("touch", "60,60")
      #expect(refused.status == 1 && refused.errors.contains("excludes the device \"remote\""))
    }
  }

  @Test func `the samples work, as their test with pytest shows`() throws {
    let samples = Program.package.appending(path: "Sources/Samples/Processes").path
    let outcome = try Program.run(
      "/usr/bin/env",
      [
        "TOUCHTREE=\(Program.executable.path)", "PYTHONDONTWRITEBYTECODE=1", "python3", "-m", "pytest", "-q",
        "-p",
        "no:cacheprovider", samples,
      ], in: Program.package.path)
    #expect(outcome.status == 0 && outcome.output.contains("2 passed"), "\(outcome.output)\(outcome.errors)")
  }

  @Test func `what is asked of a view or a place that is not there is an error that says what was meant`()
    throws
  {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      let rows: [(arguments: [String], message: String)] = [
        (["touch", "9999,9999"], "9999,9999 is not on the canvas, which is 400 × 300"),
        (["touch", "400,10"], "400,10 is not on the canvas"),
        (["touch", "60,60", "60,-1"], "60,-1 is not on the canvas"),
        (["watch", "--view", "nope"], "there is no view 'nope'"),
        (["watch", "--view", "ok", "--view", "lmap"], "there is no view 'lmap'; did you mean 'lamp'?"),
        (["set", "lmp", "hidden=true"], #"there is no view "lmp"; did you mean "lamp"?"#),
        (["page", "rot", "next"], #"there is no view "rot"; did you mean "root"?"#),
        (["hit", "1,1", "--in", "lampe"], "there is no view 'lampe'; did you mean 'lamp'?"),
      ]
      for row in rows {
        let outcome = try Program.run(["ctl"] + row.arguments + ["--socket", daemon.socket])
        #expect(outcome.status == 1 && outcome.errors.contains(row.message), "\(row.arguments) \(outcome)")
      }
      let raw = try daemon.shell(
        ##"printf '%s\n' '{"type":"inject","phase":"began","x":9999,"y":9999}' "##
          + ##"'{"type":"inject","phase":"began","x":60,"y":60}' '{"type":"inject","phase":"moved","x":-9999,"y":9999}' "##
          + #"'{"type":"inject","phase":"ended"}' | "$T" ctl - --socket "$S""#)
      #expect(raw.lines.map { $0.contains("\"done\"") } == [false, true, true, true], "\(raw)")
      #expect(raw.lines.first?.contains("the canvas is 400 × 300") == true, "\(raw)")
      #expect(!daemon.log.contains("kernel bug"), "\(daemon.log)")
      #expect(daemon.end() == 0)
    }
  }

  @Test func `one packet of reloads is a few reloads, all of them are answered, and it ends when asked`()
    throws
  {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      daemon.signal(SIGSTOP)
      let count = 3000
      let client = try deafClient(
        of: daemon,
        sending: String(repeating: "{\"type\":\"reload\"}\n", count: count) + "{\"type\":\"stats\"}\n")
      defer { close(client) }
      daemon.signal(SIGCONT)
      var answers: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while answers.count(where: { $0 == 0x0a }) < count + 2 {
        let read = recv(client, &part, part.count, 0)
        try #require(read > 0, "\(String(decoding: answers, as: UTF8.self).suffix(200))")
        answers += part.prefix(read)
      }
      let lines = String(decoding: answers, as: UTF8.self).split(separator: "\n").dropFirst()
      #expect(lines.dropLast().allSatisfy { $0.contains("\"done\"") })
      // The answer to what was asked last comes last, and has all of them.
      let reloads = try #require(
        lines.last?.firstMatch(of: /"reloads":(\d+)/).flatMap { Int($0.1) }, "\(lines.last ?? "")")
      #expect((1...count / 10).contains(reloads), "\(reloads)")
      #expect(daemon.end() == 0)
    }
  }

  // MARK: Faults

  /// A client that connects, sends this, and never reads.
  private func deafClient(of daemon: Daemon, sending text: String) throws -> Int32 {
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: daemon.socket.utf8) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isConnected)
    let bytes = Array(text.utf8)
    _ = send(client, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    return client
  }

  /// The trace of a tap and a drag.
  private func trace(in folder: String, tree: String = Self.tree, with trouble: (Daemon) throws -> Void)
    throws -> String
  {
    let file = "\(folder)/\(UUID().uuidString)"
    let daemon = try Daemon(in: folder, tree: tree, ["--trace", file])
    try trouble(daemon)
    #expect(try daemon.ctl("touch", "60,60").status == 0)
    #expect(
      try daemon.shell(
        ##"printf '%s\n' '{"type":"inject","phase":"began","x":220,"y":60}' '{"type":"inject","phase":"ended"}' | "##
          + #""$T" ctl - --socket "$S""#
      ).status == 0)
    #expect(daemon.end() == 0, "\(daemon.log)")
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  enum Trouble: String, CaseIterable {
    case deafClients, deafViewers, flood, garbage, longLine, endlessLine, failingChildren
  }

  @Test(arguments: Trouble.allCases)
  func `the trace of a touch is the same whatever clients and processes do`(trouble: Trouble) throws {
    try Program.inFolder { folder in
      let calm = try trace(in: folder) { _ in }
      #expect(calm.contains("touchUpInside"))
      var tree = Self.tree
      if trouble == .failingChildren {
        tree = tree.replacing(
          "window:",
          with: """
            handlers:
              hangs: {kind: process, command: [sleep, "60"]}
              dies: {kind: process, command: [sh, -c, "exit 1"]}
              killed: {kind: process, command: [sh, -c, "echo '{\\"type\\":\\"ready\\"}'; kill -9 $$"]}
              floods: {kind: process, command: [sh, -c, "while :; do echo '{\\"type\\":\\"tree\\",\\"id\\":1}'; done"]}
              babbles: {kind: process, command: [sh, -c, "cat /dev/zero"]}
              screams: {kind: process, command: [sh, -c, "yes >&2"]}
            application: {handlers: [hangs, dies, killed, floods, babbles, screams]}
            window:
            """)
      }
      var clients: [Int32] = []
      var floods: [Process] = []
      defer {
        for client in clients { close(client) }
        for flood in floods where flood.isRunning { flood.terminate() }
      }
      let loud = try trace(in: folder, tree: tree) { daemon in
        switch trouble {
        case .deafClients:
          for _ in 0..<100 {
            clients.append(try deafClient(of: daemon, sending: "{\"type\":\"subscribe\"}\n"))
          }
        case .deafViewers:
          for _ in 0..<10 {
            clients.append(try deafClient(of: daemon, sending: "{\"type\":\"screen\"}\n"))
          }
          try Program.eventually("the viewers") { try daemon.ctl("stats").output.contains("viewers: 10") }
        case .flood:
          // As fast as the daemon takes them, until it ends.
          floods.append(
            try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", Self.flood, daemon.socket]))
          try Program.eventually("the flood") { try daemon.paints() > 3 }
        case .garbage:
          let garbage = String(
            (0..<100_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 1...127))) })
          clients.append(try deafClient(of: daemon, sending: garbage))
        case .longLine:
          let long = try daemon.shell(#"head -c 10485760 /dev/zero | socat -u - UNIX-CONNECT:"$S""#)
          #expect(long.status == 0, "\(long.errors)")
        case .endlessLine:
          // It ends because the daemon disconnects it.
          let endless = try daemon.shell(#"socat -u /dev/zero UNIX-CONNECT:"$S""#)
          #expect(endless.status != 0)
          #expect(daemon.log.contains("sent a line that did not end within 16 MiB"))
        case .failingChildren:
          try Program.eventually("each has failed") {
            daemon.log.contains("handler killed: sh was ended by signal 9")
              && daemon.log.contains("handler dies: sh exited with status 1")
              && daemon.log.contains("handler babbles: sh wrote a line that is longer than 65536 bytes")
          }
        }
      }
      #expect(loud == calm)
    }
  }

  /// Two requests by turns, without an end. The socket is `$0`; the answers are read.
  private static let flood = #"""
    yes '{"type":"set","view":"lamp","properties":{"background":"#00ff00"}}
    {"type":"set","view":"lamp","properties":{"background":"#0000ff"}}' | socat - UNIX-CONNECT:"$0" >/dev/null 2>&1
    """#

  @Test func `ten thousand sets of one label are painted once a turn, not once each`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(
        in: folder, tree: Self.tree + "\n        - {id: count, kind: label, frame: [0, 200, 400, 50]}")
      let before = try daemon.paints()
      // All of them wait when the daemon goes on.
      daemon.signal(SIGSTOP)
      var bytes = 0
      let clients = try (0..<8).map { client in
        let requests = (0..<1250).map {
          #"{"type":"set","view":"count","properties":{"text":"\#($0 * 8 + client)"}}"# + "\n"
        }.joined()
        bytes += requests.utf8.count
        return try deafClient(of: daemon, sending: requests)
      }
      defer { for client in clients { close(client) } }
      daemon.signal(SIGCONT)
      for client in clients {
        var answers: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while answers.count(where: { $0 == 0x0a }) < 1251 {
          let count = recv(client, &part, part.count, 0)
          try #require(count > 0, "\(String(decoding: answers, as: UTF8.self).suffix(200))")
          answers += part.prefix(count)
        }
        #expect(!String(decoding: answers, as: UTF8.self).contains("error"))
      }
      let paints = try daemon.paints() - before
      print("10 000 sets of one label, \(bytes) bytes: \(paints) paints")
      // A turn does as many as there is time for.
      #expect((1..<5000).contains(paints))
      #expect(daemon.end() == 0)
    }
  }
}
