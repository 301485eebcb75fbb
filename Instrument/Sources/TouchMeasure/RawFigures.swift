/// The noise and the dead electrodes of a touch controller. A frame has a number for each crossing, called
/// node, row by row, in units of the controller.
package struct RawFigures: Sendable {
  package let columns, rows: Int
  /// The frames that are kept. The newest one is at `newest`.
  private var frames: [[Int32]] = []
  private var newest = -1
  package private(set) var count = 0

  /// The most frames that are kept: five seconds at 100 Hz, and 4 MB of the largest controllers.
  private static let mostKept = 512

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  /// - Parameter frame: the numbers, one for each node.
  package mutating func add(_ frame: [Int32]) {
    count += 1
    newest = (newest + 1) % Self.mostKept
    if newest < frames.count { frames[newest] = frame } else { frames.append(frame) }
  }

  /// A row or a column, beginning with 0.
  package enum Line: Hashable, Sendable, CustomStringConvertible {
    case row(Int)
    case column(Int)

    package var description: String {
      switch self {
      case .row(let index): "row \(index)"
      case .column(let index): "column \(index)"
      }
    }
  }

  /// The reason why a line of electrodes counts as dead.
  package enum Fault: Hashable, Sendable {
    /// The line's numbers never change, while those of others do.
    case constant
    /// The line does not respond to a finger to which its neighbours on both sides respond.
    case deaf
  }

  package struct Node: Hashable, Sendable {
    package let column, row: Int
    /// The number without a finger: the median over time.
    package let rest: Double
    /// The standard deviation without a finger, by differences between successive frames.
    package let noise: Double
    /// The largest distance of the number from `rest`.
    package let signal: Double
  }

  /// The strongest signal and the noise of a controller, in its units.
  package struct Strength: Hashable, Sendable {
    /// The median noise of all nodes.
    package let noise: Double
    /// The largest distance of a node from its rest.
    package let signal: Double

    package init(noise: Double, signal: Double) { (self.noise, self.signal) = (noise, signal) }

    /// Returns nil without nodes.
    package init?(of nodes: [Node]) {
      guard let strongest = nodes.map(\.signal).max() else { return nil }
      self.init(noise: RawFigures.median(nodes.map(\.noise).sorted()), signal: strongest)
    }

    /// The signal-to-noise ratio. A controller without noise counts as one with a noise of one unit.
    package var ratio: Double { signal / (noise > 0 ? noise : 1) }
  }

  /// Returns all nodes, row by row; none before there are two frames.
  package func nodes() -> [Node] {
    guard frames.count > 1 else { return [] }
    let order = (0..<frames.count).map { (newest + 1 + $0) % frames.count }
    return (0..<columns * rows).map { index in
      let values = order.map { Double(frames[$0][index]) }
      let rest = Self.median(values.sorted())
      let steps = zip(values, values.dropFirst()).map { abs($1 - $0) }.sorted()
      return Node(
        column: index % columns, row: index / columns, rest: rest, noise: Self.deviation(ofSteps: steps),
        signal: values.reduce(0) { max($0, abs($1 - rest)) })
    }
  }

  /// Returns the deviation of numbers by their differences: the largest quarter is a finger's, and the
  /// others' mean is 0.5148 √2 normal deviations.
  private static func deviation(ofSteps steps: [Double]) -> Double {
    let kept = steps.prefix(max(1, steps.count * 3 / 4))
    return kept.reduce(0, +) / Double(kept.count) / (0.5148 * 2.0.squareRoot())
  }

  package func faults(of nodes: [Node]) -> [(line: Line, fault: Fault)] {
    guard !nodes.isEmpty else { return [] }
    let lines = (0..<rows).map(Line.row) + (0..<columns).map(Line.column)
    let changes = nodes.contains { $0.signal > 0 }
    return lines.compactMap { line in
      let own = self.nodes(of: line, among: nodes)
      if changes, own.allSatisfy({ $0.signal == 0 }) { return (line, .constant) }
      return isDeaf(line, own, among: nodes) ? (line, .deaf) : nil
    }
  }

  /// Returns whether a line does not respond between neighbours that were clearly touched.
  private func isDeaf(_ line: Line, _ own: [Node], among nodes: [Node]) -> Bool {
    let sides: (Line, Line)
    switch line {
    case .row(let index) where index > 0 && index < rows - 1: sides = (.row(index - 1), .row(index + 1))
    case .column(let index) where index > 0 && index < columns - 1:
      sides = (.column(index - 1), .column(index + 1))
    default: return false
    }
    let noise = Self.median(nodes.map(\.noise).sorted())
    let (before, after) = (self.nodes(of: sides.0, among: nodes), self.nodes(of: sides.1, among: nodes))
    let judged = zip(own, zip(before, after)).filter { _, sides in
      min(sides.0.signal, sides.1.signal) > max(Self.leastSignal, Self.clear * noise)
    }
    let deaf = judged.filter { node, sides in node.signal < min(sides.0.signal, sides.1.signal) / 4 }
    return deaf.count >= 2 && deaf.count * 2 > judged.count
  }

  /// A finger's distance from the rest, in noises: a working panel has 20, noise stays below 4.
  private static let clear = 8.0
  /// The least signal of a finger in the controller's units, for controllers without noise.
  private static let leastSignal = 8.0

  private func nodes(of line: Line, among nodes: [Node]) -> [Node] {
    switch line {
    case .row(let index): Array(nodes[index * columns..<(index + 1) * columns])
    case .column(let index): stride(from: index, to: nodes.count, by: columns).map { nodes[$0] }
    }
  }

  package static func median(_ sorted: [Double]) -> Double {
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
