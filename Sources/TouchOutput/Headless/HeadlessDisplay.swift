import TouchCore
import TouchPixels

extension DisplayKind {
  /// Displays in memory: `headless`, as large as the canvas, and `headless:800x480`.
  static let headless = DisplayKind(example: "headless:800x480") { name throws(DisplayError) in
    if name == "headless" { return DisplayName.headless().display }
    guard name.hasPrefix("headless:") else { return nil }
    return DisplayName.headless(try Size(pixels: String(name.dropFirst("headless:".count)))).display
  }
}

extension DisplayName {
  /// Returns the name of a display in memory, with a size in pixels or that of the canvas.
  package static func headless(_ size: Size? = nil) -> DisplayName {
    guard let size else {
      return DisplayName(
        "headless", of: .headless,
        DisplayKind.Named { canvas throws(DisplayError) in try HeadlessDisplay(for: canvas) })
    }
    return DisplayName(
      "headless:\(size.width.plain)x\(size.height.plain)", of: .headless,
      DisplayKind.Named { _ throws(DisplayError) in try HeadlessDisplay(size) })
  }
}

/// A display in memory, for tests, for pictures, and for machines without a screen.
package final class HeadlessDisplay: Display {
  package let surface: Surface
  private let isAsLargeAsCanvas: Bool

  package var onEvent: (DisplayEvent) -> Void = { _ in }

  /// Makes a display with a size in whole pixels.
  package init(_ size: Size) throws(DisplayError) {
    surface = try Surface(width: Int(size.width.rounded(.up)), height: Int(size.height.rounded(.up)))
    isAsLargeAsCanvas = false
  }

  /// Makes a display as large as a canvas, in its rotation. The error names the file if that is too large.
  package init(for canvas: CanvasLayout) throws(DisplayError) {
    surface = try Self.surface(of: canvas.naturalDisplaySize, file: canvas.file)
    isAsLargeAsCanvas = true
  }

  /// Makes memory for a picture with a size in whole pixels. The error names the file that needs it.
  package static func surface(of size: Size, file: String) throws(DisplayError) -> Surface {
    let (width, height) = (size.width.rounded(.up), size.height.rounded(.up))
    guard max(width, height) <= Double(Surface.largestSide) else {
      throw DisplayError(
        .tooLarge, path: file,
        detail: "its views need \(width.plain)x\(height.plain) pixels, and no side can have more than "
          + "\(Surface.largestSide); name a canvas (display: {canvas: {size: [800, 480]}}), or a size on the "
          + "command line")
    }
    return try Surface(width: Int(width), height: Int(height))
  }

  package var width: Int { surface.width }
  package var height: Int { surface.height }
  package var picture: Surface? { surface }
  package var name: String { "headless \(width)x\(height)" }
  package var isWatched: Bool { false }

  package func fitted(to canvas: CanvasLayout) throws(DisplayError) -> any Display {
    isAsLargeAsCanvas ? try HeadlessDisplay(for: canvas) : self
  }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    surface.compose(rect, paint)
  }
}

extension Size {
  /// The largest side of a display in memory, in pixels. A picture of that size takes 256 MiB.
  package static let longestPixelSide = 8_192

  /// Reads a size in pixels, such as `800x480`, or throws an error of kind `badName`.
  package init(pixels text: String) throws(DisplayError) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
      throw DisplayError(
        .badName, path: text,
        detail: "a size is its width, an x and its height in pixels, such as 800x480")
    }
    guard (1...Self.longestPixelSide).contains(width), (1...Self.longestPixelSide).contains(height) else {
      throw DisplayError(
        .badName, path: text, detail: "each side of a size has 1 to \(Self.longestPixelSide) pixels")
    }
    self.init(width: Double(width), height: Double(height))
  }
}
