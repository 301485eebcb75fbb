/// A moment on the kernel's monotonic clock. The core reads no clock: times are arguments.
@frozen
public struct Timestamp: Hashable, Comparable, Sendable {
  /// The microseconds since the clock's zero (usually the boot).
  public var microseconds: Int64

  /// Makes a time, in microseconds since the zero of its clock.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The zero of the clock.
  @inlinable public static var zero: Self { Self(microseconds: 0) }

  /// Whether the first moment is earlier.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

  /// Returns the seconds from `earlier` to this moment; negative when `earlier` is later.
  @inlinable
  public func seconds(since earlier: Self) -> Double {
    Double(microseconds(since: earlier)) / 1_000_000
  }

  /// Returns the microseconds from `earlier` to this moment; negative when `earlier` is later. A difference
  /// that does not fit is the largest that does.
  @inlinable
  public func microseconds(since earlier: Self) -> Int64 {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    guard overflow else { return difference }
    return self < earlier ? .min : .max
  }

  /// Returns a later moment. A moment that does not fit is the last one, or the first, that does.
  @inlinable
  public func advanced(byMicroseconds distance: Int64) -> Self {
    let (sum, overflow) = microseconds.addingReportingOverflow(distance)
    guard overflow else { return Self(microseconds: sum) }
    return Self(microseconds: distance < 0 ? .min : .max)
  }

  /// Returns a later moment, rounded to a microsecond. NaN moves nothing.
  public func advanced(bySeconds seconds: Double) -> Self {
    guard !seconds.isNaN else { return self }
    // Longer than any clock runs, and still a number that can be added: an endless wait stays endless.
    let longest = 1e12
    let clamped = min(max(seconds, -longest), longest)
    return advanced(byMicroseconds: Int64((clamped * 1_000_000).rounded()))
  }
}
