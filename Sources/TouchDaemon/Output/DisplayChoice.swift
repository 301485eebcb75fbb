import TouchConfig
import TouchCore
import TouchOutput
import TouchPixels

/// Which display is meant, on the command line or in the configuration.
package enum DisplayChoice: Hashable, Sendable {
  /// The first framebuffer there is.
  case automatic
  /// A framebuffer by its path.
  case framebuffer(String)
  /// The terminal that the program runs in; nil for the best graphics that it has.
  case terminal(TerminalGraphics?)
  /// Memory, in pixels; nil for the size that suits the tree.
  case headless(width: Int, height: Int)
  case headlessOfTheTreesSize

  /// Whether the picture is shown in a terminal.
  package var isTerminal: Bool {
    if case .terminal = self { true } else { false }
  }

  package init(_ device: Configuration.Display.Device) {
    self =
      switch device {
      case .automatic: .automatic
      case .headless: .headlessOfTheTreesSize
      case .path(let path): .framebuffer(path)
      }
  }
}

/// A display that was opened.
package struct OpenedDisplay {
  package let display: any Display
  /// For messages.
  package let name: String
  /// The framebuffer, if it is one.
  package let framebuffer: Framebuffer?
  /// Other framebuffers, and why each was not taken.
  package let others: [String]

  /// The terminal, if it is one.
  package let terminal: TerminalEmulator?
  /// How the canvas lies on it.
  package private(set) var geometry: DisplayGeometry

  /// What the framebuffer's driver got wrong and could be guessed.
  package var notices: [String] {
    framebuffer.map { device in device.notices.map { "\(device.path): \($0)" } } ?? []
  }

  /// - Throws: `DisplayError`.
  package init(_ choice: DisplayChoice, for configuration: Configuration) throws(DisplayError) {
    switch choice {
    case .automatic:
      let search = try FramebufferSearch()
      self.init(search.found, others: search.others, configuration)
    case .framebuffer(let path):
      self.init(try Framebuffer(path: path), others: [], configuration)
    case .terminal(let graphics): try self.init(terminal: graphics, configuration)
    case .headless(let width, let height):
      self.init(try HeadlessDisplay(width: width, height: height), configuration)
    case .headlessOfTheTreesSize:
      self.init(
        try TreeSize.display(of: TreeSize.of(configuration), for: configuration), configuration)
    }
  }

  /// The same display as another configuration lays it out.
  package func laidOut(for configuration: Configuration) -> OpenedDisplay {
    var other = self
    other.geometry =
      terminal.map { TerminalController.geometry($0, canvas: TreeSize.canvas(of: configuration)) }
      ?? DisplayGeometry(configuration, display: display.size)
    return other
  }

  private init(_ framebuffer: Framebuffer, others: [String], _ configuration: Configuration) {
    display = framebuffer
    self.framebuffer = framebuffer
    self.others = others
    terminal = nil
    geometry = DisplayGeometry(configuration, display: framebuffer.size)
    name = "\(framebuffer.path) (\(framebuffer.driver), \(framebuffer.width)x\(framebuffer.height))"
  }

  private init(_ headless: HeadlessDisplay, _ configuration: Configuration) {
    display = headless
    framebuffer = nil
    others = []
    terminal = nil
    geometry = DisplayGeometry(configuration, display: display.size)
    name = "headless \(headless.width)x\(headless.height)"
  }

  /// A terminal's pixels are too few and too many to lay a tree out on: the canvas is what it would be without a display.
  private init(terminal graphics: TerminalGraphics?, _ configuration: Configuration) throws(DisplayError) {
    let terminal = try TerminalEmulator(graphics: graphics)
    display = terminal
    framebuffer = nil
    others = []
    self.terminal = terminal
    geometry = TerminalController.geometry(terminal, canvas: TreeSize.canvas(of: configuration))
    name = terminal.name
  }
}
