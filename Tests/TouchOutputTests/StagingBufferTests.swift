import PictureSupport
import Testing
import TouchViews

@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchRender

/// Composes on a small staging buffer, and overwrites it before each part.
private final class PartialDisplay: Screen {
  let surface: Surface
  private(set) var parts: [PixelRect] = []
  private let staging: StagingBuffer

  init(width: Int, height: Int, capacity: Int) throws {
    surface = try Surface(width: width, height: height)
    staging = try StagingBuffer(width: width, height: height, capacity: capacity, showsPictures: true)
  }

  var width: Int { surface.width }
  var height: Int { surface.height }
  var picture: Surface? { nil }

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    staging.compose(rect) { target, part in
      parts.append(part)
      let count = target.surface.width * target.surface.height
      target.surface.pixels.update(repeating: 0x9a_bc_de_f0, count: count)
      return paint(target, part)
    } then: { target, part, pixel in
      if let pixel {
        Target(surface: surface).fill(part, with: pixel)
      } else {
        Target(surface: surface).copy(part, from: target)
      }
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

  /// A step of painting: each is done on both sides.
  private enum Step: CaseIterable {
    case fill, fillAll, copy, blend, letters, gradient, ask
  }

  @Test(arguments: 0..<200)
  func `copies that are shown from their pictures give the same pixels, whatever is painted around them`(
    seed: UInt64
  ) throws {
    let (width, height) = (64, 40)
    let area = PixelRect(x: 0, y: 0, width: width, height: height)
    let compositor = try Compositor(area: area)
    var random = SeededGenerator(seed: seed &+ 900)
    func rect(_ random: inout SeededGenerator) -> PixelRect {
      func place(_ limit: Int) -> Int { Int.random(in: -4..<limit, using: &random) }
      return PixelRect(
        x: place(width), y: place(height), width: place(width) + 8, height: place(height) + 8)
    }
    let pictures = try (0..<3).map { _ in
      let picture = try Surface(width: width, height: height)
      for place in 0..<width * height { picture.pixels[place] = UInt32(random.next() >> 40) | 0xff00_0000 }
      return picture
    }
    let colors = Gradient([hex("#204060"), hex("#a0c0e0")], angle: 90)
    let gradient = GradientFill()
    let isSet = gradient.set(
      colors, GradientRamp(colors.stops), over: LocalRect(x: 0, y: 0, width: 64, height: 40),
      displayFromLocal: .identity)
    #expect(isSet)
    let steps = (0..<12).map { _ in
      (Step.allCases.randomElement(using: &random) ?? .fill, rect(&random), random.next())
    }
    func paint(_ target: Target, _ part: PixelRect) -> [UInt32?] {
      var answers: [UInt32?] = []
      // Every pixel of the part is painted, and no other.
      target.fill(part, with: 0xff10_2030)
      for (step, rect, number) in steps {
        let (box, pixel) = (rect.intersection(part), UInt32(number >> 32) | 0xff00_0000)
        if box.isEmpty { continue }
        switch step {
        case .fill: target.fill(box, with: pixel)
        case .fillAll: target.fill(part, with: pixel)
        case .copy: target.copy(box, from: Target(surface: pictures[Int(number % 3)]))
        case .blend: compositor.fillBox(box, with: .color(0x4010_2010), on: target)
        case .letters:
          [UInt8](repeating: 90, count: 64).withUnsafeBytes { mask in
            if let base = mask.baseAddress { target.blend(pixel, through: base, step: 0, box) }
          }
        case .gradient: compositor.fillBox(box, with: .gradient(gradient, opacity: 200), on: target)
        case .ask: answers.append(target.fill(of: box))
        }
      }
      return answers
    }
    for capacity in [64 * 40, 64 * 16] {
      let display = try PartialDisplay(width: width, height: height, capacity: capacity)
      let expected = try Surface(width: width, height: height)
      display.compose(area) { target, part in
        #expect(paint(target, part) == paint(Target(surface: expected), part), "seed \(seed)")
        return nil
      }
      #expect(firstDifference(display.surface, expected) == nil, "seed \(seed)")
    }
  }

  @Test
  func `a copy that nothing is painted over is shown from its picture, and its surroundings as a fill`()
    throws
  {
    let staging = try StagingBuffer(width: 64, height: 40, showsPictures: true)
    let picture = try Surface(width: 20, height: 40)
    var shown: [String] = []
    staging.compose(PixelRect(x: 0, y: 0, width: 64, height: 40)) { target, part in
      target.fill(part, with: 0xff00_0001)
      target.copy(PixelRect(x: 10, y: 0, width: 20, height: 40), from: Target(surface: picture, originX: 10))
      return nil
    } then: { target, part, pixel in
      let from = target.surface === picture ? "picture" : "staging"
      shown.append("\(from) \(part.minX) to \(part.maxX) \(pixel.map { "\($0 & 255)" } ?? "-")")
    }
    #expect(shown == ["staging 0 to 10 1", "staging 30 to 64 1", "picture 10 to 30 -"])
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
    let staging = try StagingBuffer(width: 1280, height: 800, showsPictures: false)
    var painted: [PixelRect] = []
    var shown: [PixelRect] = []
    staging.compose(rect) { target, part in
      #expect(target.area.contains(part))
      painted.append(part)
      return nil
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
    let staging = try StagingBuffer(width: width, height: height, showsPictures: false)
    var largest = 0
    staging.compose(PixelRect(x: 0, y: 0, width: width, height: height)) { target, _ in
      largest = max(largest, target.surface.width * target.surface.height)
      return nil
    } then: { _, _, _ in
    }
    #expect(largest <= pixels)
    #expect(largest > pixels - width)
  }
}
