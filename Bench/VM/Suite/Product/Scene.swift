import Testing
import VMPictures

/// The view tree that the product is run with: two places to touch, at different depths, and a view in the
/// way.
///
///     window ─ root (controller main) ─┬─ left
///                                      ├─ panel ─ knob
///                                      └─ ghost, over both, which no touch can hit
struct Scene: Sendable {
  /// A view that can be touched.
  struct Target: Sendable, CustomTestStringConvertible {
    var view: String
    /// In display pixels: x, y, width, height.
    var frame: [Int]
    var background: Colour
    /// The responders that are asked, first to last.
    var chain: [String]

    var centre: (x: Int, y: Int) { (frame[0] + frame[2] / 2, frame[1] + frame[3] / 2) }
    /// A pixel in the view's corner: within its outline or a glow's line, and far from its centre, where a
    /// pointer may be drawn.
    var sample: (x: Int, y: Int) { (frame[0] + 3, frame[1] + 3) }
    var testDescription: String { view }
  }

  var width = 1280
  var height = 800
  /// The mark on a touched view.
  var lit = Colour(0xe6_00_7a)
  var style = "outline"
  /// The time for which the line behind a finger can be seen, in seconds.
  var trail = 0.0
  /// `hide` or `keep`.
  var console = "hide"
  /// The plugin of the targets' handler.
  var plugin = "/usr/lib/touchtree/libbell.so"
  /// Whether there is a marker under each finger.
  var showsTouches = false
  /// Whether the targets have the handler.
  var isHandled = true
  /// The mark on the other views of the chain.
  var path = "none"
  /// More keys of each target, the comma before them included.
  var targetKeys = ""

  /// Lines of the configuration's input section.
  var input: [String] = []
  var layout = Layout.targets

  /// The contents of the root view.
  enum Layout {
    /// The two targets.
    case targets
    /// A view in each corner, and one over their middle.
    case corners
  }

  /// The views of the corners, row by row, and the middle one.
  static let cornerViews = ["upper-left", "upper-right", "lower-left", "lower-right", "middle"]

  var left: Target {
    Target(
      view: "left", frame: [width / 16, height / 8, width / 4, height / 2], background: Colour(0x00_00_ff),
      chain: ["left", "root", "main", "window", "application"])
  }

  var knob: Target {
    Target(
      view: "knob", frame: [width / 2 + width / 16, height / 4 + height / 8, width / 4, height / 4],
      background: Colour(0x00_ff_00), chain: ["knob", "panel", "root", "main", "window", "application"])
  }

  /// The expected picture.
  ///
  /// - Parameter view: the view that is touched.
  func drawing(lit view: String? = nil) -> Drawing {
    var drawing = Drawing(width: width, height: height, Colour(0x20_20_20))
    drawing.fill([width / 2, height / 4, width / 2, height / 2], Colour(0x40_40_40))
    for target in [left, knob] {
      let frame = target.frame
      drawing.fill(frame, target.view == view ? lit : target.background)
      drawing.fill([frame[0] + 8, frame[1] + 8, frame[2] - 16, frame[3] - 16], target.background)
    }
    return drawing
  }

  /// The configuration file. The plugin writes its record to `record`, a path in the guest.
  func yaml(record: String) -> String {
    let handlers =
      isHandled
      ? "handlers:\n  bell: {kind: plugin, path: \(plugin), budget: 1, config: {record: \(record)}}\n" : ""
    let handled = (isHandled ? ", handlers: [bell]" : "") + targetKeys
    return """
      version: 1
      display: {device: auto, background: "#101418", console: \(console)}
      highlight:
        view: {style: \(style), color: "\(lit)", width: 8}
        path: \(path)
        touches: {marker: \(showsTouches), trail: \(trail)}
      \(inputSection)\(handlers)window:
        id: window
        subviews:
          - id: root
            frame: [0, 0, \(width), \(height)]
            background: "#202020"
            controller: main
            subviews:
      \(layout == .corners ? corners : targets(handled))

      """
  }

  /// The lines of an input section that a file has, as `input` takes them.
  static func input(of file: String) -> [String] {
    let lines = file.split(separator: "\n").drop { $0 != "input:" }.dropFirst()
    return lines.prefix { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
  }

  private var inputSection: String {
    input.isEmpty ? "" : "input:\n" + input.map { "  \($0)\n" }.joined()
  }

  private var corners: String {
    let (halfWidth, halfHeight) = (width / 2, height / 2)
    let frames = [
      [0, 0, halfWidth, halfHeight], [halfWidth, 0, halfWidth, halfHeight],
      [0, halfHeight, halfWidth, halfHeight],
      [halfWidth, halfHeight, halfWidth, halfHeight],
      [halfWidth - 100, halfHeight - 100, 200, 200],
    ]
    return zip(Self.cornerViews, frames)
      .map { "        - {id: \($0), frame: \($1), multiple_touch: true, background: \"#303030\"}" }
      .joined(separator: "\n")
  }

  private func targets(_ handled: String) -> String {
    """
            - {id: left, frame: \(left.frame), background: "\(left.background)"\(handled)}
            - id: panel
              frame: [\(width / 2), \(height / 4), \(width / 2), \(height / 2)]
              background: "#404040"
              subviews:
                - {id: knob, frame: [\(width / 16), \(height / 8), \(width / 4), \(height / 4)], background: "\(knob.background)"\(handled)}
            - {id: ghost, frame: [0, 0, \(width), \(height)], user_interaction: false}

    """
  }
}
