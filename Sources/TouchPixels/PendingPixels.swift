/// The pixels of a part of a display that are known and not painted yet: a fill, and over it copies of kept
/// pictures. Painting over them paints them first (`Target.settle`). The others go from their pictures to the
/// display: a sliding page is read once and written once.
@usableFromInline package final class PendingPixels {
  private var area = PixelRect.empty
  /// The pixel around the copies; nil if what is there has been painted.
  private var fill: UInt32?
  private var copies: [(box: PixelRect, source: Target)] = []
  /// Whether anything is pending: asked before each letter.
  private var isWaiting = false

  /// The most copies: two contents that scroll, each in four tiles.
  private static let most = 8

  package init() { copies.reserveCapacity(Self.most) }

  /// Begins another part of the display.
  package func begin(_ area: PixelRect) {
    self.area = area
    removeAll()
  }

  private func removeAll() {
    fill = nil
    copies.removeAll(keepingCapacity: true)
    isWaiting = false
  }

  /// Calls `body` with the pixels of the part: where they are, and the pixel of a fill.
  /// - Parameter target: where the others were painted.
  package func forEachPart(on target: Target, _ body: (Target, PixelRect, UInt32?) -> Void) {
    forEachPart(of: area, outsideCopies: 0) { body(target, $0, fill) }
    for copy in copies { body(copy.source, copy.box, nil) }
    removeAll()
  }

  private func forEachPart(of box: PixelRect, outsideCopies place: Int, _ body: (PixelRect) -> Void) {
    guard place < copies.count else { return body(box) }
    box.forEachPart(outside: copies[place].box) { forEachPart(of: $0, outsideCopies: place + 1, body) }
  }

  // MARK: Painting

  /// Takes a fill of the whole part in place of all before it; false, and nothing is taken, for another one.
  func take(fill pixel: UInt32, of box: PixelRect) -> Bool {
    guard pixel >> 24 == 255, box.contains(area) else { return false }
    removeAll()
    fill = pixel
    isWaiting = true
    return true
  }

  func takeCopy(_ box: PixelRect, of source: Target, over target: Target) {
    if copies.count == Self.most || !isFilled(box) { paint(on: target) }
    copies.append((box, source))
    isWaiting = true
  }

  /// Whether no copy is in a box.
  private func isFilled(_ box: PixelRect) -> Bool {
    copies.allSatisfy { $0.box.intersection(box).isEmpty }
  }

  /// Returns the pixel of the fill, if all of a box has it.
  func fill(of box: PixelRect) -> UInt32? { isFilled(box) ? fill : nil }

  /// Paints what is pending before something else is painted over a box, except copies beside it.
  @inline(__always)
  func settle(_ box: PixelRect, on target: Target) {
    if isWaiting, !box.isEmpty { paint(on: target, under: box) }
  }

  /// - Parameter box: the box in which copies are painted; nil for everywhere.
  private func paint(on target: Target, under box: PixelRect? = nil) {
    if let fill { forEachPart(of: area, outsideCopies: 0) { target.paintFill($0, with: fill) } }
    fill = nil
    copies.removeAll { copy in
      if let box, copy.box.intersection(box).isEmpty { return false }
      target.paintCopy(copy.box, from: copy.source)
      return true
    }
    isWaiting = !copies.isEmpty
  }
}
