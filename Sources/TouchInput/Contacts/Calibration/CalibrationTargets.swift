import TouchCore

/// Where the targets of a calibration lie, and what a touch on one of them says.
public struct CalibrationTargets: Sendable {
  /// In window space, on whole units: five, and the check point last.
  public let points: [WindowPoint]
  /// The part of the display that the device covers, in physical pixels.
  public let size: Size
  private let windowFromPanel: AffineTransform
  private let windowFromDisplay: AffineTransform

  /// A pentagon, of which no three lie on a line: any one of the five may be wrong, and the other four still tell.
  private static let pentagon = [(0.5, 0.1), (0.9, 0.4), (0.76, 0.9), (0.24, 0.9), (0.1, 0.4)]
  /// In a corner that none of the others is near.
  private static let check = (0.88, 0.1)

  /// - Parameter output: the part of the window that the device covers; nil means the whole display.
  package init(output: WindowRect?, geometry: DisplayGeometry) {
    let area = (output ?? geometry.canvasBounds).intersection(geometry.displayBoundsInWindow)
    points = (Self.pentagon + [Self.check]).map { x, y in
      WindowPoint(
        x: (area.minX + area.size.width * x).rounded(), y: (area.minY + area.size.height * y).rounded())
    }
    windowFromPanel = Mapping.windowFromUnit(output: output, geometry: geometry)
    windowFromDisplay = Mapping.windowFromUnit(output: nil, geometry: geometry)
    let pixels: Rect<DisplaySpace> = geometry.displayFromWindow.bounding(
      output ?? geometry.displayBoundsInWindow)
    size = pixels.size
  }

  /// What a touch of a target says.
  ///
  /// - Parameter location: where the touch is in the window without calibration, rotation and output region.
  public func sample(of target: WindowPoint, touchedAt location: WindowPoint) -> CalibrationFit.Sample {
    // Neither matrix is without an inverse: a display and a region have an extent.
    CalibrationFit.Sample(
      touched: (windowFromDisplay.inverse ?? .identity).map(location),
      target: (windowFromPanel.inverse ?? .identity).map(target))
  }
}
