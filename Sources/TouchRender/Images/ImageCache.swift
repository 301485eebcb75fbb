import TouchCore
import TouchPixels
import TouchSystem
import TouchViews

/// The pictures of image views: decoded once, drawn once at their place, and read again after changes.
final class ImageCache {
  enum Placement {
    case ready(Target)
    case empty
    case unreadable(DisplayError)
  }

  enum Decoded {
    case surface(Surface)
    case failed(DisplayError)
    /// The picture is too large for one turn, and not decoded yet.
    case loading
  }

  private let display: PixelRect
  private(set) var files: PictureFiles<Decoded>
  private var placed: RecentlyUsed<PictureKey, Placement>
  /// The costs of a placed picture, in addition to its pixels, and of an unreadable file, in pixels.
  private static let leastPixels = 256
  private static let unreadablePixels = 16 << 10
  /// The pictures that are decoded in pieces. The first one is being decoded.
  private var loadings: [PictureLoading] = []
  /// Called when `advance()` has something to decode. Without it, every picture is decoded at once.
  var onWait: (() -> Void)?
  /// The most pixels of a picture that is decoded at once. A slow core decodes 20 to 50 in a microsecond.
  static let mostAtOnce = 1 << 18
  private static let longestAtOnce = 1 << 20

  /// Keeps pictures for a display, in pixels up to `mostPixels`, by default one of the largest size.
  init(display: PixelRect, mostPixels: Int = PNGReader.largestSide * PNGReader.largestSide) {
    self.display = display
    files = PictureFiles(limit: mostPixels)
    // A moving picture leaves an entry for each of its places.
    placed = RecentlyUsed(limit: 8 * display.width * display.height)
  }

  var decodedPixels: Int { files.cost }

  func picture(of view: ImageView, displayFromLocal: AffineTransform) -> Placement {
    picture(
      PictureKey(
        path: view.path, mode: view.mode, slice: view.slice, bounds: view.bounds,
        displayFromLocal: displayFromLocal),
      shown: &view.version, in: view)
  }

  /// Returns a picture as it appears; its previous look, or nothing, while it is decoded, after which `view`
  /// is painted again. `shown` is the version shown; nil before the first look.
  func picture(_ key: PictureKey, shown: inout PictureVersion?, in view: View) -> Placement {
    if let loading = loadings.first(where: { $0.path == key.path }) {
      // A further change of the file is noticed after this decoding.
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
    // An invisible picture takes memory too.
    var pixels = Self.leastPixels
    if case .ready(let target) = placement { pixels += target.surface.width * target.surface.height }
    placed.insert(placement, for: key, cost: pixels)
  }

  private static func isLarge(_ path: String) -> Bool {
    // An unreadable picture is answered at once.
    guard let picture = try? PictureFile(path), let decoding = try? PictureDecoding(path: path) else {
      return false
    }
    return picture.width * picture.height > mostAtOnce || decoding.length > longestAtOnce
  }

  // MARK: Decoding in pieces

  private func begin(_ key: PictureKey, _ version: PictureVersion?, in view: View) {
    guard let version else { return }
    let loading = PictureLoading(key.path, version)
    loading.add(view, key)
    loadings.append(loading)
    if loadings.count == 1 { onWait?() }
  }

  /// Decodes one piece, and returns whether more remain. Views of a whole picture are painted again.
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
