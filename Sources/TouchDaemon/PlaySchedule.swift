import TouchCore

/// The frames of a recording's devices, in the order of their times.
struct PlaySchedule {
  struct Entry: Hashable {
    /// Which device, and which of its frames.
    var device: Int
    var frame: Int
    /// How long after the first frame, in microseconds.
    var due: Int64
  }

  let entries: [Entry]
  /// The time of the last frame, on the recording's clock.
  let end: Timestamp

  /// A recording may have a gap of days in it; in microseconds.
  private static let longestGap: Int64 = 10_000_000

  /// - Parameter devices: the frames of each device, in order of time. Frames of one time are in the devices' order.
  init(_ devices: [[InputFrame]]) {
    var places = Array(repeating: 0, count: devices.count)
    var entries: [Entry] = []
    entries.reserveCapacity(devices.reduce(0) { $0 + $1.count })
    var last: Timestamp?
    var due: Int64 = 0
    while let device = Self.earliest(devices, places) {
      let time = devices[device][places[device]].time
      if let last { due += min(max(time.microseconds - last.microseconds, 0), Self.longestGap) }
      last = time
      entries.append(Entry(device: device, frame: places[device], due: due))
      places[device] += 1
    }
    self.entries = entries
    end = last ?? .zero
  }

  /// The device whose next frame comes first; nil when all were taken.
  private static func earliest(_ devices: [[InputFrame]], _ places: [Int]) -> Int? {
    var earliest: Int?
    for device in devices.indices where places[device] < devices[device].count {
      guard let other = earliest else {
        earliest = device
        continue
      }
      if devices[device][places[device]].time < devices[other][places[other]].time { earliest = device }
    }
    return earliest
  }
}
