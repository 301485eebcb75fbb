import TouchInput
import TouchSystem

/// The fields of a touchscreen in a HID report descriptor. (Device Class Definition for HID 1.11, 6.2.2.)
struct HIDDescriptor {
  struct Field {
    /// The usages of touchscreens. (HID Usage Tables, Digitizer Page 0x0d and Generic Desktop Page 0x01.)
    enum Usage: UInt32 {
      case tip = 0x0d_0042
      case contactID = 0x0d_0051
      case contactCount = 0x0d_0054
      case x = 0x01_0030
      case y = 0x01_0031
    }

    var usage: Usage
    /// The report's number; 0 for a device with one kind of report.
    var report: UInt8
    /// The place and the size in bits, without the byte of the report's number.
    var start: Int
    var size: Int
    var axis: AxisRange
    /// The finger's place in the report, from 0; nil for a number of the whole report.
    var finger: Int?
  }

  private(set) var fields: [Field] = []
  private(set) var hasNumbers = false

  /// The most values of one item, and the largest report in bits. (kernel HID_MAX_USAGES,
  /// HID_MAX_BUFFER_SIZE.)
  private static let (mostUsages, mostBits) = (12_288, 16_384 * 8)
  private static let deepest = 64
  /// The most numbers of touchscreens, more than a hundred fingers have.
  private static let mostFields = 1024
  private static let touchScreen: UInt32 = 0x0d_0004
  private static let finger: UInt32 = 0x0d_0022

  /// The state that items of the type Global set, and Push and Pop keep.
  private struct Globals {
    var page: UInt32 = 0
    var axis = (minimum: 0, maximum: 0)
    var length = (minimum: 0, maximum: 0)
    var exponent = 0
    var unit: UInt32 = 0
    var size = 0
    var count = 0
    var report: UInt8 = 0
  }

  /// - Throws: for a descriptor that ends within an item, and for more than the kernel takes.
  init(_ bytes: [UInt8]) throws(Failure) {
    var globals = Globals()
    var kept: [Globals] = []
    var usages: [UInt32] = []
    var range: UInt32?
    var collections: [UInt32] = []
    var bits: [UInt8: Int] = [:]
    var fingers: [UInt8: Int] = [:]
    var place = 0
    while place < bytes.count {
      let prefix = bytes[place]
      // A long item has its size in the next byte, and no meaning.
      if prefix == 0xfe {
        place += 3 + Int(place + 1 < bytes.count ? bytes[place + 1] : 0)
        continue
      }
      let size = [0, 1, 2, 4][Int(prefix & 3)]
      guard place + 1 + size <= bytes.count else {
        throw Failure("the report descriptor ends within an item")
      }
      let raw = bytes[(place + 1)..<(place + 1 + size)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let isNegative = size > 0 && raw >> (8 * size - 1) == 1
      let signed = Int(raw) - (isNegative ? 1 << (8 * size) : 0)
      place += 1 + size
      let usage = size == 4 ? raw : globals.page << 16 | raw
      switch prefix & 0xfc {
      case 0x04: globals.page = raw & 0xffff
      case 0x14: globals.axis.minimum = signed
      // A maximum below a minimum of at least 0 was meant without a sign.
      case 0x24: globals.axis.maximum = globals.axis.minimum < 0 ? signed : Int(raw)
      case 0x34: globals.length.minimum = signed
      case 0x44: globals.length.maximum = globals.length.minimum < 0 ? signed : Int(raw)
      // Four bits with a sign, in a byte.
      case 0x54: globals.exponent = Int(Int8(bitPattern: UInt8(raw & 0xf) << 4) >> 4)
      case 0x64: globals.unit = raw
      case 0x74: globals.size = Int(raw)
      case 0x84: (globals.report, hasNumbers) = (UInt8(raw & 0xff), true)
      case 0x94: globals.count = Int(raw)
      case 0xa4 where kept.count < Self.deepest: kept.append(globals)
      case 0xb4: globals = kept.popLast() ?? globals
      case 0x08: usages.append(usage)
      case 0x18: range = usage
      case 0x28:
        guard let first = range, usage >= first, usage - first < UInt32(Self.mostUsages) else { break }
        usages += Array(first...usage)
        range = nil
      case 0xa0:
        guard collections.count < Self.deepest else {
          throw Failure("the report descriptor is nested too deep")
        }
        collections.append(usages.first ?? 0)
        if usages.first == Self.finger { fingers[globals.report, default: 0] += 1 }
        usages.removeAll()
      case 0xc0: _ = collections.popLast()
      case 0x80:
        let start = bits[globals.report, default: 0]
        guard globals.size <= Self.mostBits, globals.count <= Self.mostBits,
          start + globals.size * globals.count <= Self.mostBits
        else { throw Failure("the report descriptor has a report that is larger than any the kernel takes") }
        bits[globals.report] = start + globals.size * globals.count
        // Constants fill a report up, and lists of what is pressed belong to keys.
        guard fields.count < Self.mostFields else {
          throw Failure("the report descriptor has too many fingers")
        }
        if raw & 3 == 2, collections.contains(Self.touchScreen) {
          let number = collections.contains(Self.finger) ? fingers[globals.report].map { $0 - 1 } : nil
          for index in 0..<min(globals.count, usages.isEmpty ? 0 : Self.mostFields) {
            add(usages[min(index, usages.count - 1)], globals, at: start + index * globals.size, number)
          }
        }
        usages.removeAll()
      case 0x90, 0xb0: usages.removeAll()
      default: break
      }
      guard usages.count <= Self.mostUsages else {
        throw Failure("the report descriptor has too many usages")
      }
    }
  }

  private mutating func add(_ usage: UInt32, _ globals: Globals, at start: Int, _ finger: Int?) {
    guard let usage = Field.Usage(rawValue: usage), (1...32).contains(globals.size) else { return }
    let axis = AxisRange(
      minimum: Int32(clamping: globals.axis.minimum), maximum: Int32(clamping: globals.axis.maximum),
      resolution: Self.resolution(globals))
    // A touchscreen for one finger may have no collection for it.
    fields.append(
      Field(
        usage: usage, report: globals.report, start: start, size: globals.size, axis: axis,
        finger: usage == .contactCount ? nil : finger ?? 0))
  }

  /// Returns the units a millimetre; 0 if the descriptor has no length. (kernel `hidinput_calc_abs_res`.)
  private static func resolution(_ globals: Globals) -> Int32 {
    var units = Double(globals.axis.maximum - globals.axis.minimum)
    var length = Double(globals.length.maximum - globals.length.minimum)
    // Centimetres, or inches.
    guard units > 0, length > 0, globals.unit == 0x11 || globals.unit == 0x13 else { return 0 }
    length *= globals.unit == 0x11 ? 10 : 25.4
    for _ in 0..<abs(globals.exponent) {
      if globals.exponent > 0 { length *= 10 } else { units *= 10 }
    }
    return Int32(clamping: Int((units / length).rounded()))
  }
}
