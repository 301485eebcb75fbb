import Glibc
import TouchCore
import TouchHandlers
import TouchJSON
import TouchKit
import TouchPixels
import TouchRender
import TouchSystem

/// The clients that show the screen elsewhere, such as `touchtree ctl view`, and a copy of the picture in
/// memory that they share, because framebuffers are never read. Changes are painted into it at most 30 times
/// a second. A viewer that does not read has one line with all changes waiting. Without viewers there is no
/// copy.
final class Viewers: TurnHook {
  private struct Viewer {
    let peer: Peer
    /// The changes since the last time that no output waited for the viewer.
    var changed = PixelRect.empty
  }

  var turnPlace: TurnPlace?
  private let presentation: Presentation
  private let peers: Peers
  private var viewers: [Viewer] = []
  private var screen: SharedScreen?
  /// The renderer that paints the copy. It changes when the display is replaced.
  private var renderer: Renderer?
  private var wasShown = true
  private var lastUpdate = Timestamp.zero
  /// The timer for changes that came too early.
  private var timer: Int?

  /// The time between two pictures, in microseconds: 30 a second.
  private static let interval: Int64 = 33_333

  init(of presentation: Presentation, among peers: Peers) {
    (self.presentation, self.peers) = (presentation, peers)
  }

  var count: Int { viewers.count }

  /// Shares the picture with a peer from now on, in answer to a request. It throws if there is no memory.
  func add(_ peer: Peer, id: JSONValue?) throws {
    let screen = try screen ?? makeScreen()
    if viewers.isEmpty { peers.loop.addHook(self, at: .share) }
    viewers.removeAll { $0.peer === peer }
    viewers.append(Viewer(peer: peer))
    peer.isListening = true
    peer.send(screen.line(id: id), as: .answer, with: screen.file)
  }

  func remove(_ peer: Peer) {
    guard !viewers.isEmpty else { return }
    viewers.removeAll { $0.peer === peer }
    if viewers.isEmpty { forgetScreen() }
  }

  private func makeScreen() throws -> SharedScreen {
    let screen = try SharedScreen(presentation.renderer.geometry)
    presentation.updateCopy(on: screen)
    screen.changed.removeAll()
    self.screen = screen
    renderer = presentation.renderer
    wasShown = presentation.output.isShown
    return screen
  }

  private func forgetScreen() {
    turnPlace = nil
    renderer?.forgetCopy()
    (screen, renderer) = (nil, nil)
    if let timer { peers.loop.cancelTimer(timer) }
    timer = nil
  }

  // MARK: Turns

  func turnEnds(at now: Timestamp) {
    defer { peers.flush() }
    guard followShown() else { return }
    if renderer !== presentation.renderer { return replaceScreen() }
    guard presentation.renderer.isCopyOutdated, let screen else { return }
    let next = lastUpdate.advanced(byMicroseconds: Self.interval)
    guard now >= next else {
      if timer == nil { timer = peers.loop.addTimer(at: next) { [weak self] in self?.timer = nil } }
      return
    }
    lastUpdate = now
    screen.hasPrivateViews = presentation.hasPrivateViews
    presentation.updateCopy(on: screen)
    send(screen.changed)
    screen.changed.removeAll(keepingCapacity: true)
  }

  /// Reports once that nothing is shown. When the display is shown again, everything changes.
  /// - Returns: whether the display is shown.
  private func followShown() -> Bool {
    let reason = presentation.output.hiddenBecause
    defer { wasShown = reason == nil }
    guard let reason else { return true }
    guard wasShown else { return false }
    let line = Message.line("hidden") { json in json.field("message", reason) }
    for viewer in viewers { viewer.peer.send(line, as: .event) }
    return false
  }

  private func replaceScreen() {
    renderer?.forgetCopy()
    do {
      let screen = try makeScreen()
      for index in viewers.indices {
        viewers[index].changed = .empty
        viewers[index].peer.send(screen.line(id: nil), as: .answer, with: screen.file)
      }
    } catch {
      for viewer in viewers { viewer.peer.refuse(RequestError(id: nil, message: "\(error)")) }
      viewers.removeAll()
      forgetScreen()
    }
  }

  private func send(_ rects: [PixelRect]) {
    let all = rects.reduce(PixelRect.empty) { $0.union($1) }
    guard !all.isEmpty else { return }
    let line = SharedScreen.damageLine(rects)
    for index in viewers.indices {
      let peer = viewers[index].peer
      viewers[index].changed = peer.isBehind ? viewers[index].changed.union(all) : all
      peer.send(
        peer.isBehind ? SharedScreen.damageLine([viewers[index].changed]) : line,
        as: .latest(of: OutputQueue.Subject(of: self)))
    }
  }
}

/// A copy of the display in memory that other processes read.
private final class SharedScreen: Screen {
  private let surface: Surface
  private let geometry: DisplayGeometry
  let file: MemoryFile
  /// The painted rectangles, in the copy's pixels.
  var changed: [PixelRect] = []
  /// Whether a view is private: its pixels are blank, and changes in and beside it are not reported.
  var hasPrivateViews = false
  /// The pixels before they were painted.
  private var before: [UInt32] = []

  /// - Throws: `DisplayError` or `SystemError` if there is no memory.
  init(_ geometry: DisplayGeometry) throws {
    self.geometry = geometry
    let (width, height) = (Int(geometry.displaySize.width), Int(geometry.displaySize.height))
    let memory = try SharedMemory(count: width * height * MemoryLayout<UInt32>.stride)
    file = memory.file
    surface = try Surface(width: width, height: height, memory: PixelMemory(memory))
  }

  var width: Int { surface.width }
  var height: Int { surface.height }
  var picture: Surface? { surface }

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    guard hasPrivateViews else {
      Target(surface: surface).paint(rect, by: paint)
      return changed.append(rect)
    }
    before.removeAll(keepingCapacity: true)
    forEachRow(of: rect) { before += $1 }
    Target(surface: surface).paint(rect, by: paint)
    // Only visible changes count: the painted rectangle may be that of a key.
    var (different, index) = (PixelRect.empty, 0)
    forEachRow(of: rect) { y, row in
      let columns = differences(of: row, from: index)
      index += row.count
      guard let columns else { return }
      different = different.union(
        PixelRect(
          minX: rect.minX + columns.lowerBound, minY: y, maxX: rect.minX + columns.upperBound, maxY: y + 1))
    }
    if !different.isEmpty { changed.append(different) }
  }

  /// Returns the range of changed pixels of a row, whose former ones begin at `start` in `before`; nil for
  /// none.
  private func differences(of row: UnsafeBufferPointer<UInt32>, from start: Int) -> Range<Int>? {
    before.withUnsafeBufferPointer { before in
      guard let now = row.baseAddress, let old = before.baseAddress?.advanced(by: start),
        memcmp(now, old, row.count * MemoryLayout<UInt32>.stride) != 0,
        let first = row.indices.first(where: { now[$0] != old[$0] }),
        let last = row.indices.last(where: { now[$0] != old[$0] })
      else { return nil }
      return first..<last + 1
    }
  }

  private func forEachRow(of rect: PixelRect, _ body: (Int, UnsafeBufferPointer<UInt32>) -> Void) {
    for y in rect.minY..<rect.maxY {
      body(y, UnsafeBufferPointer(start: surface.pixels + (y * surface.width + rect.minX), count: rect.width))
    }
  }

  func line(id: JSONValue?) -> [UInt8] {
    Message.line("screen", id: id) { json in
      Message.write(pictureOf: surface, to: &json)
      json.field("canvas", x: geometry.canvasSize.width, y: geometry.canvasSize.height)
      let matrix = geometry.windowFromDisplay
      json.field("transform", [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty])
    }
  }

  static func damageLine(_ rects: [PixelRect]) -> [UInt8] {
    Message.line("damage") { json in
      json.field("rects", rects.map { [$0.minX, $0.minY, $0.width, $0.height].map(Double.init) })
    }
  }
}

extension Message {
  static func write(pictureOf surface: Surface, to json: inout JSONWriter) {
    json.field("width", surface.width)
    json.field("height", surface.height)
    json.field("stride", surface.width * 4)
    json.field("format", "xrgb8888")
  }
}
