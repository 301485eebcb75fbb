import Glibc
import InMemoryLogging
import Logging
import Testing
import TouchInspection
import TouchViews

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput
@testable import TouchKit
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchSystem

extension DisplayKind {
  /// `paper:left` and `paper:right`.
  fileprivate static let paper = DisplayKind(
    example: "paper:left",
    survey: { () throws(DisplayError) in
      ["paper:left", "paper:right"].map { DisplayReport(name: $0, kind: "paper") }
    },
    named: { name throws(DisplayError) in
      guard name.hasPrefix("paper:") else { return nil }
      return Named { _ throws(DisplayError) in PaperDisplay(name) }
    })
}

/// A display as KMS has them: two pages, a panel that is mounted upside down, another program that may take
/// it, a plug that may be pulled, and modes. What is asked of it is written down.
private final class PaperDisplay: Display {
  let name: String
  var onEvent: (DisplayEvent) -> Void = { _ in }
  private(set) var calls: [String] = []
  private(set) var begun = Damage()
  private(set) var shown = 0
  private(set) var pages: [Surface]
  private var missing = Damage()
  /// In pixels; what the device has is another mode until it is opened again.
  var mode = (width: 60, height: 40)
  var isAttached = true
  var failure: DisplayError?

  init(_ name: String) {
    self.name = name
    pages = []
    pages = makePages()
  }

  private func makePages() -> [Surface] {
    (0..<2).compactMap { _ in try? Surface(width: mode.width, height: mode.height) }
  }

  var remarks: [DisplayRemark] { [DisplayRemark(.warning, "\(name): the paper is grey")] }
  var width: Int { pages[0].width }
  var height: Int { pages[0].height }
  var picture: Surface? { pages[shown] }
  var showsAtOnce: Bool { false }
  var isCurrent: Bool { (width, height) == mode && isAttached }
  var takesConsole: Bool { true }

  func geometry(of canvas: CanvasLayout) -> DisplayGeometry {
    DisplayGeometry(displaySize: size, canvasSize: canvas.size, scale: canvas.scale, rotation: .half)
  }

  func begin(_ damage: inout Damage) {
    let new = damage
    damage.add(missing)
    missing = new
    begun = damage
  }

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    pages[1 - shown].compose(rect, paint)
  }

  func present() -> Bool {
    shown = 1 - shown
    return true
  }

  func begin(in loop: EventLoop) { calls.append("begin") }
  func restore() { calls.append("restore") }
  func share(byTurns: Bool) throws(DisplayError) {
    calls.append("share \(byTurns)")
    if let failure { throw failure }
  }
  func suspend() { calls.append("suspend") }
  func resume() throws(DisplayError) {
    calls.append("resume")
    if let failure { throw failure }
  }
  func stopProcess() { calls.append("stop") }
  func blank() { calls.append("blank") }
  func unblank() { calls.append("unblank") }
  func abandon() { calls.append("abandon") }
  func reopen() throws(DisplayError) {
    calls.append("reopen")
    if let failure { throw failure }
    pages = makePages()
    (shown, missing) = (0, Damage())
  }
}

/// A display that no file of the product knows. `Output` and what shows a tree on it ask it, and not what it
/// is.
@Suite struct AddedDisplayTests {
  private let paper: PaperDisplay
  private let output: Output
  private let pipeline: InputPipeline
  private let tree: ViewTree
  private let presentation: Presentation
  private let loop: EventLoop
  private let log = InMemoryLogHandler()

  init() throws {
    let configuration = try Configuration.parse(
      text: """
        display: {console: keep}
        highlight: {view: {style: none}, touches: false}
        window:
          subviews:
            - {id: left, frame: [0, 0, 20, 20], background: "#ff0000"}
            - {id: right, frame: [40, 0, 20, 20], background: "#00ff00"}
        """, file: "f.yaml")
    loop = try EventLoop()
    let logger = Logger(label: "test") { [log] _ in log }
    let name = try DisplayName("paper:left", among: DisplayKind.all + [.paper])
    output = try Output(name, for: configuration.presentation, log: logger)
    paper = try #require(output.display as? PaperDisplay)
    tree = ViewTree(configuration, geometry: output.inputGeometry)
    pipeline = InputPipeline(tree, geometry: output.inputGeometry)
    presentation = try Presentation(
      configuration.presentation, pipeline, on: output, in: loop, log: logger)
    presentation.isLive = false
    try presentation.begin(terminal: .own, keyboard: .mute)
    turn()
  }

  private func turn() {
    presentation.update(at: .zero)
  }

  /// The display's own pointer goes down, over the view on the left.
  private func press(_ serial: Int) {
    let contact = ContactID(device: DeviceID(rawValue: 0), serial: serial)
    let place = Point<DisplaySpace>(x: Double(paper.width) - 10, y: Double(paper.height) - 10)
    paper.onEvent(.touched(DisplayTouch(contact: contact, kind: .began, location: place)))
  }

  private func pixel(_ x: Int, _ y: Int) -> String? { paper.picture?.color(x: x, y: y).hex }

  private var lines: [String] { log.entries.map { "\($0.message)" } }

  @Test func `it is opened by its name, and laid out, shared and shown`() throws {
    #expect(output.name == "paper:left" && !output.usesTerminal && lines == ["paper:left: the paper is grey"])
    #expect(paper.calls == ["share false", "begin"] && output.isShown)
    // Its panel is mounted upside down.
    #expect(output.geometry.rotation == .half && pixel(59, 39) == "#ff0000" && pixel(0, 39) == "#00ff00")
    let others = DisplayKind.all + [.paper]
    #expect(throws: DisplayError.self) { try DisplayName("paper:left") }
    let error = #expect(throws: DisplayError.self) { try DisplayName("pepar", among: others) }
    #expect(error?.detail.hasSuffix("headless:800x480, or paper:left") == true)
  }

  @Test func `damage is what changed, and what the page that was hidden has missed`() throws {
    tree.viewsByID["left"]?.appearance.background = Color(hex: "#ffffff") ?? Color(red: 0, green: 0, blue: 0)
    turn()
    // The other page had nothing yet.
    #expect(pixel(59, 39) == "#ffffff" && pixel(0, 39) == "#00ff00")
    tree.viewsByID["right"]?.appearance.background = Color(hex: "#0000ff") ?? Color(red: 0, green: 0, blue: 0)
    turn()
    #expect(pixel(59, 39) == "#ffffff" && pixel(0, 39) == "#0000ff")
    let rects = paper.begun.rects
    #expect(rects.contains { $0.minX == 0 } && rects.contains { $0.minX == 40 })
    #expect(rects.allSatisfy { $0.maxY <= 21 }, "\(rects)")
  }

  @Test func `it is suspended for a stopped process, and blank while nothing is touched`() throws {
    let shown = paper.shown
    output.handle(signal: SIGTSTP)
    #expect(paper.calls.suffix(4) == ["suspend", "stop", "share false", "resume"] && output.isShown)
    turn()
    #expect(paper.shown != shown && pixel(59, 39) == "#ff0000")
    presentation.setBlank(true)
    #expect(paper.calls.last == "blank" && pixel(59, 39) == "#000000")
    presentation.setBlank(false)
    turn()
    #expect(paper.calls.last == "unblank" && pixel(59, 39) == "#ff0000")
    presentation.end()
    #expect(paper.calls.last == "restore")
  }

  @Test func `another mode is followed, and a display that is gone is waited for`() throws {
    paper.mode = (120, 80)
    paper.onEvent(.changed)
    #expect(paper.calls.suffix(3) == ["abandon", "reopen", "share false"])
    turn()
    #expect(output.geometry.displaySize == Size(width: 120, height: 80) && pixel(119, 79) == "#ff0000")

    paper.isAttached = false
    paper.failure = DisplayError(.missing, path: "paper:left", detail: "no paper")
    paper.onEvent(.changed)
    #expect(!output.isShown && presentation.failure == nil && output.hiddenBecause == "paper:left is gone")
    press(1)
    #expect(pipeline.dispatcher.touches.isEmpty)
    (paper.isAttached, paper.failure) = (true, nil)
    paper.onEvent(.changed)
    press(2)
    #expect(pipeline.dispatcher.touches.map(\.view?.id) == ["left"])
    #expect(output.isShown && lines.contains("the display is now paper:left"))
    turn()
    #expect(pixel(119, 79) == "#ff0000")

    paper.isAttached = false
    paper.failure = DisplayError(.unsupported, path: "paper:left", detail: "it is cardboard now")
    paper.onEvent(.changed)
    #expect(presentation.failure?.detail == "it is cardboard now")
  }
}
