import Testing
import TouchInspection

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchViews

/// Lines of a run's trace are in the order in which things happen, and each began in it has its end.
@Suite struct TraceWriterTests {
  private let tree: ViewTree
  private let dispatcher: Dispatcher
  private let lines = Lines()
  private let writer: TraceWriter

  private final class Lines {
    var all: [String] = []

    /// Of these steps, in words without the spaces between their columns.
    func take(_ steps: String...) -> [String] {
      defer { all = [] }
      return all.map { $0.split(separator: " ").joined(separator: " ") }.filter { line in
        steps.contains { line.hasPrefix("\($0) ") }
      }
    }
  }

  init() throws {
    let configuration = try Configuration.parse(
      text: """
        window:
          subviews:
            - {id: level, kind: slider, frame: [0, 0, 200, 40], value: 0}
            - {id: pad, frame: [0, 100, 100, 100]}
        """, file: "f.yaml")
    tree = ViewTree(configuration, canvasSize: Size(width: 200, height: 200))
    dispatcher = Dispatcher(window: tree.window)
    writer = TraceWriter(format: .text, isLive: true) { [lines] in
      lines.all.append(String(decoding: $0.dropLast(), as: UTF8.self))
    }
    dispatcher.observer = writer
  }

  private func finger(_ kind: TouchChange.Kind, _ x: Double, _ y: Double, at seconds: Double) {
    let contact = ContactID(device: DeviceID(rawValue: 1), serial: 1)
    dispatcher.dispatch(
      [TouchChange(contact: contact, kind: kind, location: WindowPoint(x: x, y: y))],
      at: Timestamp.zero.advanced(bySeconds: seconds))
    dispatcher.flush()
  }

  private func view(_ id: String) throws -> View { try #require(tree.window.view(id: id)) }

  @Test func `a touch comes before the value that it changes`() throws {
    finger(.began, 20, 20, at: 1)
    finger(.moved, 120, 20, at: 1.1)
    finger(.ended, 120, 20, at: 1.2)
    let steps = lines.take("touch", "value", "control").map { line in
      line.split(separator: " ").prefix(line.hasPrefix("touch") ? 3 : 1).joined(separator: " ")
    }
    let moved = try #require(steps.firstIndex(of: "touch 1 moved"))
    let value = try #require(steps.firstIndex(of: "value"))
    #expect(moved < value && steps[value...].contains("control"))
  }

  @Test func `a touch is where it was when a responder was given it`() throws {
    let pad = try view("pad")
    pad.handlers.append(Mover { pad.layoutRect = LocalRect(x: 50, y: 150, width: 0, height: 0) })
    finger(.began, 20, 130, at: 1)
    #expect(lines.take("touch").first == "touch 1 began pad (20, 30) forward")
  }

  @Test func `a touch that was told of has its end, and no other one has`() throws {
    let pad = try view("pad")
    finger(.began, 20, 130, at: 1)
    pad.isPrivate = true
    finger(.moved, 30, 130, at: 1.1)
    finger(.ended, 30, 130, at: 1.2)
    finger(.began, 20, 130, at: 2)
    pad.isPrivate = false
    finger(.ended, 20, 130, at: 2.1)
    let told = lines.take("touch").filter { $0.contains(" pad ") }
    #expect(told == ["touch 1 began pad (20, 30) forward", "touch 1 cancelled pad (20, 30) forward"])
  }
}

/// Moves a view while it is given a touch.
private final class Mover: Handler {
  private let move: () -> Void

  init(_ move: @escaping () -> Void) { self.move = move }

  let name = "mover"

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    move()
    return .forward
  }
}
