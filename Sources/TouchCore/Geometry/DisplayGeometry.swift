/// The place of the canvas on the display. Output and input both get their scale and rotation from it.
package struct DisplayGeometry: Hashable, Sendable {
  /// A clockwise turn of the picture.
  package enum Rotation: Int, CaseIterable, Sendable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270
  }

  /// The way in which a canvas is fitted onto a display of another size.
  package enum Scale: String, CaseIterable, Sendable {
    /// The largest size that fits completely, centred, with bars at two sides.
    case fit
    /// The smallest size that covers the display, centred; the excess is cut off.
    case fill
    /// Each axis is scaled to fit; the aspect ratio changes.
    case stretch
    /// One unit is one pixel, centred.
    case none
    /// The same as `fit`, but the canvas takes the place of the bars, for displays of any shape.
    case extend
  }

  /// The size of the display, in physical pixels.
  package let displaySize: Size
  /// The size of the canvas, in window units.
  package let canvasSize: Size
  package let rotation: Rotation
  package let displayFromWindow: AffineTransform
  package let windowFromDisplay: AffineTransform

  /// - Parameter displaySize: in physical pixels, both positive.
  /// - Parameter canvasSize: in window units, both positive; nil for the display's own pixels, as seen
  ///   after rotation. `extend` makes one of them larger.
  package init(
    displaySize: Size, canvasSize: Size? = nil, scale: Scale = .fit, rotation: Rotation = .none
  ) {
    let seen =
      rotation == .none || rotation == .half
      ? displaySize : Size(width: displaySize.height, height: displaySize.width)
    var canvas = canvasSize ?? seen
    if scale == .extend {
      let factor = min(seen.width / canvas.width, seen.height / canvas.height)
      canvas = Size(width: seen.width / factor, height: seen.height / factor)
    }
    let fitted = Self.seenFromCanvas(canvas: canvas, seen: seen, scale: scale)
    self.displaySize = displaySize
    self.canvasSize = canvas
    self.rotation = rotation
    displayFromWindow = fitted.then(Self.displayFromSeen(seen, rotation: rotation))
    windowFromDisplay = displayFromWindow.inverse ?? .identity
  }

  /// The whole display in window space; larger than the canvas where `fit` leaves bars.
  package var displayBoundsInWindow: WindowRect {
    windowFromDisplay.bounding(Rect<DisplaySpace>(origin: .zero, size: displaySize))
  }

  /// The pixels of a window unit, along each of the window's axes.
  package var pixelsPerUnit: Size {
    func length(_ x: Double, _ y: Double) -> Double { Vector<DisplaySpace>(x: x, y: y).length }
    return Size(
      width: length(displayFromWindow.a, displayFromWindow.b),
      height: length(displayFromWindow.c, displayFromWindow.d))
  }

  package var canvasBounds: WindowRect { Rect(origin: .zero, size: canvasSize) }

  private static func seenFromCanvas(canvas: Size, seen: Size, scale: Scale) -> AffineTransform {
    let x = seen.width / canvas.width
    let y = seen.height / canvas.height
    let factors: (x: Double, y: Double) =
      switch scale {
      case .fit, .extend: (min(x, y), min(x, y))
      case .fill: (max(x, y), max(x, y))
      case .stretch: (x, y)
      case .none: (1, 1)
      }
    // Bars of whole pixels keep the canvas' edges sharp.
    return AffineTransform(
      a: factors.x, b: 0, c: 0, d: factors.y,
      tx: ((seen.width - canvas.width * factors.x) / 2).rounded(.down),
      ty: ((seen.height - canvas.height * factors.y) / 2).rounded(.down))
  }

  private static func displayFromSeen(_ seen: Size, rotation: Rotation) -> AffineTransform {
    switch rotation {
    case .none: .identity
    case .quarter: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: seen.height, ty: 0)
    case .half: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: seen.width, ty: seen.height)
    case .threeQuarters: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: seen.width)
    }
  }
}
