import TouchCore

/// Pixels in a rectangle that a renderer paints: a display, or memory. A picture is `begin`, then `compose`
/// for each rectangle that has changed, then `present`.
package protocol Screen: AnyObject {
  var width: Int { get }

  var height: Int { get }

  /// The whole picture; nil if it is not kept.
  var picture: Surface? { get }

  /// Whether size and format are still those for which the renderer was made. It is asked after painting,
  /// once a second at most. If it is false, nothing more is painted.
  var isCurrent: Bool { get }

  /// Whether composed pixels are visible without `present()`. It decides which moment counts as the display
  /// of a touch.
  var showsAtOnce: Bool { get }

  /// Begins a picture. A screen that shows one page while another is painted adds what has changed since that
  /// other page was painted.
  func begin(_ damage: inout Damage)

  /// Calls `paint` for pixels, which are visible after `present()` at the latest.
  /// - Parameter paint: paints all pixels of a part of `rect`, opaquely, and no others. It is called for
  ///   each part; the target may differ each time. If one opaque pixel fills all of the part, it returns that
  ///   and paints nothing.
  func compose(_ rect: PixelRect, _ paint: (_ target: Target, _ part: PixelRect) -> UInt32?)

  /// Shows the pixels that were composed since `begin`.
  /// - Returns: false if that failed and everything has to be composed again, once.
  func present() -> Bool

  /// Reduces a picture of the whole screen to the colours that it can show.
  func reduce(_ picture: Surface)
}

// The defaults for memory, and for a display whose memory is visible.
extension Screen {
  package var isCurrent: Bool { true }
  package var showsAtOnce: Bool { true }
  package func begin(_ damage: inout Damage) {}
  package func present() -> Bool { true }
  package func reduce(_ picture: Surface) {}

  package var size: Size { Size(width: Double(width), height: Double(height)) }

  package var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

extension Surface: Screen {
  package var picture: Surface? { self }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    Target(surface: self).paint(rect.intersection(bounds), by: paint)
  }
}
