import TouchPixels
import TouchViews

/// The choice of a connector's mode: wanted, the kernel's or the monitor's, or a lesser one after a refusal.
struct KMSModeChoice {
  /// The wanted mode; nil if the user wants none.
  let wanted: DisplayMode?
  /// The mode that the driver has refused first, and the one chosen instead; nil while none was refused.
  private var lesser: (refused: KMSMode, mode: KMSMode)?

  init(_ wanted: DisplayMode?) { self.wanted = wanted }

  /// Returns the mode of a connector, and the reason why it is not the wanted one. If it may not differ, a
  /// missing mode is an error of kind `unsupported`.
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

  /// Chooses a lesser mode after the driver has refused one; false, and all may be tried again, without one.
  mutating func refuse(_ mode: KMSMode, of connector: KMSConnector) -> Bool {
    let first = lesser?.mode == mode ? lesser?.refused : nil
    lesser = mode.lesser(among: connector.modes).map { (first ?? mode, $0) }
    return lesser != nil
  }

  /// Forgets refusals, because another monitor or cable may not have them.
  mutating func forgetRefusals() { lesser = nil }
}

extension DisplayError {
  /// Whether another mode may help: the driver refuses this one, or has no memory for it.
  var mayBeTheModes: Bool {
    (kind == .unsupported || kind == .failed) && cause != .permissionDenied && cause != .resourceBusy
  }

  /// Returns the error with advice to write a lesser mode, if there is one and it may help.
  func advising(lesserThan mode: KMSMode, of connector: KMSConnector) -> DisplayError {
    guard mayBeTheModes, let lesser = mode.lesser(among: connector.modes) else { return self }
    let advice = "; a lesser one is display: {mode: \(connector.text(of: lesser))}"
    return DisplayError(kind, path: path, detail: detail + advice, cause: cause)
  }
}
