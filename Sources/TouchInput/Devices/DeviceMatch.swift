/// Which devices something is meant for. What is nil does not matter; what is given must all fit.
///
/// In the patterns `*` stands for any characters, `?` for one, everything else for itself, whole text and letter case
/// included.
public struct DeviceMatch: Hashable, Sendable {
  /// A pattern for what the device calls itself. A field that is nil matches anything.
  public var name: String?
  /// A pattern for where it is plugged in.
  public var phys: String?
  /// A pattern for its serial number.
  public var uniq: String?
  /// As in `struct input_id`, not a pattern.
  public var vendor: UInt16?
  /// As in `struct input_id`, not a pattern.
  public var product: UInt16?
  /// A node or a link to one: the device that it leads to when it is asked for.
  public var path: String?

  public init(
    name: String? = nil, phys: String? = nil, uniq: String? = nil, vendor: UInt16? = nil,
    product: UInt16? = nil, path: String? = nil
  ) {
    self.name = name
    self.phys = phys
    self.uniq = uniq
    self.vendor = vendor
    self.product = product
    self.path = path
  }

  /// Whether `device` is meant. Looks at the file system when `path` is given.
  public func matches(_ device: DeviceDescription) -> Bool {
    Self.fits(name, device.name) && Self.fits(phys, device.phys) && Self.fits(uniq, device.uniq)
      && vendor.map { $0 == device.vendor } ?? true && product.map { $0 == device.product } ?? true
      && path.map { device.number != nil && DeviceNumber(path: $0) == device.number } ?? true
  }

  private static func fits(_ pattern: String?, _ text: String) -> Bool {
    pattern.map { glob($0, matches: text) } ?? true
  }

  /// Walks both once, and goes back only to the last `*`: a longer match of an earlier one cannot help.
  static func glob(_ pattern: String, matches text: String) -> Bool {
    let pattern = Array(pattern)
    let text = Array(text)
    var at = (pattern: 0, text: 0)
    var retry: (pattern: Int, text: Int)?
    while at.text < text.count {
      if at.pattern < pattern.count, pattern[at.pattern] == "*" {
        retry = at
        at.pattern += 1
      } else if at.pattern < pattern.count, pattern[at.pattern] == "?" || pattern[at.pattern] == text[at.text]
      {
        at = (at.pattern + 1, at.text + 1)
      } else if let star = retry {
        retry = (star.pattern, star.text + 1)
        at = (star.pattern + 1, star.text + 1)
      } else {
        return false
      }
    }
    return pattern[at.pattern...].allSatisfy { $0 == "*" }
  }
}
