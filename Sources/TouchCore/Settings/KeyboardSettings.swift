/// The keyboard layout, by the names of X and Wayland: it sets the letters of the keys.
public struct KeyboardSettings: Hashable, Sendable {
  /// The layout, such as `de` or `us,ru`; nil for the system's. (`XkbLayout`)
  public var layout: String?
  /// The variant, such as `nodeadkeys`. (`XkbVariant`)
  public var variant: String?
  /// The model, such as `pc105`. (`XkbModel`)
  public var model: String?
  /// The options, such as `caps:escape`. (`XkbOptions`)
  public var options: String?
  /// Whether num lock is on when a keyboard is plugged in, so that its keypad types digits.
  public var numLock = true

  /// Makes the system's settings.
  public init() {}

  /// Makes the settings of a shell's assignments in `/etc/default/keyboard`. (`keyboard(5)`)
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
