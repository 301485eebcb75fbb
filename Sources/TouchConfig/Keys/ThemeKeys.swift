import TouchViews

struct ThemeDraft {
  /// The strength with which texts and marks differ from what is behind them.
  enum Contrast: String, CaseIterable {
    case normal, high
  }

  var name = ""
  var contrast = Contrast.normal
  var scale = 1.0
  var isKept = false

  static let keys = Keys<Self>("theme", Self()) {
    "`dark`, `light`, or the path of a theme's file."
    KeyRow(
      "name", \.name, .name("give dark, light, or the path of a theme's file"),
      required: "give dark, light or a path")
    "`high` has the theme's colours for people who do not see well: `high_contrast` of its file."
    KeyRow("contrast", \.contrast, .word)
    "How much larger texts are, and with them what is as large as its text, from 0.5 to 3."
    KeyRow("scale", \.scale, .number(NumberRange(lower: 0.5, upper: 3)))
    "Whether a theme that is set survives a restart."
    KeyRow("keep", \.isKept, .flag)
  }
}
