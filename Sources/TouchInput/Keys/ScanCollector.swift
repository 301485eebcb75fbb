import TouchCore

/// The `ScanReader` of each device that types. A text that began in a field and outlives it goes nowhere.
final class ScanCollector {
  /// Whether anything gets scans, so that letters wait until they are known for a scanner's.
  var isWanted = false
  var onNotice: (ScanNotice, DeviceID) -> Void = { _, _ in }
  private let window: Window
  private let presses: PressDispatcher
  private var readers: [ScanReader] = []

  init(window: Window, presses: PressDispatcher) { (self.window, self.presses) = (window, presses) }

  var deadline: Timestamp? {
    guard !readers.isEmpty else { return nil }  // as in nearly every turn
    return readers.compactMap(\.deadline).min()
  }

  /// Advances the time: letters that waited are pressed, and ended texts delivered or dropped.
  func advance(to time: Timestamp) {
    while let due = deadline, due <= time,
      let index = readers.firstIndex(where: { $0.deadline == due })
    {
      let outcome = readers[index].expire(at: due)
      perform(outcome, of: index, at: due)
    }
  }

  private var field: ObjectIdentifier? {
    window.firstResponder.flatMap { $0 is any KeyInput ? ObjectIdentifier($0) : nil }
  }

  func lose(_ device: DeviceID) { readers.removeAll { $0.device == device } }

  func forgetAll() { for index in readers.indices { readers[index].forget() } }

  /// Notes that events of a device were lost, so that a text of it may lack letters.
  func eventsWereLost(by device: DeviceID, _ use: ScannerUse, at time: Timestamp) {
    advance(to: time)
    guard use != .never else { return }
    let index = place(of: device, use)
    readers[index].eventsWereLost(at: time)
    perform(.nothing, of: index, at: time)
  }

  /// Takes a change of a device's key, and dispatches it unless it is a scanner's.
  /// - Parameter asksForLight: whether the key went down while the display was dark. Then it presses
  ///   nothing, and its end without a beginning does nothing.
  /// - Parameter use: whether the device is a scanner.
  func take(_ change: PressChange, asksForLight: Bool = false, use: ScannerUse, at time: Timestamp) {
    advance(to: time)
    let field = field
    // Most keyboards are no scanners, and nothing is kept of them.
    let isPlain =
      use == .never
      || use == .automatic && !isWanted && field == nil && !readers.contains { $0.device == change.device }
    guard !isPlain else {
      if !asksForLight || change.kind == .ended || change.kind == .cancelled {
        presses.dispatch([change], at: time)
      }
      return
    }
    let index = place(of: change.device, use)
    let outcome = readers[index].take(
      change, asksForLight: asksForLight, field: field, isWanted: isWanted, at: time)
    perform(outcome, of: index, at: time)
  }

  private func place(of device: DeviceID, _ use: ScannerUse) -> Int {
    if let index = readers.firstIndex(where: { $0.device == device }) {
      readers[index].use = use
      return index
    }
    readers.append(ScanReader(device, use))
    return readers.count - 1
  }

  private func perform(_ outcome: ScanReader.Outcome, of index: Int, at time: Timestamp) {
    let device = readers[index].device
    let notice = readers[index].takeNotice()
    switch outcome {
    case .nothing: break
    case .press(let changes): presses.dispatch(changes, at: time)
    case .scan(let text): presses.deliver(Scan(text, by: device, at: time))
    case .type(let changes, let field):
      for change in changes where change.kind != .began || field == self.field {
        presses.dispatch([change], at: time)
      }
    }
    if let notice { onNotice(notice, device) }
  }
}
