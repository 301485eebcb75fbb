import CDrm
import Testing
import TouchCore
import TouchPixels
import TouchViews

@testable import TouchOutput

/// What is decided without a card: modes, formats, what the driver is told. The rest is proved on a kernel.
/// (Bench/VM)
@Suite struct ConnectorTests {
  @Test(arguments: [
    ("1280x800", 1280, 800, nil), ("1280x800@60", 1280, 800, 60), ("1920x1080@59.94", 1920, 1080, 59.94),
    ("1920x1080@60i", 1920, 1080, 60), ("1920x1080@59.94i", 1920, 1080, 59.94),
  ])
  func `a mode is read as it is written`(text: String, width: Int, height: Int, rate: Double?) {
    let mode = DisplayMode(text)
    #expect(mode?.width == width && mode?.height == height && mode?.refresh == rate && mode?.text == text)
    #expect(mode?.isInterlaced == text.hasSuffix("i"))
  }

  @Test(arguments: [
    "", "1280", "1280x", "x800", "0x800", "-1x2", "1280x800@", "1280x800@0", "1280x800@x", "1x2x3",
    "1920x1080i", "1920x1080@i", "1920x1080@60p",
  ])
  func `anything else is no mode`(text: String) {
    #expect(DisplayMode(text) == nil)
  }

  private func mode(_ width: UInt16, _ height: UInt16, clock: UInt32, interlaced: Bool = false) -> KMSMode {
    var info = drmModeModeInfo()
    (info.hdisplay, info.vdisplay) = (width, height)
    (info.htotal, info.vtotal, info.clock) = (2200, 1125, clock)
    if interlaced { info.flags = UInt32(DRM_MODE_FLAG_INTERLACE) }
    return KMSMode(info)
  }

  @Test func `a whole rate means those that round to it, and a part of one that rate`() throws {
    let (sixty, television) = (mode(1920, 1080, clock: 148_500), mode(1920, 1080, clock: 148_352))
    #expect(sixty.text == "1920x1080@60" && television.text == "1920x1080@60")
    let whole = try #require(DisplayMode("1920x1080@60"))
    #expect(sixty.matches(whole) && television.matches(whole))
    let part = try #require(DisplayMode("1920x1080@59.94"))
    #expect(!sixty.matches(part) && television.matches(part))
    let other = try #require(DisplayMode("1280x720"))
    #expect(!sixty.matches(other))
    let half = mode(1920, 1080, clock: 74_250, interlaced: true)
    #expect(half.text == "1920x1080@60i")
    let interlaced = try #require(DisplayMode("1920x1080@60i"))
    #expect(half.matches(interlaced) && half.matches(whole) && !sixty.matches(interlaced))
  }

  @Test func `where a driver refuses a mode the next lesser one is tried, down to the least`() {
    let modes =
      [
        (1920, 1080, 148_500), (3840, 2160, 594_000), (640, 480, 25_175), (1280, 720, 74_250),
        (3840, 2160, 297_000),
      ].map { mode($0.0, $0.1, clock: $0.2) } + [mode(1920, 1080, clock: 74_250, interlaced: true)]
    let order = sequence(first: modes[1]) { $0.lesser(among: modes) }
    #expect(order.map(\.text) == [1, 4, 0, 3, 2, 5].map { modes[$0].text })
  }

  @Test func `formats have the kernel's codes, and a driver that keeps 16 bits gets 16`() {
    #expect(KMSFormat.all.first?.code == 0x3432_5258)
    let codes = KMSFormat.all.map(\.code)
    #expect(KMSFormat.candidates(among: codes, preferredDepth: 0).map(\.name).prefix(2) == ["XR24", "XB24"])
    #expect(KMSFormat.candidates(among: codes, preferredDepth: 16).first?.name == "RG16")
    #expect(KMSFormat.candidates(among: [], preferredDepth: 24).map(\.name) == ["XR24", "RG16"])
    #expect(KMSFormat.candidates(among: [0x3231_564e], preferredDepth: 0).isEmpty)
  }

  @Test func `clips keep apart what lies apart, and join what continues the last or is too much`() {
    let clips = KMSClips()
    clips.add(PixelRect(x: 0, y: 0, width: 10, height: 10))
    clips.add(PixelRect(x: 0, y: 10, width: 10, height: 5))
    #expect(clips.count == 1 && clips.rects[0].y2 == 15 && clips.corners[0].y2 == 15)
    clips.add(PixelRect(x: 100, y: 0, width: 10, height: 10))
    #expect(clips.count == 2 && clips.byteCount == 32)
    for index in 0..<40 { clips.add(PixelRect(x: index * 20, y: index * 20, width: 5, height: 5)) }
    #expect(clips.count == 16 && clips.rects[15].x2 == 785)
    clips.removeAll()
    #expect(clips.isEmpty)
  }

  @Test func `a panel that is mounted turned turns the picture, unless the configuration says how`() {
    let size = Size(width: 800, height: 480)
    var canvas = CanvasLayout(size: nil, naturalSize: size)
    #expect(canvas.geometry(on: size, mounting: .quarter).rotation == .quarter)
    canvas.rotation = .half
    #expect(canvas.geometry(on: size, mounting: .quarter).rotation == .half)
  }

  @Test(arguments: ["kms:", "km", "kms-1"])
  func `a name that is no connector's is rejected`(name: String) {
    #expect(throws: DisplayError.self) { try DisplayName(name) }
  }

  @Test func `without the library the message names what to install`() {
    let error = #expect(throws: DisplayError.self) { try KMSLibrary.load("libnothing.so.2") }
    #expect(error?.kind == .missing && error?.detail.contains("apt-get install libdrm2") == true)
  }
}
