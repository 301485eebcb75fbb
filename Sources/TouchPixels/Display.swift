import TouchCore

/// Where pixels go.
package protocol Display: AnyObject {
  /// In physical pixels.
  var width: Int { get }
  /// In physical pixels.
  var height: Int { get }
  /// The whole picture, on a display that keeps it.
  var picture: Surface? { get }
  /// Whether it still is what it was when it was opened. One that is not must be opened anew.
  var isCurrent: Bool { get }

  /// A picture is going to be composed: adds what the memory that it goes into lacks besides.
  func begin(_ damage: inout Damage)

  /// Shows what was composed since `begin`.
  ///
  /// - Returns: false when that went wrong, and everything has to be composed again.
  func present() -> Bool

  /// Has pixels painted, and shows them, at `present()` at the latest.
  ///
  /// - Parameters:
  ///   - rect: on the display.
  ///   - paint: paints all pixels of a part of `rect`, opaquely, and no others. It is called for one part after
  ///     the other; the target may be a different one each time.
  func compose(_ rect: PixelRect, _ paint: (_ target: Target, _ part: PixelRect) -> Void)

  /// Leaves of a picture of the whole display what is seen of it there, where pixels have fewer colours.
  func reduce(_ picture: Surface)
}

extension Display {
  /// Most displays stay what they are.
  package var isCurrent: Bool { true }

  /// Nothing is missing where there is one picture only.
  package func begin(_ damage: inout Damage) {}

  /// Pixels that were composed can be seen already.
  package func present() -> Bool { true }

  /// Most displays show every colour.
  package func reduce(_ picture: Surface) {}

  /// In physical pixels.
  package var size: Size { Size(width: Double(width), height: Double(height)) }

  /// All of it, in physical pixels.
  package var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

/// What painting goes into: a surface, and the display pixel that its first pixel stands for.
package struct Target {
  /// What is painted into.
  package let surface: Surface
  /// The column of the display that the surface's first one is.
  package let originX: Int
  /// The row of the display that the surface's first one is.
  package let originY: Int

  /// The origin is in display pixels.
  package init(surface: Surface, originX: Int = 0, originY: Int = 0) {
    self.surface = surface
    self.originX = originX
    self.originY = originY
  }

  /// The surface's place on the display.
  package var area: PixelRect {
    PixelRect(x: originX, y: originY, width: surface.width, height: surface.height)
  }
}

/// A display that is only memory: for tests, for pictures, and for machines that have no screen.
package final class HeadlessDisplay: Display {
  /// All of the picture.
  package let surface: Surface

  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: `DisplayError` when no surface of that size can be made.
  package init(width: Int, height: Int) throws(DisplayError) {
    surface = try Surface(width: width, height: height)
  }

  package var width: Int { surface.width }
  package var height: Int { surface.height }
  package var picture: Surface? { surface }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> Void) {
    paint(Target(surface: surface), rect.intersection(bounds))
  }
}
