import TouchCore
import TouchDaemon
import TouchInput

/// Writes what the monitor sees.
protocol MonitorWriter {
  /// A device is looked at from now on.
  mutating func came(_ device: DeviceDescription, _ use: MonitoredUse)
  mutating func went(_ device: DeviceDescription, because reason: String, _ outcome: MonitoredOutcome)
  mutating func frame(_ frame: MonitoredFrame)
  /// Time passed, and a filter let go of something, or a gesture was decided.
  mutating func deadline(of device: DeviceDescription, at time: Timestamp, _ outcome: MonitoredOutcome)
  /// How fast a device reports, told whenever the last finger lifts.
  mutating func rate(_ rate: ReportRate, of device: DeviceDescription)
  /// Something that the device must not do.
  mutating func notice(_ notice: InputNotice, of device: DeviceDescription)
}
