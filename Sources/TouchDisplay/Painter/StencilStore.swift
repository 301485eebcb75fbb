/// Stencils by their shapes, kept: most of what is painted was painted before.
final class StencilStore {
  private struct Key: Hashable {
    let shape: Shape
    let hole: Shape?
  }

  private let area: PixelRect
  private var stencils: [Key: Stencil] = [:]
  private var patchCount = 0
  /// Rows of coverage, for building.
  private let scratch: (Stencil.Scratch, Stencil.Scratch)

  /// Two megabytes. Shapes that move leave a stencil behind for each place they were in: start anew at some point.
  private static let mostPatches = 200_000

  /// - Parameter area: all pixels that will ever be painted.
  init(area: PixelRect) {
    self.area = area
    scratch = (.allocate(capacity: max(1, area.width)), .allocate(capacity: max(1, area.width)))
  }

  deinit {
    scratch.0.deallocate()
    scratch.1.deallocate()
  }

  /// The stencil of a shape, without another one.
  func stencil(_ shape: Shape, without hole: Shape?) -> Stencil {
    let key = Key(shape: shape, hole: hole)
    if let known = stencils[key] { return known }
    let stencil = Stencil(shape, without: hole, area: area, scratch: scratch)
    if patchCount > Self.mostPatches {
      stencils.removeAll()
      patchCount = 0
    }
    // As much as a few patches is taken by a stencil without any.
    patchCount += stencil.patches.count + 16
    stencils[key] = stencil
    return stencil
  }
}
