import TouchCore
import TouchYAML

/// Gathers a device's description from the `evdev` part of libinput's format.
struct LibinputDescription {
  private var name: String?
  private var ids: [UInt16] = []
  private var recorded = RecordedCapabilities()
  private var hasCodes = false

  /// The device, or nil when its name, its id or its codes are missing.
  var device: DeviceDescription? {
    guard let name, ids.count == 4, hasCodes else { return nil }
    return DeviceDescription(
      name: name, bus: ids[0], vendor: ids[1], product: ids[2], version: ids[3],
      capabilities: recorded.capabilities)
  }

  mutating func read(_ walk: YAMLWalk) throws(YAMLProblem) {
    try walk.eachKey(of: "evdev") { key throws(YAMLProblem) in
      switch key {
      case "name": name = try walk.text("the name")
      case "id": ids = try Self.numbers(walk, "the id", in: 0...UInt16.max, count: 4...4)
      case "codes": try readCodes(walk)
      case "absinfo": try readAxes(walk)
      case "properties":
        recorded.properties = Set(
          try Self.numbers(walk, "the properties", in: 0...RecordedCapabilities.lastProperty, count: 0...32))
      default: try walk.skip()
      }
    }
  }

  private mutating func readCodes(_ walk: YAMLWalk) throws(YAMLProblem) {
    hasCodes = true
    try walk.eachKey(of: "codes") { key throws(YAMLProblem) in
      let type = try walk.number(in: key, "the event type", 0...RecordedCapabilities.lastType)
      let last = RecordedCapabilities.lastCode(of: type)
      recorded.codes[type] = Set(
        try Self.numbers(walk, "the codes of event type \(type)", in: 0...last, count: 0...Int(last) + 1))
    }
  }

  /// `code: [minimum, maximum, fuzz, flat, resolution]`
  private mutating func readAxes(_ walk: YAMLWalk) throws(YAMLProblem) {
    try walk.eachKey(of: "absinfo") { key throws(YAMLProblem) in
      let code = try walk.number(in: key, "the axis", 0...RecordedCapabilities.lastCode(of: EventCode.abs))
      let numbers = try Self.numbers(walk, "the axis \(code)", in: Int32.min...Int32.max, count: 5...6)
      recorded.axes[code] = AxisRange(
        minimum: numbers[0], maximum: numbers[1], fuzz: numbers[2], flat: numbers[3], resolution: numbers[4])
    }
  }

  static func numbers<Number: FixedWidthInteger>(
    _ walk: YAMLWalk, _ what: String, in range: ClosedRange<Number>, count: ClosedRange<Int>
  ) throws(YAMLProblem) -> [Number] {
    var numbers: [Number] = []
    try walk.eachItem(of: what) { () throws(YAMLProblem) in
      numbers.append(try walk.number(what, in: range))
      guard numbers.count <= count.upperBound else {
        throw YAMLProblem(
          place: walk.place, message: "there are more numbers than \(count.upperBound) in \(what)")
      }
    }
    guard numbers.count >= count.lowerBound else {
      throw YAMLProblem(
        place: walk.place,
        message: "there are \(numbers.count) numbers in \(what), not \(count.lowerBound)")
    }
    return numbers
  }
}
