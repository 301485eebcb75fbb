import Foundation
import Testing
import TouchCore

/// Trees and probes collected from the tests and documents of UIKit and its re-implementations.
@Suite struct ConformanceTests {
  @Test(arguments: try Fixture.load().cases)
  func hitTestsAnswerAsUIKitDoes(_ example: Fixture.Case) throws {
    let tree = FixtureTree(example.tree)
    for probe in example.probes {
      let watcher = StepWatcher()
      let event = Event(observer: watcher)
      let point = LocalPoint(x: probe.point[0], y: probe.point[1])
      let hit = tree.root.hitView(at: point, with: event)
      #expect(hit?.id == probe.expect, "\(example.id) \(example.title) at \(probe.point)")
      let calls = watcher.calls.filter { tree.logged.contains($0.view) }
      if let expected = probe.expectTrace {
        #expect(calls.map(\.name) == expected, "\(example.id) at \(probe.point)")
      }
      if let expected = probe.expectTraceHitTestOnly {
        #expect(calls.filter(\.isHitTest).map(\.view) == expected, "\(example.id) at \(probe.point)")
      }
      if let expected = probe.expectChain, let hit {
        #expect(Array(chain(from: hit).prefix(expected.count)) == expected, "\(example.id)")
      }
    }
  }

  @Test(arguments: try Fixture.load().conversions)
  func conversionsAnswerAsUIKitDoes(_ example: Fixture.Conversion) throws {
    let tree = FixtureTree(example.tree)
    for check in example.checks {
      let from = try #require(tree.views[check.from])
      let to = try #require(tree.views[check.to])
      let point = from.convert(LocalPoint(x: check.point[0], y: check.point[1]), to: to)
      #expect([point.x, point.y] == check.expect, "\(example.id) \(check.from) → \(check.to)")
    }
  }

  private func chain(from view: View) -> [String] {
    Array(sequence(first: view as Responder) { $0.next }).map(\.id)
  }
}

/// Notes hitTest and pointInside as they are asked.
final class StepWatcher: DispatchObserver {
  struct Call {
    var view: String
    var isHitTest: Bool
    var name: String { view + (isHitTest ? ".hitTest" : ".pointInside") }
  }

  private(set) var calls: [Call] = []

  func observe(_ step: DispatchStep) {
    switch step {
    case .hitTest(let view, _): calls.append(Call(view: view.id, isHitTest: true))
    case .pointInside(let view, _): calls.append(Call(view: view.id, isHitTest: false))
    default: break
    }
  }
}
