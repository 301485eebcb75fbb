import SystemPackage
import TouchSystem

/// The source and the target of a peer's bytes. Neither waits.
package protocol PeerChannel: AnyObject {
  var input: Int32 { get }
  /// The descriptor to watch for room. It may be the same.
  var output: Int32 { get }
  var takesFiles: Bool { get }
  var isRead: Bool { get }
  /// Returns the number of bytes read; 0 at the end of input.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  /// Returns the number of bytes taken. The file goes with the first of them.
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
