import TouchCore

/// Maps device units to the window:
/// absinfo → normalised → calibration → rotation → output region → window point.
///
/// The steps are folded into one matrix when the mapping is made. Nothing is clamped.
package struct Mapping: Hashable, Sendable {
  package struct Settings: Hashable, Sendable {
    /// The matrix that is applied to normalised coordinates, as libinput's calibration matrix is.
    package var calibration = AffineTransform.identity
    /// The clockwise turn of the device against the panel.
    package var rotation = DisplayGeometry.Rotation.none
    /// The part of the window that the device covers; nil for the whole display.
    package var output: WindowRect?

    package init() {}
  }

  package let windowFromDevice: AffineTransform
  /// The covered area in window space: the whole display with its bars, or the configured region.
  package let coveredArea: WindowRect

  /// - Parameters:
  ///   - x: the range of the device's x axis; its maximum is the last unit that still lies on the panel.
  ///   - y: the range of the device's y axis.
  ///   - geometry: the place of the window on the display; its rotation turns the input too.
  package init(x: AxisRange, y: AxisRange, settings: Settings = Settings(), geometry: DisplayGeometry) {
    // Scales come last and are divided once, so that units that are the display's pixels map to integers.
    let unit = settings.calibration
      .then(Self.turn(settings.rotation))
      .then(Self.windowFromUnit(output: settings.output, geometry: geometry))
    // libinput's convention: a range of 0…799 is 800 units wide. One that ends before it begins has one unit.
    let width = max(1, Double(x.maximum) - Double(x.minimum) + 1)
    let height = max(1, Double(y.maximum) - Double(y.minimum) + 1)
    coveredArea = settings.output ?? geometry.displayBoundsInWindow
    windowFromDevice = AffineTransform.translation(x: -Double(x.minimum), y: -Double(y.minimum)).then(
      AffineTransform(
        a: unit.a / width, b: unit.b / width, c: unit.c / height, d: unit.d / height,
        tx: unit.tx, ty: unit.ty))
  }

  /// Maps a device position to the window. Positions outside the device's range lie outside.
  package func map(_ position: Point<DeviceSpace>) -> WindowPoint { windowFromDevice.map(position) }

  /// Returns the point of the hit test for a mapped position: in the covered area, even if the device exceeds
  /// its range or a turn puts its first unit on the far edge.
  package func hitLocation(for location: WindowPoint) -> WindowPoint { coveredArea.clamp(location) }

  package static func windowFromUnit(output: WindowRect?, geometry: DisplayGeometry) -> AffineTransform {
    guard let output else {
      let display = geometry.displaySize
      return AffineTransform.scale(x: display.width, y: display.height).then(geometry.windowFromDisplay)
    }
    let upright = turn(geometry.rotation).inverse ?? .identity
    return upright.then(
      AffineTransform(
        a: output.size.width, b: 0, c: 0, d: output.size.height, tx: output.minX, ty: output.minY))
  }

  private static func turn(_ rotation: DisplayGeometry.Rotation) -> AffineTransform {
    switch rotation {
    case .none: .identity
    case .quarter: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
    case .half: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
    case .threeQuarters: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
    }
  }
}
