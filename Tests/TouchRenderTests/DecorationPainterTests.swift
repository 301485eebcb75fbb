import Glibc
import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

private func colors(_ texts: String...) -> [Color] { texts.map(hex) }

@Suite struct DecorationPainterTests {
  @Test(arguments: [1, 2])
  func `gradients of every kind`(scale: Int) throws {
    let window = Window(size: Size(width: 320, height: 240))
    window.gradient = Gradient(colors("#1b2834", "#0d141b"))
    for (index, angle) in [0.0, 45, 90, 180].enumerated() {
      let card = view("angle \(angle)", 10 + 77 * Double(index), 10, 67, 50, radius: 10, in: window)
      card.gradient = Gradient(colors("#3aa6ff", "#7a5cff"), angle: angle)
    }
    let stops = view("stops", 10, 70, 144, 40, radius: 20, in: window)
    stops.gradient = Gradient(
      stops: [
        .init(hex("#2fd3b8"), at: 0.2), .init(hex("#f5b942"), at: 0.5), .init(hex("#ff5c7a"), at: 0.5),
      ],
      angle: 90)
    let radial = view("radial", 164, 70, 67, 67, radius: 12, in: window)
    radial.gradient = Gradient(colors("#ffffff", "#3aa6ff00"), kind: .radial)
    let conic = view("conic", 241, 70, 67, 67, radius: 33.5, in: window)
    conic.gradient = Gradient(
      colors("#ff5c7a", "#f5b942", "#7ad07a", "#3aa6ff", "#ff5c7a"), kind: .conic, angle: 0)
    let edge = view("edge", 10, 120, 144, 44, "#101820", radius: 14, border: ("#ffffff", 3), in: window)
    edge.borderGradient = Gradient(colors("#3aa6ff", "#ff5c7a"), angle: 90)
    let off = button("Off", 10, 176, 67, 40, nil, in: window)
    off.gradient = Gradient(colors("#4ab0ff", "#2177c9"))
    let on = button("Down", 87, 176, 67, 40, nil, in: window)
    on.gradient = off.gradient
    on.isHighlighted = true
    let slider = Slider(id: "slider", frame: LocalRect(x: 164, y: 146, width: 146, height: 30))
    slider.controlValue?.number = 0.7
    slider.colors.tintGradient = Gradient(colors("#2fd3b8", "#f5b942", "#ff5c7a"))
    let progress = ProgressView(id: "progress", frame: LocalRect(x: 164, y: 186, width: 146, height: 10))
    progress.controlValue?.number = 0.8
    progress.colors.tintGradient = slider.colors.tintGradient
    let faint = view("faint", 164, 204, 90, 26, radius: 8, in: window)
    faint.gradient = Gradient(colors("#ffffff", "#ffffff00"), angle: 90)
    faint.alpha = 0.5
    let gauge = Gauge(id: "gauge", frame: LocalRect(x: 264, y: 198, width: 46, height: 46))
    (gauge.controlValue, gauge.style) = (ControlValue(0.8), .arc)
    gauge.colors.tintGradient = slider.colors.tintGradient
    for control in [slider, progress, gauge] { window.addSubview(control) }
    try expectGolden(paint(window, width: 320 * scale, height: 240 * scale), "gradients-\(scale)")
  }

  @Test(arguments: [1, 2])
  func `shadows of cards, of what is translucent, and of a turned view`(scale: Int) throws {
    let window = Window(size: Size(width: 320, height: 240))
    window.background = hex("#e9edf2")
    view("card", 20, 20, 120, 70, "#ffffff", radius: 12, in: window).shadow = Shadow()
    let soft = view("soft", 170, 20, 120, 70, "#ffffff", radius: 35, in: window)
    soft.shadow = Shadow(color: hex("#3aa6ff90"), blur: 30, offset: LocalPoint(x: 0, y: 8), spread: 2)
    view("hard", 20, 120, 60, 40, "#f5b942", in: window).shadow = Shadow(
      color: hex("#00000060"), blur: 0, offset: LocalPoint(x: 5, y: 5))
    let glass = view("glass", 105, 120, 70, 40, "#ff5c7a40", radius: 8, in: window)
    glass.shadow = Shadow(color: hex("#000000a0"), blur: 12)
    let turned = view("turned", 205, 115, 70, 50, "#2fd3b8", radius: 8, in: window)
    (turned.transform, turned.shadow) = (rotation(20), Shadow(blur: 10))
    let corners = view("corners", 20, 180, 100, 40, "#ffffff", in: window)
    (corners.corners, corners.shadow) = (Corners(topLeft: 20, bottomRight: 20), Shadow(blur: 14))
    let faded = view("faded", 150, 185, 60, 35, "#7a5cff", radius: 8, in: window)
    (faded.alpha, faded.shadow) = (0.5, Shadow(blur: 8))
    let clipped = view("room", 230, 180, 70, 45, "#d5dce4", radius: 10, in: window)
    clipped.clipsToBounds = true
    view("inside", 20, 15, 70, 45, "#ffffff", radius: 8, in: clipped).shadow = Shadow(blur: 10)
    try expectGolden(paint(window, width: 320 * scale, height: 240 * scale), "shadows-\(scale)")
  }

  @Test(arguments: [1, 2])
  func `what is in round corners is cut off by them`(scale: Int) throws {
    let window = Window(size: Size(width: 320, height: 240))
    window.background = hex("#101418")
    let card = view("card", 10, 10, 90, 100, "#26303a", radius: 24, in: window)
    card.clipsToBounds = true
    view("head", 0, 0, 90, 40, "#3aa6ff", in: card)
    let image = ImageView(id: "picture", frame: LocalRect(x: 115, y: 10, width: 90, height: 100))
    (image.path, image.mode) = (Fixture.logo, .fill)
    image.corners = Corners(topLeft: 40, topRight: 0, bottomRight: 40, bottomLeft: 8)
    window.addSubview(image)
    let list = ListView(id: "list", frame: LocalRect(x: 220, y: 10, width: 90, height: 100))
    (list.rows, list.rowHeight) = (["One", "Two", "Three"], 34)
    (list.background, list.cornerRadius) = (hex("#26303a"), 20)
    list.textStyle = textStyle(14, "#ffffff", .left)
    list.selectedRow = 0
    window.addSubview(list)
    let scroll = ScrollView(id: "scroll", frame: LocalRect(x: 10, y: 125, width: 90, height: 100))
    (scroll.background, scroll.corners) = (hex("#26303a"), Corners(topLeft: 30, bottomRight: 30))
    scroll.border = Appearance.Border(color: hex("#3aa6ff"), width: 2)
    for row in 0..<6 { view("row \(row)", 0, 25 * Double(row), 90, 22, "#2fd3b8", in: scroll) }
    window.addSubview(scroll)
    scroll.contentOffset = LocalPoint(x: 0, y: 11)
    let turned = view("turned", 135, 140, 60, 70, "#f5b942", in: window)
    (turned.corners, turned.transform) = (Corners(topLeft: 30, bottomRight: 16), rotation(30))
    turned.clipsToBounds = true
    view("stripe", 0, 0, 60, 20, "#ff5c7a", in: turned)
    let edge = view("edge", 225, 130, 80, 90, "#26303a", border: ("#ffffff", 4), in: window)
    edge.corners = Corners(topLeft: 40, topRight: 6, bottomRight: 40)
    try expectGolden(paint(window, width: 320 * scale, height: 240 * scale), "corners-\(scale)")
  }

  @Test func `a large card has the shadow of a small one, and painting it again makes nothing`() throws {
    func key(_ width: Double, _ height: Double, x: Double = 10) -> ShadowMask.Key? {
      ShadowMask.place(
        LocalRect(x: x, y: 20, width: width, height: height), Corners(12), blur: 16, cutOut: nil,
        displayFromLocal: .scale(x: 2, y: 2))?.key
    }
    let small = try #require(key(100, 120))
    #expect(key(900, 500) == small && key(100, 500, x: 333) == small && key(100, 120, x: 10.25) != small)
    let mask = try #require(ShadowMask(small))
    #expect(mask.pixelCount < 300 * 300)
  }

  @Test(arguments: [64.0, 100, 128, 250])
  func `a wide shadow is computed of cells, and nobody sees them`(blur: Double) throws {
    // Along a straight side a Gaussian is the error function.
    let (deviation, length) = (blur / 2, 3 * blur)
    let place = try #require(
      ShadowMask.place(
        LocalRect(x: 0, y: 0, width: 40, height: length), Corners(0), blur: blur, cutOut: nil,
        displayFromLocal: .identity))
    let mask = try #require(ShadowMask(place.key))
    let picture = try Surface(width: 1000, height: 1000)
    let target = Target(surface: picture, originX: -400, originY: -100)
    mask.paint(place, with: 0xff00_0000, hidden: .empty, clip: target.area, on: target)
    func part(_ x: Double) -> Double { (1 + erf(x / deviation / 2.squareRoot())) / 2 }
    var last = 0
    for x in -400..<20 {
      let alpha = Int(picture.pixels[(100 + Int(length / 2)) * 1000 + 400 + x] >> 24)
      let middle = Double(x) + 0.5
      let wanted = 255 * (part(middle) - part(middle - 40)) * (part(length / 2) - part(-length / 2))
      #expect(abs(Double(alpha) - wanted) < 5, "\(x): \(alpha), \(wanted)")
      #expect(alpha >= last && alpha - last <= 1 + Int(255 / deviation / 2))
      last = alpha
    }
  }

  @Test func `a gradient is as long as CSS has it, and its ends have the colours of its stops`() throws {
    let window = Window(size: Size(width: 100, height: 50))
    window.gradient = Gradient(colors("#000000", "#ffffff"), angle: 90)
    var picture = try paint(window, width: 100, height: 50)
    #expect(picture.color(x: 0, y: 7).red < 3 && picture.color(x: 99, y: 7).red > 252)
    #expect((126...129).contains(picture.color(x: 50, y: 0).red))
    // 45°: black in the lower left corner, white in the upper right one.
    window.gradient?.angle = 45
    picture = try paint(window, width: 100, height: 50)
    #expect(picture.color(x: 0, y: 49).red < 4 && picture.color(x: 99, y: 0).red > 251)
    window.gradient = Gradient(colors("#000000", "#ffffff"), angle: 0)
    #expect(try paint(window, width: 100, height: 50).color(x: 5, y: 0).red > 250)
    window.gradient = Gradient(colors("#000000", "#ffffff"))
    #expect(try paint(window, width: 100, height: 50).color(x: 5, y: 0).red < 5)
  }

  @Test func `a shadow is darkest beside the middle of a side, and ends after three deviations`() throws {
    let window = Window(size: Size(width: 200, height: 200))
    window.background = hex("#ffffff")
    view("card", 60, 60, 80, 80, "#ffffff", in: window).shadow = Shadow(
      color: hex("#000000"), blur: 20, offset: .zero)
    let picture = try paint(window, width: 200, height: 200)
    // At the edge of a wide shape a Gaussian has half of its strength.
    #expect((115...140).contains(picture.color(x: 59, y: 100).red))
    #expect(picture.color(x: 49, y: 100).red > 200 && picture.color(x: 28, y: 100).red == 255)
    #expect(picture.color(x: 59, y: 59).red > 180)
    // Symmetric.
    #expect(picture.color(x: 50, y: 100) == picture.color(x: 149, y: 100))
    #expect(picture.color(x: 100, y: 50) == picture.color(x: 100, y: 149))
  }
}
