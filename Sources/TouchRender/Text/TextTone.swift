import Glibc
import TouchViews

/// The lightness of a text, by which the coverage of its letters is corrected.
///
/// Painting mixes the values of a display, not light: white on half of a black pixel gives a fifth of the
/// light. So thin light letters on dark would look thinner than dark ones on light, and their coverage is
/// raised, as in Skia (`SkTMaskGamma_build_correcting_lut`). Skia mixes light for a display of gamma 1.4,
/// Android's (`SK_GAMMA_EXPONENT`), and expects the opposite of the letters' colour behind them.
///
/// Dark and middle tones stay as they are. For dark ones, Skia's contrast of 0.5
/// (`SK_GAMMA_CONTRAST`) cancels its gamma: half a pixel of black stays half a pixel.
struct TextTone: Equatable {
  /// The index: 0 for uncorrected coverage, then one for each class of light colours.
  let index: Int

  static let count = 4
  /// The light classes. As in Skia, the classes are eighths of the luminance.
  private static let lightClasses = 5..<8
  private static let gamma = 1.4

  /// - Parameter color: the colour of the letters. Its alpha does not matter.
  init(_ color: Color) {
    // ITU-R BT.601, in 256ths.
    let luminance = (Int(color.red) * 77 + Int(color.green) * 150 + Int(color.blue) * 29) >> 8
    index = max(0, luminance >> 5 - Self.lightClasses.lowerBound + 1)
  }

  /// The corrected value of each coverage; nil if none changes.
  var table: [UInt8]? { index == 0 ? nil : Self.tables[index - 1] }

  private static let tables = lightClasses.map(table)

  private static func table(ofClass index: Int) -> [UInt8] {
    // The three bits of the class are repeated, so the lightest colour is white.
    let front = Double(index << 5 | index << 2 | index >> 1) / 255
    let behind = 1 - front
    return (0...255).map { coverage in
      let part = Double(coverage) / 255
      let light = part * pow(front, gamma) + (1 - part) * pow(behind, gamma)
      return UInt8((255 * (pow(light, 1 / gamma) - behind) / (front - behind)).rounded())
    }
  }
}
