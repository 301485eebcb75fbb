import TouchCore
import TouchPixels

/// A picture whose corners keep their size. (`UIImage.resizableImage(withCapInsets:)`)
enum NinePatch {
  /// Draws the wanted part at the size on the display, with corners in pixels of the picture and units of the
  /// view; nil without memory, or if the view is turned.
  static func draw(
    _ picture: Surface, slice: Insets, in bounds: LocalRect, _ displayFromLocal: AffineTransform,
    area: PixelRect
  ) -> Target? {
    guard displayFromLocal.b == 0, displayFromLocal.c == 0, let local = displayFromLocal.inverse,
      let surface = try? Surface(width: area.width, height: area.height)
    else { return nil }
    let columns = (0..<area.width).map { x in
      let point: LocalPoint = local.map(Point<DisplaySpace>(x: Double(area.minX + x) + 0.5, y: 0))
      return place(
        point.x - bounds.minX, of: bounds.size.width, slice.left, slice.right, Double(picture.width))
    }
    for y in 0..<area.height {
      let point: LocalPoint = local.map(Point<DisplaySpace>(x: 0, y: Double(area.minY + y) + 0.5))
      let row = place(
        point.y - bounds.minY, of: bounds.size.height, slice.top, slice.bottom, Double(picture.height))
      let pixels = surface.pixels + y * area.width
      for x in 0..<area.width { pixels[x] = sample(picture, columns[x], row) }
    }
    return Target(surface: surface, originX: area.minX, originY: area.minY)
  }

  /// Returns the place in the picture for one along a view of a length, between corners of the lengths
  /// `first` and `last`.
  private static func place(
    _ place: Double, of length: Double, _ first: Double, _ last: Double, _ pixels: Double
  ) -> Double {
    // A view without room for its corners has smaller ones.
    let scale = first + last > length ? length / (first + last) : 1
    let (start, end) = (first * scale, length - last * scale)
    // Each part is mixed of its own pixels alone, so that its neighbours do not run into it.
    if place < start { return min(place / scale, first - 0.5) }
    if place > end { return max(pixels - (length - place) / scale, pixels - last + 0.5) }
    let middle = first + (place - start) / max(end - start, 1e-9) * (pixels - first - last)
    return max(first + 0.5, min(pixels - last - 0.5, middle))
  }

  /// Returns the mix of the four premultiplied pixels around a place, weighted by their nearness.
  private static func sample(_ picture: Surface, _ x: Double, _ y: Double) -> UInt32 {
    func split(_ place: Double, _ count: Int) -> (Int, Int, UInt32) {
      let place = max(0, min(Double(count - 1), place - 0.5))
      let low = Int(place)
      return (low, min(low + 1, count - 1), UInt32((place - Double(low)) * 256))
    }
    let (left, right, across) = split(x, picture.width)
    let (top, bottom, down) = split(y, picture.height)
    func mix(_ one: UInt32, _ other: UInt32, _ part: UInt32) -> UInt32 {
      var mixed: UInt32 = 0
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        let value = (one >> shift & 255) * (256 - part) + (other >> shift & 255) * part
        mixed |= ((value + 128) >> 8) << shift
      }
      return mixed
    }
    let width = picture.width
    let upper = mix(picture.pixels[top * width + left], picture.pixels[top * width + right], across)
    let lower = mix(picture.pixels[bottom * width + left], picture.pixels[bottom * width + right], across)
    return mix(upper, lower, down)
  }
}
