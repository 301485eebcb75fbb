import FolderSupport
import Foundation
import Logging
import Testing

@testable import TouchCore
@testable import TouchHandlers
@testable import TouchJSON
@testable import TouchSystem
@testable import TouchViews

/// Process handlers, by really starting shells.
@Suite struct ProcessHandlerTests {
  private let stage = Stage()
  private let folder: TemporaryFolder
  private let children: ChildProcesses

  init() throws {
    // As the daemon does: a child may close its input.
    signal(SIGPIPE, SIG_IGN)
    folder = try TemporaryFolder()
    children = ChildProcesses(environment: ["PATH=/usr/bin:/bin"], host: stage)
  }

  /// Starts a script as the handler of the panel.
  @discardableResult
  private func start(
    _ script: String, wants: Set<ProcessEvent> = ProcessEvent.usual, forwards: Bool = true
  ) throws -> ProcessHandler {
    let factory = HandlerFactory(plugins: PluginLocator(folders: []), children: children, host: stage)
    let settings = HandlerSettings(
      name: "climate",
      kind: .process(
        command: ["sh", "-c", script], wants: wants, configJSON: #"{"room":"kitchen"}"#, forwards: forwards))
    let handlers = try factory.make([settings])
    handlers.begin(in: stage.peers)
    let handler = try #require(handlers["climate"] as? ProcessHandler)
    stage.panel.handlers = [handler]
    return handler
  }

  /// Lets the loop turn until something is so; false if that takes too long.
  private func turn(until isDone: @escaping () -> Bool) throws -> Bool {
    let loop = stage.peers.loop
    let end = Date(timeIntervalSinceNow: 30)
    let timer = loop.addTimer(milliseconds: 5, repeats: true) { [children] in
      children.reap()
      if isDone() || Date() > end { loop.stop() }
    }
    defer { loop.cancelTimer(timer) }
    try loop.run()
    return isDone()
  }

  private func end() {
    stage.panel.handlers = []
    stage.peers.endProcesses(because: "end")
    children.endAndReap()
  }

  /// Reads a line, and answers that it is ready.
  private static let ready = #"read -r hello; echo '{"type":"ready","protocol":1}'; "#

  @Test func `it is greeted with its name, its configuration and the window, and gets what it wants`() throws
  {
    let record = folder.file("record")
    stage.deviceName = "panel"
    let handler = try start(
      #"read -r hello; echo "$hello" >\#(record); "#
        + #"echo '{"type":"ready","protocol":1,"wants":["began","moved","ended"]}'; cat >>\#(record)"#)
    #expect(try turn { handler.state == .running })
    stage.frame(.began, [(1, 412.5, 103)])
    stage.frame(.moved, [(1, 413, 104)])
    stage.frame(.cancelled, [(1, 413, 104)])
    stage.frame(.began, [(2, 412.5, 103)])
    stage.frame(.ended, [(2, 412.5, 103)])
    #expect(stage.peers.send(to: "climate", from: "warmer", message: #"{"step":1}"#))
    #expect(!stage.peers.send(to: "other", from: "warmer", message: "1"))
    #expect(try turn { (try? contents(of: record).contains("warmer")) ?? false })
    end()
    let lines = try contents(of: record).split(separator: "\n").map { try JSONReader.read(String($0)) }
    #expect(lines[0]["handler"] == .text("climate"))
    #expect(lines[0]["config"]?["room"] == .text("kitchen"))
    #expect(lines[0]["window"] == .object([.init("width", .integer(800)), .init("height", .integer(480))]))
    let touches = lines.filter { $0["type"] == .text("touch") }
    #expect(touches.map { $0["phase"]?.text } == ["began", "moved", "began", "ended"])
    #expect(touches[0]["x"] == .real(12.5) && touches[0]["window_y"] == .integer(103))
    #expect(touches[0]["view"] == .text("panel") && touches[0]["device"] == .text("panel"))
    #expect(touches[0]["path"] == .array([.text("panel"), .text("root")]))
    #expect(lines.contains { $0["type"] == .text("message") && $0["message"]?["step"] == .integer(1) })
    #expect(lines.last?["type"] == .text("bye"))
  }

  @Test
  func `a process that is declared as before goes on, and another one ends before its successor starts`()
    throws
  {
    func declaration(_ name: String, _ number: Int) -> HandlerSettings {
      let record = folder.file(name)
      let script =
        #"while read -r line; do echo "$line" >>\#(record); "#
        + #"case $line in *hello*) echo '{"type":"ready"}';; esac; done; echo gone >>\#(record); echo left >&2"#
      return HandlerSettings(
        name: name,
        kind: .process(
          command: ["sh", "-c", script], wants: [], configJSON: "{\"number\":\(number)}", forwards: true))
    }
    let factory = HandlerFactory(plugins: PluginLocator(folders: []), children: children, host: stage)
    func areRunning(_ handlers: DeclaredHandlers, _ names: [String]) -> Bool {
      names.allSatisfy { (handlers[$0] as? ProcessHandler)?.state == .running }
    }
    let first = try factory.make(["kept", "changed", "removed"].map { declaration($0, 1) })
    first.begin(in: stage.peers)
    #expect(try turn { areRunning(first, ["kept", "changed", "removed"]) })
    let next = ["kept", "changed", "added"].map { declaration($0, $0 == "changed" ? 2 : 1) }
    let second = try factory.make(next, keeping: first)
    func process(_ handlers: DeclaredHandlers, _ name: String) -> ProcessHandler? {
      handlers[name] as? ProcessHandler
    }
    #expect(process(second, "kept") === process(first, "kept"))
    #expect(process(second, "changed") !== process(first, "changed"))
    second.begin(in: stage.peers, replacing: first)
    let isReplaced = try turn { [children] in
      areRunning(second, ["kept", "changed", "added"]) && children.count == 3
    }
    #expect(isReplaced)
    #expect(stage.peers.processes.map(\.name) == ["kept", "changed", "added"])
    let changed = try contents(of: folder.file("changed")).split(separator: "\n")
    #expect(changed.count == 4 && changed[0].contains("\"number\":1"), "\(changed)")
    #expect(changed[1] == #"{"type":"bye","reason":"reload"}"# && changed[2] == "gone")
    #expect(changed.last?.contains("\"number\":2") == true)
    #expect(try contents(of: folder.file("kept")).split(separator: "\n").count == 1)
    #expect(try contents(of: folder.file("removed")).contains("reload"))
    let log = stage.takeLog()
    #expect(
      log.contains("info handler changed: left") && log.contains("info handler removed: left"), "\(log)")
    end()
  }

  @Test func `a process that ignores that it is replaced is ended, and then its successor starts`() throws {
    func declaration(_ config: String) -> HandlerSettings {
      HandlerSettings(
        name: "deaf",
        kind: .process(
          command: ["sh", "-c", Self.ready + "trap '' TERM; while :; do sleep 1; done"], wants: [],
          configJSON: config, forwards: true))
    }
    let factory = HandlerFactory(plugins: PluginLocator(folders: []), children: children, host: stage)
    let first = try factory.make([declaration("{}")])
    first.begin(in: stage.peers)
    #expect(try turn { (first["deaf"] as? ProcessHandler)?.state == .running })
    let second = try factory.make([declaration("[]")], keeping: first)
    second.begin(in: stage.peers, replacing: first)
    let successor = try #require(second["deaf"] as? ProcessHandler)
    // The moment, and the time between SIGTERM and SIGKILL.
    stage.fireTimers()
    #expect(successor.state == .waiting)
    stage.fireTimers()
    let isReplaced = try turn { [children] in successor.state == .running && children.count == 1 }
    #expect(isReplaced)
    end()
  }

  @Test(arguments: [true, false])
  func `whether the next responder gets the touches is what the file says`(forwards: Bool) throws {
    try start("sleep 60", forwards: forwards)
    var seen = 0
    final class Counter: Handler {
      let name = "counter"
      let count: () -> Void
      init(_ count: @escaping () -> Void) { self.count = count }
      func handle(
        _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
      ) -> Disposition {
        count()
        return .forward
      }
    }
    stage.root.handlers = [Counter { seen += 1 }]
    stage.tap(x: 450, y: 150)
    #expect(seen == (forwards ? 2 : 0))
    stage.root.handlers = []
    end()
  }

  @Test func `it gets what a control sends, and the value that a touch changed`() throws {
    let record = folder.file("record")
    let handler = try start(Self.ready + "cat >\(record)")
    stage.ok.handlers = [handler]
    #expect(try turn { handler.state == .running })
    stage.tap(x: 210, y: 110)
    stage.ok.controlValue = ControlValue(0.25)
    let touch = Touch(
      id: 9, contact: ContactID(device: DeviceID(rawValue: 7), serial: 9), location: .zero, timestamp: .zero,
      attributes: ContactAttributes())
    stage.ok.send(.valueChanged, touch, Event())
    #expect(try turn { (try? contents(of: record).contains("0.25")) ?? false })
    stage.ok.handlers = []
    end()
    let lines = try contents(of: record).split(separator: "\n").map { try JSONReader.read(String($0)) }
    #expect(lines.compactMap { $0["action"]?.text } == ["touchDown", "touchUpInside", "valueChanged"])
    #expect(lines.contains { $0["type"] == .text("value") && $0["value"] == .real(0.25) })
  }

  @Test func `its requests are answered if they have an id, and its mistakes are logged`() throws {
    let record = folder.file("record")
    var done: [String] = []
    stage.onRequest = { request, peer in
      if case .set(let view, _, _) = request.body { done.append(view) }
      peer.acknowledge(request.id)
    }
    try start(
      Self.ready
        + #"echo '{"type":"set","view":"a","properties":{}}'; echo '{"type":"set","view":"b","properties":{},"id":5}'; "#
        + #"echo nonsense; echo oh >&2; head -n 1 >\#(record); sleep 60"#)
    var log: [String] = []
    #expect(
      try turn {
        log += stage.takeLog()
        return (try? contents(of: record).isEmpty) == false && done.count == 2 && log.count >= 2
      })
    #expect(try contents(of: record) == #"{"type":"done","id":5}"# + "\n")
    end()
    log += stage.takeLog()
    #expect(log.contains("info handler climate: oh"))
    #expect(log.contains { $0.hasPrefix("warning handler climate: sh: its output is not the protocol's") })
  }

  /// Whichever is noticed first: that it is gone, or that it no longer reads.
  @Test(arguments: [false, true])
  func `what it writes just before it ends is done, before it is started again`(_ isWrittenTo: Bool) throws {
    var done: [String] = []
    stage.onRequest = { request, _ in
      if case .set(let view, _, _) = request.body { done.append(view) }
    }
    let go = folder.file("go")
    let handler = try start(
      Self.ready + "while [ ! -e \(go) ]; do sleep 0.01; done; "
        + #"echo '{"type":"set","view":"a","properties":{}}'; printf '{"type":"set","view":"b","properties":{}}'"#
    )
    #expect(try turn { handler.state == .running })
    let pid = try #require(children.processIDs.first)
    try folder.write("", to: "go")
    // It has ended before the loop turns.
    while try !contents(of: "/proc/\(pid)/stat").contains(") Z ") { usleep(1000) }
    if isWrittenTo {
      _ = stage.peers.send(to: "climate", from: "a", message: "1")
      stage.peers.flush()
    }
    children.reap()
    #expect(handler.state == .waiting && done.isEmpty)
    #expect(try turn { done == ["a", "b"] })
    end()
    #expect(stage.takeLog().contains { $0.contains("exited with status 0; it is started again") })
  }

  @Test func `each different mistake is a line at once, and one that is made again is counted`() throws {
    stage.onRequest = { request, peer in
      guard case .set(let view, _, _) = request.body else { return peer.acknowledge(request.id) }
      peer.refuse(RequestError(id: request.id, message: "there is no view '\(view)'"))
    }
    let handler = try start(
      Self.ready
        + #"for view in a b c a b a; do echo '{"type":"set","view":"'$view'","properties":{}}'; done; "#
        + #"echo '{"type":"set"}'; i=0; while [ $i -lt 50 ]; do i=$((i+1)); "#
        + #"echo '{"type":"set","view":"v'$i'","properties":{}}'; done; "#
        // It ends when all of it was read.
        + #"echo '{"type":"tree","id":1}'; read -r answer; exit 1"#)
    #expect(try turn { handler.state == .waiting })
    end()
    let log = stage.takeLog().filter { $0.contains("handler climate: sh: ") }
    for view in ["a", "b", "c", "v1", "v20"] {
      #expect(
        log.count { $0.hasSuffix("a request is not done: there is no view '\(view)'") } == 1,
        "\(view): \(log)")
    }
    #expect(log.contains { $0.contains("\"view\" is missing") })
    // More kinds than are told apart, and the last line has the rest.
    #expect(log.count == MistakeLog.mostKinds + 2, "\(log)")
    #expect(
      log.last?.hasSuffix(
        "it made \(3 + 4 + 50 - MistakeLog.mostKinds - 1) more mistakes that it had made before") == true,
      "\(log)")
  }

  @Test func `a mistake that goes on is logged again after a while, with its count`() {
    var log = MistakeLog(interval: 10)
    func admit(_ message: String, _ second: Int64) -> String? {
      log.admit(message, at: Timestamp(microseconds: second * 1_000_000))
    }
    #expect(admit("a", 0) == "" && admit("b", 1) == "")
    #expect((1...9).allSatisfy { admit("a", $0) == nil })
    #expect(admit("a", 10) == " (and 9 times before, not logged)")
    #expect(admit("b", 20) == "" && log.takeUnlogged() == 0)
  }

  /// In seconds, between ready and the end.
  @Test(arguments: [(9, 4000), (11, 500), (3600, 500)])
  func `a process that ran for long enough did not fail again`(seconds: Int64, delay: Int) throws {
    var time = Timestamp(microseconds: 1_000_000)
    let command = try Command(
      words: ["sh", "-c", Self.ready + "read -r x; exit 1"], path: "/usr/bin:/bin", trust: nil)
    let handler = ProcessHandler(
      name: "climate", command: command, wants: ProcessEvent.usual, configJSON: "{}", forwards: true,
      children: children, host: stage
    ) { time }
    stage.peers.processes = [handler]
    handler.start()
    var delays: [Int] = []
    for life in 1...4 {
      #expect(try turn { handler.state == .running })
      if life == 4 { time = time.advanced(byMicroseconds: seconds * 1_000_000) }
      #expect(stage.peers.send(to: "climate", from: "a", message: "1"))
      #expect(try turn { handler.restarts == life })
      delays = stage.timers.values.map(\.milliseconds)
      stage.fireTimers()
    }
    #expect(delays == [delay])
    end()
  }

  struct Fault {
    var script: String
    var reason: String
    /// Whether the time for `ready` is over.
    var isLate = false
  }

  @Test(arguments: [
    Fault(script: "exit 3", reason: "exited with status 3"),
    Fault(script: ready + "kill -9 $$", reason: "was ended by signal 9"),
    Fault(script: "sleep 60", reason: "sent no {\"type\":\"ready\"} within 5 s", isLate: true),
    Fault(
      script: "read -r x; echo '{\"type\":\"ready\",\"protocol\":9}'; sleep 60", reason: "speaks protocol 9"),
    Fault(
      script: "read -r x; echo '{\"type\":\"ready\",\"wants\":[\"all\"]}'; sleep 60",
      reason: "wants \"all\", which is no event; give some of began"),
    Fault(
      script: "read -r x; echo '{\"type\":\"ready\",\"wants\":[\"value\",\"actoin\"]}'; sleep 60",
      reason: "wants \"actoin\", which is no event; did you mean \"action\"?"),
    Fault(
      script: "read -r x; echo '{\"type\":\"ready\",\"wants\":\"all\"}'; sleep 60",
      reason: "wants \"all\", which is not a list of began"),
    // What it started has its pipes.
    Fault(script: ready + "sleep 60 & exit 3", reason: "exited with status 3"),
    Fault(script: ready + "exec <&-; sleep 60", reason: "closed its input"),
    Fault(script: ready + "cat /dev/zero", reason: "wrote a line that is longer than 65536 bytes"),
    Fault(script: ready + "yes", reason: "wrote 100 lines that are not the protocol's"),
  ])
  func `a child that fails is started again, and the log says why`(fault: Fault) throws {
    let handler = try start(fault.script)
    if fault.isLate {
      stage.fireTimers()
    } else if fault.reason == "closed its input" {
      #expect(try turn { handler.state == .running })
      // The child closes it after it was ready.
      #expect(
        try turn {
          _ = stage.peers.send(to: "climate", from: "a", message: "1")
          return handler.state == .waiting
        })
    }
    #expect(try turn { handler.state == .waiting && handler.restarts == 1 })
    let log = stage.takeLog()
    #expect(
      log.contains { $0.contains(fault.reason) && $0.hasSuffix("it is started again in 0.5 s") }, "\(log)")
    #expect(stage.timers.values.map(\.milliseconds).contains(500))
    stage.fireTimers()
    #expect(handler.state == .starting)
    end()
    #expect(children.count == 0)
  }

  @Test func `one that was ready in time is not ended when that time is over`() throws {
    let handler = try start(Self.ready + "sleep 60")
    #expect(stage.timers.values.map(\.milliseconds) == [5000])
    #expect(try turn { handler.state == .running })
    #expect(stage.timers.isEmpty)
    stage.fireTimers()
    #expect(handler.state == .running && handler.restarts == 0)
    end()
  }

  @Test func `of a touch that began before it was ready it gets nothing`() throws {
    let record = folder.file("record")
    let handler = try start(Self.ready + "cat >\(record)", wants: [.began, .moved, .ended])
    stage.frame(.began, [(1, 450, 150)])
    #expect(try turn { handler.state == .running })
    stage.frame(.moved, [(1, 460, 150)])
    stage.frame(.ended, [(1, 460, 150)])
    stage.tap(x: 470, y: 150, serial: 2)
    #expect(try turn { (try? contents(of: record).contains("ended")) ?? false })
    end()
    let lines = try contents(of: record).split(separator: "\n").map { try JSONReader.read(String($0)) }
    let touches = lines.filter { $0["type"] == .text("touch") }
    #expect(touches.map { $0["phase"]?.text } == ["began", "ended"])
    #expect(touches.allSatisfy { $0["window_x"] == .integer(470) })
  }

  @Test func `one that fails five times in a row is given up visibly, and still tried every half minute`()
    throws
  {
    let handler = try start("exit 1")
    var delays: [Int] = []
    for count in 1...6 {
      #expect(try turn { handler.restarts == count })
      delays += stage.timers.values.map(\.milliseconds)
      stage.fireTimers()
    }
    #expect(delays == [500, 1000, 2000, 4000, 30_000, 30_000])
    let log = stage.takeLog()
    #expect(log.count == 5)
    #expect(log.last?.hasPrefix("error handler climate: sh failed 5 times in a row") == true)
    end()
  }

  @Test(arguments: ["sleep 60", "kill -STOP $$; sleep 60"])
  func `one that reads nothing is started again when a megabyte waits for it`(script: String) throws {
    let handler = try start(Self.ready + script, wants: [.began, .moved, .ended])
    #expect(try turn { handler.state == .running })
    // Moves are replaced; they alone never fill the queue.
    stage.frame(.began, [(1, 450, 150)])
    for step in 0..<8000 { stage.frame(.moved, [(1, 450 + Double(step % 50), 150)]) }
    #expect(handler.state == .running)
    for serial in 2..<5000 { stage.tap(x: 450, y: 150, serial: serial) }
    let isStopped = script.contains("STOP")
    let isRestarted = try turn { [stage] in
      // One that is stopped takes no SIGTERM: it is killed a second later.
      if isStopped { stage.fireTimers() }
      return handler.restarts == 1
    }
    #expect(isRestarted)
    #expect(stage.takeLog().contains { $0.contains("did not read, and 1 MiB waited for it") })
    end()
  }

  @Test func `a flood on standard error is counted, not logged`() throws {
    let handler = try start(
      Self.ready + "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo line $i >&2; done; exec 2>&-; sleep 60")
    #expect(try turn { handler.state == .running })
    var lines: [String] = []
    #expect(
      try turn {
        lines += stage.takeLog()
        return lines.contains { $0.contains("more lines, which are not logged") }
      })
    #expect(lines.count { $0.hasPrefix("info handler climate: line") } < 500)
    end()
  }

  @Test(arguments: [false, true])
  func `one that ends by itself does not leave helpers to its successor`(isDeaf: Bool) throws {
    let record = folder.file("record")
    try start(
      """
      (\(isDeaf ? "trap '' TERM; " : "")echo "$(exec sh -c 'echo $PPID')" >\(record).new
      mv \(record).new \(record); while :; do sleep 1; done) </dev/null >/dev/null 2>&1 &
      while [ ! -e \(record) ]; do sleep 0.01; done
      """)
    let hasEnded = try turn { [children] in children.count == 0 }
    #expect(hasEnded)
    let helper = try #require(Int32(try contents(of: record).trimmingCharacters(in: .newlines)))
    if isDeaf {
      #expect(isAlive(helper))
      // SIGKILL, and the next start.
      stage.fireTimers()
    }
    let isGone = try turn { !isAlive(helper) }
    #expect(isGone)
    end()
  }

  @Test func `it says goodbye at the end, and ends what does not go`() throws {
    let record = folder.file("record")
    let handler = try start(
      #"trap '' TERM; "# + Self.ready
        + #"while read -r line; do echo "$line" >>\#(record); done; sleep 60 & sleep 60"#)
    #expect(try turn { handler.state == .running })
    end()
    #expect(children.count == 0)
    #expect(try contents(of: record) == #"{"type":"bye","reason":"end"}"# + "\n")
  }

  @Test func `it has its own process group, no descriptor but its lifeline, and no blocked signals`() throws {
    let record = folder.file("record")
    let handler = try start(
      #"ls /proc/self/fd >\#(record); grep -E '^Sig(Blk|Ign)' /proc/self/status >>\#(record); "#
        + #"[ "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ ] && echo own >>\#(record); "# + Self.ready + "sleep 60"
    )
    #expect(try turn { handler.state == .running })
    end()
    let lines = try contents(of: record).split(separator: "\n").map(String.init)
    // What ls reads is 3.
    #expect(lines.filter { Int($0) != nil } == ["0", "1", "2", "3", "63"])
    #expect(lines.contains("SigBlk:\t0000000000000000") && lines.contains("SigIgn:\t0000000000000000"))
  }
}
