import SystemPackage
import TouchCore
import TouchPixels

/// How a picture is shown in a terminal.
package enum TerminalGraphics: String, CaseIterable, Sendable {
  /// Two pixels to a character cell: any terminal with 24-bit colours can.
  case blocks
  /// The kitty graphics protocol: the terminal's own pixels.
  case kitty
  /// Sixel graphics: the terminal's own pixels, in up to 256 colours a tile.
  case sixel
}

/// A terminal as a display, and its mouse and keys.
///
/// Pictures are composed in memory. `present()` sends what of them the terminal does not show yet; while it takes nothing,
/// nothing more is made for it, so that neither the caller nor memory depends on how fast it reads, and what it shows
/// next is never old.
package final class TerminalEmulator: Display {
  /// How pictures are written to the terminal; chosen when it was opened.
  package let graphics: TerminalGraphics
  private let device: TerminalEmulatorDevice
  private var input = TerminalInput()
  /// What was typed before anybody asked.
  private var early: [TerminalEvent] = []
  private var size: GridSize
  private var surface: Surface
  private var blocks: HalfBlockEncoder?
  private var tiles: TileEncoder?
  /// Parts of the picture that the terminal may not show yet.
  private var changed: [PixelRect] = []
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var isShown = false

  /// The terminal's cells.
  private struct GridSize: Equatable {
    var columns: Int
    var rows: Int
    /// In pixels of the picture.
    var cellWidth: Int
    var cellHeight: Int
  }

  private static let mostChanges = 32
  /// What a terminal that does not say so has, in pixels.
  private static let usualCell = (width: 10, height: 20)
  /// On a side, in pixels. Every larger terminal has a screen that is sharp enough at this.
  private static let largestSide = 4096
  /// How long the terminal may take to say what it can, in milliseconds. Over a slow network it takes some hundred.
  private static let patience: Int32 = 1000

  /// Takes the terminal that standard output is, and asks it what it can. It shows what it showed until `show()`.
  ///
  /// - Parameter graphics: nil for the best that the terminal can.
  /// - Throws: `DisplayError`.
  package init(graphics wanted: TerminalGraphics?) throws(DisplayError) {
    if wanted == nil && TerminalEmulatorDevice.isDumb {
      throw DisplayError(
        .unsupported, path: "terminal",
        detail: "TERM says that it shows letters and nothing else; set TERM to what it really is, or choose "
          + "terminal:blocks if it shows colours all the same")
    }
    device = try TerminalEmulatorDevice()
    let answers = TerminalAnswers(of: device, patience: Self.patience)
    let size = device.size
    let knowsPixels = size.width > 0 && size.height > 0 || answers.cell != nil || answers.textArea != nil
    graphics =
      wanted
      ?? (answers.hasKittyGraphics && knowsPixels
        ? .kitty : answers.hasSixel && knowsPixels ? .sixel : .blocks)
    device.keepsPictures = graphics == .kitty
    early = answers.keys
    cell = answers.cell
    textArea = answers.textArea
    self.size = GridSize(columns: 0, rows: 0, cellWidth: 1, cellHeight: 2)
    surface = try Surface(width: 1, height: 2)
    try followSize()
  }

  // MARK: The picture

  package var width: Int { surface.width }
  package var height: Int { surface.height }
  package var picture: Surface? { surface }

  /// For messages.
  package var name: String { "terminal \(width)x\(height) (\(graphics.rawValue))" }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> Void) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    paint(Target(surface: surface), rect)
    changed.append(rect)
    if changed.count > Self.mostChanges {
      let all = changed.reduce(PixelRect.empty) { $0.union($1) }
      changed.removeAll(keepingCapacity: true)
      changed.append(all)
    }
  }

  /// From now on the terminal shows the picture.
  package func show() {
    isShown = true
    outgoing.append(contentsOf: TerminalBytes.enter)
    forgetShown()
  }

  /// Whether something waits until the terminal takes it: `present()` has to be called again when it does.
  package var isBehind: Bool { sent < outgoing.count }

  /// Sends what is ready, and makes more ready when all of it was taken.
  package func present() {
    guard isShown else { return }
    send()
    guard !isBehind, !changed.isEmpty else { return }
    outgoing.append(contentsOf: TerminalBytes.beginPicture)
    let empty = outgoing.count
    for part in changed {
      blocks?.encode(surface, part, into: &outgoing)
      tiles?.encode(surface, part, into: &outgoing)
    }
    changed.removeAll(keepingCapacity: true)
    if outgoing.count == empty {
      outgoing.removeAll(keepingCapacity: true)
    } else {
      outgoing.append(contentsOf: TerminalBytes.endPicture)
    }
    send()
  }

  private func send() {
    if isBehind { sent += device.write(outgoing[sent...]) }
    guard !isBehind else { return }
    outgoing.removeAll(keepingCapacity: true)
    sent = 0
  }

  /// Sends everything again, such as after another program has written there.
  package func forgetShown() {
    outgoing.append(contentsOf: TerminalBytes.clear)
    makeEncoder()
    changed.removeAll(keepingCapacity: true)
    changed.append(bounds)
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
      graphics, width: width, height: height, cellWidth: size.cellWidth, cellHeight: size.cellHeight)
  }

  /// Gives the terminal back, for a while or for ever. `resume()` takes it again.
  package func restore() {
    isShown = false
    outgoing.removeAll(keepingCapacity: true)
    sent = 0
    device.restore()
  }

  /// Takes the terminal again after `restore()`.
  ///
  /// - Throws: `DisplayError` when it is gone.
  package func resume() throws(DisplayError) {
    try device.take()
    show()
  }

  // MARK: Its size

  /// What the terminal last said of a cell and of all of them, in pixels.
  private var cell: (width: Int, height: Int)?
  private var textArea: (width: Int, height: Int)?

  /// Takes over the size that the terminal has now. What was composed is lost if it changed.
  ///
  /// - Returns: whether it changed, so that everything has to be composed again.
  /// - Throws: `DisplayError` when there is no memory.
  @discardableResult
  package func followSize() throws(DisplayError) -> Bool {
    let new = gridSize()
    guard new != size else { return false }
    surface = try Surface(width: new.columns * new.cellWidth, height: new.rows * new.cellHeight)
    size = new
    makeEncoder()
    changed.removeAll(keepingCapacity: true)
    if isShown { outgoing.append(contentsOf: TerminalBytes.clear) }
    return true
  }

  /// Asks for the size in pixels, where the system does not know it. The answer is an event.
  package func askForSize() {
    guard graphics != .blocks, device.size.width == 0 else { return }
    outgoing.append(contentsOf: TerminalBytes.cellQuery)
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
    // A sixel picture in the last row makes terminals scroll.
    let rows = graphics == .sixel ? max(1, size.rows - 1) : size.rows
    return GridSize(
      columns: min(size.columns, Self.largestSide / cell.width),
      rows: min(rows, Self.largestSide / cell.height), cellWidth: cell.width, cellHeight: cell.height)
  }

  // MARK: Its input

  /// To be watched for something to read.
  package var inputDescriptor: FileDescriptor { device.input }
  /// To be watched for room to write, while `isBehind`.
  package var outputDescriptor: FileDescriptor { device.output }

  /// Reads what was typed and pointed at.
  ///
  /// - Returns: false when the terminal is gone.
  package func readEvents(_ body: (TerminalEvent) -> Void) -> Bool {
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

  /// The middle of the cell that the mouse is in, in pixels of the picture.
  package func location(of mouse: TerminalMouse) -> Point<DisplaySpace> {
    Point(
      x: (Double(mouse.column) + 0.5) * Double(size.cellWidth),
      y: (Double(mouse.row) + 0.5) * Double(size.cellHeight))
  }
}
