/// A text from a barcode scanner, whose keys come faster than a person types and end with enter. One
/// responder chain gets it as a whole.
public struct Scan: Hashable, Sendable {
  /// The text without the enter that ended it.
  public var text: String
  /// The scanner.
  public var device: DeviceID
  /// The time of its end, on the kernel's monotonic clock.
  public var timestamp: Timestamp

  /// Makes a scan of a whole text, without the enter that ended it.
  public init(_ text: String, by device: DeviceID, at timestamp: Timestamp) {
    (self.text, self.device, self.timestamp) = (text, device, timestamp)
  }
}

/// The report to observers that a scanner has read a text.
public struct ScanReport: ViewReport {
  /// The scan.
  public let scan: Scan
  /// The responder that got it first.
  public let responder: Responder

  /// Whether the report stays hidden from clients, because the scan went into a private view.
  public var isPrivate: Bool { responder.coordinateView?.privateView != nil }
}

extension PressDispatcher {
  /// Gives a scan to the focused view, and up the chain from there until a responder handles it.
  ///
  /// - Returns: whether one did.
  @discardableResult
  public func deliver(_ scan: Scan) -> Bool {
    let first = window.pressResponder
    window.observe(ScanReport(scan: scan, responder: first))
    for responder in ResponderChain(from: first).responders
    where responder.scanned(scan, from: first) != .forward { return true }
    return false
  }
}
