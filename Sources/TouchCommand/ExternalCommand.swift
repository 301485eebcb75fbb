/// The commands that are typed as commands of `touchtree`, and are in programs of their own, which touchtree
/// becomes.
package enum ExternalCommand: String, CaseIterable {
  case calibrate, test, monitor, record, bridge, raw, report
  case preview, push, rehearse
  case languageServer = "language-server"

  package var program: ExternalProgram {
    switch self {
    case .calibrate, .test, .monitor, .record, .bridge, .raw, .report: .instrument
    case .preview, .push, .rehearse, .languageServer: .preview
    }
  }

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
    case .preview: "Touch a panel in a browser while its file is written."
    case .push: "Show a panel on a board, by ssh."
    case .rehearse: "Test a panel by a file of touches and expectations, without a display."
    case .languageServer: "Serve editors: errors while typing, completion, hover, definitions, renaming."
    }
  }
}

/// A program that touchtree becomes, as git becomes its commands. Its name is that of its package.
package enum ExternalProgram: String {
  /// Measures, records and repairs touchscreens.
  case instrument = "touchtree-instrument"
  /// Shows a panel in a browser while it is written, and sends it to a board.
  case preview = "touchtree-preview"
}
