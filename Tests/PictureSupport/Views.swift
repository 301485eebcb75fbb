import Glibc
import TouchCore
import TouchPixels
import TouchRender
import TouchViews

package func hex(_ text: String) -> Color { Color(hex: text) ?? Color(red: 255, green: 0, blue: 255) }

/// A view with its appearance, in one line.
@discardableResult
package func view(
  _ id: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ background: String? = nil,
  radius: Double = 0, border: (String, Double)? = nil, in parent: View? = nil
) -> View {
  dress(
    View(id: id, frame: LocalRect(x: x, y: y, width: width, height: height)), background, radius, border,
    parent)
}

@discardableResult
package func label(
  _ text: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, size: Double = 18,
  color: String = "#e8eef4", _ alignment: TextStyle.Alignment = .left, in parent: View
) -> Label {
  let label = Label(id: text, frame: LocalRect(x: x, y: y, width: width, height: height))
  label.text = text
  label.textStyle = textStyle(size, color, alignment)
  parent.addSubview(label)
  return label
}

@discardableResult
package func button(
  _ text: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ background: String?,
  radius: Double = 10, border: (String, Double)? = nil, size: Double = 18, color: String = "#ffffff",
  in parent: View
) -> Button {
  let button = Button(id: text, frame: LocalRect(x: x, y: y, width: width, height: height))
  button.text = text
  button.textStyle = textStyle(size, color, .center)
  dress(button, background, radius, border, parent)
  return button
}

package func textStyle(_ size: Double, _ color: String, _ alignment: TextStyle.Alignment) -> TextStyle {
  Fixture.standardFonts
  var style = TextStyle(alignment: alignment)
  style.family = "DejaVu Sans"
  style.size = size
  style.color = hex(color)
  return style
}

@discardableResult
private func dress<V: View>(
  _ view: V, _ background: String?, _ radius: Double, _ border: (String, Double)?, _ parent: View?
) -> V {
  view.appearance.background = background.map(hex)
  view.appearance.cornerRadius = radius
  view.appearance.border = border.map { Appearance.Border(color: hex($0.0), width: $0.1) }
  parent?.addSubview(view)
  return view
}

package func rotation(_ degrees: Double) -> AffineTransform {
  // Exact at the quarters, where the library's sine is not.
  switch degrees {
  case 90: return AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
  case 180: return AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
  default:
    let angle = degrees * .pi / 180
    return AffineTransform(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
  }
}

/// Paints a whole window on a display of its own.
package func paint(
  _ window: Window, width: Int, height: Int, scale: DisplayGeometry.Scale = .fit,
  rotation: DisplayGeometry.Rotation = .none, highlights: Highlights? = nil
) throws -> Surface {
  let display = try Surface(width: width, height: height)
  let geometry = DisplayGeometry(
    displaySize: display.size, canvasSize: window.bounds.size, scale: scale, rotation: rotation)
  let painter = try Painter(geometry: geometry)
  painter.paintAll(window, highlights: highlights, on: display)
  return display
}
