import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchRender

/// Composes on a small staging buffer, and overwrites it after each part.
private final class PartialDisplay: Screen {
  let surface: Surface
  private(set) var parts: [PixelRect] = []
  private let staging: StagingBuffer

  init(width: Int, height: Int, capacity: Int) throws {
    surface = try Surface(width: width, height: height)
    staging = try StagingBuffer(width: width, height: height, capacity: capacity)
  }

  var width: Int { surface.width }
  var height: Int { surface.height }
  var picture: Surface? { nil }

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    staging.compose(rect) { target, part in
      target.paint(part, by: paint)
    } then: { target, part, _ in
      parts.append(part)
      for y in part.minY..<part.maxY {
        let row = target.surface.pixels + (y - target.originY) * target.surface.width
        for x in part.minX..<part.maxX { surface.pixels[y * width + x] = row[x - target.originX] }
      }
      let count = target.surface.width * target.surface.height
      target.surface.pixels.update(repeating: 0x9a_bc_de_f0, count: count)
    }
  }
}

@Suite("The staging buffer")
struct StagingBufferTests {
  @Test(arguments: 0..<40)
  func `composing in parts gives the same picture as composing at once`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 5000)
    let geometry = DisplayGeometry(
      displaySize: Size(width: 160, height: 120), canvasSize: Size(width: 140, height: 110),
      scale: .stretch, rotation: [.none, .quarter, .half, .threeQuarters][Int(seed) % 4])
    let window = randomWindow(&random, size: geometry.canvasSize)
    let location = WindowPoint(x: random.number(0...140), y: random.number(0...110))
    let touch = touch(on: window.subviews.randomElement(using: &random) ?? window, at: location)
    let highlights = Highlights()
    var damage = Damage()
    highlights.update(touches: [touch], cursor: WindowPoint(x: 70.3, y: 55.5), at: .zero, into: &damage)
    let painter = try Painter(geometry: geometry)
    let atOnce = try Surface(width: 160, height: 120)
    painter.paintAll(window, highlights: highlights, on: atOnce)
    let byParts = try PartialDisplay(width: 160, height: 120, capacity: 900)
    painter.paintAll(window, highlights: highlights, on: byParts)
    #expect(byParts.parts.count == 8)
    #expect(firstDifference(byParts.surface, atOnce) == nil, "seed \(seed)")
  }

  @Test(arguments: [
    (PixelRect(x: 0, y: 0, width: 1280, height: 800), Array(repeating: 102, count: 7) + [86]),
    (PixelRect(x: 900, y: 100, width: 300, height: 500), [409, 91]),
    (PixelRect(x: 1200, y: 0, width: 80, height: 800), [800]),
    (PixelRect(x: 0, y: 10, width: 641, height: 150), [102, 48]),
    (PixelRect(x: 5, y: 5, width: 0, height: 5), []),
  ])
  func `parts cover a rectangle once, from top to bottom, and narrow ones are higher`(
    rect: PixelRect, heights: [Int]
  ) throws {
    let staging = try StagingBuffer(width: 1280, height: 800)
    var painted: [PixelRect] = []
    var shown: [PixelRect] = []
    staging.compose(rect) { target, part in
      #expect(target.area.contains(part))
      painted.append(part)
    } then: { _, part, _ in
      shown.append(part)
    }
    #expect(painted == shown)
    #expect(shown.map(\.height) == heights)
    #expect(shown.reduce(.empty) { $0.union($1) } == (heights.isEmpty ? .empty : rect))
  }

  @Test(arguments: [(1280, 800, 131_072), (16_384, 16_384, 262_144), (40, 20, 800), (1, 1, 1)])
  func `it is small for every display, and never larger than the display`(
    width: Int, height: Int, pixels: Int
  ) throws {
    let staging = try StagingBuffer(width: width, height: height)
    var largest = 0
    staging.compose(PixelRect(x: 0, y: 0, width: width, height: height)) { target, _ in
      largest = max(largest, target.surface.width * target.surface.height)
    } then: { _, _, _ in
    }
    #expect(largest <= pixels)
    #expect(largest > pixels - width)
  }
}
