import Logging
import TouchCore
import TouchInput
import TouchSystem

/// Opens the devices to use, reads them in the loop, and closes those that are unplugged.
package final class DeviceManager: DisplayFollower {
  private let loop: EventLoop
  private let pipeline: InputPipeline
  /// The only nodes to use, even those that the rules exclude; empty for every device that the rules allow.
  private let chosen: [String]
  private var rules: DeviceRules
  /// Whether devices are also used for their keys. A program that looks for panels does not use keys.
  package var takesKeys = false
  package var keyboard = KeyboardSettings()
  /// Called with the number of the virtual terminal that ctrl, alt and a function key request.
  package var onTerminal: (Int32) -> Void = { _ in }
  private let viewer: Viewer?
  private let log: Logger
  private var managed: [OpenDevice] = [] {
    didSet { pipeline.hasMouse = managed.contains { $0.source?.kind == .relativePointer } }
  }
  /// The touchscreens that were used and are gone, until they return or the file is read again.
  private var lost: [DeviceDescription] = []
  /// Called when a node of a device has appeared, changed or gone.
  package var onChange: () -> Void = {}
  /// The devices of the chosen nodes. A device that is plugged in again may get another node.
  private var chosenDevices: [DeviceDescription] = []
  private var monitor: DeviceMonitor?
  private var monitorSources: [EventLoop.Source] = []
  private var waiting: PendingDevices?
  private var nextID = 1
  /// Whether a timer waits because no more files could be opened.
  private var isLookingAgain = false
  /// The error of the last device, or the folder of devices, that could not be
  /// opened. It is reported if there is no other device.
  private var refused: DeviceError?
  /// The devices found so far during a look at all of them; nil otherwise.
  private var considered: [DeviceDescription]?
  /// The logged sentences about nodes that are not used. The kernel and udev both announce a new node.
  private var logged: [String: (sentence: String, isFault: Bool)] = [:]

  /// - Parameter chosen: the only nodes to use; empty for every device that the rules allow.
  /// - Parameter viewer: the program that shows the devices' events; nil if they are only used.
  package init(
    loop: EventLoop, pipeline: InputPipeline, rules: DeviceRules, chosen: [String], viewer: Viewer? = nil,
    log: Logger
  ) {
    (self.loop, self.pipeline, self.chosen, self.rules) = (loop, pipeline, chosen, rules)
    (self.viewer, self.log) = (viewer, log)
  }

  /// Returns the name and the node of a device that was opened here.
  package func name(of id: DeviceID) -> String {
    description(of: id).map { "\($0.title) (\($0.path))" } ?? "a device that is gone"
  }

  /// Returns the description of an open device, whether it has touches, keys or both.
  package func description(of id: DeviceID) -> DeviceDescription? {
    managed.first { $0.isDevice(id) }?.description
  }

  /// Returns an open device's description and the kind as which it is used; nil for one without touches.
  package func device(_ id: DeviceID) -> (description: DeviceDescription, kind: DeviceKind)? {
    devices(where: { $0.device == id }).first
  }

  /// The open devices, in the order of their opening.
  package var devices: [(description: DeviceDescription, kind: DeviceKind)] { devices(where: { _ in true }) }

  private func devices(
    where isMeant: (TouchSource) -> Bool
  ) -> [(description: DeviceDescription, kind: DeviceKind)] {
    managed.compactMap { entry in
      entry.source.flatMap { isMeant($0) ? (entry.description, $0.kind) : nil }
    }
  }

  /// Opens the present devices, and watches for added and removed ones.
  /// - Throws: `DeviceError` if a device that was requested by its path cannot be used, or if no device can.
  package func start() throws {
    waiting = PendingDevices(loop: loop) { [weak self] path in self?.consider(path, isNew: true) }
    try watchPlugging()
    if chosen.isEmpty { considerAll() }
    for path in chosen { try openChosen(path) }
    guard managed.isEmpty, waiting?.isEmpty ?? true else { return }
    if let refused { throw refused }
    throw DeviceError.noDevices
  }

  private func watchPlugging() throws {
    do throws(DeviceError) {
      let monitor = try DeviceMonitor()
      if let deaf = monitor.udevFailure {
        log.warning("udev's messages about devices are not received. \(deaf)")
      }
      self.monitor = monitor
    } catch {
      log.warning("devices that are plugged in or unplugged are not noticed. \(error)")
    }
    for descriptor in monitor?.descriptors ?? [] {
      monitorSources.append(try loop.watch(descriptor.rawValue) { [weak self] in self?.readChanges() })
    }
  }

  /// Uses devices by other rules from now on. Open devices are not affected until `reopen()`.
  /// - Returns: whether the rules differ from the previous ones.
  package func follow(_ rules: [DeviceRule]) -> Bool {
    let rules = DeviceRules(rules)
    lost = []
    defer { self.rules = rules }
    return !rules.isSame(as: self.rules)
  }

  /// Reopens every device after a change of the rules, or of the window's place on the
  /// display. A finger that is down has to lift first.
  package func reopen() {
    // If no devices are read, none is opened.
    guard waiting != nil else { return }
    for entry in managed { lose(entry, because: "reopened") }
    if chosen.isEmpty { return considerAll() }
    for path in chosen {
      do { try openChosen(path) } catch { log.warning("\(error)") }
    }
  }

  package func displayChanged(_ change: Output.Change) { if case .replaced = change { reopen() } }

  // MARK: Opening

  private func openChosen(_ path: String) throws {
    let device = try EvdevDevice(path: path)
    // A device with two names would deliver every touch twice.
    guard !managed.contains(where: { $0.description.number == device.description.number }) else { return }
    let classification = rules.classification(of: device.description)
    guard viewer != nil || classification.kind != nil || hasKeys(device.description) else {
      let reason =
        classification.reason.hasSuffix(".")
        ? String(classification.reason.dropLast()) : classification.reason
      throw DeviceError(.unsuitable, path: path, detail: "\(device.description.title): \(reason)")
    }
    if let reason = viewer?.refuses(device.description, classification.kind) {
      throw DeviceError(.unsuitable, path: path, detail: "\(device.description.title): \(reason)")
    }
    chosenDevices.append(device.description)
    use(device, as: classification.kind, rule: rules.rule(for: device.description))
  }

  /// Returns whether a device is one of the only devices to use: the same
  /// hardware, or the present target of a chosen link.
  private func isChosen(_ device: DeviceDescription) -> Bool {
    chosen.isEmpty || chosenDevices.contains { $0.isSameDevice(as: device) }
      || chosen.contains { DeviceDirectory.isLink($0) && DeviceNumber(path: $0) == device.number }
  }

  /// Opens a device that the rules allow and that is useful.
  /// - Parameter isNew: whether udev may not have set its
  ///   permissions yet. The monitor reports when they change.
  private func consider(_ path: String, isNew: Bool = false) {
    forgetGone(path)
    guard !managed.contains(where: { $0.description.path == path }) else { return }
    guard monitor?.isReady(path) ?? true || waiting?.isOver(path) ?? true else {
      waiting?.add(path)
      return
    }
    waiting?.remove(path)
    let device: EvdevDevice
    do {
      device = try EvdevDevice(path: path)
    } catch {
      guard error.reason != .gone && error.reason != .noSuchFile else { return }
      refused = error
      if error.reason == .tooManyOpen { lookAgain() }
      logUnused("\(error)", of: path, as: isNew && error.reason == .notPermitted ? .debug : .warning)
      return
    }
    considered?.append(device.description)
    guard isChosen(device.description) else { return }
    // The device may have a second name, such as a copy of its node.
    guard !managed.contains(where: { $0.description.number == device.description.number }) else { return }
    let rule = rules.rule(for: device.description)
    let head = "\(device.description.title) (\(path)): not used"
    let classification = rules.classification(of: device.description)
    let isExcluded = rule?.isUsed == false && chosen.isEmpty
    if viewer?.refuses(device.description, isExcluded ? nil : classification.kind) != nil { return }
    if isExcluded {
      guard viewer == nil else { return classification.kind == nil ? () : use(device, as: nil, rule: rule) }
      let sentence = rules.exclusion(of: device.description) ?? ""
      return logUnused("\(head): \(sentence)", of: path, as: .info)
    }
    guard classification.kind != nil || hasKeys(device.description) || viewer != nil && !chosen.isEmpty else {
      return logUnused(
        "\(head). \(classification.reason)", of: path, as: rule?.isUsed == nil ? .info : .warning)
    }
    logged[path] = nil
    use(device, as: classification.kind, rule: rule)
  }

  private func logUnused(_ sentence: String, of path: String, as level: Logger.Level) {
    guard logged.updateValue((sentence, level != .info), forKey: path)?.sentence != sentence else { return }
    log.log(level: level, "\(sentence)")
  }

  private func use(_ device: EvdevDevice, as kind: DeviceKind?, rule: DeviceRule?) {
    let name = device.description.title
    if viewer?.isGrabbing ?? (rule?.isGrabbed ?? false) {
      do {
        try device.setGrabbed(true)
      } catch {
        log.warning("\(name): used, but not grabbed. \(error)")
      }
    }
    let setup = kind.map {
      SourceSetup(
        device.description, id: nextID, as: $0, initial: device.initialState, rule: rule,
        geometry: pipeline.geometry)
    }
    let keys = hasKeys(device.description) ? keySource(of: device) : nil
    nextID += 1
    let entry = OpenDevice(device, source: setup?.source, keys: keys)
    do {
      try watch(entry)
    } catch {
      log.error("\(name): cannot be watched. \(error)")
      return
    }
    managed.append(entry)
    lost.removeAll { $0.isSameDevice(as: device.description) }
    if let viewer { return viewer.added(entry, setup) }
    let path = device.description.path
    if let keys {
      log.info("\(name) (\(path)): \(keys.sentence)")
      setLights(of: entry)
    }
    guard let setup, let kind else { return }
    log.info("\(name) (\(path)): \(kind.rawValue)\(setup.filterSentence)")
    if rule?.isUsed == true, DeviceClassifier.classify(device.description.capabilities).kind == nil {
      log.info("\(name): \(rules.classification(of: device.description).reason)")
    }
    for warning in setup.warnings { log.warning("configuration: \(name): \(warning)") }
  }

  /// Switches the lights of a keyboard whose locks have changed.
  private func setLights(of entry: OpenDevice) {
    guard let lights = entry.keys?.takeLights() else { return }
    do {
      try entry.device.setLights(on: lights.on, off: lights.off)
    } catch {
      log.info("\(entry.description.title): the lights of its keys cannot be set. \(error)")
    }
  }

  private func hasKeys(_ device: DeviceDescription) -> Bool { takesKeys && rules.keyRole(of: device) != nil }

  private func keySource(of device: EvdevDevice) -> KeySource? {
    let keys = KeySource(
      device: DeviceID(rawValue: nextID), capabilities: device.description.capabilities,
      pressed: device.initialKeys, settings: keyboard,
      scanner: rules.rule(for: device.description)?.scanner ?? .automatic)
    keys?.onTerminal = { [weak self] in self?.onTerminal($0) }
    return keys
  }

  // MARK: Health

  /// Returns the devices that should be read and are not.
  /// - Parameter needsOne: whether the window can be touched by a device alone.
  /// - Parameter file: the configuration's file, for messages.
  package func problems(needsOne: Bool, file: String) -> [HealthProblem] {
    guard waiting != nil else { return [] }
    let open = managed.map(\.description)
    let faults = logged.sorted { $0.key < $1.key }.filter(\.value.isFault).map(\.value.sentence)
    let reasons = faults.isEmpty ? "" : ": " + faults.prefix(3).joined(separator: "; ")
    guard !open.isEmpty || !needsOne else {
      return [
        HealthProblem(
          .noDevice,
          "no touchscreen, tablet, mouse or keyboard is read\(reasons); plug one in; `touchtree devices` lists "
            + "those that are there, and why each is not used")
      ]
    }
    let missing = chosen.filter { path in
      !open.contains { $0.path == path || $0.number == DeviceNumber(path: path) }
    }
    let wanted =
      chosen.isEmpty ? rules.missing(among: open).map { "\(file):\($0): the device of this rule" } : []
    var problems = (missing + wanted).map {
      HealthProblem(
        .deviceMissing,
        "\($0) is not read\(reasons); plug it in; `touchtree devices` says what is there")
    }
    // A device of the command line is among the missing ones.
    problems += (chosen.isEmpty ? lost : []).map {
      HealthProblem(
        .deviceMissing,
        "\($0.title) (\($0.path)) was unplugged; plug it in, or, if that is meant, type: touchtree ctl reload"
      )
    }
    return problems + open.compactMap(Self.inhibition)
  }

  /// Returns the problem of a device that the kernel was told to keep silent. (kernel
  /// `Documentation/input/input-programming.rst`)
  private static func inhibition(of device: DeviceDescription) -> HealthProblem? {
    let name = device.path.split(separator: "/").last ?? ""
    let file = "/sys/class/input/\(name)/device/inhibited"
    guard (try? FileContents.read(file, upTo: 1)) == [UInt8(ascii: "1")] else { return nil }
    return HealthProblem(
      .deviceMissing, "\(device.title) (\(device.path)) reports nothing; type: echo 0 >\(file)")
  }

  // MARK: Reading

  private func watch(_ entry: OpenDevice) throws(SystemError) {
    let onFrame: (InputFrame) -> Void
    if let viewer {
      onFrame = { [weak entry, pipeline] frame in
        guard let entry else { return }
        if let source = entry.source { pipeline.apply(frame, from: source) }
        viewer.frame(entry, frame)
      }
    } else if entry.source != nil || entry.keys != nil {
      let (source, keys) = (entry.source, entry.keys)
      onFrame = { [weak self, weak entry, pipeline, log] frame in
        guard let self, let entry else { return }
        if let source { pipeline.apply(frame, from: source) }
        if let keys {
          pipeline.apply(frame, keysOf: keys)
          setLights(of: entry)
          if let problem = keys.takeProblem() { log.warning("\(entry.description.title): \(problem)") }
        }
        guard let complaint = entry.floodDetector.count(frame) else { return }
        log.warning("\(entry.description.title): \(complaint.sentence)")
      }
    } else {
      return
    }
    entry.onBacklog = { [weak self] in
      self?.pipeline.readUntil = self?.managed.lazy.compactMap(\.readUntil).min()
    }
    try entry.watch(in: loop, fromFirstChange: viewer != nil, onFrame: onFrame) {
      [weak self, weak entry] error in if let entry { self?.lose(entry, because: "\(error)") }
    }
  }

  private func lose(_ entry: OpenDevice, because reason: String) {
    entry.stop()
    managed.removeAll { $0 === entry }
    if let source = entry.source {
      pipeline.lose(source, at: loop.now)
      if entry.device.isGone, source.kind.isTouchscreen {
        lost = (lost + [entry.description]).suffix(8)
      }
    }
    if let keys = entry.keys { pipeline.lose(keys, at: loop.now) }
    log.info("\(entry.description.title): \(reason)")
    viewer?.removed(entry, reason)
  }

  private func readChanges() {
    defer { onChange() }
    do {
      try monitor?.readChanges { change in
        switch change {
        case .appeared(let path), .changed(let path): consider(path, isNew: true)
        case .removed(let path):
          waiting?.remove(path)
          logged[path] = nil
          forgetGone(path)
        case .overflowed: considerAll()
        }
      }
    } catch {
      // The descriptors stay readable and must not be watched any more.
      for source in monitorSources { loop.unwatch(source) }
      monitorSources = []
      monitor = nil
      log.warning("devices that are plugged in or unplugged from now on are not noticed. \(error)")
    }
  }

  private func considerAll() {
    let directory = DeviceDirectory()
    considered = []
    defer {
      if viewer == nil {
        for sentence in rules.unmatched(among: considered ?? []) { log.notice("configuration: \(sentence)") }
      }
      considered = nil
    }
    do throws(DeviceError) {
      for path in try directory.nodes() { consider(path) }
    } catch {
      // Without devices there is no folder, which is no fault.
      guard error.reason != .noSuchFile else { return }
      refused = error
      if error.reason == .tooManyOpen { lookAgain() }
      logUnused("\(error)", of: directory.path, as: .warning)
    }
  }

  /// Looks at all nodes again in a second. Other files may then be closed, which nothing reports.
  private func lookAgain() {
    guard !isLookingAgain else { return }
    isLookingAgain = true
    _ = loop.addTimer(milliseconds: 1000, repeats: false) { [weak self] in
      self?.isLookingAgain = false
      self?.considerAll()
    }
  }

  /// Closes an unplugged device. A node that is gone, or belongs to another device now, proves nothing. The
  /// open device itself reports whether it is connected.
  private func forgetGone(_ path: String) {
    guard let entry = managed.first(where: { $0.description.path == path && $0.device.isGone })
    else { return }
    lose(entry, because: "\(path) is gone")
  }
}
