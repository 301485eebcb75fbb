import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Generated files.
@Suite struct FuzzTests {
  private struct Sample {
    var view: Configuration.View
    var properties: [PropertyValue.Entry]
  }

  @Test(arguments: 0..<40)
  func `Random trees survive being written and read`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let samples = samples(&random)
    let text = "keyboard: {shows: never}\nwindow:\n  subviews:\n" + yaml(of: nil, in: samples, indent: 4)
    let read = try parse(text).views
    try #require(read.count == samples.count, "\(text)")
    for (sample, actual) in zip(samples, read) {
      #expect(actual.id == sample.view.id && actual.kind == sample.view.kind)
      #expect(actual.parent == sample.view.parent)
      let view = actual.makeView()
      for entry in sample.properties {
        let value = ViewProperty.named(entry.key, of: view.kind)?.value(of: view)
        #expect(value == entry.value, "\(view.id): \(entry.key)")
      }
    }
  }

  private func samples(_ random: inout SeededGenerator) -> [Sample] {
    var samples: [Sample] = []
    var path: [Int] = []
    for index in 0..<Int.random(in: 1...25, using: &random) {
      // A view's parent is the view before it, or one of that view's ancestors: the file's order.
      path.removeLast(Int.random(in: 0...path.count, using: &random))
      let kind = ViewKind.declared.randomElement(using: &random) ?? .view
      let view = Configuration.View(id: "v \(index): #é", kind: kind, parent: path.last, place: .start)
      samples.append(Sample(view: view, properties: properties(of: kind, &random)))
      path.append(index)
    }
    return samples
  }

  private func properties(of kind: ViewKind, _ random: inout SeededGenerator) -> [PropertyValue.Entry] {
    func number(_ range: ClosedRange<Double>) -> PropertyValue {
      .number(Double.random(in: range, using: &random))
    }
    func flag() -> PropertyValue { .flag(.random(using: &random)) }
    var entries: [(String, PropertyValue)] = [
      ("frame", .list([number(-1e7...1e7), number(-9...9), number(0...1e7), .number(0)])),
      ("bounds_origin", .list([number(-1e-9...1e-9), number(-5...5)])),
      (
        "transform",
        .list([number(-2...2), number(-2...2), .number(0), number(-2...2), number(-9...9), .number(-0.0)])
      ),
      ("anchor", .list([number(-1...2), .number(1)])), ("alpha", number(0...1)), ("hidden", flag()),
      ("user_interaction", flag()), ("forwards", flag()),
      ("background", .text("#01\(Int.random(in: 10...99, using: &random))0304")),
    ]
    if kind.isControl { entries += [("enabled", flag()), ("selected", flag())] }
    // A field has one line, and no control characters.
    let text = kind.role == .entry ? "\"\\\u{1F600}}[]: #" : "\"\\\n\u{1F600}\u{7}}[]: #"
    if kind.hasText { entries.append(("text", .text(text))) }
    let texts = PropertyValue.list(["a: b", "\"", "#c"].map { .text($0) })
    let chosen = PropertyValue.number(Double(Int.random(in: -1...2, using: &random)))
    switch kind.role {
    case .flag: entries.append(("value", flag()))
    case .choice: entries += [("value", chosen), (kind == .list ? "rows" : "segments", texts)]
    case .number, .reading:
      entries += [
        ("value", chosen), ("minimum", .number(Double(Int.random(in: -9 ... -1, using: &random)))),
        ("maximum", .number(Double(Int.random(in: 2...9, using: &random)))), ("step", .number(1)),
      ]
    case .none, .press, .text, .entry, .pages: break
    }
    return entries.map { PropertyValue.Entry(key: $0.0, value: $0.1) }
  }

  private func yaml(of parent: Int?, in samples: [Sample], indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return samples.indices.filter { samples[$0].view.parent == parent }.map { index in
      let view = samples[index].view
      var lines = ["- id: \(quoted(view.id))", "  kind: \(view.kind.name)"]
      lines += samples[index].properties.map { "  \($0.key): \(written($0.value))" }
      let subviews = yaml(of: index, in: samples, indent: indent + 4)
      if !subviews.isEmpty { lines.append("  subviews:") }
      return lines.map { margin + $0 + "\n" }.joined() + subviews
    }.joined()
  }

  private func written(_ value: PropertyValue) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .list(let items): "[" + items.map(written).joined(separator: ", ") + "]"
    case .null, .flag, .number, .map: value.description
    }
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
      "\n", with: "\\n")
    return "\"" + escaped.replacing("\u{7}", with: "\\a") + "\""
  }
}
