import TouchCore
import TouchPixels
import TouchViews

/// Measures contents for stacks. Text is broken into lines at the style's own size, so the result does not
/// depend on the display. Results are kept.
package final class ContentMeasurer {
  private struct TextKey: Hashable {
    let text: String
    let font: TextCache.FontKey
    let room: TextCache.Room
  }

  let cache = TextCache()
  /// The sizes of texts, in pixels of the font's size.
  private var sizes = RecentlyUsed<TextKey, Size>(limit: largestSize)
  private var pictures = PictureFiles<Size?>(limit: largestSize)

  /// The side of an icon alone, in units: the height of a line of text with some room.
  private static let iconSide = 24.0

  /// The limit of the keys, in bytes.
  private static let largestSize = 4 << 20

  package init() {}

  /// Returns the size at which a view shows all of its content well.
  /// - Parameter width: the room for text of several lines.
  /// - Returns: the size in units of the view, rounded up to whole ones; nil
  ///   for a view of another kind, an unreadable picture, and without a font.
  package func size(of view: View, atWidth width: Double) -> Size? {
    if let image = view as? ImageView { return size(ofPictureIn: image) }
    guard let view = view as? any TitleShowing, let text = size(of: view.title, atWidth: width) else {
      return nil
    }
    return Size(width: max(text.width, view.leastSide), height: max(text.height, view.leastSide))
  }

  /// Returns the size of the text and its padding alone, like `size(of:atWidth:)`.
  package func textSize(of view: View, atWidth width: Double) -> Size? {
    (view as? any TitleShowing).flatMap { size(of: $0.title, atWidth: width) }
  }

  private func size(of title: Title, atWidth width: Double) -> Size? {
    guard !title.isPlain else {
      return size(of: title.text, title.style, padding: title.padding, atWidth: width)
    }
    let padding = title.padding
    let room = max(0, width - padding.left - padding.right)
    guard let inner = title.size(atWidth: room, measure: { size(of: $0, $1, padding: .zero, atWidth: $2) })
    else { return nil }
    return Size(
      width: (inner.width + padding.left + padding.right - 1e-6).rounded(.up),
      height: (inner.height + padding.top + padding.bottom - 1e-6).rounded(.up))
  }

  private func size(of text: String, _ style: TextStyle, padding: Insets, atWidth width: Double) -> Size? {
    var size = Size(width: padding.left + padding.right, height: padding.top + padding.bottom)
    guard !text.isEmpty, style.size.isFinite, style.size > 0 else { return size }
    let layoutSize = style.layoutSize(for: text)
    let scale = style.size / layoutSize
    let room =
      style.lines == 1 ? PixelRect.farthest : min(PixelRect.farthest, (width - size.width) / scale + 0.01)
    let font = TextCache.FontKey(style, pixelSize: layoutSize)
    guard
      let lines = measure(
        text, font,
        in: TextCache.Room(width: Int(saturating: max(0, room)), height: Int.max / 2, lines: style.lines))
    else { return nil }
    size.width += lines.width * scale
    size.height += lines.height * scale
    // Without the last digits, the product's rounding error would not add a unit.
    return Size(width: (size.width - 1e-6).rounded(.up), height: (size.height - 1e-6).rounded(.up))
  }

  private func measure(_ text: String, _ font: TextCache.FontKey, in room: TextCache.Room) -> Size? {
    let key = TextKey(text: text, font: font, room: room)
    if let known = sizes.value(for: key) { return known }
    guard let size = cache.size(of: text, font, in: room) else { return nil }
    sizes.insert(size, for: key, cost: 256 + text.utf8.count + font.family.utf8.count)
    return size
  }

  private func size(ofPictureIn view: ImageView) -> Size? {
    guard !view.path.isEmpty else {
      let side = view.icon.isShown ? view.icon.size ?? Self.iconSide : 0
      return Size(width: side, height: side)
    }
    return pictures.content(of: view.path, shown: &view.version) { path in
      (PictureReader.size(path: path), 256 + path.utf8.count)
    }.content
  }
}
