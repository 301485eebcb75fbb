import TouchCore
import TouchInput

/// The device rules of the configuration, and the quirks below them. The first matching rule and the first
/// matching quirk count. The quirk provides what the rule leaves out. A device without either is used as it
/// is.
package struct DeviceRules {
  private var rules, quirks: [DeviceRule]
  private let quirkFile: String
  /// The name in rules of the device for touches that clients inject.
  package static let remoteName = "remote"

  /// - Parameter quirks: the quirks; by default those that ship with the program.
  package init(_ rules: [DeviceRule], quirks: DeviceQuirks = .shipped) {
    self.rules = rules
    self.quirks = quirks.rules
    quirkFile = quirks.file
  }

  /// The rules without their mapping of positions, for a program that measures positions.
  package var withoutMapping: DeviceRules {
    var copy = self
    copy.rules = rules.map(\.withoutMapping)
    copy.quirks = quirks.map(\.withoutMapping)
    return copy
  }

  /// Returns whether the rules are equal, wherever they stand in their files.
  package func isSame(as other: DeviceRules) -> Bool {
    func placeless(_ rules: [DeviceRule]) -> [DeviceRule] {
      rules.map { rule in
        var rule = rule
        rule.place = .start
        return rule
      }
    }
    return placeless(rules) == placeless(other.rules)
  }

  /// Returns the rule and the quirk of a device, merged; nil if neither matches it.
  package func rule(for device: DeviceDescription) -> DeviceRule? {
    let rule = rules.first { $0.match.matches(device) }
    guard let quirk = quirk(for: device) else { return rule }
    return rule?.completed(by: quirk) ?? quirk
  }

  /// Returns sentences about the rules of the configuration that match
  /// none of these devices, with rules that would.
  func unmatched(among devices: [DeviceDescription]) -> [String] {
    rules.filter { rule in
      rule.match != DeviceMatch() && rule.match.name != Self.remoteName
        && !devices.contains(where: rule.match.matches)
    }.map { rule in
      let meant = rule.match.name.flatMap { name in
        devices.lazy.map(\.name).first { !name.isEmpty && $0.lowercased().contains(name.lowercased()) }
      }
      let advice =
        rule.match.name.flatMap { name in
          meant.map {
            $0.hasPrefix(name) ? "did you mean name: \"\(name)*\"?" : "did you mean name: \"\($0.escaped)\"?"
          }
        } ?? "`touchtree devices` lists those that are there"
      return "line \(rule.place.line): no device that is there matches this rule; \(advice)"
    }
  }

  /// Returns the lines of the configuration's rules with `use: true` that match none of these devices.
  func missing(among devices: [DeviceDescription]) -> [Int] {
    rules.filter { rule in
      rule.isUsed == true && rule.match != DeviceMatch() && rule.match.name != Self.remoteName
        && !devices.contains(where: rule.match.matches)
    }.map(\.place.line)
  }

  /// Returns the quirk of a device, whatever the configuration says.
  private func quirk(for device: DeviceDescription) -> DeviceRule? {
    quirks.first { $0.match.matches(device) }
  }

  /// Returns the place of a device's quirk and what it sets:
  /// `quirks/devices.yaml:9 sets use`; nil if there is no quirk.
  package func quirkSentence(for device: DeviceDescription) -> String? {
    quirk(for: device).map { "\(quirkFile):\($0.place.line) sets \($0.givenKeys.joined(separator: ", "))" }
  }

  /// Returns the rule or quirk that excludes a device: `quirks/devices.yaml:9 says use: false`.
  /// - Parameter file: the configuration's file; nil if the reader knows it.
  package func exclusion(of device: DeviceDescription, file: String? = nil) -> String? {
    guard let rule = rule(for: device), rule.isUsed == false else { return nil }
    let isQuirks = !(rules.first { $0.match.matches(device) }?.givesUse ?? false)
    let line = isQuirks ? quirk(for: device)?.place.line ?? 0 : rule.place.line
    guard let file = isQuirks ? quirkFile : file else {
      return "line \(line) of the configuration says use: false"
    }
    return "\(file):\(line) says use: false"
  }

  /// Returns the use of a device's keys. It is nil for a device without keys, for one that a rule excludes,
  /// and for the keyboard on which touchtree itself types.
  package func keyRole(of device: DeviceDescription) -> KeyRole? {
    rule(for: device)?.isUsed == false || KernelKeyboard.made(device) ? nil : KeyRole(device.capabilities)
  }

  /// Returns the classification of a device. `use: true` overrules the device's
  /// appearance. A rule may still exclude the device.
  package func classification(of device: DeviceDescription) -> Classification {
    DeviceClassifier.classify(device.capabilities, isForced: rule(for: device)?.isUsed ?? false)
  }
}

/// The touch source of a device, set up by the configuration. The
/// daemon, the monitor and the player make theirs here.
package struct SourceSetup {
  package let source: TouchSource
  package let filters: [ContactFilter]
  /// The parts of the rule without effect on this device, with the reasons: sentences without a full stop.
  package let warnings: [String]

  /// - Parameter id: the device's number in touches, unique among the devices of a pipeline.
  /// - Parameter initial: the state of the device at its opening.
  /// - Parameter rule: the first rule that matches the device; nil uses it as it is.
  /// - Parameter geometry: the position of the canvas on the display.
  package init(
    _ device: DeviceDescription, id: Int, as kind: DeviceKind, initial: InitialState,
    rule: DeviceRule?, geometry: DisplayGeometry
  ) {
    var mapping = Mapping.Settings()
    var warnings: [String] = []
    if let rule {
      let axes = device.capabilities.positionAxes(of: kind)
      let problem = rule.staleness(x: axes.x, y: axes.y, displayRotation: geometry.rotation)
      mapping.calibration = problem == nil ? rule.calibration ?? .identity : .identity
      mapping.rotation = rule.rotation
      mapping.output = rule.output
      if let problem { warnings.append("the calibration is stale and ignored: " + problem) }
      if rule.speed != nil && kind != .relativePointer {
        warnings.append("speed has an effect on a mouse only; remove it")
      }
      if let warning = rule.filters.warning(on: axes, as: kind) { warnings.append(warning) }
    }
    filters = kind == .relativePointer ? [] : rule?.filters ?? []
    source = TouchSource(
      device: DeviceID(rawValue: id), kind: kind, capabilities: device.capabilities, initial: initial,
      settings: mapping, filters: filters, speed: rule?.speed ?? 1, geometry: geometry)
    self.warnings = warnings
  }

  /// The filters and their cost, for the line that names the device.
  package var filterSentence: String { filters.isEmpty ? "" : ", filtered by " + filters.sentence }
}

extension DeviceRule {
  /// Returns the reason why the calibration does not fit any more; nil if it does.
  fileprivate func staleness(
    x: AxisRange, y: AxisRange, displayRotation: DisplayGeometry.Rotation
  ) -> String? {
    guard calibration != nil, let made = calibratedFor else { return nil }
    if let axes = made.axes, axes != [x.minimum, x.maximum, y.minimum, y.maximum] {
      return "it was made for axes of \(axes[0])…\(axes[1]) and \(axes[2])…\(axes[3]), and the device has "
        + "\(x.minimum)…\(x.maximum) and \(y.minimum)…\(y.maximum); run `touchtree calibrate` again"
    }
    if rotation != .none {
      return
        "it contains the rotation of the device, and \"rotation\" would add \(rotation.rawValue) degrees; "
        + "remove \"rotation\", or run `touchtree calibrate` again"
    }
    if let old = made.displayRotation, old != displayRotation {
      let now = displayRotation.rawValue
      return "it was made while the display was turned by \(old.rawValue), and now it is turned by \(now); "
        + "run `touchtree calibrate` again, or write calibrated_for: {rotation: \(now)} if display and panel "
        + "were turned together"
    }
    return nil
  }
}

extension [ContactFilter] {
  /// The filters' names and costs.
  package var sentence: String { map { "\($0.kind.rawValue) (\($0.delay))" }.joined(separator: ", ") }

  /// Returns the reason why a filter has no effect on a device.
  fileprivate func warning(on axes: (x: AxisRange, y: AxisRange), as kind: DeviceKind) -> String? {
    guard !isEmpty else { return nil }
    if kind == .relativePointer { return "filters have no effect on a mouse; remove its filter" }
    guard contains(.hysteresis(margin: nil)), axes.x.fuzz <= 0 && axes.y.fuzz <= 0 else { return nil }
    return "the hysteresis has no effect, since the device declares no fuzz; give it a margin: "
      + "filter: {kind: hysteresis, margin: 4}"
  }
}
