import Testing

/// A device as it is in the world: what it declares, what touchtree takes it for, and how it says that it is
/// touched.
struct RealDevice: Sendable, CustomTestStringConvertible {
  /// The events of a tap by its driver.
  enum Way: Sendable {
    /// Protocol B.
    case slots
    /// Protocol A, without and with tracking ids.
    case list, listWithIDs
    /// A button, with ABS_X and ABS_Y.
    case button(String)
    /// The same, with down and up in one frame.
    case oneFrame(String)
    /// ABS_PRESSURE in the button's place.
    case pressure
    /// By differences.
    case mouse
  }

  var name: String
  /// Bus, vendor, product and version.
  var id: String
  /// The kind that `touchtree devices` names.
  var kind: String
  /// Words of its reason.
  var says: String
  var way: Way
  var x: ClosedRange<Int>
  var y: ClosedRange<Int>
  /// The views under the corners of the display, row by row, and under its centre; nil for a device that lies
  /// as it should.
  var corners: [(x: Int, y: Int)]?
  var calibration: String?
  /// Values of x that lie outside the range, to the left and to the right.
  var beyond: (Int, Int)?
  /// The warnings in the log.
  var complaint: String?
  /// In the words of `vm-guest device`.
  var lines: [String]

  var testDescription: String { name }

  /// A display for a mouse, which has no range of its own.
  init(
    _ name: String, id: String, kind: String, says: String, way: Way, x: ClosedRange<Int> = 0...1279,
    y: ClosedRange<Int> = 0...799, beyond: (Int, Int)? = nil, calibration: String? = nil,
    corners: [(x: Int, y: Int)]? = nil, complaint: String? = nil, lines: [String]
  ) {
    self.name = name
    self.id = id
    self.kind = kind
    self.says = says
    self.way = way
    self.x = x
    self.y = y
    self.beyond = beyond
    self.calibration = calibration
    self.corners = corners
    self.complaint = complaint
    self.lines = lines
  }

  var description: GuestDevice.Description {
    GuestDevice.Description(name: name, lines: ["id \(id)"] + lines)
  }

  /// The places to touch: corners row by row, and the centre.
  var places: [(x: Int, y: Int)] {
    corners ?? [
      (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.lowerBound, y.upperBound),
      (x.upperBound, y.upperBound),
      ((x.lowerBound + x.upperBound) / 2, (y.lowerBound + y.upperBound) / 2),
    ]
  }

  /// The commands that tap one place.
  ///
  /// - Parameter number: of the tap, from 1.
  func tap(_ place: (x: Int, y: Int), number: Int) -> [String] {
    let single = "ABS_X=\(place.x) ABS_Y=\(place.y)"
    let multi = "ABS_MT_POSITION_X=\(place.x) ABS_MT_POSITION_Y=\(place.y)"
    switch way {
    case .slots:
      return ["frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(number) \(multi)", "frame ABS_MT_TRACKING_ID=-1"]
    case .list: return ["frame \(multi) SYN_MT_REPORT=0", "frame SYN_MT_REPORT=0"]
    case .listWithIDs:
      return [
        "frame ABS_MT_TOOL_TYPE=0 ABS_MT_TRACKING_ID=0 \(multi) SYN_MT_REPORT=0 BTN_TOUCH=1",
        "frame SYN_MT_REPORT=0 BTN_TOUCH=0",
      ]
    case .button(let button): return ["frame \(single) \(button)=1", "frame \(button)=0"]
    case .oneFrame(let button): return ["frame \(button)=1 \(single) MSC_SCAN=1 \(button)=0"]
    case .pressure: return ["frame \(single) ABS_PRESSURE=200", "frame ABS_X=3000 ABS_Y=3 ABS_PRESSURE=0"]
    case .mouse:
      return [
        "frame REL_X=-5000 REL_Y=-5000", "frame REL_X=\(place.x) REL_Y=\(place.y)", "frame BTN_LEFT=1",
        "frame BTN_LEFT=0",
      ]
    }
  }
}
