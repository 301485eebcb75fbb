import Glibc
import TouchCore

extension DeviceMatch {
  /// Whether a device matches. It reads the file system when `path` is given.
  package func matches(_ device: DeviceDescription) -> Bool {
    Self.fits(name, device.name) && Self.fits(phys, device.phys) && Self.fits(uniq, device.uniq)
      && vendor.map { $0 == device.vendor } ?? true && product.map { $0 == device.product } ?? true
      && path.map { device.number != nil && DeviceNumber(path: $0) == device.number } ?? true
  }

  /// Whether a device of this name would match, whatever its other facts are.
  package func fits(name: String) -> Bool { Self.fits(self.name, name) }

  private static func fits(_ pattern: String?, _ text: String) -> Bool {
    pattern.map { glob($0, matches: text) } ?? true
  }

  /// The only use of `fnmatch(3)`. A pattern that equals the text always fits, brackets or not.
  static func glob(_ pattern: String, matches text: String) -> Bool {
    if pattern == text { return true }
    let former = uselocale(utf8Locale)
    defer { uselocale(former) }
    return fnmatch(pattern, text, 0) == 0
  }

  /// The locale in which `?` is a character, whatever the environment, made once and never freed.
  nonisolated(unsafe) private static let utf8Locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

  package static func literal(_ text: String) -> String {
    var pattern = ""
    for character in text {
      if "*?[\\".contains(character) { pattern += "\\" }
      pattern.append(character)
    }
    return pattern
  }
}
