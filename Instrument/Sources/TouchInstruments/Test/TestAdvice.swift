import TouchInput
import TouchMeasure
import TouchTools
import TouchViews

struct TestAdvice {
  private(set) var sentences: [String] = []
  /// The lines of a configuration, a device tree or a bug report.
  private(set) var lines: [String] = []

  /// - Parameter result: the result of a test that failed.
  init(_ result: PanelResult, of judgement: PanelJudgement) {
    let device = judgement.measurement.device
    func hasFailed(_ measure: Measure) -> Bool {
      result.figures.contains { $0.measure == measure && $0.result == .doesNotConform }
    }
    func hasFailedFigures(except measure: Measure?) -> Bool {
      result.figures.contains {
        $0.measure != measure && !$0.measure.isOfTouch && $0.result == .doesNotConform
      }
    }
    switch result.test {
    case .mapping where !hasFailed(.mappingFaults): break
    case .edge where !hasFailed(.edgeDistance): break
    case .mapping:
      sentences = ["Paste these lines into the configuration, and test again."]
      var keys: [String] = []
      if let numbers = result.mapping?.calibration {
        keys = [Self.key(numbers)]
      } else if let rotation = result.mapping?.orientation.rotation {
        keys = ["rotation: \(rotation)"]
      }
      addRule(keys, for: device)
    case .grid:
      if hasFailed(.missingCells), Self.isHeld(result) {
        sentences.append(
          "A contact that did not end kept these cells from getting one of their own: mend that first, and test again."
        )
      } else if hasFailed(.missingCells) {
        sentences.append(
          "Clean the panel and test again. If the same cells stay dead, look at the sensor's cable and bonding; if they lie "
            + "along one side, the driver's range is too large (touchscreen-size-x, touchscreen-size-y).")
      }
      let isDistorted = [Measure.gridKeystone, .gridRest, .gridLocal].contains(where: hasFailed)
      if [.gridShift, .gridScale, .gridRotation, .gridShear].contains(where: hasFailed)
        || hasFailed(.cellOffset) && !isDistorted
      {
        sentences.append("Calibrate the panel with these lines, or with `touchtree calibrate`.")
        if let matrix = judgement.calibration {
          addRule([Self.key([matrix.a, matrix.c, matrix.tx, matrix.b, matrix.d, matrix.ty])], for: device)
        }
      }
      if !isDistorted, hasFailed(.gridScale), let fit = judgement.accuracy, fit.isRatherKeystone {
        sentences.append(
          "The scale is that of a keystone: opposite sides differ by \(abs(fit.keystone.value).short) ± \(fit.keystone.error.short) %. "
            + "No calibration mends it: see how the sensor lies under the glass.")
      }
      if isDistorted {
        sentences.append(
          "No calibration mends a keystone or a local distortion: see how the sensor lies under the glass, and report it to its "
            + "maker with the recording.")
      }
    case .edge:
      sentences = [
        "The driver declares a larger range than the panel reports, or the housing covers the edge. Calibrate with "
          + "`touchtree calibrate`, or give udev's hardware database the range that is reported."
      ]
      lines = hardwareDatabaseLines(judgement)
    case .border:
      if hasFailedFigures(except: .borderWrong) {
        sentences = [
          "Near an edge the controller has fewer sensor lines: calibrate the panel if the offset is alike at all edges; else its "
            + "maker has to tune the edges, or keep small buttons 10 mm away from them."
        ]
      }
    case .start:
      if hasFailed(.startJump) {
        sentences = [
          "The controller holds a finger back and then jumps: reduce its movement threshold (the driver's fuzz, the firmware's "
            + "hysteresis)."
        ]
      }
    case .noise:
      if hasFailedFigures(except: .noiseWrong) {
        sentences = [
          "What disturbs the panel is in the figure: ground the panel, try another charger, keep its cable away from the display's, "
            + "and ask its maker for other scan frequencies."
        ]
      }
    case .line, .jitter, .taps:
      if hasFailedFigures(except: Measure.wrong(result.test)) {
        sentences = [
          "Connect the panel's ground to the housing, keep its cable away from the display's and from the charger, and test "
            + "again. What is left a filter can smooth, at the cost of some delay."
        ]
        addRule([result.test == .line ? "filter: one-euro" : "filter: hysteresis"], for: device)
      }
    case .rate: if hasFailedFigures(except: .rateWrong) { speedUp(device) }
    case .gaps:
      if hasFailed(.gapRatio) {
        sentences.append(
          "A report that came late: look for overruns in the log, a busy processor, and a slow bus. A position that jumped in time: "
            + "ground the panel, and keep its cable away from the display's.")
      }
      if hasFailed(.reversedMotion) {
        sentences.append("The position trembles while it moves: ground the panel, or add a filter.")
        addRule(["filter: one-euro"], for: device)
      }
      if hasFailed(.firstStep) {
        sentences.append(
          "The controller holds a finger back and then jumps: reduce its movement threshold (the driver's fuzz, the "
            + "firmware's hysteresis).")
      }
    case .contacts, .pairs:
      if hasFailedFigures(except: Measure.wrong(result.test)) {
        sentences = [
          "The controller merges or swaps fingers, or its driver declares slots that it never fills. Ask its maker for a newer "
            + "firmware or configuration, and report what the driver declares."
        ]
        lines = bugReport("panel or firmware", device, contactFaults(result))
      }
    case .deadzone:
      if hasFailed(.deadDiameter) {
        sentences = [
          "Clean the panel and rub again. A spot that stays dead is a broken sensor line or a bad connection: exchange the panel."
        ]
      }
    case .ghost:
      sentences = [
        "Contacts come from noise. Connect the panel's ground to the housing, try another charger, and raise the controller's "
          + "threshold."
      ]
    case .latency:
      if hasFailedFigures(except: .latencyWrong) {
        sentences = [
          "`touchtree ctl stats` shows where the time goes. Make the views that a touch changes smaller, and keep handlers out "
            + "of the daemon's process."
        ]
      }
    case .protocol:
      if hasFailed(.violations) {
        sentences = [
          "This is a bug of the driver or the firmware. Report it with the recording to linux-input@vger.kernel.org."
        ]
        lines = bugReport("kernel bug", device, result.details.filter { !$0.hasPrefix("at ") })
      }
    }
    if result.figures.contains(where: { $0.measure.isOfTouch && $0.result == .doesNotConform }) {
      sentences.append(
        "Taps press beside the finger where they land, lift or wobble: ask the panel's maker to hold back the first reports until "
          + "they are steady, and to leave out the last one; on resistive panels raise the pressure threshold."
      )
    }
    if let wrong = Measure.wrong(result.test), hasFailed(wrong) {
      sentences.append(
        "Contacts broke, merged, stuck, or came where no finger was: clean and dry the panel, ground it, and test on another "
          + "charger. If they come again, its maker needs the recording. If it was a second finger or a palm, press a and repeat."
      )
    }
  }

  /// Returns whether touches went on with a contact that should have ended.
  private static func isHeld(_ result: PanelResult) -> Bool {
    result.contactFaults.contains(.stuck) || result.gaps.contains { $0.contains("went on with it") }
  }

  /// The buses of devices. (`BUS_USB`, `BUS_BLUETOOTH`, `BUS_I2C`, `BUS_SPI` of linux/input.h.)
  private enum Bus {
    static let usb: UInt16 = 0x03
    static let bluetooth: UInt16 = 0x05
    static let i2c: UInt16 = 0x18
    static let spi: UInt16 = 0x1c
  }

  /// Adds advice about more frequent reports, which depends on the bus.
  private mutating func speedUp(_ device: DeviceDescription) {
    switch device.bus {
    case Bus.i2c:
      sentences = [
        "Look for an interrupt line that is polled or shared, and for a slow bus: many touch controllers need I2C at 400 kHz."
      ]
      lines = ["&i2c { clock-frequency = <400000>; };"]
    case Bus.spi:
      sentences = [
        "Look for an interrupt line that is polled or shared, and for a slow bus: the controller's data sheet has the highest "
          + "spi-max-frequency."
      ]
    case Bus.usb:
      sentences = [
        "Plug the panel into a port of its own instead of a hub, keep it from being suspended with this rule of udev, and see with "
          + "`lsusb -v` how often its endpoint is asked (bInterval, in milliseconds). If nothing of it helps, the panel does not measure "
          + "more often."
      ]
      lines = [
        "ACTION==\"add\", SUBSYSTEM==\"usb\", ATTR{idVendor}==\"\(device.vendor.hex(digits: 4))\", "
          + "ATTR{idProduct}==\"\(device.product.hex(digits: 4))\", ATTR{power/control}=\"on\""
      ]
    case Bus.bluetooth:
      sentences = ["A radio link loses reports: test again near the receiver, and by cable."]
    default:
      sentences = ["See whether the driver polls the panel, and how busy the processor and the bus are."]
    }
  }

  private func contactFaults(_ result: PanelResult) -> [String] {
    result.figures.compactMap { figure in
      guard figure.result == .doesNotConform, let value = figure.value else { return nil }
      switch figure.measure {
      case .mostContacts:
        return "reports \(value.short) of the \((figure.limit ?? 0).short) contacts that are asked for"
      case .swaps, .pairSwaps:
        return "swaps the identities of contacts, \(value == 1 ? "once" : "\(value.short) times")"
      case .drumroll: return "moves a contact by \(value.short) mm while fingers drum on two places"
      case .separation, .pairSeparation: return "makes one contact of two fingers \(value.short) mm apart"
      default: return nil
      }
    }
  }

  /// Returns libinput's six numbers as a key of a device's rule.
  private static func key(_ calibration: [Double]) -> String {
    let text = calibration.map { (($0 * 1_000_000).rounded() / 1_000_000).plain }.joined(separator: ", ")
    return "calibration: [\(text)]"
  }

  private mutating func addRule(_ keys: [String], for device: DeviceDescription) {
    lines +=
      ["input:", "  devices:", "    \(ConfigSnippet(device, among: []).text)"] + keys.map { "      \($0)" }
  }

  private func bugReport(_ cause: String, _ device: DeviceDescription, _ faults: [String]) -> [String] {
    let ids = [device.bus, device.vendor, device.product].map { $0.hex(digits: 4) }.joined(separator: ":")
    return faults.map { "\(cause): \(device.title) (\(ids)): \($0)" }
  }

  /// Returns the observed range, for systemd's 60-evdev.hwdb.
  private func hardwareDatabaseLines(_ judgement: PanelJudgement) -> [String] {
    let device = judgement.measurement.device
    let codes =
      judgement.measurement.kind == .multitouch
      ? [EventCode.absMTPositionX, EventCode.absMTPositionY] : [EventCode.absX, EventCode.absY]
    let match =
      "evdev:input:b\(device.bus.hex(digits: 4))v\(device.vendor.hex(digits: 4))p\(device.product.hex(digits: 4))*"
    let lines = codes.compactMap { code -> String? in
      // A test counts the drags off the edges, a plain recording everything.
      let steps = judgement.measurement.marks.steps.filter { $0.test == .edge }
      let frames = judgement.measurement.frames.lazy.filter { frame in
        steps.isEmpty || steps.contains { frame.time >= $0.start && frame.time < $0.end }
      }
      let values = frames.flatMap(\.events)
        .filter { $0.type == EventCode.abs && $0.code == code }.map(\.value)
      guard let least = values.min(), let most = values.max() else { return nil }
      return " EVDEV_ABS_\(code.hex(digits: 2))=\(least):\(most)"
    }
    return lines.isEmpty ? [] : [match] + lines
  }
}
