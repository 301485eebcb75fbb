import Testing
import TouchMeasure

/// Noise and dead electrodes, of frames whose figures are known because they were made with them.
@Suite struct RawFiguresTests {
  /// A controller of 12 columns and 8 rows.
  private struct Controller {
    var noise = 2.0
    var rest = 1000.0
    var dead: Set<RawFigures.Line> = []
    /// Dead ones repeat one number, or have noise and no finger.
    var isConstant = false
    var random = SplitMix(seed: 1)

    /// A frame with a finger's middle at a place, in nodes; nil for none.
    mutating func frame(_ finger: (x: Double, y: Double)?) -> [Int32] {
      (0..<96).map { index in
        let (column, row) = (index % 12, index / 12)
        let isDead = dead.contains(.row(row)) || dead.contains(.column(column))
        if isDead, isConstant { return Int32(rest) }
        var value = rest + noise * random.normal()
        if let finger, !isDead {
          let (x, y) = (Double(column) - finger.x, Double(row) - finger.y)
          value += 200 * max(0, 1 - (x * x + y * y) / 4)
        }
        return Int32(value.rounded())
      }
    }

    /// 40 quiet frames, then a finger that goes along each row.
    mutating func figures() -> RawFigures {
      var figures = RawFigures(columns: 12, rows: 8)
      for _ in 0..<40 { figures.add(frame(nil)) }
      for row in 0..<8 {
        for step in 0..<24 { figures.add(frame((Double(step) / 2, Double(row)))) }
      }
      return figures
    }
  }

  /// Numbers that are the same in every run. (SplitMix64.)
  private struct SplitMix {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    private mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
      return mixed ^ mixed >> 31
    }
    /// Of a normal distribution, as the sum of twelve uniform ones: of three numbers, four of each.
    mutating func normal() -> Double {
      var sum = -6.0
      for _ in 0..<3 {
        let bits = next()
        for part: UInt64 in 0..<4 { sum += Double(bits >> (part * 16) & 0xffff) / 65536 }
      }
      return sum
    }
  }

  @Test(arguments: [0.0, 2, 9])
  func `noise is the standard deviation, whether a finger comes or not`(noise: Double) throws {
    var controller = Controller(noise: noise)
    let nodes = controller.figures().nodes()
    let noises = nodes.map(\.noise).sorted()
    // Rounding to whole numbers adds a twelfth to the variance.
    let expected = noise == 0 ? 0 : (noise * noise + 1 / 12.0).squareRoot()
    #expect(abs(RawFigures.median(noises) - expected) <= 0.15 * expected)
    #expect(nodes.allSatisfy { abs($0.rest - 1000) < max(1, noise) })
    #expect(nodes.allSatisfy { $0.signal > 150 })
  }

  @Test(arguments: 1...5)
  func `a good panel has no dead line, touched or not`(seed: UInt64) {
    var controller = Controller(noise: 4, random: SplitMix(seed: seed))
    let touched = controller.figures()
    #expect(touched.faults(of: touched.nodes()).isEmpty)
    var quiet = RawFigures(columns: 12, rows: 8)
    // More than are kept.
    for _ in 0..<520 { quiet.add(controller.frame(nil)) }
    #expect(quiet.count == 520)
    #expect(quiet.faults(of: quiet.nodes()).isEmpty)
  }

  @Test(arguments: [
    (RawFigures.Line.row(3), false), (.row(3), true), (.column(5), false), (.column(5), true),
    (.row(0), true),
    (.column(11), true),
  ])
  func `a dead line is found, and only this one`(line: RawFigures.Line, isConstant: Bool) {
    var controller = Controller(dead: [line], isConstant: isConstant)
    let figures = controller.figures()
    let faults = figures.faults(of: figures.nodes())
    #expect(faults.map(\.line) == [line])
    #expect(faults.map(\.fault) == [isConstant ? .constant : .deaf])
  }

  @Test func `nothing is said of a line that no finger crossed`() {
    var controller = Controller(dead: [.row(6)])
    var figures = RawFigures(columns: 12, rows: 8)
    for step in 0..<200 { figures.add(controller.frame((Double(step % 12), 2))) }
    #expect(figures.faults(of: figures.nodes()).isEmpty)
    var short = RawFigures(columns: 12, rows: 8)
    short.add(controller.frame(nil))
    #expect(short.nodes().isEmpty && short.faults(of: []).isEmpty)
  }
}
