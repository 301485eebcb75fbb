/// The coverage of a shape, maybe with a hole, as boxes of equal pixels, painted without geometry.
package final class CoverageMask {
  package struct Patch {
    package var minX, minY, maxX, maxY: Int16
    /// The coverage, 1 … 255.
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

  /// The patches, which do not overlap: first those of several rows, then those of one, in order.
  private(set) var patches: [Patch] = []
  /// A run in one row: adjacent patches with a coverage for each, or one long full patch.
  struct Run {
    var y, minX, maxX: Int16
    /// The index of the first pixel in `coverages`; nil if all is covered.
    var start: Int?
  }

  /// The patches of one row as runs, from top to bottom.
  private var runs: [Run] = []
  /// The coverages of runs, and `Target.blockWidth` more, so that blocks can be read anywhere.
  private var coverages: [UInt8] = []
  /// The widest patch that is a part of a run: a wider one is filled faster than blended.
  private static let widestPart = 16

  /// The offset in pixels by which the patches are drawn. The shape's place may be another one each time.
  package internal(set) var place: (x: Int, y: Int) = (0, 0)
  private var highCount = 0
  /// The row that is added, and the patches that reach down to the row before and to this one.
  private var row: [Patch] = []
  private var lastRow: [Int] = []
  private var thisRow: [Int] = []

  /// Makes the mask within an area, in a scratch of two rows as long as it is wide.
  package init(_ shape: RoundedRect, without hole: RoundedRect?, area: PixelRect, scratch: (Scratch, Scratch))
  {
    guard let outer = Coverage(shape) else { return }
    let inner = hole.flatMap { Coverage($0) }
    let area = shape.pixels.intersection(area)
    guard !area.isEmpty else { return }
    var row: [Patch] = []
    // The indices of the patches that reach down to the previous row and to this one.
    var (lastRow, thisRow): ([Int], [Int]) = ([], [])
    for y in area.minY..<area.maxY {
      row.removeAll(keepingCapacity: true)
      addRow(y, outer, inner, area.minX..<area.maxX, scratch, to: &row)
      add(row, after: lastRow, reaching: &thisRow)
      swap(&lastRow, &thisRow)
    }
    order()
  }

  /// Puts the patches of several rows first.
  private func order() {
    row.removeAll(keepingCapacity: true)
    highCount = 0
    // By index: a copy of the array would take memory.
    for index in patches.indices {
      let patch = patches[index]
      if patch.maxY - patch.minY > 1 {
        patches[highCount] = patch
        highCount += 1
      } else {
        row.append(patch)
      }
    }
    patches.removeLast(patches.count - highCount)
    patches.append(contentsOf: row)
    addRuns()
  }

  private func addRuns() {
    runs.removeAll(keepingCapacity: true)
    coverages.removeAll(keepingCapacity: true)
    for patch in patches[highCount...] {
      let width = Int(patch.maxX - patch.minX)
      if patch.coverage == 255, width > Self.widestPart {
        runs.append(Run(y: patch.minY, minX: patch.minX, maxX: patch.maxX, start: nil))
        continue
      }
      if let last = runs.last, last.y == patch.minY, last.maxX == patch.minX, last.start != nil {
        runs[runs.count - 1].maxX = patch.maxX
      } else {
        runs.append(Run(y: patch.minY, minX: patch.minX, maxX: patch.maxX, start: coverages.count))
      }
      coverages += repeatElement(patch.coverage, count: width)
    }
    coverages += repeatElement(0, count: Target.blockWidth)
  }

  /// Calls `body` with the mask's parts in an area: patches of several rows, and runs with coverages.
  @inline(__always)
  func forEachPart(
    in area: PixelRect, patch: (PixelRect, UInt32) -> Void, run: (PixelRect, UnsafePointer<UInt8>) -> Void
  ) {
    for index in 0..<highCount {
      let box = patches[index].box.intersection(area)
      if !box.isEmpty { patch(box, UInt32(patches[index].coverage)) }
    }
    runs.withUnsafeBufferPointer { runs in
      coverages.withUnsafeBufferPointer { coverages in
        var low = runs.indices.partition { runs[$0].y < area.minY }
        while low < runs.count, runs[low].y < area.maxY {
          let part = runs[low]
          low += 1
          let box = PixelRect(
            minX: max(Int(part.minX), area.minX), minY: Int(part.y), maxX: min(Int(part.maxX), area.maxX),
            maxY: Int(part.y) + 1)
          if box.isEmpty { continue }
          if let start = part.start, let first = coverages.baseAddress {
            run(box, first + (start + box.minX - Int(part.minX)))
          } else {
            patch(box, 255)
          }
        }
      }
    }
  }

  /// Calls `body` with the patches in some rows, and a few others: most of a large shape is elsewhere.
  @inline(__always)
  func forEachPatch(from minY: Int, to maxY: Int, _ body: (Patch) -> Void) {
    patches.withUnsafeBufferPointer { patches in
      for index in 0..<highCount { body(patches[index]) }
      var low = (highCount..<patches.count).partition { patches[$0].minY < minY }
      while low < patches.count, patches[low].minY < maxY {
        body(patches[low])
        low += 1
      }
    }
  }

  /// Makes a mask without patches, until `replace` sets them.
  package init() {}

  /// The number of patches, the cost of keeping the mask.
  package var patchCount: Int { patches.count }

  func removeAll() {
    patches.removeAll(keepingCapacity: true)
    highCount = 0
    runs.removeAll(keepingCapacity: true)
    coverages.removeAll(keepingCapacity: true)
  }

  /// Replaces the patches, in their memory, by spans of one row that do not overlap.
  func replace(with spans: inout [Patch]) {
    removeAll()
    func isBefore(_ one: Patch, _ other: Patch) -> Bool { (one.minY, one.minX) < (other.minY, other.minX) }
    // Most often they are in order already, and a sort takes memory of its own.
    if zip(spans, spans.dropFirst()).contains(where: { isBefore($1, $0) }) { spans.sort(by: isBefore) }
    lastRow.removeAll(keepingCapacity: true)
    var index = 0
    while index < spans.count {
      let y = spans[index].minY
      row.removeAll(keepingCapacity: true)
      while index < spans.count, spans[index].minY == y {
        let span = spans[index]
        Self.add(Int(span.minX)..<Int(span.maxX), Int(y), span.coverage, to: &row)
        index += 1
      }
      // A patch that ends above the row before cannot go on.
      if let last = lastRow.first, patches[last].maxY != y { lastRow.removeAll(keepingCapacity: true) }
      add(row, after: lastRow, reaching: &thisRow)
      swap(&lastRow, &thisRow)
    }
    order()
  }

  package typealias Scratch = UnsafeMutablePointer<UInt8>

  private func addRow(
    _ y: Int, _ shape: Coverage, _ hole: Coverage?, _ columns: Range<Int>, _ scratch: (Scratch, Scratch),
    to row: inout [Patch]
  ) {
    let outer = shape.spans(y: y)
    let touched = outer.touched.clamped(to: columns)
    guard !touched.isEmpty else { return }
    // From left to right: edge, full part, edge; with a hole, these three on both sides of it.
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

  private static func add(_ columns: Range<Int>, _ y: Int, _ coverage: UInt8, to row: inout [Patch]) {
    guard coverage > 0 else { return }
    let patch = Patch(columns, y: y, coverage: coverage)
    if let last = row.indices.last, row[last].maxX == patch.minX, row[last].coverage == coverage {
      row[last].maxX = patch.maxX
    } else {
      row.append(patch)
    }
  }

  /// Adds a row, whose patches continue equal ones of the previous row, from left to right; `reached` gets
  /// those that reach down to this row.
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

/// Coverage masks by shape: most shapes that are painted were painted before.
package final class CoverageMaskCache {
  private struct Key: Hashable {
    let shape: RoundedRect
    let hole: RoundedRect?
  }

  let area: PixelRect
  private var masks: [Key: CoverageMask] = [:]
  private var patchCount = 0
  private let scratch: (CoverageMask.Scratch, CoverageMask.Scratch)

  /// The most patches, two megabytes: a moving shape leaves masks, and the cache is then emptied.
  private static let mostPatches = 200_000

  /// - Parameter area: all pixels that will ever be painted.
  package init(area: PixelRect) {
    self.area = area
    scratch = (.allocate(capacity: max(1, area.width)), .allocate(capacity: max(1, area.width)))
  }

  deinit {
    scratch.0.deallocate()
    scratch.1.deallocate()
  }

  package func mask(_ shape: RoundedRect, without hole: RoundedRect?) -> CoverageMask {
    let key = Key(shape: shape, hole: hole)
    if let known = masks[key] { return known }
    let mask = CoverageMask(shape, without: hole, area: area, scratch: scratch)
    if patchCount > Self.mostPatches {
      masks.removeAll()
      patchCount = 0
    }
    // A mask without patches still takes the memory of a few.
    patchCount += mask.patches.count + 16
    masks[key] = mask
    return mask
  }
}
