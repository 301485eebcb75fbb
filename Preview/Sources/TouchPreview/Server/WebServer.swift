import CWebsockets
import Glibc
import SystemPackage
import TouchSystem

/// The receiver of what happens on the connections of a server.
package protocol WebServerDelegate: AnyObject {
  func opened(_ connection: WebConnection)
  /// - Parameter text: one message, at most `WebServer.longestMessage` bytes.
  func received(_ text: [UInt8], on connection: WebConnection)
  /// Returns the next message to send: text, or a picture; nil when there is none.
  func nextMessage(for connection: WebConnection) -> WebMessage?
  func closed(_ connection: WebConnection)
}

package enum WebMessage {
  case text([UInt8])
  case binary([UInt8])
}

/// An open WebSocket.
package final class WebConnection {
  fileprivate let handle: OpaquePointer
  /// The part of a message that has arrived.
  fileprivate var partial: [UInt8] = []

  fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

  /// Asks the delegate for messages as soon as the browser takes some.
  package func wantsToSend() { lws_callback_on_writable(handle) }
}

/// Serves one page and WebSockets on 127.0.0.1, by libwebsockets.
///
/// A request without the token of the address is refused, and so is one of another origin, or by another name
/// for this machine (DNS rebinding): its Host has to be the server's own address. Connections, headers and
/// messages are bounded in number and size. Nothing is queued here: a message is made when the browser takes
/// it.
///
/// The loop of libwebsockets rules, and `EventLoop` is one descriptor in it, because Debian's library reports
/// its sockets to no other loop (LWS_WITH_EXTERNAL_POLL), but takes in any descriptor.
package final class WebServer {
  package weak var delegate: (any WebServerDelegate)?
  /// The address of the page.
  package private(set) var address = ""

  private let loop: EventLoop
  private let token: AccessToken
  private let page: [UInt8]
  /// The values of Host that name this server.
  private var hosts: [String] = []
  private var context: OpaquePointer?
  private var connections: [OpaquePointer: WebConnection] = [:]
  /// The requests whose page is about to be sent.
  private var pageRequests: Set<OpaquePointer> = []
  private var isStopped = false
  private let protocols: UnsafeMutablePointer<lws_protocols>

  /// The longest message of a browser, in bytes.
  package static let longestMessage = 1 << 16
  /// The most descriptors of the library: connections, the listening socket and the other loop.
  private static let mostDescriptors: UInt32 = 64
  /// The most WebSockets: tabs that show the panel.
  private static let mostConnections = 8
  /// The seconds for the headers of a request, and between two requests.
  private static let timeout: UInt32 = 5
  /// The bytes before a message that the library writes into. (LWS_PRE)
  private static let headroom = 16

  /// Listens.
  /// - Parameters:
  ///   - page: the HTML of the page.
  ///   - port: 0 for a free one.
  /// - Throws: `Failure` where the port is taken.
  package init(_ page: [UInt8], token: AccessToken, port: UInt16, in loop: EventLoop) throws {
    (self.page, self.token, self.loop) = (page, token, loop)
    lws_set_log_level(0, nil)
    let names: [StaticString] = ["http", "touchtree", "loop"]
    protocols = .allocate(capacity: names.count + 1)
    for (index, name) in names.enumerated() {
      var entry = lws_protocols()
      entry.name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      entry.callback = { handle, reason, _, bytes, count in
        guard let handle, let context = lws_get_context(handle), let user = lws_context_user(context) else {
          return 0
        }
        let server = Unmanaged<WebServer>.fromOpaque(user).takeUnretainedValue()
        return server.answer(reason, handle, bytes, count)
      }
      entry.rx_buffer_size = Self.longestMessage
      protocols.advanced(by: index).initialize(to: entry)
    }
    protocols.advanced(by: names.count).initialize(to: lws_protocols())
    var info = lws_context_creation_info()
    info.port = Int32(port)
    info.protocols = UnsafePointer(protocols)
    info.user = Unmanaged.passUnretained(self).toOpaque()
    info.fd_limit_per_thread = Self.mostDescriptors
    info.max_http_header_pool2 = Self.mostDescriptors
    info.timeout_secs = Self.timeout
    info.keepalive_timeout = Int32(Self.timeout)
    info.options = UInt64(LWS_SERVER_OPTION_DISABLE_IPV6)
    context = "127.0.0.1".withCString { interface in
      info.iface = interface
      return lws_create_context(&info)
    }
    guard let context, let host = lws_get_vhost_by_name(context, "default") else {
      throw Failure(.unavailable, "127.0.0.1:\(port) is taken; give another --port")
    }
    let listening = lws_get_vhost_listen_port(host)
    hosts = ["127.0.0.1:\(listening)", "localhost:\(listening)"]
    address = "http://127.0.0.1:\(listening)/\(token.text)/"
    try adopt(loop, on: host)
  }

  deinit {
    if let context { lws_context_destroy(context) }
    protocols.deallocate()
  }

  private func adopt(_ loop: EventLoop, on host: OpaquePointer) throws {
    var other = lws_sock_file_fd_type()
    other.filefd = fcntl(loop.descriptor, F_DUPFD_CLOEXEC, 0)
    guard lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, other, "loop", nil) != nil else {
      throw Failure(.unavailable, "libwebsockets does not take in another loop")
    }
  }

  /// Serves until `stop()`.
  /// - Throws: `SystemError`.
  package func run() throws {
    while !isStopped {
      try loop.runReady()
      guard !isStopped, let context, lws_service(context, 0) >= 0 else { return }
    }
  }

  package func stop() { isStopped = true }

  // MARK: Callbacks

  /// - Returns: 0; anything else closes the connection.
  private func answer(
    _ reason: lws_callback_reasons, _ handle: OpaquePointer, _ bytes: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_HTTP: return answerRequest(handle, UnsafeRawBufferPointer(start: bytes, count: count))
    case LWS_CALLBACK_HTTP_WRITEABLE: return sendPage(to: handle)
    case LWS_CALLBACK_CLOSED_HTTP, LWS_CALLBACK_WSI_DESTROY:
      pageRequests.remove(handle)
      return 0
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return mayOpen(handle) ? 0 : 1
    case LWS_CALLBACK_ESTABLISHED:
      let connection = WebConnection(handle)
      connections[handle] = connection
      delegate?.opened(connection)
      return 0
    case LWS_CALLBACK_CLOSED:
      if let connection = connections.removeValue(forKey: handle) { delegate?.closed(connection) }
      return 0
    case LWS_CALLBACK_RECEIVE:
      return receive(UnsafeRawBufferPointer(start: bytes, count: count), on: handle) ? 0 : -1
    case LWS_CALLBACK_SERVER_WRITEABLE: return sendMessage(to: handle)
    default: return 0
    }
  }

  private func header(_ token: lws_token_indexes, of handle: OpaquePointer) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = lws_hdr_copy(handle, &buffer, Int32(buffer.count), token)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func isForThisServer(_ handle: OpaquePointer) -> Bool {
    header(WSI_TOKEN_HOST, of: handle).map(hosts.contains) ?? false
  }

  /// Returns whether a WebSocket may be opened.
  private func mayOpen(_ handle: OpaquePointer) -> Bool {
    guard connections.count < Self.mostConnections, isForThisServer(handle),
      let origin = header(WSI_TOKEN_ORIGIN, of: handle), hosts.contains(where: { "http://\($0)" == origin }),
      let path = header(WSI_TOKEN_GET_URI, of: handle), let own = lws_get_protocol(handle)
    else { return false }
    return String(cString: own.pointee.name) == "touchtree" && path.hasPrefix("/")
      && token.matches(path.dropFirst().prefix { $0 != "/" }) && path.hasSuffix("/socket")
  }

  // MARK: The page

  private static let headers: [(name: StaticString, value: StaticString)] = [
    (
      "content-security-policy:",
      """
      default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; \
      base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """
    ),
    ("cache-control:", "no-store"), ("referrer-policy:", "no-referrer"),
    ("x-content-type-options:", "nosniff"), ("x-frame-options:", "DENY"),
    ("cross-origin-resource-policy:", "same-origin"),
    ("cross-origin-opener-policy:", "same-origin"),
  ]

  private func answerRequest(_ handle: OpaquePointer, _ path: UnsafeRawBufferPointer) -> Int32 {
    let path = String(decoding: path, as: UTF8.self)
    guard isForThisServer(handle), path.hasPrefix("/"), path.hasSuffix("/"),
      token.matches(path.dropFirst().dropLast())
    else {
      _ = lws_return_http_status(handle, UInt32(HTTP_STATUS_FORBIDDEN.rawValue), nil)
      return -1
    }
    var buffer = [UInt8](repeating: 0, count: 2048)
    let isSent = buffer.withUnsafeMutableBufferPointer { buffer -> Bool in
      guard let base = buffer.baseAddress else { return false }
      let start = base + Self.headroom
      let end = base + buffer.count
      var next: UnsafeMutablePointer<UInt8>? = start
      guard
        lws_add_http_common_headers(
          handle, UInt32(HTTP_STATUS_OK.rawValue), "text/html; charset=utf-8", UInt64(page.count), &next, end)
          == 0
      else { return false }
      for (name, value) in Self.headers {
        guard
          lws_add_http_header_by_name(
            handle, name.utf8Start, value.utf8Start, Int32(value.utf8CodeUnitCount), &next, end) == 0
        else { return false }
      }
      return lws_finalize_write_http_header(handle, start, &next, end) == 0
    }
    guard isSent else { return -1 }
    pageRequests.insert(handle)
    lws_callback_on_writable(handle)
    return 0
  }

  private func sendPage(to handle: OpaquePointer) -> Int32 {
    guard pageRequests.remove(handle) != nil else { return 0 }
    guard write(page, to: handle, LWS_WRITE_HTTP_FINAL) else { return -1 }
    return lws_http_transaction_completed(handle) == 0 ? 0 : -1
  }

  // MARK: WebSockets

  private func receive(_ bytes: UnsafeRawBufferPointer, on handle: OpaquePointer) -> Bool {
    guard let connection = connections[handle], connection.partial.count + bytes.count <= Self.longestMessage,
      lws_frame_is_binary(handle) == 0
    else { return false }
    connection.partial += bytes
    guard lws_is_final_fragment(handle) != 0, lws_remaining_packet_payload(handle) == 0 else { return true }
    let text = connection.partial
    connection.partial.removeAll(keepingCapacity: true)
    delegate?.received(text, on: connection)
    return true
  }

  private func sendMessage(to handle: OpaquePointer) -> Int32 {
    guard let connection = connections[handle], let message = delegate?.nextMessage(for: connection) else {
      return 0
    }
    lws_callback_on_writable(handle)
    let isSent =
      switch message {
      case .text(let bytes): write(bytes, to: handle, LWS_WRITE_TEXT)
      case .binary(let bytes): write(bytes, to: handle, LWS_WRITE_BINARY)
      }
    return isSent ? 0 : -1
  }

  /// Writes bytes behind the room that the library needs. What the kernel does not take the library keeps,
  /// and then it asks for no more.
  private func write(_ bytes: [UInt8], to handle: OpaquePointer, _ kind: lws_write_protocol) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.headroom + bytes.count)
    return buffer.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      bytes.withUnsafeBufferPointer { source in
        if let start = source.baseAddress { (base + Self.headroom).update(from: start, count: source.count) }
      }
      return lws_write(handle, base + Self.headroom, bytes.count, kind) >= bytes.count
    }
  }
}
