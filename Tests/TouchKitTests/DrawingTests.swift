import Foundation
import Testing
import TouchKit

/// What views draw themselves, beside the views that show the same by themselves.
@Suite @MainActor struct DrawingTests {
  /// Draws what it is told.
  private final class Sketch: View {
    var body: (GraphicsContext) -> Void = { _ in }
    var calls = 0

    override func draw(in context: GraphicsContext) {
      calls += 1
      body(context)
    }
  }

  private static let area = LocalRect(x: 10.5, y: 8, width: 81, height: 50)

  private func picture(canvas: Size? = nil, of views: [View]) throws -> Picture {
    let app = try Application(display: .headless(width: 120, height: 80), canvas: canvas)
    for view in views { app.window.addSubview(view) }
    return try #require(app.picture)
  }

  private func drawn(_ body: @escaping (GraphicsContext) -> Void) throws -> Picture {
    let sketch = Sketch(frame: Rect(x: 0, y: 0, width: 120, height: 80))
    sketch.body = body
    return try picture(of: [sketch])
  }

  private func shown(_ view: View) throws -> Picture {
    view.frame = Self.area
    return try picture(of: [view])
  }

  @Test func `a rectangle is a view's background`() throws {
    let view = View()
    view.background = .orange
    #expect(try drawn { $0.fill(Self.area, with: .orange) } == shown(view))
    view.cornerRadius = 12
    #expect(try drawn { $0.fill(Self.area, cornerRadius: 12, with: .orange) } == shown(view))
  }

  @Test func `an outline is a view's border`() throws {
    let view = View()
    view.cornerRadius = 12
    view.border = Appearance.Border(color: .cyan, width: 3)
    #expect(try drawn { $0.stroke(Self.area, cornerRadius: 12, width: 3, with: .cyan) } == shown(view))
    #expect(try drawn { $0.stroke(Self.area, width: 0, with: .cyan) } == picture(of: []))
    #expect(
      try drawn { $0.stroke(Self.area, width: 90, with: .cyan) } == drawn { $0.fill(Self.area, with: .cyan) })
  }

  @Test func `an ellipse touches the sides of its rectangle, and a circle is a round square`() throws {
    let square = LocalRect(x: 20, y: 10, width: 60, height: 60)
    let round = try drawn { $0.fill(square.ellipse, with: .green) }
    #expect(try round == drawn { $0.fill(square, cornerRadius: 30, with: .green) })
    let oval = try drawn { $0.fill(LocalRect(x: 10, y: 20, width: 100, height: 40).ellipse, with: .green) }
    #expect(oval[10, 40] == .green || oval[11, 40] == .green)
    #expect(oval[60, 20] == .green && oval[60, 59] == .green && oval[60, 19] == .black)
    #expect(oval[12, 22] == .black && oval[107, 57] == .black)
    let ring = try drawn { $0.stroke(square.ellipse, width: 4, with: .red) }
    #expect(ring[50, 11] == .red && ring[50, 40] == .black && ring[50, 15] == .black)
  }

  @Test func `text is a label's`() throws {
    let label = Label("Grüße, 23 °C\nand a second line")
    label.textStyle.lines = 2
    label.textStyle.alignment = .right
    let style = label.textStyle
    #expect(try drawn { $0.draw(label.text, in: Self.area, style: style) } == shown(label))
    #expect(try shown(label) != picture(of: []), "there is a font")
  }

  @Test func `a picture is an image view's, and one that is missing is marked`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "drawn-\(getpid()).png").path
    try drawn { $0.fill(Self.area.ellipse, with: .purple) }.write(to: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (file, mode) in [(path, ImageView.Mode.fit), (path, .fill), ("/nowhere.png", .fit)] {
      let view = ImageView()
      view.path = file
      view.mode = mode
      let image = Image(path: file)
      #expect(try drawn { $0.draw(image, in: Self.area, mode: mode) } == shown(view))
    }
  }

  @Test func `a transform moves what is drawn in it, and nothing after it`() throws {
    let square = LocalRect(x: 0, y: 0, width: 20, height: 20)
    let moved = try drawn { context in
      context.transformed(by: .translation(x: 30, y: 10)) {
        context.transformed(by: .scale(x: 2, y: 1)) { context.fill(square, with: .red) }
      }
      context.fill(square, with: .blue)
    }
    #expect(
      try moved
        == drawn {
          $0.fill(LocalRect(x: 30, y: 10, width: 40, height: 20), with: .red)
          $0.fill(square, with: .blue)
        })
  }

  @Test func `a clip cuts, also by a curve, and nothing after it`() throws {
    let all = LocalRect(x: 0, y: 0, width: 120, height: 80)
    let square = LocalRect(x: 20, y: 10, width: 40, height: 40)
    let cut = try drawn { context in
      context.clipped(to: square) { context.fill(all, with: .red) }
      context.fill(LocalRect(x: 0, y: 0, width: 4, height: 4), with: .blue)
    }
    #expect(
      try cut
        == drawn {
          $0.fill(square, with: .red)
          $0.fill(LocalRect(x: 0, y: 0, width: 4, height: 4), with: .blue)
        })
    for (clip, plain) in [(12.0, 12.0), (20, 20)] {
      let round = try drawn { context in
        context.clipped(to: square, cornerRadius: clip) { context.fill(all, with: .red) }
      }
      #expect(try round == drawn { $0.fill(square, cornerRadius: plain, with: .red) })
    }
    let circle = try drawn { context in
      context.clipped(to: square.ellipse) { context.fill(all, with: .red) }
    }
    #expect(try circle == drawn { $0.fill(square.ellipse, with: .red) })
  }

  @Test func `what fades, fades as one`() throws {
    let (left, right) = (
      LocalRect(x: 0, y: 0, width: 60, height: 60), LocalRect(x: 30, y: 0, width: 60, height: 60)
    )
    let faded = try drawn { context in
      context.faded(to: 0.5) {
        context.fill(left, with: .white)
        context.fill(right, with: .white)
      }
    }
    #expect(faded[10, 10] == faded[45, 10] && faded[10, 10] == faded[80, 10])
    #expect(faded[10, 10] == Color(red: 128, green: 128, blue: 128))
    #expect(try drawn { $0.faded(to: 0) { Issue.record("nothing of it is seen") } } == picture(of: []))
    // A view that fades does so with all that it draws.
    let sketch = Sketch(frame: Rect(x: 0, y: 0, width: 120, height: 80))
    sketch.alpha = 0.5
    sketch.body = {
      $0.fill(left, with: .white)
      $0.fill(right, with: .white)
    }
    #expect(try picture(of: [sketch]) == faded)
  }

  @Test func `a view draws above its background and below its subviews, and not outside`() throws {
    let sketch = Sketch(frame: Rect(x: 20, y: 20, width: 60, height: 40))
    sketch.background = .blue
    sketch.body = { $0.fill(LocalRect(x: -10, y: 10, width: 200, height: 10), with: .red) }
    let above = View(frame: Rect(x: 30, y: 0, width: 10, height: 40))
    above.background = .green
    sketch.addSubview(above)
    let picture = try picture(of: [sketch])
    #expect(picture[25, 25] == .blue && picture[25, 35] == .red && picture[55, 35] == .green)
    #expect(picture[19, 35] == .black && picture[80, 35] == .black)
  }

  @Test func `a view knows which part of it is drawn`() throws {
    let app = try Application(display: .headless(width: 120, height: 80))
    let sketch = Sketch(frame: Rect(x: 20, y: 10, width: 60, height: 60))
    var boxes: [LocalRect] = []
    sketch.body = { context in
      boxes.append(context.boundingBoxOfClipPath)
      context.clipped(to: LocalRect(x: 10, y: 10, width: 20, height: 20)) {
        boxes.append(context.boundingBoxOfClipPath)
      }
    }
    app.window.addSubview(sketch)
    _ = app.picture
    #expect(
      boxes == [LocalRect(x: 0, y: 0, width: 60, height: 60), LocalRect(x: 10, y: 10, width: 20, height: 20)])
  }

  @Test func `a subclass of a label adds to the text, or draws something else`() throws {
    final class Marked: Label {
      var keepsText = true
      override func draw(in context: GraphicsContext) {
        if keepsText { super.draw(in: context) }
        context.fill(LocalRect(x: 0, y: 0, width: 4, height: 50), with: .red)
      }
    }
    let label = Marked("Text")
    let mark = View(frame: LocalRect(x: Self.area.minX, y: Self.area.minY, width: 4, height: 50))
    mark.background = .red
    let plain = Label("Text")
    plain.frame = Self.area
    #expect(try shown(label) == picture(of: [plain, mark]))
    label.keepsText = false
    #expect(try shown(label) == picture(of: [mark]))
  }

  @Test func `a view is drawn when it asks for it, and otherwise not again`() throws {
    let app = try Application(display: .headless(width: 120, height: 80))
    let sketch = Sketch(frame: Rect(x: 0, y: 0, width: 60, height: 60))
    var color = Color.red
    sketch.body = { $0.fill(LocalRect(x: 0, y: 0, width: 60, height: 60), with: color) }
    app.window.addSubview(sketch)
    #expect(try #require(app.picture)[30, 30] == .red)
    let calls = sketch.calls
    color = .green
    app.advance(by: .seconds(1))
    #expect(try #require(app.picture)[30, 30] == .red)
    #expect(sketch.calls == calls)
    sketch.setNeedsDisplay()
    #expect(try #require(app.picture)[30, 30] == .green)
  }

  @Test func `a context that was kept draws nothing`() throws {
    let sketch = Sketch(frame: Rect(x: 0, y: 0, width: 60, height: 60))
    var kept: GraphicsContext?
    sketch.body = { kept = $0 }
    let app = try Application(display: .headless(width: 120, height: 80))
    app.window.addSubview(sketch)
    let before = app.picture
    kept?.fill(LocalRect(x: 0, y: 0, width: 60, height: 60), with: .red)
    kept?.faded(to: 0.5) { Issue.record("nothing is drawn") }
    #expect(app.picture == before)
  }

  @Test func `a view draws in its own units, however the canvas lies on the display`() throws {
    let sketch = Sketch(frame: Rect(x: 0, y: 0, width: 60, height: 40))
    sketch.body = { $0.fill(LocalRect(x: 10, y: 10, width: 20, height: 10), with: .red) }
    let picture = try picture(canvas: Size(width: 60, height: 40), of: [sketch])
    #expect(picture[20, 20] == .red && picture[59, 39] == .red && picture[60, 39] == .black)
    #expect(picture[19, 20] == .black)
  }
}
