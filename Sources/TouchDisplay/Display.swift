import TouchCore

/// Where pixels go. The painter composes in the surface; `present` shows what it changed.
public protocol Display: AnyObject {
  /// The picture as it is composed, in physical pixels.
  var surface: Surface { get }

  /// Shows pixels of the surface. Rectangles may overlap and may reach beyond the surface.
  func present(_ rects: [PixelRect])
}

extension Display {
  /// In physical pixels.
  public var size: Size { Size(width: Double(surface.width), height: Double(surface.height)) }
}

/// A display that is only memory: for tests, for pictures, and for machines that have no screen.
public final class HeadlessDisplay: Display {
  public let surface: Surface

  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: `DisplayError` when no surface of that size can be made.
  public init(width: Int, height: Int) throws(DisplayError) {
    surface = try Surface(width: width, height: height)
  }

  public func present(_ rects: [PixelRect]) {}
}
