import TouchCore
import TouchPixels
import TouchViews

/// The picture of a view that moves by whole pixels, such as a page that slides. Each part is painted when
/// first seen, and copied in later frames. The view is opaque, or lies on one opaque colour, which the
/// picture contains: so a frame has the same pixels as one painted anew.
final class MovedPicture {
  let painter: ObjectIdentifier
  /// The matrix from the view's space to the pixels of the surface.
  let surfaceFromLocal: AffineTransform
  let surface: Surface
  /// The pixel under the view; nil for an opaque view.
  var behind: UInt32?
  var valid = PixelRect.empty
  /// Whether the view shows several colours through. It is then painted in each frame.
  var isPorous = false

  /// The most memory of a picture, in displays. A row of two pages has two.
  private static let mostDisplays = 2

  /// Makes a picture of a view's pixels on the display under a matrix; nil if it is too large, or without
  /// memory.
  init?(_ pixels: PixelRect, _ matrix: AffineTransform, display: PixelRect, for painter: TreePainter) {
    guard pixels.area <= Self.mostDisplays * display.area,
      let surface = try? Surface(width: pixels.width, height: pixels.height)
    else { return nil }
    self.surface = surface
    self.painter = ObjectIdentifier(painter)
    surfaceFromLocal = Self.moved(matrix, to: pixels)
  }

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
  /// Paints a moving view, with an outline, as a copy of its picture, and the rest as always; false, and
  /// nothing is painted, if nothing can be kept.
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

  /// Paints a part, in pixels of the surface, in pieces that lie on the display.
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
