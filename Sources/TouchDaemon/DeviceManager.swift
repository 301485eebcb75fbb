import Logging
import TouchConfig
import TouchCore
import TouchInput

/// Opens the devices that are to be used, reads them in the loop, and lets go of those that are unplugged.
final class DeviceManager {
  /// Which devices are wanted.
  struct Selection {
    /// Only these nodes, whatever the rules say; empty for every device that the rules allow.
    var paths: [String] = []
    var rules: [Configuration.DeviceRule] = []
  }

  private final class Open {
    let device: EvdevDevice
    let source: TouchSource
    var watch: EventLoop.Source?

    init(device: EvdevDevice, source: TouchSource) {
      self.device = device
      self.source = source
    }
  }

  private let loop: EventLoop
  private let session: Session
  private let selection: Selection
  private let log: Logger
  private var open: [Open] = []
  private var watcher: DeviceWatcher?
  private var nextID = 1
  /// The last device that could not be opened, for the case that there is no other.
  private var refused: DeviceError?

  init(loop: EventLoop, session: Session, selection: Selection, log: Logger) {
    self.loop = loop
    self.session = session
    self.selection = selection
    self.log = log
  }

  /// Whether a mouse is among the devices, so that a pointer has to be shown.
  var hasRelativePointer: Bool { open.contains { $0.source.kind == .relativePointer } }

  /// The name of a device that was opened here.
  func name(of id: DeviceID) -> String {
    open.first { $0.source.device == id }.map {
      "\($0.device.description.name) (\($0.device.description.path))"
    }
      ?? "a device that is gone"
  }

  /// Opens what is there, and watches for what comes and goes.
  ///
  /// - Throws: `DeviceError` or `DeviceRefusal` when a device that was asked for by its path cannot be used, or when
  ///   none may be opened; `NoDevices` when there is none that is of use.
  func start() throws {
    if selection.paths.isEmpty {
      watcher = try? DeviceWatcher()
      if let watcher {
        try loop.watch(watcher.descriptor.rawValue) { [unowned self] in readChanges() }
      }
      considerAll()
    } else {
      for path in selection.paths { try openChosen(path) }
    }
    guard open.isEmpty else { return }
    if let refused { throw refused }
    throw NoDevices()
  }

  // MARK: Opening

  private func openChosen(_ path: String) throws {
    let device = try EvdevDevice(path: path)
    let verdict = DeviceClassifier.classify(device.description.capabilities)
    guard let kind = verdict.kind else {
      throw DeviceRefusal(path: path, name: device.description.name, reason: verdict.reason)
    }
    use(device, as: kind, rule: rule(for: device.description))
  }

  /// Opens a device if it is one that the rules allow and that is of use.
  private func consider(_ path: String) {
    guard !open.contains(where: { $0.device.description.path == path }) else { return }
    let device: EvdevDevice
    do {
      device = try EvdevDevice(path: path)
    } catch {
      // A node appears before its permissions: the watcher tells when they change.
      if error.reason != .gone && error.reason != .noSuchFile {
        refused = error
        log.warning("\(error)")
      }
      return
    }
    let rule = rule(for: device.description)
    if !selection.rules.isEmpty && rule == nil { return }
    guard rule?.isUsed ?? true else { return }
    guard let kind = DeviceClassifier.classify(device.description.capabilities).kind else { return }
    use(device, as: kind, rule: rule)
  }

  private func rule(for description: DeviceDescription) -> Configuration.DeviceRule? {
    selection.rules.first { DeviceMatch($0.match).matches(description) }
  }

  private func use(_ device: EvdevDevice, as kind: DeviceKind, rule: Configuration.DeviceRule?) {
    let name = device.description.name
    if rule?.isGrabbed ?? false {
      do {
        try device.setGrabbed(true)
      } catch {
        log.warning("\(name): used, but not grabbed. \(error)")
      }
    }
    var settings = Mapping.Settings()
    settings.calibration = rule?.calibration ?? .identity
    settings.rotation = rule?.rotation ?? .none
    settings.output = rule?.output
    let source = TouchSource(
      device: DeviceID(rawValue: nextID), kind: kind, capabilities: device.description.capabilities,
      initial: device.initialState, settings: settings, geometry: session.geometry)
    nextID += 1
    let entry = Open(device: device, source: source)
    do {
      entry.watch = try loop.watch(device.descriptor.rawValue) { [unowned self, unowned entry] in read(entry)
      }
    } catch {
      log.error("\(name): cannot be watched. \(error)")
      return
    }
    open.append(entry)
    log.info("\(name) (\(device.description.path)): \(kind.rawValue)")
  }

  // MARK: Reading

  private func read(_ entry: Open) {
    do {
      let progress = try entry.device.readFrames { session.apply($0, from: entry.source) }
      guard progress == .more else { return }
      loop.again { [weak self, weak entry] in
        guard let self, let entry, entry.watch != nil else { return }
        read(entry)
      }
    } catch {
      lose(entry, because: "\(error)")
    }
  }

  private func lose(_ entry: Open, because reason: String) {
    guard let watch = entry.watch else { return }
    loop.unwatch(watch)
    entry.watch = nil
    open.removeAll { $0 === entry }
    session.lose(entry.source, at: MonotonicClock.now())
    log.info("\(entry.device.description.name): \(reason)")
  }

  private func readChanges() {
    do {
      try watcher?.readChanges { change in
        switch change {
        case .appeared(let path), .changed(let path): consider(path)
        case .removed(let path): forget(path)
        case .overflowed: considerAll()
        }
      }
    } catch {
      log.warning("devices that come and go are not noticed any more. \(error)")
    }
  }

  private func considerAll() {
    for path in (try? DeviceDirectory().nodes()) ?? [] { consider(path) }
  }

  private func forget(_ path: String) {
    guard let entry = open.first(where: { $0.device.description.path == path }) else { return }
    lose(entry, because: "\(path) is gone")
  }
}

/// A device that was asked for is not one that touchtree can use.
public struct DeviceRefusal: Error, CustomStringConvertible {
  /// The node, or empty for a device that exists only in a recording.
  public let path: String
  public let name: String
  public let reason: String

  public var description: String {
    (path.isEmpty ? "the recorded device" : path) + ": \(name) cannot be used: \(reason)"
      + (path.isEmpty ? "" : " `touchtree devices` lists the ones that can.")
  }
}

extension DeviceMatch {
  /// What the configuration says, as the input room understands it.
  init(_ match: Configuration.DeviceRule.Match) {
    self.init(
      name: match.name, phys: match.phys, uniq: match.uniq, vendor: match.vendor, product: match.product,
      path: match.path)
  }
}
