extension Color {
  /// Makes a colour of parts from 0 to 1, limited to that range. (`UIColor.init(red:green:blue:alpha:)`.)
  public init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1) {
    func byte(_ part: Double) -> UInt8 { part > 0 ? UInt8(min(1, part) * 255 + 0.5) : 0 }
    self.init(red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha))
  }

  /// Returns the colour with another alpha, from 0 to 1. (`UIColor.withAlphaComponent(_:)`.)
  public func withAlpha(_ alpha: Double) -> Color {
    var color = self
    color.alpha = alpha > 0 ? UInt8(min(1, alpha) * 255 + 0.5) : 0
    return color
  }

  /// The colour of text and marks on a part with this colour.
  package var contrast: Color {
    isLight ? Color(red: 0x0a, green: 0x0f, blue: 0x14) : Color(red: 0xff, green: 0xff, blue: 0xff)
  }

  /// Whether black text is easier to read on the colour than white. (ITU-R BT.601 luma.)
  package var isLight: Bool { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 150 * 1000 }

  /// The colour of a pressed part: lighter than a dark colour, darker than a light one.
  package var pressed: Color { mixed(with: isLight ? .black : .white, parts: 40) }

  /// Returns the colour mixed with `parts` / 255 of another one. The alpha stays.
  package func mixed(with other: Color, parts: Int) -> Color {
    func mix(_ channel: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Int(channel) * (255 - parts) + Int(other) * parts + 127) / 255)
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue), alpha: alpha)
  }

  // UIKit's colours of these names, which are not CSS's: its green is as bright as its red. (`UIColor`)

  /// Red 0, green 0, blue 0, alpha 0. (`UIColor.clear`.)
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  /// Red 0, green 0, blue 0. (`UIColor.black`.)
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// Red 255, green 255, blue 255. (`UIColor.white`.)
  public static let white = Color(red: 255, green: 255, blue: 255)
  /// Red 128, green 128, blue 128. (`UIColor.gray`.)
  public static let gray = Color(red: 128, green: 128, blue: 128)
  /// Red 170, green 170, blue 170. (`UIColor.lightGray`.)
  public static let lightGray = Color(red: 170, green: 170, blue: 170)
  /// Red 85, green 85, blue 85. (`UIColor.darkGray`.)
  public static let darkGray = Color(red: 85, green: 85, blue: 85)
  /// Red 255, green 0, blue 0. (`UIColor.red`.)
  public static let red = Color(red: 255, green: 0, blue: 0)
  /// Red 0, green 255, blue 0. (`UIColor.green`.)
  public static let green = Color(red: 0, green: 255, blue: 0)
  /// Red 0, green 0, blue 255. (`UIColor.blue`.)
  public static let blue = Color(red: 0, green: 0, blue: 255)
  /// Red 0, green 255, blue 255. (`UIColor.cyan`.)
  public static let cyan = Color(red: 0, green: 255, blue: 255)
  /// Red 255, green 255, blue 0. (`UIColor.yellow`.)
  public static let yellow = Color(red: 255, green: 255, blue: 0)
  /// Red 255, green 0, blue 255. (`UIColor.magenta`.)
  public static let magenta = Color(red: 255, green: 0, blue: 255)
  /// Red 255, green 128, blue 0. (`UIColor.orange`.)
  public static let orange = Color(red: 255, green: 128, blue: 0)
  /// Red 128, green 0, blue 128. (`UIColor.purple`.)
  public static let purple = Color(red: 128, green: 0, blue: 128)
  /// Red 153, green 102, blue 51. (`UIColor.brown`.)
  public static let brown = Color(red: 153, green: 102, blue: 51)
}
