import TouchCore
import TouchInput
import TouchSystem

extension DeviceBridge {
  package struct PanelOptions: Sendable {
    package let path: String
    /// The name of the new device; nil for the panel's with a suffix.
    package var name: String?
    /// The connector of the display that it covers, such as HDMI-A-1; nil if programs are to find it.
    package var output: String?
    /// The clockwise turn of the panel against the picture, in place of the configuration's; nil for that
    /// one.
    package var rotation: DisplayGeometry.Rotation?

    package init(path: String) { self.path = path }

    var isPlain: Bool { name == nil && output == nil && rotation == nil }
  }

  /// Panels with options, known by their own data and port, since the node may change.
  struct PanelChoice {
    private var panels: [(match: DeviceMatch, options: PanelOptions)] = []
    /// The device rules of the configuration, below those of the options.
    private(set) var rules: [DeviceRule]

    init(rules: [DeviceRule]) { self.rules = rules }

    /// Adds a panel, unless an earlier one has the same data and port.
    mutating func add(_ options: PanelOptions, of device: DeviceDescription) throws(Failure) {
      if let other = self.options(of: device) {
        throw Failure(
          .usage,
          "\(options.path): \(device.title) cannot be told from \(other.path), with which it shares its name, serial number and port; "
            + "name each panel once")
      }
      var match = DeviceMatch()
      match.name = DeviceMatch.literal(device.name)
      match.phys = DeviceMatch.literal(device.phys)
      match.uniq = DeviceMatch.literal(device.uniq)
      (match.vendor, match.product) = (device.vendor, device.product)
      panels.append((match, options))
      guard let rotation = options.rotation else { return }
      var rule = DeviceRule(place: .start)
      (rule.match, rule.rotation, rule.given) = (match, rotation, [.match, .rotation])
      let configured = rules.first { $0.match.matches(device) }
      rules.insert(configured.map(rule.completed) ?? rule, at: 0)
    }

    /// Returns the options of a panel; nil for one without options.
    func options(of device: DeviceDescription) -> PanelOptions? {
      panels.first { $0.match.matches(device) }?.options
    }
  }
}
