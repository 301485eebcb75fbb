/// A text that a barcode scanner has read: its keys come faster than a person types, and enter ends them. It is given to one responder
/// chain as a whole.
public struct Scan: Hashable, Sendable {
  /// Without the enter that ended it.
  public var text: String
  /// The scanner.
  public var device: DeviceID
  /// When it was complete, on the kernel's monotonic clock.
  public var timestamp: Timestamp

  /// A whole text, without the enter that ended it.
  public init(_ text: String, by device: DeviceID, at timestamp: Timestamp) {
    (self.text, self.device, self.timestamp) = (text, device, timestamp)
  }
}

/// A scanner has read a text: what observers get.
public struct ScanReport: ViewReport {
  /// What it has read.
  public let scan: Scan
  /// Where it went first.
  public let responder: Responder

  /// Whether it went to something in a private view, so that no client hears of it.
  public var isPrivate: Bool { responder.coordinateView?.privateView != nil }
}

extension PressDispatcher {
  /// Gives a text to what is focused, and up the chain from there until a responder handles it.
  ///
  /// - Returns: whether one did.
  @discardableResult
  public func deliver(_ scan: Scan) -> Bool {
    let first = window.pressResponder
    window.observe(ScanReport(scan: scan, responder: first))
    for responder in ResponderChain(from: first).responders
    where responder.scanned(scan, from: first) != .forward {
      return true
    }
    return false
  }
}
