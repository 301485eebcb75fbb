import TouchCore
import TouchPixels
import TouchViews

/// The pictures of image views: each file is decoded once, and drawn once at its size and place on the display, so that
/// painting it again is a copy. A file that is written again is read again when a view is given its path.
final class ImageCache {
  enum Placement {
    /// The picture, in display pixels.
    case ready(Target)
    /// No part of it is visible.
    case empty
    case unreadable(DisplayError)
  }

  private struct Key: Hashable {
    let path: String
    let mode: ImageView.Mode
    let slice: Insets?
    let bounds: LocalRect
    let displayFromLocal: AffineTransform
  }

  enum Decoded {
    case surface(Surface)
    case failed(DisplayError)
  }

  private let display: PixelRect
  private(set) var files: PictureFiles<Decoded>
  private var placed: RecentlyUsed<Key, Placement>
  /// The cost of a placed picture in addition to its pixels, and that of a file that cannot be read, in pixels.
  private static let leastPixels = 256
  private static let unreadablePixels = 16 << 10

  /// - Parameters:
  ///   - display: the whole display, in pixels.
  ///   - mostPixels: the most decoded pixels to keep; by default one picture of the largest size.
  init(display: PixelRect, mostPixels: Int = PNGReader.largestSide * PNGReader.largestSide) {
    self.display = display
    files = PictureFiles(limit: mostPixels)
    // A picture that moves leaves an entry for each place it was in.
    placed = RecentlyUsed(limit: 8 * display.width * display.height)
  }

  /// The number of pixels of all decoded pictures.
  var decodedPixels: Int { files.cost }

  /// A view's picture as it appears on the display.
  func picture(of view: ImageView, displayFromLocal: AffineTransform) -> Placement {
    picture(
      view.path, shown: &view.version, view.mode, slice: view.slice, in: view.bounds,
      displayFromLocal: displayFromLocal)
  }

  /// A picture as it appears on the display.
  ///
  /// - Parameters:
  ///   - path: of its file.
  ///   - shown: which state of the file is shown, by who shows it; nil while nothing has looked at it.
  ///   - slice: how far its corners reach, where they keep their size; nil for a picture that is scaled as a whole.
  ///   - bounds: what it is fitted into.
  func picture(
    _ path: String, shown: inout PictureVersion?, _ mode: ImageView.Mode, slice: Insets? = nil,
    in bounds: LocalRect,
    displayFromLocal: AffineTransform
  ) -> Placement {
    let (decoded, isRead) = files.content(of: path, shown: &shown, read: Self.decode)
    if isRead { placed.removeAll { $0.path == path } }
    let key = Key(path: path, mode: mode, slice: slice, bounds: bounds, displayFromLocal: displayFromLocal)
    if let known = placed.value(for: key) { return known }
    let placement: Placement
    switch decoded {
    case .failed(let error):
      return .unreadable(error)
    case .surface(let surface):
      placement = Self.place(surface, key, display)
    }
    // An invisible one takes memory, too.
    var pixels = Self.leastPixels
    if case .ready(let target) = placement { pixels += target.surface.width * target.surface.height }
    placed.insert(placement, for: key, cost: pixels)
    return placement
  }

  private static func decode(_ path: String) -> (content: Decoded, cost: Int) {
    do {
      let surface = try PictureReader.read(path: path)
      return (.surface(surface), surface.width * surface.height)
    } catch {
      return (.failed(error), unreadablePixels)
    }
  }

  private static func place(_ surface: Surface, _ key: Key, _ display: PixelRect) -> Placement {
    let (width, height) = (Double(surface.width), Double(surface.height))
    let mode = key.slice == nil ? key.mode : .stretch
    let content = content(Size(width: width, height: height), mode, in: key.bounds)
    let visible: Rect<DisplaySpace> = key.displayFromLocal.bounding(content.intersection(key.bounds))
    let area = PixelRect(covering: visible, sliver: 0).intersection(display)
    guard !area.isEmpty else { return .empty }
    if let slice = key.slice,
      let target = NinePatch.draw(surface, slice: slice, in: key.bounds, key.displayFromLocal, area: area)
    {
      return .ready(target)
    }
    let displayFromPicture = AffineTransform(
      a: content.size.width / width, b: 0, c: 0, d: content.size.height / height, tx: content.minX,
      ty: content.minY
    ).then(key.displayFromLocal)
    guard let target = surface.transformed(by: displayFromPicture, area: area, beyond: .edgePixels) else {
      return .empty
    }
    cut(target, to: content, key)
    return .ready(target)
  }

  /// The frame of the whole picture, in the view's space. (`UIView.ContentMode`.)
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

  /// Smooths those edges of the picture that lie inside the view. The view's own edges are smoothed when the
  /// picture is painted.
  private static func cut(_ target: Target, to content: LocalRect, _ key: Key) {
    let bounds = key.bounds
    let slack = 1e-6 * (bounds.size.width + bounds.size.height)
    let beyond = bounds.size.width + bounds.size.height
    let left = content.minX > bounds.minX + slack ? content.minX : bounds.minX - beyond
    let top = content.minY > bounds.minY + slack ? content.minY : bounds.minY - beyond
    let right = content.maxX < bounds.maxX - slack ? content.maxX : bounds.maxX + beyond
    let bottom = content.maxY < bounds.maxY - slack ? content.maxY : bounds.maxY + beyond
    let rect = LocalRect(x: left, y: top, width: right - left, height: bottom - top)
    guard
      left > bounds.minX || top > bounds.minY || right < bounds.maxX || bottom < bounds.maxY,
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
