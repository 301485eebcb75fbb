/// A balanced binary tree of boxes, each with a rank, which finds the leaf of the highest rank at a point. A
/// node has the union of the boxes and the highest rank beneath it. A search therefore skips nodes that lie
/// elsewhere, or behind what it has found. Inserting or removing a leaf takes a time that grows with the
/// logarithm of their number. Two siblings are adjacent in memory; the heights of the two differ by at most
/// one. (AVL tree over a bounding volume hierarchy, as in physics engines.)
struct BoundingVolumeTree {
  private struct Node {
    var box: IndexBox
    var rank: Int32
    /// The index of the first of the two children, or for a leaf the complement of its slot.
    var link: Int32
    var parent: Int32 = 0
    /// The height of the node; 0 for a leaf.
    var height: Int32

    var isLeaf: Bool { link < 0 }
    var slot: Int { Int(~link) }
  }

  struct Leaf {
    var box: IndexBox
    var rank, slot: Int32
  }

  /// The nodes. The root is the first; the second is never used, so that pairs begin at even numbers.
  private var nodes: ContiguousArray<Node> = []
  private var freePairs: ContiguousArray<Int32> = []
  /// The index of each slot's leaf; −1 for none.
  private var places: ContiguousArray<Int32> = []
  private(set) var isEmpty = true

  /// The box around all leaves; nil for none.
  var box: IndexBox? { isEmpty ? nil : nodes[0].box }

  // MARK: Search

  /// The result of the frontmost leaf that contains the point and has one; `ask` is called in any order.
  @inline(__always)
  func frontmost<Answer>(at probe: IndexProbe, ask: (Int) -> Answer?) -> Answer? {
    guard let box, box.contains(probe) else { return nil }
    return nodes.withUnsafeBufferPointer { nodes in
      // One sibling waits at each level. 2³² leaves would be 46; a constant is cheaper to allocate.
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { waiting in
        var best: Answer?
        var bestRank: Int32 = -1
        var count = 0
        var place = 0
        while true {
          let node = nodes[place]
          if node.isLeaf {
            if node.rank > bestRank, let answer = ask(node.slot) {
              best = answer
              bestRank = node.rank
            }
          } else if node.rank > bestRank {
            let first = Int(node.link)
            // A branch here could not be predicted, so the index is computed.
            let inFirst = nodes[first].box.contains(probe) ? 1 : 0
            let inSecond = nodes[first + 1].box.contains(probe) ? 1 : 0
            if inFirst + inSecond == 1 {
              place = first + inSecond
              continue
            }
            if inFirst + inSecond == 2 {
              let front = nodes[first].rank > nodes[first + 1].rank ? first : first + 1
              waiting.initializeElement(at: count, to: Int32(truncatingIfNeeded: front ^ 1))
              count += 1
              place = front
              continue
            }
          }
          guard count > 0 else { return best }
          count -= 1
          place = Int(waiting[count])
        }
      }
    }
  }

  // MARK: Change

  /// Rebuilds the tree, better than by insertions, of leaves with a slot each, in another order.
  mutating func rebuild(_ leaves: inout [Leaf], slots: Int) {
    nodes.removeAll(keepingCapacity: true)
    freePairs.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(-1, count: slots))
    isEmpty = leaves.isEmpty
    guard !isEmpty else { return }
    nodes.reserveCapacity(2 * leaves.count)
    let unused = Node(box: leaves[0].box, rank: 0, link: -1, height: 0)
    nodes.append(unused)
    nodes.append(unused)
    build(at: 0, leaves: &leaves, in: 0..<leaves.count)
  }

  /// Inserts or replaces a slot's leaf; nil removes it.
  mutating func set(_ slot: Int, box: IndexBox?, rank: Int32) {
    while places.count <= slot { places.append(-1) }
    let place = Int(places[slot])
    if place >= 0 {
      if nodes[place].box == box && nodes[place].rank == rank { return }
      remove(at: place)
      places[slot] = -1
    }
    guard let box else { return }
    insert(Node(box: box, rank: rank, link: ~Int32(truncatingIfNeeded: slot), height: 0))
  }

  private mutating func insert(_ leaf: Node) {
    guard !isEmpty else {
      isEmpty = false
      if nodes.isEmpty { nodes = [leaf, leaf] }
      nodes[0].parent = 0
      put(leaf, at: 0)
      return
    }
    // Down to the leaf whose surroundings grow least; stopping earlier would unbalance the tree.
    var place = 0
    while !nodes[place].isLeaf {
      let first = Int(nodes[place].link)
      place = growth(of: first, by: leaf) <= growth(of: first + 1, by: leaf) ? first : first + 1
    }
    let pair = takePair(parent: place)
    put(nodes[place], at: pair)
    put(leaf, at: pair + 1)
    nodes[place].link = Int32(truncatingIfNeeded: pair)
    refresh(from: place)
  }

  private func growth(of place: Int, by leaf: Node) -> Float {
    nodes[place].box.union(leaf.box).cost - nodes[place].box.cost
  }

  private mutating func remove(at place: Int) {
    guard place != 0 else {
      isEmpty = true
      return
    }
    let parent = Int(nodes[place].parent)
    put(nodes[place ^ 1], at: parent)
    freePairs.append(Int32(truncatingIfNeeded: place & ~1))
    if parent != 0 { refresh(from: Int(nodes[parent].parent)) }
  }

  private mutating func takePair(parent: Int) -> Int {
    let pair: Int
    if let free = freePairs.popLast() {
      pair = Int(free)
    } else {
      pair = nodes.count
      nodes.append(nodes[0])
      nodes.append(nodes[0])
    }
    nodes[pair].parent = Int32(truncatingIfNeeded: parent)
    nodes[pair + 1].parent = Int32(truncatingIfNeeded: parent)
    return pair
  }

  /// Moves a node and its subtree to another index; the index keeps its parent.
  private mutating func put(_ node: Node, at place: Int) {
    let parent = nodes[place].parent
    nodes[place] = node
    nodes[place].parent = parent
    if node.isLeaf {
      places[node.slot] = Int32(truncatingIfNeeded: place)
    } else {
      nodes[Int(node.link)].parent = Int32(truncatingIfNeeded: place)
      nodes[Int(node.link) + 1].parent = Int32(truncatingIfNeeded: place)
    }
  }

  /// Balances the nodes and updates their boxes and ranks, from a node to the root.
  private mutating func refresh(from start: Int) {
    var place = start
    while true {
      balance(place)
      sumUp(place)
      if place == 0 { return }
      place = Int(nodes[place].parent)
    }
  }

  private mutating func sumUp(_ place: Int) {
    let first = nodes[Int(nodes[place].link)]
    let second = nodes[Int(nodes[place].link) + 1]
    nodes[place].box = first.box.union(second.box)
    nodes[place].rank = max(first.rank, second.rank)
    nodes[place].height = 1 + max(first.height, second.height)
  }

  /// Exchanges the higher child of a child that is higher by two with the other child.
  private mutating func balance(_ place: Int) {
    let first = Int(nodes[place].link)
    let difference = nodes[first].height - nodes[first + 1].height
    guard abs(difference) > 1 else { return }
    let high = difference > 0 ? first : first + 1
    let low = high ^ 1
    let inner = Int(nodes[high].link)
    let rise: Int
    if nodes[inner].height == nodes[inner + 1].height {
      // The one that stays shares a box with the lower one.
      let lowBox = nodes[low].box
      let staysFirst = nodes[inner].box.union(lowBox).cost < nodes[inner + 1].box.union(lowBox).cost
      rise = staysFirst ? inner + 1 : inner
    } else {
      rise = nodes[inner].height > nodes[inner + 1].height ? inner : inner + 1
    }
    let risen = nodes[rise]
    put(nodes[low], at: rise)
    put(risen, at: low)
    sumUp(high)
  }

  // MARK: Rebuilding

  private mutating func build(at place: Int, leaves: inout [Leaf], in range: Range<Int>) {
    guard range.count > 1 else {
      let leaf = leaves[range.lowerBound]
      put(Node(box: leaf.box, rank: leaf.rank, link: ~leaf.slot, height: 0), at: place)
      return
    }
    let axis = Self.longerAxis(of: leaves, in: range)
    let middle = (range.lowerBound + range.upperBound) / 2
    Self.split(&leaves, in: range, at: middle, axis: axis)
    let pair = takePair(parent: place)
    nodes[place].link = Int32(truncatingIfNeeded: pair)
    build(at: pair, leaves: &leaves, in: range.lowerBound..<middle)
    build(at: pair + 1, leaves: &leaves, in: middle..<range.upperBound)
    sumUp(place)
  }

  /// The axis along which the boxes' centres are spread widest: 0 is x, 1 is y.
  private static func longerAxis(of leaves: [Leaf], in range: Range<Int>) -> Int {
    var low = SIMD2<Float>(repeating: .greatestFiniteMagnitude)
    var high = -low
    for index in range {
      let center = SIMD2(leaves[index].center(0), leaves[index].center(1))
      low = pointwiseMin(low, center)
      high = pointwiseMax(high, center)
    }
    return high.x - low.x >= high.y - low.y ? 0 : 1
  }

  /// Moves the leaves with the smaller centres before `middle`. (Hoare's selection.)
  private static func split(_ leaves: inout [Leaf], in range: Range<Int>, at middle: Int, axis: Int) {
    var low = range.lowerBound
    var high = range.upperBound - 1
    while low < high {
      let pivot = leaves[(low + high) / 2].center(axis)
      var left = low
      var right = high
      while left <= right {
        while leaves[left].center(axis) < pivot { left += 1 }
        while leaves[right].center(axis) > pivot { right -= 1 }
        if left <= right {
          leaves.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if middle <= right {
        high = right
      } else if middle >= left {
        low = left
      } else {
        return
      }
    }
  }
}

extension BoundingVolumeTree.Leaf {
  /// Twice the middle on an axis. An endless box may have any middle, but not NaN.
  fileprivate func center(_ axis: Int) -> Float {
    let center = box.lanes[axis] - box.lanes[axis + 2]
    return center.isNaN ? 0 : center
  }
}
