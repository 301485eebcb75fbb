import TouchCore
import TouchPixels
import TouchSystem
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

  enum Decoded {
    case surface(Surface)
    case failed(DisplayError)
    /// It is too large for a turn, and not there yet.
    case loading
  }

  private let display: PixelRect
  private(set) var files: PictureFiles<Decoded>
  private var placed: RecentlyUsed<PictureKey, Placement>
  /// The cost of a placed picture in addition to its pixels, and that of a file that cannot be read, in pixels.
  private static let leastPixels = 256
  private static let unreadablePixels = 16 << 10
  /// What is decoded in pieces, the first one now.
  private var loadings: [PictureLoading] = []
  /// Called when there is something to decode in pieces, by `advance()`: until this is set, every picture is decoded at once.
  var onWait: (() -> Void)?
  /// A larger picture is decoded in pieces. In pixels, of which a slow core decodes 20 to 50 a microsecond.
  static let mostAtOnce = 1 << 18
  /// And so is a longer file. In bytes.
  private static let longestAtOnce = 1 << 20

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
      PictureKey(
        path: view.path, mode: view.mode, slice: view.slice, bounds: view.bounds,
        displayFromLocal: displayFromLocal),
      shown: &view.version, in: view)
  }

  /// A picture as it appears on the display: as it was before while it is decoded, or nothing.
  ///
  /// - Parameters:
  ///   - shown: which state of the file is shown, by who shows it; nil while nothing has looked at it.
  ///   - view: what is painted again when it is there.
  func picture(_ key: PictureKey, shown: inout PictureVersion?, in view: View) -> Placement {
    if let loading = loadings.first(where: { $0.path == key.path }) {
      // Whether the file has changed once more is looked at when this is done.
      loading.add(view, key)
      return placed.value(for: key) ?? .empty
    }
    let (decoded, isRead) = files.content(of: key.path, shown: &shown) { path in
      onWait != nil && Self.isLarge(path) ? (.loading, Self.leastPixels) : Self.decode(path)
    }
    if case .loading = decoded {
      begin(key, shown, in: view)
      return placed.value(for: key) ?? .empty
    }
    if isRead { placed.removeAll { $0.path == key.path } }
    if let known = placed.value(for: key) { return known }
    switch decoded {
    case .failed(let error): return .unreadable(error)
    case .loading: return .empty
    case .surface(let surface):
      let placement = PicturePlacement(surface, key, on: display).finish()
      keep(placement, for: key)
      return placement
    }
  }

  private func keep(_ placement: Placement, for key: PictureKey) {
    // An invisible one takes memory, too.
    var pixels = Self.leastPixels
    if case .ready(let target) = placement { pixels += target.surface.width * target.surface.height }
    placed.insert(placement, for: key, cost: pixels)
  }

  private static func isLarge(_ path: String) -> Bool {
    // One that cannot be read is answered at once.
    guard let picture = try? PictureFile(path), let decoding = try? PictureDecoding(path: path) else {
      return false
    }
    return picture.width * picture.height > mostAtOnce || decoding.length > longestAtOnce
  }

  // MARK: In pieces

  private func begin(_ key: PictureKey, _ version: PictureVersion?, in view: View) {
    guard let version else { return }
    let loading = PictureLoading(key.path, version)
    loading.add(view, key)
    loadings.append(loading)
    if loadings.count == 1 { onWait?() }
  }

  /// Does a piece of what is decoded in pieces. Where a picture is whole, its views are painted again.
  ///
  /// - Returns: whether there is more to do.
  func advance() -> Bool {
    guard let loading = loadings.first else { return false }
    if let (decoded, placements) = loading.advance(on: display) {
      loadings.removeFirst()
      var cost = Self.unreadablePixels
      if case .surface(let surface) = decoded { cost = surface.width * surface.height }
      files.insert(decoded, loading.version, for: loading.path, cost: cost)
      placed.removeAll { $0.path == loading.path }
      for (key, placement) in placements { keep(placement, for: key) }
      loading.showViews()
    }
    return !loadings.isEmpty
  }

  private static func decode(_ path: String) -> (content: Decoded, cost: Int) {
    do {
      let surface = try PictureReader.read(path: path)
      return (.surface(surface), surface.width * surface.height)
    } catch {
      return (.failed(error), unreadablePixels)
    }
  }
}
