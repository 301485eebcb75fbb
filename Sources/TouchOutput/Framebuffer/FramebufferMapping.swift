import Glibc
import SystemPackage
import TouchCore
import TouchPixels

/// A framebuffer's memory, mapped for as long as the framebuffer is open. It is written, and never read: it may be
/// write-combined memory, where reading is very slow.
final class FramebufferMapping {
  /// The framebuffer's first byte.
  let address: UnsafeMutableRawPointer

  private let base: UnsafeMutableRawPointer
  /// In bytes.
  private let length: Int

  /// - Throws: `DisplayError` when the memory cannot be mapped.
  init(device: FramebufferDevice, report: FramebufferReport) throws(DisplayError) {
    // The kernel maps whole pages from the one in which the memory starts.
    let inset = Int(report.memoryStart & UInt(sysconf(Int32(_SC_PAGESIZE)) - 1))
    length = inset + Int(report.memoryLength)
    let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, device.descriptor.rawValue, 0)
    guard let memory, memory != MAP_FAILED else {
      throw DisplayError(
        .failed, path: device.path, detail: "cannot map \(length) bytes of the framebuffer",
        cause: Errno(rawValue: errno))
    }
    base = memory
    address = memory + inset
  }

  deinit {
    munmap(base, length)
  }
}
