import Foundation
import Testing
import TouchCore

/// The committed cases of `Fixtures/hit-test-cases.json`.
struct Fixture: Decodable {
  struct Case: Decodable, CustomTestStringConvertible {
    var id: String
    var title: String
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
    var vc: String?
    var log: Bool?
    var children: [Node]?
  }

  var cases: [Case]
  var conversions: [Conversion]

  static func load() throws -> Fixture {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/hit-test-cases.json")
    return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file))
  }
}

/// A view tree made from a fixture.
struct FixtureTree {
  let root: View
  private(set) var views: [String: View] = [:]
  private(set) var logged: Set<String> = []

  init(_ node: Fixture.Node) {
    root = Self.view(node)
    fill(root, from: node)
  }

  private mutating func fill(_ view: View, from node: Fixture.Node) {
    views[node.id] = view
    if node.log == true { logged.insert(node.id) }
    for child in node.children ?? [] {
      let subview = Self.view(child)
      view.addSubview(subview)
      fill(subview, from: child)
    }
  }

  private static func view(_ node: Fixture.Node) -> View {
    let rect = LocalRect(x: node.frame[0], y: node.frame[1], width: node.frame[2], height: node.frame[3])
    let view =
      node.kind == "control" ? Control(id: node.id, layoutRect: rect) : View(id: node.id, layoutRect: rect)
    if let origin = node.boundsOrigin { view.bounds.origin = LocalPoint(x: origin[0], y: origin[1]) }
    if let anchor = node.anchor { view.anchorPoint = Point(x: anchor[0], y: anchor[1]) }
    if let m = node.transform {
      view.transform = AffineTransform(a: m[0], b: m[1], c: m[2], d: m[3], tx: m[4], ty: m[5])
    }
    view.alpha = node.alpha ?? 1
    view.isHidden = node.hidden ?? false
    view.isUserInteractionEnabled = node.interaction ?? true
    view.clipsToBounds = node.clip ?? false
    if let enabled = node.enabled { (view as? Control)?.isEnabled = enabled }
    if let controller = node.vc { view.viewController = ViewController(id: controller) }
    return view
  }
}
