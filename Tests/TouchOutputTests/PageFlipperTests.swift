import Testing

@testable import TouchOutput

@Suite("Double buffering")
struct PageFlipperTests {
  /// A driver of 640 × 480 pixels of 32 bits, with two pages.
  private func report(_ change: (inout FramebufferReport) -> Void = { _ in }) -> FramebufferReport {
    var report = FramebufferReport(
      lineLength: 2560, memoryLength: 2560 * 960, width: 640, height: 480, virtualWidth: 640,
      virtualHeight: 960,
      bitsPerPixel: 32, red: .init(offset: 16, length: 8), green: .init(offset: 8, length: 8),
      blue: .init(offset: 0, length: 8), panStepY: 1)
    change(&report)
    return report
  }

  @Test
  func `double buffering is refused if the driver cannot pan by whole pages`() {
    #expect(PageFlipper.cannotPan(report()) == nil)
    #expect(PageFlipper.cannotPan(report { $0.panStepY = 0 })?.contains("cannot pan") == true)
    #expect(
      PageFlipper.cannotPan(report { $0.panStepY = 7 })?.contains("7 rows") == true)
    #expect(PageFlipper.cannotPan(report { $0.panStepY = 16 }) == nil)
  }

  @Test
  func `double buffering is refused if the memory or the mode has no room for two pages`() {
    #expect(PageFlipper.lacksRoom(report(), than: report()) == nil)
    #expect(
      PageFlipper.lacksRoom(report { $0.virtualHeight = 959 }, than: report())?.contains("959 rows") == true)
    #expect(
      PageFlipper.lacksRoom(report { $0.memoryLength -= 1 }, than: report())?.contains("2457599 bytes")
        == true)
    #expect(
      PageFlipper.lacksRoom(report { $0.bitsPerPixel = 16 }, than: report())?.contains("mode") == true)
    #expect(
      PageFlipper.lacksRoom(report { $0.offsetY = 3 }, than: report())?.contains("row 3") == true)
    #expect(PageFlipper.lacksRoom(report { $0.offsetY = 480 }, than: report()) == nil)
  }

  @Test
  func `the first page is found from the offset of the visible one`() throws {
    let seen = try FramebufferLayout(report { $0.offsetY = 480 }, path: "/dev/fb0")
    #expect(seen.start == 480 * 2560)
    #expect(seen.startingAtFirstPage(shown: 1).start == 0)
    #expect(seen.startingAtFirstPage(shown: 0) == seen)
  }
}
