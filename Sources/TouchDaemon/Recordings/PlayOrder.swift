import TouchCore
import TouchInput

/// Goes through the frames of a recording's devices in the order of their times.
package struct PlayOrder {
  private let devices: [[InputFrame]]
  /// Which frame of each device comes next.
  private var places: [Int]
  /// The time of the last frame that was taken.
  package private(set) var now = Timestamp.zero

  /// - Parameter devices: the frames of each device, in order of time. Frames of one time are in the devices' order.
  package init(_ devices: [[InputFrame]]) {
    self.devices = devices
    places = Array(repeating: 0, count: devices.count)
  }

  /// The time of the next frame; nil at the end.
  package var nextTime: Timestamp? { earliest.map { devices[$0][places[$0]].time } }

  /// Takes the next frame, and says whose it is; nil at the end.
  package mutating func next() -> (device: Int, frame: InputFrame)? {
    guard let device = earliest else { return nil }
    let frame = devices[device][places[device]]
    places[device] += 1
    now = frame.time
    return (device, frame)
  }

  private var earliest: Int? {
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
