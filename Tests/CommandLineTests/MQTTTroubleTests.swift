import Foundation
import Testing

/// `touchtree-mqtt` with a broker, or others at the broker, that mean no good.
@Suite("An MQTT client that others trouble", .serialized)
struct MQTTTroubleTests {
  @Test func `two clients with one id say so once each, and what to type`() throws {
    try Program.inFolder { folder in
      let broker = try MQTTTests.Broker(in: folder)
      let daemon = try RemoteTests.Daemon(in: folder)
      let copies = try (0..<2).map { _ in
        try MQTTTests.Bridge(of: daemon, to: broker, in: folder, ["--prefix", "k"])
      }
      let words = "another client probably has the id touchtree-k too"
      try Program.eventually("one of them says so") { copies.contains { $0.log.contains(words) } }
      let log = try #require(copies.first { $0.log.contains(words) }).log
      #expect(log.contains("--prefix") && log.contains("--client-id"), "\(log)")
      for copy in copies { #expect(copy.end() == 0) }
      for copy in copies { #expect(copy.log.components(separatedBy: words).count <= 2, "\(copy.log)") }
    }
  }

  @Test func `a payload that is too long for a request is refused without a copy of it`() throws {
    try Program.inFolder { folder in
      let broker = try MQTTTests.Broker(in: folder)
      // All topics but those with the long payloads.
      let seen = folder + "/seen"
      let watching = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c",
          "exec mosquitto_sub -h 127.0.0.1 -p \(broker.port) -q 1 -t k/availability -t k/error -v >'\(seen)' 2>&1",
        ])
      defer {
        // It has inherited a signal mask that blocks any other signal.
        kill(watching.processIdentifier, SIGKILL)
        _ = watching.awaitEnd()
      }
      func awaitLine(_ text: String, after step: () throws -> Void = {}) throws {
        try Program.eventually(text) {
          try step()
          return try String(contentsOfFile: seen, encoding: .utf8).contains(text)
        }
      }
      let daemon = try RemoteTests.Daemon(in: folder)
      let bridge = try MQTTTests.Bridge(of: daemon, to: broker, in: folder, ["--prefix", "k"])
      try awaitLine("k/availability online")
      let megabytes = 30
      try publish("k/lamp/set/text", megabytes: megabytes, to: broker, in: folder)
      try awaitLine("the payload has \(megabytes << 20) bytes; a request may have 65536")
      let status = try String(
        contentsOfFile: "/proc/\(bridge.process.processIdentifier)/status", encoding: .utf8)
      let peak = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
      // The library has it twice: as a packet and as a message.
      #expect(peak < (2 * megabytes + 35) << 10, "\(peak) kB")

      // What has no room in the program costs the connection, and not the program.
      try publish("k/lamp/set/text", megabytes: 80, to: broker, in: folder)
      try Program.eventually("the report") {
        bridge.log.contains("a message that is too long for the 128 MiB")
      }
      #expect(bridge.log.contains("message_size_limit"))
      try awaitLine(#"k/error {"topic":"k/lamp/set/hidden""#) {
        try broker.publish("k/lamp/set/hidden", "maybe")
      }
      #expect(bridge.end() == 0)
    }
  }

  private func publish(_ topic: String, megabytes: Int, to broker: MQTTTests.Broker, in folder: String) throws
  {
    let command =
      "head -c \(megabytes << 20) /dev/zero | tr '\\0' x >long; "
      + "mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -t '\(topic)' -f long"
    let outcome = try Program.run("/bin/sh", ["-c", command], in: folder)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `nothing of a private view gets to the broker`() throws {
    try Program.inFolder { folder in
      let listener = folder + "/listener.sh"
      try "#!/bin/sh\nexec cat >/dev/null\n".write(toFile: listener, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: listener)
      let broker = try MQTTTests.Broker(in: folder)
      let witness = try MQTTTests.Witness(of: broker, in: folder)
      let daemon = try RemoteTests.Daemon(in: folder, tree: PrivateViewTests.tree)
      let bridge = try MQTTTests.Bridge(
        of: daemon, to: broker, in: folder, ["--prefix", "k", "--home-assistant"])
      try witness.await("homeassistant/switch/k/light/config", #""name":"Ceiling""#)
      try daemon.ctl("touch", "50,50")
      try daemon.ctl("touch", "150,25", "250,25")
      try daemon.ctl("set", "digits", "text=Charlie2")
      try daemon.ctl("touch", "40,240")
      try witness.await(#"k/light/value {"value":true,"label":"Ceiling","#)
      let published = witness.lines.filter { $0.hasPrefix("k/") || $0.hasPrefix("homeassistant/") }
      for secret in PrivateViewTests.secrets + ["/pad/"] {
        let found = published.filter { $0.replacing("{digits.text}", with: "").contains(secret) }
        #expect(found == [], "\(secret)")
      }
      #expect(bridge.end() == 0)
    }
  }

  @Test func `on the socket for watching it publishes, and its commands are refused`() throws {
    try Program.inFolder { folder in
      let broker = try MQTTTests.Broker(in: folder)
      let witness = try MQTTTests.Witness(of: broker, in: folder)
      let watch = folder + "/watch.sock"
      let daemon = try RemoteTests.Daemon(in: folder, ["--watch-socket", watch])
      let bridge = try MQTTTests.Bridge(of: watch, to: broker, in: folder, ["--prefix", "k"])
      try witness.await("k/availability online")
      try broker.publish("k/lamp/set/hidden", "true")
      try witness.await(#"k/error {"topic":"k/lamp/set/hidden","#, "this socket is for watching")
      #expect(try daemon.ctl("tree", "--json").output.contains(#""hidden":false"#))
      try daemon.ctl("touch", "60,60")
      try witness.await(#"k/ok/action {"action":"touchUpInside","#)
      #expect(bridge.end() == 0)
    }
  }
}
