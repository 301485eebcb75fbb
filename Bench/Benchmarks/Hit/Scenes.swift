import TouchCore

/// A tree, the points that are asked for, and what happens before each.
struct BenchmarkScene {
  var root: View
  var points: [LocalPoint]
  /// Moves one view; the argument is a running number.
  var change: ((Int) -> Void)?
  /// The number in a round.
  var probes = 2_000

  init(root: View, change: ((Int) -> Void)? = nil) {
    self.root = root
    self.change = change
    var random = Scatter(state: 7)
    let size = root.bounds.size
    points = (0..<4096).map { _ in
      LocalPoint(x: random.next() * size.width, y: random.next() * size.height)
    }
  }
}

/// The trees that are measured.
enum Scenes {
  /// Views of 20 × 20 units at random places, as dense as icons on a screen, whatever their number.
  static func flat(_ count: Int, turned: Bool = false, moved: Bool = false) -> BenchmarkScene {
    let side = (Double(count) * 800).squareRoot()
    let root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: side, height: side))
    var random = Scatter(state: 1)
    for index in 0..<count {
      let view = View(
        id: "\(index)",
        frame: LocalRect(x: random.next() * side, y: random.next() * side, width: 20, height: 20))
      if turned { view.transform = AffineTransform(a: 0.866, b: 0.5, c: -0.5, d: 0.866, tx: 0, ty: 0) }
      root.addSubview(view)
    }
    guard moved else { return BenchmarkScene(root: root) }
    let views = root.subviews
    var places = Scatter(state: 3)
    return BenchmarkScene(root: root) { number in
      views[number * 7919 % count].layoutRect.origin = LocalPoint(
        x: places.next() * side, y: places.next() * side)
    }
  }

  /// Each view covers half of the one before, so that every point is in two.
  static func stacked(_ count: Int) -> BenchmarkScene {
    let root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: Double(count) * 10, height: 40))
    for index in 0..<count {
      root.addSubview(
        View(id: "\(index)", frame: LocalRect(x: Double(index) * 10, y: 0, width: 20, height: 40)))
    }
    return BenchmarkScene(root: root)
  }

  /// A tree with so many subviews at each level, side by side.
  static func nested(_ counts: [Int]) -> BenchmarkScene {
    let width = Double(counts.reduce(1, *))
    let root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: width, height: 100))
    fill(root, counts[...])
    return BenchmarkScene(root: root)
  }

  private static func fill(_ view: View, _ counts: ArraySlice<Int>) {
    guard let count = counts.first else { return }
    let width = view.bounds.size.width / Double(count)
    for index in 0..<count {
      let child = View(
        id: "\(view.id).\(index)",
        frame: LocalRect(x: Double(index) * width, y: 0, width: width, height: 100))
      fill(child, counts.dropFirst())
      view.addSubview(child)
    }
  }

  static func chain(_ depth: Int) -> BenchmarkScene {
    let root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    var view = root
    for index in 0..<depth {
      let child = View(id: "\(index)", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
      view.addSubview(child)
      view = child
    }
    var tree = BenchmarkScene(root: root)
    tree.probes = 50
    return tree
  }
}

/// Numbers from 0 to 1 that are the same in every run. (SplitMix64.)
struct Scatter {
  var state: UInt64

  mutating func next() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    z ^= z >> 31
    return Double(z >> 11) / Double(1 << 53)
  }
}
