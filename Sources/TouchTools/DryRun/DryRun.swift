import TouchConfig
import TouchCore
import TouchInput
import TouchInspection
import TouchKit
import TouchOutput
import TouchPixels
import TouchRecordings
import TouchRender
import TouchSystem
import TouchViews

/// Touches a view tree on a headless display, for `trace` and `render`, in simulated time.
package final class DryRun: InputPipelineObserver {
  private let tree: ViewTree
  private let pipeline: InputPipeline
  private let report: (String) -> Void
  private var time = Timestamp.zero
  private var nextContact = 1
  private var player: Player?
  private var shown: (renderer: Renderer, pictures: PictureSeries)?

  /// The time between two steps of a drag, and half of a tap's duration, in microseconds.
  private static let step: Int64 = 16_000

  /// - Parameter report: called with errors of a recording or its device, and with notices about painting.
  package init(tree: ViewTree, pipeline: InputPipeline, report: @escaping (String) -> Void) {
    (self.tree, self.pipeline, self.report) = (tree, pipeline, report)
    // Pictures show the final places, and traces do not wait for them.
    tree.window.reducesMotion = true
  }

  /// Shows a page and those around it, or throws a `Failure` that lists the pages.
  package func showPage(_ id: String) throws(Failure) {
    guard let page = tree.viewsByID[id], page.enclosingPages != nil else {
      let file = tree.configuration.file
      let pages = tree.configuration.views.compactMap { tree.viewsByID[$0.id] }.filter {
        $0.enclosingPages != nil
      }
      throw Failure(
        "\(file): '\(id.escaped)' is no page; "
          + (pages.isEmpty
            ? "there are none, since no view is of the kind pages"
            : "there are \(pages.map(\.id.escaped).joined(separator: ", "))"))
    }
    for view in sequence(first: page as View, next: \.superview) { view.enclosingPages?.page = view }
    tree.bindings.settle()
    tree.window.layoutIfNeeded()
  }

  /// Writes a picture of every change of phase from now on.
  package func keepPictures(in folder: String) throws {
    let pictures = try PictureSeries(folder: folder)
    shown = (try makeRenderer(), pictures)
    try turn(at: time)
  }

  /// Taps a point, for some seconds longer than usual. It throws, as all touches here, if a picture cannot be
  /// written.
  package func tap(_ point: WindowPoint, hold: Double = 0) throws { try drag([[point]], hold: hold) }

  /// Moves several fingers in step, each by its points, and lifts them at the last, after some seconds. None
  /// waits for one with more points.
  package func drag(_ paths: [[WindowPoint]], hold: Double = 0) throws {
    let fingers = paths.filter { !$0.isEmpty }.map { path in (contact: newContact(), path: path) }
    let steps = fingers.map(\.path.count).max() ?? 0
    for step in 0...steps {
      if step == steps { try rest(seconds: hold) }
      var changes: [TouchChange] = []
      for (contact, path) in fingers where step <= path.count {
        let kind: ContactChange.Kind = step == path.count ? .ended : step == 0 ? .began : .moved
        changes.append(TouchChange(contact: contact, kind: kind, location: path[min(step, path.count - 1)]))
      }
      try apply(changes)
    }
  }

  /// Lets time pass until no gesture waits for it any more.
  package func finish() throws {
    pipeline.runOut()
    try turn(at: max(time, pipeline.time))
  }

  @discardableResult
  package func touchDown(_ point: WindowPoint) throws -> ContactID {
    let contact = newContact()
    try apply([TouchChange(contact: contact, kind: .began, location: point)])
    return contact
  }

  /// Plays a recording at full speed, or throws if it has no device that touchtree uses.
  package func play(_ recording: Recording) throws {
    let input = tree.configuration.input
    let player = try Player(
      recording: recording, pipeline: pipeline, rules: DeviceRules(input.rules), keyboard: input.keyboard)
    for notice in player.notices { report(notice) }
    player.onProblem = report
    pipeline.fileWantsScans = tree.configuration.wantsScans
    self.player = player
    pipeline.observer = self
    while player.playNext() { try turn(at: pipeline.time) }
    player.end()
    try turn(at: pipeline.time)
  }

  package func pipelineNoticed(_ notice: InputNotice, of device: DeviceID) {
    report("kernel bug: \(player?.name(of: device) ?? "a device") \(notice.sentence)")
  }

  package func pipelineNoticed(_ notice: ScanNotice, of device: DeviceID) {
    report("\(player?.name(of: device) ?? "a device"): \(notice.sentence)")
  }

  /// Writes the tree with its touches as PNG, in the colours of a display, maybe with views outlined and
  /// named. It throws if the file cannot be written.
  package func render(
    to path: String, like preview: DisplayPreview? = nil, showsIDs: Bool = false
  ) throws {
    let renderer = try makeRenderer()
    renderer.update(pipeline.dispatcher, cursor: nil, at: time)
    let picture = try renderer.picture(of: tree.window)
    preview?.reduce(picture)
    guard showsIDs else { return try PNGWriter.write(picture, to: path) }
    let annotations = Annotations(naming: tree.window)
    try PNGWriter.write(try renderer.annotate(picture, with: annotations), to: path)
  }

  private func newContact() -> ContactID {
    defer { nextContact += 1 }
    return ContactID(device: DeviceID(rawValue: 1), serial: nextContact)
  }

  private func apply(_ changes: [TouchChange]) throws {
    time.microseconds += Self.step
    pipeline.dispatcher.dispatch(changes, at: time)
    try turn(at: time)
  }

  private func rest(seconds: Double) throws {
    guard seconds > 0 else { return }
    time = time.advanced(bySeconds: seconds)
    pipeline.advance(to: time)
    try turn(at: time)
  }

  private func turn(at time: Timestamp) throws {
    pipeline.endTurn()
    tree.bindings.settle()
    guard let shown else { return }
    shown.renderer.update(pipeline.dispatcher, cursor: nil, at: time)
    try shown.pictures.consider(pipeline.dispatcher, shown.renderer)
  }

  private func makeRenderer() throws -> Renderer {
    let surface = try HeadlessDisplay.surface(
      of: pipeline.geometry.displaySize, file: tree.configuration.file)
    let renderer = try Renderer(
      display: surface, geometry: pipeline.geometry, style: tree.configuration.highlight,
      background: tree.configuration.display.background)
    renderer.report = { [report, tree] notice in report(tree.configuration.sentence(for: notice)) }
    return renderer
  }
}
