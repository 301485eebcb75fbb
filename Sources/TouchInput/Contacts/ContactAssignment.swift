/// Matches two sets of contacts so that the sum of the costs is minimal: the Hungarian method, by shortest augmenting
/// paths. It reuses its storage.
struct ContactAssignment {
  private let most: Int
  private var isTurned = false
  private var rows = 0
  private var columns = 0
  /// Row by row, with `most` values each. If there are more rows than columns, the table is transposed.
  private var costs: [Double]
  private var rowPotential: [Double]
  private var columnPotential: [Double]
  /// The row that each column is assigned to, or `none`. The last column is where a search starts.
  private var rowOfColumn: [Int]
  private var previous: [Int]
  private var least: [Double]
  private var isDone: [Bool]

  private static let none = -1

  /// - Parameter most: how many rows and columns there may be.
  init(most: Int) {
    self.most = most
    costs = Array(repeating: 0, count: most * most)
    rowPotential = Array(repeating: 0, count: most)
    columnPotential = Array(repeating: 0, count: most + 1)
    rowOfColumn = Array(repeating: Self.none, count: most + 1)
    previous = Array(repeating: 0, count: most + 1)
    least = Array(repeating: 0, count: most + 1)
    isDone = Array(repeating: false, count: most + 1)
  }

  /// Starts a new table. Neither number may be above the most.
  mutating func begin(rows: Int, columns: Int) {
    isTurned = rows > columns
    self.rows = min(rows, columns)
    self.columns = max(rows, columns)
  }

  mutating func setCost(_ cost: Double, row: Int, column: Int) {
    costs[isTurned ? column * most + row : row * most + column] = cost
  }

  /// The row that a column goes with, or nil when there are fewer rows. Ask after `solve`.
  func row(of column: Int) -> Int? {
    if isTurned { return rowOfColumn[..<columns].firstIndex(of: column) }
    return rowOfColumn[column] == Self.none ? nil : rowOfColumn[column]
  }

  mutating func solve() {
    for row in 0..<rows { rowPotential[row] = 0 }
    for column in 0...columns {
      columnPotential[column] = 0
      rowOfColumn[column] = Self.none
    }
    for row in 0..<rows { assign(row) }
    rowOfColumn[columns] = Self.none
  }

  /// Gives a row a column; rows that have one may change theirs.
  private mutating func assign(_ row: Int) {
    for column in 0...columns {
      least[column] = .infinity
      isDone[column] = false
    }
    rowOfColumn[columns] = row
    var column = columns
    while rowOfColumn[column] != Self.none {
      isDone[column] = true
      column = step(from: column)
    }
    while column != columns {
      rowOfColumn[column] = rowOfColumn[previous[column]]
      column = previous[column]
    }
  }

  /// Goes one column further on the cheapest path.
  private mutating func step(from column: Int) -> Int {
    let row = rowOfColumn[column]
    var nearest = columns
    var delta = Double.infinity
    for other in 0..<columns where !isDone[other] {
      let cost = costs[row * most + other] - rowPotential[row] - columnPotential[other]
      if cost < least[other] {
        least[other] = cost
        previous[other] = column
      }
      if least[other] < delta {
        delta = least[other]
        nearest = other
      }
    }
    for other in 0...columns {
      if isDone[other] {
        rowPotential[rowOfColumn[other]] += delta
        columnPotential[other] -= delta
      } else {
        least[other] -= delta
      }
    }
    return nearest
  }
}
