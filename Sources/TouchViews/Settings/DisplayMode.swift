/// A mode of a display, as a configuration asks for it: `1280x800`, `1280x800@60` or `1920x1080@60i`.
package struct DisplayMode: Hashable, Sendable {
  /// In pixels.
  package let width: Int
  /// In pixels.
  package let height: Int
  /// Pictures a second, of interlaced ones half pictures; nil for any. A whole number means those that round to it.
  package let refresh: Double?
  /// Whether only every second line is shown at a time. Without it, such a mode is taken if there is no other.
  package let isInterlaced: Bool

  /// Nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0
    else { return nil }
    (self.width, self.height) = (width, height)
    guard parts.count == 2 else {
      (refresh, isInterlaced) = (nil, false)
      return
    }
    isInterlaced = parts[1].hasSuffix("i")
    guard let rate = Double(parts[1].dropLast(isInterlaced ? 1 : 0)), rate > 0, rate.isFinite else {
      return nil
    }
    refresh = rate
  }

  /// As it is written.
  package var text: String {
    guard let refresh else { return "\(width)x\(height)" }
    return "\(width)x\(height)@" + (refresh == refresh.rounded() ? "\(Int(refresh))" : "\(refresh)")
      + (isInterlaced ? "i" : "")
  }
}
