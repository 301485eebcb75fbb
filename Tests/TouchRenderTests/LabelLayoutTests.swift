import Testing

@testable import TouchPixels
@testable import TouchRender

@Suite struct LabelLayoutTests {
  private static let room = PixelRect(x: 0, y: 0, width: 200, height: 100)

  /// Extents of views from small to large, and the places that labels of 30 by 10 pixels take.
  private static let rows: [([(Int, Int, Int, Int)], [(Int, Int)])] = [
    ([(50, 40, 60, 30)], [(50, 40)]),
    // The same place twice: one next to the other.
    ([(50, 40, 70, 30), (50, 40, 70, 30)], [(50, 40), (81, 40)]),
    ([(50, 40, 40, 30), (50, 40, 40, 30)], [(50, 40), (50, 51)]),
    // A large view leaves the small ones in it alone.
    ([(0, 0, 50, 40), (0, 0, 200, 100)], [(0, 0), (51, 0)]),
    ([(0, 0, 190, 95), (0, 0, 200, 100)], [(0, 0), (31, 0)]),
    // Too small for its label: on the right, below, above, on the left.
    ([(50, 40, 10, 10)], [(61, 40)]), ([(165, 0, 5, 5)], [(165, 6)]),
    ([(170, 95, 5, 5)], [(170, 84)]), ([(185, 40, 10, 10)], [(154, 40)]),
    ([(185, 92, 5, 8)], [(154, 81)]),
  ]

  @Test(arguments: rows.indices)
  func `a label finds a place in its view, or next to it`(_ index: Int) {
    let (extents, places) = Self.rows[index]
    var layout = LabelLayout(room: Self.room)
    let found = extents.map { x, y, width, height in
      layout.place((30, 10), at: PixelRect(x: x, y: y, width: width, height: height))
    }
    #expect(found == places.map { PixelRect(x: $0.0, y: $0.1, width: 30, height: 10) }, "row \(index)")
  }

  @Test func `a label keeps away from what is blocked`() {
    var layout = LabelLayout(room: Self.room)
    layout.block(PixelRect(x: 0, y: 5, width: 200, height: 1))
    #expect(layout.place((30, 10), at: Self.room) == PixelRect(x: 0, y: 11, width: 30, height: 10))
  }

  @Test func `where there is no place left a label lies on others, inside the picture`() {
    var layout = LabelLayout(room: Self.room)
    layout.block(Self.room)
    let corner = PixelRect(x: 195, y: 95, width: 5, height: 5)
    #expect(layout.place((30, 10), at: corner) == PixelRect(x: 170, y: 90, width: 30, height: 10))
  }
}
