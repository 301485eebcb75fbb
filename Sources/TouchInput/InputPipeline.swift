import TouchCore
import TouchSystem

/// An observer of devices' changes, after the pipeline has dispatched them.
package protocol InputPipelineObserver: AnyObject {
  /// Called after a frame was dispatched; the pipeline's `changes` has its changes.
  func pipelineApplied(_ frame: InputFrame, from source: TouchSource)

  /// Called after a delivery without a frame, because its time has come.
  /// - Parameter source: the device whose filters released it, which is then in the `changes` of both; nil
  ///   for a gesture.
  func pipelineDelivered(at time: Timestamp, from source: TouchSource?)

  func pipelineNoticed(_ notice: InputNotice, of device: DeviceID)

  /// Called when a device is recognised as a scanner, or a text of a scanner was dropped.
  func pipelineNoticed(_ notice: ScanNotice, of device: DeviceID)
}

extension InputPipelineObserver {
  package func pipelineApplied(_ frame: InputFrame, from source: TouchSource) {}
  package func pipelineDelivered(at time: Timestamp, from source: TouchSource?) {}
  package func pipelineNoticed(_ notice: InputNotice, of device: DeviceID) {}
  package func pipelineNoticed(_ notice: ScanNotice, of device: DeviceID) {}
}

/// Turns devices' reports into touches on a view tree: contacts, filters, mapping, dispatch. The source of
/// frames and the destination of the picture make no difference.
package final class InputPipeline: TurnHook {
  package private(set) var geometry: DisplayGeometry
  package let dispatcher: Dispatcher
  package let pointerDispatcher: PointerDispatcher
  package let pressDispatcher: PressDispatcher
  package private(set) var pointer: Pointer
  /// Whether a mouse is among the devices, so that a pointer has to be shown. The opener of devices sets it.
  package var hasMouse = false
  /// The time up to which the device furthest behind was read, set by their reader; nil while none waits.
  package var readUntil: Timestamp?
  /// Whether the pointer is shown: not after a touch, until a mouse or tablet is used again.
  package private(set) var isPointerInUse = true
  package weak var observer: (any InputPipelineObserver)?
  /// The time of the last change of a device.
  package private(set) var time = Timestamp.zero
  /// The changes of the last frame, in window space: one for each change of the source's contacts.
  package private(set) var changes: [TouchChange] = []
  /// The time of the last touch, movement or press; it stands still while the pipeline is suspended.
  package private(set) var lastUse = Timestamp.zero
  /// Whether the display is dark. A finger then only asks for light, and is withheld with all that join it.
  package var isDark = false
  package var turnPlace: TurnPlace?
  private var withheld: [ContactID] = []
  /// The keys that are withheld as fingers are: the first one only asks for light.
  private var withheldKeys: [PressChange] = []
  private let scans: ScanCollector
  /// The withheld contacts that have just lifted.
  private var released: [ContactID] = []
  /// Whether nothing is shown, so that nothing can be touched.
  private var isSuspended = false
  /// The devices whose filters hold something back.
  private var waiting: [TouchSource] = []

  /// Begins with the tree that gets the touches, the canvas's place on the display, and the limits of taps.
  package init(
    window: Window, geometry: DisplayGeometry, taps: Dispatcher.TapSettings = Dispatcher.TapSettings()
  ) {
    self.geometry = geometry
    dispatcher = Dispatcher(window: window)
    dispatcher.tapSettings = taps
    pointerDispatcher = PointerDispatcher(window: window)
    pressDispatcher = PressDispatcher(window: window)
    scans = ScanCollector(window: window, presses: pressDispatcher)
    pointer = Pointer(bounds: geometry.canvasBounds)
    changes.reserveCapacity(32)
    window.pixelsPerUnit = geometry.pixelsPerUnit
    scans.onNotice = { [weak self] in self?.observer?.pipelineNoticed($0, of: $1) }
  }

  package func apply(_ frame: InputFrame, from source: TouchSource) {
    releaseHeldBack(until: frame.time)
    changes.clear()
    source.apply(frame, pointer: &pointer, into: &changes)
    time = frame.time
    prepareChanges()
    if source.kind.isTouchscreen {
      setPointerAside(at: frame.time)
    } else if !pointer.changes.isEmpty {
      isPointerInUse = true
      pointerDispatcher.dispatch(pointer.changes, at: frame.time)
      pointer.removeChanges()
    }
    dispatcher.dispatch(changes, at: frame.time)
    observer?.pipelineApplied(frame, from: source)
    if source.deadline != nil && !waiting.contains(where: { $0 === source }) { waiting.append(source) }
    for notice in source.takeNotices() { observer?.pipelineNoticed(notice, of: source.device) }
  }

  /// Takes touches that come from no device, such as those of a terminal's mouse.
  package func apply(_ touches: [TouchChange], at time: Timestamp) {
    self.time = time
    changes.clear()
    changes.append(contentsOf: touches)
    prepareChanges()
    dispatcher.dispatch(changes, at: time)
  }

  // MARK: Keys

  /// Whether the file uses scans. If neither it nor a client does, barcode scanners only type.
  package var fileWantsScans = false { didSet { scans.isWanted = fileWantsScans || clientsWantScans } }
  package var clientsWantScans = false { didSet { scans.isWanted = fileWantsScans || clientsWantScans } }

  package func apply(_ frame: InputFrame, keysOf source: KeySource) {
    source.apply(frame)
    if frame.cause == .resync { scans.eventsWereLost(by: source.device, source.scanner, at: frame.time) }
    if !source.changes.isEmpty { apply(source.changes, at: frame.time, by: source.scanner) }
  }

  /// Takes changes of keys, maybe of a barcode scanner.
  package func apply(_ keys: [PressChange], at time: Timestamp, by scanner: ScannerUse = .automatic) {
    releaseHeldBack(until: time)
    scans.advance(to: time)
    // Fingers' changes before the key come before it.
    dispatcher.flush()
    self.time = max(self.time, time)
    guard !isSuspended else { return }
    lastUse = max(lastUse, time)
    for key in keys { scans.take(key, asksForLight: isWithheld(key), use: scanner, at: time) }
  }

  /// Whether a key only asks for light: it went down while the display was dark, and is not up yet.
  private func isWithheld(_ change: PressChange) -> Bool {
    func isSame(_ other: PressChange) -> Bool {
      other.device == change.device && other.key.keyCode == change.key.keyCode
    }
    switch change.kind {
    case .began:
      guard isDark else { return false }
      withheldKeys.append(change)
      return true
    case .repeated: return withheldKeys.contains(where: isSame)
    case .ended, .cancelled:
      guard let index = withheldKeys.firstIndex(where: isSame) else { return false }
      withheldKeys.remove(at: index)
      return true
    }
  }

  /// Cancels the presses of a device that was removed.
  package func lose(_ source: KeySource, at time: Timestamp) {
    source.cancelAll()
    withheldKeys.removeAll { $0.device == source.device }
    scans.lose(source.device)
    pressDispatcher.lose(source.device, at: time)
  }

  // MARK: Touches

  /// Notes that the display is used, and forgets changes that are withheld, or all while suspended.
  private func prepareChanges() {
    if !isSuspended && !(changes.isEmpty && pointer.changes.isEmpty) {
      lastUse = max(lastUse, time)
      if let focus = dispatcher.window.usedFocusSystem, focus.isRingShown, focus.exploration == nil,
        changes.contains(where: { $0.kind == .began })
      {
        focus.touchesAreUsed()
      }
    }
    if isDark || !withheld.isEmpty { withhold() }
    if isSuspended { setAside() }
    exploration?.take(&changes, at: time)
  }

  /// The exploration by touch; nil if touches reach the views, as they usually do.
  private var exploration: TouchExploration? { dispatcher.window.usedFocusSystem?.exploration }

  private func withhold() {
    for change in changes {
      switch change.kind {
      case .began: withheld.append(change.contact)
      case .moved: break
      case .ended, .cancelled:
        // A touch from before the display was dark is not among them, and ends as usual.
        guard let index = withheld.firstIndex(of: change.contact) else { continue }
        withheld.swapAt(index, withheld.count - 1)
        released.append(withheld.removeLast())
      }
    }
    changes.removeAll { withheld.contains($0.contact) || released.contains($0.contact) }
    released.removeAll(keepingCapacity: true)
    pointer.removeChanges()
  }

  /// Whether a finger is down, delivered or withheld.
  package var isTouched: Bool { !dispatcher.touches.isEmpty || !withheld.isEmpty }

  /// Hides the pointer, because the screen is touched.
  private func setPointerAside(at time: Timestamp) {
    guard isPointerInUse, changes.contains(where: { $0.kind == .began }) else { return }
    isPointerInUse = false
    pointerDispatcher.rest(at: time)
  }

  package func lose(_ source: TouchSource, at time: Timestamp) {
    changes.clear()
    source.cancelAll(pointer: pointer, into: &changes)
    if !withheld.isEmpty { withhold() }
    exploration?.take(&changes, at: time)
    self.time = time
    waiting.removeAll { $0 === source }
    dispatcher.dispatch(changes, at: time)
    pointerDispatcher.lose(source.device, at: time)
    pressDispatcher.lose(source.device, at: time)
  }

  /// Cancels every touch and press, and lets none begin until `resume()`. Devices are still followed, so that
  /// a finger that stays down is no new touch.
  package func suspend(at time: Timestamp) {
    isSuspended = true
    end(at: time)
  }

  /// Forgets the changes of a frame.
  private func setAside() {
    changes.clear()
    pointer.removeChanges()
  }

  /// Lets touches begin again.
  package func resume() { isSuspended = false }

  /// Lays the window out for another display, without touches. The caller opens the devices again.
  package func move(to geometry: DisplayGeometry) {
    self.geometry = geometry
    dispatcher.window.layoutRect = Rect(origin: .zero, size: geometry.canvasSize)
    dispatcher.window.pixelsPerUnit = geometry.pixelsPerUnit
    pointer = Pointer(bounds: geometry.canvasBounds)
  }

  package func endTurn() {
    dispatcher.flush()
    pointerDispatcher.flush()
    dispatcher.window.usedFocusSystem?.updateIfNeeded()
  }

  /// Delivers the moves of the loop's turn.
  package func turnEnds(at now: Timestamp) { endTurn() }

  /// The time at which `advance(to:)` has to be called, if nothing else happens before; nil for none.
  package var deadline: Timestamp? { deadline(after: dispatcher.deadline) }

  /// The time that decides about a scanner's beginning; nil while there is none.
  package var scanDeadline: Timestamp? { scans.deadline }

  /// The first of a deadline of the dispatcher's and those of filters.
  private func deadline(after first: Timestamp?) -> Timestamp? {
    var first = first
    if let due = scanDeadline { first = min(first ?? due, due) }
    if let due = exploration?.deadline { first = min(first ?? due, due) }
    for source in waiting { if let due = source.deadline { first = min(first ?? due, due) } }
    return first
  }

  /// Advances the time, and continues what waits, each at its own time. A frame does this, too.
  package func advance(to time: Timestamp) {
    releaseHeldBack(until: time)
    scans.advance(to: time)
    exploration?.advance(to: time)
    let due = dispatcher.deadline
    dispatcher.advance(to: time)
    if let due, due <= time { observer?.pipelineDelivered(at: due, from: nil) }
  }

  /// Advances a recording's time until nothing waits or moves, apart from controls that repeat while held.
  package func runOut() {
    while let deadline = deadline(after: dispatcher.finalDeadline) { advance(to: deadline) }
  }

  private func releaseHeldBack(until time: Timestamp) {
    if waiting.isEmpty { return }
    while let (source, due) = nextHeldBack, due <= time {
      changes.clear()
      source.advance(to: due, into: &changes)
      self.time = due
      prepareChanges()
      dispatcher.dispatch(changes, at: due)
      observer?.pipelineDelivered(at: due, from: source)
      if source.deadline == nil { waiting.removeAll { $0 === source } }
    }
  }

  private var nextHeldBack: (source: TouchSource, due: Timestamp)? {
    var first: (source: TouchSource, due: Timestamp)?
    for source in waiting {
      guard let due = source.deadline else { continue }
      if let first, first.due <= due { continue }
      first = (source, due)
    }
    return first
  }

  /// Cancels every touch and every press: at the end, or because another tree is going to be shown.
  package func end(at time: Timestamp) {
    dispatcher.cancelAllTouches(at: time)
    exploration?.forgetAll()
    pointerDispatcher.cancelAll(at: time)
    scans.forgetAll()
    pressDispatcher.cancelAll(at: time)
  }
}
