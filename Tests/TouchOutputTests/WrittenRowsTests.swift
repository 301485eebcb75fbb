import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

@Suite("What is written to a framebuffer")
struct WrittenRowsTests {
  private let untouched: UInt8 = 0xee

  @Test(arguments: MemoryFramebuffer.Depth.allCases)
  func `two small changes write their own rows and nothing between them`(depth: MemoryFramebuffer.Depth)
    throws
  {
    let (width, height) = (200, 100)
    let display = try MemoryFramebuffer(width: width, height: height, depth: depth)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
    let window = Window(size: display.size)
    window.appearance.background = hex("#406080")
    painter.paintAll(window, highlights: nil, on: display)
    let whole = Array(display.memory)
    let bits = whole.count * 8 / (width * height)
    #expect(display.writtenBytes == whole.count)

    // On byte boundaries at every depth.
    let changed = [
      PixelRect(x: 16, y: 10, width: 24, height: 5), PixelRect(x: 160, y: 90, width: 8, height: 3),
    ]
    var damage = Damage()
    for rect in changed {
      damage.add(
        WindowRect(
          x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width), height: Double(rect.height)))
    }
    _ = display.memory.initializeMemory(as: UInt8.self, repeating: untouched)
    let before = display.writtenBytes
    painter.paint(window, highlights: nil, damage: damage, on: display)
    #expect(display.writtenBytes - before == (24 * 5 + 8 * 3) * bits / 8)
    var expected = [UInt8](repeating: untouched, count: whole.count)
    for rect in changed {
      for y in rect.minY..<rect.maxY {
        let bytes = (y * width + rect.minX) * bits / 8..<(y * width + rect.maxX) * bits / 8
        expected.replaceSubrange(bytes, with: whole[bytes])
      }
    }
    #expect(Array(display.memory) == expected)
  }

  /// Where the view lies in whole bytes at every depth, at no byte's edge, and across the whole display.
  @Test(arguments: MemoryFramebuffer.Depth.allCases, [(16.0, 80.0), (13, 51), (0, 200)])
  func `an opaque mark alone is written as a view of its colour is`(
    depth: MemoryFramebuffer.Depth, place: (x: Double, width: Double)
  ) throws {
    var memories: [[UInt8]] = []
    for isMarked in [true, false] {
      let display = try MemoryFramebuffer(width: 200, height: 100, depth: depth)
      let painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
      let window = Window(size: display.size)
      window.appearance.background = hex("#406080")
      let target = view(
        "target", place.x, 20, place.width, 31, isMarked ? "#204060" : "#e0a030", in: window)
      painter.paintAll(window, highlights: nil, on: display)
      if isMarked {
        var style = HighlightStyle()
        style.touches.showsMarker = false
        style.view = HighlightStyle.Mark(shape: .fill, color: hex("#e0a030"), width: 0)
        let highlights = Highlights(style: style)
        var damage = Damage()
        highlights.update(
          touches: [touch(on: target, at: WindowPoint(x: 50, y: 30))], cursor: nil, at: .zero, into: &damage)
        painter.paint(window, highlights: highlights, damage: damage, on: display)
      }
      memories.append(Array(display.memory))
    }
    #expect(memories[0] == memories[1])
  }

  @Test
  func `a highlight that appears and disappears writes its view's rows twice, and no others`() throws {
    let display = try MemoryFramebuffer(width: 320, height: 240, depth: .bits32)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
    let window = Window(size: display.size)
    let target = view("target", 100, 60, 80, 40, "#204060", in: window)
    painter.paintAll(window, highlights: nil, on: display)
    var style = HighlightStyle()
    style.touches.showsMarker = false
    let highlights = Highlights(style: style)
    let touch = touch(on: target, at: WindowPoint(x: 120, y: 70))
    _ = display.memory.initializeMemory(as: UInt8.self, repeating: untouched)
    let before = display.writtenBytes
    for touches in [[touch], []] {
      var damage = Damage()
      highlights.update(touches: touches, cursor: nil, at: .zero, into: &damage)
      painter.paint(window, highlights: highlights, damage: damage, on: display)
    }
    #expect(display.writtenBytes - before == 2 * 80 * 40 * 4)
    let rows = Set(display.memory.indices.filter { display.memory[$0] != untouched }.map { $0 / 1280 })
    #expect(rows == Set(60..<100))
  }
}
