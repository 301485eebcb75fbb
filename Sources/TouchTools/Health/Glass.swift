import TouchJSON
import TouchOutput
import TouchPixels
import TouchSystem

/// The way of a daemon's picture onto the glass, by its word where it is and the kernel's.
struct Glass {
  let scanout: Scanout?
  private let isDark: Bool
  /// The virtual terminal that the daemon took; 0 for none.
  private let terminal: Int
  private let backlight: String?
  let hidden: [PixelRect]
  /// Whether a screenshot has everything but those places.
  let isComplete: Bool
  private let sysfs: String

  /// The largest list of places, beyond which they are not compared.
  private static let mostHidden = 1000

  /// - Parameter answer: the daemon's answer to `health`; its display is seen.
  init?(_ answer: JSONValue, sysfs: String) {
    guard let glass = answer["glass"] else { return nil }
    scanout = Scanout(glass)
    let display = answer["display"]
    isDark = display?["dark"] == .boolean(true) || display?["blank"] == .boolean(true)
    terminal = Int(glass["terminal"]?.number ?? 0)
    backlight = glass["backlight"]?.text
    let places = glass["private"]?.elements ?? []
    hidden = places.prefix(Self.mostHidden).compactMap { PixelRect(around: $0) }
    isComplete = glass["complete"] != .boolean(false) && places.count <= Self.mostHidden
    self.sysfs = sysfs
  }

  var isLit: Bool { scanout != nil && !isDark }

  /// The reasons why the picture is not on the glass, the first cause first.
  func problems(by reader: ScanoutReader?) -> [HealthProblem] {
    guard reader != nil else { return [] }
    return [otherTerminal, isDark ? nil : reader?.problem, connector, light].compactMap(\.self)
  }

  private func text(_ path: String) -> String? {
    guard let bytes = try? FileContents.read("\(sysfs)/\(path)", upTo: 256) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private var otherTerminal: HealthProblem? {
    guard terminal > 0, let active = text("class/tty/tty0/active"), active != "tty\(terminal)" else {
      return nil
    }
    return HealthProblem(
      .otherTerminal,
      "virtual terminal \(active) is shown, and touchtree is on \(terminal); type: chvt \(terminal)"
    )
  }

  // MARK: Connectors

  private var connectors: [String] {
    switch scanout {
    case .connector(let part): return ["\(Self.name(of: part.card))-\(part.name)"]
    case .framebuffer(let path):
      let cards = FileContents.names(
        in: "\(sysfs)/class/graphics/\(Self.name(of: path))/device/drm"
      ).filter { $0.hasPrefix("card") }
      return FileContents.names(in: "\(sysfs)/class/drm").filter { name in
        cards.contains { name.hasPrefix("\($0)-") } && !name.contains("Writeback")
      }
    case nil: return []
    }
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private var connector: HealthProblem? {
    let all = connectors.filter { text("class/drm/\($0)/status") != nil }
    guard !all.isEmpty else { return nil }
    let names = all.joined(separator: ", ")
    let connected = all.filter { text("class/drm/\($0)/status") != "disconnected" }
    guard !connected.isEmpty else {
      return HealthProblem(
        .cableOut, "\(names): nothing is connected; plug the display in, or look at its cable")
    }
    let isOn = connected.contains {
      text("class/drm/\($0)/enabled") != "disabled" && (text("class/drm/\($0)/dpms") ?? "On") == "On"
    }
    guard !isDark, !isOn else { return nil }
    return HealthProblem(
      .displayOff,
      "\(connected.joined(separator: ", ")) is switched off, and touchtree did not ask for that; look for the program "
        + "that did, and type: touchtree ctl wake")
  }

  // MARK: Light

  private var light: HealthProblem? {
    let names = backlight.map { [$0] } ?? FileContents.names(in: "\(sysfs)/class/backlight")
    let off = names.filter { name in
      func number(_ file: String) -> Int? { text("class/backlight/\(name)/\(file)").flatMap { Int($0) } }
      return number("brightness") == 0 || number("actual_brightness") == 0 || number("bl_power") ?? 0 != 0
    }
    guard !isDark, !off.isEmpty, off.count == names.count else { return nil }
    return HealthProblem(
      .backlightOff,
      "\(sysfs)/class/backlight/\(off.joined(separator: ", ")): the panel has no light, and touchtree did not ask for "
        + "that; look for the program that did, and type: touchtree ctl backlight 100")
  }
}

extension Scanout {
  fileprivate init?(_ glass: JSONValue) {
    if let path = glass["framebuffer"]?.text {
      self = .framebuffer(path)
    } else if let card = glass["card"]?.text, let name = glass["connector"]?.text {
      func number(_ json: JSONValue?) -> UInt32 { json?.number.flatMap { UInt32(exactly: $0) } ?? 0 }
      self = .connector(
        Connector(
          card: card, name: name, crtc: number(glass["crtc"]),
          buffers: (glass["buffers"]?.elements ?? []).map(number), format: glass["format"]?.text ?? ""))
    } else {
      return nil
    }
  }
}

extension PixelRect {
  /// Makes the pixels that a rectangle touches, `[x, y, width, height]`.
  fileprivate init?(around json: JSONValue) {
    let numbers = json.elements?.compactMap(\.number) ?? []
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) < 1e6 }) else { return nil }
    let (left, top) = (Int(numbers[0].rounded(.down)) - 1, Int(numbers[1].rounded(.down)) - 1)
    self.init(
      x: left, y: top, width: Int((numbers[0] + numbers[2]).rounded(.up)) + 1 - left,
      height: Int((numbers[1] + numbers[3]).rounded(.up)) + 1 - top)
  }
}
