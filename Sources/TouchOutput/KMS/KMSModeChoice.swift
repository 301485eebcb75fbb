import TouchPixels
import TouchViews

/// Which mode a connector gets: the one that is asked for, else that of the kernel or the monitor; and where the driver refuses it, a
/// lesser one.
struct KMSModeChoice {
  /// Nil if none is asked for.
  let wanted: DisplayMode?
  /// The mode that the driver has refused first, and the one that is chosen instead; nil while none was refused.
  private var lesser: (refused: KMSMode, mode: KMSMode)?

  init(_ wanted: DisplayMode?) {
    self.wanted = wanted
  }

  /// - Parameter mayDiffer: whether the monitor's favourite is taken where it has not the one that is asked for.
  /// - Returns: the mode, and why it is not the one that is asked for; nil if it is, or none is.
  /// - Throws: `DisplayError` of kind `unsupported` if it may not differ.
  func mode(of connector: KMSConnector, on card: KMSCard, orPreferred mayDiffer: Bool) throws(DisplayError)
    -> (mode: KMSMode, refusal: DisplayError?)
  {
    var refusal: DisplayError?
    var mode: KMSMode
    do throws(DisplayError) {
      mode = try connector.mode(wanted, on: card)
    } catch {
      guard mayDiffer else { throw error }
      refusal = error
      mode = try connector.mode(nil, on: card)
    }
    if let lesser, lesser.refused == mode, connector.modes.contains(lesser.mode) { mode = lesser.mode }
    return (mode, refusal)
  }

  /// The driver refuses a mode that was chosen: a lesser one is chosen from here on.
  ///
  /// - Returns: false if the connector has none; then all may be tried again.
  mutating func refuse(_ mode: KMSMode, of connector: KMSConnector) -> Bool {
    let first = lesser?.mode == mode ? lesser?.refused : nil
    lesser = mode.lesser(among: connector.modes).map { (first ?? mode, $0) }
    return lesser != nil
  }

  /// Another monitor, or another cable: what was refused may not be refused again.
  mutating func forgetRefusals() { lesser = nil }
}

extension DisplayError {
  /// Whether another mode may be what helps: the driver refuses this one, or has no memory for it.
  var mayBeTheModes: Bool {
    (kind == .unsupported || kind == .failed) && cause != .permissionDenied && cause != .resourceBusy
  }

  /// The same, with a lesser mode to write, if there is one and it may help.
  func advising(lesserThan mode: KMSMode, of connector: KMSConnector) -> DisplayError {
    guard mayBeTheModes, let lesser = mode.lesser(among: connector.modes) else { return self }
    let advice = "; a lesser one is display: {mode: \(connector.text(of: lesser))}"
    return DisplayError(kind, path: path, detail: detail + advice, cause: cause)
  }
}
