import TouchCore
import TouchViews

/// The highlights over the tree, derived from the touches that are down or fade, so that nothing is left
/// over. A class: copying took as long as painting a button's rows.
package final class Highlights {
  /// The radius of a finger's marker, in window units.
  package static let markerRadius = 22.0
  /// The size of the pointer's picture, in window units. The hot spot is its top-left corner.
  package static let cursorSize = Size(width: 16, height: 24)

  package struct Marker: Hashable, Sendable {
    package var id: Int
    package var location: WindowPoint

    package init(id: Int, location: WindowPoint) { (self.id, self.location) = (id, location) }
  }

  package let style: HighlightStyle
  package private(set) var views: ViewHighlights
  /// The markers, one for each finger that is down, in the order of their touches.
  package private(set) var markers: [Marker] = []
  package private(set) var trails = Trails()
  /// The pointer's hot spot in window space, or nil if it is hidden.
  package private(set) var cursor: WindowPoint?

  /// The visible part of the window, in window space. Labels stay inside it.
  private let canvas: WindowRect

  /// A highlight that was drawn, and its place. Two views may have the same place and look different.
  private struct Item: Equatable {
    var view: ObjectIdentifier?
    /// The mark's opacity, from 0 to 255, and its kind.
    var level: UInt8 = 0
    var isPath = false
    /// The mark's geometry. A view can turn or change its corners and still fill the same rectangle.
    var bounds = LocalRect.zero
    var cornerRadius = 0.0
    var windowFromLocal = AffineTransform.identity
    var rect: WindowRect

    init(rect: WindowRect) { self.rect = rect }

    init(_ highlight: ViewHighlights.Highlight, reach: Double) {
      let view = highlight.view
      self.view = ObjectIdentifier(view)
      (level, isPath) = (highlight.level, highlight.isPath)
      (bounds, cornerRadius) = (view.boundsInSight, view.appearance.cornerRadius)
      windowFromLocal = view.windowFromLocal
      rect = windowFromLocal.bounding(bounds).outset(by: reach)
    }
  }

  private var drawn: [Item] = []
  private var nextDrawn: [Item] = []

  /// - Parameter canvas: the visible part of the window, in window space.
  package init(style: HighlightStyle = HighlightStyle(), canvas: WindowRect = Highlights.everywhere) {
    (self.style, self.canvas) = (style, canvas)
    views = ViewHighlights(style: style)
  }

  /// A rectangle larger than any canvas.
  package static var everywhere: WindowRect { WindowRect(x: -1e9, y: -1e9, width: 2e9, height: 2e9) }

  /// Whether a highlight is fading, so that `update` has to be called again soon.
  package var isFading: Bool { views.areFading || trails.areFading }

  /// Updates the highlights by the touches that are down, the pointer's hot spot in window space and a time
  /// that is not earlier, and adds what changed to the damage.
  package func update(
    touches: [Touch], cursor: WindowPoint?, at time: Timestamp, into damage: inout Damage
  ) {
    self.cursor = cursor
    markers.clear()
    if style.touches.showsMarker || style.touches.showsLabel {
      for touch in touches where touch.location.isFinite && touch.type == .direct {
        markers.append(Marker(id: touch.id, location: touch.location))
      }
    }
    views.update(touches: touches, at: time)
    if style.touches.trail > 0 {
      trails.update(touches: touches, length: style.touches.trail, at: time, into: &damage)
    }
    damageChanges(into: &damage)
  }

  /// Removes everything that fades, for a picture without a later update.
  package func settle(into damage: inout Damage) {
    views.settle()
    trails.removeAll(into: &damage)
    damageChanges(into: &damage)
  }

  private func damageChanges(into damage: inout Damage) {
    nextDrawn.clear()
    // A loop over the array itself would retain it, and each of its views.
    for index in views.highlights.indices {
      let highlight = views.highlights[index]
      // A mark inside the view damages the view alone. A glow's last step is slightly wider than its reach.
      let reach = style.mark(isPath: highlight.isPath).reach
      nextDrawn.append(Item(highlight, reach: reach > 0 ? reach + 1 : 0))
    }
    for marker in markers {
      if style.touches.showsMarker { nextDrawn.append(Item(rect: Self.markerRect(at: marker.location))) }
      if let label = label(of: marker) { nextDrawn.append(Item(rect: label.rect.outset(by: 1))) }
    }
    if let cursor { nextDrawn.append(Item(rect: Self.cursorRect(at: cursor))) }
    for index in drawn.indices where !nextDrawn.contains(drawn[index]) { damage.add(drawn[index].rect) }
    for index in nextDrawn.indices where !drawn.contains(nextDrawn[index]) {
      damage.add(nextDrawn[index].rect)
    }
    swap(&drawn, &nextDrawn)
  }

  /// Whether one view is marked, and nothing else is drawn.
  var isOneMark: Bool {
    views.highlights.count == 1 && markers.isEmpty && cursor == nil && trails.trails.isEmpty
  }

  /// Whether nothing is drawn over the tree.
  var areNone: Bool { views.highlights.isEmpty && markers.isEmpty && cursor == nil && trails.trails.isEmpty }

  func color(ofMark index: Int) -> Color { style.mark(isPath: views.highlights[index].isPath).color }

  /// Returns the label next to a finger; nil if it has none.
  package func label(of marker: Marker) -> MarkerLabel? {
    guard style.touches.showsLabel, marker.location.isFinite else { return nil }
    return MarkerLabel(marker, style: style.touches, canvas: canvas)
  }

  package static func markerRect(at point: WindowPoint) -> WindowRect {
    WindowRect(origin: point, size: .zero).outset(by: markerRadius + 2)
  }

  package static func cursorRect(at point: WindowPoint) -> WindowRect {
    WindowRect(origin: point, size: cursorSize).outset(by: 2)
  }
}

extension HighlightStyle {
  package func mark(isPath: Bool) -> Mark { isPath ? path : view }
}

/// The marks on hit views and the others of their chains. After a view's last finger, its mark fades.
package struct ViewHighlights {
  package struct Highlight {
    package let view: View
    /// Whether the view is only on the chain, and not hit.
    package internal(set) var isPath: Bool
    /// The mark's opacity: 255 while a finger is on the view, then decreasing.
    package internal(set) var level: UInt8 = 255
    var isHeld = true
    var fading: Motion?
  }

  /// The marks in the order of their touches. A view comes before the views that contain it.
  package private(set) var highlights: [Highlight] = []
  private let style: HighlightStyle
  private let (marksViews, marksPaths): (Bool, Bool)

  /// The most views of a chain that are marked. More frames could not be distinguished.
  private static let longestPath = 64

  init(style: HighlightStyle) {
    self.style = style
    (marksViews, marksPaths) = (style.view.shape != .none, style.path.shape != .none)
  }

  package var areFading: Bool { highlights.contains { $0.fading != nil } }

  mutating func update(touches: [Touch], at time: Timestamp) {
    for index in highlights.indices { highlights[index].isHeld = false }
    if marksViews {
      for touch in touches {
        if touch.chain != nil, !touch.isTaken, let view = touch.view { hold(view, isPath: false) }
      }
    }
    if marksPaths { for touch in touches { holdPath(of: touch) } }
    // A touched view is in the window, because leaving it cancels the touch.
    guard highlights.contains(where: { !$0.isHeld || $0.isPath }) else { return }
    highlights.removeAll { $0.view.window == nil }
    fade(at: time)
  }

  mutating func settle() { highlights.removeAll { !$0.isHeld } }

  private mutating func holdPath(of touch: Touch) {
    guard !touch.isTaken, let chain = touch.chain else { return }
    for responder in chain.responders.prefix(Self.longestPath) {
      guard let view = responder as? View, view !== touch.view else { continue }
      hold(view, isPath: true)
    }
  }

  /// Marks a view. The mark of a hit view replaces that of a view on the chain.
  private mutating func hold(_ view: View, isPath: Bool) {
    guard let index = highlights.firstIndex(where: { $0.view === view }) else {
      highlights.append(Highlight(view: view, isPath: isPath))
      return
    }
    if !(highlights[index].isHeld && isPath) { highlights[index].isPath = isPath }
    highlights[index].isHeld = true
    highlights[index].level = 255
    highlights[index].fading = nil
  }

  private mutating func fade(at time: Timestamp) {
    for index in highlights.indices where !highlights[index].isHeld {
      let fadeTime = style.mark(isPath: highlights[index].isPath).fadeTime
      let fading = highlights[index].fading ?? Motion(Timing(fadeTime, curve: .linear), start: time)
      highlights[index].fading = fading
      highlights[index].level = UInt8((1 - fading.fraction(at: time)) * 255)
    }
    if highlights.contains(where: { $0.level == 0 }) { highlights.removeAll { $0.level == 0 } }
  }
}
