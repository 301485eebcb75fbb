/// The number that a control holds, such as a slider, and the numbers that it can be.
public struct ControlValue: Hashable, Sendable {
  /// What the control holds. Setting it takes the nearest that the limits and the step allow; NaN changes
  /// nothing.
  public var number: Double {
    get { stored }
    set { if !newValue.isNaN { stored = nearest(to: newValue) } }
  }
  private var stored: Double
  /// The smallest number.
  public private(set) var minimum: Double
  /// The largest number; not below the smallest.
  public private(set) var maximum: Double
  /// How far apart the numbers are, counted from `minimum`; 0 for any number between the limits.
  public let step: Double
  /// Whether the value is true (1) or false (0), as a switch's is.
  public let isFlag: Bool

  /// - Parameter number: `nearest` one counts; not a number is the minimum.
  public init(_ number: Double, minimum: Double = 0, maximum: Double = 1, step: Double = 0) {
    self.minimum = minimum
    self.maximum = max(minimum, maximum)
    self.step = step > 0 ? step : 0
    isFlag = false
    stored = minimum
    self.number = number
  }

  /// True or false. (`UISwitch.isOn`.)
  public init(isOn: Bool) {
    (minimum, maximum, step, isFlag) = (0, 1, 1, true)
    stored = isOn ? 1 : 0
  }

  /// Whether a flag is true.
  public var isOn: Bool { number >= 0.5 }

  /// How far the number is from the minimum to the maximum: 0 to 1.
  public var fraction: Double { maximum > minimum ? (stored - minimum) / (maximum - minimum) : 0 }

  /// Changes the limits. The number follows, and so does the other limit if it would be on the wrong side.
  /// (`UISlider.minimumValue`.)
  mutating func setLimits(minimum: Double? = nil, maximum: Double? = nil) {
    if let minimum { (self.minimum, self.maximum) = (minimum, max(minimum, self.maximum)) }
    if let maximum { (self.minimum, self.maximum) = (min(self.minimum, maximum), maximum) }
    stored = nearest(to: stored)
  }

  private func nearest(to number: Double) -> Double {
    let number = min(max(number, minimum), maximum)
    guard step > 0 else { return number }
    // Counted from the minimum, so that no error adds up; the last step may reach beyond the maximum.
    let rounded = minimum + ((number - minimum) / step).rounded() * step
    // 3 × 0.1 is above 0.3 by rounding alone.
    guard rounded > maximum else { return rounded }
    return rounded - maximum < step * 1e-6 ? maximum : rounded - step
  }

  /// The value for people: a number with as many decimals as the step has, and two where there is no step; or `true` or
  /// `false`.
  public var text: String { isFlag ? (isOn ? "true" : "false") : Self.text(of: number, decimals: decimals) }

  private var decimals: Int {
    step > 0 ? max(Self.decimals(of: step), Self.decimals(of: minimum)) : 2
  }

  /// How many decimals a number is written with, at most 9.
  private static func decimals(of number: Double) -> Int {
    var (scaled, decimals) = (abs(number), 0)
    while decimals < 9, abs(scaled - scaled.rounded()) > 1e-9 * max(1, scaled) {
      scaled *= 10
      decimals += 1
    }
    return decimals
  }

  /// The standard library has no format with a fixed number of decimals, and the core imports nothing.
  private static func text(of number: Double, decimals: Int) -> String {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = (number * power).rounded()
    guard decimals > 0, abs(scaled) < 1e15 else { return number.rounded().numeral }
    let digits = String(Int(abs(scaled)))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return (scaled < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}
