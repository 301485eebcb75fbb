import Glibc
import SystemPackage
import TouchSystem

/// Writes rows into a framebuffer's memory, which is never read: write-combined memory is very slow to read.
/// Rows are written with pwrite(2). Drivers with a shadow buffer show a call's pixels at once, and a
/// mapping's about 50 ms later. (kernel `fb/deferred_io.rst`) The mapping serves drivers that reject such
/// calls or block.
final class FramebufferMemory {
  /// The handler of log messages about the change to the mapping, and about its failure.
  var report: (String) -> Void = { _ in }

  private enum Way {
    /// The first calls are timed, and `rows` of them remain.
    case trial(rows: Int, blocked: Int64)
    case calls, mapping
    /// Neither calls nor the mapping work. The device is gone, or about to go.
    case none
  }

  private let device: FramebufferDevice
  /// Bytes from one row to the next.
  private let stride: Int
  /// The number of bytes that may be mapped, and the offset of the memory in its first page.
  private let (length, inset): (Int, Int)
  private var way = Way.trial(rows: rowsInTrial, blocked: 0)
  private var base: UnsafeMutableRawPointer?

  private static let rowsInTrial = 64
  /// The longest sleep in the first calls of a driver that does not block, in nanoseconds.
  private static let longestBlock: Int64 = 10_000_000

  init(device: FramebufferDevice, report: FramebufferReport) {
    self.device = device
    stride = Int(report.lineLength)
    // The kernel maps whole pages, beginning with the page in which the memory starts.
    inset = Int(report.memoryStart & UInt(sysconf(Int32(_SC_PAGESIZE)) - 1))
    length = Int(report.memoryLength)
  }

  deinit { if let base { munmap(base, inset + length) } }

  func write(_ rows: FramebufferRows) {
    var rows = rows
    if case .calls = way, writeAtOnce(&rows) { return }
    rows.forEach(stride: stride) { row, place in
      switch way {
      case .calls: writeByCalls(row, at: place)
      case .trial(let left, let blocked): writeInTrial(row, at: place, rowsLeft: left, blocked: blocked)
      case .mapping: copy(row, at: place)
      case .none: break
      }
    }
  }

  // MARK: Calls

  /// Writes the rows that need no care, leaves the rest in `rows`, and returns whether none are left. Rows
  /// without gaps take one call; others that end before the framebuffer's rows take one each.
  private func writeAtOnce(_ rows: inout FramebufferRows) -> Bool {
    guard let first = rows.first else { return true }
    let descriptor = device.descriptor.rawValue
    if rows.byteCount == stride, rows.step == stride, rows.count > 1 {
      let size = rows.count * stride
      return pwrite(descriptor, first, size, off_t(rows.offset)) == size
    }
    guard !(rows.offset + rows.byteCount).isMultiple(of: stride) else { return false }
    let (size, step, stride) = (rows.byteCount, rows.step, stride)
    var (next, place, left) = (first, rows.offset, rows.count)
    while left > 0, pwrite(descriptor, next, size, off_t(place)) == size {
      (next, place, left) = (next + step, place + stride, left - 1)
    }
    (rows.first, rows.offset, rows.count) = (next, place, left)
    return left == 0
  }

  /// Writes one row by calls, its last byte first. From 6.1 to 6.12 at least, DRM's emulation takes a write
  /// that ends with the row for an empty one. (`drm_fb_helper_memory_range_to_clip`)
  private func writeByCalls(_ row: UnsafeRawBufferPointer, at offset: Int) {
    guard row.count > 1, (offset + row.count).isMultiple(of: stride) else { return call(row, at: offset) }
    let last = row.count - 1
    call(UnsafeRawBufferPointer(rebasing: row[last...]), at: offset + last)
    call(UnsafeRawBufferPointer(rebasing: row[..<last]), at: offset)
  }

  private func call(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard var next = bytes.baseAddress else { return }
    var (left, place) = (bytes.count, offset)
    while left > 0 {
      let written = pwrite(device.descriptor.rawValue, next, left, off_t(place))
      if written > 0 {
        (next, left, place) = (next + written, left - written, place + written)
        continue
      }
      let cause = written == 0 ? Errno.ioError : Errno(rawValue: errno)
      if cause == .interrupted { continue }
      // The device rejects calls while it is suspended, and takes them again later.
      if cause != .notPermitted { useMapping(because: "it rejects writing (\(cause))") }
      return copy(UnsafeRawBufferPointer(start: next, count: left), at: place)
    }
  }

  /// Writes one row and measures the sleep in the call: a driver that sends pixels over a slow bus puts the
  /// process to sleep, and a busy machine does not.
  private func writeInTrial(_ row: UnsafeRawBufferPointer, at offset: Int, rowsLeft: Int, blocked: Int64) {
    let (sleeps, start) = (Self.sleeps(), MonotonicClock.nanoseconds())
    writeByCalls(row, at: offset)
    guard case .trial = way else { return }
    let blocked = blocked + (Self.sleeps() > sleeps ? MonotonicClock.nanoseconds() - start : 0)
    if blocked > Self.longestBlock {
      let rows = Self.rowsInTrial - rowsLeft + 1
      useMapping(because: "writing to it blocked for \(blocked / 1_000_000) ms in \(rows) rows")
    } else {
      way = rowsLeft > 1 ? .trial(rows: rowsLeft - 1, blocked: blocked) : .calls
    }
  }

  /// Returns how often the process gave up its processor to wait for something.
  private static func sleeps() -> Int {
    var usage = rusage()
    return getrusage(RUSAGE_SELF.rawValue, &usage) == 0 ? usage.ru_nvcsw : 0
  }

  // MARK: The mapping

  private func useMapping(because reason: String) {
    if case .mapping = way { return }
    way = .mapping
    report("\(reason); touchtree uses the mapping, which the driver shows when it chooses to")
  }

  private func copy(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard let base = base ?? map() else { return }
    UnsafeMutableRawBufferPointer(start: base + inset + offset, count: bytes.count).copyMemory(from: bytes)
  }

  private func map() -> UnsafeMutableRawPointer? {
    let memory = mmap(nil, inset + length, PROT_READ | PROT_WRITE, MAP_SHARED, device.descriptor.rawValue, 0)
    guard let memory, memory != MAP_FAILED else {
      report("cannot map \(inset + length) bytes of the framebuffer (\(Errno(rawValue: errno)))")
      way = .none
      return nil
    }
    base = memory
    return memory
  }
}
