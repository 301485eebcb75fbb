import Glibc
import SystemPackage

/// The memory of a framebuffer in this process.
///
/// A page that was written to once stays with the process for as long as it is mapped, though nobody reads it: after the
/// first picture that would be the whole screen. So the memory is mapped anew when much of it was written. Unmapping
/// loses nothing: what was written is in the framebuffer, and drivers that send pages later have noted them.
/// (madvise(2) would do on some drivers, and leave others with a mapping that faults.)
final class FramebufferMapping {
  /// The framebuffer's first byte. Good until the next `wrote`.
  var address: UnsafeMutableRawPointer { base + inset }

  private let device: Device
  private let length: Int
  /// The kernel maps whole pages from the one in which the memory starts.
  private let inset: Int
  private var base: UnsafeMutableRawPointer
  /// For each row whether it was written to since the memory was mapped.
  private var isWritten: [Bool]
  private var writtenRows = 0
  private let mostRows: Int

  /// In bytes.
  private static let mostWritten = 1 << 19

  /// - Parameter rows: how many there are, on all pages.
  /// - Throws: `DisplayError` when the memory cannot be mapped.
  init(
    device: Device, report: FramebufferReport, layout: FramebufferLayout, rows: Int
  ) throws(DisplayError) {
    inset = Int(report.memoryStart & UInt(sysconf(Int32(_SC_PAGESIZE)) - 1))
    length = inset + Int(report.memoryLength)
    isWritten = Array(repeating: false, count: rows)
    mostRows = Self.mostWritten / layout.stride
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

  /// Takes note of rows that were written to.
  func wrote(rows: Range<Int>) {
    for row in rows where !isWritten[row] {
      isWritten[row] = true
      writtenRows += 1
    }
    // Where there is no new mapping, the old one is as good.
    guard writtenRows > mostRows, let new = Self.map(device, length) else { return }
    munmap(base, length)
    base = new
    for row in isWritten.indices { isWritten[row] = false }
    writtenRows = 0
  }

  private static func map(_ device: Device, _ length: Int) -> UnsafeMutableRawPointer? {
    let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, device.descriptor.rawValue, 0)
    return address == MAP_FAILED ? nil : address
  }
}
