import TouchCore
import TouchDisplay
import TouchInput

/// Touches a session without any device: taps, drags and recordings, with made-up times, on a display that is only
/// memory. It is what `trace` and `render` are made of.
public final class Rehearsal {
  private let session: Session
  private let report: (String) -> Void
  private var time = Timestamp.zero
  private var nextContact = 1
  private var shown: (screen: Screen, pictures: PictureBook)?

  /// Between two steps of a drag, and half of how long a tap lasts, in microseconds.
  private static let step: Int64 = 16_000

  /// - Parameter report: told what a recording or its device did wrong, and what cannot be painted.
  public init(session: Session, report: @escaping (String) -> Void) {
    self.session = session
    self.report = report
  }

  /// Writes a picture of every change of phase from now on.
  ///
  /// - Throws: `PictureError`, `DisplayError`.
  public func keepPictures(in folder: String) throws {
    let pictures = try PictureBook(folder: folder)
    shown = (try makeScreen(), pictures)
    try turn()
  }

  /// Goes down and up.
  ///
  /// - Throws: `PNGError`, like everything here that touches, when a picture cannot be written.
  public func tap(_ point: WindowPoint) throws {
    let contact = try touchDown(point)
    try change(contact, .ended, point)
  }

  /// Goes down at the first point, by each of the others, and up at the last.
  public func drag(_ points: [WindowPoint]) throws {
    guard let first = points.first, let last = points.last else { return }
    let contact = try touchDown(first)
    for point in points.dropFirst() { try change(contact, .moved, point) }
    try change(contact, .ended, last)
  }

  /// Goes down and stays.
  @discardableResult
  public func touchDown(_ point: WindowPoint) throws -> ContactID {
    let contact = ContactID(device: DeviceID(rawValue: 1), serial: nextContact)
    nextContact += 1
    try change(contact, .began, point)
    return contact
  }

  /// Plays a recording, frame by frame, as fast as it goes.
  ///
  /// - Throws: `DeviceRefusal` when the recorded device is not one that touchtree uses.
  public func play(_ recording: EvemuRecording) throws {
    let player = try Player(recording: recording, session: session)
    for notice in recording.notices { report(notice) }
    session.onNotice = { [report] _, notice in report("kernel bug: \(player.deviceName) \(notice.sentence)") }
    while player.playNext() { try turn() }
    player.end()
    try turn()
  }

  /// Writes the tree, with what touches it, as a PNG file.
  ///
  /// - Throws: `DisplayError`, or why the file cannot be written.
  public func render(to path: String) throws {
    let screen = try makeScreen()
    screen.update(session, cursor: nil)
    try PNGWriter.write(screen.picture(of: session), to: path)
  }

  private func change(_ contact: ContactID, _ kind: ContactChange.Kind, _ point: WindowPoint) throws {
    time.microseconds += Self.step
    session.dispatcher.dispatch([TouchChange(contact: contact, kind: kind, location: point)], at: time)
    try turn()
  }

  private func turn() throws {
    session.endTurn()
    guard let shown else { return }
    shown.screen.update(session, cursor: nil)
    try shown.pictures.consider(session, shown.screen)
  }

  private func makeScreen() throws -> Screen {
    let size = session.geometry.displaySize
    let display = try HeadlessDisplay(
      width: Int(size.width.rounded(.up)), height: Int(size.height.rounded(.up)))
    let screen = try Screen(
      display: display, geometry: session.geometry, style: session.configuration.highlight,
      background: session.configuration.display.background)
    screen.report = { [report] notice in report("\(notice)") }
    return screen
  }
}
