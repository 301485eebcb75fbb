/// A requested mode of a display: `1280x800`, `1280x800@60` or `1920x1080@60i`.
package struct DisplayMode: Hashable, Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// Pictures a second, or interlaced half pictures; nil for any. A whole
  /// number means rates that round to it.
  package let refresh: Double?
  /// Whether only every second line is shown at a time. If false, such modes are the last choice.
  package let isInterlaced: Bool

  /// Reads a mode; nil for any other text.
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

  package var text: String {
    guard let refresh else { return "\(width)x\(height)" }
    return "\(width)x\(height)@" + (refresh == refresh.rounded() ? "\(Int(refresh))" : "\(refresh)")
      + (isInterlaced ? "i" : "")
  }
}
