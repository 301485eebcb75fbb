import TouchCore

package protocol TitleShowing: View {
  /// Its title, with the padding that the view has by itself.
  var title: Title { get }
  /// The least width and height of the view, in its own units.
  var leastSide: Double { get }
}

/// The contents of a label, a button, a segment or a row: a text, a second line below it, and an icon.
package struct Title {
  package var text: String
  package var style: TextStyle
  package var detail = ""
  package var detailStyle: TextStyle
  package var icon = Icon()
  /// The space between the edges and the contents.
  package var padding: Insets

  package init(_ text: String, _ style: TextStyle, padding: Insets) {
    (self.text, self.style, detailStyle) = (text, style, style)
    self.padding = style.padding ?? padding
  }

  var isEmpty: Bool { text.isEmpty && isPlain }

  /// Whether there is nothing but a text.
  package var isPlain: Bool { detail.isEmpty && !icon.isShown }

  /// Sets the colour of the text and of everything that shares it.
  mutating func color(_ color: Color) {
    guard color != style.color else { return }
    detailStyle.color = Color(
      red: color.red, green: color.green, blue: color.blue,
      alpha: UInt8(min(255, Int(color.alpha) * Int(detailStyle.color.alpha) / max(1, Int(style.color.alpha))))
    )
    style.color = color
  }

  /// Returns the size without the padding; nil without a font.
  package func size(atWidth width: Double, measure: Measure) -> Size? {
    guard let parts = sizes(atWidth: width, measure) else { return nil }
    let hasColumn = parts.column != .zero
    guard icon.isShown else { return parts.column }
    let gap = hasColumn ? Icon.gap(beside: style.size) : 0
    return icon.isBeside
      ? Size(width: parts.side + gap + parts.column.width, height: max(parts.side, parts.column.height))
      : Size(width: max(parts.side, parts.column.width), height: parts.side + gap + parts.column.height)
  }

  /// The size of a text in a style, in the room of a width, in units; nil without a font.
  package typealias Measure = (_ text: String, _ style: TextStyle, _ width: Double) -> Size?

  package struct Layout {
    package var icon, text, detail: LocalRect?
  }

  private struct Sizes {
    var side = 0.0
    var text = Size.zero
    var detail = Size.zero
    var column: Size { Size(width: max(text.width, detail.width), height: text.height + detail.height) }
  }

  private func sizes(atWidth width: Double, _ measure: Measure) -> Sizes? {
    var sizes = Sizes()
    var room = width
    if icon.isShown {
      sizes.side = icon.side(beside: style.size, hasText: !text.isEmpty || !detail.isEmpty)
      if icon.isBeside { room = max(0, room - sizes.side - Icon.gap(beside: style.size)) }
    }
    var style = style
    if !detail.isEmpty { style.lines = 1 }
    if !text.isEmpty {
      guard let size = measure(text, style, room) else { return nil }
      sizes.text = Size(width: min(room, size.width), height: size.height)
    }
    if !detail.isEmpty {
      guard let size = measure(detail, detailStyle, room) else { return nil }
      sizes.detail = Size(width: min(room, size.width), height: size.height)
    }
    return sizes
  }

  /// Puts the parts next to each other, aligned as the text is.
  package func layout(in bounds: LocalRect, measure: Measure) -> Layout? {
    let room = LocalRect(
      x: bounds.minX + padding.left, y: bounds.minY + padding.top,
      width: max(0, bounds.size.width - padding.left - padding.right),
      height: max(0, bounds.size.height - padding.top - padding.bottom))
    guard let sizes = sizes(atWidth: room.size.width, measure) else { return nil }
    let (side, column) = (sizes.side, sizes.column)
    let gap = side > 0 && column.height > 0 ? Icon.gap(beside: style.size) : 0
    let isBeside = icon.isBeside && side > 0
    let total = Size(
      width: isBeside ? side + gap + column.width : max(side, column.width),
      height: isBeside ? max(side, column.height) : side + gap + column.height)
    func x(_ width: Double) -> Double {
      switch style.alignment {
      case .left: room.minX
      case .center: room.midX - width / 2
      case .right: room.maxX - width
      }
    }
    let top =
      switch style.verticalAlignment {
      case .top: room.minY
      case .middle: room.midY - total.height / 2
      case .bottom: room.maxY - total.height
      }
    var layout = Layout()
    var corner = LocalPoint(x: x(column.width), y: top)
    if isBeside {
      let left = x(total.width)
      let isFirst = icon.place == .left
      layout.icon = LocalRect(
        x: isFirst ? left : left + column.width + gap, y: top + (total.height - side) / 2, width: side,
        height: side)
      corner = LocalPoint(x: isFirst ? left + side + gap : left, y: top + (total.height - column.height) / 2)
    } else if side > 0 {
      let isFirst = icon.place == .top || column.height == 0
      layout.icon = LocalRect(
        x: x(side), y: isFirst ? top : top + column.height + gap, width: side, height: side)
      if isFirst { corner.y = top + side + gap }
    }
    // A little more than the texts need: rounding must not cut them.
    func line(_ y: Double, _ size: Size) -> LocalRect? {
      guard size.height > 0 else { return nil }
      let free = style.alignment == .left ? 0.0 : style.alignment == .center ? 1.0 : 2.0
      return LocalRect(x: corner.x - free, y: y, width: column.width + 2, height: size.height)
    }
    layout.text = line(corner.y, sizes.text)
    layout.detail = line(corner.y + sizes.text.height, sizes.detail)
    return layout
  }
}

extension Icon {
  fileprivate var isBeside: Bool { place == .left || place == .right }
}
