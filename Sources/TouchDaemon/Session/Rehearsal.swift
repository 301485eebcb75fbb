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
    try turn(at: time)
  }

  /// Goes down and up.
  ///
  /// - Parameter hold: how much longer the finger stays down, in seconds.
  /// - Throws: `PNGError`, like everything here that touches, when a picture cannot be written.
  public func tap(_ point: WindowPoint, hold: Double = 0) throws {
    try drag([[point]], hold: hold)
  }

  /// Several fingers at once, each down at its first point, by each of the others, and up at its last: all of them in
  /// step, and none waits for one with more points.
  ///
  /// - Parameter hold: how much longer the fingers stay before they lift, in seconds.
  public func drag(_ paths: [[WindowPoint]], hold: Double = 0) throws {
    let fingers = paths.filter { !$0.isEmpty }.map { path in (contact: newContact(), path: path) }
    let steps = fingers.map(\.path.count).max() ?? 0
    for step in 0...steps {
      if step == steps { try rest(seconds: hold) }
      var changes: [TouchChange] = []
      for (contact, path) in fingers where step <= path.count {
        let kind: ContactChange.Kind = step == path.count ? .ended : step == 0 ? .began : .moved
        changes.append(
          TouchChange(contact: contact, kind: kind, location: path[min(step, path.count - 1)]))
      }
      try apply(changes)
    }
  }

  /// Lets time pass until no gesture waits for it any more.
  public func finish() throws {
    session.runOut()
    try turn(at: max(time, session.time))
  }

  /// Goes down and stays.
  @discardableResult
  public func touchDown(_ point: WindowPoint) throws -> ContactID {
    let contact = newContact()
    try apply([TouchChange(contact: contact, kind: .began, location: point)])
    return contact
  }

  /// Plays a recording, frame by frame, as fast as it goes.
  ///
  /// - Throws: `RecordingError` when no recorded device is one that touchtree uses.
  public func play(_ recording: Recording) throws {
    let player = try Player(recording: recording, session: session)
    for notice in player.notices { report(notice) }
    session.onNotice = { [report] device, notice in
      report("kernel bug: \(player.name(of: device)) \(notice.sentence)")
    }
    while player.playNext() { try turn(at: session.time) }
    player.end()
    try turn(at: session.time)
  }

  /// Writes the tree, with what touches it, as a PNG file.
  ///
  /// - Parameters:
  ///   - likeness: the framebuffer that would show it; nil for a display that has every colour.
  ///   - showsIDs: whether every view is outlined, with its id on it.
  /// - Throws: `DisplayError`, or why the file cannot be written.
  public func render(
    to path: String, like likeness: FramebufferLikeness? = nil, showsIDs: Bool = false
  ) throws {
    let screen = try makeScreen()
    screen.update(session, cursor: nil, at: time)
    let picture = try screen.picture(of: session)
    likeness?.reduce(picture)
    guard showsIDs else { return try PNGWriter.write(picture, to: path) }
    let annotations = Annotations(naming: session.scene.window)
    try PNGWriter.write(try screen.annotate(picture, with: annotations), to: path)
  }

  private func newContact() -> ContactID {
    defer { nextContact += 1 }
    return ContactID(device: DeviceID(rawValue: 1), serial: nextContact)
  }

  private func apply(_ changes: [TouchChange]) throws {
    time.microseconds += Self.step
    session.dispatcher.dispatch(changes, at: time)
    try turn(at: time)
  }

  private func rest(seconds: Double) throws {
    guard seconds > 0 else { return }
    time = time.advanced(bySeconds: seconds)
    session.advance(to: time)
    try turn(at: time)
  }

  private func turn(at time: Timestamp) throws {
    session.endTurn()
    guard let shown else { return }
    shown.screen.update(session, cursor: nil, at: time)
    try shown.pictures.consider(session, shown.screen)
  }

  private func makeScreen() throws -> Screen {
    let display = try TreeSize.display(of: session.geometry.displaySize, for: session.configuration)
    let screen = try Screen(
      display: display, geometry: session.geometry, style: session.configuration.highlight,
      background: session.configuration.display.background)
    screen.report = { [report, session] notice in report(session.configuration.sentence(for: notice)) }
    return screen
  }
}
