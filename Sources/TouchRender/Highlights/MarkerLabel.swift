import TouchCore
import TouchPixels
import TouchViews

/// The label next to a finger, its number or position, made without a string for every move.
package struct MarkerLabel: Hashable, Sendable {
  /// The touch's number, or nil.
  package let id: Int?
  /// The finger's position in whole window units, or nil.
  package let position: Position?
  package private(set) var rect: WindowRect

  /// A position in window space, rounded down to whole units.
  package struct Position: Hashable, Sendable {
    package var x, y: Int
  }

  /// The width of the cell of each character, in window units.
  package static let cellWidth = 9.0
  /// The height of the box, in window units.
  package static let height = 20.0
  /// The space on the left and the right of the text, in window units.
  package static let padding = 7.0
  package static let alphabet = Array("0123456789-, ".utf8)

  private static let gap = 6.0
  private static let farthest = 99_999.0

  /// Labels a finite marker, inside the canvas as far as possible.
  init(_ marker: Highlights.Marker, style: HighlightStyle.Touches, canvas: WindowRect) {
    id = style.showsID ? marker.id : nil
    func whole(_ number: Double) -> Int {
      Int(max(-Self.farthest, min(Self.farthest, number)).rounded(.down))
    }
    position =
      style.showsCoordinates ? Position(x: whole(marker.location.x), y: whole(marker.location.y)) : nil
    rect = .zero
    var count = 0
    forEachCharacter { _ in count += 1 }
    let width = 2 * Self.padding + Double(count) * Self.cellWidth
    // The label is above the finger, which hides what is below; below it if there is no room above.
    let distance = Highlights.markerRadius + Self.gap
    let above = marker.location.y - distance - Self.height
    let y = above >= canvas.minY ? above : marker.location.y + distance
    let x = max(canvas.minX, min(marker.location.x - width / 2, canvas.maxX - width))
    rect = WindowRect(x: x, y: y, width: width, height: Self.height)
  }

  /// Calls `body` for each character of the text, such as "3 412,96".
  package func forEachCharacter(_ body: (UInt8) -> Void) {
    if let id { Self.digits(of: id, body) }
    guard let position else { return }
    if id != nil { body(UInt8(ascii: " ")) }
    Self.digits(of: position.x, body)
    body(UInt8(ascii: ","))
    Self.digits(of: position.y, body)
  }

  private static func digits(of number: Int, _ body: (UInt8) -> Void) {
    if number < 0 { body(UInt8(ascii: "-")) }
    let magnitude = number.magnitude
    var power: UInt = 1
    while magnitude / power >= 10 { power *= 10 }
    while power > 0 {
      body(UInt8(ascii: "0") + UInt8(magnitude / power % 10))
      power /= 10
    }
  }
}

/// Paints the labels next to fingers. Each character is drawn once, so moves need no shaping or memory.
final class LabelPainter {
  private let compositor: Compositor
  private let texts: TextPainter
  private let notices: PaintNoticeLog
  private let displayFromWindow: AffineTransform
  /// The characters' pictures for a cell at display point (0, 0), by ASCII code; nil before the first label.
  private var cells: [Target?]?
  private var boxes: [Int: Target] = [:]
  private var characters: [UInt8] = []

  private static let box = Color(red: 0x0a, green: 0x0f, blue: 0x14, alpha: 0xd8)
  private static let textColor = Color(red: 0xff, green: 0xff, blue: 0xff)
  /// The size of the characters, in window units.
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

  /// Draws the characters, so that the first finger does not wait for a font.
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
    let room = PixelRect(
      covering: displayFromWindow.bounding(label.rect.outset(by: 1)), sliver: RoundedRect.snap)
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

  /// The canvas's scale and rotation, without its position.
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
    style.color = Self.textColor
    let found = texts.paint(
      String(UnicodeScalar(code)), style: style, bounds: bounds, padding: .zero, displayFromLocal: matrix,
      clip: picture.area, opacity: 255, on: picture)
    if !found { notices.logNoText(family: style.family) }
    return found ? picture : nil
  }

  private func drawBox(_ size: Size) -> Target? {
    let radius = MarkerLabel.height / 2
    guard let picture = emptyPicture(of: size),
      let shape = RoundedRect(
        LocalRect(origin: .zero, size: size), radiusX: radius, radiusY: radius, displayFromLocal: matrix)
    else { return nil }
    compositor.fill(shape, with: .color(Self.box.premultiplied()), clip: picture.area, on: picture)
    return picture
  }
}
