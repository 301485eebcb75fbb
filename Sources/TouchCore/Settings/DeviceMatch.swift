/// Which devices a rule applies to. A field that is nil matches every device; the others must all match.
///
/// The texts are patterns as the shell has them: `*` matches any characters, `?` one character, `[ab]` one of those in the
/// brackets, and a backslash makes the next character literal. The pattern has to match the whole text, case included.
/// (glob(7))
package struct DeviceMatch: Hashable, Sendable {
  /// A pattern for the device's name. (`EVIOCGNAME`.)
  package var name: String?
  /// A pattern for the place where it is plugged in. (`EVIOCGPHYS`.)
  package var phys: String?
  /// A pattern for its serial number. (`EVIOCGUNIQ`.)
  package var uniq: String?
  /// The exact vendor id. (`struct input_id`.)
  package var vendor: UInt16?
  /// The exact product id. (`struct input_id`.)
  package var product: UInt16?
  /// The absolute path of a device node, or of a link to one. It is resolved at each comparison.
  package var path: String?

  package init(
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
}
