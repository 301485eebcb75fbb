import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore

/// The configuration that is installed.
@Suite struct DemoTests {
  private let path = configFolder.appending(path: "touchtree.yaml").path

  @Test func `it is right and has nothing to warn of`() throws {
    let configuration = try Configuration.load(path: path)
    #expect(configuration.warnings.isEmpty)
    #expect(configuration.display.canvasSize == Size(width: 800, height: 480))
    #expect(
      configuration.handlers.map(\.kind) == [.plugin(path: "libbell.so", configJSON: "{}")])
  }

  @Test(
    arguments: [
      (436, 396, "horn"), (572, 396, "stop"), (188, 260, "dial"), (80, 120, "engine"), (214, 418, "throttle"),
      (742, 150, "fuel-level"), (720, 270, "empty"), (520, 90, "tanks"), (560, 150, "tanks"),
      (714, 396, "note"), (651, 352, "note"), (595, 32, "to-helm"), (725, 32, "to-cabin"), (8, 460, "helm"),
      (300, 28, "header"),
    ] as [(Double, Double, String)])
  func `A point of the panel hits the view that is seen there`(x: Double, y: Double, id: String) throws {
    let scene = try scene()
    #expect(scene.window.hitView(at: WindowPoint(x: x, y: y), with: nil)?.id == id)
  }

  @Test func `nothing lies outside the canvas`() throws {
    let scene = try scene()
    for view in scene.viewsByID.values {
      let frame = view.windowFrame
      #expect(frame.minX >= 0 && frame.minY >= 0 && frame.maxX <= 800 && frame.maxY <= 480, "\(view.id)")
    }
  }

  private func scene() throws -> TouchConfig.ViewTree {
    TouchConfig.ViewTree(try Configuration.load(path: path), canvasSize: Size(width: 800, height: 480))
  }
}
