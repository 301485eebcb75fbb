import Testing

@testable import TouchCore
@testable import TouchOutput
@testable import TouchRender

@Suite("The panel at every depth, as a person sees it", .serialized)
struct DepthPictureTests {
  @Test("a depth looks as it did, wherever a driver keeps its bits", arguments: layouts)
  func depth(row: LayoutRow) throws {
    let panel = Panel()
    panel.pressed.isHighlighted = true
    let highlights = panel.highlights(touching: [(panel.tilted, WindowPoint(x: 668, y: 350))])
    let report = row.report(320, 192, padding: 3)
    let framebuffer = try MemoryFramebuffer(report)
    let geometry = DisplayGeometry(displaySize: framebuffer.size, canvasSize: panel.window.bounds.size)
    try Painter(geometry: geometry).paintAll(panel.window, highlights: highlights, on: framebuffer)
    try expectGolden(row.picture(UnsafeRawBufferPointer(framebuffer.memory), report), row.look)
  }

  @Test("there is a picture of each depth that a driver may have")
  func depths() {
    #expect(
      Set(layouts.map(\.look)).sorted() == [
        "depth-121", "depth-332", "depth-444", "depth-555", "depth-565", "depth-666", "depth-888",
        "depth-grey-1", "depth-grey-2", "depth-grey-4", "depth-grey-8", "depth-palette-216",
        "depth-palette-8",
      ])
  }
}
