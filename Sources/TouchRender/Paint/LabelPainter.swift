import TouchCore
import TouchPixels

/// Paints the labels beside fingers: a dark box and in it characters, each of which was drawn once. So a label that
/// changes with every move needs no text to be shaped and no memory.
final class LabelPainter {
  private let compositor: Compositor
  private let texts: TextPainter
  private let notices: PaintNoticeLog
  private let displayFromWindow: AffineTransform
  /// The characters' pictures for a cell at display point (0, 0), by their codes; nil before the first label.
  private var cells: [Target?]?
  /// The box's picture by the number of characters in it.
  private var boxes: [Int: Target] = [:]
  /// The characters of the label that is being painted.
  private var characters: [UInt8] = []

  private static let box = Color(red: 0x0a, green: 0x0f, blue: 0x14, alpha: 0xd8)
  private static let source = Color(red: 0xff, green: 0xff, blue: 0xff)
  /// In window units.
  private static let fontSize = 13.0

  init(
    compositor: Compositor, texts: TextPainter, notices: PaintNoticeLog, displayFromWindow: AffineTransform
  ) {
    self.compositor = compositor
    self.texts = texts
    self.notices = notices
    self.displayFromWindow = displayFromWindow
    characters.reserveCapacity(32)
  }

  /// Draws the characters, so that the first finger does not have to wait for a font.
  func prepare() {
    guard cells == nil else { return }
    var cells = [Target?](repeating: nil, count: 128)
    for code in MarkerLabel.alphabet { cells[Int(code)] = draw(code) }
    self.cells = cells
  }

  func paint(_ label: MarkerLabel, _ clip: PixelRect, _ target: Target) {
    prepare()
    characters.removeAll(keepingCapacity: true)
    label.forEachCharacter { characters.append($0) }
    let room = PixelRect(covering: displayFromWindow.bounding(label.rect.outset(by: 1)), sliver: Shape.snap)
    let clip = clip.intersection(room)
    guard !clip.isEmpty else { return }
    if boxes[characters.count] == nil { boxes[characters.count] = drawBox(label.rect.size) }
    if let box = boxes[characters.count] {
      compositor.paint(box, at: displayFromWindow.map(label.rect.origin), clip: clip, on: target)
    }
    var place = label.rect.origin
    place.x += MarkerLabel.padding
    for code in characters {
      if let cell = cells?[Int(code)] {
        compositor.paint(cell, at: displayFromWindow.map(place), clip: clip, on: target)
      }
      place.x += MarkerLabel.cellWidth
    }
  }

  /// The canvas' scale and turn, without its place.
  private var matrix: AffineTransform {
    var matrix = displayFromWindow
    (matrix.tx, matrix.ty) = (0, 0)
    return matrix
  }

  private func emptyPicture(of size: Size) -> Target? {
    let extent: Rect<DisplaySpace> = matrix.bounding(LocalRect(origin: .zero, size: size))
    let area = PixelRect(covering: extent, sliver: 0)
    guard let surface = try? Surface(width: area.width, height: area.height) else { return nil }
    return Target(surface: surface, originX: area.minX, originY: area.minY)
  }

  private func draw(_ code: UInt8) -> Target? {
    let bounds = LocalRect(x: 0, y: 0, width: MarkerLabel.cellWidth, height: MarkerLabel.height)
    guard let picture = emptyPicture(of: bounds.size) else { return nil }
    var style = TextStyle(alignment: .center)
    style.size = Self.fontSize
    style.color = Self.source
    let found = texts.paint(
      String(UnicodeScalar(code)), style: style, bounds: bounds, padding: 0, displayFromLocal: matrix,
      clip: picture.area, opacity: 255, on: picture)
    if !found { notices.sayNoText(family: style.family) }
    return found ? picture : nil
  }

  private func drawBox(_ size: Size) -> Target? {
    let radius = MarkerLabel.height / 2
    guard
      let picture = emptyPicture(of: size),
      let shape = Shape(
        LocalRect(origin: .zero, size: size), radiusX: radius, radiusY: radius, displayFromLocal: matrix)
    else { return nil }
    compositor.fill(shape, with: .color(Self.box.premultiplied()), clip: picture.area, on: picture)
    return picture
  }
}
