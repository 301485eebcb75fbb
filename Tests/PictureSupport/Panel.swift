import TouchCore
import TouchViews

/// A small control panel that uses everything that can be painted: the picture in the README.
package struct Panel {
  package let window = Window(size: Size(width: 800, height: 480))
  package let lamp: Button
  package let pressed: Button
  package let tilted: View

  package init() {
    window.appearance.background = hex("#0f1419")
    let header = view("header", 0, 0, 800, 64, "#161d26", in: window)
    label("Workshop", 28, 0, 300, 64, size: 24, color: "#f2f6fa", in: header)
    label("21.4 °C", 560, 0, 212, 64, size: 18, color: "#8fa3b5", .right, in: header)
    view("header line", 0, 63, 800, 1, "#243040", in: window)

    let lights = view("lights", 24, 88, 368, 172, "#18212c", radius: 16, border: ("#263444", 1), in: window)
    label("Lights", 20, 12, 200, 32, size: 16, color: "#8fa3b5", in: lights)
    lamp = button("Bench", 20, 52, 156, 96, "#f5b942", radius: 12, size: 20, color: "#2a1d02", in: lights)
    lamp.isSelected = true
    pressed = button("Ceiling", 192, 52, 156, 96, "#2b3a4c", radius: 12, size: 20, in: lights)

    let machine = view(
      "machine", 408, 88, 368, 172, "#18212c", radius: 16, border: ("#263444", 1), in: window)
    label("Spindle", 20, 12, 200, 32, size: 16, color: "#8fa3b5", in: machine)
    button("Start", 20, 52, 156, 96, "#2f9e6b", radius: 12, size: 20, in: machine)
    let stop = button("Stop", 192, 52, 156, 96, "#c9414b", radius: 12, size: 20, in: machine)
    stop.isEnabled = false

    let speed = view("speed", 24, 276, 544, 180, "#18212c", radius: 16, border: ("#263444", 1), in: window)
    label("Feed", 20, 12, 200, 32, size: 16, color: "#8fa3b5", in: speed)
    label("62 %", 324, 12, 200, 32, size: 16, color: "#f2f6fa", .right, in: speed)
    let track = view("track", 20, 72, 504, 16, "#0f1419", radius: 8, in: speed)
    view("level", 0, 0, 312, 16, "#3aa6ff", radius: 8, in: track)
    view("knob", 296, -10, 36, 36, "#f2f6fa", radius: 18, border: ("#3aa6ff", 3), in: track)
    label(
      "A line of text that is far too long for the room it has and so ends early", 20, 116, 504, 40,
      size: 18, color: "#c6d2de", in: speed)

    tilted = view("tilted", 616, 292, 136, 136, "#5a4bd6", radius: 24, in: window)
    tilted.transform = rotation(15)
    label("Turned", 0, 44, 136, 48, size: 22, color: "#ffffff", .center, in: tilted)
    let badge = view("badge", 104, -12, 44, 44, "#ff5c7acc", radius: 22, in: tilted)
    label("3", 0, 0, 44, 44, size: 20, color: "#ffffff", .center, in: badge)
  }
}
