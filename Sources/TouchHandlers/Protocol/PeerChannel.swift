import SystemPackage
import TouchSystem

/// Where a peer's bytes come from and go to. Neither waits.
package protocol PeerChannel: AnyObject {
  /// The descriptor to watch for input.
  var input: Int32 { get }
  /// The descriptor to watch for room; it may be the same.
  var output: Int32 { get }
  /// Whether a descriptor can go with what is written.
  var takesFiles: Bool { get }
  /// Whether the other end has read everything that was written.
  var isRead: Bool { get }
  /// Answers how many bytes came; 0 when no more will.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  /// Answers how many bytes were taken. The file goes with the first of them.
  func write(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) throws(Errno) -> Int
}

extension UnixSocket: PeerChannel {
  package var input: Int32 { rawValue }
  package var output: Int32 { rawValue }
  package var takesFiles: Bool { true }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try receive(into: buffer)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) throws(Errno) -> Int {
    try send(bytes, with: file)
  }
}
