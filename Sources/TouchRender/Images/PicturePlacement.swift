import TouchCore
import TouchPixels
import TouchViews

struct PictureKey: Hashable {
  let path: String
  let mode: ImageView.Mode
  /// The size of the corners that keep their size; nil for a picture that is scaled as a whole.
  let slice: Insets?
  let bounds: LocalRect
  let displayFromLocal: AffineTransform
}

/// Draws a decoded picture at its size and place on the display, in one piece or in several.
final class PicturePlacement {
  private let picture: Surface
  private let key: PictureKey
  /// The frame of the whole picture, in the view's space.
  private let content: LocalRect
  private let displayFromPicture: AffineTransform
  /// The target; nil if no part of the picture is visible.
  private let target: Target?
  private var rows = 0

  /// The number of the picture's pixels that a piece covers.
  static let piece = 65_536.0

  init(_ picture: Surface, _ key: PictureKey, on display: PixelRect) {
    (self.picture, self.key) = (picture, key)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let mode = key.slice == nil ? key.mode : .stretch
    content = Self.content(Size(width: width, height: height), mode, in: key.bounds)
    displayFromPicture = AffineTransform(
      a: content.size.width / width, b: 0, c: 0, d: content.size.height / height, tx: content.minX,
      ty: content.minY
    ).then(key.displayFromLocal)
    let visible: Rect<DisplaySpace> = key.displayFromLocal.bounding(content.intersection(key.bounds))
    let area = PixelRect(covering: visible, sliver: 0).intersection(display)
    guard !area.isEmpty else {
      target = nil
      return
    }
    if let slice = key.slice,
      let patches = NinePatch.draw(picture, slice: slice, in: key.bounds, key.displayFromLocal, area: area)
    {
      target = patches
      rows = area.height
    } else {
      target = (try? Surface(width: area.width, height: area.height)).map {
        Target(surface: $0, originX: area.minX, originY: area.minY)
      }
    }
  }

  /// Draws a piece of the picture, up to a number of its pixels but at least one row; returns the whole
  /// picture, nil before.
  func advance(atMost pixels: Double = PicturePlacement.piece) -> ImageCache.Placement? {
    guard let target else { return .empty }
    let (width, height) = (Double(target.surface.width), Double(target.surface.height))
    guard rows < target.surface.height else { return .ready(target) }
    let step = max(1, 1 / max(1e-6, abs(displayFromPicture.determinant)))
    let end = min(target.surface.height, rows + Int(max(1, min(height, pixels / (step * width)))))
    guard picture.draw(by: displayFromPicture, on: target, rows: rows..<end, beyond: .edgePixels) else {
      return .empty
    }
    rows = end
    guard end == target.surface.height else { return nil }
    Self.cut(target, to: content, key)
    return .ready(target)
  }

  func finish() -> ImageCache.Placement { advance(atMost: .infinity) ?? .empty }

  /// Returns the frame of the whole picture, in the view's space. (`UIView.ContentMode`.)
  private static func content(_ picture: Size, _ mode: ImageView.Mode, in bounds: LocalRect) -> LocalRect {
    let x = bounds.size.width / picture.width
    let y = bounds.size.height / picture.height
    let factors: (x: Double, y: Double) =
      switch mode {
      case .fit: (min(x, y), min(x, y))
      case .fill: (max(x, y), max(x, y))
      case .stretch: (x, y)
      case .center: (1, 1)
      }
    let size = Size(width: picture.width * factors.x, height: picture.height * factors.y)
    return LocalRect(
      origin: LocalPoint(x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2), size: size)
  }

  /// Smooths the picture's edges inside the view, whose own are smoothed when it is painted.
  private static func cut(_ target: Target, to content: LocalRect, _ key: PictureKey) {
    let bounds = key.bounds
    let slack = 1e-6 * (bounds.size.width + bounds.size.height)
    let beyond = bounds.size.width + bounds.size.height
    let left = content.minX > bounds.minX + slack ? content.minX : bounds.minX - beyond
    let top = content.minY > bounds.minY + slack ? content.minY : bounds.minY - beyond
    let right = content.maxX < bounds.maxX - slack ? content.maxX : bounds.maxX + beyond
    let bottom = content.maxY < bounds.maxY - slack ? content.maxY : bounds.maxY + beyond
    let rect = LocalRect(x: left, y: top, width: right - left, height: bottom - top)
    guard left > bounds.minX || top > bounds.minY || right < bounds.maxX || bottom < bounds.maxY,
      let shape = RoundedRect(rect, displayFromLocal: key.displayFromLocal), !shape.isExact,
      let coverage = Coverage(shape)
    else { return }
    let surface = target.surface
    var row = [UInt8](repeating: 0, count: surface.width)
    for y in 0..<surface.height {
      coverage.cover(target.originX..<target.originX + surface.width, y: y + target.originY, into: &row)
      let pixels = surface.pixels + y * surface.width
      for x in 0..<surface.width { pixels[x] = cover(pixels[x], UInt32(row[x])) }
    }
  }
}
