/// A frame of a controller in a terminal: two characters a node, the warmer the farther from rest.
struct RawPicture {
  let columns, rows: Int
  /// The numbers without a finger, from the first frames, node by node.
  private var rest: [Double] = []
  private var seen = 0.0
  /// The distance that is shown as hot: the largest so far, but above the level of noise.
  private var scale = 16.0

  static let settling = 8.0

  init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  mutating func add(_ frame: [Int32]) {
    if rest.isEmpty { rest = frame.map(Double.init) }
    guard seen >= Self.settling else {
      seen += 1
      for index in rest.indices { rest[index] += (Double(frame[index]) - rest[index]) / seen }
      return
    }
    // The rest follows slowly, because temperature drifts, and a hand that was there at the start leaves.
    for index in rest.indices {
      let distance = Double(frame[index]) - rest[index]
      scale = max(scale, abs(distance))
      rest[index] += distance / 512
    }
  }

  /// Returns the lines of a frame, cut to a width in characters, with its strongest node below.
  func lines(of frame: [Int32], width: Int, height: Int) -> [String] {
    let distances = frame.indices.map { Double(frame[$0]) - rest[$0] }
    var lines = (0..<min(rows, height)).map { row in
      (0..<min(columns, width / 2)).map { column in
        Self.cell(distances[row * columns + column] / scale)
      }.joined() + "\u{1b}[0m"
    }
    if columns > width / 2 || rows > height {
      lines.append("the terminal is too small for all of \(columns)×\(rows) nodes")
    }
    if let hottest = distances.indices.max(by: { abs(distances[$0]) < abs(distances[$1]) }) {
      lines.append(
        "strongest: row \(hottest / columns), column \(hottest % columns), \(distances[hottest].short) from its rest of \(rest[hottest].short)"
      )
    }
    return lines
  }

  /// Returns two blanks: blue below the rest, black at it, and through red and yellow to white above it.
  private static func cell(_ level: Double) -> String {
    let level = min(max(level, -1), 1)
    let color = level < 0 ? (0, 0, byte(-level)) : (byte(level * 3), byte(level * 3 - 1), byte(level * 3 - 2))
    return "\u{1b}[48;2;\(color.0);\(color.1);\(color.2)m  "
  }

  private static func byte(_ part: Double) -> Int { Int(min(max(part, 0), 1) * 255) }
}
