import TouchCore
import TouchViews

extension ConfigurationReader {
  mutating func readInput(_ fields: Fields<InputKey>?) {
    guard let fields else { return }
    if let cursor = fields[.cursor]?.choice(PointerVisibility.self) {
      configuration.input.cursor = cursor
    }
    if let taps = fields[.taps]?.fields(TapsKey.self) {
      if let interval = taps[.interval]?.number(in: .duration) {
        configuration.input.taps.interval = interval
      }
      if let distance = taps[.distance]?.number(in: .length) { configuration.input.taps.distance = distance }
    }
    if let keyboard = fields[.keyboard]?.fields(KeyboardKey.self) {
      let advice = "give a name of xkeyboard-config, such as de"
      configuration.input.keyboard.layout = keyboard.unlessNull(.layout)?.nonEmptyText(advice)
      configuration.input.keyboard.variant = keyboard.unlessNull(.variant)?.nonEmptyText(advice)
      configuration.input.keyboard.model = keyboard.unlessNull(.model)?.nonEmptyText(advice)
      configuration.input.keyboard.options = keyboard.unlessNull(.options)?.nonEmptyText(advice)
      if let numLock = keyboard[.numLock]?.bool() { configuration.input.keyboard.numLock = numLock }
    }
    configuration.input.rules = rules(fields[.devices])
  }

  /// A list of device rules: those of `input:`, or quirks.
  func rules(_ value: Value?) -> [DeviceRule] {
    let devices = value?.list("give a list of devices, each starting with \"- match:\"") ?? []
    return devices.compactMap { device in
      let device = Value(name: "a device", node: device.node, report: report)
      guard let fields = device.fields(DeviceRule.Key.self) else {
        if device.node.isNull { device.refuse("write match: {name: ...}, or remove the \"-\"") }
        return nil
      }
      return rule(fields)
    }
  }

  private func rule(_ fields: Fields<DeviceRule.Key>) -> DeviceRule {
    var rule = DeviceRule(place: fields.node.place)
    if let match = fields[.match]?.fields(MatchKey.self) { rule.match = self.match(match) }
    if let use = fields[.use]?.bool() { rule.isUsed = use }
    rule.calibration = fields.unlessNull(.calibration).flatMap(calibration)
    rule.calibratedFor = fields[.calibratedFor]?.fields(CalibratedForKey.self).map(calibratedFor)
    if let rotation = fields[.rotation]?.choice(DisplayGeometry.Rotation.self) { rule.rotation = rotation }
    if let output = fields.unlessNull(.output)?.numbers([
      ("x", .coordinate), ("y", .coordinate), ("width", .extent), ("height", .extent),
    ]) {
      rule.output = WindowRect(x: output[0], y: output[1], width: output[2], height: output[3])
    }
    if let grab = fields[.grab]?.bool() { rule.isGrabbed = grab }
    if let filter = fields.unlessNull(.filter) { rule.filters = filters(filter) }
    rule.speed = fields.unlessNull(.speed)?.number(in: NumberRange(lower: 0.01, upper: 100))
    if let scanner = fields.unlessNull(.scanner).flatMap(scanner) { rule.scanner = scanner }
    rule.given = Set(fields.entries.map(\.key).filter { fields.unlessNull($0) != nil })
    return rule
  }

  private func match(_ fields: Fields<MatchKey>) -> DeviceMatch {
    var match = DeviceMatch()
    match.name = fields[.name]?.freeText()
    match.phys = fields[.phys]?.freeText()
    match.uniq = fields[.uniq]?.freeText()
    match.vendor = fields[.vendor]?.integer(in: 0...0xffff).map(UInt16.init)
    match.product = fields[.product]?.integer(in: 0...0xffff).map(UInt16.init)
    if let path = fields[.path],
      let text = path.nonEmptyText("give an absolute path, such as /dev/input/event0")
    {
      if text.hasPrefix("/") {
        match.path = text
      } else {
        path.refuse("give an absolute path, such as /dev/input/event0")
      }
    }
    return match
  }

  /// libinput writes the two rows of the matrix one after the other.
  private func calibration(_ value: Value) -> AffineTransform? {
    guard let rows = value.numbers(["a", "b", "c", "d", "e", "f"].map { ($0, .coordinate) }) else {
      return nil
    }
    let matrix = AffineTransform(a: rows[0], b: rows[3], c: rows[1], d: rows[4], tx: rows[2], ty: rows[5])
    guard matrix.inverse != nil else {
      value.complain(
        "the calibration maps the whole device onto a line; [1, 0, 0, 0, 1, 0] is the one that changes nothing"
      )
      return nil
    }
    return matrix
  }

  /// `true`, `false`, or how it types.
  private func scanner(_ value: Value) -> ScannerUse? {
    if case .bool(let isScanner) = value.node.scalar {
      return isScanner ? .always(ScannerSettings()) : .never
    }
    let advice = "give true, false, or a mapping with pause or end"
    guard let fields = value.fields(ScannerKey.self, advice) else { return nil }
    var settings = ScannerSettings()
    if let pause = fields[.pause]?.number(in: NumberRange(lower: 0.01, upper: 2)) { settings.pause = pause }
    if let end = fields[.end]?.choice(ScannerSettings.End.self) { settings.end = end }
    return .always(settings)
  }

  private func calibratedFor(_ fields: Fields<CalibratedForKey>) -> DeviceRule.CalibratedFor {
    var made = DeviceRule.CalibratedFor()
    made.displayRotation = fields.unlessNull(.rotation)?.choice(DisplayGeometry.Rotation.self)
    guard let axes = fields.unlessNull(.axes) else { return made }
    let names = ["the minimum of x", "the maximum of x", "the minimum of y", "the maximum of y"]
    guard let items = axes.node.items, items.count == names.count else {
      axes.refuse("give [minimum x, maximum x, minimum y, maximum y]")
      return made
    }
    let values = zip(items, names).compactMap { item, name in
      Value(name: "\(name) in axes", node: item, report: report)
        .integer(in: Int(Int32.min)...Int(Int32.max)).map { Int32($0) }
    }
    if values.count == names.count { made.axes = values }
    return made
  }
}

extension ConfigurationReader {
  /// `none`, a filter, or a list of filters.
  func filters(_ value: Value) -> [ContactFilter] {
    if value.node.text == "none" { return [] }
    guard let items = value.node.items else { return filter(value, or: ["none"]).map { [$0] } ?? [] }
    var filters: [ContactFilter] = []
    for item in items {
      let value = Value(name: "a filter", node: item, report: report)
      guard let filter = filter(value, or: []) else { continue }
      if filters.contains(where: { $0.kind == filter.kind }) {
        value.complain("\(filter.kind.rawValue) is there twice; remove one")
      } else {
        filters.append(filter)
      }
    }
    return filters
  }

  /// - Parameter words: what else may stand here.
  private func filter(_ value: Value, or words: [String]) -> ContactFilter? {
    guard value.node.entries != nil else { return kind(value, or: words).flatMap { filter($0, nil) } }
    guard let fields = value.fields(FilterKey.self),
      let kind = fields.require(.kind, advice(or: [])).flatMap({ kind($0, or: []) })
    else { return nil }
    refuseKeysThatDoNotFit(kind, fields)
    return filter(kind, fields)
  }

  private func advice(or words: [String]) -> String {
    "give " + (words + ContactFilter.Kind.allCases.map(\.rawValue)).joined(lastWith: "or")
  }

  private func kind(_ value: Value, or words: [String]) -> ContactFilter.Kind? {
    if let text = value.node.text, let kind = ContactFilter.Kind(rawValue: text) { return kind }
    let names = words + ContactFilter.Kind.allCases.map(\.rawValue)
    let name = value.node.text.flatMap { Suggestion.nearest(to: $0, among: names) }
    value.refuse(name.map { "did you mean \"\($0)\"?" } ?? advice(or: words))
    return nil
  }

  /// - Parameter fields: nil for a filter that is named and no more.
  private func filter(_ kind: ContactFilter.Kind, _ fields: Fields<FilterKey>?) -> ContactFilter? {
    switch kind {
    case .debounce:
      let time = fields?[.milliseconds].map { $0.integer(in: 1...1000) } ?? 20
      return time.map { .debounce(milliseconds: $0) }
    case .median:
      let samples = fields?[.samples].map(samples) ?? 3
      return samples.map { .median(samples: $0) }
    case .oneEuro:
      let standard = OneEuroSettings()
      let cutoff =
        fields?[.minimumCutoff].map { $0.number(in: NumberRange(lower: 0.1, upper: 100)) }
        ?? standard.minimumCutoff
      let slope =
        fields?[.beta].map { $0.number(in: NumberRange(lower: 0, upper: 1000)) } ?? standard.slope
      guard let cutoff, let slope else { return nil }
      return .oneEuro(OneEuroSettings(minimumCutoff: cutoff, slope: slope))
    case .hysteresis:
      guard let margin = fields?.unlessNull(.margin) else { return .hysteresis(margin: nil) }
      return margin.number(in: .length).map { .hysteresis(margin: $0) }
    }
  }

  private func samples(_ value: Value) -> Int? {
    if case .integer(let samples) = value.node.scalar, (3...15).contains(samples), samples % 2 == 1 {
      return samples
    }
    value.refuseNumber("give an odd number from 3 to 15")
    return nil
  }

  private func refuseKeysThatDoNotFit(_ kind: ContactFilter.Kind, _ fields: Fields<FilterKey>) {
    for (key, place) in fields.keys {
      let owner: ContactFilter.Kind
      switch key {
      case .kind: continue
      case .milliseconds: owner = .debounce
      case .samples: owner = .median
      case .minimumCutoff, .beta: owner = .oneEuro
      case .margin: owner = .hysteresis
      }
      guard owner != kind else { continue }
      fields.refuse(key, at: place, of: owner.shown, in: kind.shown)
    }
  }
}

extension ContactFilter.Kind {
  fileprivate var shown: String {
    switch self {
    case .debounce: "a debounce"
    case .median: "a median"
    case .oneEuro: "a one-euro filter"
    case .hysteresis: "a hysteresis"
    }
  }
}
