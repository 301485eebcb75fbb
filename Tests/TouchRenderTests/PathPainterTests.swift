import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Draws whatever it is given.
private final class Sketch: View {
  var drawing: (GraphicsContext) -> Void = { _ in }

  override func draw(in context: GraphicsContext) { drawing(context) }
}

private func sketch(_ width: Double, _ height: Double, _ drawing: @escaping (GraphicsContext) -> Void)
  -> Window
{
  let window = Window(size: Size(width: width, height: height))
  window.background = hex("#101418")
  let sketch = Sketch(id: "sketch", frame: LocalRect(x: 0, y: 0, width: width, height: height))
  sketch.drawing = drawing
  window.addSubview(sketch)
  return window
}

@Suite struct PathPainterTests {
  @Test(arguments: [1, 2])
  func `paths filled and drawn along`(scale: Int) throws {
    let window = sketch(320, 160) { context in
      let blue = Gradient([hex("#7fd0ff"), hex("#2f6fe0")])
      context.fill(
        Path(LocalRect(x: 10, y: 10, width: 60, height: 50), corners: Corners(topLeft: 25, bottomRight: 25)),
        with: hex("#f5b942"))
      var check = Path()
      check.move(to: LocalPoint(x: 90, y: 36))
      check.addLine(to: LocalPoint(x: 104, y: 50))
      check.addLine(to: LocalPoint(x: 130, y: 18))
      context.stroke(check, style: StrokeStyle(width: 6), with: hex("#2fd3b8"))
      var chevron = Path()
      for (x, y) in [(150.0, 15.0), (168, 35), (150, 55)] { chevron.addLine(to: LocalPoint(x: x, y: y)) }
      context.stroke(chevron, style: StrokeStyle(width: 4, cap: .butt, join: .miter), with: hex("#ffffff"))
      var ring = Path()
      ring.addArc(center: LocalPoint(x: 215, y: 38), radius: 24, startAngle: -120, endAngle: 120)
      context.stroke(ring, style: StrokeStyle(width: 8), with: blue)
      context.stroke(
        Path(Ellipse(in: LocalRect(x: 255, y: 10, width: 55, height: 50))), style: StrokeStyle(width: 1),
        with: hex("#ff5c7a"))
      var heart = Path()
      heart.move(to: LocalPoint(x: 45, y: 145))
      heart.addCurve(
        to: LocalPoint(x: 45, y: 95), control1: LocalPoint(x: -25, y: 95), control2: LocalPoint(x: 30, y: 65))
      heart.addCurve(
        to: LocalPoint(x: 45, y: 145), control1: LocalPoint(x: 60, y: 65), control2: LocalPoint(x: 115, y: 95)
      )
      context.fill(heart, with: Gradient([hex("#ff9aa8"), hex("#e0245e")]))
      var wave = Path()
      wave.move(to: LocalPoint(x: 100, y: 110))
      for step in 0..<6 {
        let x = 100 + 20 * Double(step)
        wave.addQuadCurve(
          to: LocalPoint(x: x + 20, y: 110),
          control: LocalPoint(x: x + 10, y: step.isMultiple(of: 2) ? 80 : 140))
      }
      context.stroke(wave, style: StrokeStyle(width: 3), with: hex("#7ad07a"))
      // A hole, by the other direction.
      var frame = Path(LocalRect(x: 240, y: 80, width: 70, height: 65), corners: Corners(12))
      for (x, y) in [(255.0, 95.0), (255, 130), (295, 130), (295, 95)] {
        if x == 255, y == 95 {
          frame.move(to: LocalPoint(x: x, y: y))
        } else {
          frame.addLine(to: LocalPoint(x: x, y: y))
        }
      }
      frame.close()
      context.fill(frame, with: blue)
    }
    try expectGolden(paint(window, width: 320 * scale, height: 160 * scale), "paths-\(scale)")
  }

  @Test func `a path is where its points are, and a rectangle of whole pixels is sharp`() throws {
    let window = sketch(40, 20) { context in
      context.fill(Path(LocalRect(x: 5, y: 5, width: 10, height: 10)), with: hex("#ffffff"))
      var line = Path()
      line.move(to: LocalPoint(x: 20, y: 10))
      line.addLine(to: LocalPoint(x: 35, y: 10))
      context.stroke(line, style: StrokeStyle(width: 2, cap: .butt), with: hex("#ffffff"))
    }
    let picture = try paint(window, width: 40, height: 20)
    for (x, y, isWhite) in [
      (4, 10, false), (5, 5, true), (14, 14, true), (15, 10, false), (19, 9, false), (20, 9, true),
      (34, 10, true),
      (25, 8, false), (25, 11, false),
    ] {
      #expect((picture.color(x: x, y: y) == hex("#ffffff")) == isWhite, "\(x), \(y)")
    }
  }

  @Test(arguments: 0..<40)
  func `a part of a path has the pixels of the whole`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func point() -> LocalPoint { LocalPoint(x: random.number(-60...220), y: random.number(-60...180)) }
    var path = Path()
    path.move(to: point())
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      switch Int.random(in: 0...4, using: &random) {
      case 0: path.addCurve(to: point(), control1: point(), control2: point())
      case 1: path.addQuadCurve(to: point(), control: point())
      case 2:
        path.addArc(
          center: point(), radius: random.number(0...60), startAngle: random.number(-360...360),
          endAngle: random.number(-360...360))
      case 3: path.close()
      default: path.addLine(to: point())
      }
    }
    let style = StrokeStyle(
      width: random.number(0...20), cap: StrokeStyle.Cap.allCases.randomElement(using: &random) ?? .round,
      join: StrokeStyle.Join.allCases.randomElement(using: &random) ?? .round)
    let (fill, line) = (randomGradient(&random), random.color())
    let window = sketch(160, 120) { context in
      context.fill(path, with: fill)
      context.stroke(path, style: style, with: line)
    }
    let geometry = DisplayGeometry(
      displaySize: Size(width: 197, height: 120), canvasSize: Size(width: 160, height: 120))
    let painter = try Painter(geometry: geometry)
    let (whole, parts) = (try Surface(width: 197, height: 120), try Surface(width: 197, height: 120))
    painter.paintAll(window, highlights: nil, on: whole)
    painter.paintAll(window, highlights: nil, on: parts)
    for _ in 0..<6 {
      var damage = Damage()
      damage.add(
        WindowRect(x: random.number(-9...150), y: random.number(-9...110), width: 31.5, height: 17.25))
      painter.paint(window, highlights: nil, damage: damage, on: parts)
    }
    #expect(firstDifference(whole, parts) == nil)
  }

  @Test func `an arc is a circle to a thousandth of its radius`() {
    for stride in [360.0, -200, 15, 7] {
      let arc = Arc(center: LocalPoint(x: 3, y: 4), radius: 100, start: 30, end: 30 + stride)
      var from = arc.first
      arc.forEachCurve { control1, control2, to in
        for step in 0...8 {
          let (t, s) = (Double(step) / 8, 1 - Double(step) / 8)
          let x =
            s * s * s * from.x + 3 * s * s * t * control1.x + 3 * s * t * t * control2.x + t * t * t * to.x
          let y =
            s * s * s * from.y + 3 * s * s * t * control1.y + 3 * s * t * t * control2.y + t * t * t * to.y
          #expect(abs(LocalPoint(x: x, y: y).distance(to: arc.center) - 100) < 0.1)
        }
        from = to
      }
    }
  }
}
