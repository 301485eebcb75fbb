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

/// What may be done to a device's contacts before they are mapped. Every filter costs time or nearness, so each is
/// asked for by name.
///
/// A filter moves a contact, or bridges a gap in it. Every contact's end is delivered.
package enum ContactFilter: Hashable, Sendable {
  /// A contact that lifts and is back within this time has not lifted. For resistive panels, whose contacts bounce.
  case debounce(milliseconds: Int)
  /// The middle one of the last few positions, each axis by itself: one wild position is not seen at all.
  ///
  /// - Parameter samples: odd, at least 3.
  case median(samples: Int)
  /// Smooths what moves slowly, and follows what moves fast.
  case oneEuro(OneEuroSettings)
  /// A contact rests until it has moved by more than a margin.
  ///
  /// - Parameter margin: in device units, on each axis; nil for each axis' own fuzz.
  case hysteresis(margin: Double?)

  /// How the filter is called in a configuration.
  package enum Kind: String, CaseIterable, Sendable {
    case debounce, median
    case oneEuro = "one-euro"
    case hysteresis
  }

  /// Which filter it is, without its parameters.
  package var kind: Kind {
    switch self {
    case .debounce: .debounce
    case .median: .median
    case .oneEuro: .oneEuro
    case .hysteresis: .hysteresis
    }
  }

  /// What the filter costs, as a part of a sentence.
  package var delay: String {
    switch self {
    case .debounce(let milliseconds): "every lift comes \(milliseconds) ms late"
    case .median(let samples):
      "moves come \(samples / 2) frame\(samples / 2 == 1 ? "" : "s") late"
    case .oneEuro(let settings):
      "slow moves trail by up to \(settings.longestDelay) ms, fast ones by 1/\(settings.slopeShown) of the range"
    case .hysteresis(.none): "moves trail by the axis' fuzz"
    case .hysteresis(.some(let margin)): "moves trail by \(margin.shown) of the device's units"
    }
  }
}

/// How a one-euro filter weighs smoothness against delay.
/// (Casiez, Roussel, Vogel: 1€ Filter, CHI 2012.)
package struct OneEuroSettings: Hashable, Sendable {
  /// The cutoff frequency at rest, in hertz: lower is smoother, and later.
  package var minimumCutoff: Double
  /// By how many hertz the cutoff rises for each width (or height) of the device that a contact moves in a second.
  /// Measured so, one value suits devices of any resolution.
  package var slope: Double
  /// The cutoff frequency of the speed itself, in hertz.
  package static let speedCutoff = 1.0

  /// The cutoff is in hertz.
  package init(minimumCutoff: Double = 1, slope: Double = 20) {
    self.minimumCutoff = minimumCutoff
    self.slope = slope
  }

  /// The filter's time constant at rest, in milliseconds.
  var longestDelay: Int { Int(saturating: (1000 / (2 * Double.pi * minimumCutoff)).rounded()) }

  /// How much of the range a fast contact trails by, as a divisor: speed ÷ (2π · slope · speed).
  var slopeShown: Int { max(1, Int(saturating: (2 * Double.pi * slope).rounded())) }
}

/// Whether what a device types is a barcode scanner's.
package enum ScannerUse: Hashable, Sendable {
  /// A scanner's if it is typed as fast as a scanner does.
  case automatic
  /// A person's, however fast it is typed.
  case never
  /// A scanner's: it is read as whole texts, and presses nothing.
  case always(ScannerSettings)

  /// Whether a rule names the device as a scanner.
  package var isNamed: Bool {
    switch self {
    case .always: true
    case .automatic, .never: false
    }
  }
}

/// How a barcode scanner types a text.
package struct ScannerSettings: Hashable, Sendable {
  /// The longest time between two keys of one text, in seconds. Scanners leave up to 60 ms between two keys,
  /// and a busy host adds to that.
  package var pause = 0.1
  /// The key that ends a text.
  package var end = End.enter

  /// The key that ends a text.
  package enum End: String, CaseIterable, Sendable {
    /// Enter, also that of the keypad.
    case enter
    /// Tab.
    case tab
    /// No key: a text ends with the pause.
    case none
  }

  package init() {}
}

extension Double {
  /// A whole number without a fraction.
  fileprivate var shown: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
