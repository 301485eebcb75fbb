import DispatchFuzzing
import Testing
import TouchCore

@Suite struct DamagePropertyTests {
  /// On a grid, so that rectangles touch, contain and repeat each other.
  private func rect(_ random: inout RandomSource, _ grid: Int) -> WindowRect {
    func number(_ most: Int) -> Double { Double(Int(random.next() % UInt64(most))) }
    return WindowRect(
      x: number(grid), y: number(grid), width: 1 + number(grid / 4), height: 1 + number(grid / 4))
  }

  @Test(arguments: 0..<200)
  func `its rectangles do not intersect, are few, and cover all that was added`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    // Crowded ones are joined at once; scattered ones reach the limit.
    let grid = [8, 24, 100, 1000][Int(seed % 4)]
    var damage = Damage()
    var added: [WindowRect] = []
    for _ in 0..<60 {
      let rect = rect(&random, grid)
      added.append(rect)
      damage.add(rect)
      let rects = damage.rects
      #expect(rects.count <= 16)
      for (index, one) in rects.enumerated() {
        #expect(!one.isEmpty && rects[(index + 1)...].allSatisfy { !$0.intersects(one) }, "seed \(seed)")
      }
      #expect(added.allSatisfy { rect in rects.contains { $0.union(rect) == $0 } }, "seed \(seed)")
    }
    var both = damage
    both.add(damage)
    #expect(both.rects.count == damage.rects.count)
    both.removeAll()
    #expect(both.isEmpty)
  }
}
