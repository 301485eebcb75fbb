import Foundation
import Testing

extension VirtualMachineTests.AsService {
  /// However it ends, the panel does not stay dark.
  @Suite struct Ending {
    private static let text = "display=text keyboard=unicode switching=automatic\n"

    /// Does what its configuration says when it is touched.
    static let plugin = """
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      #include <touchtree.h>

      static const touchtree_host *host;
      static int hangs;
      static int32_t touch(const touchtree_plugin *plugin, const touchtree_touches *touches) {
        (void)plugin, (void)touches;
        host->log(host, TOUCHTREE_LOG_INFO, "touched");
        if (hangs) for (;;) sleep(1000);
        exit(0);
      }
      static const touchtree_plugin plugin = {.size = sizeof plugin, .abi = TOUCHTREE_ABI, .touch = touch};
      const touchtree_plugin *touchtree_plugin_create(
          uint32_t abi, const touchtree_host *table, const char *json, const char **error) {
        (void)abi, (void)error;
        host = table;
        hangs = strstr(json, "hang") != NULL;
        return &plugin;
      }

      """

    /// Starts it with the plugin on the whole display.
    private func start(
      touched does: String, overriding lines: String = "", in machine: VirtualMachine
    ) async throws -> Service {
      try await machine.installPlugin(Self.plugin, as: "libending.so")
      let installed = try await machine.run(
        """
        cat >/run/ending.yaml <<'END'
        version: 1
        handlers: {ender: {kind: plugin, path: libending.so, config: {touched: \(does)}}}
        window: {id: window, handlers: [ender], subviews: [{id: pad, frame: [0, 0, 1280, 800]}]}
        END
        """)
      #expect(installed.status == 0, "\(installed.stderr)")
      return try await Service.start(
        in: machine, overriding: Service.running("/run/ending.yaml") + "\n" + lines)
    }

    private func tap(_ machine: VirtualMachine) async throws {
      let finger = try await Finger.make(.tablet, in: machine)
      try await finger.down(at: (640, 400))
      try await finger.up()
    }

    /// Waits until another process is up.
    private func comesBack(_ service: Service, after pid: String) async throws {
      try await eventually("another one is up") {
        let other = try await service.property("MainPID")
        let state = try await service.property("ActiveState")
        return ![pid, "0"].contains(other) && state == "active"
      }
      #expect(try await service.machine.consoleModes() != Self.text)
    }

    /// Waits for a line of the journal.
    private func says(
      _ start: String, ending end: String = "", _ service: Service, pid: String
    ) async throws -> Service.Line {
      var lines: [Service.Line] = []
      func found() -> Service.Line? {
        lines.first { $0.message.hasPrefix(start) && $0.message.hasSuffix(end) }
      }
      try await eventually("\(pid) says '\(start)…\(end)', not \(lines.map(\.message))") {
        lines = try await service.journal(of: pid)
        return found() != nil
      }
      return try #require(found())
    }

    @Test
    func `a plugin that hangs is ended by the watchdog and named, and the service restarts`() async throws {
      let machine = try await Machines.service()
      let service = try await start(touched: "hang", overriding: "WatchdogSec=2", in: machine)
      let pid = try await service.property("MainPID")
      try await tap(machine)
      // On a slow machine it is named before that, too: "… for 2110 ms so far".
      let line = try await says(
        "handler ender: plugin /usr/lib/touchtree/libending.so hangs in touch for window, for ",
        ending: " ms; touchtree ends by SIGABRT", service, pid: pid)
      #expect(line.priority == "3")
      try await comesBack(service, after: pid)
    }

    @Test
    func `an idle service is left alone by the watchdog`() async throws {
      let machine = try await Machines.service()
      let service = try await start(touched: "hang", overriding: "WatchdogSec=2", in: machine)
      let pid = try await service.property("MainPID")
      // Two watchdogs later, in the guest's time.
      try await machine.run("sleep 5")
      #expect(try await service.property("MainPID") == pid)
      #expect(try await service.property("NRestarts") == "0")
    }

    @Test
    func `a service whose plugin hangs is stopped without a kill, and the terminal is restored`() async throws
    {
      let machine = try await Machines.service()
      let service = try await start(touched: "hang", in: machine)
      #expect(try await service.property("WatchdogUSec") == "20s")
      let pid = try await service.property("MainPID")
      try await tap(machine)
      _ = try await says("handler ender: touched", service, pid: pid)
      try await service.control("stop touchtree")
      _ = try await says(
        "handler ender: plugin /usr/lib/touchtree/libending.so hangs in touch for window", service, pid: pid)
      #expect(try await service.property("Result") == "success")
      #expect(try await service.property("ActiveState") == "inactive")
      #expect(try await machine.consoleModes() == Self.text)
    }

    @Test
    func `the service restarts after a plugin's exit(0), which the journal names`() async throws {
      let machine = try await Machines.service()
      let service = try await start(touched: "exit", in: machine)
      let pid = try await service.property("MainPID")
      try await tap(machine)
      _ = try await says(
        "handler ender: plugin /usr/lib/touchtree/libending.so called exit in touch for window", service,
        pid: pid)
      try await comesBack(service, after: pid)
    }

    @Test(arguments: ["INT", "QUIT"])
    func `the service restarts after a signal that ends it`(signal: String) async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let pid = try await service.property("MainPID")
      try await machine.run("kill -\(signal) \(pid)")
      try await comesBack(service, after: pid)
    }

    @Test
    func `a command that is killed for its memory does not end the service`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let pid = try await service.property("MainPID")
      let killed = try await machine.run(
        """
        systemctl set-property --runtime touchtree MemoryMax=96M MemorySwapMax=0
        sh -c 'echo $$ >/sys/fs/cgroup/system.slice/touchtree.service/cgroup.procs; exec tail /dev/zero'
        """)
      #expect(killed.status == 137)
      var journal = ""
      try await eventually("systemd knows of it") {
        journal = try await machine.run("journalctl -u touchtree -b --no-pager -n 20").stdout
        return journal.contains("killed by the OOM killer")
      }
      #expect(try await service.property("MainPID") == pid, "\(journal)")
      #expect(try await service.property("ActiveState") == "active")
      try await machine.run("systemctl revert touchtree")
    }
  }
}
