import TouchCore

/// The number that a control holds, such as a slider, with its limits and its step.
public struct ControlValue: Hashable, Sendable {
  /// The number. Setting it takes the nearest one that the limits and the step allow; NaN changes nothing.
  public var number: Double {
    get { stored }
    set { if !newValue.isNaN { stored = nearest(to: newValue) } }
  }
  private var stored: Double
  /// The smallest number.
  public private(set) var minimum: Double
  /// The largest number; not below the smallest.
  public private(set) var maximum: Double
  /// The distance of the possible numbers, counted from `minimum`; 0 for any
  /// number between the limits. The last one is `maximum`, at any distance.
  public let step: Double
  /// Whether the value is true (1) or false (0), like a switch's.
  public let isFlag: Bool

  /// - Parameters:
  ///   - number: the number. The nearest possible one is used; NaN counts as the minimum.
  ///   - minimum: the smallest number.
  ///   - maximum: the largest number.
  ///   - step: the distance of the possible numbers; 0 for any.
  public init(_ number: Double, minimum: Double = 0, maximum: Double = 1, step: Double = 0) {
    self.minimum = minimum
    self.maximum = max(minimum, maximum)
    self.step = step > 0 && step.isFinite ? step : 0
    isFlag = false
    stored = minimum
    self.number = number
  }

  /// Makes a flag that is true or false. (`UISwitch.isOn`.)
  public init(isOn: Bool) {
    (minimum, maximum, step, isFlag) = (0, 1, 1, true)
    stored = isOn ? 1 : 0
  }

  /// Whether a flag is true.
  public var isOn: Bool { number >= 0.5 }

  /// The part of the range below the number, from 0 at the minimum to 1 at the maximum.
  public var fraction: Double { maximum > minimum ? (stored - minimum) / (maximum - minimum) : 0 }

  /// Returns the value with a number between two possible ones, for pictures of a motion.
  func presenting(_ number: Double) -> ControlValue {
    var value = self
    value.stored = number
    return value
  }

  /// Changes the limits. The number follows, and so does the other limit if it
  /// would be on the wrong side. (`UISlider.minimumValue`.)
  mutating func setLimits(minimum: Double? = nil, maximum: Double? = nil) {
    if let minimum { (self.minimum, self.maximum) = (minimum, max(minimum, self.maximum)) }
    if let maximum { (self.minimum, self.maximum) = (min(self.minimum, maximum), maximum) }
    stored = nearest(to: stored)
  }

  private func nearest(to number: Double) -> Double {
    let number = min(max(number, minimum), maximum)
    guard let steps = steps(to: number) else { return number }
    // The last step may reach beyond the maximum.
    var onStep = place(of: steps.rounded())
    // 3 × 0.1 is above 0.3 by rounding alone.
    if steps > 0.5, abs(onStep - maximum) < step * 1e-6 { return maximum }
    if onStep > maximum { onStep = min(place(of: steps.rounded(.down)), maximum) }
    return maximum - number < number - onStep ? maximum : onStep
  }

  /// Returns a number on a step, counted from the minimum, which adds up no error. What rounding of binary
  /// digits adds goes: 6 × 0.1 is 0.6, and not 0.6000000000000001.
  private func place(of steps: Double) -> Double {
    guard steps > 0 else { return minimum }
    let number = minimum + steps * step
    let plain = (number * 1e9).rounded() / 1e9
    return abs(plain - number) <= 1e-12 * max(step, abs(number)) ? max(minimum, plain) : number
  }

  /// Returns the steps from the minimum to a number; nil without steps, or if any number fits them.
  private func steps(to number: Double) -> Double? {
    let steps = (number - minimum) / step
    return step > 0 && steps.isFinite ? steps : nil
  }

  /// Returns the next number above or below this one that is on a step. It may lie beyond the limits.
  /// - Parameter step: the step of a value without one.
  func neighbor(above isAbove: Bool, by step: Double) -> Double {
    // The last step before the maximum may be shorter. Going back from there leads to a number on a step.
    if !isAbove, stored == maximum, let steps = steps(to: stored), abs(steps - steps.rounded()) > 1e-6 {
      return place(of: steps.rounded(.down))
    }
    return isAbove ? stored + step : stored - step
  }

  /// The value for people: a number with as many decimals as the step has, or
  /// two without a step; else `true` or `false`.
  public var text: String { isFlag ? (isOn ? "true" : "false") : Self.text(of: number, decimals: decimals) }

  func text(separator: String) -> String { Self.separated(text, by: separator) }

  var decimalsOfStep: Int { Self.decimals(of: step) }

  func text(decimals: Int, separator: String) -> String {
    Self.separated(Self.text(of: number, decimals: decimals), by: separator)
  }

  private static func separated(_ text: String, by separator: String) -> String {
    guard separator != ".", let point = text.firstIndex(of: ".") else { return text }
    return text[..<point] + separator + text[text.index(after: point)...]
  }

  private var decimals: Int {
    guard step > 0 else { return 2 }
    let decimals = max(Self.decimals(of: step), Self.decimals(of: minimum))
    return stored == maximum ? max(decimals, Self.decimals(of: maximum)) : decimals
  }

  private static func decimals(of number: Double) -> Int {
    var (scaled, decimals) = (abs(number), 0)
    while decimals < 9, abs(scaled - scaled.rounded()) > 1e-9 * max(1, scaled) {
      scaled *= 10
      decimals += 1
    }
    return decimals
  }

  /// Writes a number with fixed decimals, without the formats that the standard library lacks.
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

package protocol NumberShowing: View {
  /// The mark between a whole number and its decimals. (`Locale.decimalSeparator`.)
  var decimalSeparator: String { get set }
}
