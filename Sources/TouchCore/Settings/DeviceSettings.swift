/// The condition for the devices of a rule: all fields that are not nil match, as the shell's patterns do,
/// the whole text, upper and lower case apart. (glob(7))
package struct DeviceMatch: Hashable, Sendable {
  /// A pattern for the device's name. (`EVIOCGNAME`.)
  package var name: String?
  /// A pattern for the device's physical path, the port where it is plugged in. (`EVIOCGPHYS`.)
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
    (self.name, self.phys, self.uniq, self.vendor) = (name, phys, uniq, vendor)
    (self.product, self.path) = (product, path)
  }
}

/// A filter of a device's contacts before they are mapped, named in the configuration because it costs time
/// or precision. Every contact's end is delivered.
package enum ContactFilter: Hashable, Sendable {
  /// Joins a contact that lifts and returns within a time, for resistive panels, whose contacts bounce.
  case debounce(milliseconds: Int)
  /// Takes the median of the last positions, of an odd number from 3, for each axis by itself.
  case median(samples: Int)
  /// Smooths slow movements and follows fast ones.
  case oneEuro(OneEuroSettings)
  /// Holds a contact until it has moved by a margin on an axis, in device units; nil for the axis' fuzz.
  case hysteresis(margin: Double?)

  package enum Kind: String, CaseIterable, Sendable {
    case debounce, median
    case oneEuro = "one-euro"
    case hysteresis
  }

  package var kind: Kind {
    switch self {
    case .debounce: .debounce
    case .median: .median
    case .oneEuro: .oneEuro
    case .hysteresis: .hysteresis
    }
  }

  /// The delay that the filter causes, as a part of a sentence.
  package var delay: String {
    switch self {
    case .debounce(let milliseconds): "every lift comes \(milliseconds) ms late"
    case .median(let samples): "moves come \(samples / 2) frame\(samples / 2 == 1 ? "" : "s") late"
    case .oneEuro(let settings):
      "slow moves trail by up to \(settings.longestDelay) ms, fast ones by 1/\(settings.slopeShown) of the range"
    case .hysteresis(.none): "moves trail by the axis' fuzz"
    case .hysteresis(.some(let margin)): "moves trail by \(margin.shown) of the device's units"
    }
  }
}

/// The settings of a one-euro filter. (Casiez, Roussel, Vogel: 1€ Filter, CHI 2012)
package struct OneEuroSettings: Hashable, Sendable {
  /// The cutoff frequency at rest, in hertz. A lower one is smoother and later.
  package var minimumCutoff: Double
  /// The rise of the cutoff in hertz, for each width (or height) of the device in a second.
  package var slope: Double
  /// The cutoff frequency of the speed itself, in hertz.
  package static let speedCutoff = 1.0

  /// - Parameter minimumCutoff: in hertz.
  package init(minimumCutoff: Double = 1, slope: Double = 20) {
    (self.minimumCutoff, self.slope) = (minimumCutoff, slope)
  }

  /// The filter's time constant at rest, in milliseconds.
  var longestDelay: Int { Int(saturating: (1000 / (2 * Double.pi * minimumCutoff)).rounded()) }

  /// The share of the range by which a fast contact trails, as a divisor: speed ÷ (2π · slope · speed).
  var slopeShown: Int { max(1, Int(saturating: (2 * Double.pi * slope).rounded())) }
}

/// The interpretation of a device's keys: a barcode scanner's or a person's.
package enum ScannerUse: Hashable, Sendable {
  /// A scanner's, if the keys come as fast as a scanner's do.
  case automatic
  /// A person's, however fast the keys come.
  case never
  /// A scanner's: the keys are read as whole texts, and press nothing.
  case always(ScannerSettings)

  package var isNamed: Bool {
    switch self {
    case .always: true
    case .automatic, .never: false
    }
  }
}

/// The way in which a barcode scanner types a text.
package struct ScannerSettings: Hashable, Sendable {
  /// The longest time between two keys of a text, in seconds: scanners leave up to 60 ms.
  package var pause = 0.1
  package var end = End.enter

  package enum End: String, CaseIterable, Sendable {
    /// Enter, or the keypad's enter.
    case enter
    case tab
    /// No key: a text ends with the pause.
    case none
  }

  package init() {}
}

extension Double {
  /// The number, without a fraction if it is whole.
  fileprivate var shown: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
