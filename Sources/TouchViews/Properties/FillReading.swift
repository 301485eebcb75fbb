import TouchCore

// Colours and gradients, as files and programs write them: a mapping, or where every value is a text, CSS's
// own notation.

extension PropertyType where Value == Fill {
  static var fill: Self {
    Self(.either([.color, .gradient])) { (reader) throws(PropertyError) in
      // Nothing at all may be a colour that YAML takes for a comment.
      if case .map(let entries) = reader.value, !entries.isEmpty { return .gradient(try reader.gradient()) }
      if case .text(let text) = reader.value, let opening = text.firstIndex(of: "("), !Color.isFunction(text)
      {
        guard let gradient = Gradient(css: text, opening: opening) else {
          throw reader.failure(.other, "a gradient such as \"linear-gradient(90deg, #1b2834, #0d141b)\"")
        }
        return .gradient(gradient)
      }
      return .color(try reader.color(or: ", or a gradient"))
    } write: {
      switch $0 {
      case .color(let color): .text(color.hex)
      case .gradient(let gradient): gradient.value
      }
    }
  }
}

private enum GradientKey: String, CaseIterable {
  case gradient, kind, angle, center, radius
}

extension PropertyReader {
  /// `{gradient: ["#1b2834", "#0d141b 60%"], angle: 90}`
  fileprivate func gradient() throws(PropertyError) -> Gradient {
    guard case .map(let entries) = value else { throw failure(.other, Gradient.advice) }
    var gradient = Gradient([])
    var wrong: PropertyError?
    for entry in entries {
      do throws(PropertyError) {
        try read(entry, into: &gradient)
      } catch {
        guard let others else { throw error }
        if let wrong { others.add(wrong) }
        wrong = error
      }
    }
    if let wrong { throw wrong }
    guard !gradient.stops.isEmpty else { throw failure(.other, Gradient.advice) }
    return gradient
  }

  private func read(_ entry: PropertyValue.Entry, into gradient: inout Gradient) throws(PropertyError) {
    guard let key = GradientKey(rawValue: entry.key) else {
      throw failure(noSuchKey: entry.key, known: Gradient.keys)
    }
    let part = at(.key(entry.key), entry.value)
    switch key {
    case .gradient: gradient.stops = try part.stops()
    case .kind: gradient.kind = try part.word()
    case .angle: gradient.angle = try part.number(in: .angle)
    case .center: gradient.center = try PropertyType<Point<NormalizedSpace>>.point().read(part)
    case .radius: gradient.radius = try part.number(in: .extent)
    }
  }

  private func stops() throws(PropertyError) -> [Gradient.Stop] {
    guard case .list(let items) = value, (2...Gradient.mostStops).contains(items.count) else {
      throw failure(
        .other, "a list of 2 to \(Gradient.mostStops) colours, such as [\"#1b2834\", \"#0d141b\"]")
    }
    var written: [(color: Color, place: Double?)] = []
    for (index, item) in items.enumerated() {
      let reader = at(.item(index, name: "colour \(index + 1)"), item)
      guard case .text(let text) = item, let stop = Gradient.stop(text) else {
        throw reader.failure(
          .other, "a colour such as \"#0a84ff\", with its place or without: \"#0a84ff 40%\"")
      }
      written.append(stop)
    }
    return Gradient.placed(written)
  }
}

extension Gradient {
  /// The fills in the form of a file.
  package static let keys = GradientKey.allCases.map(\.rawValue)

  /// More stops than anybody tells apart.
  fileprivate static let mostStops = 16
  fileprivate static let advice = "{gradient: [\"#1b2834\", \"#0d141b\"], angle: 90}"

  /// The fill in the form of a file.
  fileprivate var value: PropertyValue {
    let isEven = stops.indices.allSatisfy { stops[$0].place == Self.even($0, of: stops.count) }
    let colors = stops.map { stop in
      PropertyValue.text(stop.color.hex + (isEven ? "" : " \((stop.place * 100).numeral)%"))
    }
    var entries = [PropertyValue.Entry(key: GradientKey.gradient.rawValue, value: .list(colors))]
    func add(_ key: GradientKey, _ value: PropertyValue) {
      entries.append(PropertyValue.Entry(key: key.rawValue, value: value))
    }
    if kind != .linear { add(.kind, .text(kind.rawValue)) }
    if kind != .radial { add(.angle, .number(angle)) }
    if kind != .linear { add(.center, .numbers(center.x, center.y)) }
    if kind == .radial { add(.radius, .number(radius)) }
    return .map(entries)
  }

  /// A colour, with its place or without: `#0d141b 60%`.
  fileprivate static func stop(_ text: some StringProtocol) -> (color: Color, place: Double?)? {
    let words = text.split(separator: " ")
    guard (1...2).contains(words.count), let color = Color(String(words[0])) else { return nil }
    guard words.count == 2 else { return (color, nil) }
    guard let place = part(words[1]) else { return nil }
    return (color, place)
  }

  /// `60%` as a fraction from 0 to 1.
  private static func part(_ text: some StringProtocol) -> Double? {
    guard text.last == "%", let percent = Double(text.dropLast()), (0...100).contains(percent) else {
      return nil
    }
    return percent / 100
  }

  /// Gives each stop its place: the first and the last one are at the ends, others without one lie evenly
  /// between their neighbours, and none lies before the one before it. (CSS Images Module Level 3, 3.4.3.)
  fileprivate static func placed(_ written: [(color: Color, place: Double?)]) -> [Stop] {
    var places = written.map(\.place)
    guard let last = places.indices.last else { return [] }
    places[0] = places[0] ?? 0
    places[last] = places[last] ?? 1
    var known = 0
    for index in places.indices {
      guard let place = places[index] else { continue }
      let start = places[known] ?? 0
      places[index] = max(place, start)
      for between in known..<index where between > known {
        places[between] =
          start + (max(place, start) - start) * Double(between - known) / Double(index - known)
      }
      known = index
    }
    return written.indices.map { Stop(written[$0].color, at: places[$0] ?? 1) }
  }

  /// `linear-gradient(90deg, #1b2834, #0d141b 60%)`, `radial-gradient(at 50% 0%, …)`,
  /// `conic-gradient(from 30deg, …)`; nil for anything else. (CSS Images Module Level 3 and 4.)
  fileprivate init?(css text: String, opening: String.Index) {
    self.init([])
    let name = text[..<opening]
    guard text.last == ")", name.hasSuffix("-gradient"), let kind = Kind(rawValue: String(name.dropLast(9)))
    else { return nil }
    self.kind = kind
    if kind == .conic { angle = 0 }
    var written: [(color: Color, place: Double?)] = []
    let items = text[text.index(after: opening)...].dropLast().split(
      separator: ",", omittingEmptySubsequences: false)
    for (index, item) in items.enumerated() {
      if let stop = Self.stop(item) {
        written.append(stop)
      } else if index > 0 || !readShape(item) {
        return nil
      }
    }
    guard (2...Self.mostStops).contains(written.count) else { return nil }
    stops = Self.placed(written)
  }

  private mutating func readShape(_ text: Substring) -> Bool {
    var words = text.split(separator: " ")
    if kind != .radial {
      if kind == .conic, words.first == "from" { words.removeFirst() }
      if let first = words.first, first.hasSuffix("deg") {
        guard let angle = Double(first.dropLast(3)), NumberRange.angle.contains(angle) else { return false }
        self.angle = angle
        words.removeFirst()
      }
    }
    if kind != .linear, words.count == 3, words[0] == "at" {
      guard let x = Self.part(words[1]), let y = Self.part(words[2]) else { return false }
      center = Point(x: x, y: y)
      words.removeAll()
    }
    return words.isEmpty
  }
}
