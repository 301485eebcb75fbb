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
  package let geometry: DisplayGeometry

  /// What the framebuffer's driver got wrong and could be guessed.
  package var notices: [String] {
    framebuffer.map { device in device.notices.map { "\(device.path): \($0)" } } ?? []
  }

  /// - Throws: `DisplayError`.
  package init(_ choice: DisplayChoice, for configuration: Configuration) throws(DisplayError) {
    switch choice {
    case .automatic:
      let search = try FramebufferSearch(buffers: configuration.display.buffers)
      self.init(search.found, others: search.others, configuration)
    case .framebuffer(let path):
      self.init(
        try Framebuffer(path: path, buffers: configuration.display.buffers), others: [], configuration)
    case .terminal(let graphics): try self.init(terminal: graphics, configuration)
    case .headless(let width, let height):
      self.init(try HeadlessDisplay(width: width, height: height), configuration)
    case .headlessOfTheTreesSize:
      self.init(
        try TreeSize.display(of: TreeSize.of(configuration), for: configuration), configuration)
    }
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

/// How large a tree is where no display says so.
package enum TreeSize {
  /// The configured canvas, turned as the display is; else what the window's subviews need; else 800×480. In
  /// display pixels, one to a window unit.
  package static func of(_ configuration: Configuration) -> Size {
    let canvas = canvas(of: configuration)
    switch configuration.display.rotation {
    case .none, .half: return canvas
    case .quarter, .threeQuarters: return Size(width: canvas.height, height: canvas.width)
    }
  }

  /// A display that is only memory.
  ///
  /// - Parameter size: in pixels, parts of them counting as whole ones.
  /// - Throws: `DisplayError`; one that names the file where its views need more than can be painted.
  package static func display(of size: Size, for configuration: Configuration) throws(DisplayError)
    -> HeadlessDisplay
  {
    let (width, height) = (size.width.rounded(.up), size.height.rounded(.up))
    guard max(width, height) <= Double(Surface.largestSide) else {
      throw DisplayError(
        .tooLarge, path: configuration.file,
        detail: "its views need \(width.plain)x\(height.plain) pixels, and no side can have more than "
          + "\(Surface.largestSide); name a canvas (display: {canvas: {size: [800, 480]}}), or a size on the "
          + "command line")
    }
    return try HeadlessDisplay(width: Int(width), height: Int(height))
  }

  package static func canvas(of configuration: Configuration) -> Size {
    if let canvas = configuration.display.canvasSize { return canvas }
    var needed = Size.zero
    for view in configuration.views where view.parent == nil {
      needed.width = max(needed.width, view.frame.maxX)
      needed.height = max(needed.height, view.frame.maxY)
    }
    return needed.width >= 1 && needed.height >= 1 ? needed : Size(width: 800, height: 480)
  }
}

extension DisplayGeometry {
  /// How the configured canvas lies on a display.
  ///
  /// - Parameter display: the display's size in physical pixels.
  package init(_ configuration: Configuration, display: Size) {
    self.init(
      displaySize: display, canvasSize: configuration.display.canvasSize,
      scale: configuration.display.scale, rotation: configuration.display.rotation)
  }
}
