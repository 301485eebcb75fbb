import TouchCore

/// The text that a finger is about to type, above its key. The bubble draws its
/// texts itself, because labels would be views that programs are notified of.
final class KeyBubble: View {
  private var texts: [String] = []
  private var chosen: Int?
  private var style = TextStyle()
  private var tint = Color.clear

  init(id: String) {
    super.init(id: id)
    isUserInteractionEnabled = false
    appearance.cornerRadius = 8
  }

  /// Sets the bubble's colours for the keyboard's text colour, which a theme may have made dark.
  private func wear(_ text: Color) {
    appearance.background = text.isLight ? Color(red: 0x4a, green: 0x58, blue: 0x66) : .white
    // White lies on nearly white keys.
    appearance.border =
      text.isLight ? nil : Appearance.Border(color: Color(red: 0x9a, green: 0xa5, blue: 0xb1), width: 1)
  }

  static func cell(above key: LocalRect) -> Double { max(36, min(64, key.size.width)).rounded() }

  /// Returns the bubble's rectangle above a key, in the keyboard's space.
  /// - Parameter own: the index of the text that is above the key.
  private static func rect(
    _ count: Int, own: Int, above key: LocalRect, in keyboard: KeyboardView
  ) -> LocalRect {
    let width = cell(above: key) * Double(count)
    let left = (key.midX - cell(above: key) * (Double(own) + 0.5)).rounded()
    let most = max(keyboard.bounds.minX, keyboard.bounds.maxX - width)
    return LocalRect(
      x: min(max(keyboard.bounds.minX, left), most), y: key.minY - key.size.height - 4, width: width,
      height: key.size.height)
  }

  func show(_ texts: [String], own: Int, chosen: Int?, above key: LocalRect, in keyboard: KeyboardView) {
    layoutRect = Self.rect(texts.count, own: own, above: key, in: keyboard)
    (self.texts, self.chosen, style, tint) = (texts, chosen, keyboard.textStyle, keyboard.tint)
    style.size *= 1.25
    style.alignment = .center
    wear(style.color)
    isHidden = false
    setNeedsDisplay()
  }

  override func draw(in context: GraphicsContext) {
    let width = bounds.size.width / Double(max(1, texts.count))
    for (index, text) in texts.enumerated() {
      let cell = LocalRect(x: width * Double(index), y: 0, width: width, height: bounds.size.height)
      var letter = style
      if index == chosen {
        context.fill(cell, cornerRadius: 8, with: tint)
        letter.color = tint.contrast
      }
      context.draw(text, in: cell, style: letter)
    }
  }
}

extension KeyboardView {
  /// Shows what each finger is about to type, above it.
  final func showBubbles() {
    var used = 0
    for finger in typing.fingers {
      guard let index = finger.key, keys.indices.contains(index), finger.state != .typed else { continue }
      let placed = keys[index]
      guard case .text = placed.key.role else { continue }
      let texts: [String]
      var (own, chosen): (Int, Int?) = (0, nil)
      switch finger.state {
      case .choosing(let choice, _):
        let choices = choices(of: placed)
        (texts, own, chosen) = (choices.texts, choices.own, choice)
      case .pressing: texts = [text(of: placed.key)]
      case .typed, .holding, .steering, .deleting: continue
      }
      if used == bubbles.count {
        let bubble = KeyBubble(id: "\(id).bubble\(used + 1)")
        addSubview(bubble)
        bubbles.append(bubble)
      }
      bubbles[used].show(texts, own: own, chosen: chosen, above: placed.rect, in: self)
      used += 1
    }
    for bubble in bubbles[used...] where !bubble.isHidden { bubble.isHidden = true }
  }

  /// The texts that a finger that stays on a key can choose, from left to right, and which of them is the
  /// key's own text, which stands above the key. The variants follow it to the right, and those that have no
  /// room there stand to its left.
  final func choices(of placed: KeyArrangement.PlacedKey) -> (texts: [String], own: Int) {
    let key = placed.key
    let variants = shift == .off ? key.variants : key.variants.map(KeyboardLayout.capital)
    let cell = KeyBubble.cell(above: placed.rect)
    let room = Int(((bounds.maxX - placed.rect.midX) / cell - 0.5).rounded(.down))
    let right = min(max(0, room), variants.count)
    let left = variants[right...].reversed()
    return (left + [text(of: key)] + variants[..<right], left.count)
  }
}
