import Foundation
import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// A window with one picture, 12×8 pixels, in a view.
private func pictured(_ mode: ImageView.Mode, _ width: Double, _ height: Double, path: String = Fixture.logo)
  -> (Window, ImageView)
{
  let window = Window(size: Size(width: 40, height: 40))
  window.appearance.background = hex("#000000")
  let image = ImageView(id: "image", frame: LocalRect(x: 4, y: 4, width: width, height: height))
  image.path = path
  image.mode = mode
  window.addSubview(image)
  return (window, image)
}

@Suite("Pictures in views")
struct ImageTests {
  private let frame = "#2040e0"

  @Test
  func `a picture in a view of its size is copied, pixel for pixel, clear pixels clear`() throws {
    let picture = try PNGReader.read(path: Fixture.logo)
    for mode in ImageView.Mode.allCases {
      let display = try paint(pictured(mode, 12, 8).0, width: 40, height: 40)
      for y in 0..<8 {
        for x in 0..<12 {
          let expected = over(picture.pixels[y * 12 + x], 0xff00_0000)
          #expect(display.pixels[(y + 4) * 40 + x + 4] == expected, "\(mode) (\(x), \(y))")
        }
      }
      #expect(display.color(x: 3, y: 8).hex == "#000000")
      #expect(display.color(x: 16, y: 8).hex == "#000000")
    }
  }

  @Test
  func `fit shows all of it, fill covers the view, stretch follows both sides, center keeps its size`() throws
  {
    func row(_ mode: ImageView.Mode, x: Int) throws -> [Int] {
      let display = try paint(pictured(mode, 24, 32).0, width: 40, height: 40)
      return (0..<40).filter { display.color(x: x, y: $0).hex == frame }
    }
    // 24 × 16 in the middle: two rows of frame at 12 and at 26, of which the outer is whole.
    #expect(try row(.fit, x: 16).contains(12))
    #expect(try row(.fit, x: 16).contains(27))
    #expect(try !row(.fit, x: 16).contains(11))
    #expect(try row(.fill, x: 16) == [4, 5, 34, 35] || row(.fill, x: 16).contains(4))
    #expect(try row(.stretch, x: 16).contains(4))
    #expect(try row(.stretch, x: 16).contains(35))
    #expect(try row(.center, x: 16) == [16, 23])
  }

  /// What becomes of a view in front of a picture that cannot be read, and whether that picture is looked at
  /// then.
  @Test(arguments: [
    ("nothing", false), ("an alpha", true), ("a clear background", true), ("round corners", true),
    ("a border", true), ("a turn", true), ("half a pixel aside", true), ("hidden", true), ("behind", true),
    ("a clipping superview", true),
  ])
  func `views behind an opaque one are not painted`(change: String, isSeen: Bool) throws {
    let (window, _) = pictured(.fit, 12, 8)
    (window.subviews[0] as? ImageView)?.path = "/nowhere.png"
    let cover = View(id: "cover", frame: LocalRect(x: 0, y: 0, width: 40, height: 40))
    cover.appearance.background = hex("#ffffff")
    window.addSubview(cover)
    switch change {
    case "an alpha": cover.alpha = 0.5
    case "a clear background": cover.appearance.background?.alpha = 254
    case "round corners": cover.appearance.cornerRadius = 1
    case "a border": cover.appearance.border = Appearance.Border(color: hex("#000000"), width: 1)
    case "a turn": cover.transform = AffineTransform(a: 0.99, b: 0.1, c: -0.1, d: 0.99, tx: 0, ty: 0)
    case "half a pixel aside": cover.layoutRect.origin.x = 0.5
    case "hidden": cover.isHidden = true
    case "behind":
      cover.removeFromSuperview()
      window.insertSubview(cover, at: 0)
    case "a clipping superview": window.clipsToBounds = true
    default: break
    }
    var notices = 0
    let painter = try Painter(geometry: DisplayGeometry(displaySize: Size(width: 40, height: 40)))
    painter.report = { _ in notices += 1 }
    painter.paintAll(window, highlights: nil, on: try Surface(width: 40, height: 40))
    #expect(notices == (isSeen ? 1 : 0))
  }

  @Test
  func `a picture never leaves its view, and is cut to its round corners`() throws {
    let (window, image) = pictured(.fill, 8, 30)
    image.appearance.cornerRadius = 4
    let display = try paint(window, width: 40, height: 40)
    for y in 0..<40 {
      for x in 0..<40 where !(4..<12).contains(x) || !(4..<34).contains(y) {
        #expect(display.color(x: x, y: y).hex == "#000000", "(\(x), \(y))")
      }
    }
    #expect(display.color(x: 4, y: 4).hex == "#000000")
    #expect(display.color(x: 8, y: 4).blue > 100)
  }

  @Test
  func `a large picture made small is its average, not a few of its pixels`() throws {
    let (window, image) = pictured(.stretch, 1, 1)
    image.layoutRect = LocalRect(x: 10, y: 10, width: 3, height: 2)
    let display = try paint(window, width: 40, height: 40)
    let color = display.color(x: 11, y: 10)
    #expect(color.red > 40 && color.red < 140 && color.blue > 60 && color.blue < 180)
  }

  @Test
  func `a picture that cannot be read is reported once and shown as a placeholder`() throws {
    let (window, image) = pictured(.fit, 20, 20, path: "/no/such.png")
    view("other", 30, 30, 5, 5, "#00ff00", in: window)
    let display = try Surface(width: 40, height: 40)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
    var notices: [String] = []
    painter.report = { notices.append($0.description) }
    painter.paintAll(window, highlights: nil, on: display)
    painter.paintAll(window, highlights: nil, on: display)
    #expect(notices == ["/no/such.png: No such file or directory; a placeholder is shown"])
    #expect(display.color(x: 14, y: 14).red > 150)
    #expect(display.color(x: 14, y: 6).red > 20)
    #expect(display.color(x: 32, y: 32).hex == "#00ff00")
    image.path = ""
    painter.paintAll(window, highlights: nil, on: display)
    #expect(display.color(x: 14, y: 14).hex == "#000000")
  }

  @Test
  func `decoded pictures are discarded beyond the limit, and all of them are shown`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = ImageCache(display: PixelRect(x: 0, y: 0, width: 40, height: 40), mostPixels: 4000)
    let picture = try Surface(width: 40, height: 40)
    for (index, gray) in [0x40, 0x80, 0xc0, 0xff].enumerated() {
      picture.pixels.update(repeating: 0xff00_0000 | UInt32(gray), count: picture.width * picture.height)
      let image = ImageView(id: "i", frame: LocalRect(x: 0, y: 0, width: 20, height: 20))
      image.path = folder.appending(path: "\(index).png").path
      image.mode = .stretch
      try PNGWriter.write(picture, to: image.path)
      guard case .ready(let shown) = store.picture(of: image, displayFromLocal: .identity) else {
        Issue.record("picture \(index) is not shown")
        continue
      }
      #expect(shown.surface.pixels[210] == 0xff00_0000 | UInt32(gray))
      // The one that was used longest ago has gone.
      #expect(store.decodedPixels == [1600, 3200, 3200, 3200][index])
    }
  }

  /// A folder for pictures, and a cache for a display of 40×40 pixels.
  private func inFolder(_ body: (String, ImageCache) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder, ImageCache(display: PixelRect(x: 0, y: 0, width: 40, height: 40)))
  }

  private func picture(_ pixel: UInt32) throws -> Surface {
    let picture = try Surface(width: 12, height: 8)
    picture.pixels.update(repeating: pixel, count: 96)
    return picture
  }

  /// The first pixel that is shown; nil for a placeholder.
  private func pixel(_ view: ImageView, _ cache: ImageCache) -> UInt32? {
    guard case .ready(let shown) = cache.picture(of: view, displayFromLocal: .identity) else { return nil }
    return shown.surface.pixels[0]
  }

  /// A picture of many colours, larger than one that is decoded at once.
  private func largePicture() throws -> Surface {
    let picture = try Surface(width: 700, height: 500)
    for index in 0..<350_000 { picture.pixels[index] = 0xff00_0000 | UInt32(index) &* 2_654_435 & 0xff_ffff }
    return picture
  }

  @Test func `a large picture is decoded and drawn in pieces, and looks as if it were not`() throws {
    try inFolder { folder, cache in
      let path = "\(folder)/large.png"
      try PNGWriter.write(largePicture(), to: path)
      let image = ImageView(id: "i", frame: LocalRect(x: 0, y: 0, width: 33, height: 31))
      image.path = path
      guard case .ready(let atOnce) = cache.picture(of: image, displayFromLocal: .identity) else {
        Issue.record("it is not there at once")
        return
      }
      let other = ImageCache(display: PixelRect(x: 0, y: 0, width: 40, height: 40))
      var calls = 0
      other.onWait = { calls += 1 }
      image.path = path
      guard case .empty = other.picture(of: image, displayFromLocal: .identity) else {
        Issue.record("it was decoded while it was painted")
        return
      }
      #expect(calls == 1)
      var pieces = 1
      while other.advance() { pieces += 1 }
      // Reading, 16 384 pixels a piece of decoding, and 65 536 of drawing.
      #expect(pieces > 350_000 / 16_384 + 350_000 / 65_536)
      guard case .ready(let shown) = other.picture(of: image, displayFromLocal: .identity) else {
        Issue.record("it is not there in the end")
        return
      }
      #expect(shown.area == atOnce.area && firstDifference(shown.surface, atOnce.surface) == nil)
      #expect(calls == 1 && !other.advance())
    }
  }

  @Test func `while a file that has changed is decoded, the old picture is shown`() throws {
    try inFolder { folder, cache in
      cache.onWait = {}
      let path = "\(folder)/large.png"
      let large = try largePicture()
      let image = ImageView(id: "i", frame: LocalRect(x: 0, y: 0, width: 40, height: 40))
      image.mode = .stretch
      func show(_ pixel: UInt32) throws {
        large.pixels.update(repeating: pixel, count: 350_000)
        try PNGWriter.write(large, to: path)
        image.path = path
      }
      try show(0xff11_1111)
      #expect(pixel(image, cache) == nil)
      while cache.advance() {}
      #expect(pixel(image, cache) == 0xff11_1111)
      try show(0xff22_2222)
      #expect(pixel(image, cache) == 0xff11_1111)
      // A file that changes while it is decoded is decoded again afterwards.
      try show(0xff33_3333)
      #expect(pixel(image, cache) == 0xff11_1111)
      while cache.advance() {}
      _ = pixel(image, cache)
      while cache.advance() {}
      #expect(pixel(image, cache) == 0xff33_3333)
      // What cannot be decoded any more is a placeholder in the end.
      try Array(try PNGWriter.encode(large).dropLast(40)).withUnsafeBytes {
        try Data($0).write(to: URL(filePath: path))
      }
      image.path = path
      #expect(pixel(image, cache) == 0xff33_3333)
      while cache.advance() {}
      guard case .unreadable = cache.picture(of: image, displayFromLocal: .identity) else {
        Issue.record("half of it is shown")
        return
      }
    }
  }

  @Test func `a file that was written again is read when its path is set, and only then`() throws {
    try inFolder { folder, cache in
      let path = "\(folder)/graph.png"
      let views = (0..<2).map {
        ImageView(id: "\($0)", frame: LocalRect(x: 0, y: 0, width: 12, height: 8))
      }
      for view in views { view.path = path }
      // It was not there at first.
      #expect(pixel(views[0], cache) == nil)
      for number: UInt32 in 1...4 {
        // Of one size, and within one tick of the file system's clock.
        let color = 0xff00_0000 | number
        try PNGWriter.write(picture(color), to: path)
        #expect(pixel(views[0], cache) == (number == 1 ? nil : color - 1))
        views[0].path = path
        #expect(pixel(views[0], cache) == color)
        // All views of a file show the same.
        #expect(pixel(views[1], cache) == color)
      }
      try FileManager.default.removeItem(atPath: path)
      #expect(pixel(views[0], cache) == 0xff00_0004)
      views[1].path = path
      #expect(pixel(views[1], cache) == nil && pixel(views[0], cache) == nil)
    }
  }

  @Test func `a file that is as it was is not decoded again when its path is set`() throws {
    try inFolder { folder, cache in
      let path = "\(folder)/still.png"
      try PNGWriter.write(picture(0xff00_0001), to: path)
      var hourAgo = [
        timespec(tv_sec: time(nil) - 3600, tv_nsec: 0), timespec(tv_sec: time(nil) - 3600, tv_nsec: 0),
      ]
      #expect(utimensat(AT_FDCWD, path, &hourAgo, 0) == 0)
      let view = ImageView(id: "still", frame: LocalRect(x: 0, y: 0, width: 12, height: 8))
      view.path = path
      guard case .ready(let first) = cache.picture(of: view, displayFromLocal: .identity) else {
        Issue.record("no picture")
        return
      }
      view.path = path
      guard case .ready(let second) = cache.picture(of: view, displayFromLocal: .identity) else {
        Issue.record("no picture")
        return
      }
      #expect(first.surface === second.surface)
    }
  }

  @Test func `two caches agree on a file, whichever looks first`() throws {
    try inFolder { folder, cache in
      let path = "\(folder)/grows.png"
      let measurer = ContentMeasurer()
      let view = ImageView(id: "grows", frame: LocalRect(x: 0, y: 0, width: 12, height: 8))
      view.path = path
      #expect(measurer.size(of: view, atWidth: 1) == nil && pixel(view, cache) == nil)
      for side in [20, 30] {
        let picture = try Surface(width: side, height: side)
        picture.pixels.update(repeating: 0xff00_0000 | UInt32(side), count: side * side)
        try PNGWriter.write(picture, to: path)
        view.path = path
        if side == 20 { _ = pixel(view, cache) }
        #expect(measurer.size(of: view, atWidth: 1) == Size(width: Double(side), height: Double(side)))
        #expect(pixel(view, cache) == 0xff00_0000 | UInt32(side))
      }
    }
  }

  @Test func `paths without a file take bounded room, and the file that comes is shown`() throws {
    try inFolder { folder, cache in
      let view = ImageView(id: "v", frame: LocalRect(x: 0, y: 0, width: 12, height: 8))
      for number in 0..<3000 {
        view.path = "\(folder)/\(String(repeating: "x", count: 200))\(number).png"
        #expect(pixel(view, cache) == nil)
      }
      #expect(cache.decodedPixels <= PNGReader.largestSide * PNGReader.largestSide)
      #expect(cache.files.count <= 1024)
    }
  }

  @Test
  func `every way of showing a picture, upright and turned`() throws {
    let window = Window(size: Size(width: 360, height: 200))
    window.appearance.background = hex("#161d26")
    for (index, mode) in ImageView.Mode.allCases.enumerated() {
      for turned in [false, true] {
        let frame = LocalRect(x: 16 + Double(index) * 86, y: turned ? 112 : 16, width: 70, height: 72)
        let image = ImageView(id: "\(mode) \(turned)", frame: frame)
        image.path = index == 3 && turned ? "/no/such.png" : Fixture.logo
        image.mode = mode
        image.appearance.background = hex("#243040")
        image.appearance.cornerRadius = turned ? 16 : 0
        if turned { image.transform = rotation(20) }
        window.addSubview(image)
      }
    }
    try expectGolden(paint(window, width: 360, height: 200), "images")
  }
}
