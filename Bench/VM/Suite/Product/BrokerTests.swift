import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// Named values that come from an MQTT broker, and what the daemon does while none comes.
  @Suite struct Brokers {
    /// The panel is green above 12 degrees, and blue below.
    private static let configuration = """
      version: 1
      display: {background: "#101418"}
      highlight: {view: none, touches: {marker: false}}
      values: {outside: {value: null, history: 3600, unit: "°C", class: temperature}}
      window:
        subviews:
          - id: screens
            kind: pages
            frame: [0, 0, 1280, 700]
            subviews:
              - id: home
                subviews:
                  - {id: warm, frame: [0, 0, 100, 100], background: "{outside > 12 ? '#00ff00' : '#0000ff'}"}
                  - {id: shown, kind: label, frame: [200, 0, 400, 100], text: "outside {outside:.1f} °C"}
              - id: time
                subviews: [{id: clock, kind: label, frame: [0, 0, 400, 100], text: "{now:%H:%M:%S}"}]

      """

    @Test(.enabled(if: Image.build == ".build", "the broker is this machine's own"))
    func `values from a broker change what follows them, and the daemon sleeps otherwise`() async throws {
      let machine = try await Machines.main()
      let socket = "/run/broker.sock"
      let daemon = try await Daemon.start(
        in: machine, arguments: "--control \(socket)", traced: false, configuration: Self.configuration)
      let broker = try await Broker.start(in: machine, for: socket)
      func text() async throws -> String {
        let tree = try await machine.run("touchtree ctl tree --json --socket \(socket)").stdout
        return tree.firstMatch(of: /"id":"shown".*?"text":"(.*?)"/).map { String($0.1) } ?? tree
      }
      func shows(_ colour: Colour) async throws {
        try await daemon.eventually("the view is \(colour)") { try await machine.pixel(50, 50) == colour }
      }
      let (warm, cold) = (Colour(0x00_ff_00), Colour(0x00_00_ff))
      try await shows(cold)
      #expect(try await text() == "outside – °C")
      // The client and the broker are there, and nothing is said.
      #expect(try await Figures.wakeUps(of: daemon) == 0)
      for (value, colour) in [("12.5", warm), ("-3", cold)] {
        try await broker.publish(value, to: "panel/outside/set")
        try await shows(colour)
        #expect(try await text() == "outside \(value == "-3" ? "-3.0" : value) °C")
        #expect(try await Figures.wakeUps(of: daemon) == 0, "after \(value)")
      }
      // A clock wakes it while it is seen, and only then.
      try await broker.publish("time", to: "panel/screens/page/set")
      try await daemon.eventually("the clock is seen") {
        try await machine.run("touchtree ctl tree --socket \(socket)").stdout.contains("page time")
      }
      #expect(try await Figures.wakeUps(of: daemon) >= 8)
      try await broker.publish("home", to: "panel/screens/page/set")
      try await shows(cold)
      #expect(try await Figures.wakeUps(of: daemon) == 0)
      try await broker.stop()
      try await daemon.stop()
    }
  }
}

/// mosquitto of this machine in the guest, and touchtree-mqtt beside it.
private struct Broker {
  let machine: VirtualMachine
  private let broker, client: GuestProcess
  private static let folder = "/run/broker"

  /// Returns when a panel is announced at it.
  ///
  /// - Parameter socket: the control socket of the panel, whose prefix is `panel`.
  static func start(in machine: VirtualMachine, for socket: String) async throws -> Broker {
    let programs = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto_pub", "/usr/bin/mosquitto_sub"]
    let (host, guest) = try await machine.newFolder()
    let copied = host.appending(path: "copied")
    // With every library that they name: the image has none of theirs.
    let script = """
      mkdir "$0" && cp "$@" "$0" &&
        ldd "$@" | awk '$2 == "=>" && $3 ~ /^\\// {print $3}' | sort -u | while read -r file; do cp -L "$file" "$0"; done
      """
    let copy = Process()
    copy.executableURL = URL(filePath: "/bin/sh")
    copy.arguments =
      ["-c", script, copied.path] + programs + [Image.root.path + "/.build/release/touchtree-mqtt"]
    try copy.run()
    try await VMTests.eventually("the programs are copied") { !copy.isRunning }
    guard copy.terminationStatus == 0 else {
      throw MachineError("mosquitto or touchtree-mqtt is missing: run make deps and make release")
    }
    // From memory, not from the shared folder.
    let prepared = try await machine.run(
      """
      rm -rf \(folder) && cp -r \(guest)/copied \(folder) && ip link set lo up &&
        printf 'listener 1883 127.0.0.1\\nallow_anonymous true\\nuser root\\n' >\(folder)/conf
      """)
    guard prepared.status == 0 else { throw MachineError("the broker is not installed: \(prepared)") }
    let broker = try await machine.spawn("\(program("mosquitto")) -c \(folder)/conf")
    try await VMTests.eventually("the broker listens") {
      try await machine.run("\(program("mosquitto_pub")) -h 127.0.0.1 -t try -m 1").status == 0
    }
    let client = try await machine.spawn(
      "\(program("touchtree-mqtt")) --broker 127.0.0.1 --prefix panel --socket \(socket)")
    let made = Broker(machine: machine, broker: broker, client: client)
    try await VMTests.eventually("touchtree-mqtt publishes") {
      try await machine.run(
        "\(program("mosquitto_sub")) -h 127.0.0.1 -t panel/outside/value -C 1 -W 5"
      ).stdout.contains("null")
    }
    return made
  }

  private static func program(_ name: String) -> String {
    "LD_LIBRARY_PATH=\(folder) exec \(folder)/\(name)"
  }

  func publish(_ message: String, to topic: String) async throws {
    let sent = try await machine.run(
      "\(Self.program("mosquitto_pub")) -h 127.0.0.1 -t \(topic) -m '\(message)'")
    guard sent.status == 0 else { throw MachineError("not published: \(sent)\n\(broker.stderr)") }
  }

  func stop() async throws {
    try await client.signal("TERM")
    try await client.end()
    try await broker.signal("TERM")
    try await broker.end()
  }
}
