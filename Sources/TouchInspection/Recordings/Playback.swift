import TouchCore
import TouchInput
import TouchSystem

/// Plays things with times of their own in the loop, one in each turn.
package final class Playback {
  private let loop: EventLoop
  private let isPaced: Bool
  private let nextTime: () -> Timestamp?
  private let playNext, onEnd: () -> Void
  /// The time of the next thing on the monotonic clock.
  private var due = Timestamp.zero
  private var time: Timestamp?
  /// The step that plays a thing and schedules the next one. It is made once.
  private var step: () -> Void = {}

  /// The longest gap that is kept, in microseconds. A recording may have a gap of days.
  private static let longestGap: Int64 = 10_000_000

  /// Plays things at their times or at full speed. `nextTime` is on the recording's clock, nil at the end;
  /// `playNext` plays one, and `onEnd` is called in the turn after the last.
  package init(
    in loop: EventLoop, isPaced: Bool, nextTime: @escaping () -> Timestamp?,
    playNext: @escaping () -> Void, onEnd: @escaping () -> Void
  ) {
    (self.loop, self.isPaced, self.nextTime, self.playNext) = (loop, isPaced, nextTime, playNext)
    self.onEnd = onEnd
  }

  package func start() {
    due = MonotonicClock.now()
    step = { [weak self] in
      guard let self else { return }
      playNext()
      goOn()
    }
    goOn()
  }

  private func goOn() {
    guard let next = nextTime() else { return loop.again(onEnd) }
    due = due.advanced(byMicroseconds: Self.wait(from: time, to: next))
    time = next
    if isPaced && due > MonotonicClock.now() {
      _ = loop.addTimer(at: due, step)
    } else {
      loop.again(step)
    }
  }

  /// Returns the time between two things, in microseconds.
  package static func wait(from last: Timestamp?, to next: Timestamp) -> Int64 {
    guard let last else { return 0 }
    return min(max(next.microseconds(since: last), 0), longestGap)
  }
}

/// The frames of a recording's devices in the order of their times.
package struct PlayOrder {
  private let devices: [[InputFrame]]
  /// The index of each device's next frame.
  private var places: [Int]
  /// The device whose frame is next; nil at the end.
  private var earliest: Int?
  /// The time of the last frame that was taken.
  package private(set) var now = Timestamp.zero

  /// - Parameter devices: the frames of each device, in order of time.
  ///   Frames of one time are in the devices' order.
  package init(_ devices: [[InputFrame]]) {
    self.devices = devices
    places = Array(repeating: 0, count: devices.count)
    earliest = findEarliest()
  }

  /// The time of the next frame; nil at the end.
  package var nextTime: Timestamp? { earliest.map { devices[$0][places[$0]].time } }

  /// Takes the next frame and returns it with its device; nil at the end.
  package mutating func next() -> (device: Int, frame: InputFrame)? {
    guard let device = earliest else { return nil }
    let frame = devices[device][places[device]]
    places[device] += 1
    now = frame.time
    earliest = findEarliest()
    return (device, frame)
  }

  private func findEarliest() -> Int? {
    var earliest: Int?
    for device in devices.indices where places[device] < devices[device].count {
      if let other = earliest, devices[other][places[other]].time <= devices[device][places[device]].time {
        continue
      }
      earliest = device
    }
    return earliest
  }
}
