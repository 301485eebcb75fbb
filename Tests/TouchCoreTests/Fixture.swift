import Testing
import TouchCore
import TouchJSON
import TouchSystem

/// The committed cases of `Fixtures/hit-test-cases.json`.
struct Fixture {
  struct Case: CustomTestStringConvertible {
    var id: String
    var title: String
    /// The extensions that are switched on in the whole tree.
    var features: [String]?
    var tree: Node
    var probes: [Probe]
    var testDescription: String { "\(id): \(title)" }
  }

  struct Probe {
    var point: [Double]
    var expect: String?
    var expectTrace: [String]?
    var expectTraceHitTestOnly: [String]?
    var expectChain: [String]?
  }

  struct Conversion: CustomTestStringConvertible {
    struct Check {
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

  /// A sequence of events, and what came of it where it was collected. `expect` is what it says there, in its
  /// words.
  struct EventCase {
    struct Change {
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

  struct Shape {
    var type: String
    var rect: [Double]?
    var radius: Double?
    var points: [[Double]]?
  }

  /// What a subclass of the case does.
  struct Override {
    var hitTest: String?
    var pointInside: String?
    var target: String?
  }

  struct Node {
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
    let folder = #filePath.prefix(through: #filePath.lastIndex(of: "/")!)
    let bytes = try FileContents.read("\(folder)Fixtures/hit-test-cases.json", upTo: 1 << 20)
    return try Fixture(JSONReader.read(String(decoding: bytes, as: UTF8.self)))
  }
}

// MARK: Reading

extension Fixture {
  init(_ json: JSONValue) throws {
    cases = try json.list("cases", Case.init)
    conversions = try json.list("conversions", Conversion.init)
    events = try json.list("events", EventCase.init)
  }
}

extension Fixture.Case {
  init(_ json: JSONValue) throws {
    id = try json.text("id")
    title = try json.text("title")
    features = json.texts("features")
    tree = try Fixture.Node(#require(json["tree"]))
    probes = try json.list("probes", Fixture.Probe.init)
  }
}

extension Fixture.Probe {
  init(_ json: JSONValue) throws {
    point = try #require(json.numbers("point"))
    expect = json["expect"]?.text
    expectTrace = json.texts("expectTrace")
    expectTraceHitTestOnly = json.texts("expectTraceHitTestOnly")
    expectChain = json.texts("expectChain")
  }
}

extension Fixture.Conversion {
  init(_ json: JSONValue) throws {
    id = try json.text("id")
    title = try json.text("title")
    tree = try Fixture.Node(#require(json["tree"]))
    checks = try json.list("checks", Check.init)
  }
}

extension Fixture.Conversion.Check {
  init(_ json: JSONValue) throws {
    from = try json.text("from")
    to = try json.text("to")
    point = try #require(json.numbers("point"))
    expect = try #require(json.numbers("expect"))
  }
}

extension Fixture.EventCase {
  init(_ json: JSONValue) throws {
    id = try json.text("id")
    title = try json.text("title")
    tree = try json["tree"].map(Fixture.Node.init)
    handlers = json["handlers"]?.members.map { members in
      Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.text ?? "") })
    }
    touches = try json["touches"].map { _ in try json.list("touches", Change.init) }
    probe = json.numbers("probe")
    expect = try #require(json.texts("expect"))
  }
}

extension Fixture.EventCase.Change {
  init(_ json: JSONValue) throws {
    touch = Int(try #require(json["touch"]?.number))
    phase = try json.text("phase")
    point = try #require(json.numbers("point"))
  }
}

extension Fixture.Shape {
  init(_ json: JSONValue) throws {
    type = try json.text("type")
    rect = json.numbers("rect")
    radius = json["radius"]?.number
    points = json["points"]?.elements?.map { $0.elements?.compactMap(\.number) ?? [] }
  }
}

extension Fixture.Override {
  init(_ json: JSONValue) {
    hitTest = json["hitTest"]?.text
    pointInside = json["pointInside"]?.text
    target = json["target"]?.text
  }
}

extension Fixture.Node {
  init(_ json: JSONValue) throws {
    id = try json.text("id")
    frame = try #require(json.numbers("frame"))
    boundsOrigin = json.numbers("boundsOrigin")
    transform = json.numbers("transform")
    anchor = json.numbers("anchor")
    alpha = json["alpha"]?.number
    hidden = json["hidden"]?.boolean
    interaction = json["interaction"]?.boolean
    kind = json["kind"]?.text
    enabled = json["enabled"]?.boolean
    clip = json["clip"]?.boolean
    z = json["z"]?.number
    pointerEvents = json["pointerEvents"]?.text
    hitSlop = json.numbers("hitSlop")
    shape = try json["shape"].map(Fixture.Shape.init)
    override = json["override"].map(Fixture.Override.init)
    vc = json["vc"]?.text
    log = json["log"]?.boolean
    children = try json["children"].map { _ in try json.list("children", Fixture.Node.init) }
  }
}

extension JSONValue {
  fileprivate func text(_ key: String) throws -> String { try #require(self[key]?.text, "\(key) of \(json)") }

  fileprivate func texts(_ key: String) -> [String]? { self[key]?.elements?.compactMap(\.text) }

  fileprivate func numbers(_ key: String) -> [Double]? { self[key]?.elements?.compactMap(\.number) }

  fileprivate func list<Element>(_ key: String, _ read: (JSONValue) throws -> Element) throws -> [Element] {
    try #require(self[key]?.elements, "\(key) of \(json)").map(read)
  }
}
