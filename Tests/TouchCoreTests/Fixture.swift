import Foundation
import Testing
import TouchCore

/// The committed cases of `Fixtures/hit-test-cases.json`.
struct Fixture: Decodable {
  struct Case: Decodable, CustomTestStringConvertible {
    var id: String
    var title: String
    /// The extensions that are switched on in the whole tree.
    var features: [String]?
    var tree: Node
    var probes: [Probe]
    var testDescription: String { "\(id): \(title)" }
  }

  struct Probe: Decodable {
    var point: [Double]
    var expect: String?
    var expectTrace: [String]?
    var expectTraceHitTestOnly: [String]?
    var expectChain: [String]?
  }

  struct Conversion: Decodable, CustomTestStringConvertible {
    struct Check: Decodable {
      var from: String
      var to: String
      var point: [Double]
      var expect: [Double]
    }

    var id: String
    var title: String
    var tree: Node
    var checks: [Check]
    var testDescription: String { "\(id): \(title)" }
  }

  /// A sequence of events, and what came of it where it was collected. `expect` is what it says there, in its words.
  struct EventCase: Decodable {
    struct Change: Decodable {
      var touch: Int
      var phase: String
      var point: [Double]
    }

    var id: String
    var title: String
    var tree: Node?
    /// What responders answer; those that are named are the ones of which the case tells.
    var handlers: [String: String]?
    var touches: [Change]?
    var probe: [Double]?
    var expect: [String]
  }

  struct Shape: Decodable {
    var type: String
    var rect: [Double]?
    var radius: Double?
    var points: [[Double]]?
  }

  /// What a subclass of the case does.
  struct Override: Decodable {
    var hitTest: String?
    var pointInside: String?
    var target: String?
  }

  struct Node: Decodable {
    var id: String
    var frame: [Double]
    var boundsOrigin: [Double]?
    var transform: [Double]?
    var anchor: [Double]?
    var alpha: Double?
    var hidden: Bool?
    var interaction: Bool?
    var kind: String?
    var enabled: Bool?
    var clip: Bool?
    var z: Double?
    var pointerEvents: String?
    var hitSlop: [Double]?
    var shape: Shape?
    var override: Override?
    var vc: String?
    var log: Bool?
    var children: [Node]?
  }

  var cases: [Case]
  var conversions: [Conversion]
  var events: [EventCase]

  static func load() throws -> Fixture {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/hit-test-cases.json")
    return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file))
  }
}
