import TouchCore

/// What is drawn over the tree: the touched views, the fingers, the pointer. It follows from the touches that are
/// down, and from those that just were and fade, so nothing of it can be left behind.
public struct Highlights {
  /// Radius of a finger's marker, in window units.
  public static let markerRadius = 22.0
  /// Width and height of the pointer's picture, whose hot spot is its top-left corner, in window units.
  public static let cursorSize = Size(width: 16, height: 24)

  /// A finger that is down.
  public struct Marker: Hashable, Sendable {
    /// The touch's.
    public var id: Int
    /// In window space.
    public var location: WindowPoint

    /// The id is the touch's; the location is in window space.
    public init(id: Int, location: WindowPoint) {
      self.id = id
      self.location = location
    }
  }

  public let style: HighlightStyle
  /// The views that are marked.
  public private(set) var lights: ViewHighlights
  /// One for each finger that is down, in the order in which they came.
  public private(set) var markers: [Marker] = []
  /// The lines behind the fingers.
  public private(set) var trails = Trails()
  /// The pointer's hot spot in window space, or nil while there is none to show.
  public private(set) var cursor: WindowPoint?

  /// Labels stay inside.
  private let canvas: WindowRect

  /// Something that was drawn, and where. Two views may lie in one place and look different.
  private struct Item: Equatable {
    var view: ObjectIdentifier?
    /// How strong the mark is, 0 … 255, and which one.
    var level: UInt8 = 0
    var isPath = false
    /// What the mark follows: a view can turn or get other corners and still fill the same rectangle.
    var bounds = LocalRect.zero
    var cornerRadius = 0.0
    var windowFromLocal = AffineTransform.identity
    var rect: WindowRect

    init(rect: WindowRect) { self.rect = rect }

    init(_ light: ViewHighlights.Highlight, reach: Double) {
      let view = light.view
      self.view = ObjectIdentifier(view)
      (level, isPath) = (light.level, light.isPath)
      (bounds, cornerRadius) = (view.bounds, view.appearance.cornerRadius)
      windowFromLocal = view.windowFromLocal
      rect = windowFromLocal.bounding(bounds).outset(by: reach)
    }
  }

  /// What was drawn when the overlay was last brought up to date.
  private var drawn: [Item] = []
  private var nextDrawn: [Item] = []

  /// - Parameter canvas: what the display shows, in window space.
  public init(style: HighlightStyle = HighlightStyle(), canvas: WindowRect = Self.everywhere) {
    self.style = style
    self.canvas = canvas
    lights = ViewHighlights(style: style)
  }

  /// Far more than any display shows.
  public static var everywhere: WindowRect { WindowRect(x: -1e9, y: -1e9, width: 2e9, height: 2e9) }

  /// Whether something changes with time alone, so that `update` has to be called again soon.
  public var isFading: Bool { lights.areFading || trails.areFading }

  /// Brings the overlay up to date and adds what has to be drawn again: every rectangle that appeared, went,
  /// faded or moved, and nothing else.
  ///
  /// - Parameters:
  ///   - touches: the touches that are down.
  ///   - cursor: the pointer's hot spot in window space.
  ///   - time: never before that of the last update.
  public mutating func update(
    touches: [Touch], cursor: WindowPoint?, at time: Timestamp, into damage: inout Damage
  ) {
    self.cursor = cursor
    markers.removeAll(keepingCapacity: true)
    if style.touches.showsMarker || style.touches.showsLabel {
      for touch in touches where touch.location.isFinite {
        markers.append(Marker(id: touch.id, location: touch.location))
      }
    }
    lights.update(touches: touches, at: time)
    if style.touches.trail > 0 {
      trails.update(touches: touches, length: style.touches.trail, at: time, into: &damage)
    }
    damageChanges(into: &damage)
  }

  /// Forgets everything that fades: nobody will draw it again.
  public mutating func settle(into damage: inout Damage) {
    lights.settle()
    trails.removeAll(into: &damage)
    damageChanges(into: &damage)
  }

  private mutating func damageChanges(into damage: inout Damage) {
    nextDrawn.removeAll(keepingCapacity: true)
    for light in lights.lights {
      // What lies within the view needs no more than the view. A glow's last step is a shade wider than it says.
      let reach = style.mark(isPath: light.isPath).reach
      nextDrawn.append(Item(light, reach: reach > 0 ? reach + 1 : 0))
    }
    for marker in markers {
      if style.touches.showsMarker { nextDrawn.append(Item(rect: Self.markerRect(at: marker.location))) }
      if let label = label(of: marker) { nextDrawn.append(Item(rect: label.rect.outset(by: 1))) }
    }
    if let cursor { nextDrawn.append(Item(rect: Self.cursorRect(at: cursor))) }
    for item in drawn where !nextDrawn.contains(item) { damage.add(item.rect) }
    for item in nextDrawn where !drawn.contains(item) { damage.add(item.rect) }
    swap(&drawn, &nextDrawn)
  }

  /// What is written beside a finger, or nil.
  public func label(of marker: Marker) -> MarkerLabel? {
    guard style.touches.showsLabel, marker.location.isFinite else { return nil }
    return MarkerLabel(marker, style: style.touches, canvas: canvas)
  }

  /// Where a marker may paint, in window space.
  public static func markerRect(at point: WindowPoint) -> WindowRect {
    WindowRect(origin: point, size: .zero).outset(by: markerRadius + 2)
  }

  /// Where the pointer may paint, in window space.
  public static func cursorRect(at point: WindowPoint) -> WindowRect {
    WindowRect(origin: point, size: cursorSize).outset(by: 2)
  }
}

extension HighlightStyle {
  /// The mark on the hit view, or that on the others of its chain.
  public func mark(isPath: Bool) -> Mark { isPath ? path : view }
}
