import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

@Suite("Painted pixels")
struct PaintedPixelsTests {
  /// A tree of large opaque views, one in front of the other, with the random ones among them.
  private func window(_ random: inout SeededGenerator, size: Size) -> Window {
    let window = randomWindow(&random, size: size)
    var parents: [View] = [window] + window.subviews
    for index in 0..<8 {
      guard let parent = parents.randomElement(using: &random) else { continue }
      let view = View(
        id: "card \(index)",
        frame: LocalRect(
          x: random.number(-10...60).rounded(), y: random.number(-10...60).rounded(),
          width: random.number(20...150).rounded(), height: random.number(20...110).rounded()))
      view.appearance.background = random.color()
      view.appearance.cornerRadius = random.chance(0.5) ? random.number(0...30) : 0
      view.appearance.border = random.chance(0.2) ? Appearance.Border(color: random.color(), width: 3) : nil
      view.alpha = random.chance(0.2) ? 0.5 : 1
      view.isHidden = random.chance(0.1)
      view.clipsToBounds = random.chance(0.2)
      parent.addSubview(view)
      parents.append(view)
    }
    return window
  }

  @Test(arguments: 0..<150)
  func `nothing shows of what was in the memory, whatever is left out because something else hides it`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let size = Size(width: 160, height: 120)
    let window = window(&random, size: size)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: size), background: random.color())
    let pictures = try [0xffff_00ff, 0xff12_3456 as UInt32].map { before in
      let surface = try Surface(width: 160, height: 120)
      surface.pixels.update(repeating: before, count: 160 * 120)
      painter.paintAll(window, highlights: nil, on: surface)
      return Array(UnsafeBufferPointer(start: surface.pixels, count: 160 * 120))
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test(arguments: 1..<24)
  func `a letter is blended four pixels at once as pixel by pixel`(width: Int) throws {
    var random = SeededGenerator(seed: UInt64(width))
    let surface = try Surface(width: 40, height: 9)
    for index in 0..<40 * 9 { surface.pixels[index] = .random(in: 0 ... .max, using: &random) | 0xff00_0000 }
    let mask = (0..<9 * 28).map { _ in
      random.chance(0.3) ? 0 : random.chance(0.3) ? 255 : UInt8.random(in: 0...255, using: &random)
    }
    let pixel = UInt32.random(in: 0 ... .max, using: &random) | 0xff00_0000
    let box = PixelRect(x: 103, y: 51, width: width, height: 7)
    var expected = Array(UnsafeBufferPointer(start: surface.pixels, count: 40 * 9))
    for y in 0..<7 {
      for x in 0..<width {
        let place = (y + 1) * 40 + x + 3
        expected[place] = over(cover(pixel, UInt32(mask[y * 28 + x])), expected[place])
      }
    }
    mask.withUnsafeBytes { mask in
      guard let first = mask.baseAddress else { return }
      Target(surface: surface, originX: 100, originY: 50).blend(pixel, through: first, step: 28, box)
    }
    #expect(Array(UnsafeBufferPointer(start: surface.pixels, count: 40 * 9)) == expected)
  }
}
