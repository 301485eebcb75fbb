import CDrm
import TouchCore
import TouchPixels

/// The choice of the connector to draw on.
enum KMSSearch {
  enum Choice: Hashable, Sendable {
    case any
    /// A connector, `HDMI-A-1`, also of a card, `vc4-HDMI-A-1`, or a card's first connected one, `vc4`.
    case named(String)

    /// Fails for a text that `text` never has.
    init?(text: String) {
      if text == "kms" {
        self = .any
      } else if let name = text.dropping("kms:"), !name.isEmpty {
        self = .named(name)
      } else {
        return nil
      }
    }

    func allows(_ connector: KMSConnector, of card: KMSCard) -> Bool {
      switch self {
      case .any: true
      case .named(let name):
        name == connector.name || card.names.contains { name == $0 || name == "\($0)-\(connector.name)" }
      }
    }

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
    let others: [String]
  }

  /// Returns the best connector of all cards (`Rank`), given the one used before; nil if nothing is
  /// connected. It throws if no card has connectors, or none of the name.
  static func find(
    _ choice: Choice, last: (device: String, connector: String)?, on machine: KMSMachine = .this
  ) throws(DisplayError) -> Found? {
    // The library comes first: without it no card can be examined.
    _ = try machine.library()
    let (candidates, errors) = candidates(on: machine, last: last)
    var others = errors.map(\.description)
    var isKnown = false
    var found: Candidate?
    for candidate in candidates {
      let (card, connector) = (candidate.card, candidate.connector)
      guard choice.allows(connector, of: card) else { continue }
      isKnown = true
      if !connector.isUsable {
        others.append("\(card.path) \(connector.name): \(reason(connector))")
      } else if found == nil {
        found = candidate
      } else {
        others.append("\(card.path) \(connector.name): not needed")
      }
    }
    if let found { return Found(card: found.card, connector: found.connector, others: others) }
    if isKnown { return nil }
    if candidates.isEmpty { throw errors.first { $0.kind != .unsupported } ?? missing(errors) }
    let names = candidates.map(\.connector.name).joined(separator: ", ")
    throw DisplayError(.missing, path: choice.text, detail: "there is no such connector; there are \(names)")
  }

  /// The rank of a connector, the least being the best. Numbers decide last: drivers are loaded in any order.
  struct Rank: Comparable {
    enum Kind: Int {
      /// The connector that was used before, if something is connected to it.
      case last
      case builtIn, connected
      /// The connector that was used before, if it cannot tell whether something is connected.
      case lastUnknown
      case unknown, disconnected
    }

    var kind: Kind
    /// The device of the connector's card. (`KMSCard.device`)
    var device = ""
    var card = 0
    var index = 0

    static func < (one: Rank, other: Rank) -> Bool {
      (one.kind.rawValue, one.device, one.card, one.index)
        < (other.kind.rawValue, other.device, other.card, other.index)
    }
  }

  private struct Candidate {
    let card: KMSCard
    let connector: KMSConnector
    let rank: Rank
  }

  /// Returns all connectors of all cards, the best first, and the errors of cards without connectors.
  private static func candidates(
    on machine: KMSMachine, last: (device: String, connector: String)?
  ) -> (candidates: [Candidate], errors: [DisplayError]) {
    var candidates: [Candidate] = []
    var errors: [DisplayError] = []
    for (number, path) in machine.paths.enumerated() {
      do throws(DisplayError) {
        let card = try KMSCard(path: path, on: machine)
        for (index, connector) in card.connectors(probing: true).enumerated() {
          let isLast = last.map { $0 == (card.device, connector.name) } ?? false
          let rank = Rank(
            kind: kind(of: connector, isLast: isLast), device: card.device, card: number, index: index)
          candidates.append(Candidate(card: card, connector: connector, rank: rank))
        }
      } catch {
        errors.append(error)
      }
    }
    return (candidates.sorted { $0.rank < $1.rank }, errors)
  }

  private static func kind(of connector: KMSConnector, isLast: Bool) -> Rank.Kind {
    switch connector.connection {
    case .connected: isLast ? .last : connector.isBuiltIn ? .builtIn : .connected
    case .unknown: isLast ? .lastUnknown : .unknown
    case .disconnected: .disconnected
    }
  }

  /// Returns whether a connector reports that something is connected. Its modes are read when it is taken,
  /// because the kernel probes monitors only for the master of their card.
  static func isConnected(on machine: KMSMachine = .this) -> Bool {
    candidates(on: machine, last: nil).candidates.contains {
      $0.connector.connection == .connected && !$0.connector.isNonDesktop
    }
  }

  /// Returns the mounting of the panel that shows a framebuffer; nil if unknown, or if the driver turns it.
  static func mounting(ofFramebuffer number: UInt32, on machine: KMSMachine = .this)
    -> DisplayGeometry.Rotation?
  {
    guard let card = card(ofFramebuffer: number, on: machine) else { return nil }
    let shown = card.connectors(probing: false).filter { $0.crtc != nil && $0.isUsable }
    guard let connector = shown.first(where: \.isBuiltIn) ?? shown.first, let mounting = connector.mounting,
      let mode = try? connector.mode(nil, on: card)
    else { return nil }
    // The kernel lets hardware turn its console, where possible, only by half a turn. (`drm_client_rotation`)
    let turn = (try? KMSPipe(to: connector, of: card, mode))?.planeProperties?["rotation"]?.value
    return turn ?? UInt64(DRM_MODE_ROTATE_0) == UInt64(DRM_MODE_ROTATE_0) ? mounting : nil
  }

  /// Returns the program shown in place of a kernel's framebuffer, as `KMSCard.otherUser()` does.
  static func otherUser(ofFramebuffer number: UInt32, on machine: KMSMachine = .this) -> String? {
    card(ofFramebuffer: number, on: machine)?.otherUser()
  }

  /// Returns the same as `otherUser(ofFramebuffer:)`, without any effect on a card that no other program has
  /// open.
  static func otherHolder(ofFramebuffer number: UInt32, on machine: KMSMachine = .this) -> String? {
    path(ofFramebuffer: number, on: machine).flatMap { path in
      KMSCardUsers.isHeld(path) ? otherUser(ofFramebuffer: number, on: machine) : nil
    }
  }

  /// Returns the program that shows its own picture on another card, as `KMSCard.otherUser()` does: it may
  /// have the visible terminal. Another touchtree there has none, or a lock on its own.
  static func otherUser(besides path: String?, on machine: KMSMachine = .this) -> String? {
    for other in machine.paths where other != path {
      guard let user = (try? KMSCard(path: other, on: machine))?.otherUser(),
        KMSLease.listing(of: other, on: machine) == nil
      else { continue }
      return user
    }
    return nil
  }

  /// Returns the card whose driver provides a framebuffer; nil if another driver does, or without libdrm.
  private static func card(ofFramebuffer number: UInt32, on machine: KMSMachine) -> KMSCard? {
    path(ofFramebuffer: number, on: machine).flatMap { try? KMSCard(path: $0, on: machine) }
  }

  private static func path(ofFramebuffer number: UInt32, on machine: KMSMachine) -> String? {
    machine.paths.first { KMSCard.framebuffers(of: $0, on: machine).contains(number) }
  }

  // MARK: Survey

  /// Surveys all connectors, of which there is at least one.
  static func survey(on machine: KMSMachine = .this) throws(DisplayError) -> [DisplayReport] {
    _ = try machine.library()
    let (candidates, errors) = candidates(on: machine, last: nil)
    guard !candidates.isEmpty else { throw errors.first { $0.kind != .unsupported } ?? missing(errors) }
    /// The user of each card, by its path; nil if no program has the card.
    var users: [String: String?] = [:]
    var lenders: [String: KMSLease.Listing] = [:]
    var reports = candidates.map { candidate in
      let (card, connector) = (candidate.card, candidate.connector)
      var report = report(connector, of: card)
      report.name = "kms:\(qualifiedName(of: candidate, among: candidates))"
      // Advice is given once for each card.
      if let user = users[card.path] {
        if let user, !lend(&report, connector, by: lenders[card.path]) { report.refuse(user) }
      } else {
        let user = card.otherUser()
        users[card.path] = .some(user)
        if user != nil { lenders[card.path] = KMSLease.listing(of: card.path, on: machine) }
        if let user, !lend(&report, connector, by: lenders[card.path]) {
          report.refuse("\(user). \(KMSCardUsers.advice)")
        }
      }
      return report
    }
    if let first = reports.firstIndex(where: { $0.refusal == nil }) {
      for index in reports.indices where index != first {
        reports[index] = reports[index].notTaken(because: reports[first].name)
      }
      reports[first].isUsed = true
      reports[first].reason = "no framebuffer can be used, and this is the first connector that can"
      if candidates[first].connector.connection == .unknown {
        reports[first].reason += "; it does not tell whether something is connected"
      }
    }
    return reports
  }

  /// Records the use that a lending touchtree makes of a connector in the report; false if none lends.
  private static func lend(
    _ report: inout DisplayReport, _ connector: KMSConnector, by listing: KMSLease.Listing?
  ) -> Bool {
    guard let listing, let use = listing.uses[connector.name] else { return false }
    let lender = "touchtree (pid \(listing.lender))"
    report.lender = Int(listing.lender)
    switch use {
    case .own:
      report.lender = nil
      report.refuse("\(lender) has it")
    case .lent(let process): report.refuse("touchtree (pid \(process)) has it, lent by \(lender)")
    // A connector that is free can be used if something is connected.
    case .free: break
    }
    return true
  }

  /// Returns the connector's name, with the most telling unique name of its card if cards share it.
  private static func qualifiedName(of candidate: Candidate, among all: [Candidate]) -> String {
    let name = candidate.connector.name
    let others = all.filter { $0.connector.name == name && $0.card !== candidate.card }.map(\.card)
    guard !others.isEmpty else { return name }
    let names = candidate.card.names
    let best = (names.dropFirst() + names.prefix(1)).first { own in
      !others.contains { $0.names.contains(own) }
    }
    return "\(best ?? names[0])-\(name)"
  }

  private static func report(_ connector: KMSConnector, of card: KMSCard) -> DisplayReport {
    var report = DisplayReport(name: "kms:\(connector.name)", kind: "connector")
    report.card = card.path
    report.driver = card.driver
    report.isConnected = connector.connection == .unknown ? nil : connector.connection == .connected
    report.modes = connector.modes.map(connector.text)
    report.millimetres = connector.millimetres
    report.mounting = connector.mounting
    guard connector.isUsable, let mode = try? connector.mode(nil, on: card) else {
      report.refuse(reason(connector))
      return report
    }
    report.preferredMode = connector.text(of: mode)
    report.size = Size(width: Double(mode.width), height: Double(mode.height))
    if let pipe = try? KMSPipe(to: connector, of: card, mode), let format = pipe.formats.first {
      report.format = "\(format.bitsPerPixel) bits (\(format.name))"
    } else {
      report.refuse("the driver has no CRTC, or no pixel format that touchtree draws")
    }
    return report
  }

  /// Returns the reason why a connector cannot show anything.
  static func reason(_ connector: KMSConnector) -> String {
    if connector.isNonDesktop { return "it is a headset" }
    return connector.connection == .disconnected ? "nothing is connected" : "it has no modes"
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
