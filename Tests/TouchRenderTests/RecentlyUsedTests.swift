import PictureSupport
import Testing

@testable import TouchRender

@Suite("What was used last is kept")
struct RecentlyUsedTests {
  @Test(arguments: 0..<20)
  func `it holds what a list of the last uses holds, up to the limit`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = 40
    var cache = RecentlyUsed<Int, Int>(limit: limit)
    /// Oldest first.
    var model: [(key: Int, value: Int, cost: Int)] = []
    for step in 0..<2000 {
      let key = Int(random.next() % 24)
      switch random.next() % 8 {
      case 0:
        cache.removeValue(for: key)
        model.removeAll { $0.key == key }
      case 1...4:
        let index = model.firstIndex { $0.key == key }
        #expect(cache.value(for: key) == index.map { model[$0].value })
        if let index { model.append(model.remove(at: index)) }
      default:
        let cost = Int(random.next() % 12)
        cache.insert(step, for: key, cost: cost)
        model.removeAll { $0.key == key }
        model.append((key, step, cost))
        while model.count > 1, model.reduce(0, { $0 + $1.cost }) > limit { model.removeFirst() }
      }
      #expect(cache.count == model.count && cache.cost == model.reduce(0) { $0 + $1.cost })
    }
    cache.removeAll { $0.isMultiple(of: 2) }
    model.removeAll { $0.key.isMultiple(of: 2) }
    for key in 0..<24 { #expect(cache.value(for: key) == model.first { $0.key == key }?.value) }
  }

  @Test func `one that exceeds the limit by itself stays until the next one`() {
    var cache = RecentlyUsed<Int, String>(limit: 10)
    cache.insert("small", for: 1, cost: 1)
    cache.insert("large", for: 2, cost: 100)
    #expect(cache.value(for: 1) == nil && cache.value(for: 2) == "large")
    cache.insert("small", for: 1, cost: 1)
    #expect(cache.value(for: 1) == "small" && cache.value(for: 2) == nil && cache.cost == 1)
  }
}
