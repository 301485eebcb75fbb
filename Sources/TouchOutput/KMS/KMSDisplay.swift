import CLinux.Display
import Glibc
import TouchCore
import TouchPixels
import TouchSystem
import TouchViews

extension DisplayKind {
  /// Displays named `kms`, or by a connector, such as `kms:HDMI-A-1`.
  static let kms = DisplayKind(
    example: "kms:HDMI-A-1",
    automatic: { (canvas, others) throws(DisplayError) in
      try KMSDisplay(.any, for: canvas, insteadOf: others)
    },
    survey: { () throws(DisplayError) in try KMSSearch.survey() },
    named: { name throws(DisplayError) in
      guard name == "kms" || name.hasPrefix("kms:") else { return nil }
      guard let choice = KMSSearch.Choice(text: name) else {
        throw DisplayError(.badName, path: name, detail: "a connector's name follows, such as kms:HDMI-A-1")
      }
      return Named(preview: { () throws(DisplayError) in try KMSDisplay.preview(of: choice) }) {
        canvas throws(DisplayError) in try KMSDisplay(choice, for: canvas)
      }
    })
}

/// A connector of a graphics card, such as `HDMI-A-1`, used by kernel mode setting. (kernel
/// `gpu/drm-kms.rst`) It follows the connector when its cable is pulled or plugged, and when another monitor
/// has other modes. While nothing is connected it waits, even at the start. While another program is shown,
/// it holds nothing of the card. A touchtree that has the card lends a connector of it. (`KMSClaim`)
package final class KMSDisplay: Display {
  package var onEvent: (DisplayEvent) -> Void = { _ in }

  private let claim: KMSClaim
  private var modes: KMSModeChoice
  /// The pipe that shows the picture; nil while nothing is shown.
  private var pipe: KMSPipe?
  private var pages: KMSPages?
  private var loop: EventLoop?
  private var isSuspended = false
  private var isStale = false
  private var canBlank = true
  private var isBlank = false
  private let awakening = KMSAwakening()
  private var last:
    (card: String, connector: String, mode: KMSMode, modeText: String, mounting: DisplayGeometry.Rotation?)?
  private var others: [String] = []
  private let refused: [DisplayError]
  /// The reason why the wanted mode is not set; nil if it is.
  private var modeRefusal: DisplayError?
  /// The size while nothing is connected, which is the canvas's.
  private var emptySize: Size

  package private(set) var width: Int
  package private(set) var height: Int

  /// Chooses a connector, which may be disconnected. Its picture stays as it is until `begin(in:)`.
  init(_ choice: KMSSearch.Choice, for canvas: CanvasLayout, insteadOf refused: [DisplayError] = [])
    throws(DisplayError)
  {
    claim = KMSClaim(choice)
    self.refused = refused
    modes = KMSModeChoice(canvas.mode)
    emptySize = canvas.naturalDisplaySize
    (width, height) = (Int(emptySize.width.rounded(.up)), Int(emptySize.height.rounded(.up)))
    try claim.find()
    claim.borrowEarly()
    try adopt()
    awakening.onEnd = { [weak self] in self?.look(probing: true) }
    claim.report = { [weak self] in self?.onEvent(.notice($0)) }
    claim.onHandOver = { [weak self] in self?.lose() }
    claim.onCover = { [weak self] in self?.showAgain() }
    claim.onChange = { [weak self] in
      guard let self else { return }
      lose()
      onEvent(.changed)
    }
  }

  deinit { restore() }

  private var found: KMSSearch.Found? { claim.found }

  private func adopt() throws(DisplayError) {
    guard let found else { return }
    let (card, connector, size) = (found.card, found.connector, (width, height))
    // At the start the user can write another mode. Later, another monitor may lack the wanted one.
    let (mode, refusal) = try modes.mode(of: connector, on: card, orPreferred: loop != nil)
    modeRefusal = refusal
    last = (card.path, connector.name, mode, connector.text(of: mode), connector.mounting)
    others = found.others
    (width, height) = (mode.width, mode.height)
    if loop != nil, size != (width, height) { isStale = true }
  }

  // MARK: What it is

  package var name: String {
    guard let last else { return "\(claim.choice.text) (nothing is connected)" }
    let driver = found.map { "\($0.card.driver), " } ?? ""
    return "\(last.card) \(last.connector) (\(driver)\(last.modeText))"
  }

  package var remarks: [DisplayRemark] {
    var remarks = refused.map { DisplayRemark(.warning, "\($0); a connector is used instead") }
    remarks += others.map { DisplayRemark(.info, $0) }
    if found != nil, let last, let modeRefusal {
      remarks.append(DisplayRemark(.warning, "\(modeRefusal). Until then it is \(last.modeText)"))
    }
    if found == nil {
      remarks.append(
        DisplayRemark(
          .warning,
          claim.waiting.map { "\($0.path): \($0.detail)" }
            ?? "\(claim.choice.text): nothing is connected; touchtree waits for a monitor"))
    }
    if let lender = claim.lendingProcess {
      remarks.append(DisplayRemark(.info, "\(name) is lent by touchtree (pid \(lender)), which has the card"))
    }
    if let last, let mounting = last.mounting, mounting != DisplayGeometry.Rotation.none {
      remarks.append(
        DisplayRemark(
          .info,
          "\(last.card) \(last.connector): the panel is mounted so that rotation: auto is \(mounting.rawValue)"
        ))
    }
    return remarks
  }

  package var scanout: Scanout? {
    guard let pipe, let pages else { return nil }
    return .connector(
      .init(
        card: pipe.card.path, name: pipe.connector.name, crtc: pipe.crtc, buffers: pages.framebuffers,
        format: pages.format.name))
  }

  package var picture: Surface? { nil }
  package var showsAtOnce: Bool { pages?.showsAtOnce ?? false }

  package func geometry(of canvas: CanvasLayout) -> DisplayGeometry {
    canvas.geometry(on: size, mounting: last?.mounting ?? DisplayGeometry.Rotation.none)
  }

  // MARK: Drawing

  package var isCurrent: Bool { !isStale }
  package func begin(_ damage: inout Damage) { pages?.begin(&damage) }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    pages?.compose(rect, paint)
  }

  package func present() -> Bool { pages?.present() ?? true }
  package func reduce(_ picture: Surface) { pages?.converter.reduce(picture) }

  /// Returns the look of pictures on a connector, whose mode stays as it is.
  static func preview(of choice: KMSSearch.Choice) throws(DisplayError) -> DisplayPreview {
    guard let found = try KMSSearch.find(choice, last: nil) else { throw nothingConnected(choice) }
    let mode = try found.connector.mode(nil, on: found.card)
    let pipe = try KMSPipe(to: found.connector, of: found.card, mode)
    guard let format = pipe.formats.first else { throw pipe.hasNoFormat }
    let buffer = try KMSBuffer(
      on: found.card, width: pipe.mode.width, height: pipe.mode.height, format: format)
    let converter = RowConverter(layout: try buffer.layout())
    return DisplayPreview(
      size: Size(width: Double(pipe.mode.width), height: Double(pipe.mode.height)),
      reduce: { converter.reduce($0) })
  }

  // MARK: In the loop

  package func begin(in loop: EventLoop) throws(DisplayError) {
    self.loop = loop
    UdevMonitor.followDisplays(
      "drm", in: loop, report: { onEvent(.notice("\(name): \($0)")) },
      where: { [weak self] in self?.concerns($0) ?? false },
      // Only the kernel's event probes the monitor: udev reports the same event later.
      changed: { [weak self] in self?.look(probing: $0 == .kernel) })
    claim.loop = loop
    if !isSuspended, found != nil { try show(isFirst: true) }
    // Finds a monitor that was plugged in before the kernel's messages were followed.
    if found == nil { loop.again { [weak self] in self?.look(probing: true) } }
  }

  package func restore() {
    release(restoring: true, because: nil)
    claim.suspend()
  }

  /// Takes the card and shows black.
  /// - Parameter isFirst: whether this is the start, at which the user can still
  ///   write another mode if the driver refuses one.
  private func show(isFirst: Bool = false) throws(DisplayError) {
    guard let loop else { return }
    do throws(DisplayError) {
      try claim.take()
      try showBlack(in: loop, orLesser: !isFirst || modes.wanted == nil)
    } catch {
      // A loan that is over is waited for.
      guard !claim.leaseMayBeOver else { return lose() }
      claim.giveUp()
      throw error
    }
  }

  /// - Parameter mayDiffer: whether lesser modes are tried after the driver has refused one.
  private func showBlack(in loop: EventLoop, orLesser mayDiffer: Bool) throws(DisplayError) {
    var refusal: DisplayError?
    while true {
      try adopt()
      guard let found, let last else { return }
      do throws(DisplayError) {
        let pipe = try KMSPipe(to: found.connector, of: found.card, last.mode)
        pages = try KMSPages.showingBlack(by: pipe, in: loop)
        self.pipe = pipe
        break
      } catch {
        guard mayDiffer else { throw error.advising(lesserThan: last.mode, of: found.connector) }
        let first = refusal ?? error
        guard error.mayBeTheModes, modes.refuse(last.mode, of: found.connector) else { throw first }
        refusal = first
      }
    }
    pages?.onShown = { [weak self] in self?.onEvent(.shown($0)) }
    pages?.report = { [weak self] in
      guard let self else { return }
      // The end of a loan is no fault of the driver.
      if !claim.leaseMayBeOver { onEvent(.notice("\(name): \($0)")) }
    }
    if let pipe { claim.lend(beside: pipe) }
    if let refusal, let last { onEvent(.notice("\(refusal), so it shows \(last.modeText)")) }
  }

  /// Lets everything of the card go. With a reason, borrowers wait.
  private func release(restoring: Bool, because reason: String? = "its own display changes") {
    claim.takeBack(because: reason)
    awakening.forget()
    pages?.settle()
    pages?.end()
    if restoring { pipe?.restore() }
    pages = nil
    pipe = nil
    claim.letGo()
  }

  /// Shows nothing until more is known.
  private func lose() {
    release(restoring: false)
    isStale = true
  }

  // MARK: By turns with other programs

  package var isLent: Bool { claim.lendingProcess != nil }
  package var takesConsole: Bool { true }
  package var otherUser: String? {
    guard !isLent else { return nil }
    return found?.card.otherUser() ?? KMSSearch.otherUser(besides: found?.card.path)
  }

  package func shows(console: Int32) -> Bool? {
    guard console > 0, let number = FramebufferSearch.framebuffer(ofConsole: UInt32(console)) else {
      return nil
    }
    // The display may be suspended or unplugged.
    guard let path = found?.card.path ?? last?.card else { return nil }
    return KMSCard.framebuffers(of: path, on: .this).contains(number)
  }

  package func share(byTurns: Bool) throws(DisplayError) {
    try claim.share(byTurns: byTurns)
    try adopt()
  }

  package func suspend() {
    isSuspended = true
    release(restoring: true, because: "another program is shown on the card")
    claim.suspend()
  }

  package func resume() throws(DisplayError) {
    isSuspended = false
    try open()
  }

  private func open() throws(DisplayError) {
    try claim.find()
    try adopt()
    if found != nil { try show() }
    if found == nil { isStale = true }
  }

  // MARK: Blanking

  package func blank() {
    isBlank = true
    pages?.settle()
    guard let pipe, !pipe.setPower(false), canBlank else { return }
    canBlank = false
    onEvent(.notice("\(name): the driver does not switch the display off, so it shows black"))
  }

  package func unblank() {
    isBlank = false
    awakening.begin(in: loop)
    guard canBlank, pipe?.setPower(true) == false else { return }
    do throws(DisplayError) {
      try pages?.showAgain()
    } catch {
      onEvent(.notice("\(name): the driver does not switch the display on again. \(error)"))
    }
  }

  private func showAgain() {
    guard (try? pages?.showAgain()) != nil, isBlank, canBlank else { return }
    _ = pipe?.setPower(false)
  }

  // MARK: Another mode, and none

  package var isAttached: Bool { found != nil || isSuspended }

  package func abandon() { release(restoring: false) }

  package func reopen() throws(DisplayError) {
    (isSuspended, canBlank, isBlank) = (false, true, false)
    do throws(DisplayError) {
      try claim.find()
      try adopt()
      if found != nil { try show() }
      guard found != nil else { throw claim.waiting ?? Self.nothingConnected(claim.choice) }
      isStale = false
    } catch {
      // Waiting borrowers take the card themselves.
      claim.giveUp()
      throw error
    }
  }

  /// Returns whether an event may concern the shown connector, or one that could be shown.
  private func concerns(_ event: UdevMonitor.Event) -> Bool {
    // A loan does not change the card's connectors.
    guard !event.isLease else { return false }
    guard let found, found.connector.connection == .connected else { return true }
    return event.node == nil || event.node == found.card.path
  }

  /// Looks again after an event of a card. Probing asks the monitor again, which takes time.
  private func look(probing: Bool) {
    guard !isSuspended else { return }
    claim.lookAgain()
    if let found, let last {
      let now = found.card.connector(found.connector.id, probing: probing)
      let isThere = access(found.card.path, F_OK) == 0
      if now?.isUsable == true {
        awakening.forget()
      } else if now != nil, isThere, isBlank || awakening.isGoingOn {
        return awakening.note()
      }
      let isSame =
        now?.isUsable == true && now?.isLinkBad == false && isThere
        && now.flatMap { try? modes.mode(of: $0, on: found.card, orPreferred: true) }?.mode == last.mode
        && now?.mounting == last.mounting
      // A connector that cannot tell whether a monitor is there yields to one that can.
      let isBest =
        found.connector.connection == .connected || claim.choice != .any || !KMSSearch.isConnected()
      if isSame, isBest { return }
      isStale = true
      if now?.isUsable != true {
        modes.forgetRefusals()
        release(restoring: false)
      }
    }
    onEvent(.changed)
  }

  private static func nothingConnected(_ choice: KMSSearch.Choice) -> DisplayError {
    DisplayError(
      .missing, path: choice.text, detail: "nothing is connected; plug a monitor in, or look at its cable")
  }
}
