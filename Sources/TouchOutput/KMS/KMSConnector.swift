import CDrm
import TouchCore
import TouchPixels
import TouchViews

/// A plug or a built-in panel of a card, with the monitor on it.
struct KMSConnector {
  let id: UInt32
  let name: String
  let connection: Connection
  let isBuiltIn: Bool
  /// Whether it is a headset for virtual reality, which shows no flat pictures. (`non-desktop`)
  let isNonDesktop: Bool
  let modes: [KMSMode]
  /// The size of the picture; nil if the monitor does not report it.
  let millimetres: Size?
  /// The clockwise mounting of the panel; nil if the driver does not report it. (`panel orientation`)
  let mounting: DisplayGeometry.Rotation?
  /// Whether the link failed. It gets no picture until the mode is set again. (`link-status`)
  let isLinkBad: Bool
  /// The CRTCs that can drive it, as bits in the order of `KMSCard.crtcs`.
  let possibleCRTCs: UInt32
  /// The CRTC that drives it now; nil for none.
  let crtc: UInt32?
  let properties: KMSProperties

  /// The driver's report about the plug.
  enum Connection {
    /// Something is connected. A panel without a report counts as connected.
    case connected
    /// An analogue plug may be unable to tell. It is used if nothing else is there. (`drm_connector.h`)
    case unknown
    case disconnected
  }

  /// Fails if the connector is gone. Probing asks the monitor again.
  init?(_ id: UInt32, of card: KMSCard, probing: Bool) {
    let (drm, descriptor) = (card.drm, card.descriptor.rawValue)
    guard
      let connector = probing ? drm.get_connector(descriptor, id) : drm.get_connector_current(descriptor, id)
    else { return nil }
    defer { drm.free_connector(connector) }
    let report = connector.pointee
    self.id = id
    name = Self.name(of: report.connector_type) + "-\(report.connector_type_id)"
    isBuiltIn = Self.builtIn.contains(Int32(bitPattern: report.connector_type))
    modes = (0..<Int(report.count_modes)).map { KMSMode(report.modes[$0]) }
    connection =
      switch report.connection {
      case DRM_MODE_CONNECTED: .connected
      case DRM_MODE_UNKNOWNCONNECTION: isBuiltIn && report.count_modes > 0 ? .connected : .unknown
      default: .disconnected
      }
    millimetres =
      report.mmWidth > 0 && report.mmHeight > 0
      ? Size(width: Double(report.mmWidth), height: Double(report.mmHeight)) : nil
    properties = card.properties(of: id, DRM_MODE_OBJECT_CONNECTOR)
    isNonDesktop = properties["non-desktop"]?.value == 1
    mounting = properties.choice("panel orientation").flatMap(Self.mounting)
    isLinkBad = properties.choice("link-status") == "Bad"
    var (possible, present): (UInt32, UInt32?) = (0, nil)
    for index in 0..<Int(report.count_encoders) {
      guard let encoder = drm.get_encoder(descriptor, report.encoders[index]) else { continue }
      defer { drm.free_encoder(encoder) }
      possible |= encoder.pointee.possible_crtcs
      if encoder.pointee.encoder_id == report.encoder_id, encoder.pointee.crtc_id != 0 {
        present = encoder.pointee.crtc_id
      }
    }
    (possibleCRTCs, crtc) = (possible, present)
  }

  var isUsable: Bool { connection != .disconnected && !isNonDesktop && !modes.isEmpty }

  /// Returns the mode for a picture: the wanted one or an error, else that of the kernel's command line
  /// (`video=HDMI-A-1:1280x800`), else the preferred one, else the first.
  func mode(_ wanted: DisplayMode?, on card: KMSCard) throws(DisplayError) -> KMSMode {
    guard let wanted else {
      return modes.first(where: \.isOfCommandLine) ?? modes.first(where: \.isPreferred) ?? modes[0]
    }
    let found = modes.filter { $0.matches(wanted) }
    // A wanted rate of 60 means 60 where there are 60 and 59.94.
    if let best = found.min(by: { $0.order(for: wanted) < $1.order(for: wanted) }) { return best }
    let names = modes.map(text).uniqued()
    throw DisplayError(
      .unsupported, path: "\(card.path) \(name)",
      detail: "it has no mode \(wanted.text); it has \(names.joined(separator: ", ")). Write one of them: "
        + "display: {mode: \(names.first ?? "1280x800")}")
  }

  /// Returns the unambiguous name of a mode: `1920x1080@60`, or `@59.94` if the connector has both.
  func text(of mode: KMSMode) -> String {
    let isAmbiguous = modes.contains { $0.text == mode.text && $0.exactText != mode.exactText }
    return isAmbiguous ? mode.exactText : mode.text
  }

  private static let builtIn: Set = [
    DRM_MODE_CONNECTOR_DSI, DRM_MODE_CONNECTOR_eDP, DRM_MODE_CONNECTOR_LVDS, DRM_MODE_CONNECTOR_DPI,
    DRM_MODE_CONNECTOR_SPI,
  ]

  /// The kernel's names of `DRM_MODE_CONNECTOR_…`, by their numbers. (`drm_connector_enum_list`)
  private static let kinds = [
    "Unknown", "VGA", "DVI-I", "DVI-D", "DVI-A", "Composite", "SVIDEO", "LVDS", "Component", "DIN", "DP",
    "HDMI-A", "HDMI-B", "TV", "eDP", "Virtual", "DSI", "DPI", "Writeback", "SPI", "USB",
  ]

  private static func name(of kind: UInt32) -> String {
    kinds.indices.contains(Int(kind)) ? kinds[Int(kind)] : kinds[0]
  }

  /// Returns the rotation for the side of the panel that is at the top.
  private static func mounting(_ orientation: String) -> DisplayGeometry.Rotation? {
    switch orientation {
    case "Normal": DisplayGeometry.Rotation.none
    case "Upside Down": .half
    case "Left Side Up": .threeQuarters
    case "Right Side Up": .quarter
    default: nil
    }
  }
}

struct KMSMode: Equatable {
  let info: drmModeModeInfo

  init(_ info: drmModeModeInfo) { self.info = info }

  var width: Int { Int(info.hdisplay) }
  var height: Int { Int(info.vdisplay) }

  func lesser(among modes: [KMSMode]) -> KMSMode? {
    modes.filter { $0.rank < rank }.max { $0.rank < $1.rank }
  }

  /// The amount that the mode shows. Progressive modes rank above interlaced ones.
  private var rank: (Int, Int, UInt32) { (isInterlaced ? 0 : 1, width * height, info.clock) }

  var isPreferred: Bool { info.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0 }
  var isOfCommandLine: Bool { info.type & UInt32(DRM_MODE_TYPE_USERDEF) != 0 }
  var isInterlaced: Bool { info.flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0 }

  /// The pictures per second, from the pixel clock: 59.94, where `vrefresh` reports 60.
  var refresh: Double {
    let pixels = Double(info.htotal) * Double(info.vtotal)
    guard pixels > 0, info.clock > 0 else { return Double(info.vrefresh) }
    // `drm_mode_vrefresh` counts in the same way.
    let scans = (info.flags & UInt32(DRM_MODE_FLAG_DBLSCAN) != 0 ? 2 : 1) * max(1, Double(info.vscan))
    return Double(info.clock) * 1000 / pixels * (isInterlaced ? 2 : 1) / scans
  }

  /// The mode with a whole rate, `1280x800@60`. The rate of an
  /// interlaced one, `1920x1080@60i`, counts half pictures.
  var text: String { named(refresh.rounded()) }

  /// The mode with a rate of two decimals, `1280x800@59.81`.
  var exactText: String { named((refresh * 100).rounded() / 100) }

  private func named(_ rate: Double) -> String {
    "\(width)x\(height)@\(rate.plain)" + (isInterlaced ? "i" : "")
  }

  func matches(_ wanted: DisplayMode) -> Bool {
    guard width == wanted.width, height == wanted.height, isInterlaced || !wanted.isInterlaced else {
      return false
    }
    guard let rate = wanted.refresh else { return true }
    return rate == rate.rounded() ? refresh.rounded() == rate : abs(refresh - rate) < 0.05
  }

  /// Returns the rank among matching modes, the least being the best. Progressive modes come first.
  func order(for wanted: DisplayMode) -> (Int, Double) {
    (isInterlaced ? 1 : 0, wanted.refresh.map { abs(refresh - $0) } ?? 0)
  }

  static func == (one: KMSMode, other: KMSMode) -> Bool {
    withUnsafeBytes(of: one.info) { one in
      withUnsafeBytes(of: other.info) { other in one.elementsEqual(other) }
    }
  }
}

extension [String] {
  /// Returns the elements without repetitions, in the same order.
  fileprivate func uniqued() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
