import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Generated files.
@Suite struct FuzzTests {
  @Test(arguments: 0..<40)
  func `Random trees survive being written and read`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let views = randomViews(&random)
    let text = "window:\n  subviews:\n" + yaml(of: nil, in: views, indent: 4)
    let read = try parse(text).views
    try #require(read.count == views.count, "\(text)")
    for (expected, actual) in zip(views, read) {
      var actual = actual
      actual.place = .start
      #expect(actual == expected)
    }
  }

  private func randomViews(_ random: inout SeededGenerator) -> [Configuration.View] {
    var views: [Configuration.View] = []
    var path: [Int] = []
    for index in 0..<Int.random(in: 1...25, using: &random) {
      // A view's parent is the view before it, or one of that view's ancestors: the file's order.
      path.removeLast(Int.random(in: 0...path.count, using: &random))
      let kind = ViewKind.declared.randomElement(using: &random) ?? .view
      var view = Configuration.View(id: "v \(index): #é", kind: kind, parent: path.last, place: .start)
      func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
      view.frame = LocalRect(x: number(-1e7...1e7), y: number(-9...9), width: number(0...1e7), height: 0)
      view.boundsOrigin = LocalPoint(x: number(-1e-9...1e-9), y: number(-5...5))
      view.transform = AffineTransform(
        a: number(-2...2), b: number(-2...2), c: 0, d: number(-2...2), tx: number(-9...9), ty: -0.0)
      view.anchor = Point(x: number(-1...2), y: 1)
      view.alpha = number(0...1)
      view.isHidden = Bool.random(using: &random)
      view.isUserInteractionEnabled = Bool.random(using: &random)
      view.forwards = Bool.random(using: &random)
      if kind.isControl {
        view.isEnabled = Bool.random(using: &random)
        view.isSelected = Bool.random(using: &random)
      }
      if kind == .segmented { view.parts.segments = ["a: b", "\"", "#c"] }
      if kind == .switch { view.value = ControlValue(isOn: .random(using: &random)) }
      if kind == .list { view.parts.rows = ["a: b", "", "#c"] }
      if kind == .segmented || kind == .list || kind.hasLimits {
        let minimum = kind.hasLimits ? Double(Int.random(in: -9...0, using: &random)) : -1
        let maximum = kind.hasLimits ? Double(Int.random(in: 2...9, using: &random)) : 2
        view.value = ControlValue(
          Double(Int.random(in: -1...2, using: &random)), minimum: minimum, maximum: maximum, step: 1)
      }
      if kind.hasText { view.text = "\"\\\n\u{1F600}\u{7}}[]: #\(index)" }
      view.appearance.background = Color(
        red: 1, green: .random(in: 0...255, using: &random), blue: 3, alpha: 4)
      views.append(view)
      path.append(index)
    }
    return views
  }

  private func yaml(of parent: Int?, in views: [Configuration.View], indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return views.indices.filter { views[$0].parent == parent }.map { index in
      let view = views[index]
      let (frame, matrix) = (view.frame, view.transform)
      var lines = [
        "- id: \(quoted(view.id))", "  kind: \(view.kind.rawValue)",
        "  frame: [\(frame.origin.x), \(frame.origin.y), \(frame.size.width), \(frame.size.height)]",
        "  bounds_origin: [\(view.boundsOrigin.x), \(view.boundsOrigin.y)]",
        "  transform: [\(matrix.a), \(matrix.b), \(matrix.c), \(matrix.d), \(matrix.tx), \(matrix.ty)]",
        "  anchor: [\(view.anchor.x), \(view.anchor.y)]", "  alpha: \(view.alpha)",
        "  hidden: \(view.isHidden)", "  user_interaction: \(view.isUserInteractionEnabled)",
        "  forwards: \(view.forwards)", "  background: \"\(view.appearance.background?.hex ?? "")\"",
      ]
      if view.kind.isControl {
        lines += ["  enabled: \(view.isEnabled)", "  selected: \(view.isSelected)"]
      }
      if view.kind == .segmented {
        lines.append("  segments: [" + view.parts.segments.map(quoted).joined(separator: ", ") + "]")
      }
      if view.kind == .list {
        lines.append("  rows: [" + view.parts.rows.map(quoted).joined(separator: ", ") + "]")
      }
      if let value = view.value {
        lines.append("  value: \(value.isFlag ? value.text : "\(Int(value.number))")")
        if view.kind.hasLimits {
          lines += ["  minimum: \(value.minimum)", "  maximum: \(value.maximum)", "  step: 1"]
        }
      }
      if view.kind.hasText { lines.append("  text: \(quoted(view.text))") }
      let subviews = yaml(of: index, in: views, indent: indent + 4)
      if !subviews.isEmpty { lines.append("  subviews:") }
      return lines.map { margin + $0 + "\n" }.joined() + subviews
    }.joined()
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
      "\n", with: "\\n")
    return "\"" + escaped.replacing("\u{7}", with: "\\a") + "\""
  }
}
