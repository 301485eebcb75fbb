import Glibc
import SystemPackage
import TouchPixels

/// The memory of a framebuffer in this process.
///
/// A page that was written to once stays with the process for as long as it is mapped, though nobody reads it: after the
/// first picture that would be the whole screen. So the memory is mapped anew when much of it was written. What is drawn
/// again and again, such as a button, stays below that: a new mapping has to be filled by the kernel, page by page, which
/// takes longer than painting. Unmapping loses nothing: what was written is in the framebuffer, and drivers that send
/// pages later have noted them. (madvise(2) would do on some drivers, and leave others with a mapping that faults.)
final class FramebufferMapping {
  /// The framebuffer's first byte. Good until the next `wrote`.
  var address: UnsafeMutableRawPointer { base + inset }

  private let device: FramebufferDevice
  private let length: Int
  /// The kernel maps whole pages from the one in which the memory starts.
  private let inset: Int
  private var base: UnsafeMutableRawPointer
  private let pageSize: Int
  /// For each page of the mapping whether it was written to since the memory was mapped.
  private var isWritten: [Bool]
  private var writtenPages = 0

  /// In bytes.
  private static let mostWritten = 5 << 18

  /// - Throws: `DisplayError` when the memory cannot be mapped.
  init(device: FramebufferDevice, report: FramebufferReport) throws(DisplayError) {
    pageSize = sysconf(Int32(_SC_PAGESIZE))
    inset = Int(report.memoryStart & UInt(pageSize - 1))
    length = inset + Int(report.memoryLength)
    isWritten = Array(repeating: false, count: (length + pageSize - 1) / pageSize)
    guard let base = Self.map(device, length) else {
      throw DisplayError(
        .failed, path: device.path, detail: "cannot map \(length) bytes of the framebuffer",
        cause: Errno(rawValue: errno))
    }
    self.base = base
    self.device = device
  }

  deinit {
    munmap(base, length)
  }

  /// Takes note of what was written to.
  ///
  /// - Parameters:
  ///   - bytes: of the first row, counted from `address`; not empty.
  ///   - rows: how many rows follow each other.
  ///   - stride: bytes from one row to the next.
  func wrote(_ bytes: Range<Int>, rows: Int, stride: Int) {
    var first = inset + bytes.lowerBound
    for _ in 0..<rows {
      note(pages: first / pageSize...(first + bytes.count - 1) / pageSize)
      first += stride
    }
    // Where there is no new mapping, the old one is as good.
    guard writtenPages * pageSize > Self.mostWritten, let new = Self.map(device, length) else { return }
    munmap(base, length)
    base = new
    for page in isWritten.indices { isWritten[page] = false }
    writtenPages = 0
  }

  private func note(pages: ClosedRange<Int>) {
    for page in pages where !isWritten[page] {
      isWritten[page] = true
      writtenPages += 1
    }
  }

  private static func map(_ device: FramebufferDevice, _ length: Int) -> UnsafeMutableRawPointer? {
    let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, device.descriptor.rawValue, 0)
    return address == MAP_FAILED ? nil : address
  }
}
