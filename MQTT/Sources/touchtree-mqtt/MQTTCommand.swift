import ArgumentParser
import Glibc
import Logging
import SystemPackage
import TouchCommand
import TouchMQTT
import TouchSystem

struct MQTTCommand: RootCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchtree-mqtt", abstract: "Connect a touchtree panel to an MQTT broker.",
    discussion: """
      It publishes what happens on the panel, and sets views and shows pages when others on the broker ask for it. If \
      touchtree or the broker goes away, it waits for it to return. docs/mqtt.md lists the topics.

      Secrets are read from files, and never given as arguments: every user can see the arguments of a program.
      """,
    version: TouchtreeVersion.text)

  @Option(
    help: ArgumentHelp(
      "The broker. The default port is 1883, and 8883 with --cafile.", valueName: "HOST[:PORT]"),
    transform: BrokerArgument.init)
  var broker: BrokerArgument

  @Option(
    help: ArgumentHelp("What all topics of this panel begin with, such as kitchen.", valueName: "PREFIX"),
    transform: PrefixArgument.init)
  var prefix: PrefixArgument

  @Flag(help: "Announce views to Home Assistant, by its MQTT discovery.") var homeAssistant = false

  @Option(
    help: ArgumentHelp(
      "Publish whether the panel is well, asking it every so many seconds; 15 at least.", valueName: "SECONDS"
    ))
  var health: Int?

  @Option(help: ArgumentHelp("Only this view and the views in it; may be repeated.", valueName: "VIEW"))
  var view: [String] = []

  @Option(
    help: ArgumentHelp(
      "The control socket of touchtree, if it was started with --control.", valueName: "PATH"),
    completion: .file())
  var socket: String?

  @Option(help: ArgumentHelp("The user name for the broker.", valueName: "NAME")) var username: String?

  @Option(
    help: ArgumentHelp("The file whose first line is the password for the broker.", valueName: "FILE"),
    completion: .file())
  var passwordFile: String?

  @Option(
    help: ArgumentHelp(
      "Use TLS, and accept a broker whose certificate one of the authorities in this file has signed.",
      valueName: "FILE"), completion: .file())
  var cafile: String?

  @Option(
    help: ArgumentHelp("The certificate of this client, if the broker wants one.", valueName: "FILE"),
    completion: .file())
  var cert: String?

  @Option(
    help: ArgumentHelp("The private key of that certificate, without a passphrase.", valueName: "FILE"),
    completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp(
      "What the broker knows this client by; no two clients may have the same. Default: touchtree-PREFIX.",
      valueName: "ID"))
  var clientID: String?

  @Flag(name: .shortAndLong, help: "Log debug messages.") var verbose = false

  static func prepared(_ arguments: [String]) -> [String] { arguments }

  func validate() throws {
    if let socket, socket.isEmpty || socket.hasPrefix("@") {
      throw ValidationError("--socket takes the path of a socket.")
    }
    if passwordFile != nil && username == nil { throw ValidationError("--password-file needs --username.") }
    if (cert == nil) != (key == nil) { throw ValidationError("Give --cert and --key together.") }
    if cert != nil && cafile == nil { throw ValidationError("--cert needs --cafile.") }
    if let health, !(15...86_400).contains(health) {
      throw ValidationError("--health takes a number of seconds from 15 to 86400.")
    }
    if let clientID, clientID.isEmpty { throw ValidationError("--client-id takes a name.") }
  }

  func run() throws {
    let held = DeferredLog()
    defer { held.finish() }
    let log = Logger(label: "touchtree-mqtt") { label in
      LogOutput(label: label, level: verbose ? .debug : .info, held: held)
    }
    let settings = try settings()
    warnOfSecrets(settings.broker, log)
    try Bridge(settings, log: log).run()
  }

  private func settings() throws -> Bridge.Settings {
    var broker = BrokerSettings(
      host: broker.host, port: broker.port, clientID: clientID ?? "touchtree-\(prefix.topics.prefix)")
    (broker.username, broker.passwordFile) = (username, passwordFile)
    (broker.authorityFile, broker.certificateFile, broker.keyFile) = (cafile, cert, key)
    for file in broker.files {
      guard access(file, R_OK) != 0 else { continue }
      let cause = Errno(rawValue: errno)
      throw Failure(ExitStatus(cause), "\(file): \(cause); name a file that this user can read")
    }
    var settings = Bridge.Settings(broker: broker, topics: prefix.topics)
    settings.socket = socket
    settings.views = view
    settings.announcesToHomeAssistant = homeAssistant
    settings.healthInterval = health
    return settings
  }

  private func warnOfSecrets(_ broker: BrokerSettings, _ log: Logger) {
    for file in [passwordFile, key].compactMap(\.self) {
      var status = stat()
      if stat(file, &status) == 0, status.st_mode & 0o007 != 0 {
        log.warning("every user can read \(file); type: chmod o= \(file)")
      }
    }
    if broker.passwordFile != nil, !broker.usesTLS, !["localhost", "127.0.0.1", "::1"].contains(broker.host) {
      log.warning("the password is sent unencrypted to \(broker.name); use TLS with --cafile")
    }
  }
}

/// A broker as `HOST` or `HOST:PORT`. An IPv6 address with a port is in brackets.
struct BrokerArgument {
  let host: String
  let port: Int?

  /// - Throws: `ValidationError` for anything else.
  init(argument: String) throws {
    var (host, port): (Substring, Substring?) = (argument[...], nil)
    if argument.hasPrefix("["), let end = argument.firstIndex(of: "]") {
      host = argument[argument.index(after: argument.startIndex)..<end]
      let rest = argument[argument.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw Self.problem }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if argument.filter({ $0 == ":" }).count == 1 {
      let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
      (host, port) = (parts[0], parts[1])
    }
    self.port = try port.map {
      guard let number = Int($0), (1...65_535).contains(number) else { throw Self.problem }
      return number
    }
    self.host = String(host)
    guard !host.isEmpty, !host.contains("/"), !host.contains("@") else { throw Self.problem }
  }

  private static var problem: ValidationError {
    ValidationError(
      "a broker is a host and perhaps a port from 1 to 65535, such as broker.local or 10.0.0.2:1883")
  }
}

struct PrefixArgument {
  let topics: Topics

  /// - Throws: `ValidationError` for a prefix that no topic can have.
  init(argument: String) throws {
    guard let topics = Topics(prefix: argument) else {
      throw ValidationError(
        "a prefix is one or more levels of a topic without + and #, such as kitchen or home/kitchen")
    }
    self.topics = topics
  }
}
