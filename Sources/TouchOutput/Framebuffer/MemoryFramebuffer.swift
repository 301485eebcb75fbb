import Glibc
import TouchPixels

/// A framebuffer in ordinary memory that does everything a real one does, for tests and benchmarks.
package final class MemoryFramebuffer: Screen {
  package enum Depth: Hashable, Sendable, CaseIterable {
    /// `x8r8g8b8`, `r8g8b8` and `r5g6b5`.
    case bits32, bits24, bits16
    /// An index into a colour map with a cube of colours.
    case bits8
    case bit1
  }

  /// The number of bytes that were written since the framebuffer was made.
  package private(set) var writtenBytes = 0
  /// The pixels, row by row, without padding.
  package let memory: UnsafeMutableRawBufferPointer

  let layout: FramebufferLayout
  private let staging: StagingBuffer
  private let converter: RowConverter

  package convenience init(width: Int, height: Int, depth: Depth) throws(DisplayError) {
    try self.init(depth.report(width, height))
  }

  /// Makes a framebuffer by a possible report of a driver.
  init(_ report: FramebufferReport) throws(DisplayError) {
    layout = try FramebufferLayout(report, path: "memory")
    staging = try StagingBuffer(
      width: layout.width, height: layout.height, showsPictures: layout.bitsPerPixel >= 8)
    converter = RowConverter(layout: layout)
    memory = .allocate(byteCount: layout.length, alignment: 4096)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { memory.deallocate() }

  package var width: Int { layout.width }
  package var height: Int { layout.height }
  package var picture: Surface? { nil }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    guard let address = memory.baseAddress else { return }
    staging.compose(layout.wholeBytes(rect.intersection(bounds)), paint) { target, part, pixel in
      writtenBytes += converter.write(part, of: target, filledWith: pixel, to: address)
    }
  }

  package func reduce(_ picture: Surface) { converter.reduce(picture) }
}

extension MemoryFramebuffer.Depth {
  func report(_ width: Int, _ height: Int) -> FramebufferReport {
    let bits =
      switch self {
      case .bits32: 32
      case .bits24: 24
      case .bits16: 16
      case .bits8: 8
      case .bit1: 1
      }
    func field(_ offset: Int, _ length: Int) -> BitField {
      BitField(offset: UInt32(offset), length: UInt32(length))
    }
    let (red, green, blue) =
      switch self {
      case .bits32, .bits24: (field(16, 8), field(8, 8), field(0, 8))
      case .bits16: (field(11, 5), field(5, 6), field(0, 5))
      case .bits8, .bit1: (field(0, bits), field(0, bits), field(0, bits))
      }
    let stride = (UInt32(clamping: width) * UInt32(bits) + 7) / 8
    var report = FramebufferReport(
      lineLength: stride, memoryLength: UInt32(clamping: UInt64(stride) * UInt64(clamping: height)),
      width: UInt32(clamping: width), height: UInt32(clamping: height), bitsPerPixel: UInt32(bits),
      red: red, green: green, blue: blue)
    switch self {
    case .bits32, .bits24, .bits16: break
    case .bits8: report.visual = .pseudoColor
    case .bit1: report.visual = .mono10
    }
    return report
  }
}
