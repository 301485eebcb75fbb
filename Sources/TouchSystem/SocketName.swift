import Glibc

/// The name of a Unix socket: a path, or `@` and an abstract name. (`unix(7)`)
package struct SocketName: Hashable, Sendable {
  package let text: String

  /// The longest name in bytes; the kernel wants a zero behind a path.
  package static let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Returns nil when it is longer than `longest`.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    self.text = text
  }

  private var isAbstract: Bool { text.hasPrefix("@") }

  /// Calls `body` with the address for the calls of sockets, valid until `body` returns.
  package func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: text.utf8)
      if isAbstract { path[0] = 0 }
    }
    // An abstract name ends at its length; a zero byte would be part of it.
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let length = socklen_t(offset + text.utf8.count + (isAbstract ? 0 : 1))
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
