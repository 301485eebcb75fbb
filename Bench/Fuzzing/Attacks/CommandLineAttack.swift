import DispatchFuzzing
import Glibc
import TouchSystem

/// Command lines of every subcommand with something changed in them, each run by the program: it ends in time
/// with a status that it documents, says why, and prints nothing that a terminal obeys.
///
/// The last words are not changed. They keep each command away from the display, the console and the devices
/// of this machine.
public final class CommandLineAttack {
  private static let commands: [(changed: [String], kept: [String])] = [
    (["check", "tree.yaml", "--strict", "--plugins", "."], []),
    (["tree", "tree.yaml", "--size", "400x240"], []),
    (["hit", "tree.yaml", "120,100", "--in", "a", "--explain", "--json", "--size", "800x480"], []),
    (["hit", "tree.yaml", "120,100", "--explain", "-o", "out.png"], []),
    (["hit", "tree.yaml", "-5,1e3", "--all"], []),
    (
      ["trace", "tree.yaml", "--tap", "5,5", "--tap", "100,20", "--hold", "0.5", "--passes", "2", "--json"],
      []
    ),
    (["trace", "tree.yaml", "--drag", "5,5:90,90", "--drag", "50,5:9,90:8,8", "--pictures", "pics"], []),
    (["trace", "tree.yaml", "--replay", "tap.evemu"], []),
    (["render", "tree.yaml", "-o", "out.png", "--touch", "5,5", "--size", "400x240", "--ids"], []),
    (["render", "tree.yaml", "--output", "-", "--like", "fb9"], []), (["devices", "--json"], []),
    (["monitor", "--json", "--config", "tree.yaml"], ["--device", "./none"]),
    (["record", "-o", "recorded.yml"], ["--device", "./none"]),
    (
      ["replay", "tap.evemu", "--speed", "fast", "--json", "--size", "800x480", "--passes", "1"],
      ["--config", "tree.yaml"]
    ),
    (
      [
        "run", "tree.yaml", "--passes", "1", "--trace", "-", "--trace-format", "text", "--stats-file",
        "s.prom", "--verbose",
      ],
      ["--display", "headless", "--control", "none", "--replay", "tap.evemu"]
    ),
    (
      ["run", "tree.yaml", "--fallback", "--watch"],
      ["--display", "headless", "--control", "none", "--replay", "tap.evemu"]
    ),
    (
      ["calibrate", "--timeout", "0.1", "--udev", "--config", "tree.yaml"],
      ["--display", "/dev/fb99", "--device", "./none"]
    ),
    (
      ["test", "--only", "grid,rate", "--profile", "hlk", "--size", "100x60mm", "-o", "report"],
      ["--replay", "tap.evemu"]
    ),
    (["new", "made"], []), (["console-restore"], ["./none"]),
    (["ctl", "tree", "--json"], ["--socket", "./none"]),
    (["ctl", "hit", "5,5", "--in", "a", "--all"], ["--socket", "./none"]),
    (["ctl", "set", "a", "hidden=true", "text=x"], ["--socket", "./none"]),
    (["ctl", "page", "p", "next"], ["--socket", "./none"]),
    (["ctl", "touch", "5,5", "9,9"], ["--socket", "./none"]),
    (["ctl", "stats", "--json"], ["--socket", "./none"]),
    (["ctl", "reload"], ["--socket", "./none"]), (["ctl", "screenshot", "out.png"], ["--socket", "./none"]),
    (["ctl", "watch", "--json"], ["--socket", "./none"]), (["ctl", "-"], ["--socket", "./none"]),
    (["help", "run"], []),
    (["--version"], []), (["--generate-completion-script", "bash"], []),
  ]

  private static let words = [
    "", "-", "--", "---", "-o", "-h", "--help", "--version", "--size", "--json", "--in", "--tap", "--drag",
    "--passes", "--hold",
    "--replay", "--config", "--pictures", "--explain", "--all", "--trace", "--only", "--profile",
    "--json=true", "--size=0x0",
    "tree.yaml", "none.yaml", "broken.yaml", "tap.evemu", ".", "/dev/null", "/dev/zero", "/dev/full",
    "nan,nan", "inf,1", "1e9,-1e9",
    "5,5:", ",", ":", "x", "8193x1", "0x0", "99999999999999999999x1", "-5,10", "a", "root", "é", "\u{1b}[31m",
    "a\n<0>b", "@x",
    "=", "--=x", "%s%n", "\u{202e}x", "hidden=", "=true", "text=\u{9b}2J", "frame=[0,0,1e9,1e9]",
    "9223372036854775808",
    "grid,grid", "hlk", "1x1mm", String(repeating: "A", count: 9000),
  ]

  private static let mutation = Mutation(
    ["=", ",", "x", ":", "--", "-", "\n", "\u{202e}", " ", "é"], longest: 1 << 14)

  private static let environments = [
    "NOTIFY_SOCKET=@x", "NOTIFY_SOCKET=\u{1}", "NOTIFY_SOCKET=./none", "WATCHDOG_USEC=-1",
    "WATCHDOG_USEC=9223372036854775807",
    "WATCHDOG_USEC=1", "JOURNAL_STREAM=8:1", "XDG_RUNTIME_DIR=", "STATE_DIRECTORY=.",
    "STATE_DIRECTORY=/dev/full", "TERM=",
    "LC_ALL=tr_TR.UTF-8", "FONTCONFIG_FILE=/dev/null", "COLUMNS=-1", "COLUMNS=1", "TZ=:/dev/zero", "HOME=",
  ]

  /// The statuses that are documented. 127 and others are not ours.
  private static let statuses: Set<Int32> = [0, 1, 2, 64, 65, 66, 69, 77, 78]
  /// In KiB.
  private static let mostMemory = 300 << 10
  /// In seconds of processor time.
  private static let longestTime = 5.0

  /// - Throws: `Errno` when the folder cannot be made.
  public init() throws {
    try Child.enterFolder()
    let files = [
      ("tree.yaml", "config/examples/machine.yaml"), ("tap.evemu", "config/demo.evemu"),
      ("logo.png", "docs/panel.png"),
    ]
    for (name, original) in files {
      try FileContents.replace(name, with: Corpus.bytes("\(Corpus.package)/\(original)"))
    }
    try FileContents.replace("broken.yaml", with: Array("windw: [\n".utf8))
  }

  /// - Returns: the rule that was broken, and whether the command did what it was asked.
  public func run(seed: UInt64) -> (fault: String?, isDone: Bool) {
    var random = RandomSource(seed: seed)
    let command = random.pick(Self.commands)
    var arguments = command.changed
    for _ in 0..<Int.random(in: 1...2, using: &random) { change(&arguments, &random) }
    arguments = arguments.map(Self.contained) + command.kept
    let environment = random.oneIn(8) ? [random.pick(Self.environments)] : []
    do {
      let outcome = try Child.run(arguments, environment: environment)
      return (
        fault(in: outcome).map { "\($0)\n  \(environment) touchtree \(arguments)" }, outcome.status == 0
      )
    } catch {
      return ("\(error): touchtree \(arguments)", false)
    }
  }

  private func change(_ arguments: inout [String], _ random: inout RandomSource) {
    let index = Int.random(in: 0...arguments.count, using: &random)
    guard index < arguments.count else { return arguments.append(random.pick(Self.words)) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: arguments.remove(at: index)
    case 1: arguments.insert(random.pick(Self.words), at: index)
    case 2: arguments.insert(arguments[index], at: index)
    case 3: arguments.swapAt(index, Int.random(in: 0..<arguments.count, using: &random))
    case 4: arguments[index] = random.pick(Self.words)
    default:
      var bytes = Array(arguments[index].utf8)
      Self.mutation.apply(to: &bytes, &random)
      // No argument has a zero in it.
      arguments[index] = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }
  }

  /// An argument that writes no file outside of this folder.
  private static func contained(_ argument: String) -> String {
    guard !words.contains(argument) else { return argument }
    let isInside = !argument.hasPrefix("/") && !argument.contains("..") && !argument.contains("=/")
    return isInside ? argument : "x" + argument.filter { $0 != "/" }
  }

  private func fault(in outcome: Child.Outcome) -> String? {
    guard Self.statuses.contains(outcome.status) else {
      return "it ended with \(outcome.status): \(outcome.errors)"
    }
    guard outcome.status < 64 || !outcome.errors.isEmpty else {
      return "status \(outcome.status) without a word"
    }
    guard outcome.processorTime <= Self.longestTime else { return "it took \(outcome.processorTime) s" }
    guard outcome.memory <= Self.mostMemory else { return "it took \(outcome.memory) KiB" }
    let isPicture = outcome.output.contains("PNG\r\n")
    for text in isPicture ? [outcome.errors] : [outcome.errors, outcome.output] {
      guard text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || $0.isShown }) else {
        return "control characters: \(text.debugDescription)"
      }
    }
    return nil
  }
}
