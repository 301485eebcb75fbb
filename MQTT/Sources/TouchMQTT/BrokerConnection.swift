import CMosquitto
import Glibc
import SystemPackage
import TouchSystem

/// The broker's address, and this client's identity. Files are read again for each attempt.
package struct BrokerSettings: Sendable {
  package var host: String
  /// The port; nil for 1883, or 8883 with TLS.
  package var port: Int?
  package var clientID: String
  package var username, passwordFile: String?
  /// The authorities that may sign the broker's certificate; nil for no TLS.
  package var authorityFile: String?
  package var certificateFile, keyFile: String?

  package init(host: String, port: Int?, clientID: String) {
    (self.host, self.port, self.clientID) = (host, port, clientID)
  }

  package var usesTLS: Bool { authorityFile != nil }
  fileprivate var effectivePort: Int { port ?? (usesTLS ? 8883 : 1883) }
  package var name: String { "\(host):\(effectivePort)" }
  package var files: [String] { [passwordFile, authorityFile, certificateFile, keyFile].compactMap(\.self) }

  /// Returns the password, which is the first line of its file.
  fileprivate func password() throws(Errno) -> String? {
    guard let passwordFile else { return nil }
    let bytes = try FileContents.read(passwordFile, upTo: 1 << 16)
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
    return String(decoding: line, as: UTF8.self)
  }
}

/// A connection to an MQTT broker, by libmosquitto without a thread of its own. The loop watches its socket
/// and calls it when there is something to read or room to write.
///
///                 connect()                 CONNACK
///     idle ───────────────────▶ connecting ─────────▶ connected
///      ▲                            │ refused, silent      │ broken, silent
///      └────────────────────────────┴──────────────────────┘   onDown, and connect() again after a while
package final class BrokerConnection {
  private enum State { case idle, connecting, connected }

  private let settings: BrokerSettings
  private let will: (topic: String, payload: String)
  private let loop: EventLoop
  private let watch: ConnectionWatch
  private var state = State.idle
  private var mosquitto: OpaquePointer?
  private var lookup: NameLookup?
  /// The unprocessed reports of the library, which must not be called from its own callbacks.
  private var reports: [Report] = []
  /// Whether the socket was not ready since it was made. It is ready to write once it is connected.
  private var isOpening = false
  /// The library's last message about an error.
  private var detail: String?
  private var hasReportedRival = false

  private enum Report {
    case accepted
    case refused(String)
    case acknowledged(Int32)
  }

  /// The handler of the broker's acceptance, with the seconds without; nil at first.
  package var onUp: (_ seconds: Double?) -> Void = { _ in }
  /// The handler of a missing connection, with the reason. It is called for each attempt.
  package var onDown: (_ reason: String, _ retryMilliseconds: Int) -> Void = { _, _ in }
  package var onAcknowledge: (Int32) -> Void = { _ in }
  /// The handler of messages. The payload is valid during the call.
  package var onMessage: (_ topic: String, _ payload: UnsafeRawBufferPointer) -> Void = { _, _ in }
  /// The handler of a rival with the same id, called once: the broker repeatedly closes accepted connections.
  package var onRival: () -> Void = {}
  /// Called after each turn in which something was read or written.
  package var onProgress: () -> Void = {}
  package var mayRead = true {
    didSet {
      guard mayRead != oldValue, state == .connected else { return }
      follow()
      // TLS may have read bytes that the socket does not have any more.
      if mayRead { loop.again { [weak self] in self?.serve() } }
    }
  }

  /// The keep-alive time in seconds. After one and a half times as long, this client is gone.
  private static let keepAlive: Int32 = 60
  /// The time between two calls of the library's upkeep, in milliseconds.
  private static let upkeep = 20_000
  /// The longest time in which the broker may accept, in milliseconds.
  private static let timeout = 10_000
  /// The most short connections in a row without a rival. A broker that restarts closes one.
  private static let fewLives = 2
  /// The longest time between two attempts, in milliseconds.
  private static let longestWait = 30_000

  /// - Parameter will: the message that the broker publishes, retained, when this client disappears.
  package init(_ settings: BrokerSettings, will: (topic: String, payload: String), loop: EventLoop) {
    (self.settings, self.will, self.loop) = (settings, will, loop)
    watch = ConnectionWatch(loop: loop, longest: Self.longestWait)
    mosquitto_lib_init()
  }

  deinit {
    release()
    mosquitto_lib_cleanup()
  }

  package var isUp: Bool { state == .connected }

  // MARK: Connecting

  package func connect() {
    release()
    guard let lookup = NameLookup(of: settings.host) else { return connectToHost() }
    self.lookup = lookup
    watch.after(Self.timeout) { [unowned self] in
      fail("the name \(settings.host) was not found within \(Self.timeout / 1000) s; check the name server")
    }
    do throws(SystemError) {
      try watch.watch(lookup.descriptor, for: .input) { [unowned self] in
        guard let isKnown = lookup.result() else { return }
        release()
        if isKnown { connectToHost() } else { fail(reason(MOSQ_ERR_EAI.code, 0)) }
      }
    } catch {
      fail("\(error)")
    }
  }

  private func connectToHost() {
    do throws(Failure) {
      try open()
    } catch {
      return fail(error.message)
    }
    state = .connecting
    isOpening = true
    watch.after(Self.timeout) { [unowned self] in fail("it did not answer within \(Self.timeout / 1000) s") }
    settle()
  }

  private func open() throws(Failure) {
    // Each attempt has a client of its own: the library would send kept messages itself.
    let client = mosquitto_new(settings.clientID, true, Unmanaged.passUnretained(self).toOpaque())
    guard let client else { throw Failure("out of memory") }
    mosquitto = client
    setCallbacks(client)
    mosquitto_max_inflight_messages_set(client, 0)
    try check(
      mosquitto_will_set(client, will.topic, Int32(will.payload.utf8.count), will.payload, 1, true), client)
    if let username = settings.username {
      let password: String?
      do throws(Errno) {
        password = try settings.password()
      } catch {
        throw Failure("\(settings.passwordFile ?? ""): \(error)")
      }
      try check(mosquitto_username_pw_set(client, username, password), client)
    }
    if let authority = settings.authorityFile {
      // Without this callback, the library would ask for the passphrase of a key on the terminal.
      try check(
        mosquitto_tls_set(client, authority, nil, settings.certificateFile, settings.keyFile) { _, _, _, _ in
          0
        }, client)
    }
    try check(
      mosquitto_connect_async(client, settings.host, Int32(settings.effectivePort), Self.keepAlive), client)
  }

  private func check(_ result: Int32, _ client: OpaquePointer) throws(Failure) {
    let cause = errno
    guard result != MOSQ_ERR_SUCCESS.code, result != MOSQ_ERR_CONN_PENDING.code else { return }
    throw Failure(reason(result, cause))
  }

  private func setCallbacks(_ client: OpaquePointer) {
    mosquitto_connect_callback_set(client) { _, connection, code in
      let connection = BrokerConnection.from(connection)
      connection?.reports.append(code == 0 ? .accepted : .refused(BrokerConnection.refusal(code)))
    }
    mosquitto_publish_callback_set(client) { _, connection, id in
      BrokerConnection.from(connection)?.reports.append(.acknowledged(id))
    }
    mosquitto_message_callback_set(client) { _, connection, message in
      guard let connection = BrokerConnection.from(connection), let message = message?.pointee,
        let topic = message.topic
      else { return }
      connection.onMessage(
        String(cString: topic),
        UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen)))
    }
    mosquitto_log_callback_set(client) { _, connection, level, text in
      guard level & Int32(MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0, let text else { return }
      BrokerConnection.from(connection)?.detail = String(cString: text)
    }
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> BrokerConnection? {
    pointer.map { Unmanaged<BrokerConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: In the loop

  private func serve() {
    guard let mosquitto else { return }
    isOpening = false
    var result = MOSQ_ERR_SUCCESS.code
    // A connection that the broker closed is read to its end, whatever output waits.
    if mayRead || !mosquitto_want_write(mosquitto) { result = mosquitto_loop_read(mosquitto, 1) }
    if result == MOSQ_ERR_SUCCESS.code, mosquitto_want_write(mosquitto) {
      result = mosquitto_loop_write(mosquitto, 1)
    }
    let cause = errno
    settle(
      result == MOSQ_ERR_SUCCESS.code ? nil : reason(result, cause),
      isClosed: result == MOSQ_ERR_CONN_LOST.code)
  }

  /// Processes the library's reports, and watches its socket as needed.
  private func settle(_ failure: String? = nil, isClosed: Bool = false) {
    let taken = reports
    reports.removeAll(keepingCapacity: true)
    for report in taken {
      switch report {
      case .accepted: accept()
      case .refused(let reason): return fail(reason)
      case .acknowledged(let id): onAcknowledge(id)
      }
    }
    if let failure { return fail(failure, isClosed: isClosed) }
    follow()
    if state == .connected { onProgress() }
  }

  private func accept() {
    state = .connected
    let seconds = watch.succeeded()
    watch.after(Self.upkeep, repeats: true) { [unowned self] in
      guard let mosquitto else { return }
      let result = mosquitto_loop_misc(mosquitto)
      settle(result == MOSQ_ERR_SUCCESS.code ? nil : reason(result, errno))
    }
    onUp(seconds)
  }

  private func follow() {
    guard let mosquitto else { return }
    let socket = mosquitto_socket(mosquitto)
    guard socket >= 0 else { return fail(reason(MOSQ_ERR_CONN_LOST.code, 0)) }
    let writes = isOpening || mosquitto_want_write(mosquitto)
    let readiness: EventLoop.Readiness =
      writes ? (mayRead ? .inputAndOutput : .output) : mayRead ? .input : .hangUp
    do throws(SystemError) {
      try watch.watch(socket, for: readiness) { [unowned self] in serve() }
    } catch {
      fail("\(error)")
    }
  }

  /// - Parameter isClosed: whether the broker closed the connection without a packet.
  private func fail(_ reason: String, isClosed: Bool = false) {
    release()
    let wait = watch.retry { [unowned self] in connect() }
    onDown(reason, wait)
    guard isClosed, watch.shortLives >= Self.fewLives, !hasReportedRival else { return }
    hasReportedRival = true
    onRival()
  }

  private func release() {
    watch.unwatch()
    watch.cancel()
    state = .idle
    reports.removeAll()
    detail = nil
    lookup = nil
    if let mosquitto { mosquitto_destroy(mosquitto) }
    mosquitto = nil
  }

  // MARK: Sending

  /// Publishes at QoS 1, and returns the number of the acknowledgement; nil unconnected.
  package func publish(_ topic: String, _ payload: [UInt8], retained: Bool) -> Int32? {
    guard state == .connected, let mosquitto else { return nil }
    var id: Int32 = 0
    let result = mosquitto_publish(mosquitto, &id, topic, Int32(payload.count), payload, 1, retained)
    return result == MOSQ_ERR_SUCCESS.code ? id : nil
  }

  package func subscribe(_ topic: String) {
    guard let mosquitto else { return }
    mosquitto_subscribe(mosquitto, nil, topic, 1)
  }

  /// Sends pending output. Call it after publishing outside of `onProgress`.
  package func flush() {
    guard state == .connected else { return }
    follow()
  }

  /// Disconnects, so that the broker does not publish the will.
  package func end() {
    guard state == .connected, let mosquitto else { return release() }
    mosquitto_disconnect(mosquitto)
    // Only what fits into the socket is sent, because the broker may be gone.
    if mosquitto_want_write(mosquitto) { mosquitto_loop_write(mosquitto, 1) }
    release()
  }
}

extension BrokerConnection {
  /// Returns the reason why a call of the library failed.
  private func reason(_ result: Int32, _ cause: Int32) -> String {
    let text: String
    switch result {
    case MOSQ_ERR_ERRNO.code: text = "\(Errno(rawValue: cause))"
    case MOSQ_ERR_EAI.code: text = "the name \(settings.host) is not known"
    case MOSQ_ERR_CONN_LOST.code where state == .connecting: text = "it closed the connection at once"
    case MOSQ_ERR_CONN_LOST.code: text = "it closed the connection"
    case MOSQ_ERR_NOMEM.code:
      text =
        "it sent a message that is too long for the \(Bridge.mostMemory >> 20) MiB of memory that this program takes; "
        + "limit messages there (mosquitto: message_size_limit)"
    case MOSQ_ERR_KEEPALIVE.code: text = "it gives no sign of life"
    default: text = String(cString: mosquitto_strerror(result))
    }
    return detail.map { "\(text) (\($0))" } ?? text
  }

  /// Returns the meaning of a CONNACK. (MQTT 3.1.1, 3.2.2.3.)
  private static func refusal(_ code: Int32) -> String {
    switch code {
    case 2: "it does not accept the client id; give another one with --client-id"
    case 3: "it is not available now"
    case 4, 5: "it does not accept the user name and the password; check --username and --password-file"
    default: String(cString: mosquitto_connack_string(code))
    }
  }
}

extension mosq_err_t {
  fileprivate var code: Int32 { Int32(rawValue) }
}
