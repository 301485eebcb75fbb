import TouchCore

/// What is written beside a finger: the touch's number, its place, or both. It is taken apart into characters
/// without any string, since it changes with every move.
public struct MarkerLabel: Hashable, Sendable {
  /// The touch's number, or nil.
  public let id: Int?
  /// The finger's place in whole window units, or nil.
  public let place: Place?
  /// The label's box, in window space.
  public private(set) var rect: WindowRect

  /// A place in window space, rounded to whole units.
  public struct Place: Hashable, Sendable {
    public var x: Int
    public var y: Int
  }

  /// Each character stands in a cell of this width, in window units.
  public static let cellWidth = 9.0
  /// Of the box, in window units.
  public static let height = 20.0
  /// Left and right of the text, in window units.
  public static let padding = 7.0
  /// Everything that a label can hold.
  public static let alphabet = Array("0123456789-, ".utf8)

  private static let gap = 6.0
  /// No label says more than this of a place that is far outside.
  private static let farthest = 99_999.0

  /// - Parameters:
  ///   - marker: whose place is finite.
  ///   - canvas: in window space; the box stays inside as far as it goes.
  init(_ marker: Highlights.Marker, style: HighlightStyle.Touches, canvas: WindowRect) {
    id = style.showsID ? marker.id : nil
    func whole(_ number: Double) -> Int {
      Int(max(-Self.farthest, min(Self.farthest, number)).rounded(.down))
    }
    place =
      style.showsCoordinates ? Place(x: whole(marker.location.x), y: whole(marker.location.y)) : nil
    rect = .zero
    var count = 0
    forEachCharacter { _ in count += 1 }
    let width = 2 * Self.padding + Double(count) * Self.cellWidth
    // Above the finger, which hides what is below; below where there is no room above.
    let distance = Highlights.markerRadius + Self.gap
    let above = marker.location.y - distance - Self.height
    let y = above >= canvas.minY ? above : marker.location.y + distance
    let x = max(canvas.minX, min(marker.location.x - width / 2, canvas.maxX - width))
    rect = WindowRect(x: x, y: y, width: width, height: Self.height)
  }

  /// The text, as characters of the alphabet: "3 412,96".
  public func forEachCharacter(_ body: (UInt8) -> Void) {
    if let id { Self.digits(of: id, body) }
    guard let place else { return }
    if id != nil { body(UInt8(ascii: " ")) }
    Self.digits(of: place.x, body)
    body(UInt8(ascii: ","))
    Self.digits(of: place.y, body)
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
