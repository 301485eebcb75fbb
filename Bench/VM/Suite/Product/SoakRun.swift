import Foundation
import PictureSupport

/// A daemon whose trace is counted while it is written, so that a run may last for hours.
struct SoakRun: Sendable {
  /// The result of a storm of fingers: the last line that `vm-guest storm` prints.
  struct Storm: Sendable, CustomStringConvertible {
    var frames = 0
    var downs = 0
    let description: String

    init(_ output: String) throws {
      let line = output.split(separator: "\n").last ?? ""
      description = String(line)
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count == 10, let frames = Int(words[1]), let downs = Int(words[3]) else {
        throw MachineError("vm-guest storm printed '\(output)'")
      }
      (self.frames, self.downs) = (frames, downs)
    }
  }

  /// The state of the daemon at rest: no finger, no client, every process running, the display dark if the
  /// file says so.
  struct Figures: Sendable, CustomStringConvertible {
    /// In kilobytes.
    var anonymous: Int
    var resident: Int
    var descriptors: Int
    var children: Int
    /// The number of sleeps and wake-ups since the start.
    var wakeUps: Int
    var begins: Int
    var ends: Int
    var frames: Int
    var touches: Int
    var dropped: Int
    var overruns: Int
    var restarts: Int

    var description: String {
      """
      anonymous \(anonymous) kB, resident \(resident) kB, descriptors \(descriptors), children \(children), \
      frames \(frames), touches \(touches), dropped \(dropped), overruns \(overruns), begins \(begins), ends \(ends), \
      wake-ups \(wakeUps), restarts \(restarts)
      """
    }
  }

  /// The part of `ctl stats --json` that is looked at.
  private struct Statistics: Decodable {
    struct Process: Decodable {
      var state: String
      var restarts: Int
    }
    struct Idle: Decodable {
      var dark: Bool
    }
    var frames: Int
    var touches: Int
    var dropped: Int
    var overruns: Int
    var clients: Int
    var processes: [Process]
    /// Nil without stages.
    var idle: Idle?
  }

  let daemon: Daemon
  private let balance: GuestProcess

  static func start(_ configuration: String, in machine: VirtualMachine) async throws -> SoakRun {
    let pipe = "/run/soak.trace"
    let balance = try await machine.spawn("rm -f \(pipe); mkfifo \(pipe); exec vm-guest balance \(pipe)")
    try await eventually("\(pipe) is there") { try await machine.run("test -p \(pipe)").status == 0 }
    let daemon = try await Daemon.start(
      in: machine, arguments: "--trace \(pipe)", traced: false, configuration: configuration)
    return SoakRun(daemon: daemon, balance: balance)
  }

  /// Plays fingers, and returns when all of them have lifted.
  func storm(seconds: Int, seed: Int32, panels: Int, hertz: Int, changes: Int) async throws -> Storm {
    let output = try await daemon.machine.run(
      "vm-guest storm \(daemon.pid) \(seed) \(seconds) \(panels) \(hertz) \(changes) 0")
    return try Storm(output.stdout)
  }

  // MARK: Disturbances

  /// Of `everything`.
  static let processCount = 2

  /// The events while fingers are down, each a line of a shell that takes at most two seconds.
  private static let disturbances = [
    "chvt 2; sleep 0.3; chvt 1",
    "chvt 2; chvt 1",
    "cp /run/good.yaml $file; touchtree ctl reload",
    "sed 's/#303030/#305030/; s/rows: \\[/rows: [more, /; /stepper/d' /run/good.yaml >$file; touchtree ctl reload",
    "sed 's/  late/  other/' /run/good.yaml >$file; kill -HUP $pid",
    "echo 'window: [' >$file; touchtree ctl reload",
    "sed 's/kind: slider/kind: slide/' /run/good.yaml >$file; kill -HUP $pid",
    "touchtree ctl stats", "touchtree ctl tree --json", "touchtree ctl screenshot /run/soak.png",
    "timeout 1 touchtree ctl watch --json",
    "timeout 2 touchtree ctl view --graphics blocks </dev/tty5 >/dev/tty5",
    "touchtree ctl set level value=$((SECONDS % 100))", "touchtree ctl page screens next",
    "touchtree ctl touch 1100,700 1100,100 --duration 0.2", "touchtree ctl touch 100,100",
    "sleep 1 | touchtree ctl -",
    "yes '{\"type\":\"set\",\"view\":\"time\",\"properties\":{\"text\":\"x\"}}' | head -n 2000 | touchtree ctl -",
    "head -c 300000 /dev/urandom | touchtree ctl -",
    "kill -KILL $(tr ' ' '\\n' </proc/$pid/task/$pid/children | head -n 1)",
    "kill -TERM $(tr ' ' '\\n' </proc/$pid/task/$pid/children | tail -n 2)",
    "kill -STOP $pid; sleep 0.3; kill -CONT $pid",
    "date -s @$(($(date +%s) + 100000))", "date -s @$(($(date +%s) - 100000))",
    "sleep 0.5",
  ]

  /// Plays fingers and does whatever may happen to a daemon. At the end the configuration and the terminal
  /// are as they were.
  ///
  /// - Parameter isFirst: whether to do everything once, so that no memory is taken for the first time later.
  func disturb(seconds: Int, isFirst: Bool, _ random: inout SeededGenerator) async throws -> Storm {
    let seed = Int32.random(in: 0...Int32.max, using: &random)
    let all = Self.disturbances.shuffled(using: &random)
    let lines = isFirst ? all : (0..<60).map { _ in all.randomElement(using: &random) ?? "" }
    let condition = isFirst ? "" : "test -e /proc/$storm/exe && "
    let script = """
      pid=\(daemon.pid) file=\(daemon.configurationPath)
      test -e /run/good.yaml || cp $file /run/good.yaml
      touchtree ctl wake
      vm-guest storm $pid \(seed) \(seconds) 4 250 200 2000 /run/touchtree/control.sock >/run/storm &
      storm=$!
      {
      \(lines.map { "\(condition){ \($0); }" }.joined(separator: "\n"))
      } >/dev/null 2>&1
      wait $storm || exit
      chvt 1
      cp /run/good.yaml $file
      touchtree ctl reload >&2
      cat /run/storm
      """
    let output = try await daemon.machine.run(script)
    return try Storm(output.stdout)
  }

  // MARK: Figures

  /// The descriptors without the connections of clients: one that has ended is closed in a turn of the
  /// daemon, which may come later. The answer of `ctl stats` has the number of clients.
  private static let countOfDescriptors = #"""
    'NR == FNR { if ($6 == "03" && $8 ~ /control.sock$/) clients["socket:[" $7 "]"]; next }
    /->/ && !($NF in clients) { count++ } END { print count }'
    """#.replacing("\n", with: " ")

  /// Waits until the daemon is at rest, and looks at it.
  func figuresAtRest() async throws -> Figures {
    var last = ""
    var figures: Figures?
    try await daemon.eventually("it is at rest, not \(last)") {
      let output = try await daemon.machine.run(
        """
        awk '/^VmRSS|^RssAnon|^voluntary/ {print $2}' /proc/\(daemon.pid)/status
        ls -l /proc/\(daemon.pid)/fd | awk \(Self.countOfDescriptors) /proc/net/unix -
        wc -w </proc/\(daemon.pid)/task/\(daemon.pid)/children
        touchtree ctl stats --json
        """)
      let lines = output.stdout.split(separator: "\n")
      let counts = balance.stdout.split(separator: "\n").last { $0.hasPrefix("begins ") } ?? ""
      let numbers = (lines.prefix(5) + counts.split(separator: " ")).compactMap { Int($0) }
      last = "\(output.stdout)\(counts)"
      guard numbers.count == 8, let json = lines.last else { return false }
      let statistics = try JSONDecoder().decode(Statistics.self, from: Data(json.utf8))
      guard statistics.clients == 1, statistics.processes.allSatisfy({ $0.state == "running" }),
        statistics.idle?.dark ?? true, numbers[7] == 0, numbers[5] > 0
      else { return false }
      figures = Figures(
        anonymous: numbers[1], resident: numbers[0], descriptors: numbers[3], children: numbers[4],
        wakeUps: numbers[2], begins: numbers[5], ends: numbers[6], frames: statistics.frames,
        touches: statistics.touches, dropped: statistics.dropped, overruns: statistics.overruns,
        restarts: statistics.processes.reduce(0) { $0 + $1.restarts })
      return true
    }
    guard let figures else { throw MachineError("it is at rest, and has no figures") }
    return figures
  }

  /// Returns the faults in its log, and touches without a begin or with two.
  ///
  /// The kernel gives a device's state also in the middle of a frame, whose first events then seem to be of
  /// its last slot. In an emulated machine a frame may stand still for long, so what looks like a broken
  /// protocol is no fault here.
  var problems: [String] {
    let faults = ["hangs", "crashed", "called exit", "dropped: its reader", "turned off"]
    return daemon.log.split(separator: "\n").filter { line in
      faults.contains { line.contains($0) }
    }.map(String.init)
      + balance.stdout.split(separator: "\n").filter { $0.hasPrefix("wrong: ") }.map(String.init)
      + (balance.stderr.isEmpty ? [] : [balance.stderr])
  }

  // MARK: The view tree

  /// A file with everything that a touch can do: gestures, lists and pages that scroll, controls, plugins,
  /// commands and processes.
  static let everything = """
    version: 1
    idle: [{after: 1, page: {screens: home}}, {after: 2, blank: true}]
    handlers:
      lamp: {kind: plugin, path: /usr/lib/touchtree/liblamp.so, budget: 1}
      chime: {kind: exec, when: pressed, command: [sleep, "0.1"]}
      late: {kind: exec, when: pressed, timeout: 0.3, command: [sleep, "600"]}
      reader: {kind: process, command: [sh, -c, "echo '{\\"type\\":\\"ready\\",\\"protocol\\":1}'; exec cat >/dev/null"]}
      clock:
        kind: process
        command:
          - sh
          - -c
          - |
            echo '{"type":"ready","protocol":1,"wants":[]}'
            while sleep 0.2; do echo '{"type":"set","view":"time","properties":{"text":"'$(date +%s)'"}}'; done
    window:
      subviews:
        - id: screens
          kind: pages
          slide: true
          frame: [0, 0, 480, 360]
          subviews:
            - {id: home, multiple_touch: true, subviews: [{id: press, kind: button, text: Press, frame: [100, 100, 200, 100], handlers: [chime]}]}
            - {id: settings, multiple_touch: true, background: "#303030", handlers: [lamp]}
        - {id: time, kind: label, frame: [0, 360, 480, 40], text: "--:--"}
        - {id: level, kind: slider, frame: [0, 400, 480, 80], maximum: 100}
        - {id: heating, kind: switch, frame: [0, 500, 200, 80]}
        - {id: count, kind: stepper, frame: [240, 500, 200, 80]}
        - {id: mode, kind: segmented, frame: [0, 600, 480, 80], segments: [a, b, c]}
        - {id: slow, kind: button, frame: [0, 700, 480, 100], text: Late, handlers: [late]}
        - id: photo
          frame: [580, 100, 300, 200]
          multiple_touch: true
          background: "#606060"
          gestures:
            - {kind: pan, transforms: photo}
            - {kind: pinch, transforms: photo}
            - {kind: rotation, transforms: photo}
            - {kind: tap, taps: 2, actions: [set: {photo: {transform: {rotate: 0}}}]}
            - {kind: long_press, actions: [page: {screens: next}]}
        - {id: pad, frame: [480, 400, 500, 400], multiple_touch: true, background: "#303030", handlers: [lamp, reader]}
        - id: shelf
          kind: scroll
          frame: [980, 0, 300, 800]
          subviews:
            - id: songs
              kind: list
              row_height: 50
              rows: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, 1, 2, 3, 4, 5, 6, 7, 8]
    """
}
