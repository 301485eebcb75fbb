import Foundation
import Testing

/// Plugins that hang, crash or end the process.
@Suite struct PluginEndTests {
  /// Makes the trouble that its configuration names, in the function that it names.
  private static let source = """
    #include <errno.h>
    #include <locale.h>
    #include <pthread.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <string.h>
    #include <stdio.h>
    #include <sys/stat.h>
    #include <sys/wait.h>
    #include <unistd.h>
    #include <touchtree.h>

    static char config[256];
    static const touchtree_host *host;

    static void *run(void *exits) {
      if (exits) exit(0);
      *(volatile int *)8 = 0;
      return NULL;
    }
    static void come(const char *function) {
      if (!strstr(config, function)) return;
      fclose(fopen("here", "w"));
      if (strstr(config, "hang")) for (;;) sleep(1000);
      if (strstr(config, "crash")) *(volatile int *)8 = 0;
      if (strstr(config, "abort")) abort();
      if (strstr(config, "leave")) exit(0);
      if (strstr(config, "fail")) exit(7);
      if (strstr(config, "vanish")) _exit(0);
      if (strstr(config, "drop")) _Exit(9);
      if (strstr(config, "child")) {
        if (fork() == 0) _exit(0);
        wait(NULL);
      }
      if (strstr(config, "divide")) raise(SIGFPE);
      if (strstr(config, "spoil")) {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, NULL);
        setlocale(LC_ALL, "");
        umask(0777);
        errno = EIO;
      }
      pthread_t thread;
      if (strstr(config, "thread")) {
        pthread_create(&thread, NULL, run, strstr(config, "exits"));
        pthread_join(thread, NULL);
      }
    }
    static int32_t touch(const touchtree_plugin *plugin, const touchtree_touches *touches) {
      (void)plugin;
      if (touches->phase == TOUCHTREE_BEGAN) host->add_timer(host, 1, 0);
      come("touch");
      return TOUCHTREE_FORWARD;
    }
    static void timer(const touchtree_plugin *plugin, int64_t number) { (void)plugin, (void)number; come("timer"); }
    static void destroy(const touchtree_plugin *plugin) { (void)plugin; come("destroy"); }
    static const touchtree_plugin plugin = {
      .size = sizeof plugin, .abi = TOUCHTREE_ABI, .touch = touch, .timer = timer, .destroy = destroy};
    const touchtree_plugin *touchtree_plugin_create(
        uint32_t abi, const touchtree_host *table, const char *json, const char **error) {
      (void)abi, (void)error;
      host = table;
      strncpy(config, json, sizeof config - 1);
      come("create");
      return &plugin;
    }

    """

  /// In seconds, after which a test fails and the program is killed.
  private static let longest = 30.0

  private func start(_ trouble: String, in function: String, _ folder: String, errors: URL) throws -> Process
  {
    try Self.source.write(toFile: folder + "/trouble.c", atomically: true, encoding: .utf8)
    let built = try Program.run(
      "/usr/bin/env",
      [
        "cc", "-Wall", "-shared", "-fPIC", "-I",
        Program.package.appending(path: "Sources/CTouchtree/include").path,
        "-o", "trouble.so", "trouble.c",
      ],
      in: folder)
    #expect(built.status == 0, "\(built.errors)")
    try """
    version: 1
    display: {canvas: {size: [800, 480]}}
    handlers: {bell: {kind: plugin, path: ./trouble.so, config: {\(function): \(trouble)}}}
    window: {id: window, subviews: [{id: pad, frame: [0, 0, 800, 480], handlers: [bell]}]}

    """.write(toFile: folder + "/trouble.yaml", atomically: true, encoding: .utf8)
    try Data().write(to: errors)
    let process = Process()
    process.executableURL = Program.executable
    let recording = Program.package.appending(path: "config/demo.evemu").path
    process.arguments = ["replay", recording, "--config", "trouble.yaml", "--speed", "real"]
    process.currentDirectoryURL = URL(filePath: folder)
    // Swift's own backtraces of crashes would come in between.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    return process
  }

  private func until(_ what: String, _ condition: () -> Bool) {
    let end = Date().addingTimeInterval(Self.longest)
    while !condition() {
      guard Date() < end else {
        Issue.record("not seen in time: \(what)")
        return
      }
      usleep(10_000)
    }
  }

  /// The messages of the program about the plugin, and how it ended: its exit status, or minus the signal.
  private func end(
    of trouble: String, in function: String, asked signal: Int32? = nil
  ) throws -> (status: Int32, lines: [String]) {
    var result: (Int32, [String]) = (0, [])
    try Program.inFolder { folder in
      let errors = URL(filePath: folder + "/errors")
      let process = try start(trouble, in: function, folder, errors: errors)
      defer { kill(process.processIdentifier, SIGKILL) }
      if let signal {
        until("the plugin is called") { FileManager.default.fileExists(atPath: folder + "/here") }
        // As long as a call has to take to be called a hang.
        usleep(150_000)
        kill(process.processIdentifier, signal)
      }
      until("the end") { !process.isRunning }
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      let status = process.awaitEnd()
      let text = try String(contentsOf: errors, encoding: .utf8)
      let real = try #require(
        realpath(folder, nil).map { path in
          defer { free(path) }
          return String(cString: path)
        })
      result = (
        status, text.replacingOccurrences(of: real, with: "DIR").split(separator: "\n").map(String.init)
      )
    }
    return result
  }

  @Test(arguments: [
    ("touch", SIGTERM, "SIGTERM"), ("touch", SIGINT, "SIGINT"),
    ("touch", SIGQUIT, "SIGQUIT"), ("touch", SIGABRT, "SIGABRT"), ("create", SIGTERM, "SIGTERM"),
    ("timer", SIGTERM, "SIGTERM"), ("destroy", SIGTERM, "SIGTERM"),
  ])
  func `a plugin that hangs is named, and does not keep a signal from ending the program`(
    function: String, signal: Int32, name: String
  ) throws {
    let (status, lines) = try end(of: "hang", in: function, asked: signal)
    #expect(status == -signal)
    let place = ["touch": "touch for pad", "create": "touchtree_plugin_create"][function] ?? function
    let line = try #require(lines.last)
    #expect(
      line.hasPrefix("touchtree: error: handler bell: plugin DIR/trouble.so hangs in \(place), for "),
      "\(lines)")
    #expect(line.hasSuffix(" ms; touchtree ends by \(name)"), "\(lines)")
    #expect(lines.filter { $0.contains("hangs") }.count == 1)
  }

  @Test(arguments: [
    ("crash", "touch", SIGSEGV, "SIGSEGV"), ("crash", "create", SIGSEGV, "SIGSEGV"),
    ("crash", "destroy", SIGSEGV, "SIGSEGV"), ("abort", "touch", SIGABRT, "SIGABRT"),
    ("divide", "touch", SIGFPE, "SIGFPE"),
  ])
  func `a plugin that crashes is named, and the status is the signal's`(
    trouble: String, function: String, signal: Int32, name: String
  ) throws {
    let (status, lines) = try end(of: trouble, in: function)
    #expect(status == -signal)
    let line = try #require(lines.last)
    #expect(line.hasPrefix("touchtree: error: handler bell: plugin DIR/trouble.so crashed"), "\(line)")
    #expect(line.contains(function == "touch" ? "pad" : function) && line.contains(name), "\(line)")
  }

  @Test(arguments: [("touch", "touch for pad"), ("timer", "timer")])
  func `a plugin that hangs is named after two seconds, although nothing asks the program to end`(
    function: String, place: String
  ) throws {
    try Program.inFolder { folder in
      let errors = URL(filePath: folder + "/errors")
      let process = try start("hang", in: function, folder, errors: errors)
      defer { kill(process.processIdentifier, SIGKILL) }
      func lines() -> [Substring] {
        ((try? String(contentsOf: errors, encoding: .utf8)) ?? "").split(separator: "\n")
      }
      until("the report") { lines().contains { $0.contains("hangs in \(place), for 2") } }
      let line = try #require(lines().first { $0.contains("hangs") })
      #expect(line.hasPrefix("touchtree: error: handler bell: plugin ") && line.contains("/trouble.so hangs"))
      #expect(line.hasSuffix(" ms so far; every touch and the screen wait for it"))
      #expect(process.isRunning)
      // It still ends as before.
      kill(process.processIdentifier, SIGTERM)
      #expect(process.awaitEnd() == -SIGTERM)
      #expect(lines().last?.hasSuffix("touchtree ends by SIGTERM") == true, "\(lines())")
    }
  }

  @Test(arguments: [("leave", 1), ("fail", 7), ("vanish", 1), ("drop", 9)])
  func `a plugin that calls exit is named, and that is no success`(trouble: String, expected: Int32) throws {
    let (status, lines) = try end(of: trouble, in: "touch")
    #expect(status == expected)
    let line = try #require(lines.last)
    #expect(
      line.hasPrefix("touchtree: error: handler bell: plugin DIR/trouble.so called exit"), "\(line)")
  }

  @Test(arguments: [
    ("thread that exits", 1, "a thread that is not the loop's called exit"),
    ("thread that faults", -SIGSEGV, "SIGSEGV in a thread that is not the loop's"),
  ])
  func `a thread of a plugin that ends the program is named as one`(
    trouble: String, expected: Int32, line: String
  ) throws {
    let (status, lines) = try end(of: trouble, in: "touch")
    #expect(status == expected)
    #expect(lines.last == "touchtree: error: \(line): a plugin or a library started it", "\(lines)")
  }

  /// One of them blocks every signal, changes the locale and the umask, and leaves an error behind.
  @Test(arguments: ["nothing", "spoil", "child"])
  func `a signal that comes while no plugin hangs ends a recording in order`(trouble: String) throws {
    try Program.inFolder { folder in
      let errors = URL(filePath: folder + "/errors")
      let process = try start(trouble, in: "touch", folder, errors: errors)
      defer { kill(process.processIdentifier, SIGKILL) }
      until("the plugin is called") { FileManager.default.fileExists(atPath: folder + "/here") }
      kill(process.processIdentifier, SIGTERM)
      #expect(process.awaitEnd() == 0)
      #expect(try !String(contentsOf: errors, encoding: .utf8).contains("error"))
    }
  }
}
