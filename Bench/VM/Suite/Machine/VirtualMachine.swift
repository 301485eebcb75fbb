import Foundation
import VMPictures

/// A Debian kernel in QEMU, without KVM. Use it from one test at a time.
///
/// QEMU runs under `Bench/VM/boot`, which kills it as soon as this process closes its end of a pipe, even
/// when that is because this process crashed.
actor VirtualMachine {
  /// The display hardware.
  enum Display {
    /// 1280×800 with 32 bits, by the kernel's bochs driver.
    case bochs
    case none
    /// Adapters as QEMU's `-device` takes them, and arguments of the kernel and of its modules.
    case adapters([String], kernel: String)
    /// An adapter, and a monitor whose size can be changed: `resize(to:)`.
    case resizable(String, kernel: String)

    fileprivate var devices: [String] {
      switch self {
      case .bochs: ["bochs-display"]
      case .none: []
      case .adapters(let adapters, kernel: _): adapters
      case .resizable(let adapter, kernel: _): [adapter]
      }
    }

    fileprivate var isResizable: Bool {
      if case .resizable = self { true } else { false }
    }

    fileprivate var kernelArguments: String {
      switch self {
      case .bochs, .none: ""
      case .adapters(_, let arguments), .resizable(_, let arguments): arguments
      }
    }
  }

  /// The output and the status of a command.
  struct Output: Sendable {
    var status: Int32
    var stdout: String
    var stderr: String
  }

  /// The host's side of /shared.
  nonisolated let shared: URL
  /// From starting QEMU to the guest's being ready.
  private(set) var bootTime = Duration.zero

  private let serialLog: URL
  private let boot = Process()
  private let lifeline = Pipe()
  private let agent: LineSocket
  private let monitor: Monitor
  /// Nil unless the display is resizable.
  private var viewer: RemoteViewer?
  private var jobCount = 0
  private var folderCount = 0
  private var running: [Int: GuestProcess] = [:]

  /// Boots, and returns when the guest takes commands.
  ///
  /// - Parameter name: Names its files under the image's folder.
  init(name: String, image kind: Image.Kind = .plain, display: Display = .bochs) async throws {
    let image = try Image(kind)
    shared = image.directory.appending(path: "\(name).shared")
    // The guest's root uses no file that others may write.
    umask(0o022)
    serialLog = image.directory.appending(path: "\(name).serial.log")
    let files = FileManager.default
    try? files.removeItem(at: shared)
    try? files.removeItem(at: serialLog)
    try files.createDirectory(at: shared.appending(path: "jobs"), withIntermediateDirectories: true)

    let sockets = files.temporaryDirectory.appending(
      path: "vm-\(ProcessInfo.processInfo.processIdentifier)-\(name)")
    try files.createDirectory(at: sockets, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: sockets) }
    let agentPath = sockets.appending(path: "agent").path
    let monitorPath = sockets.appending(path: "qmp").path
    agent = try LineSocket(path: agentPath)
    monitor = Monitor(socket: try LineSocket(path: monitorPath))
    let viewerPath = sockets.appending(path: "vnc").path

    boot.executableURL = Image.root.appending(path: "Bench/VM/boot")
    var arguments = [image.directory.path, shared.path, display.kernelArguments]
    arguments += display.devices.flatMap { ["-device", $0] }
    if display.isResizable { arguments += ["-vnc", "unix:\(viewerPath)"] }
    arguments += [
      "-serial", "file:\(serialLog.path)",
      "-chardev", "socket,id=agent,path=\(agentPath)", "-qmp", "unix:\(monitorPath)",
    ]
    // Without a driver until a test loads one, and without a way out.
    if kind == .service {
      arguments += ["-netdev", "user,id=net,restrict=on", "-device", "virtio-net-pci,netdev=net,romfile="]
    }
    arguments += image.isARM ? ["-device", "pci-serial,chardev=agent"] : ["-serial", "chardev:agent"]
    boot.arguments = arguments
    boot.standardInput = lifeline
    // No other child may hold the pipe open.
    _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)

    let start = ContinuousClock.now
    try boot.run()
    do {
      try await eventually("the virtual machine is up") {
        guard boot.isRunning else { throw MachineError("QEMU ended with status \(boot.terminationStatus)") }
        guard try monitor.socket.accept(), try agent.accept() else { return false }
        return try agent.nextLine() == "ready"
      }
      bootTime = ContinuousClock.now - start
      try await monitor.begin()
      if display.isResizable { viewer = try await RemoteViewer(path: viewerPath) }
    } catch {
      stop()
      throw MachineError("\(error)", serialLog: serialTail)
    }
  }

  /// Boots, and once more if the kernel panics before it is up. This was seen once, with "Oops: int3" in a
  /// function that the kernel patches while it runs, on QEMU's emulation of two processors. Our program does
  /// not run yet.
  static func booted(name: String, image: Image.Kind = .plain, display: Display = .bochs) async throws
    -> VirtualMachine
  {
    do {
      return try await VirtualMachine(name: name, image: image, display: display)
    } catch let error as MachineError where error.serialLog?.contains("Kernel panic") == true {
      print("the kernel panicked while it booted, and is booted again:\n\(error)")
      return try await VirtualMachine(name: name, image: image, display: display)
    }
  }

  /// Turns it off, hard.
  func stop() {
    try? lifeline.fileHandleForWriting.close()
  }

  /// The last lines of the guest's kernel and init.
  var serialTail: String {
    let text = (try? String(contentsOf: serialLog, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").suffix(40).joined(separator: "\n")
  }

  // MARK: Commands

  /// Runs a shell command as root in the guest and waits for its end.
  @discardableResult
  func run(_ command: String) async throws -> Output {
    let process = try await spawn(command)
    let status = try await process.end()
    return Output(status: status, stdout: process.stdout, stderr: process.stderr)
  }

  /// Starts a shell command as root in the guest. With `exec` in front, its pid is the program's.
  func spawn(_ command: String) async throws -> GuestProcess {
    jobCount += 1
    let job = jobCount
    let folder = shared.appending(path: "jobs/\(job)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data((command + "\n").utf8).write(to: folder.appending(path: "command"))
    try agent.send("\(job)")
    let process = GuestProcess(machine: self, job: job, command: command, folder: folder)
    running[job] = process
    try await eventuallyHere("'\(command)' starts") { process.text("pid").hasSuffix("\n") }
    return process
  }

  /// Whether the guest has reported the end of a job.
  func hasFinished(_ job: Int) throws -> Bool {
    while let line = try agent.nextLine() {
      if line.hasPrefix("done "), let done = Int(line.dropFirst(5)) { running[done] = nil }
    }
    return running[job] == nil
  }

  /// A new empty folder in /shared: its path here and in the guest. Everyone in the guest may write to it.
  func newFolder() throws -> (host: URL, guest: String) {
    folderCount += 1
    let folder = shared.appending(path: "\(folderCount)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o1777])
    return (folder, "/shared/\(folderCount)")
  }

  /// Ends what an earlier test left running, and gives the console back.
  func reset() async throws {
    let leftovers = Array(running.values)
    for process in leftovers where !(try hasFinished(process.job)) {
      try await run("kill -KILL \(process.pid)")
      try await process.end()
    }
    guard !leftovers.isEmpty else { return }
    try await run("vm-guest console /dev/tty0 restore; chvt 1; vm-guest console /dev/tty1 restore")
    try await pressPointer(false)
  }

  /// Waits like `eventually`, with the serial log in the error.
  private func eventuallyHere(_ what: String, _ condition: () async throws -> Bool) async throws {
    do {
      try await eventually(what, condition)
    } catch {
      throw MachineError("\(error)", serialLog: serialTail)
    }
  }

  // MARK: Network

  /// Starts the network of a machine with the service.
  ///
  /// - Parameter port: a port of the guest.
  /// - Returns: the port of this host's loopback that leads to it.
  func connect(toPort port: Int) async throws -> Int {
    let up = try await run(
      """
      if ! test -e /sys/module/virtio_net; then
        for module in $(cat /lib/modules/virtio_net); do insmod $module || exit; done
      fi
      udevadm settle
      name=$(basename /sys/bus/virtio/drivers/virtio_net/virtio*/net/*)
      busybox ip addr replace 10.0.2.15/24 dev $name && busybox ip link set $name up
      """)
    guard up.status == 0 else { throw MachineError("the network is not up: \(up.stderr)") }
    // The host's is one that is free.
    let problem = try await monitor.execute(
      "human-monitor-command", ["command-line": "hostfwd_add net tcp:127.0.0.1:0-:\(port)"])
    let ports = try await monitor.execute("human-monitor-command", ["command-line": "info usernet"])
    let line = try Regex("HOST_FORWARD\\] +[0-9]+ +127\\.0\\.0\\.1 +([0-9]+) +[0-9.]+ +\(port) ")
    guard let text = ports.firstMatch(of: line)?.output[1].substring, let host = Int(text) else {
      throw MachineError("no port leads to \(port) of the guest: \(problem)\(ports)")
    }
    return host
  }

  // MARK: Display and pointer

  /// The display of the suites' daemons unless a test names another: the framebuffer, or the same
  /// adapter by KMS if `TOUCHTREE_VM_DISPLAY` is `kms`.
  static let display = ProcessInfo.processInfo.environment["TOUCHTREE_VM_DISPLAY"] ?? "/dev/fb0"

  /// Whether a picture on this display is not in the framebuffer's memory, but in memory that only its
  /// program has. It is looked at from outside.
  private static func isByKMS(_ node: String) -> Bool { node == display && display == "kms" }

  /// Returns the contents of a framebuffer's memory.
  func framebuffer(_ node: String = display) async throws -> Picture {
    if Self.isByKMS(node) { return try await screendump() }
    let output = try await run("vm-guest framebuffer \(node) && vm-guest dump \(node)")
    let layout = try FramebufferLayout(line: String(output.stdout.prefix { $0 != "\n" }))
    return try Picture(memory: dumped(output, node), layout: layout)
  }

  /// Every byte of a framebuffer's memory, seen or not.
  func memory(of node: String) async throws -> [UInt8] {
    if Self.isByKMS(node) { return try await screendump().blueGreenRed }
    return try await [UInt8](dumped(run("vm-guest dump \(node)"), node))
  }

  /// Returns the memory that `vm-guest dump` has written and both share; the last line that it printed is the
  /// length.
  private func dumped(_ output: Output, _ node: String) throws -> Data {
    guard output.status == 0, let length = output.stdout.split(separator: "\n").last.flatMap({ Int($0) })
    else {
      throw MachineError("\(node) cannot be read: \(output.stderr)")
    }
    let file = try FileHandle(forReadingFrom: shared.appendingPathExtension("memory"))
    defer { try? file.close() }
    return try file.read(upToCount: length) ?? Data()
  }

  /// One visible pixel of a framebuffer's memory: much less to read than all of them.
  func pixel(_ x: Int, _ y: Int, of node: String = display) async throws -> Colour {
    if Self.isByKMS(node) { return try await screendump()[x, y] }
    let output = try await run("vm-guest pixel \(node) \(x) \(y)")
    let lines = output.stdout.split(separator: "\n")
    guard let layout = lines.first, let value = lines.last.flatMap({ UInt32($0) }) else {
      throw MachineError("\(node) cannot be read: \(output.stderr)")
    }
    return try FramebufferLayout(line: String(layout)).colour(of: value)
  }

  /// Returns the picture of the display, seen from outside.
  ///
  /// - Parameters:
  ///   - device: the adapter's `id` in `Display.adapters`; nil for the first adapter.
  ///   - head: which of its monitors.
  func screendump(of device: String? = nil, head: Int = 0) async throws -> Picture {
    let file = shared.appending(path: "screendump.ppm")
    var arguments: [String: Any] = ["filename": file.path]
    if let device { (arguments["device"], arguments["head"]) = (device, head) }
    try await monitor.execute("screendump", arguments)
    return try Picture(ppm: Data(contentsOf: file))
  }

  /// Gives the monitor another size, as a user does who changes the size of QEMU's window: it then prefers
  /// another mode.
  func resize(to width: Int, _ height: Int) throws {
    guard let viewer else { throw MachineError("the display of this machine is not resizable") }
    try viewer.resize(to: width, height)
  }

  /// Moves QEMU's tablet to a place on a display of 1280×800.
  func movePointer(toX x: Int, y: Int) async throws {
    // QEMU's axes go from 0 to 32767.
    try await sendInput([
      ["type": "abs", "data": ["axis": "x", "value": (x * 2 + 1) * 32767 / (2 * 1280)] as [String: Any]],
      ["type": "abs", "data": ["axis": "y", "value": (y * 2 + 1) * 32767 / (2 * 800)] as [String: Any]],
    ])
  }

  /// Presses or releases the left button of QEMU's tablet.
  func pressPointer(_ down: Bool) async throws {
    try await sendInput([["type": "btn", "data": ["button": "left", "down": down] as [String: Any]]])
  }

  private func sendInput(_ events: [[String: Any]]) async throws {
    try await monitor.execute("input-send-event", ["events": events])
  }
}
