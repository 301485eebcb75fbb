import CLinux.Loop
import Glibc
import TouchSystem

/// Hears which devices come, go and change, from the kernel and from udev.
package final class DeviceEvents {
  private let socket: OwnedDescriptor
  private var buffer = [UInt8](repeating: 0, count: 8192)

  /// Nil where the kernel does not tell, as in some containers.
  package init?() {
    let descriptor = touchtree_device_events()
    guard descriptor >= 0 else { return nil }
    socket = OwnedDescriptor(descriptor)
  }

  /// Readable when something happened.
  package var descriptor: Int32 { socket.rawValue }

  /// Takes what has happened, and tells whether any of it was about a framebuffer.
  package func takeFramebufferEvents() -> Bool {
    var found = false
    while true {
      let count = recv(socket.rawValue, &buffer, buffer.count, 0)
      // Lost messages may have been anything.
      if count < 0 && errno == ENOBUFS { return true }
      guard count > 0 else { return found }
      found = found || Self.isAboutFramebuffer(buffer[..<count])
    }
  }

  /// Whoever sent it, a message has one `NAME=value` after the other, each ended by a zero.
  private static func isAboutFramebuffer(_ message: ArraySlice<UInt8>) -> Bool {
    message.split(separator: 0).contains { $0.elementsEqual("SUBSYSTEM=graphics".utf8) }
  }
}
