import TouchCore
import TouchViews

extension Configuration.Input {
  static let keys = Keys<Self>("input", Self()) {
    "Rules for devices, in order; the first that matches a device counts. Fingers of `ctl touch`, `ctl view` and `inject` are on a device with the name `remote`. See [`device`](#a-rule-for-devices-device)."
    KeyRow("devices", \.rules, .deviceRules)
    "When a mouse's pointer is drawn: `auto`, `always` or `never`. `auto` hides it during touches and shows it when the mouse moves again."
    KeyRow("cursor", \.cursor, .word)
    "The bounds of repeated taps."
    KeyRow("taps", \.taps, .mapping(Dispatcher.TapSettings.keys, Dispatcher.TapSettings()))
    "Which letters keyboards type. Default: the layout of `/etc/default/keyboard`."
    KeyRow("keyboard", \.keyboard, .mapping(KeyboardSettings.keys, KeyboardSettings()))
  }
}

extension Dispatcher.TapSettings {
  static let keys = Keys<Self>("taps", Self()) {
    "The longest tap, and the longest pause between two taps, in seconds."
    KeyRow("interval", \.interval, .duration)
    "How far apart two taps may be, in units."
    KeyRow("distance", \.distance, .length)
  }
}

extension KeyboardSettings {
  private static let known = KeyType.name("give a name of xkeyboard-config, such as de").orNull

  static let keys = Keys<Self>("a keyboard", Self()) {
    "Such as `de`, or `us,ru`."
    KeyRow("layout", \.layout, known)
    "Such as `nodeadkeys`."
    KeyRow("variant", \.variant, known)
    "Such as `pc105`."
    KeyRow("model", \.model, known)
    "Such as `caps:escape`."
    KeyRow("options", \.options, known)
    "Whether num lock is on when a keyboard is plugged in, so that its keypad types digits."
    KeyRow("num_lock", \.numLock, .flag)
  }
}

// MARK: Rules

extension DeviceRule {
  static let keys = Keys<DeviceRule>("an input device", DeviceRule(place: .start)) {
    "Properties of the device. Without it, the rule matches every device."
    KeyRow("match", \.match, .mapping(DeviceMatch.keys, DeviceMatch()))
    "`false` ignores the device. `true` uses it even if it looks like a pen or a touchpad. Default: touchtree decides."
    KeyRow("use", \.isUsed, .flag)
    "libinput's calibration matrix, 2×3, row by row, for positions from 0 to 1."
    KeyRow("calibration", \.calibration, KeyType.calibration.orNull)
    "The conditions under which `touchtree calibrate` measured the matrix. If they have changed, the matrix is not used."
    KeyRow("calibrated_for", \.calibratedFor, .mapping(CalibratedFor.keys, CalibratedFor()))
    "Clockwise turn of the device against the display: 0, 90, 180 or 270."
    KeyRow("rotation", \.rotation, .turn)
    "`[x, y, width, height]` of the part of the canvas that the device covers. Default: all of it."
    KeyRow("output", \.output, KeyType.output.orNull)
    "Whether to grab the device exclusively."
    KeyRow("grab", \.isGrabbed, .flag)
    "One filter, or a list of filters, each kind once."
    KeyRow("filter", \.filters, KeyType.filters.orNull, default: .text("none"))
    "For a mouse: units of the canvas for each of its counts. There is no acceleration."
    KeyRow("speed", \.speed, KeyType.number(NumberRange(lower: 0.01, upper: 100)).orNull, default: .number(1))
    "`true`, or how it types: it is a [barcode scanner](keys.md#barcode-scanners). `false`: it is none. Default: a device that types as fast as a scanner is one."
    KeyRow("scanner", \.scanner, KeyType.scanner.orNull)
  }
}

extension KeyType where Content == [DeviceRule] {
  /// The rules for devices: those of `input:`, or quirks.
  static let deviceRules = KeyType(.nullable(.list(of: .definition("device")))) { value in
    let advice = "give a list of devices, each starting with \"- match:\""
    return (value.list(advice, of: "a device") ?? []).compactMap { device in
      if device.node.isNull { device.refuse("write match: {name: ...}, or remove the \"-\"") }
      var rule = DeviceRule(place: device.node.place)
      guard let fields = device.read(DeviceRule.keys, into: &rule) else { return nil }
      rule.given = Set(DeviceRule.Key.allCases.filter { fields.unlessNull($0.rawValue) != nil })
      return rule
    }
  }
}

extension DeviceMatch {
  static let keys = Keys<DeviceMatch>("a match", DeviceMatch()) {
    "The device's name; `remote` for [touches that clients inject](devices.md#the-device-remote)."
    KeyRow("name", \.name, .freeText)
    "Where it is plugged in."
    KeyRow("phys", \.phys, .freeText)
    "Its serial number."
    KeyRow("uniq", \.uniq, .freeText)
    "The vendor id, such as `0x0eef`."
    KeyRow("vendor", \.vendor, KeyType.integer(0...0xffff).map(UInt16.init))
    "The product id."
    KeyRow("product", \.product, KeyType.integer(0...0xffff).map(UInt16.init))
    "The device node, or a link to it, such as one in `/dev/input/by-path`."
    KeyRow("path", \.path, .absolutePath)
  }
}

extension KeyType where Content == String {
  fileprivate static let absolutePath = KeyType(.pattern("^/")) { value in
    let advice = "give an absolute path, such as /dev/input/event0"
    guard let path = value.nonEmptyText(advice) else { return nil }
    if path.hasPrefix("/") { return path }
    value.refuse(advice)
    return nil
  }
}

extension KeyType where Content == AffineTransform {
  /// libinput writes the two rows of the matrix one after the other.
  fileprivate static let calibration = KeyType(
    .value(.list(Array(repeating: .number(.coordinate), count: 6)))
  ) { value in
    let rows = value.numbers(["a", "b", "c", "d", "e", "f"].map { ($0, .coordinate) })
    guard let rows else { return nil }
    let matrix = AffineTransform(a: rows[0], b: rows[3], c: rows[1], d: rows[4], tx: rows[2], ty: rows[5])
    if matrix.inverse != nil { return matrix }
    value.complain(
      "the calibration maps the whole device onto a line; [1, 0, 0, 0, 1, 0] is the one that changes nothing")
    return nil
  }
}

extension KeyType where Content == WindowRect {
  fileprivate static let output = KeyType<[Double]>.numbers([
    ("x", .coordinate), ("y", .coordinate), ("width", .extent), ("height", .extent),
  ]).map { WindowRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
}

extension DeviceRule.CalibratedFor {
  static let keys = Keys<Self>("calibrated_for", Self()) {
    "The display's rotation, in degrees."
    KeyRow("rotation", \.displayRotation, KeyType.turn.orNull)
    "The device's ranges: minimum and maximum of x, minimum and maximum of y."
    KeyRow("axes", \.axes, KeyType.axes.orNull)
  }
}

extension KeyType where Content == [Int32] {
  private static let numbers = Int(Int32.min)...Int(Int32.max)

  fileprivate static let axes = KeyType(.value(.list(Array(repeating: .integer(numbers), count: 4)))) {
    value in
    let names = ["the minimum of x", "the maximum of x", "the minimum of y", "the maximum of y"]
    guard let items = value.node.items, items.count == names.count else {
      value.refuse("give [minimum x, maximum x, minimum y, maximum y]")
      return nil
    }
    let read = zip(items, names).compactMap { item, name in
      Value(name: "\(name) in axes", node: item, report: value.report).integer(in: numbers).map { Int32($0) }
    }
    return read.count == names.count ? read : nil
  }
}

// MARK: Scanners

extension ScannerSettings {
  static let keys = Keys<ScannerSettings>("a scanner", ScannerSettings()) {
    "The longest time between two keys of a text, in seconds, from 0.01 to 2. A text that is broken off is dropped."
    KeyRow("pause", \.pause, .number(NumberRange(lower: 0.01, upper: 2)))
    "The key that ends a text: `enter` or `tab`; with `none` the pause ends it."
    KeyRow("end", \.end, .word)
  }
}

extension KeyType where Content == ScannerUse {
  /// `true`, `false`, or how it types.
  fileprivate static let scanner = KeyType(.either([.flag, .mapping(ScannerSettings.keys.table)])) { value in
    var settings = ScannerSettings()
    if case .bool(let isScanner) = value.node.scalar { return isScanner ? .always(settings) : .never }
    let advice = "give true, false, or a mapping with pause or end"
    return value.read(ScannerSettings.keys, into: &settings, advice).map { _ in .always(settings) }
  }
}

// MARK: Filters

extension ContactFilter {
  struct Draft {
    var milliseconds = 20
    var samples = 3
    var oneEuro = OneEuroSettings()
    var margin: Double?

    func filter(_ kind: Kind) -> ContactFilter {
      switch kind {
      case .debounce: .debounce(milliseconds: milliseconds)
      case .median: .median(samples: samples)
      case .oneEuro: .oneEuro(oneEuro)
      case .hysteresis: .hysteresis(margin: margin)
      }
    }
  }

  static let keys = Keys<Draft>("a filter", Draft(), words: words) {
    "`debounce`, `median`, `one-euro` or `hysteresis`."
    KeyRow(
      "kind", .words(Kind.self), required: "give " + Kind.allCases.map(\.rawValue).joined(lastWith: "or"))
    "The longest lift that is bridged, 1 to 1000."
    KeyRow("milliseconds", \.milliseconds, .integer(1...1000), of: ["debounce"])
    "The number of positions, odd, up to 15."
    KeyRow("samples", \.samples, .samples, of: ["median"])
    "The cutoff frequency at rest, in hertz, 0.1 to 100."
    KeyRow(
      "min_cutoff", \.oneEuro.minimumCutoff, .number(NumberRange(lower: 0.1, upper: 100)), of: ["one-euro"])
    "By how many hertz the cutoff rises for each width of the device that a contact moves in a second."
    KeyRow("beta", \.oneEuro.slope, .number(NumberRange(lower: 0, upper: 1000)), of: ["one-euro"])
    "The distance that a contact must move, in the device's units. Default: the fuzz of each axis."
    KeyRow("margin", \.margin, KeyType.length.orNull, of: ["hysteresis"])
  }

  private static func words(_ kinds: [String]) -> String {
    kinds.map { $0 == Kind.oneEuro.rawValue ? "a one-euro filter" : "a \($0)" }.joined(lastWith: "or")
  }
}

extension KeyType where Content == Int {
  fileprivate static let samples = KeyType(.values(stride(from: 3.0, through: 15, by: 2).map { .number($0) }))
  { value in
    if case .integer(let samples) = value.node.scalar, (3...15).contains(samples), samples % 2 == 1 {
      return samples
    }
    value.refuseNumber("give an odd number from 3 to 15")
    return nil
  }
}

extension KeyType where Content == [ContactFilter] {
  fileprivate static let filters = KeyType(
    .either([.value(.words(["none"])), .definition("filter"), .list(of: .definition("filter"))])
  ) { value in
    if value.node.text == "none" { return [] }
    guard let items = value.node.items else { return value.filter(or: ["none"]).map { [$0] } ?? [] }
    var filters: [ContactFilter] = []
    for item in items {
      let value = Value(name: "a filter", node: item, report: value.report)
      guard let filter = value.filter(or: []) else { continue }
      if filters.contains(where: { $0.kind == filter.kind }) {
        value.complain("\(filter.kind.rawValue) is there twice; remove one")
      } else {
        filters.append(filter)
      }
    }
    return filters
  }
}

extension Value {
  /// Reads a filter, or its kind alone.
  /// - Parameter words: what else may stand here.
  fileprivate func filter(or words: [String]) -> ContactFilter? {
    var draft = ContactFilter.Draft()
    let names = ContactFilter.Kind.allCases.map(\.rawValue)
    guard node.entries != nil else {
      if let kind = node.text.flatMap(ContactFilter.Kind.init) { return draft.filter(kind) }
      refuse(word: words + names, "give " + (words + names).joined(lastWith: "or"))
      return nil
    }
    guard let fields = fields(ContactFilter.keys.table),
      let kind = fields.require("kind")?.choice(ContactFilter.Kind.self)
    else { return nil }
    fields.refuseKeys(unlike: kind.rawValue)
    fields.read(ContactFilter.keys, into: &draft, of: kind.rawValue)
    return draft.filter(kind)
  }
}
