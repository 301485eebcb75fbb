import TouchCore

extension ConfigurationReader {
  mutating func readDisplay(_ fields: Fields<DisplayKey>?) {
    guard let fields else { return }
    if let device = fields[.device].flatMap(displayDevice) { configuration.display.device = device }
    if let rotation = fields[.rotation]?.choice(DisplayGeometry.Rotation.self) {
      configuration.display.rotation = rotation
    }
    if let color = report.ofLook({ fields[.background]?.color() }) {
      configuration.display.background = color
    }
    if let console = fields[.console]?.choice(Configuration.Display.Console.self) {
      configuration.display.console = console
    }
    if let buffers = fields[.buffers]?.integer(in: 1...2) { configuration.display.buffers = buffers }
    guard let canvas = fields[.canvas]?.fields(CanvasKey.self) else { return }
    if let size = canvas[.size]?.numbers([("width", .canvas), ("height", .canvas)]) {
      configuration.display.canvasSize = Size(width: size[0], height: size[1])
    }
    if let scale = canvas[.scale]?.choice(DisplayGeometry.Scale.self) { configuration.display.scale = scale }
  }

  private func displayDevice(_ value: Value) -> Configuration.Display.Device? {
    let advice = "give auto, headless, or a framebuffer such as /dev/fb0"
    switch value.node.text {
    case "auto": return .automatic
    case "headless": return .headless
    case let path? where path.hasPrefix("/"): return value.text().map { .path($0) }
    default:
      value.refuse(advice)
      return nil
    }
  }
}
