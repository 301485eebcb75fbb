import TouchCore
import TouchPixels
import TouchViews

/// A picture that is too large for a turn: it is decoded piece by piece, and then drawn where views wait for it.
final class PictureLoading {
  let path: String
  /// The state of the file that is decoded.
  let version: PictureVersion
  private var waiting: [ObjectIdentifier: Waiting] = [:]
  private var stage = Stage.opening

  private struct Waiting {
    weak var view: View?
    /// Where it wanted the picture last.
    var key: PictureKey
  }

  private enum Stage {
    case opening
    case decoding(PictureDecoding)
    /// The picture, where it is still to be drawn, what is drawn now, and what was.
    case placing(Surface, [PictureKey], PicturePlacement?, [(PictureKey, ImageCache.Placement)])
  }

  init(_ path: String, _ version: PictureVersion) {
    (self.path, self.version) = (path, version)
  }

  /// - Parameter key: where the view wants the picture.
  func add(_ view: View, _ key: PictureKey) {
    waiting[ObjectIdentifier(view)] = Waiting(view: view, key: key)
  }

  /// Does one piece.
  ///
  /// - Returns: what the file has, and how it looks where it was wanted; nil while there is more to do.
  func advance(
    on display: PixelRect
  ) -> (decoded: ImageCache.Decoded, placements: [(PictureKey, ImageCache.Placement)])? {
    do throws(DisplayError) {
      switch stage {
      case .opening:
        stage = .decoding(try PictureDecoding(path: path))
      case .decoding(let decoding):
        guard let picture = try decoding.advance() else { return nil }
        // Views that move on meanwhile have it drawn when they are painted.
        stage = .placing(picture, Array(Set(waiting.values.map(\.key))), nil, [])
      case .placing(let picture, var keys, let placement, var placements):
        guard let key = keys.last else { return (.surface(picture), placements) }
        let placement = placement ?? PicturePlacement(picture, key, on: display)
        guard let placed = placement.advance() else {
          stage = .placing(picture, keys, placement, placements)
          return nil
        }
        keys.removeLast()
        placements.append((key, placed))
        stage = .placing(picture, keys, nil, placements)
      }
      return nil
    } catch {
      return (.failed(error), [])
    }
  }

  /// Has the views painted that wait.
  func showViews() {
    for waiting in waiting.values { waiting.view?.setNeedsDisplay() }
  }
}
