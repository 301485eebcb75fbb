import TouchCore

extension KeyboardView: ContentDrawing {
  private struct KeyColors {
    /// The colours of keys that write something, and of the other keys.
    let letters, others: Color
    let surface: Color

    init(of keyboard: KeyboardView) {
      surface = keyboard.surfaceColor
      // Letters are lighter than their background, whether it is light or dark.
      letters = keyboard.keyColor ?? surface.mixed(with: .white, parts: surface.isLight ? 200 : 56)
      others = keyboard.functionKeyColor ?? surface.mixed(with: surface.contrast, parts: 22)
    }
  }

  final func drawKeys(_ context: GraphicsContext) {
    let (colors, seen) = (KeyColors(of: self), context.boundingBoxOfClipPath)
    for (index, placed) in keys.enumerated() where placed.key.role != .gap {
      let rect = placed.rect.outset(by: -Self.spacing / 2)
      if rect.intersects(seen) { draw(placed.key, index, in: rect, colors, context) }
    }
  }

  private func draw(
    _ key: KeyboardLayout.Key, _ index: Int, in rect: LocalRect, _ colors: KeyColors,
    _ context: GraphicsContext
  ) {
    let (text, size, color) = face(of: key, colors)
    let share = pressedShare(of: index)
    let pressed = key.role == .enter ? color.pressed : tint
    context.fill(rect, cornerRadius: 8, with: color.mixed(with: pressed, share))
    guard !text.isEmpty else { return }
    func textColor(on color: Color) -> Color {
      color == colors.letters || color == colors.others ? textStyle.color : color.contrast
    }
    var letter = textStyle
    (letter.size, letter.lines, letter.padding) = (size, 1, .zero)
    letter.color = textColor(on: color).mixed(with: textColor(on: pressed), share)
    context.canvas.draw(text, letter, in: rect, TextRoom())
  }

  /// Returns the text on a key, its size, and the key's colour while nobody presses it.
  private func face(
    of key: KeyboardLayout.Key, _ colors: KeyColors
  ) -> (text: String, size: Double, color: Color) {
    let (size, small, others) = (textStyle.size, textStyle.size * 0.75, colors.others)
    return switch key.role {
    case .text: (text(of: key), size, colors.letters)
    case .space, .gap: ("", size, colors.letters)
    case .shift:
      (shift == .locked ? "\u{21ea}" : "\u{21e7}", size, shift == .off ? others : colors.surface.contrast)
    case .delete: ("\u{232b}", size, others)
    case .enter: (returnKey.sign, size, tint)
    case .page(.letters): ("ABC", small, others)
    case .page(.symbols): ("?123", small, others)
    case .page(.more): ("=\\<", small, others)
    case .hide: ("\u{25be}", size, others)
    case .script: (scriptSign, small, others)
    }
  }
}

extension KeyboardView: FocusTextHolding {
  /// Returns the name of a key for people who do not see it.
  final func focusText(of part: Int) -> String? {
    let parts = parts
    guard parts.indices.contains(part) else { return nil }
    switch keys[parts[part]].key.role {
    case .text: return text(of: keys[parts[part]].key)
    case .shift: return "shift"
    case .delete: return "delete"
    case .space: return "space"
    case .enter: return "return"
    case .page(let page): return page.rawValue
    case .hide: return "hide"
    case .script: return scriptSign
    case .gap: return nil
    }
  }
}

extension TextField.ReturnKey {
  /// The sign on the return key, independent of language.
  fileprivate var sign: String {
    switch self {
    case .done: "\u{21b5}"
    case .next: "\u{2192}"
    case .search: "\u{2315}"
    }
  }
}
