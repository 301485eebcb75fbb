import CDrm
import FolderSupport
import Glibc
import Synchronization
import SystemPackage

@testable import TouchOutput
@testable import TouchPixels

/// A plug of a card that is not there.
struct FakeConnector: Sendable {
  /// `DRM_MODE_CONNECTOR_…`
  var kind: Int32
  var number: UInt32 = 1
  var connection = DRM_MODE_CONNECTED
  var modes = [FakeMode()]
  /// `panel orientation`, as the kernel writes it; nil where the driver says nothing.
  var orientation: String?
  /// Whether the link to the monitor has failed.
  var isLinkBad = false
  /// The one that drives it now; 0 for none.
  var crtc: UInt32 = 11
}

struct FakeMode: Sendable {
  var width: UInt16 = 1920
  var height: UInt16 = 1080
  /// In kHz, of 2200 x 1125 pixels.
  var clock: UInt32 = 148_500
  var isInterlaced = false
  var isPreferred = false
  var isDoublescan = false
  var vscan: UInt16 = 0

  var info: drmModeModeInfo {
    var info = drmModeModeInfo()
    (info.hdisplay, info.vdisplay) = (width, height)
    (info.htotal, info.vtotal, info.clock) = (2200, 1125, clock)
    if isInterlaced { info.flags = UInt32(DRM_MODE_FLAG_INTERLACE) }
    if isDoublescan { info.flags |= UInt32(DRM_MODE_FLAG_DBLSCAN) }
    info.vscan = vscan
    if isPreferred { info.type = UInt32(DRM_MODE_TYPE_PREFERRED) }
    return info
  }
}

/// A card that is not there, and what libdrm would say of it.
struct FakeCard: Sendable {
  var driver = "vc4"
  /// The folder of its device in sysfs.
  var device = "gpu"
  /// udev's name of its place; nil where udev does not run.
  var place: String?
  var connectors: [FakeConnector] = []
  /// The number of its framebuffer; nil for none.
  var framebuffer: Int?
  /// How often another program is its master when it is asked.
  var busy = 0
  /// Why it lists no connectors, where it has none.
  var fault = EOPNOTSUPP
  /// How many CRTCs it has, from number 11, each with a primary plane, from number 31. Each drives every
  /// connector.
  var crtcs: UInt32 = 1
  /// Whether its library knows leases.
  var lends = true
  /// What is lent, by the number of each lease: connector, CRTC and plane.
  var leases: [UInt32: [UInt32]] = [:]
  /// The framebuffer that CRTC 11 shows, 0 for none; nil where the library does not say.
  var shown: UInt32?
  /// The framebuffer on plane 61, which lies over the picture of CRTC 11; 0 for none.
  var overlay: UInt32 = 0
  /// Of those CRTCs that were switched off, in this order.
  var dark: [UInt32] = []
}

/// A machine with cards that are not there: empty files, and a library in libdrm's place. QEMU has no
/// built-in panel, and no plug that does not know what is connected.
final class FakeCards {
  private let folder: TemporaryFolder
  let machine: KMSMachine

  /// By the paths of their nodes.
  private static let cards = Mutex<[String: FakeCard]>([:])

  init(_ cards: [FakeCard]) throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("sys")
    try folder.makeFolder("by-path")
    var paths: [String] = []
    for (number, card) in cards.enumerated() {
      let path = try folder.write("", to: "card\(number)")
      paths.append(path)
      let device = "devices/\(card.device)"
      var folders = ["devices", device, "\(device)/drm", "\(device)/drm/card\(number)"]
      if let framebuffer = card.framebuffer {
        folders += ["\(device)/graphics", "\(device)/graphics/fb\(framebuffer)"]
      }
      for name in folders where access(folder.file(name), F_OK) != 0 { try folder.makeFolder(name) }
      symlink("../..", folder.file("\(device)/drm/card\(number)/device"))
      symlink("../\(device)/drm/card\(number)", folder.file("sys/card\(number)"))
      if let place = card.place { symlink("../card\(number)", folder.file("by-path/\(place)-card")) }
      FakeCards.cards.withLock { $0[path] = card }
    }
    machine = KMSMachine(
      paths: paths, sysfs: folder.file("sys"), links: folder.file("by-path"),
      lenders: "@touchtree-test-\(getpid())-\(FakeCards.count.add(1, ordering: .relaxed).newValue)",
      library: { [lends = cards.allSatisfy(\.lends)] () in
        var drm = FakeCards.library
        if !lends { drm.create_lease = nil }
        return drm
      })
  }

  private static let count = Atomic(0)

  deinit {
    let leases = machine.paths.map { $0 + "." }
    Self.cards.withLock { cards in
      cards = cards.filter { path, _ in
        !machine.paths.contains(path) && !leases.contains { path.hasPrefix($0) }
      }
    }
  }

  /// As `drmModeCreateLease`: a card of its own, which has one connector.
  private static func lend(_ path: String, _ objects: [UInt32]) -> (lease: UInt32, descriptor: Int32) {
    let lease = cards.withLock { cards in
      guard var card = cards[path] else { return 0 as UInt32 }
      let lease = (card.leases.keys.max() ?? 0) + 1
      card.leases[lease] = objects
      var lent = card
      lent.connectors = [card.connectors[Int(objects[0]) - 1]]
      (cards[path], cards["\(path).\(lease)"]) = (card, lent)
      return lease
    }
    guard lease > 0 else { return (0, -EINVAL) }
    return (lease, open("\(path).\(lease)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
  }

  subscript(number: Int) -> FakeCard {
    get { Self.cards.withLock { $0[machine.paths[number]] ?? FakeCard() } }
    set { Self.cards.withLock { $0[machine.paths[number]] = newValue } }
  }

  private static func path(of descriptor: Int32) -> String {
    SymbolicLink.target(of: "/proc/self/fd/\(descriptor)") ?? ""
  }

  private static func card(_ descriptor: Int32) -> FakeCard {
    cards.withLock { $0[path(of: descriptor)] ?? FakeCard() }
  }

  /// Of connectors and planes, by their numbers from 1.
  private static let properties = [
    (name: "link-status", values: ["Good", "Bad"]),
    (name: "panel orientation", values: ["Normal", "Upside Down", "Left Side Up", "Right Side Up"]),
    (name: "type", values: ["Overlay", "Primary", "Cursor"]),
  ]

  private static func copy<Characters>(_ text: String, to characters: inout Characters) {
    withUnsafeMutableBytes(of: &characters) { $0.copyBytes(from: text.utf8) }
  }

  private static func made<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  private static func list<Value>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
    pointer.initialize(from: values, count: values.count)
    return pointer
  }

  /// As `drmModeGetConnector`: connectors are numbered from 1.
  private static func connector(_ descriptor: Int32, _ id: UInt32) -> UnsafeMutablePointer<drmModeConnector>?
  {
    let connectors = card(descriptor).connectors
    guard connectors.indices.contains(Int(id) - 1) else { return nil }
    let connector = connectors[Int(id) - 1]
    var report = drmModeConnector()
    (report.connector_id, report.connector_type_id) = (id, connector.number)
    report.connector_type = UInt32(connector.kind)
    report.connection = connector.connection
    (report.encoder_id, report.count_encoders, report.encoders) = (20 + id, 1, list([20 + id]))
    (report.count_modes, report.modes) = (Int32(connector.modes.count), list(connector.modes.map(\.info)))
    return made(report)
  }

  /// What is asked of a card before something is shown on it. All else fails. What it returns is never freed.
  private static let library: touchtree_drm = {
    var drm = touchtree_drm()
    drm.set_master = { descriptor in
      let path = FakeCards.path(of: descriptor)
      let isBusy = FakeCards.cards.withLock { cards in
        guard let busy = cards[path]?.busy, busy > 0 else { return false }
        cards[path]?.busy = busy - 1
        return true
      }
      if isBusy { errno = EBUSY }
      return isBusy ? -1 : 0
    }
    drm.drop_master = { _ in 0 }
    drm.set_client_capability = { _, _, _ in 0 }
    drm.get_capability = { _, _, _ in -1 }
    drm.get_version = { descriptor in
      var version = drmVersion()
      version.name = strdup(FakeCards.card(descriptor).driver)
      return FakeCards.made(version)
    }
    drm.free_version = { _ in }
    drm.get_resources = { descriptor in
      let card = FakeCards.card(descriptor)
      let connectors = card.connectors
      guard !connectors.isEmpty else {
        errno = card.fault
        return nil
      }
      var resources = drmModeRes()
      (resources.count_crtcs, resources.crtcs) = (
        Int32(card.crtcs), FakeCards.list((0..<card.crtcs).map { 11 + $0 })
      )
      resources.count_connectors = Int32(connectors.count)
      resources.connectors = FakeCards.list(connectors.indices.map { UInt32($0 + 1) })
      return FakeCards.made(resources)
    }
    drm.free_resources = { _ in }
    drm.get_connector = { FakeCards.connector($0, $1) }
    drm.get_connector_current = { FakeCards.connector($0, $1) }
    drm.free_connector = { _ in }
    drm.get_encoder = { descriptor, number in
      let card = FakeCards.card(descriptor)
      guard card.connectors.indices.contains(Int(number) - 21) else { return nil }
      var encoder = drmModeEncoder()
      (encoder.encoder_id, encoder.crtc_id) = (number, card.connectors[Int(number) - 21].crtc)
      encoder.possible_crtcs = 1 << card.crtcs - 1
      return FakeCards.made(encoder)
    }
    drm.free_encoder = { _ in }
    drm.get_crtc = { descriptor, number in
      guard let shown = FakeCards.card(descriptor).shown else { return nil }
      var crtc = drmModeCrtc()
      (crtc.crtc_id, crtc.buffer_id, crtc.mode_valid) = (number, shown, shown == 0 ? 0 : 1)
      return FakeCards.made(crtc)
    }
    drm.free_crtc = { _ in }
    drm.set_crtc = { descriptor, number, framebuffer, _, _, _, _, _ in
      let path = FakeCards.path(of: descriptor)
      if framebuffer == 0 { FakeCards.cards.withLock { $0[path]?.dark.append(number) } }
      return 0
    }
    drm.get_plane_resources = { descriptor in
      let card = FakeCards.card(descriptor)
      let planes = (0..<card.crtcs).map { 31 + $0 } + (card.overlay == 0 ? [] : [61])
      var resources = drmModePlaneRes()
      (resources.count_planes, resources.planes) = (UInt32(planes.count), FakeCards.list(planes))
      return FakeCards.made(resources)
    }
    drm.free_plane_resources = { _ in }
    drm.get_plane = { descriptor, number in
      var plane = drmModePlane()
      if number == 61 {
        (plane.plane_id, plane.crtc_id, plane.fb_id) = (61, 11, FakeCards.card(descriptor).overlay)
        return FakeCards.made(plane)
      }
      (plane.plane_id, plane.possible_crtcs) = (number, 1 << (number - 31))
      (plane.count_formats, plane.formats) = (1, FakeCards.list([KMSFormat.all[0].code]))
      return FakeCards.made(plane)
    }
    drm.free_plane = { _ in }
    drm.create_lease = { descriptor, objects, count, _, lease in
      guard let objects, let lease else { return -EINVAL }
      let lent = FakeCards.lend(FakeCards.path(of: descriptor), (0..<Int(count)).map { objects[$0] })
      lease.pointee = lent.lease
      return lent.descriptor
    }
    drm.revoke_lease = { descriptor, lease in
      let path = FakeCards.path(of: descriptor)
      return FakeCards.cards.withLock { cards in
        cards["\(path).\(lease)"]?.connectors = []
        return cards[path]?.leases.removeValue(forKey: lease) == nil ? -ENOENT : 0
      }
    }
    drm.get_properties = { descriptor, object, type in
      let connectors = FakeCards.card(descriptor).connectors
      if type == DRM_MODE_OBJECT_PLANE {
        var list = drmModeObjectProperties()
        list.count_props = 1
        (list.props, list.prop_values) = (FakeCards.list([3]), FakeCards.list([object == 61 ? 0 : 1]))
        return FakeCards.made(list)
      }
      guard type == DRM_MODE_OBJECT_CONNECTOR, connectors.indices.contains(Int(object) - 1) else {
        return nil
      }
      let connector = connectors[Int(object) - 1]
      var numbers: [UInt32] = [1]
      var values: [UInt64] = [connector.isLinkBad ? 1 : 0]
      if let value = connector.orientation.flatMap({ FakeCards.properties[1].values.firstIndex(of: $0) }) {
        numbers.append(2)
        values.append(UInt64(value))
      }
      var list = drmModeObjectProperties()
      list.count_props = UInt32(numbers.count)
      (list.props, list.prop_values) = (FakeCards.list(numbers), FakeCards.list(values))
      return FakeCards.made(list)
    }
    drm.free_properties = { _ in }
    drm.get_property = { _, number in
      let (name, values) = FakeCards.properties[Int(number) - 1]
      var property = drmModePropertyRes()
      property.prop_id = number
      FakeCards.copy(name, to: &property.name)
      property.count_enums = Int32(values.count)
      property.enums = FakeCards.list(
        values.enumerated().map { value, name in
          var entry = drm_mode_property_enum()
          entry.value = UInt64(value)
          FakeCards.copy(name, to: &entry.name)
          return entry
        })
      return FakeCards.made(property)
    }
    drm.free_property = { _ in }
    return drm
  }()
}
