import CLinux.Process
import Glibc
import SystemPackage
import TouchSystem

// Pipes to processes. A process handler has two for the protocol and one for errors.

/// An end of a pipe. (`pipe(7)`) The end that stays in this process does not block.
package final class PipeEnd {
  private let descriptor: OwnedDescriptor
  package var rawValue: Int32 { descriptor.rawValue }

  fileprivate init(owning descriptor: Int32) { self.descriptor = OwnedDescriptor(descriptor) }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    let count = Glibc.read(rawValue, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count
  }

  /// Stops blocking at this end only, because the other end is another open file.
  package func stopBlocking() { _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_NONBLOCK) }

  /// Stops signals of a lifeline, whose open file the process shares, so that the other end
  /// can be closed without one. (`touchtree_spawn`)
  func stopSignals() { _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) & ~O_ASYNC) }
}

/// A pipe to a process, which gets none of its ends but those that it is given.
package struct Pipe {
  package let reading, writing: PipeEnd

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try checked("pipe2") { touchtree_pipe(&ends) }
    reading = PipeEnd(owning: ends[0])
    writing = PipeEnd(owning: ends[1])
  }
}

final class PipeChannel: PeerChannel {
  private let reading, writing: PipeEnd

  init(input: PipeEnd, output: PipeEnd) {
    (reading, writing) = (input, output)
    input.stopBlocking()
    output.stopBlocking()
  }

  var input: Int32 { reading.rawValue }
  var output: Int32 { writing.rawValue }
  var takesFiles: Bool { false }
  var isRead: Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try reading.read(into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) throws(Errno) -> Int {
    let count = Glibc.write(writing.rawValue, bytes.baseAddress, bytes.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count
  }
}
