import TouchCore
import TouchInput
import TouchMeasure
import TouchSystem
import TouchTools

package struct Calibration {
  let result: CalibrationResult
  let matrix: AffineTransform
  let device: DeviceDescription
  /// The other devices, which the snippet must not match.
  let others: [DeviceDescription]
  let kind: DeviceKind
  let rotation: DisplayGeometry.Rotation
  /// The display's size in physical pixels.
  let displaySize: Size
  /// The configuration's rule for the device, without its mapping; nil for a device without a rule.
  let rule: DeviceRule?
  /// The average distance of touches from targets in millimetres; nil without the device's size.
  let millimetres: Double?

  package var summary: String {
    var text = "off by \(result.error.tenths) pixels"
    if let millimetres { text += " (\(millimetres.tenths) mm)" }
    text += ", at the check point by \(result.checkWith.tenths) (\(result.checkWithout.tenths) without it)"
    if let outlier = result.fit?.outlier {
      text +=
        "; point \(outlier + 1) was left out, it is \(result.distances[outlier].tenths) pixels from the others"
    }
    return text
  }

  package var snippet: String {
    let (x, y) = device.capabilities.positionAxes(of: kind)
    var lines = [
      "# touchtree calibrate: \(summary)", "input:", "  devices:",
      "    \(ConfigSnippet(device, among: others).text)",
      "      calibration: [\(numbers.joined(separator: ", "))]",
      "      calibrated_for: {rotation: \(rotation.rawValue), "
        + "axes: [\(x.minimum), \(x.maximum), \(y.minimum), \(y.maximum)]}",
    ]
    if let output = rule?.output {
      let region = [output.minX, output.minY, output.size.width, output.size.height].map(\.plain)
      lines.append("      output: [\(region.joined(separator: ", "))]")
    }
    if rule?.isUsed == true { lines.append("      use: true") }
    if rule?.isGrabbed ?? false { lines.append("      grab: true") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The udev rule for libinput. (libinput, "Static device configuration via udev".)
  package var udevRule: String {
    // A rule has no escapes for what patterns or lines obey; long characters need a star.
    let name = device.name.unicodeScalars.reduce(into: "") { name, scalar in
      if scalar.isShown && !"\"\\*?[]|".unicodeScalars.contains(scalar) {
        name.unicodeScalars.append(scalar)
      } else {
        name += scalar.isASCII ? "?" : "*"
      }
    }
    let parts = [
      "ACTION==\"add|change\"", "KERNEL==\"event[0-9]*\"", "ATTRS{name}==\"\(name)\"",
      "ATTRS{id/vendor}==\"\(ConfigSnippet.hex(device.vendor).dropFirst(2))\"",
      "ATTRS{id/product}==\"\(ConfigSnippet.hex(device.product).dropFirst(2))\"",
      "ENV{LIBINPUT_CALIBRATION_MATRIX}=\"\(numbers.joined(separator: " "))\"",
    ]
    return "# touchtree calibrate: \(summary)\n" + parts.joined(separator: ", ") + "\n"
  }

  /// The numbers row by row, as libinput has them.
  private var numbers: [String] {
    [matrix.a, matrix.c, matrix.tx, matrix.b, matrix.d, matrix.ty].map { number in
      // A millionth of a panel is less than any device can resolve.
      ((number * 1_000_000).rounded() / 1_000_000).plain
    }
  }
}

extension Failure {
  static func uncalibrated(_ reason: String) -> Failure { Failure("\(reason); nothing was written") }

  static func uncalibrated(_ rejection: CalibrationResult.Rejection) -> Failure {
    Failure("\(rejection.sentence); nothing was written; try again")
  }
}

extension CalibrationResult.Rejection {
  fileprivate var sentence: String {
    switch self {
    case .line: "the five touches lie on a line; touch each cross"
    case .scattered(let pixels):
      "the five touches contradict each other: the best calibration is \(pixels.tenths) pixels off"
    case .checkIsOff(let pixels): "with the calibration, the check point would be \(pixels.tenths) pixels off"
    case .worseThanNone(let with, let without):
      "at the check point, the new calibration is \(with.tenths) pixels off, and no calibration only "
        + "\(without.tenths)"
    }
  }
}

extension Double {
  /// The number with one decimal.
  fileprivate var tenths: String { isFinite ? "\((self * 10).rounded() / 10)" : "far" }
}
