import TouchConfig
import TouchCore
import TouchInput
import TouchInspection
import TouchPixels
import TouchRender
import TouchViews

/// The demo on a display of 1280 × 800, and a finger on one of its buttons.
struct Demo {
  let tree: ViewTree
  let pipeline: InputPipeline
  let button: View
  private let painter: Painter
  /// With the highlight, and without.
  private let touches: [[Touch]]

  static let (width, height) = (1280, 800)

  init(_ path: String) throws {
    let configuration = try Configuration.load(path: path)
    let geometry = configuration.canvasLayout.geometry(
      on: Size(width: Double(Self.width), height: Double(Self.height)))
    tree = ViewTree(configuration, geometry: geometry)
    pipeline = InputPipeline(tree, geometry: geometry)
    painter = try Painter(geometry: geometry, background: configuration.display.background)
    let buttons = tree.viewsByID.values.filter { $0 is Button && $0.transform == .identity }
    guard let button = buttons.min(by: { $0.id < $1.id }) else { throw NoButton() }
    self.button = button
    let frame = button.windowFrame
    pipeline.dispatcher.dispatch(
      [
        TouchChange(
          contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: .began,
          location: WindowPoint(x: frame.midX, y: frame.midY))
      ], at: .zero)
    touches = [pipeline.dispatcher.touches, []]
  }

  /// Paints all of it.
  func paint(on display: any Screen) {
    painter.paintAll(tree.window, highlights: nil, on: display)
  }

  /// Outlines the button and takes the outline away again.
  func highlight(_ highlights: inout Highlights, _ damage: inout Damage, on display: any Screen) {
    for touches in touches {
      highlights.update(touches: touches, cursor: nil, at: .zero, into: &damage)
      painter.paint(tree.window, highlights: highlights, damage: damage, on: display)
      damage.removeAll()
    }
  }
}

struct NoButton: Error {}
