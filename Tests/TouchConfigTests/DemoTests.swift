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
      (600, 400, "horn"), (728, 400, "stop"), (136, 148, "saloon"), (136, 276, "cabin"), (420, 180, "needle"),
      (400, 224, "hub"), (330, 180, "dial"), (280, 90, "engine"), (400, 400, "throttle"),
      (400, 408, "throttle"),
      (176, 396, "note"), (266, 420, "note"), (590, 200, "fuel-level"), (590, 130, "fuel"), (8, 460, "panel"),
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
