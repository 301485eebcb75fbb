import CDrm
import Glibc
import SystemPackage
import TouchPixels

/// The way from a buffer to a connector, by the primary plane and the CRTC, with their previous settings.
final class KMSPipe {
  let card: KMSCard
  let connector: KMSConnector
  let mode: KMSMode
  let crtc: UInt32
  /// The plane's formats, the best first.
  let formats: [KMSFormat]
  let plane: UInt32?
  /// The plane's properties; empty for drivers without planes.
  let planeProperties: KMSProperties?
  private let crtcProperties: KMSProperties
  private let overlays: [(plane: UInt32, properties: KMSProperties)]
  /// Other connectors that show what the CRTC shows.
  private let clones: [KMSConnector]
  private let before: KMSSetting
  private(set) var isAtomic = false

  /// - Parameters:
  ///   - mode: one of the connector's.
  /// - avoided: CRTCs and planes that are not used, whatever they show.
  /// - Throws: `DisplayError` of kind `unsupported` if no CRTC can
  ///   drive it; of kind `missing` if the card is gone.
  init(
    to connector: KMSConnector, of card: KMSCard, _ mode: KMSMode, avoiding avoided: Set<UInt32> = []
  ) throws(DisplayError) {
    (self.card, self.connector, self.mode) = (card, connector, mode)
    let crtcs = card.crtcs
    // The same call has found the card's connectors before.
    guard !crtcs.isEmpty else { throw card.isGone }
    let others = card.connectors(probing: false).filter { $0.id != connector.id }
    let taken = Set(others.compactMap(\.crtc))
    let possible = crtcs.enumerated().filter {
      connector.possibleCRTCs & 1 << UInt32($0.offset) != 0 && !avoided.contains($0.element)
    }
    guard
      let (index, crtc) = possible.first(where: {
        $0.element == connector.crtc && !taken.contains($0.element)
      })
        ?? possible.first(where: { !taken.contains($0.element) }) ?? possible.first
    else {
      throw DisplayError(
        .unsupported, path: "\(card.path) \(connector.name)",
        detail: "the driver has no CRTC that can drive it")
    }
    self.crtc = crtc
    clones = others.filter { $0.crtc == crtc }
    crtcProperties = card.properties(of: crtc, DRM_MODE_OBJECT_CRTC)
    let planes = Self.planes(of: card, for: index).filter { !avoided.contains($0.id) }
    let primaries = planes.filter { $0.kind == "Primary" }
    let primary = Self.best(of: primaries.map(\.crtc), for: crtc).map { primaries[$0] }
    plane = primary?.id
    planeProperties = primary?.properties
    overlays = planes.filter { $0.id != primary?.id && $0.crtc == crtc }.map { ($0.id, $0.properties) }
    formats = KMSFormat.candidates(
      among: primary?.formats ?? [], preferredDepth: card.capability(DRM_CAP_DUMB_PREFERRED_DEPTH) ?? 0)
    before = KMSSetting(of: crtc, on: card)
  }

  var hasNoFormat: DisplayError {
    DisplayError(
      .unsupported, path: "\(card.path) \(connector.name)",
      detail: "the driver \(card.driver) has no pixel format that touchtree draws")
  }

  /// The connector, the CRTC and the planes that another program needs to show its picture. It is nil for
  /// drivers without planes, which cannot be lent. (`DRM_IOCTL_MODE_CREATE_LEASE`)
  var objects: [UInt32]? { plane.map { [connector.id, crtc, $0] + overlays.map(\.plane) } }

  /// Returns the index of the plane to use: the CRTC's own, else an unused one, else the first, by the CRTC
  /// of each (0 for none).
  static func best(of crtcs: [UInt32], for crtc: UInt32) -> Int? {
    crtcs.firstIndex(of: crtc) ?? crtcs.firstIndex(of: 0) ?? crtcs.indices.first
  }

  private struct Plane {
    let id: UInt32
    let kind: String?
    let crtc: UInt32
    let formats: [UInt32]
    let properties: KMSProperties
  }

  /// Returns the planes that a CRTC can use, by its index in `possible_crtcs`.
  private static func planes(of card: KMSCard, for index: Int) -> [Plane] {
    let (drm, descriptor) = (card.drm, card.descriptor.rawValue)
    guard let list = drm.get_plane_resources(descriptor) else { return [] }
    defer { drm.free_plane_resources(list) }
    return (0..<Int(list.pointee.count_planes)).compactMap { number in
      guard let plane = drm.get_plane(descriptor, list.pointee.planes[number]) else { return nil }
      defer { drm.free_plane(plane) }
      let report = plane.pointee
      guard report.possible_crtcs & 1 << UInt32(index) != 0 else { return nil }
      let properties = card.properties(of: report.plane_id, DRM_MODE_OBJECT_PLANE)
      return Plane(
        id: report.plane_id, kind: properties.choice("type"), crtc: report.crtc_id,
        formats: (0..<Int(report.count_formats)).map { report.formats[$0] }, properties: properties)
    }
  }

  // MARK: Showing

  /// Sets the mode and shows a buffer, by an atomic request that was tested, else by the older call.
  func show(_ buffer: KMSBuffer) throws(DisplayError) {
    var cause: Errno?
    if card.isAtomic, let plane, let planeProperties {
      var blob: UInt32 = 0
      var info = mode.info
      if touchtree_drm_create_blob(
        card.descriptor.rawValue, &info, UInt32(MemoryLayout<drmModeModeInfo>.size), &blob) == 0
      {
        var request = request(for: buffer, plane, planeProperties, mode: blob)
        cause = request.commit(on: card, DRM_MODE_ATOMIC_TEST_ONLY | DRM_MODE_ATOMIC_ALLOW_MODESET)
        if cause == nil { cause = request.commit(on: card, DRM_MODE_ATOMIC_ALLOW_MODESET) }
        // The card keeps the blob as long as it is set.
        _ = touchtree_drm_destroy_blob(card.descriptor.rawValue, blob)
        isAtomic = cause == nil
        if isAtomic { return hideCursor() }
      }
    }
    var info = mode.info
    var connectors = [connector.id]
    let status = card.drm.set_crtc(
      card.descriptor.rawValue, crtc, buffer.framebuffer, 0, 0, &connectors, 1, &info)
    guard status == 0 else {
      guard abs(status) != ENODEV else { throw card.isGone }
      throw DisplayError(
        .unsupported, path: "\(card.path) \(connector.name)",
        detail:
          "the driver \(card.driver) refuses the mode \(mode.text) with \(buffer.format.bitsPerPixel) bits"
          + (cause.map { " (atomic: \($0))" } ?? ""), cause: Errno(rawValue: abs(status)))
    }
    isAtomic = false
    hideCursor()
  }

  /// Hides the previous program's pointer. Drivers of virtual machines hide its plane from requests.
  func hideCursor() { _ = touchtree_drm_hide_cursor(card.descriptor.rawValue, crtc) }

  private func request(
    for buffer: KMSBuffer, _ plane: UInt32, _ properties: KMSProperties, mode blob: UInt32
  ) -> KMSRequest {
    var request = KMSRequest()
    request.set(connector.properties["CRTC_ID"], of: connector.id, to: UInt64(crtc))
    // This makes the driver retry a failed link.
    request.set(connector.properties["link-status"], of: connector.id, to: UInt64(DRM_MODE_LINK_STATUS_GOOD))
    for name in ["HDR_OUTPUT_METADATA", "Colorspace"] {
      request.reset(connector.properties[name], of: connector.id, to: 0)
    }
    // The older call detaches clones, which may have other modes, by itself.
    for clone in clones { request.set(clone.properties["CRTC_ID"], of: clone.id, to: 0) }
    request.set(crtcProperties["MODE_ID"], of: crtc, to: UInt64(blob))
    request.set(crtcProperties["ACTIVE"], of: crtc, to: 1)
    // The previous program may have changed the colours.
    for name in ["GAMMA_LUT", "DEGAMMA_LUT", "CTM"] { request.set(crtcProperties[name], of: crtc, to: 0) }
    request.reset(crtcProperties["VRR_ENABLED"], of: crtc, to: 0)
    let (width, height) = (UInt64(mode.width), UInt64(mode.height))
    let values: [(String, UInt64)] = [
      ("FB_ID", UInt64(buffer.framebuffer)), ("CRTC_ID", UInt64(crtc)), ("SRC_X", 0), ("SRC_Y", 0),
      ("SRC_W", width << 16), ("SRC_H", height << 16), ("CRTC_X", 0), ("CRTC_Y", 0), ("CRTC_W", width),
      ("CRTC_H", height),
      // Rotation happens in drawing, as on a framebuffer.
      ("rotation", UInt64(DRM_MODE_ROTATE_0)),
    ]
    for (name, value) in values { request.set(properties[name], of: plane, to: value) }
    request.reset(properties["alpha"], of: plane, to: 0xffff)
    for (overlay, properties) in overlays {
      request.set(properties["FB_ID"], of: overlay, to: 0)
      request.set(properties["CRTC_ID"], of: overlay, to: 0)
    }
    return request
  }

  func restore() { before.restore() }

  // MARK: Blanking

  /// Switches the display off or on, if the driver can. The picture stays.
  func setPower(_ isOn: Bool) -> Bool {
    if isAtomic {
      var request = KMSRequest()
      request.set(crtcProperties["ACTIVE"], of: crtc, to: isOn ? 1 : 0)
      return request.commit(on: card, DRM_MODE_ATOMIC_ALLOW_MODESET) == nil
    }
    guard let property = connector.properties["DPMS"]?.id else { return false }
    let value = isOn ? DRM_MODE_DPMS_ON : DRM_MODE_DPMS_OFF
    return card.drm.set_connector_property(card.descriptor.rawValue, connector.id, property, UInt64(value))
      == 0
  }
}

/// The setting of a CRTC: a mode, a framebuffer and the connectors.
struct KMSSetting {
  private let card: KMSCard
  private let crtc: UInt32
  private let shown: (framebuffer: UInt32, x: UInt32, y: UInt32, mode: drmModeModeInfo, connectors: [UInt32])?

  init(of crtc: UInt32, on card: KMSCard) {
    (self.card, self.crtc) = (card, crtc)
    guard let report = card.drm.get_crtc(card.descriptor.rawValue, crtc) else {
      shown = nil
      return
    }
    defer { card.drm.free_crtc(report) }
    let connectors = card.connectors(probing: false).filter { $0.crtc == crtc }.map(\.id)
    let now = report.pointee
    shown =
      now.mode_valid != 0 && now.buffer_id != 0 && !connectors.isEmpty
      ? (now.buffer_id, now.x, now.y, now.mode, connectors) : nil
  }

  /// Sets it again. If its framebuffer is gone, nothing is shown.
  func restore() {
    let (drm, descriptor) = (card.drm, card.descriptor.rawValue)
    if let shown {
      var (mode, connectors) = (shown.mode, shown.connectors)
      let status = drm.set_crtc(
        descriptor, crtc, shown.framebuffer, shown.x, shown.y, &connectors, Int32(connectors.count), &mode)
      if status == 0 { return }
    }
    _ = drm.set_crtc(descriptor, crtc, 0, 0, 0, nil, 0, nil)
  }
}
