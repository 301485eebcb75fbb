/// A shape, or a shape with another one cut out of it, worked out: boxes of pixels that are covered alike. Painting
/// through it takes no more arithmetic than the painting itself.
package final class CoverageMask {
  /// Pixels of one coverage.
  package struct Patch {
    package var minX: Int16
    package var minY: Int16
    package var maxX: Int16
    package var maxY: Int16
    /// 1 … 255.
    package var coverage: UInt8

    package init(_ columns: Range<Int>, y: Int, coverage: UInt8) {
      // A display has at most `Surface.largestSide` pixels on a side.
      minX = Int16(truncatingIfNeeded: columns.lowerBound)
      maxX = Int16(truncatingIfNeeded: columns.upperBound)
      minY = Int16(truncatingIfNeeded: y)
      maxY = Int16(truncatingIfNeeded: y + 1)
      self.coverage = coverage
    }

    package var box: PixelRect {
      PixelRect(minX: Int(minX), minY: Int(minY), maxX: Int(maxX), maxY: Int(maxY))
    }
  }

  /// No two of them share a pixel.
  private(set) var patches: [Patch] = []

  /// - Parameters:
  ///   - area: pixels outside of it are left out.
  ///   - scratch: two rows of memory, each as long as `area` is wide.
  package init(_ shape: Shape, without hole: Shape?, area: PixelRect, scratch: (Scratch, Scratch)) {
    guard let outer = Coverage(shape) else { return }
    let inner = hole.flatMap { Coverage($0) }
    let area = shape.pixels.intersection(area)
    guard !area.isEmpty else { return }
    var row: [Patch] = []
    // By their places in `patches`: those that reach down to the last row, and to this one.
    var (lastRow, thisRow): ([Int], [Int]) = ([], [])
    for y in area.minY..<area.maxY {
      row.removeAll(keepingCapacity: true)
      addRow(y, outer, inner, area.minX..<area.maxX, scratch, to: &row)
      add(row, after: lastRow, reaching: &thisRow)
      swap(&lastRow, &thisRow)
    }
  }

  package typealias Scratch = UnsafeMutablePointer<UInt8>

  private func addRow(
    _ y: Int, _ shape: Coverage, _ hole: Coverage?, _ columns: Range<Int>, _ scratch: (Scratch, Scratch),
    to row: inout [Patch]
  ) {
    let outer = shape.spans(y: y)
    let touched = outer.touched.clamped(to: columns)
    guard !touched.isEmpty else { return }
    // From left to right: the edge, the full part, and the other edge; around a hole that twice.
    let inner = hole?.spans(y: y) ?? (touched: 0..<0, full: 0..<0)
    let cut = inner.touched.isEmpty ? touched.upperBound..<touched.upperBound : inner.touched
    let empty = inner.full.isEmpty ? cut.upperBound..<cut.upperBound : inner.full
    func addSide(_ side: Range<Int>, full: Range<Int>) {
      func addEdge(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        shape.cover(range, y: y, into: scratch.0)
        if let hole {
          hole.cover(range, y: y, into: scratch.1)
          for index in 0..<range.count {
            scratch.0[index] = scratch.0[index] > scratch.1[index] ? scratch.0[index] - scratch.1[index] : 0
          }
        }
        for x in range { Self.add(x..<x + 1, y, scratch.0[x - range.lowerBound], to: &row) }
      }
      guard !full.isEmpty else { return addEdge(side) }
      addEdge(side.lowerBound..<full.lowerBound)
      Self.add(full, y, 255, to: &row)
      addEdge(full.upperBound..<side.upperBound)
    }
    let left = touched.clamped(to: Int.min..<empty.lowerBound)
    addSide(left, full: outer.full.clamped(to: Int.min..<cut.lowerBound).clamped(to: left))
    guard empty.upperBound < touched.upperBound else { return }
    let right = touched.clamped(to: empty.upperBound..<Int.max)
    addSide(right, full: outer.full.clamped(to: cut.upperBound..<Int.max).clamped(to: right))
  }

  /// Adds pixels of one coverage to a row, right of those that it has.
  private static func add(_ columns: Range<Int>, _ y: Int, _ coverage: UInt8, to row: inout [Patch]) {
    guard coverage > 0 else { return }
    let patch = Patch(columns, y: y, coverage: coverage)
    if let last = row.indices.last, row[last].maxX == patch.minX, row[last].coverage == coverage {
      row[last].maxX = patch.maxX
    } else {
      row.append(patch)
    }
  }

  /// Adds a row. A patch that goes on like one of the row before becomes part of it.
  ///
  /// - Parameters:
  ///   - lastRow: the patches that reach down to this row, from left to right.
  ///   - reached: becomes those that reach down to the next one.
  private func add(_ row: [Patch], after lastRow: [Int], reaching reached: inout [Int]) {
    reached.removeAll(keepingCapacity: true)
    var candidates = lastRow[...]
    for patch in row {
      while let first = candidates.first, patches[first].minX < patch.minX { candidates.removeFirst() }
      if let first = candidates.first, patches[first].minX == patch.minX, patches[first].maxX == patch.maxX,
        patches[first].coverage == patch.coverage
      {
        patches[first].maxY = patch.maxY
        reached.append(first)
      } else {
        reached.append(patches.count)
        patches.append(patch)
      }
    }
  }
}
