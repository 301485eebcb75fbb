/// Boxes in an order. A search finds the last one at a point, and compares eight at a time. The boxes' edges
/// are adjacent in memory, so that one instruction compares four or eight boxes. Up to a few hundred boxes
/// that is faster than a tree, whose every step depends on the one before. Changing a box costs four numbers.
struct BoxList {
  /// The edges of eight boxes, in the order of `IndexBox.lanes`.
  private struct Eight {
    var minX, minY, negativeMaxX, negativeMaxY: SIMD8<Float>

    init(_ box: IndexBox) {
      minX = SIMD8(repeating: box.lanes[0])
      minY = SIMD8(repeating: box.lanes[1])
      negativeMaxX = SIMD8(repeating: box.lanes[2])
      negativeMaxY = SIMD8(repeating: box.lanes[3])
    }

    subscript(lane: Int) -> IndexBox {
      get { IndexBox(lanes: SIMD4(minX[lane], minY[lane], negativeMaxX[lane], negativeMaxY[lane])) }
      set {
        minX[lane] = newValue.lanes[0]
        minY[lane] = newValue.lanes[1]
        negativeMaxX[lane] = newValue.lanes[2]
        negativeMaxY[lane] = newValue.lanes[3]
      }
    }

    /// The boxes whose every edge is at most the other's, which are those that contain a probe.
    @inline(__always)
    func within(_ other: Eight) -> SIMDMask<SIMD8<Int32>> {
      (minX .<= other.minX) .& (minY .<= other.minY) .& (negativeMaxX .<= other.negativeMaxX)
        .& (negativeMaxY .<= other.negativeMaxY)
    }
  }

  // A pointer: an array would be retained and released, longer than comparing thirty boxes.
  private var groups: UnsafeMutablePointer<Eight>?
  private var room = 0
  private(set) var count = 0

  var box: IndexBox {
    var box = IndexBox.nothing
    for index in 0..<count { box = box.union(self[index]) }
    return box
  }

  subscript(index: Int) -> IndexBox {
    get {
      precondition(index < count)
      return groups.map { $0[index >> 3][index & 7] } ?? .nothing
    }
    set {
      precondition(index < count)
      groups?[index >> 3][index & 7] = newValue
    }
  }

  mutating func append(_ box: IndexBox) {
    if count == room { grow() }
    count += 1
    self[count - 1] = box
  }

  private mutating func grow() {
    let used = room >> 3
    let larger = UnsafeMutablePointer<Eight>.allocate(capacity: max(1, 2 * used))
    if let groups { larger.moveInitialize(from: groups, count: used) }
    (larger + used).initialize(repeating: Eight(.nothing), count: max(1, used))
    groups?.deallocate()
    groups = larger
    room = max(8, 2 * room)
  }

  /// Empties the list and frees its memory. The owner has to call this before it is freed.
  mutating func removeAll() {
    groups?.deallocate()
    groups = nil
    room = 0
    count = 0
  }

  /// The result of the last box that contains the point and has one, asked from the last to the first.
  @inline(__always)
  func last<Answer>(at probe: IndexProbe, ask: (Int) -> Answer?) -> Answer? {
    guard let groups else { return nil }
    let probe = Eight(IndexBox(lanes: probe.lanes))
    var group = (count + 7) >> 3
    while group > 0 {
      group -= 1
      let inside = groups[group].within(probe)
      guard any(inside) else { continue }
      // A byte for each box: the leading zeros give the last one.
      let lanes = SIMD8<Int8>(truncatingIfNeeded: unsafeBitCast(inside, to: SIMD8<Int32>.self))
      var bytes = unsafeBitCast(lanes, to: UInt64.self).littleEndian
      while bytes != 0 {
        let lane = 7 - bytes.leadingZeroBitCount >> 3
        if let answer = ask(group << 3 | lane) { return answer }
        bytes &= (1 << UInt64(lane << 3)) - 1
      }
    }
    return nil
  }
}
