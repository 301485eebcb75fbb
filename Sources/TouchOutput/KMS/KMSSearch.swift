import TouchCore
import TouchPixels

/// Chooses the connector that is drawn on.
enum KMSSearch {
  /// Which connectors may be taken.
  enum Choice: Hashable, Sendable {
    case any
    /// By name: `HDMI-A-1`, or `card1-HDMI-A-1` where several cards have one.
    case named(String)

    func allows(_ connector: KMSConnector, of card: KMSCard) -> Bool {
      switch self {
      case .any: true
      case .named(let name): name == connector.name || name == "\(card.name)-\(connector.name)"
      }
    }

    /// As `--display` takes it.
    var text: String {
      switch self {
      case .any: "kms"
      case .named(let name): "kms:\(name)"
      }
    }
  }

  struct Found {
    let card: KMSCard
    let connector: KMSConnector
    /// Other connectors and cards, and why each was not taken: lines for the log.
    let others: [String]
  }

  /// The first connector of the first card that something is connected to. Built-in panels come first, then the one that was
  /// used before, then the others in the driver's order.
  ///
  /// - Parameter last: the name of the one that was used before; nil if none was.
  /// - Returns: nil if nothing is connected.
  /// - Throws: `DisplayError` if there is no card with connectors, or none of the name.
  static func find(_ choice: Choice, last: String?) throws(DisplayError) -> Found? {
    let paths = KMSCard.paths
    // Before there is a card to look at: without the library no card can be.
    _ = try KMSLibrary.load()
    var errors: [DisplayError] = []
    var names: [String] = []
    var others: [String] = []
    var isKnown = false
    var found: (card: KMSCard, connector: KMSConnector)?
    for path in paths {
      let card: KMSCard
      do throws(DisplayError) {
        card = try KMSCard(path: path)
      } catch {
        errors.append(error)
        others.append(error.description)
        continue
      }
      for connector in sorted(card.connectors(probing: true), last: last) {
        names.append(connector.name)
        let label = "\(path) \(connector.name)"
        guard choice.allows(connector, of: card) else { continue }
        isKnown = true
        if !connector.isUsable {
          others.append("\(label): \(reason(connector))")
        } else if found == nil {
          found = (card, connector)
        } else {
          others.append("\(label): not needed")
        }
      }
    }
    if let found { return Found(card: found.card, connector: found.connector, others: others) }
    if isKnown { return nil }
    if names.isEmpty { throw errors.first { $0.kind != .unsupported } ?? missing(errors) }
    throw DisplayError(
      .missing, path: choice.text,
      detail: "there is no such connector; there are \(names.joined(separator: ", "))")
  }

  // MARK: Survey

  /// What is known of all connectors.
  ///
  /// - Throws: `DisplayError` if there is none.
  static func survey() throws(DisplayError) -> [DisplayReport] {
    _ = try KMSLibrary.load()
    var errors: [DisplayError] = []
    var reports: [DisplayReport] = []
    for path in KMSCard.paths {
      do throws(DisplayError) {
        let card = try KMSCard(path: path)
        let user = card.otherUser()
        reports += sorted(card.connectors(probing: true), last: nil).map { report($0, of: card, user: user) }
      } catch {
        errors.append(error)
      }
    }
    guard !reports.isEmpty else { throw errors.first { $0.kind != .unsupported } ?? missing(errors) }
    let names = reports.map(\.name)
    for index in reports.indices where names.filter({ $0 == reports[index].name }).count > 1 {
      reports[index].name = reports[index].qualifiedName
    }
    if let first = reports.firstIndex(where: { $0.refusal == nil }) {
      for index in reports.indices where index != first {
        reports[index] = reports[index].notTaken(because: reports[first].name)
      }
      reports[first].isUsed = true
      reports[first].reason = "there is no framebuffer, and this is the first connector that can be used"
    }
    return reports
  }

  private static func report(_ connector: KMSConnector, of card: KMSCard, user: String?) -> DisplayReport {
    var report = DisplayReport(name: "kms:\(connector.name)", kind: "connector")
    report.card = card.path
    report.driver = card.driver
    report.isConnected = connector.isConnected
    report.modes = connector.modes.map(\.text)
    report.millimetres = connector.millimetres
    report.mounting = connector.mounting
    guard connector.isUsable, let mode = try? connector.mode(nil, on: card) else {
      report.refusal = reason(connector)
      report.reason = reason(connector)
      return report
    }
    report.preferredMode = mode.text
    report.size = Size(width: Double(mode.width), height: Double(mode.height))
    if let pipe = try? KMSPipe(to: connector, of: card, nil), let format = pipe.formats.first {
      report.format = "\(format.bitsPerPixel) bits (\(format.name))"
    } else {
      report.refusal = "the driver has no CRTC, or no pixel format that touchtree draws"
    }
    if let user { report.refusal = user }
    report.reason = report.refusal ?? ""
    return report
  }

  /// Why a connector cannot show anything.
  static func reason(_ connector: KMSConnector) -> String {
    if connector.isNonDesktop { return "it is a headset" }
    return connector.isConnected ? "it has no modes" : "nothing is connected"
  }

  private static func sorted(_ connectors: [KMSConnector], last: String?) -> [KMSConnector] {
    func rank(_ connector: KMSConnector) -> Int {
      if connector.name == last { return 0 }
      return connector.isBuiltIn ? 1 : 2
    }
    return connectors.enumerated().map { (rank: rank($1), index: $0, connector: $1) }
      .sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.connector)
  }

  private static func missing(_ errors: [DisplayError]) -> DisplayError {
    if let first = errors.first {
      return DisplayError(.missing, path: first.path, detail: first.detail, cause: first.cause)
    }
    return DisplayError(
      .missing, path: "kms",
      detail:
        "there is no /dev/dri/card0: the kernel has no DRM driver for this machine's display, or it is not loaded. "
        + "On a Raspberry Pi dtoverlay=vc4-kms-v3d in config.txt loads it")
  }
}

extension DisplayReport {
  /// With the card, where several have a connector of that name.
  fileprivate var qualifiedName: String {
    guard let card = card?.split(separator: "/").last else { return name }
    return "kms:\(card)-\(name.dropFirst("kms:".count))"
  }
}
