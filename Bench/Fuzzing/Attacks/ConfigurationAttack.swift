import DispatchFuzzing
import TouchConfig
import TouchCore
import TouchInput
import TouchInspection
import TouchTools

/// The configurations that touchtree comes with, with something changed in them: each is refused at places in
/// it, or is a tree that can be laid out, painted and touched.
public enum ConfigurationAttack {
  private static let originals: [[UInt8]] = [
    "config", "config/experiments", "config/examples", "Sources/TouchTools/New/Starter",
  ]
  .flatMap { Corpus.paths(in: $0, endingIn: ".yaml") }.compactMap { try? Corpus.bytes($0) }

  private static let mutation = Mutation([
    "&a ", "*a ", "<<: *a", "[", "]", "{", "}", ": ", "- ", "\n", "\r\n", "\t", "'", "\"", "#", "!!int ",
    "|\n", ">\n", "---\n",
    "...\n", "%YAML 1.1\n", "? ", ".nan", ".inf", "~", "null", "true", "yes", "\u{1}", "é", "\u{2028}",
    "\u{FEFF}", "\u{202e}",
    "x-a: &a [x,x,x,x,x,x,x,x]\n", "kind: scroll", "kind: list", "kind: stack", "kind: pages", "kind: gauge",
    "kind: segmented",
    "frame: [0, 0, 1e9, 1e9]", "frame: [-1e9, 0, 1, 1]", "transform: {scale: 0}",
    "transform: [1, 2, 2, 4, 0, 0]", "alpha: nan",
    "shape: children", "shape: {type: polygon, points: [[0, 0], [1, 1]]}", "overflow_hits: true",
    "redirect: root", "id: window",
    "font: {size: 1000}", "font: {lines: 0}", "value: 1e300", "step: 1e-300", "minimum: 5", "maximum: -5",
    "rows: [a, b]",
    "style: a", "actions: {touch_up_inside: [page: {a: next}]}", "gestures: [{kind: tap, taps: 9}]",
    "insets: 1e9", "columns: 0",
    "hit_slop: -1e9", "corner_radius: 1e9", "subviews: []", "subviews:", "content: [1e9, 1e9]",
    "image: /dev/zero",
    "of: digit", "- {of: lamp, key: a, name: b}", "- {repeat: {for: 9, view: {text: '{index}'}}}",
    "for: lamps", "for: 99999",
    "id: '{index}'", "{item}", "{name}", "{id}", "templates: {a: {of: a}}", "include: [a, b]",
    "handlers: [log]", "version: 2", "canvas: {size: [8192, 1]}", "rotation: 90", "hidden: true",
  ])

  /// - Returns: the rule that was broken, and whether the file was good.
  public static func run(seed: UInt64) -> (fault: String?, isGood: Bool) {
    var random = RandomSource(seed: seed)
    var bytes = slice(random.pick(originals), &random)
    mutation.apply(to: &bytes, &random)
    do {
      return (
        try use(Configuration.parse(bytes: bytes, file: "f", showsRest: random.oneIn(2)), &random), true
      )
    } catch ConfigurationError.invalid(let found) {
      return (fault(of: found, in: bytes), false)
    } catch {
      return ("\(error)", false)
    }
  }

  /// The whole file, or some lines of it.
  private static func slice(_ bytes: [UInt8], _ random: inout RandomSource) -> [UInt8] {
    guard random.oneIn(4) else { return bytes }
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    let start = Int.random(in: 0..<lines.count, using: &random)
    return Array(lines[start..<Int.random(in: start...lines.count, using: &random)].joined(separator: [0x0a]))
  }

  private static func fault(of found: [Diagnostic], in bytes: [UInt8]) -> String? {
    let lines = SourceText.lineCount(bytes)
    guard !found.isEmpty else { return "it was refused without an error" }
    guard found.map(\.place) == found.map(\.place).sorted() else {
      return "errors are not in the file's order"
    }
    for error in found {
      guard (1...lines).contains(error.place.line), error.place.column >= 1 else {
        return "outside of the file: \(error)"
      }
      guard SourceText.isShown("\(error)") else { return "control characters in: \(error)" }
      guard error.message.contains(where: { ";?".contains($0) }) else { return "no advice: \(error)" }
    }
    return nil
  }

  /// Runs `check`, `hit --explain` and `trace` on it, on a small display.
  private static func use(_ configuration: Configuration, _ random: inout RandomSource) throws -> String? {
    let display = Size(width: 400, height: 240)
    let geometry = configuration.canvasLayout.geometry(on: display)
    let tree = ViewTree(configuration, geometry: geometry)
    // Painting is most of the time.
    if random.oneIn(8) {
      let warnings = try TreeLint.warnings(of: configuration, on: [display])
      if let raw = warnings.first(where: { !SourceText.isShown("\($0)") }) {
        return "control characters in: \(raw)"
      }
    }
    let canvas = geometry.canvasSize
    let pipeline = InputPipeline(tree, geometry: geometry)
    let dryRun = DryRun(tree: tree, pipeline: pipeline) { _ in }
    for _ in 0..<3 {
      let x = Double.random(in: -1...1, using: &random) * canvas.width
      let y = Double.random(in: -1...1, using: &random) * canvas.height
      var question = HitQuestion(x: abs(x), y: abs(y))
      question.isExplained = true
      question.isAll = true
      _ = try question.answer(in: tree)
      try dryRun.drag([
        [WindowPoint(x: x, y: y), WindowPoint(x: abs(y), y: abs(x))], [WindowPoint(x: 20, y: 20)],
      ])
    }
    try dryRun.finish()
    guard pipeline.dispatcher.touches.isEmpty else { return "touches that lifted are still there" }
    return nil
  }
}
