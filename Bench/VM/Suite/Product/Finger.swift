import Testing

/// Something that can press one place of the display, whatever the device underneath is.
struct Finger: Sendable {
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Slots, with axes that begin anywhere but at 0.
    case multitouch
    case singleTouch
    case mouse
    /// QEMU's tablet, moved from outside the guest.
    case tablet

    var testDescription: String { rawValue }
  }

  let kind: Kind
  /// nil for the tablet, which is always there.
  let device: GuestDevice?
  private let machine: VirtualMachine
  private let display: (width: Int, height: Int)

  private static let multitouchX = 10_000...20_000
  private static let multitouchY = -2_000...2_000
  private static let singleX = 0...4_095
  private static let singleY = 100...3_900

  /// Plugs the device in.
  static func make(
    _ kind: Kind, in machine: VirtualMachine, display: (width: Int, height: Int) = (1280, 800)
  ) async throws -> Finger {
    let description: GuestDevice.Description? =
      switch kind {
      case .multitouch: .multitouch(x: multitouchX, y: multitouchY)
      case .singleTouch: .singleTouch(x: singleX, y: singleY)
      case .mouse: .mouse()
      case .tablet: nil
      }
    var device: GuestDevice?
    if let description { device = try await GuestDevice.make(description, in: machine) }
    return Finger(kind: kind, device: device, machine: machine, display: display)
  }

  /// The same device, on a display that has got another size.
  static func wider(_ finger: Finger, display: (width: Int, height: Int)) -> Finger {
    Finger(kind: finger.kind, device: finger.device, machine: finger.machine, display: display)
  }

  /// Comes down on a display pixel.
  ///
  /// - Parameter contact: A number for this touch: the tracking id on a device that has them.
  func down(at place: (x: Int, y: Int), contact: Int = 1) async throws {
    switch kind {
    case .multitouch:
      try await device?.frame(
        "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(contact) \(multitouchPosition(place)) BTN_TOUCH=1")
    case .singleTouch:
      try await device?.frame("\(singlePosition(place)) BTN_TOUCH=1")
    case .mouse:
      // Into the corner first: a pointer stops at the edge of the display.
      try await device?.send([
        "frame REL_X=-5000 REL_Y=-5000", "frame REL_X=\(place.x) REL_Y=\(place.y)", "frame BTN_LEFT=1",
      ])
    case .tablet:
      try await machine.movePointer(toX: place.x, y: place.y)
      try await machine.pressPointer(true)
    }
  }

  /// Moves along a straight line to a display pixel, a frame every few milliseconds. Only with the multitouch
  /// device.
  ///
  /// - Parameter lifts: whether it lifts at once, while it is fast.
  func drag(
    from start: (x: Int, y: Int), to end: (x: Int, y: Int), frames: Int, lifts: Bool = false
  ) async throws {
    var lines: [String] = []
    for step in 1...frames {
      let place = (
        x: start.x + (end.x - start.x) * step / frames, y: start.y + (end.y - start.y) * step / frames
      )
      lines += ["frame \(multitouchPosition(place))", "sleep 4"]
    }
    // Right after the last place: a machine that is busy sleeps longer than it should, and the finger would
    // have come to rest.
    if lifts { lines[lines.count - 1] = "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0" }
    try await device?.send(lines)
  }

  func up() async throws {
    switch kind {
    case .multitouch: try await device?.frame("ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0")
    case .singleTouch: try await device?.frame("BTN_TOUCH=0")
    case .mouse: try await device?.frame("BTN_LEFT=0")
    case .tablet: try await machine.pressPointer(false)
    }
  }

  /// The events that put slot 0 of the multitouch device at a display pixel.
  func multitouchPosition(_ place: (x: Int, y: Int)) -> String {
    let x = Self.raw(place.x, of: display.width, in: Self.multitouchX)
    let y = Self.raw(place.y, of: display.height, in: Self.multitouchY)
    return "ABS_MT_POSITION_X=\(x) ABS_MT_POSITION_Y=\(y)"
  }

  private func singlePosition(_ place: (x: Int, y: Int)) -> String {
    let x = Self.raw(place.x, of: display.width, in: Self.singleX)
    let y = Self.raw(place.y, of: display.height, in: Self.singleY)
    return "ABS_X=\(x) ABS_Y=\(y)"
  }

  private static func raw(_ pixel: Int, of pixels: Int, in range: ClosedRange<Int>) -> Int {
    range.lowerBound + (range.upperBound - range.lowerBound) * pixel / pixels
  }
}
