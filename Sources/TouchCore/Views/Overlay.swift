/// How touches are shown on top of the tree.
public struct HighlightStyle: Hashable, Sendable {
  public enum Shape: String, CaseIterable, Sendable { case outline, fill, none }

  public var shape = Shape.outline
  public var color = Color(red: 0x00, green: 0xd0, blue: 0xff)
  /// The outline's width in window units; it lies inside the view's bounds.
  public var width = 4.0
  /// Whether a marker is drawn under each finger.
  public var showsTouches = true

  public init() {}
}

/// What is drawn over the tree: the hit views, the fingers, the pointer. It is derived from the touches that are
/// down, so nothing of it can be left behind.
public struct Overlay {
  /// Radius of a finger's marker, in window units.
  public static let markerRadius = 22.0
  /// Width and height of the pointer's picture, whose hot spot is its top-left corner, in window units.
  public static let cursorSize = Size(width: 16, height: 24)

  /// A line around a view, in a colour of its own; for explanations.
  public struct Outline {
    public var view: View
    public var color: Color

    public init(view: View, color: Color) {
      self.view = view
      self.color = color
    }
  }

  public var style: HighlightStyle
  /// Drawn first, in this order, as wide as the style says.
  public private(set) var outlines: [Outline] = []
  /// The hit views of the touches that are down, each once.
  public private(set) var views: [View] = []
  /// Where the fingers are, in window space.
  public private(set) var markers: [WindowPoint] = []
  /// The pointer's hot spot in window space, or nil while there is none to show.
  public private(set) var cursor: WindowPoint?

  /// Something that was drawn, and where. Two views may lie in one place and look different.
  private struct Item: Equatable {
    var view: ObjectIdentifier?
    var rect: WindowRect
  }

  /// What was drawn when the overlay was last brought up to date.
  private var drawn: [Item] = []
  private var nextDrawn: [Item] = []

  public init(style: HighlightStyle = HighlightStyle()) {
    self.style = style
  }

  /// An overlay that is drawn once, whatever the touches are.
  ///
  /// - Parameter markers: in window space.
  public init(style: HighlightStyle, outlines: [Outline], markers: [WindowPoint]) {
    self.style = style
    self.outlines = outlines
    self.markers = markers
  }

  /// Brings the overlay up to date and adds what has to be drawn again: every rectangle that appeared, went
  /// or moved, and nothing else.
  ///
  /// - Parameters:
  ///   - touches: the touches that are down.
  ///   - cursor: the pointer's hot spot in window space.
  public mutating func update(touches: [Touch], cursor: WindowPoint?, into damage: inout Damage) {
    views.removeAll(keepingCapacity: true)
    markers.removeAll(keepingCapacity: true)
    self.cursor = cursor
    for touch in touches {
      if style.showsTouches { markers.append(touch.location) }
      guard style.shape != .none, touch.chain != nil, !touch.isTaken, let view = touch.view,
        view.window != nil
      else {
        continue
      }
      if !views.contains(where: { $0 === view }) { views.append(view) }
    }
    nextDrawn.removeAll(keepingCapacity: true)
    for view in views {
      nextDrawn.append(Item(view: ObjectIdentifier(view), rect: view.windowFrame.outset(by: 1)))
    }
    for marker in markers { nextDrawn.append(Item(rect: Self.markerRect(at: marker))) }
    if let cursor { nextDrawn.append(Item(rect: Self.cursorRect(at: cursor))) }
    for item in drawn where !nextDrawn.contains(item) { damage.add(item.rect) }
    for item in nextDrawn where !drawn.contains(item) { damage.add(item.rect) }
    swap(&drawn, &nextDrawn)
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
