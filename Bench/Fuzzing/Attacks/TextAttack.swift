import DispatchFuzzing
import TouchCore
import TouchPixels
import TouchRender
import TouchSystem
import TouchViews

/// Texts of all scripts and of none, in fonts of all sizes: nothing is painted outside of its view, and no
/// message has a character that a terminal obeys.
public final class TextAttack {
  private static let pieces: [[UInt8]] =
    [
      "The quick brown fox", "Straße", "naïve", "שלום עולם", "مرحبا بالعالم", "हिन्दी क्षत्रिय", "ภาษาไทย", "日本語のテキスト",
      "👩‍👩‍👧‍👦", "🇩🇪🇫🇷",
      "e\u{301}\u{302}\u{303}\u{304}", "\u{300}", "\u{20dd}", "\u{fe0f}", "\u{200d}", "\u{200b}", "\u{00ad}",
      "\u{2060}", " ",
      "\u{a0}", "\u{3000}", "\t", "\n", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{0}", "\u{7}",
      "\u{1b}[31m", "\u{7f}", "\u{9b}",
      "\u{202a}", "\u{202b}", "\u{202c}", "\u{202d}", "\u{202e}", "\u{2066}", "\u{2067}", "\u{2068}",
      "\u{2069}", "\u{200e}",
      "\u{200f}", "\u{61c}", "\u{feff}", "\u{fffe}", "\u{ffff}", "\u{10ffff}", "\u{e0041}", "\u{f8ff}", "ﷺ",
      "-",
      "…", "123.456,78", "(a[b{c}d]e)", "W", "i",
    ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]

  private static let families = [
    "DejaVu Sans", "sans-serif", "serif", "no such font", "", "a:size=90", "\u{1b}[0m",
  ]

  /// The room of the view in the picture.
  private static let frame = LocalRect(x: 20, y: 10, width: 120, height: 40)
  private static let around = PixelRect(x: 20, y: 10, width: 120, height: 40)

  private let display: Surface
  /// One for all texts, as in a daemon.
  private let painter: Painter
  private let measurer = ContentMeasurer()

  /// - Throws: `DisplayError` if there is no memory.
  public init() throws {
    display = try Surface(width: 200, height: 60)
    painter = try Painter(
      geometry: DisplayGeometry(displaySize: display.size, canvasSize: nil, scale: .fit, rotation: .none),
      background: Color(red: 0, green: 0, blue: 0))
  }

  /// - Returns: the rule that was broken, and whether something was painted.
  public func run(seed: UInt64) -> (fault: String?, isPainted: Bool) {
    var random = RandomSource(seed: seed)
    let text = Self.text(&random)
    guard SourceText.isShown(text.onOneLine), !text.onOneLine.contains("\n") else {
      return ("a line is not one line", false)
    }
    guard text.escaped.unicodeScalars.count <= 40 * 12 + 3 else { return ("a short text is long", false) }
    return paint(text, &random)
  }

  private static func text(_ random: inout RandomSource) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let piece = random.pick(pieces)
      // Some of them as often as a text may have letters, and more often.
      let count = random.oneIn(150) ? Int.random(in: 1...5000, using: &random) : 1
      for _ in 0..<count { bytes += piece }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func style(_ random: inout RandomSource) -> TextStyle {
    var style = TextStyle(alignment: random.pick(TextStyle.Alignment.allCases))
    style.family = random.pick(families)
    style.size = random.pick([0.2, 5, 9, 12, 13.7, 18, 24, 60, 1000])
    style.lines = random.pick([0, 1, 1, 2, 100])
    return style
  }

  private func paint(_ text: String, _ random: inout RandomSource) -> (String?, Bool) {
    let window = Window(size: Size(width: 200, height: 60))
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let button = Button(id: "b", frame: Self.frame)
      (button.text, button.textStyle) = (text, Self.style(&random))
      window.addSubview(button)
    default:
      let label = Label(id: "l", frame: Self.frame)
      (label.text, label.textStyle) = (text, Self.style(&random))
      window.addSubview(label)
      _ = measurer.size(of: label, atWidth: random.pick([0, 50, 1e9]))
    }
    painter.paintAll(window, highlights: nil, on: display)
    var isPainted = false
    for y in 0..<60 {
      for x in 0..<200 where display.pixels[y * 200 + x] & 0xff_ffff != 0 {
        guard Self.around.contains(x: x, y: y) else { return ("(\(x), \(y)) is painted", true) }
        isPainted = true
      }
    }
    return (nil, isPainted)
  }
}
