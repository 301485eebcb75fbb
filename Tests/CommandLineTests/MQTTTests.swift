import Foundation
import Testing

/// `touchtree-mqtt` between real daemons and a real broker, mosquitto, on a port of its own.
@Suite("Panels on an MQTT broker", .serialized)
struct MQTTTests {
  /// A machine's panel, as users get it.
  private static let machine = Program.package.appending(path: "config/examples/machine.yaml")

  // MARK: In a loop, on two boards

  @Test func `one file on two boards: each light is switched through the broker, and by a finger`() throws {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      let witness = try Witness(of: broker, in: folder)
      let tree = try String(contentsOf: Self.machine, encoding: .utf8)
      let kitchen = try RemoteTests.Daemon(in: folder, tree: tree)
      let hall = try RemoteTests.Daemon(in: folder, tree: tree)
      let bridges = [
        try Bridge(of: kitchen, to: broker, in: folder, ["--prefix", "kitchen"]),
        try Bridge(of: hall, to: broker, in: folder, ["--prefix", "home/hall"]),
      ]
      try witness.await("kitchen/availability online")
      try witness.await("home/hall/availability online")
      try witness.await(#"kitchen/light/value {"value":false,"#)

      // From the broker to a panel, and back as its state.
      try broker.publish("kitchen/light/set/value", "true")
      try broker.publish("kitchen/light-lamp/set", ##"{"hidden":false,"background":"#ffffff"}"##)
      try broker.publish("kitchen/mode/set/segment", "Auto")
      try witness.await(#"kitchen/light/value {"value":true,"#)
      try witness.await(#"kitchen/mode/value {"value":2,"segment":"Auto","#)
      try Program.eventually("the lamp") {
        let lamp = try kitchen.ctl("tree", "--json").output.split(separator: "{").first {
          $0.contains(#""id":"light-lamp""#)
        }
        return lamp?.contains(#""hidden":false"#) == true && lamp?.contains("#ffffff") == true
      }
      // By a finger, on the other one.
      try hall.ctl("touch", "433,151")
      try witness.await(#"home/hall/light/action {"action":"valueChanged","#)
      try witness.await(#"home/hall/light/value {"value":true,"#)
      #expect(witness.lines.count { $0.hasPrefix("home/hall/light/value") } == 2)
      #expect(!witness.lines.contains { $0.hasPrefix("kitchen/light/action") })

      // What cannot be done is answered.
      let rows = [
        ("kitchen/mode/set/segment", "Nix", "its segments: Off, Manual, Auto"),
        ("kitchen/lihgt/set/value", "true", #"there is no view \"lihgt\""#),
        ("kitchen/light/set", "true", "give a JSON object"), ("kitchen/light/page/set", "next", "light"),
        ("kitchen/light/set/hiden", "true", "hidden"),
        ("kitchen/lihgt/set", "true", #"did you mean \"light\"?"#),
      ]
      for (topic, payload, message) in rows {
        try broker.publish(topic, payload)
        try witness.await(#"kitchen/error {"topic":"\#(topic)","#, message)
      }
      for bridge in bridges { #expect(bridge.end() == 0, "\(bridge.log)") }
      try witness.await("kitchen/availability offline")
      #expect(witness.numbers(of: "kitchen").count > 10)
    }
  }

  @Test func `values that come a thousand a second arrive in order, all of them`() throws {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      let witness = try Witness(of: broker, in: folder)
      let daemon = try RemoteTests.Daemon(in: folder, tree: String(contentsOf: Self.machine, encoding: .utf8))
      let bridge = try Bridge(of: daemon, to: broker, in: folder, ["--prefix", "k"])
      try witness.await("k/speed-gauge/value")
      let count = 2000
      let values = (1...count).map(String.init).joined(separator: "\n")
      let start = Date()
      try broker.publish("k/speed-gauge/set/value", lines: values)
      try witness.await(#"k/speed-gauge/value {"value":\#(count),"#)
      let rate = Int(Double(count) / Date().timeIntervalSince(start))
      print("\(count) commands and their values, \(rate) a second")
      let received: [Int] = witness.lines.compactMap {
        $0.firstMatch(of: /^k\/speed-gauge\/value {"value":(\d+),/).flatMap { Int($0.1) }
      }
      // The first is 900, the state at the start.
      #expect(Array(received.dropFirst()) == Array(1...count))
      let numbers = witness.numbers(of: "k")
      #expect(numbers == Array(1...numbers.count))
      #expect(bridge.end() == 0)
    }
  }

  @Test func `a broker that is killed and comes back costs no touch, and what comes twice has its number`()
    throws
  {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder, "persistence true", "persistence_location \(folder)/")
      let witness = try Witness(of: broker, in: folder)
      let daemon = try RemoteTests.Daemon(in: folder, tree: String(contentsOf: Self.machine, encoding: .utf8))
      let bridge = try Bridge(of: daemon, to: broker, in: folder, ["--prefix", "k"])
      try witness.await("k/availability online")
      try broker.save()
      let taps = 400
      let typing = try daemon.start(
        """
        i=0; while [ $i -lt \(taps) ]; do i=$((i+1))
        printf '{"type":"inject","phase":"began","x":357,"y":283}\\n{"type":"inject","phase":"ended"}\\n'; sleep 0.003
        done | "$T" ctl - --socket "$S" >/dev/null
        """)
      try Program.eventually("the first hundred") { witness.taps.count >= 100 }
      broker.kill()
      try Program.eventually("the bridge notices") { bridge.log.contains("lost the broker") }
      usleep(200_000)
      try broker.start()
      #expect(typing.awaitEnd() == 0)
      try Program.eventually("all touches") { Set(witness.taps.map(\.number)).count >= taps }
      #expect(Set(witness.taps.map(\.number)).count == taps)
      let payloads = Dictionary(grouping: witness.taps, by: \.number)
      #expect(payloads.values.allSatisfy { Set($0.map(\.payload)).count == 1 })
      // Each number is there, those of other messages between them.
      let numbers = Set(witness.numbers(of: "k"))
      #expect(numbers == Set(1...(numbers.max() ?? 0)))
      try witness.await(#"k/missed {"away":"broker","seconds":"#, #""dropped":0"#)
      #expect(bridge.end() == 0)
    }
  }

  @Test func `while no name server answers, touches are taken, and published when the name is found`() throws
  {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      let witness = try Witness(of: broker, in: folder)
      let daemon = try RemoteTests.Daemon(in: folder, tree: String(contentsOf: Self.machine, encoding: .utf8))
      // Its name server answers when the file is there.
      let getent = folder + "/getent"
      try """
      #!/bin/sh
      while ! [ -e '\(folder)/answer' ]; do sleep 0.05; done
      exec /usr/bin/getent "$@"
      """.write(toFile: getent, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: getent)
      let bridge = try Bridge(
        of: daemon.socket, to: broker, host: "localhost", in: folder, ["--prefix", "k"],
        path: folder + ":/usr/bin:/bin")
      try Program.eventually("the bridge takes events") { bridge.log.contains("connected to touchtree") }
      let tap = #"{"type":"inject","phase":"began","x":357,"y":283}\n{"type":"inject","phase":"ended"}\n"#
      #expect(try daemon.start("printf '\(tap)' | \"$T\" ctl - --socket \"$S\" >/dev/null").awaitEnd() == 0)
      #expect(!bridge.log.contains("connected to the broker"))
      try Data().write(to: URL(filePath: folder + "/answer"))
      try Program.eventually("the touch is published") { witness.taps.count == 1 }
      #expect(bridge.end() == 0)
    }
  }

  @Test func `a daemon that goes is reported, and its state is published when it is back`() throws {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      let witness = try Witness(of: broker, in: folder)
      let socket = folder + "/panel.sock"
      let tree = try String(contentsOf: Self.machine, encoding: .utf8)
      // The bridge is there first, and waits.
      let bridge = try Bridge(of: socket, to: broker, in: folder, ["--prefix", "k"])
      try witness.await("k/availability offline")
      var daemon: RemoteTests.Daemon? = try RemoteTests.Daemon(in: folder, tree: tree, socket: socket)
      try witness.await("k/availability online")
      try #require(daemon).ctl("set", "speed", "value=1500")
      try witness.await(#"k/speed/value {"value":1500,"#)
      daemon?.kill()
      try Program.eventually("the report") {
        witness.lines.last { $0.hasPrefix("k/availability") } == "k/availability offline"
      }
      try broker.publish("k/speed/set/value", "100")
      try witness.await(#"k/error {"topic":"k/speed/set/value","message":"touchtree does not run"#)
      daemon = nil
      daemon = try RemoteTests.Daemon(in: folder, tree: tree, socket: socket)
      try witness.await(#"k/missed {"away":"touchtree","#, #""commands":1"#)
      try Program.eventually("the state") {
        witness.lines.count { $0.hasPrefix(#"k/speed/value {"value":900,"#) } == 2
      }
      #expect(bridge.log.contains("lost touchtree"))
      #expect(bridge.end() == 0)
    }
  }

  @Test func `commands that the broker keeps are done at each start of either program`() throws {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      let witness = try Witness(of: broker, in: folder)
      try broker.publish("k/theme/set", "light", "-r")
      try broker.publish("k/bays/set", #"[{"key":"x","on":true}]"#, "-r")
      let socket = folder + "/panel.sock"
      // It waits for the panel: until then nobody knows that these are values.
      let bridge = try Bridge(of: socket, to: broker, in: folder, ["--prefix", "k"])
      try witness.await("k/availability offline")
      for start in 1...2 {
        let daemon = try RemoteTests.Daemon(in: folder, tree: Self.bays, socket: socket)
        try Program.eventually("start \(start)") {
          witness.lines.count { $0.hasPrefix(#"k/theme/value {"value":"light","#) } == start
            && witness.lines.count { $0.hasPrefix(#"k/bays/value {"value":[{"key":"x","#) } == start
        }
        try witness.await("k/availability online")
        #expect(daemon.end() == 0)
        try Program.eventually("the end") {
          witness.lines.last { $0.hasPrefix("k/availability") } == "k/availability offline"
        }
      }
      #expect(!witness.lines.contains { $0.hasPrefix("k/error") })
      // What comes with a reload is done with what the new file has.
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.bays, socket: socket)
      try Program.eventually("the panel") {
        witness.lines.last { $0.hasPrefix("k/availability") } == "k/availability online"
      }
      try Self.bays.replacing("values: {", with: "values: {extra: 1, ").write(
        toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      try broker.publish("k/reload", "")
      try broker.publish("k/extra/set", "5")
      try witness.await(#"k/extra/value {"value":5,"#)
      #expect(!witness.lines.contains { $0.hasPrefix("k/error") })
      #expect(daemon.end() == 0 && bridge.end() == 0)
    }
  }

  @Test func `rows of a list are no entities, and no command is for the row that a view happens to show`()
    throws
  {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      let witness = try Witness(of: broker, in: folder)
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.bays)
      let bridge = try Bridge(of: daemon, to: broker, in: folder, ["--prefix", "k", "--home-assistant"])
      try witness.await("homeassistant/switch/k/other/config")
      try daemon.ctl("touch", "30,20")
      try witness.await(#"k/bay-0-on/action {"action":"valueChanged","row_key":"a","#)
      try witness.await(#"k/bay-0-on/value {"value":true,"row_key":"a","#)
      // Which row it shows is another one after a scroll.
      for (topic, payload) in [("set/value", "false"), ("set", #"{"value":false}"#)] {
        try broker.publish("k/bay-0-on/\(topic)", payload)
        try witness.await(#"k/error {"topic":"k/bay-0-on/\#(topic)","#, "the row")
      }
      #expect(try daemon.ctl("tree").output.contains(/bay-0-on .*value true/))
      try broker.publish("k/other/set/value", "true")
      try witness.await(#"k/other/value {"value":true,"#)
      #expect(bridge.end() == 0)
      #expect(!witness.lines.contains { $0.hasPrefix("homeassistant") && $0.contains("bay-") })
    }
  }

  @Test func `a picture comes when it is asked for, and the panel's health when it is another one`() throws {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      let witness = try Witness(of: broker, in: folder)
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.bays)
      let bridge = try Bridge(
        of: daemon, to: broker, in: folder, ["--prefix", "k", "--home-assistant", "--health", "15"])
      try witness.await("homeassistant/image/k/screenshot/config", #""image_topic":"k/screenshot""#)
      try broker.publish("k/screenshot/set", "")
      try witness.await("k/screenshot ", "PNG")
      try broker.publish("k/screenshot/set", "")
      try witness.await(#"k/error {"topic":"k/screenshot/set","#, "there is a picture every 3 s at most")
      try witness.await(#"k/display/health {"health":"well","problems":[],"#)
      #expect(bridge.end() == 0 && daemon.end() == 0)
    }
  }

  /// A list whose rows are views, and a switch beside it.
  private static let bays = """
    version: 1
    theme: dark
    display: {canvas: {size: [200, 300]}}
    values: {bays: [{key: a, on: false}, {key: b, on: false}]}
    templates: {bay: {kind: stack, subviews: [{id: on, kind: switch, value: "{on}"}]}}
    window:
      subviews:
        - {kind: list, frame: [0, 0, 200, 100], row_height: 44, subviews: [{repeat: {of: bay, for: bays}}]}
        - {id: other, kind: switch, frame: [0, 200, 60, 40]}
    """

  // MARK: Home Assistant

  @Test func `views are announced to Home Assistant, again when it asks, and removed when they are gone`()
    throws
  {
    try Program.inFolder { folder in
      let broker = try Broker(in: folder)
      // From an earlier run, of a view that is gone.
      try broker.publish("homeassistant/switch/k/old/config", "{}", "-r")
      let witness = try Witness(of: broker, in: folder)
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.room)
      let bridge = try Bridge(of: daemon, to: broker, in: folder, ["--prefix", "k", "--home-assistant"])
      func config(_ place: String) -> String { "homeassistant/\(place)/config" }
      for place in ["switch/k/heating", "number/k/setpoint", "sensor/k/measured", "event/k/off"] {
        try witness.await(config(place) + #" {"name":"#)
      }
      try witness.await(config("number/k/setpoint"), #""min":5,"max":30,"step":0.5"#)
      try witness.await(config("switch/k/old") + " (null)")
      try witness.await(#"k/measured/text {"text":"20°","#)
      try witness.await(config("event/k/off") + #" {"name":"All off","#)
      // A list is chosen from there by its texts.
      try witness.await(config("select/k/day"), #""options":["Monday","Tuesday"]"#)
      try witness.await(#"k/day/value {"value":-1,"row":null,"#)
      try broker.publish("k/day/set/row", "Tuesday")
      try witness.await(#"k/day/value {"value":1,"row":"Tuesday","#)
      try broker.publish("k/day/set/row", "Sunday")
      try witness.await(#"k/error {"topic":"k/day/set/row","#, "its rows: Monday, Tuesday")
      try daemon.ctl("set", "measured", "text=21°")
      try witness.await(#"k/measured/text {"text":"21°","#)

      let before = witness.lines.count { $0.hasPrefix(config("switch/k/heating")) }
      try broker.publish("homeassistant/status", "online")
      try Program.eventually("all of it again") {
        witness.lines.count { $0.hasPrefix(config("switch/k/heating")) } > before
      }
      try Self.room.replacing("id: heating", with: "id: floor").write(
        toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      try broker.publish("k/reload", "")
      try witness.await(config("switch/k/floor") + #" {"name":"#)
      try witness.await(config("switch/k/heating") + " (null)")
      try witness.await("k/heating/value (null)")
      #expect(!witness.lines.contains { $0.contains("label-1") })
      #expect(bridge.end() == 0)
    }
  }

  private static let room = """
    version: 1
    display: {canvas: {size: [400, 300]}}
    window:
      subviews:
        - {id: heating, kind: switch, frame: [10, 10, 60, 30], value: true}
        - {id: setpoint, kind: slider, frame: [10, 60, 200, 40], minimum: 5, maximum: 30, step: 0.5, value: 20}
        - {id: measured, kind: label, frame: [10, 110, 100, 30], text: 20°, announce: true}
        - {kind: label, frame: [10, 150, 100, 30], text: unnamed}
        - {id: "off", kind: button, frame: [10, 190, 100, 50], text: Off, label: All off}
        - {id: day, kind: list, frame: [220, 10, 150, 200], rows: [Monday, Tuesday]}
    """

  // MARK: Secrets

  @Test func `a password and a certificate are read from files, and tried again when they are wrong`() throws
  {
    try Program.inFolder { folder in
      let made = try Program.run("/bin/sh", ["-ec", Self.makeSecrets], in: folder)
      try #require(made.status == 0, "\(made.errors)")
      let broker = try Broker(
        in: folder, "allow_anonymous false", "password_file \(folder)/users", "cafile \(folder)/ca.pem",
        "certfile \(folder)/broker.pem", "keyfile \(folder)/broker.key")
      let socket = folder + "/none.sock"
      func write(_ password: String) throws {
        try Data("\(password)\n".utf8).write(to: URL(filePath: folder + "/password"))
      }
      try write("wr0ng-one")
      let bridge = try Bridge(
        of: socket, to: broker, in: folder,
        ["--prefix", "k", "--username", "kitchen", "--password-file", "\(folder)/password", "--cafile"]
          + ["\(folder)/ca.pem"])
      try Program.eventually("the refusal") { bridge.log.contains("--password-file") }
      try write("s3cret")
      try Program.eventually("the connection") { bridge.log.contains("connected to the broker") }
      let seen = try String(
        contentsOfFile: "/proc/\(bridge.process.processIdentifier)/cmdline", encoding: .utf8)
      for secret in ["s3cret", "wr0ng-one"] {
        #expect(!bridge.log.contains(secret) && !seen.contains(secret))
      }
      #expect(bridge.log.contains("chmod o="))
      #expect(bridge.end() == 0)

      // A broker whose certificate another authority has signed gets no password.
      let careful = try Bridge(
        of: socket, to: broker, in: folder,
        ["--prefix", "k", "--username", "kitchen", "--password-file", "\(folder)/password", "--cafile"]
          + ["\(folder)/other.pem"])
      try Program.eventually("the refusal") { careful.log.contains("certificate verify failed") }
      #expect(careful.process.isRunning && careful.end() == 0)
    }
  }

  private static let makeSecrets = """
    exec 2>openssl.log
    for name in ca other; do
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$name" \
        -keyout $name.key -out $name.pem
    done
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=broker -keyout broker.key -out broker.csr
    echo subjectAltName=IP:127.0.0.1 >names
    openssl x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out broker.pem
    mosquitto_passwd -b -c users kitchen s3cret
    """

  // MARK: Arguments

  @Test(arguments: [
    (["--prefix", "k"], 64, "missing expected argument '--broker"),
    (["--broker", "b"], 64, "missing expected argument '--prefix"),
    (["--broker", "b:0", "--prefix", "k"], 64, "1 to 65535"),
    (["--broker", "user@b", "--prefix", "k"], 64, "a broker is a host"),
    (["--broker", "b", "--prefix", "a/#"], 64, "without + and #"),
    (["--broker", "b", "--prefix", "k", "--password-file", "f"], 64, "--password-file needs --username"),
    (["--broker", "b", "--prefix", "k", "--cert", "c"], 64, "--cert and --key together"),
    (
      ["--broker", "b", "--prefix", "k", "--username", "u", "--password-file", "/none/of"], 66,
      "/none/of: No such file"
    ),
    (["--broker", "b", "--prefix", "k", "--cafile", "/none/ca"], 66, "/none/ca: No such file"),
  ])
  func `wrong arguments end with a message and a status`(arguments: [String], status: Int32, message: String)
    throws
  {
    let outcome = try Program.run(Bridge.executable.path, arguments, in: Program.package.path)
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("touchtree-mqtt: error: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}

// MARK: - The other programs

extension RemoteTests.Daemon {
  /// Starts a shell command that finds the socket in $S and the program in $T.
  fileprivate func start(_ command: String) throws -> Process {
    try Process.run(
      URL(filePath: "/usr/bin/env"),
      arguments: ["S=\(socket)", "T=\(Program.executable.path)", "sh", "-c", command])
  }
}

extension MQTTTests {
  /// mosquitto; it ends with its owner.
  final class Broker {
    let port: Int
    private let folder: String
    private var process: Process

    /// - Parameter lines: of its configuration.
    init(in folder: String, _ lines: String...) throws {
      self.folder = folder
      port = try Self.freePort()
      let head = [
        "user \(NSUserName())", "allow_anonymous true", "max_inflight_messages 0", "max_queued_messages 0",
        "listener \(port) 127.0.0.1",
      ].filter { !$0.hasPrefix("allow_anonymous") || !lines.contains("allow_anonymous false") }
      try (head + lines).joined(separator: "\n").write(
        toFile: folder + "/mosquitto.conf", atomically: true, encoding: .utf8)
      process = Process()
      try start()
    }

    deinit { kill() }

    /// A port that no program has.
    private static func freePort() throws -> Int {
      let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
        }
      }
      try #require(result == 0)
      return Int(UInt16(bigEndian: address.sin_port))
    }

    func start() throws {
      process = Process()
      // A thread of a test blocks all signals, and what it starts inherits that.
      let unblock =
        "import os,signal,sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"
      process.executableURL = URL(filePath: "/usr/bin/python3")
      process.arguments = ["-c", unblock, "/usr/sbin/mosquitto", "-c", folder + "/mosquitto.conf"]
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      try Program.eventually("the broker listens") {
        try #require(process.isRunning)
        return try Program.run("/bin/bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port)"], in: folder).status
          == 0
      }
    }

    /// Without a chance to save anything.
    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      _ = process.awaitEnd()
    }

    /// Has it write down who has subscribed to what.
    func save() throws {
      Foundation.kill(process.processIdentifier, SIGUSR1)
      try Program.eventually("it is saved") {
        FileManager.default.fileExists(atPath: folder + "/mosquitto.db")
      }
    }

    func publish(_ topic: String, _ payload: String, _ options: String...) throws {
      try publish(["-t", topic, "-m", payload] + options)
    }

    /// One message a line.
    func publish(_ topic: String, lines: String) throws {
      try Data((lines + "\n").utf8).write(to: URL(filePath: folder + "/lines"))
      let command = "mosquitto_pub -h 127.0.0.1 -p \(port) -q 1 -t '\(topic)' -l <lines"
      try #require(try Program.run("/bin/sh", ["-c", command], in: folder).status == 0)
    }

    private func publish(_ arguments: [String]) throws {
      let outcome = try Program.run(
        "/usr/bin/env", ["mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1"] + arguments,
        in: folder)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
  }

  /// Writes down everything that the broker has, and comes back to its session when the broker does.
  final class Witness {
    private let process: Process
    private let file: String

    init(of broker: Broker, in folder: String) throws {
      file = folder + "/witness"
      process = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c",
          "exec mosquitto_sub -h 127.0.0.1 -p \(broker.port) -q 1 -c -i witness -t '#' -v >'\(file)' 2>/dev/null",
        ])
      try Program.eventually("the witness listens") {
        try broker.publish("witness", "?")
        return lines.contains("witness ?")
      }
    }

    deinit {
      // It has inherited a signal mask that blocks any other signal.
      Foundation.kill(process.processIdentifier, SIGKILL)
      _ = process.awaitEnd()
    }

    /// A topic, a blank and a payload each.
    var lines: [String] {
      // A picture is no text.
      let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
      return text.split(separator: "\n").map(String.init)
    }

    /// Waits for a message that begins in this way and contains something.
    func await(_ start: String, _ part: String = "") throws {
      try Program.eventually("\(start) … \(part)") {
        lines.contains { $0.hasPrefix(start) && (part.isEmpty || $0.contains(part)) }
      }
    }

    /// The numbers of a panel's messages, in the order in which they came.
    func numbers(of prefix: String) -> [Int] {
      lines.filter { $0.hasPrefix(prefix + "/") }.compactMap {
        $0.firstMatch(of: /,"seq":(\d+),"session":"[0-9a-f]{8}"}$/).flatMap { Int($0.1) }
      }
    }

    /// What the button `stop` sent when a finger was lifted.
    var taps: [(number: Int, payload: String)] {
      lines.compactMap { line in
        guard line.hasPrefix(#"k/stop/action {"action":"touchUpInside""#),
          let number = line.firstMatch(of: /"seq":(\d+)/).flatMap({ Int($0.1) })
        else { return nil }
        return (number, line)
      }
    }
  }

  /// A running `touchtree-mqtt`; it ends with its owner.
  final class Bridge {
    static let executable = Program.executable.deletingLastPathComponent().appending(path: "touchtree-mqtt")

    let process = Process()
    private let errors: String

    convenience init(
      of daemon: RemoteTests.Daemon, to broker: Broker, in folder: String, _ options: [String]
    ) throws {
      try self.init(of: daemon.socket, to: broker, in: folder, options)
    }

    /// - Parameter path: where it finds programs; nil for where this process does.
    init(
      of socket: String, to broker: Broker, host: String = "127.0.0.1", in folder: String,
      _ options: [String], path: String? = nil
    ) throws {
      errors = "\(folder)/\(UUID().uuidString.prefix(8)).log"
      try Data().write(to: URL(filePath: errors))
      process.executableURL = Self.executable
      process.arguments = ["--broker", "\(host):\(broker.port)", "--socket", socket] + options
      if let path {
        process.environment = ProcessInfo.processInfo.environment.merging(["PATH": path]) { $1 }
      }
      process.standardInput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
      try process.run()
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
  }
}
