import FolderSupport
import Foundation
import Testing

@testable import TouchCore
@testable import TouchHandlers
@testable import TouchSystem
@testable import TouchViews

/// Commands, by really starting them.
@Suite struct ExecHandlerTests {
  private let folder: TemporaryFolder
  private let stage = Stage()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeHandler(
    on triggers: Set<HandlerTrigger> = [.ended], _ command: [String], _ children: ChildProcesses,
    timeLimit: Double? = nil
  ) throws(Failure) -> ExecHandler {
    try ExecHandler(
      name: "chime", triggers: triggers, command: Command(words: command, path: children.path),
      timeLimit: timeLimit, children: children, logger: stage.logger)
  }

  @Test func `what happened stands in the command's environment, after the daemon's own`() throws {
    let children = ChildProcesses(
      environment: ["PATH=/usr/bin:/bin", "COLOUR=blue", "TOUCHTREE_VIEW=old", "NOTIFY_SOCKET=/run/x"],
      host: stage)
    let record = folder.file("environment")
    stage.panel.handlers = [try makeHandler(["sh", "-c", "env > \"$0\"", record], children)]
    stage.frame(.began, [(1, 412.5, 103)])
    #expect(children.count == 0)
    stage.frame(.ended, [(1, 412.5, 103)], at: 1_234_567)
    finish(children)
    let lines = Set(try contents(of: record).split(separator: "\n").map(String.init))
    let expected: Set<String> = [
      "PATH=/usr/bin:/bin", "COLOUR=blue",
      "TOUCHTREE_VIEW=panel", "TOUCHTREE_RESPONDER=panel", "TOUCHTREE_PHASE=ended", "TOUCHTREE_TOUCH=1",
      "TOUCHTREE_X=12.5", "TOUCHTREE_Y=3", "TOUCHTREE_WINDOW_X=412.5", "TOUCHTREE_WINDOW_Y=103",
      "TOUCHTREE_TAPS=1", "TOUCHTREE_TIME_US=1234567",
    ]
    // The shell adds some of its own.
    #expect(lines.isSuperset(of: expected))
    #expect(lines.filter { $0.hasPrefix("TOUCHTREE_") || $0.hasPrefix("NOTIFY_") }.count == 10)
  }

  @Test func `a pointer starts it where it is to, with what the pointer did in its environment`() throws {
    let children = ChildProcesses(host: stage)
    let record = folder.file("pointer")
    let script = "env | grep -E '^TOUCHTREE_(POINTER|BUTTON|WHEEL|VIEW|RESPONDER|X)' | sort >> \"$0\""
    stage.window.handlers = [
      try makeHandler(
        on: [.pointerEntered, .pointerWheel, .pointerReleased], ["sh", "-c", script, record], children)
    ]
    for kinds: [PointerChange.Kind] in [
      [.moved], [.moved], [.wheel(x: 0, y: -1.5)], [.buttonDown(.right)], [.buttonUp(.right)],
    ] {
      stage.point(kinds, x: 412.5, y: 103)
      finish(children)
    }
    let place = ["TOUCHTREE_RESPONDER=window", "TOUCHTREE_VIEW=panel"]
    let wheel = ["TOUCHTREE_WHEEL_X=0", "TOUCHTREE_WHEEL_Y=-1.5"]
    #expect(
      try contents(of: record).split(separator: "\n").map(String.init) == [
        "TOUCHTREE_BUTTON=", "TOUCHTREE_POINTER=entered",
      ] + place
        + ["TOUCHTREE_X=412.5", "TOUCHTREE_BUTTON=", "TOUCHTREE_POINTER=wheel"] + place + wheel
        + ["TOUCHTREE_X=412.5", "TOUCHTREE_BUTTON=right", "TOUCHTREE_POINTER=released"] + place
        + ["TOUCHTREE_X=412.5"])
  }

  private let environmentOfKeys =
    "env | grep -E '^TOUCHTREE_(PHASE|KEY|CHAR|MOD|TEXT|ACTION|VIEW|RESPONDER)' | sort | tr '\\n' ' ' >> \"$0\""

  @Test func `keys and scanners start it where it is to, with what they type`() throws {
    let children = ChildProcesses(host: stage)
    let record = folder.file("keys")
    stage.window.handlers = [
      try makeHandler(
        on: [.pressBegan, .pressCancelled, .scanned], ["sh", "-c", environmentOfKeys, record], children)
    ]
    let presses = PressDispatcher(window: stage.window)
    let device = DeviceID(rawValue: 3)
    let key = Key(KeyCode(rawValue: 30), characters: "A", modifierFlags: .shift)
    presses.dispatch([PressChange(device: device, kind: .began, key: key)], at: .zero)
    finish(children)
    presses.dispatch([PressChange(device: device, kind: .ended, key: key)], at: .zero)
    #expect(children.count == 0)
    #expect(presses.deliver(Scan("4006", by: device, at: .zero)))
    finish(children)
    #expect(
      try contents(of: record)
        == "TOUCHTREE_CHARACTERS=A TOUCHTREE_KEY=a TOUCHTREE_MODIFIERS=shift TOUCHTREE_PHASE=began "
        + "TOUCHTREE_RESPONDER=window TOUCHTREE_VIEW=window "
        + "TOUCHTREE_RESPONDER=window TOUCHTREE_TEXT=4006 TOUCHTREE_VIEW=window ")
  }

  @Test(arguments: [(false, "Ada"), (true, "")])
  func `what is written in a text field is told, and nothing of a secure one`(
    isSecure: Bool, text: String
  ) throws {
    let children = ChildProcesses(host: stage)
    let record = folder.file("text")
    let field = TextField(id: "field", frame: LocalRect(x: 0, y: 0, width: 100, height: 44))
    field.isSecure = isSecure
    field.handlers = [
      try makeHandler(on: [.editingChanged], ["sh", "-c", environmentOfKeys, record], children)
    ]
    stage.window.addSubview(field)
    field.becomeFirstResponder()
    field.insertText("Ada")
    finish(children)
    #expect(try contents(of: record).contains("TOUCHTREE_ACTION=editingChanged "))
    #expect(try contents(of: record).contains("TOUCHTREE_TEXT=\(text) "))
  }

  @Test func `place and responder are those of the responder that it is attached to`() throws {
    let children = ChildProcesses(host: stage)
    let record = folder.file("place")
    let script = "echo $TOUCHTREE_VIEW $TOUCHTREE_RESPONDER $TOUCHTREE_X,$TOUCHTREE_Y > \"$0\""
    stage.window.handlers = [try makeHandler(["sh", "-c", script, record], children)]
    stage.tap(x: 412.5, y: 103)
    finish(children)
    #expect(try contents(of: record) == "panel window 412.5,103\n")
  }

  @Test func `each of several phases starts it once for each touch`() throws {
    let children = ChildProcesses(host: stage)
    let script = ": > \"$0/$TOUCHTREE_TOUCH-$TOUCHTREE_PHASE\""
    stage.panel.handlers = [
      try makeHandler(on: [.began, .cancelled], ["sh", "-c", script, folder.path], children)
    ]
    stage.frame(.began, [(1, 410, 110), (2, 420, 110)])
    stage.frame(.moved, [(1, 411, 110)])
    stage.frame(.ended, [(1, 411, 110)])
    stage.frame(.cancelled, [(2, 420, 110)])
    finish(children)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == [
        "1-began", "2-began", "2-cancelled",
      ])
  }

  @Test func `words reach the program as they are, through no shell`() throws {
    let children = ChildProcesses(host: stage)
    let name = "$HOME `id` \"x\"; touch y * ü"
    stage.panel.handlers = [try makeHandler(["touch", folder.file(name)], children)]
    stage.tap(x: 410, y: 110)
    finish(children)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  @Test func `it forwards, and hears of actions without minding`() throws {
    let handler = try makeHandler(["true"], ChildProcesses(host: stage))
    stage.panel.handlers = [handler]
    stage.ok.handlers = [handler]
    stage.root.handlers = [TouchLogHandler(name: "log", logger: stage.logger)]
    stage.frame(.began, [(1, 410, 110)])
    stage.frame(.began, [(2, 210, 110)])
    // Those of the button come up the chain.
    #expect(
      stage.takeLog() == ["info began 1 root (410, 110) view panel", "info touchDown 2 ok (10, 10) view ok"])
  }

  @Test func `nothing of the daemon's is handed down, and its output and its errors go to the same place`()
    throws
  {
    let children = ChildProcesses(host: stage)
    let record = folder.file("inherited")
    // Without close-on-exec, as a careless library would open it.
    let careless = open("/dev/null", O_RDONLY)
    defer { close(careless) }
    #expect(careless > 2)
    let script = """
      {
        readlink /proc/$$/fd/0
        test -e /proc/$$/fd/$1 && echo leaked
      } > "$0"
      test "$(readlink /proc/$$/fd/1)" = "$(readlink /proc/$$/fd/2)" && echo same >> "$0"
      """
    stage.panel.handlers = [try makeHandler(["sh", "-c", script, record, "\(careless)"], children)]
    stage.tap(x: 410, y: 110)
    finish(children)
    #expect(try contents(of: record) == "/dev/null\nsame\n")
  }

  @Test func `no signal is blocked or ignored in a command`() throws {
    let children = ChildProcesses(host: stage)
    let record = folder.file("status")
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGCHLD)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let ignoredBefore = signal(SIGUSR2, SIG_IGN)
    defer {
      pthread_sigmask(SIG_SETMASK, &before, nil)
      signal(SIGUSR2, ignoredBefore)
    }
    // No shell: some clear the mask themselves.
    stage.panel.handlers = [try makeHandler(["cp", "/proc/self/status", record], children)]
    stage.tap(x: 410, y: 110)
    finish(children)
    for line in try contents(of: record).split(separator: "\n")
    where line.hasPrefix("SigBlk:") || line.hasPrefix("SigIgn:") {
      let signals = try #require(UInt64(line.suffix(16), radix: 16))
      // glibc keeps 32 and 33 for itself, and ignores them in what it starts.
      #expect(signals & ~(0b11 << 31) == 0, "\(line)")
    }
  }

  @Test func `only its own children are reaped`() throws {
    let stranger = Process()
    stranger.executableURL = URL(fileURLWithPath: "/bin/sleep")
    stranger.arguments = ["600"]
    try stranger.run()
    // Test threads block SIGTERM, and so does what they start by other means.
    defer { kill(stranger.processIdentifier, SIGKILL) }
    let children = ChildProcesses(host: stage)
    stage.panel.handlers = [try makeHandler(["true"], children)]
    stage.tap(x: 410, y: 110)
    let pid = try #require(children.processIDs.first)
    awaitEnd(of: children)
    let status = try contents(of: "/proc/\(pid)/status")
    #expect(status.contains("State:\tZ"))
    children.reap()
    #expect(children.count == 0)
    #expect(kill(pid, 0) == -1)
    #expect(stranger.isRunning)
    #expect(stage.takeLog() == [])
  }

  @Test func `no more than eight run at once, and dropped ones are logged once in ten seconds`() throws {
    let children = ChildProcesses(host: stage)
    stage.panel.handlers = [try makeHandler(on: [.began], ["sleep", "600"], children)]
    stage.frame(.began, (1...10).map { ($0, 405 + Double($0), 110) }, at: 1_000_000)
    stage.frame(.began, [(11, 410, 110)], at: 10_999_999)
    stage.frame(.began, [(12, 410, 110)], at: 11_000_000)
    #expect(children.count == CommandRunner.mostAtOnce)
    #expect(
      stage.takeLog() == [
        "warning handler chime: 8 of sleep still run; not started for began of touch 9 on panel",
        "warning handler chime: 8 of sleep still run; not started for began of touch 12 on panel "
          + "(and 2 times before, not logged)",
      ])
    for pid in children.processIDs { kill(pid, SIGKILL) }
    finish(children)
    #expect(children.count == 0)
    #expect(stage.takeLog() == ["warning handler chime: sleep was ended by signal 9"])
    stage.frame(.began, [(13, 410, 110)], at: 12_000_000)
    #expect(children.count == 1)
    for pid in children.processIDs { kill(pid, SIGKILL) }
    finish(children)
  }

  @Test func `a command that fails is reported with its status`() throws {
    let children = ChildProcesses(host: stage)
    stage.panel.handlers = [try makeHandler(["sh", "-c", "exit 3"], children)]
    stage.tap(x: 410, y: 110)
    finish(children)
    #expect(stage.takeLog() == ["warning handler chime: sh exited with status 3"])
  }

  @Test func `what a command writes is in the log: twenty lines a second, and the others are counted`() throws
  {
    let children = ChildProcesses(host: stage)
    let script = "for i in $(seq 2000); do echo line $i; echo same >&2; done; exit 3"
    stage.panel.handlers = [try makeHandler(["sh", "-c", script], children)]
    stage.tap(x: 410, y: 110)
    finish(children)
    let log = stage.takeLog()
    #expect(log.prefix(2) == ["info handler chime: line 1", "info handler chime: same"])
    let counted = log.compactMap { $0.firstMatch(of: /wrote ([0-9]+) more lines, which are not logged/) }
    let written = log.count { $0.hasPrefix("info handler chime: ") }
    #expect(counted.reduce(written) { $0 + (Int($1.1) ?? 0) } == 4000)
    #expect(log.last == "warning handler chime: sh exited with status 3")
  }

  @Test func `a line that a command repeats is in the log once in ten seconds`() throws {
    let children = ChildProcesses(host: stage)
    stage.panel.handlers = [try makeHandler(["echo", "ding"], children)]
    for _ in 0..<3 {
      stage.tap(x: 410, y: 110)
      finish(children)
    }
    #expect(stage.takeLog().count { $0 == "info handler chime: ding" } < 3)
  }

  @Test func `a command that was removed is reported`() throws {
    let children = ChildProcesses(host: stage)
    let program = try folder.write("#!/bin/sh\n", to: "ding", mode: 0o755)
    stage.panel.handlers = [try makeHandler([program], children)]
    try FileManager.default.removeItem(atPath: program)
    stage.tap(x: 410, y: 110)
    #expect(children.count == 0)
    #expect(
      stage.takeLog() == [
        "warning handler chime: \(program) cannot be started: No such file or directory; correct the path"
      ])
  }

  @Test func `children outlive the handler that started them, and are still waited for`() throws {
    let children = ChildProcesses(host: stage)
    stage.panel.handlers = [try makeHandler(["true"], children)]
    stage.tap(x: 410, y: 110)
    stage.panel.handlers = []
    finish(children)
    #expect(children.count == 0)
  }

  @Test func `a command that cannot be used is rejected when it is configured`() throws {
    try folder.write("#!/bin/sh\n", to: "plain", mode: 0o644)
    let children = ChildProcesses(environment: ["PATH=/nowhere::\(folder.path)"], host: stage)
    func failure(_ command: [String]) -> String {
      do throws(Failure) {
        _ = try makeHandler(command, children)
        return "none"
      } catch {
        return "\(error)".replacingOccurrences(of: folder.path, with: "DIR")
      }
    }
    #expect(failure([]) == "the command is empty; give a list of words, the program first")
    #expect(failure([""]) == "the command is empty; give a list of words, the program first")
    #expect(
      failure(["aplay", "ding.wav"])
        == "command aplay: not found in PATH; install it, or give its full path")
    #expect(
      failure(["plain"])
        == "command plain: cannot execute DIR/plain: Permission denied; run: chmod a+x DIR/plain"
    )
    #expect(failure([folder.path]).hasPrefix("command DIR: cannot execute DIR: it is not a file"))
    #expect(
      failure(["/nowhere/ding"]).hasPrefix(
        "command /nowhere/ding: cannot execute /nowhere/ding: No such file or directory"))
    chmod(folder.file("plain"), 0o755)
    #expect(failure(["plain"]) == "none")
  }

  @Test(arguments: [
    (
      "",
      "it is neither a program nor a script: let its first line be #! and an interpreter, such as #!/bin/sh"
    ),
    (
      "aplay ding.wav\n",
      "it is neither a program nor a script: let its first line be #! and an interpreter, such as #!/bin/sh"
    ),
    ("#!\n", "its first line names no interpreter; let it be #!/bin/sh, for example"),
    (
      "#! /usr/bin/pyton3 -u\n",
      "its first line names /usr/bin/pyton3, which is not there or cannot be executed; correct that line, or install "
        + "/usr/bin/pyton3"
    ),
    (
      "#!/bin/sh\r\ntrue\r\n",
      "its lines end with a carriage return, which counts as part of the interpreter's name; "
        + #"run: sed -i 's/\r$//' DIR/bell"#
    ),
    ("#!/bin/sh\ntrue\n", "none"), ("#!\t/bin/sh", "none"), ("\u{7f}ELF\0", "none"),
  ])
  func `a script that the kernel would not start is rejected with the reason`(text: String, reason: String)
    throws
  {
    let bell = try folder.write(text, to: "bell", mode: 0o755)
    #expect(
      refusal(of: bell)
        == (reason == "none" ? reason : "command DIR/bell: cannot execute DIR/bell: " + reason))
  }

  @Test func `a tilde is not a home folder, and a folder that may not be entered is not a missing mode`()
    throws
  {
    #expect(
      refusal(of: folder.file("~/bell")).hasSuffix(
        "no shell reads it, so ~ does not stand for a home folder; write that folder's whole path"))
    try FileManager.default.createDirectory(atPath: folder.file("~"), withIntermediateDirectories: true)
    try folder.write("#!/bin/sh\n", to: "~/bell", mode: 0o755)
    #expect(refusal(of: folder.file("~/bell")) == "none")
  }

  @Test func `in a service the message says that the unit hides the home folders`() {
    let service = ["INVOCATION_ID": "0", "SYSTEMD_EXEC_PID": "\(getpid())"]
    let remedy = HiddenFolder.remedy(for: "/home/pi/bell.sh") { service[$0] }
    #expect(remedy?.contains("ProtectHome=") == true)
    #expect(remedy?.contains("systemctl edit touchtree") == true)
    #expect(HiddenFolder.remedy(for: "/run/user/1000/bell.sh") { service[$0] } != nil)
    #expect(HiddenFolder.remedy(for: "/homes/bell.sh") { service[$0] } == nil)
    #expect(HiddenFolder.remedy(for: "/home/pi/bell.sh") { _ in nil } == nil)
    // A shell in a terminal that is a service.
    #expect(
      HiddenFolder.remedy(for: "/home/pi/bell.sh") { ["INVOCATION_ID": "0", "SYSTEMD_EXEC_PID": "1"][$0] }
        == nil)
  }

  private func refusal(of program: String) -> String {
    do throws(Failure) {
      _ = try Command(words: [program], path: "")
      return "none"
    } catch {
      return "\(error)".replacingOccurrences(of: folder.path, with: "DIR")
    }
  }
}

/// Waits until every child has ended, without taking leave of them.
private func awaitEnd(of children: ChildProcesses) {
  for pid in children.processIDs {
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
  }
}

private func finish(_ children: ChildProcesses) {
  awaitEnd(of: children)
  children.reap()
}

/// What starts a command besides phases of touches.
@Suite struct ExecOccasionTests {
  private let folder: TemporaryFolder
  private let stage = Stage()
  private let children: ChildProcesses

  init() throws {
    folder = try TemporaryFolder()
    children = ChildProcesses(host: stage)
  }

  /// Has what starts it written down, one line for each process.
  private func attach(_ triggers: Set<HandlerTrigger>, to view: View) throws {
    let script = "echo $TOUCHTREE_VIEW $TOUCHTREE_PHASE $TOUCHTREE_ACTION >> \"$0\""
    view.handlers.append(
      ExecHandler(
        name: "chime", triggers: triggers,
        command: try Command(words: ["sh", "-c", script, folder.file("record")], path: children.path),
        timeLimit: nil, children: children, logger: stage.logger))
  }

  /// In the order in which they were started, since each ends before the next event.
  private func record() throws -> [String] {
    FileManager.default.fileExists(atPath: folder.file("record"))
      ? try contents(of: folder.file("record")).split(separator: "\n").map(String.init) : []
  }

  private func frame(_ kind: ContactChange.Kind, x: Double, y: Double) {
    stage.frame(kind, [(1, x, y)])
    finish(children)
  }

  @Test func `a press of a button starts it once, and a finger that slid off does not`() throws {
    try attach([.pressed, .touchUpInside], to: stage.ok)
    frame(.began, x: 210, y: 110)
    frame(.ended, x: 210, y: 110)
    #expect(try record() == ["ok ended touchUpInside"])
    frame(.began, x: 210, y: 110)
    frame(.moved, x: 600, y: 400)
    frame(.ended, x: 600, y: 400)
    frame(.began, x: 210, y: 110)
    frame(.cancelled, x: 210, y: 110)
    #expect(try record() == ["ok ended touchUpInside"])
  }

  @Test func `a plain view is pressed when the finger lifts inside it`() throws {
    try attach([.pressed], to: stage.panel)
    frame(.began, x: 410, y: 110)
    frame(.ended, x: 410, y: 110)
    frame(.began, x: 410, y: 110)
    frame(.moved, x: 390, y: 110)
    frame(.ended, x: 390, y: 110)
    frame(.began, x: 410, y: 110)
    frame(.cancelled, x: 410, y: 110)
    #expect(try record() == ["panel ended"])
  }

  @Test func `every action of a control can start it`() throws {
    try attach([.touchDown, .touchDragExit, .touchDragOutside, .touchUpOutside, .touchCancel], to: stage.ok)
    frame(.began, x: 210, y: 110)
    frame(.moved, x: 600, y: 400)
    frame(.ended, x: 600, y: 400)
    frame(.began, x: 210, y: 110)
    frame(.cancelled, x: 210, y: 110)
    #expect(
      Set(try record()) == [
        "ok began touchDown", "ok moved touchDragExit", "ok moved touchDragOutside",
        "ok ended touchUpOutside",
        "ok cancelled touchCancel",
      ])
  }

  /// How often each trigger starts a command in `everything()`.
  static let triggers: [(HandlerTrigger, Int)] = [
    (.began, 5), (.moved, 4), (.ended, 4), (.cancelled, 1), (.pressed, 3), (.touchDown, 5),
    (.touchDownRepeat, 1), (.touchDragInside, 2), (.touchDragOutside, 2), (.touchDragEnter, 1),
    (.touchDragExit, 2), (.touchUpInside, 3), (.touchUpOutside, 1), (.touchCancel, 1), (.valueChanged, 1),
    (.pointerEntered, 1), (.pointerMoved, 1), (.pointerLeft, 1), (.pointerWheel, 1), (.pointerPressed, 2),
    (.pointerReleased, 1), (.pointerCancelled, 1), (.entered, 0), (.left, 0), (.rowAction, 0),
    (.editingBegan, 0), (.editingChanged, 0), (.editingEnded, 0), (.returned, 0), (.pressBegan, 0),
    (.pressChanged, 0), (.pressEnded, 0), (.pressCancelled, 0), (.scanned, 0),
  ]

  @Test func `every trigger has its row`() {
    #expect(Set(Self.triggers.map(\.0)) == Set(HandlerTrigger.allCases))
  }

  @Test(arguments: triggers)
  func `each trigger starts the command as often as it happens, and at nothing else`(
    trigger: HandlerTrigger, count: Int
  ) throws {
    try attach([trigger], to: stage.ok)
    try everything()
    #expect(try record().count == count)
  }

  @Test(arguments: [HandlerTrigger.entered, .left])
  func `a finger that slides over a key and on enters it once and leaves it once`(trigger: HandlerTrigger)
    throws
  {
    for view in [stage.ok, stage.panel] { view.tracking = .slideOver }
    try attach([trigger], to: stage.ok)
    frame(.began, x: 410, y: 110)
    frame(.moved, x: 210, y: 110)
    frame(.moved, x: 410, y: 110)
    frame(.ended, x: 410, y: 110)
    #expect(try record() == ["panel \(trigger.rawValue)"])
  }

  /// A press with a detour, a double tap, a finger that slides off, one that is cancelled, another value, and
  /// a mouse.
  private func everything() throws {
    func finger(_ steps: [(ContactChange.Kind, Double)], at second: Double) {
      for (kind, x) in steps {
        stage.frame(kind, [(1, x, 110)], at: Int64(second * 1_000_000))
        finish(children)
      }
    }
    finger([(.began, 210), (.moved, 211), (.moved, 600), (.moved, 210), (.ended, 210)], at: 1)
    finger([(.began, 210), (.ended, 210)], at: 9)
    finger([(.began, 210), (.ended, 210)], at: 9.1)
    finger([(.began, 210), (.moved, 600), (.ended, 600)], at: 20)
    finger([(.began, 210), (.cancelled, 210)], at: 30)
    let touch = Touch(
      id: 9, contact: ContactID(device: DeviceID(rawValue: 7), serial: 9), location: .zero, timestamp: .zero,
      attributes: ContactAttributes())
    stage.ok.send(.valueChanged, touch, Event())
    for kind: PointerChange.Kind in [
      .moved, .moved, .wheel(x: 0, y: 1), .buttonDown(.right), .buttonUp(.right), .buttonDown(.right),
    ] {
      stage.point([kind], x: 210, y: 110)
      finish(children)
    }
    stage.losePointer()
    finish(children)
  }
}
