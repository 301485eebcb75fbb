import Testing

@testable import TouchOutput

@Suite("Two buffers")
struct PagesTests {
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

  @Test("a driver that cannot pan to a second page is not asked to")
  func cannotPan() {
    #expect(PageFlipper.cannotPan(report()) == nil)
    #expect(PageFlipper.cannotPan(report { $0.panStepY = 0 }) == "the driver cannot pan")
    #expect(
      PageFlipper.cannotPan(report { $0.panStepY = 7 })
        == "the driver pans by 7 rows, which do not make up 480")
    #expect(PageFlipper.cannotPan(report { $0.panStepY = 16 }) == nil)
  }

  @Test("a second page that is only claimed is not used")
  func lacksRoom() {
    #expect(PageFlipper.lacksRoom(report(), than: report()) == nil)
    #expect(
      PageFlipper.lacksRoom(report { $0.virtualHeight = 959 }, than: report())
        == "the driver has no second page: 959 rows, and two pages need 960")
    #expect(
      PageFlipper.lacksRoom(report { $0.memoryLength -= 1 }, than: report())
        == "the driver claims two pages and has memory for 2457599 bytes, where they need 2457600")
    #expect(
      PageFlipper.lacksRoom(report { $0.bitsPerPixel = 16 }, than: report())
        == "asked for two pages, the driver changed the mode")
    #expect(
      PageFlipper.lacksRoom(report { $0.offsetY = 3 }, than: report())
        == "what is seen begins at row 3, which is no page's first")
    #expect(PageFlipper.lacksRoom(report { $0.offsetY = 480 }, than: report()) == nil)
  }

  @Test("the first page is found from the one that is seen")
  func firstPage() throws {
    let seen = try FramebufferLayout(report { $0.offsetY = 480 }, path: "/dev/fb0")
    #expect(seen.start == 480 * 2560)
    #expect(seen.startingAtFirstPage(shown: 1).start == 0)
    #expect(seen.startingAtFirstPage(shown: 0) == seen)
  }
}
