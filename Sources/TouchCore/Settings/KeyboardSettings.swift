/// Which letters the keys of keyboards type: a layout by the names that X and Wayland have for it.
public struct KeyboardSettings: Hashable, Sendable {
  /// Such as `de` or `us,ru`; nil for the system's. (`XkbLayout`)
  public var layout: String?
  /// Such as `nodeadkeys`. (`XkbVariant`)
  public var variant: String?
  /// Such as `pc105`. (`XkbModel`)
  public var model: String?
  /// Such as `caps:escape`. (`XkbOptions`)
  public var options: String?
  /// Whether num lock is on when a keyboard is plugged in: its keypad then types digits.
  public var numLock = true

  /// The system's.
  public init() {}

  /// The layout that `/etc/default/keyboard` has, where there is one. (`keyboard(5)`)
  ///
  /// - Parameter text: what that file contains: lines of a shell's assignments.
  package init(defaultsFile text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      var value = parts[1]
      while let last = value.last, last == " " || last == "\t" { value = value.dropLast() }
      if let first = value.first, first == "\"" || first == "'", value.count > 1, value.last == first {
        value = value.dropFirst().dropLast()
      }
      let setting = value.isEmpty ? nil : String(value)
      switch parts[0] {
      case "XKBLAYOUT": layout = setting
      case "XKBVARIANT": variant = setting
      case "XKBMODEL": model = setting
      case "XKBOPTIONS": options = setting
      default: break
      }
    }
  }
}
