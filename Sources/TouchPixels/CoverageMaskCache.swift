/// Stencils by their shapes, kept: most of what is painted was painted before.
package final class CoverageMaskCache {
  private struct Key: Hashable {
    let shape: Shape
    let hole: Shape?
  }

  private let area: PixelRect
  private var masks: [Key: CoverageMask] = [:]
  private var patchCount = 0
  /// Rows of coverage, for building.
  private let scratch: (CoverageMask.Scratch, CoverageMask.Scratch)

  /// Two megabytes. Shapes that move leave a stencil behind for each place they were in: start anew at some point.
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

  /// The stencil of a shape, without another one.
  package func coverageMask(_ shape: Shape, without hole: Shape?) -> CoverageMask {
    let key = Key(shape: shape, hole: hole)
    if let known = masks[key] { return known }
    let coverageMask = CoverageMask(shape, without: hole, area: area, scratch: scratch)
    if patchCount > Self.mostPatches {
      masks.removeAll()
      patchCount = 0
    }
    // As much as a few patches is taken by a stencil without any.
    patchCount += coverageMask.patches.count + 16
    masks[key] = coverageMask
    return coverageMask
  }
}
