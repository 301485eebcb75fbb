import TouchCore
import TouchPixels
import TouchViews

/// The picture of a view that moves by whole pixels, such as a page that slides or a sheet that rises.
///
/// Each part is painted once, when it is first seen, and copied in each later frame. The view is opaque, or
/// lies on one opaque colour, which is then part of the picture. So a frame has the same pixels as one that is
/// painted anew. The picture is given back when the view rests.
final class MovedPicture {
  let painter: ObjectIdentifier
  /// The matrix from the view's space to the pixels of the surface.
  let surfaceFromLocal: AffineTransform
  let surface: Surface
  /// The pixel under the view; nil for an opaque view.
  var behind: UInt32?
  /// The valid pixels of the surface.
  var valid = PixelRect.empty
  /// Whether the view shows several colours through. It is then painted in each frame.
  var isPorous = false

  /// The most memory of a picture, in displays. A row of two pages has two.
  private static let mostDisplays = 2

  /// - Parameters:
  ///   - pixels: the pixels of the view's bounds on the display.
  ///   - matrix: the matrix from the view's space to the display.
  /// - Returns: nil if the view is too large, or there is no memory.
  init?(_ pixels: PixelRect, _ matrix: AffineTransform, display: PixelRect, for painter: TreePainter) {
    guard pixels.area <= Self.mostDisplays * display.area,
      let surface = try? Surface(width: pixels.width, height: pixels.height)
    else { return nil }
    self.surface = surface
    self.painter = ObjectIdentifier(painter)
    surfaceFromLocal = Self.moved(matrix, to: pixels)
  }

  /// Returns whether the picture is that of a view at another place.
  func fits(_ pixels: PixelRect, _ matrix: AffineTransform) -> Bool {
    surface.width == pixels.width && surface.height == pixels.height
      && surfaceFromLocal == Self.moved(matrix, to: pixels)
  }

  /// The unit of translations, in pixels. Its multiples have exact sums with whole pixels.
  private static let step = 1.0 / 1024

  private static func moved(_ matrix: AffineTransform, to pixels: PixelRect) -> AffineTransform {
    var matrix = matrix
    matrix.tx = ((matrix.tx - Double(pixels.minX)) / step).rounded() * step
    matrix.ty = ((matrix.ty - Double(pixels.minY)) / step).rounded() * step
    return matrix
  }
}

extension TreePainter {
  /// Paints a view that moves as a copy of its picture, and what it paints outside of its bounds as always.
  /// - Parameter shape: the outline of the view.
  /// - Returns: false if nothing can be kept. Then nothing was painted.
  func paintMoved(_ view: View, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass) -> Bool {
    let inner = pass.clip.intersection(shape.pixels)
    // The kept pixels are for the display, where private views have their contents.
    guard shape.isExact, !inner.isEmpty, !blanksPrivateViews, !layers.isExhausted,
      let picture = movedPicture(of: view, shape, matrix), !picture.isPorous
    else { return false }
    let (x, y) = (shape.pixels.minX, shape.pixels.minY)
    // What is behind an opaque view may not have been painted.
    let behind = fills(inner, with: view, matrix) ? nil : pass.target.fill(of: inner)
    if picture.behind != behind { (picture.behind, picture.valid) = (behind, .empty) }
    bringUpToDate(picture, view, seen: inner.offset(x: -x, y: -y))
    guard !picture.isPorous else { return false }
    pass.clip.forEachPart(outside: inner) { part in
      var outer = pass
      outer.clip = part
      paintUnmoved(view, matrix, outer)
    }
    pass.target.copy(inner, from: Target(surface: picture.surface, originX: x, originY: y))
    return true
  }

  private func paintUnmoved(_ view: View, _ matrix: AffineTransform, _ pass: Pass) {
    view.movesAsPicture = false
    paint(view, matrix, pass)
    view.movesAsPicture = true
  }

  /// Returns the picture of a view; nil if another painter keeps it, or it is too large.
  private func movedPicture(of view: View, _ shape: RoundedRect, _ matrix: AffineTransform) -> MovedPicture? {
    if let picture = view.keptPicture as? MovedPicture {
      guard picture.painter == ObjectIdentifier(self) else { return nil }
      if picture.fits(shape.pixels, matrix) { return picture }
    }
    let picture = MovedPicture(shape.pixels, matrix, display: display, for: self)
    view.keptPicture = picture
    return picture
  }

  /// - Parameter seen: the pixels that are needed.
  private func bringUpToDate(_ picture: MovedPicture, _ view: View, seen: PixelRect) {
    let changes = view.takePictureChanges()
    if !changes.isEmpty {
      let changed: Rect<DisplaySpace> = picture.surfaceFromLocal.bounding(changes)
      let pixels = PixelRect(covering: changed, sliver: 1.0 / 1024).intersection(picture.valid)
      paint(pixels, into: picture, view)
    }
    let next = picture.valid.union(seen)
    next.forEachPart(outside: picture.valid) { paint($0, into: picture, view) }
    picture.valid = next
  }

  /// Paints a part of the picture, in pieces that lie on the display.
  /// - Parameter area: in pixels of the surface.
  private func paint(_ area: PixelRect, into picture: MovedPicture, _ view: View) {
    for y in stride(from: area.minY, to: area.maxY, by: display.height) {
      for x in stride(from: area.minX, to: area.maxX, by: display.width) {
        let piece = PixelRect(x: x, y: y, width: display.width, height: display.height).intersection(area)
        let target = Target(surface: picture.surface, originX: -x, originY: -y)
        var matrix = picture.surfaceFromLocal
        (matrix.tx, matrix.ty) = (matrix.tx - Double(x), matrix.ty - Double(y))
        let clip = piece.offset(x: -x, y: -y)
        target.fill(clip, with: picture.behind ?? 0)
        paintUnmoved(view, matrix, Pass(target: target, clip: clip))
        if picture.behind == nil, !target.isOpaque(clip) { picture.isPorous = true }
      }
    }
  }
}

extension PixelRect {
  /// Calls `body` for the up to four parts of the rectangle outside of another one, which it contains, or which
  /// is empty.
  fileprivate func forEachPart(outside other: PixelRect, _ body: (PixelRect) -> Void) {
    func part(_ minX: Int, _ minY: Int, _ maxX: Int, _ maxY: Int) {
      let part = PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
      if !part.isEmpty { body(part) }
    }
    guard !other.isEmpty else { return part(minX, minY, maxX, maxY) }
    part(minX, minY, maxX, other.minY)
    part(minX, other.maxY, maxX, maxY)
    part(minX, other.minY, other.minX, other.maxY)
    part(other.maxX, other.minY, maxX, other.maxY)
  }
}
