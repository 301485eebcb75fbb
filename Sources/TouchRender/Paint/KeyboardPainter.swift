import TouchCore
import TouchPixels
import TouchViews

extension TreePainter {
  /// The keys of a keyboard that lie in the clip.
  func paint(_ keyboard: KeyboardView, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass) {
    let surface = keyboard.surfaceColor
    // Letters are lighter than what they lie on, which is light or dark.
    let letters = keyboard.keyColor ?? surface.mixed(with: .white, parts: surface.isLight ? 200 : 56)
    let others = keyboard.functionKeyColor ?? surface.mixed(with: surface.contrast, parts: 22)
    let style = keyboard.textStyle
    for (index, placed) in keyboard.keys.enumerated() where placed.key.role != .gap {
      let rect = placed.rect.outset(by: -KeyboardView.spacing / 2)
      guard let key = RoundedRect(rect, radiusX: 6, radiusY: 6, displayFromLocal: matrix),
        !key.pixels.intersection(pass.clip).isEmpty
      else { continue }
      var color = letters
      var text = keyboard.text(of: placed.key)
      var size = style.size
      switch placed.key.role {
      case .text: break
      case .space: text = ""
      case .shift:
        text = keyboard.shift == .locked ? "\u{21ea}" : "\u{21e7}"
        color = keyboard.shift == .off ? others : surface.contrast
      case .delete: (text, color) = ("\u{232b}", others)
      case .enter: (text, color) = (keyboard.returnKey.sign, keyboard.tint)
      case .page(.letters): (text, color, size) = ("ABC", others, size * 0.75)
      case .page(.symbols): (text, color, size) = ("?123", others, size * 0.75)
      case .page(.more): (text, color, size) = ("=\\<", others, size * 0.75)
      case .hide: (text, color) = ("\u{25be}", others)
      case .script: (text, color, size) = (keyboard.scriptSign, others, size * 0.75)
      case .gap: continue
      }
      let share = keyboard.pressedShare(of: index)
      let pressed = placed.key.role == .enter ? color.pressed : keyboard.tint
      fill(key, color.mixed(with: pressed, share), pass)
      guard !text.isEmpty else { continue }
      func textColor(on color: Color) -> Color {
        color == letters || color == others ? style.color : color.contrast
      }
      var letter = style
      (letter.size, letter.lines, letter.padding) = (size, 1, .zero)
      letter.color = textColor(on: color).mixed(with: textColor(on: pressed), share)
      paintText(text, letter, in: rect, padding: .zero, of: keyboard, shape, matrix, pass)
    }
  }
}

extension TextField.ReturnKey {
  /// What stands on the return key, in no language.
  fileprivate var sign: String {
    switch self {
    case .done: "\u{21b5}"
    case .next: "\u{2192}"
    case .search: "\u{2315}"
    }
  }
}
