import TouchCore
import TouchPixels
import TouchViews

/// A picture that is too large for one turn. It is decoded in pieces, and then drawn for the waiting views.
final class PictureLoading {
  let path: String
  let version: PictureVersion
  private var waiting: [ObjectIdentifier: Waiting] = [:]
  private var stage = Stage.opening

  private struct Waiting {
    weak var view: View?
    /// The look that the view wanted last.
    var key: PictureKey
  }

  private enum Stage {
    case opening
    case decoding(PictureDecoding)
    /// The picture, the looks still to be drawn, the one being drawn, and the finished ones.
    case placing(Surface, [PictureKey], PicturePlacement?, [(PictureKey, ImageCache.Placement)])
  }

  init(_ path: String, _ version: PictureVersion) { (self.path, self.version) = (path, version) }

  func add(_ view: View, _ key: PictureKey) {
    waiting[ObjectIdentifier(view)] = Waiting(view: view, key: key)
  }

  /// Decodes or draws one piece: returns content and wanted looks when done; nil before.
  func advance(
    on display: PixelRect
  ) -> (decoded: ImageCache.Decoded, placements: [(PictureKey, ImageCache.Placement)])? {
    do throws(DisplayError) {
      switch stage {
      case .opening: stage = .decoding(try PictureDecoding(path: path))
      case .decoding(let decoding):
        guard let picture = try decoding.advance() else { return nil }
        // Views that move meanwhile have the picture drawn when they are painted.
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

  func showViews() { for waiting in waiting.values { waiting.view?.setNeedsDisplay() } }
}
