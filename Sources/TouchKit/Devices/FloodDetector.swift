import TouchCore
import TouchInput

/// Detects a device that reports too much, and lost events. It
/// complains once, and again after at least a minute.
package struct FloodDetector {
  package enum Complaint: Hashable {
    /// The device reports this many frames a second.
    case flood(Int)
    /// The kernel's buffer overran.
    case lost

    package var sentence: String {
      switch self {
      case .flood(let rate):
        "reports \(rate) frames a second, more than any finger needs; it is used all the same"
      case .lost:
        "was not read in time, or reports too much: the kernel dropped events; touches that changed since "
          + "are cancelled"
      }
    }
  }

  /// The most frames a second. The fastest game mice report 8000.
  package static let most = 10_000
  /// The least time between two complaints, in microseconds.
  package static let pause: Int64 = 60_000_000
  private static let second: Int64 = 1_000_000

  private var start: Timestamp?
  private var frames = 0
  private var lastComplaint: Timestamp?

  /// Counts a frame, and returns a complaint when one is due.
  package mutating func count(_ frame: InputFrame) -> Complaint? {
    guard let start else {
      // Events during the opening are lost on purpose. (`EVIOCSCLOCKID` empties the kernel's buffer.)
      self.start = frame.time
      return nil
    }
    if case .resync = frame.cause { return complain(.lost, at: frame.time) }
    frames += 1
    let elapsed = frame.time.microseconds(since: start)
    guard elapsed >= Self.second else { return nil }
    let rate = Int(Int64(frames) * Self.second / elapsed)
    self.start = frame.time
    frames = 0
    return rate > Self.most ? complain(.flood(rate), at: frame.time) : nil
  }

  private mutating func complain(_ complaint: Complaint, at time: Timestamp) -> Complaint? {
    if let lastComplaint, time.microseconds(since: lastComplaint) < Self.pause { return nil }
    lastComplaint = time
    return complaint
  }
}
