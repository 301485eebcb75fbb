import Glibc
import TouchViews

extension Color {
  /// Returns the contrast with another colour, both on black, from 1 to 21. (WCAG 2.2, contrast ratio.)
  func contrast(with other: Color) -> Double { Self.contrast(light, other.light) }

  /// Returns the contrast of two colours as `light` has them.
  package static func contrast(_ one: SIMD4<Double>, _ other: SIMD4<Double>) -> Double {
    let (one, other) = (luminance(one), luminance(other))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// The luminance of a colour on black, from 0 to 1. (WCAG 2.2, relative luminance.)
  private static func luminance(_ light: SIMD4<Double>) -> Double {
    func linear(_ channel: Double) -> Double {
      channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(light.x) + 0.7152 * linear(light.y) + 0.0722 * linear(light.z)
  }

  /// The channels and the alpha from 0 to 1, premultiplied.
  package var light: SIMD4<Double> {
    let alpha = Double(alpha) / 255
    return SIMD4(Double(red) / 255 * alpha, Double(green) / 255 * alpha, Double(blue) / 255 * alpha, alpha)
  }
}
