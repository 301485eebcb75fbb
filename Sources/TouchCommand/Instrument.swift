/// The commands that measure, record and repair touchscreens. They are in a program of their own, `touchtree-instrument`,
/// and are typed as commands of `touchtree`, which starts it.
package enum Instrument: String {
  case calibrate, test, monitor, record, bridge, raw, report

  /// The line of the list of commands.
  package var abstract: String {
    switch self {
    case .calibrate: "Calibrate a touchscreen: touch five crosses and a check point."
    case .test: "Measure what a touchscreen really does, and judge it."
    case .monitor:
      "Show what devices report, frame by frame, and how touchtree reads it: live, or of a recording."
    case .record: "Record what devices report until Ctrl-C."
    case .bridge: "Give other programs a repaired, calibrated and turned touchscreen."
    case .raw: "Show what a touch controller measures: a heat map, its noise, and dead rows and columns."
    case .report:
      "Write one file to send with a bug report: devices, displays, the kernel's messages, a recording."
    }
  }
}
