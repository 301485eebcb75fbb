import Glibc

/// Both ends of a pipe, closed with their owner. (pipe(2))
class TestPipe {
  let readEnd: Int32
  private let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Makes the end to read readable.
  func fill() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes what one `fill` gave.
  func drain() {
    var byte: UInt8 = 0
    _ = read(readEnd, &byte, 1)
  }
}
