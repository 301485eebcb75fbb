import Glibc
import SystemPackage
import TouchCore
import TouchPixels

package enum TerminalGraphics: String, CaseIterable, Sendable {
  /// Two pixels in each character cell, for all terminals with 24-bit colours.
  case blocks
  /// The kitty graphics protocol, with the terminal's own pixels.
  case kitty
  /// Sixel graphics, with the terminal's own pixels in up to 256 colours for each tile.
  case sixel
}

/// A terminal emulator that shows pictures, with its mouse and keys as input. `present()` sends the parts
/// that it does not show yet. While it does not read, nothing is encoded, so a slow terminal neither blocks
/// nor fills the memory.
final class TerminalEmulator {
  let graphics: TerminalGraphics
  private let device: TerminalEmulatorDevice
  private var input = TerminalInput()
  /// Keys and mouse events that arrived before the first `readEvents`.
  private var early: [TerminalEvent] = []
  private var size: GridSize
  private(set) var surface: Surface
  private var blocks: HalfBlockEncoder?
  private var tiles: TileEncoder?
  /// The parts of the picture that may have changed since they were sent.
  private var changed: [PixelRect] = []
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var isShown = false

  private struct GridSize: Equatable {
    var columns, rows: Int
    /// The width and the height of a cell, in pixels of the picture.
    var cellWidth: Int
    var cellHeight: Int
  }

  private static let mostChanges = 32
  /// The cell of a terminal that does not report one, in pixels.
  private static let usualCell = (width: 10, height: 20)
  /// The largest side of the picture, in pixels.
  private static let largestSide = 4096
  /// The longest wait for the terminal's answers, in milliseconds. A slow network takes some hundred.
  private static let answerTimeout: Int32 = 1000

  /// Opens the terminal on standard output and queries its features. Its contents stay until `show()`.
  init(graphics wanted: TerminalGraphics?) throws(DisplayError) {
    if wanted == nil && TerminalEmulatorDevice.isDumb {
      throw DisplayError(
        .unsupported, path: "terminal",
        detail: "TERM=dumb is a terminal without colours; set TERM to the terminal's real type, or use "
          + "terminal:blocks if it shows colours nevertheless")
    }
    device = try TerminalEmulatorDevice()
    let answers = TerminalAnswers(of: device, timeout: Self.answerTimeout)
    let size = device.size
    let knowsPixels = size.width > 0 && size.height > 0 || answers.cell != nil || answers.textArea != nil
    graphics =
      wanted
      ?? (answers.hasKittyGraphics && knowsPixels
        ? .kitty : answers.hasSixel && knowsPixels ? .sixel : .blocks)
    device.keepsPictures = graphics == .kitty
    early = answers.events
    cell = answers.cell
    textArea = answers.textArea
    self.size = GridSize(columns: 0, rows: 0, cellWidth: 1, cellHeight: 2)
    surface = try Surface(width: 1, height: 2)
    try followSize()
  }

  // MARK: The picture

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    let rect = rect.intersection(surface.bounds)
    guard !rect.isEmpty else { return }
    surface.compose(rect, paint)
    changed.append(rect)
    if changed.count > Self.mostChanges {
      let all = changed.reduce(PixelRect.empty) { $0.union($1) }
      changed.removeAll(keepingCapacity: true)
      changed.append(all)
    }
  }

  func show() {
    isShown = true
    outgoing.append(contentsOf: EscapeSequences.enter)
    forgetShown()
  }

  /// Whether output waits for the terminal. Call `present()` again when the terminal is writable.
  var isBehind: Bool { sent < outgoing.count }

  func present() {
    guard isShown else { return }
    send()
    guard !isBehind, !changed.isEmpty else { return }
    outgoing.append(contentsOf: EscapeSequences.beginPicture)
    let empty = outgoing.count
    if let notice { encodeNotice(notice) }
    for part in changed where notice == nil {
      blocks?.encode(surface, part, into: &outgoing)
      tiles?.encode(surface, part, into: &outgoing)
    }
    changed.removeAll(keepingCapacity: true)
    if outgoing.count == empty {
      outgoing.removeAll(keepingCapacity: true)
    } else {
      outgoing.append(contentsOf: EscapeSequences.endPicture)
    }
    send()
  }

  private func send() {
    if isBehind { sent += device.write(outgoing[sent...]) }
    guard !isBehind else { return }
    outgoing.removeAll(keepingCapacity: true)
    sent = 0
  }

  /// A text shown instead of the picture, with the reason why the picture is missing. Nil shows the picture.
  var notice: String? {
    didSet { if isShown, notice != oldValue { forgetShown() } }
  }

  /// Writes the notice from the first row on, in as many rows as it takes.
  private func encodeNotice(_ notice: String) {
    var rest = notice.onOneLine[...]
    for row in 0..<size.rows where !rest.isEmpty {
      outgoing.append(moveToColumn: 0, row: row)
      outgoing.append(contentsOf: Array(rest.prefix(size.columns).utf8))
      rest = rest.dropFirst(size.columns)
    }
  }

  /// Sends everything again, for example after another program has written to the terminal.
  func forgetShown() {
    if device.keepsPictures { outgoing.append(contentsOf: EscapeSequences.forgetPictures) }
    outgoing.append(contentsOf: EscapeSequences.clear)
    makeEncoder()
    changed.removeAll(keepingCapacity: true)
    changed.append(surface.bounds)
  }

  private func makeEncoder() {
    switch graphics {
    case .blocks: blocks = HalfBlockEncoder(columns: size.columns, rows: size.rows)
    case .kitty: tiles = tileEncoder(.kitty)
    case .sixel: tiles = tileEncoder(.sixel)
    }
  }

  private func tileEncoder(_ graphics: TileEncoder.Graphics) -> TileEncoder? {
    try? TileEncoder(
      graphics, width: surface.width, height: surface.height, cellWidth: size.cellWidth,
      cellHeight: size.cellHeight)
  }

  func restore() {
    isShown = false
    outgoing.removeAll(keepingCapacity: true)
    sent = 0
    device.restore()
  }

  func resume() throws(DisplayError) {
    try device.take()
    show()
  }

  // MARK: Its size

  /// The last reported sizes of a cell and of all cells, in pixels.
  private var cell: (width: Int, height: Int)?
  private var textArea: (width: Int, height: Int)?

  /// Adopts the terminal's current size. It returns whether that has changed, and the picture is lost.
  @discardableResult
  func followSize() throws(DisplayError) -> Bool {
    let new = gridSize()
    guard new != size else { return false }
    surface = try Surface(width: new.columns * new.cellWidth, height: new.rows * new.cellHeight)
    size = new
    makeEncoder()
    changed.removeAll(keepingCapacity: true)
    if isShown { outgoing.append(contentsOf: EscapeSequences.clear) }
    return true
  }

  /// Queries the size in pixels if the kernel does not report it. The answer is an event.
  func askForSize() {
    guard graphics != .blocks, device.size.width == 0 else { return }
    outgoing.append(contentsOf: EscapeSequences.cellQuery)
  }

  private func gridSize() -> GridSize {
    let size = device.size
    var cell = (width: 1, height: 2)
    if graphics != .blocks {
      let area = size.width > 0 && size.height > 0 ? (size.width, size.height) : textArea
      cell =
        self.cell ?? area.map { (width: $0.0 / size.columns, height: $0.1 / size.rows) } ?? Self.usualCell
      cell.width = max(1, min(cell.width, 256))
      cell.height = max(1, min(cell.height, 256))
    }
    // A sixel picture in the last row would scroll the terminal.
    let rows = graphics == .sixel ? max(1, size.rows - 1) : size.rows
    return GridSize(
      columns: min(size.columns, Self.largestSide / cell.width),
      rows: min(rows, Self.largestSide / cell.height), cellWidth: cell.width, cellHeight: cell.height)
  }

  // MARK: Its input

  var inputDescriptor: FileDescriptor { device.input }
  var outputDescriptor: FileDescriptor { device.output }

  /// Reads keys and mouse events; false if the terminal is gone.
  func readEvents(_ body: (TerminalEvent) -> Void) -> Bool {
    for event in early { body(event) }
    early.removeAll()
    var isThere = true
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      guard let count = device.read(into: buffer) else {
        isThere = false
        return
      }
      for byte in buffer.prefix(count) {
        input.take(byte) { event in
          note(event)
          body(event)
        }
      }
    }
    return isThere
  }

  private func note(_ event: TerminalEvent) {
    switch event {
    case .cell(let width, let height): cell = (width, height)
    case .textArea(let width, let height): textArea = (width, height)
    case .key, .mouse, .attributes, .kittyGraphics: break
    }
  }

  /// The centre of the mouse's cell, in pixels of the picture.
  func location(of mouse: TerminalMouse) -> Point<DisplaySpace> {
    Point(
      x: (Double(mouse.column) + 0.5) * Double(size.cellWidth),
      y: (Double(mouse.row) + 0.5) * Double(size.cellHeight))
  }
}
