/// Classifies a device by its capabilities. The order of the questions matters, because devices declare more
/// than they are: mice have multitouch axes, keyboards have absolute ones, touchscreens have mouse buttons.
/// The questions are udev's (`input_id`), widened by the touchscreens that it does not recognise: without a
/// button, without INPUT_PROP_DIRECT, with BTN_LEFT, with BTN_TOOL_PEN.
package enum DeviceClassifier {
  /// Returns the kind of a device with these capabilities, or the reason why it is not used.
  /// - Parameter isForced: whether the configuration has `use: true`. Then only the possible touches count,
  ///   and not the likely kind of the device; a mouse stays a mouse.
  package static func classify(
    _ capabilities: DeviceCapabilities, isForced: Bool = false
  ) -> Classification {
    let traits = DeviceTraits(capabilities)
    let classification =
      other(traits) ?? relativePointer(traits) ?? touchpad(traits) ?? multitouch(traits)
      ?? onePosition(traits) ?? .unused(because: nothing(traits))
    guard isForced, classification.kind == nil else { return classification }
    return forced(traits, insteadOf: classification)
  }

  private static func forced(_ traits: DeviceTraits, insteadOf rejection: Classification) -> Classification {
    let attempts = [multitouch(traits), onePosition(traits)].compactMap(\.self)
    if let kind = attempts.lazy.compactMap(\.kind).first {
      return .used(kind, because: "The configuration says use: true. " + rejection.reason)
    }
    return .unused(
      because: "The configuration says use: true, but no touches can be made of it. "
        + (attempts.first ?? .unused(because: nothing(traits))).reason)
  }

  /// Devices whose axes are no place on a screen.
  private static func other(_ traits: DeviceTraits) -> Classification? {
    if traits.isAccelerometer {
      return .unused(because: "It is an accelerometer: its axes are not positions on a screen.")
    }
    if traits.isPen && !traits.isTouchedByFingers && (traits.hasPosition || traits.hasMTPosition) {
      let names = traits.penNames.joined(separator: ", ")
      return .unused(because: "It is a pen or a graphics tablet (\(names)), not a touchscreen.")
    }
    if traits.hasGameButtons && !traits.movesByDifferences && !traits.isDirect && !traits.hasTouchButton {
      return .unused(because: "It is a joystick or game controller: its axes are not positions on a screen.")
    }
    return nil
  }

  /// Mice, and keyboards with a pointing device. They are asked before anything with absolute axes, because
  /// they carry some without much meaning.
  private static func relativePointer(_ traits: DeviceTraits) -> Classification? {
    guard traits.movesByDifferences, traits.hasLeftButton, !traits.isDirect else { return nil }
    if traits.hasTouchButton && (traits.hasPosition || traits.hasMTPosition) { return nil }
    var reason = "It is a mouse: REL_X, REL_Y, BTN_LEFT"
    if traits.isKeyboard { reason += "; its keys are no touches" }
    if traits.hasAbsoluteAxes { reason += "; its absolute axes are not used" }
    return .used(.relativePointer, because: reason + ".")
  }

  private static func touchpad(_ traits: DeviceTraits) -> Classification? {
    guard !traits.isDirect, traits.hasPosition || traits.hasMTPosition else { return nil }
    // INPUT_PROP_POINTER alone can also be a tablet of a virtual machine.
    let isPad =
      traits.hasFingerTool || traits.hasPadProperty
      || traits.needsPointer && (traits.hasTouchButton || traits.hasMTPosition)
    guard isPad else { return nil }
    return .unused(because: "It is a touchpad: fingers on it move a pointer, they do not touch a screen.")
  }

  private static func multitouch(_ traits: DeviceTraits) -> Classification? {
    guard traits.hasMTPosition else { return nil }
    if traits.slots == nil && traits.declaresSlots {
      return oneFinger(traits, insteadOf: "It declares multitouch axes, but not a single slot")
    }
    if traits.slots != nil && !traits.hasTrackingID {
      return oneFinger(traits, insteadOf: "Its slots have no ABS_MT_TRACKING_ID to say which are touched")
    }
    if let problem = traits.problem(ofMultitouch: true) {
      return oneFinger(traits, insteadOf: problem, advice: traits.rangeAdvice(ofMultitouch: true))
    }
    let count =
      switch traits.slots {
      case nil: "no slots, so every frame lists its contacts (protocol A)"
      case 1: "1 slot"
      case let slots?: "\(slots) slots"
      }
    return .used(
      .multitouch,
      because: "It is a multitouch screen: \(count), \(traits.ranges(ofMultitouch: true)).")
  }

  /// A device with unusable multitouch. Many of these drivers also report one finger the old way.
  private static func oneFinger(
    _ traits: DeviceTraits, insteadOf problem: String, advice: String = ""
  ) -> Classification {
    guard traits.hasTouchButton, case .used(.singleTouch, because: _)? = onePosition(traits) else {
      return .unused(because: problem + "." + advice)
    }
    let axes = traits.ranges(ofMultitouch: false)
    return .used(.singleTouch, because: "\(problem); one finger is used: BTN_TOUCH, \(axes).")
  }

  /// Devices with ABS_X and ABS_Y.
  private static func onePosition(_ traits: DeviceTraits) -> Classification? {
    guard traits.hasPosition else { return nil }
    let kind: DeviceKind
    let what: String
    if traits.isMouseWithPositions {
      (kind, what) = (.absolutePointer, "It is an absolute mouse or tablet: BTN_LEFT")
    } else if traits.hasTouchButton {
      (kind, what) = (.singleTouch, "It is a single-touch screen: BTN_TOUCH")
    } else if traits.hasLeftButton && traits.isDirect {
      (kind, what) = (.singleTouch, "It is a single-touch screen: INPUT_PROP_DIRECT, BTN_LEFT")
    } else if traits.hasLeftButton {
      (kind, what) = (.absolutePointer, "It is an absolute mouse or tablet: BTN_LEFT")
    } else if traits.isKeyboard {
      return .unused(because: "It is a keyboard; no button goes with its ABS_X and ABS_Y.")
    } else if traits.hasPressure {
      (kind, what) = (
        .singleTouch, "It is a single-touch screen without a button: ABS_PRESSURE says when it is touched"
      )
    } else {
      return .unused(
        because:
          "It reports ABS_X and ABS_Y, but neither BTN_TOUCH, BTN_LEFT nor ABS_PRESSURE to say when it is "
          + "touched.")
    }
    if let problem = traits.problem(ofMultitouch: false) {
      return .unused(because: problem + "." + traits.rangeAdvice(ofMultitouch: false))
    }
    return .used(kind, because: "\(what), \(traits.ranges(ofMultitouch: false)).")
  }

  private static func nothing(_ traits: DeviceTraits) -> String {
    if traits.isKeyboard { return "It is a keyboard." }
    if traits.declaresEveryAxis {
      return "It declares every axis there is, so its multitouch axes mean nothing."
    }
    if let dial = traits.dial {
      let name = EventName.code(dial.code, of: EventCode.abs) ?? "axis \(dial.code)"
      return "It is a knob: \(name) says which of \(Int(saturating: dial.range.span)) places it stands at."
    }
    if let half = traits.halfPosition { return half }
    if traits.movesByDifferences { return "It moves (REL_X, REL_Y), but has no BTN_LEFT to press." }
    if traits.hasTouchButton { return "It has BTN_TOUCH, but no axes that say where it is touched." }
    if traits.hasKeys { return "It has keys or buttons, but reports no position." }
    return "It reports no position."
  }
}

package enum Classification: Hashable, Sendable {
  /// The device is used as this kind; the sentence has the reason.
  case used(DeviceKind, because: String)
  case unused(because: String)

  package var kind: DeviceKind? {
    switch self {
    case .used(let kind, because: _): kind
    case .unused: nil
    }
  }

  package var reason: String {
    switch self {
    case .used(_, because: let reason), .unused(because: let reason): reason
    }
  }
}
