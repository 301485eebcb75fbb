import Foundation
import PictureSupport
import SystemPackage
import Testing

@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchViews

/// What a driver of a 32-bit display says.
private func report(
  _ width: UInt32, _ height: UInt32, change: (inout FramebufferReport) -> Void = { _ in }
) -> FramebufferReport {
  var report = FramebufferReport(
    lineLength: width * 4, memoryLength: width * height * 4, width: width, height: height, bitsPerPixel: 32,
    red: .init(offset: 16, length: 8), green: .init(offset: 8, length: 8), blue: .init(offset: 0, length: 8))
  change(&report)
  return report
}

private func refusal(_ report: FramebufferReport) -> String {
  do {
    _ = try FramebufferLayout(report, path: "/dev/fb7")
    return "accepted"
  } catch {
    return "\(error)"
  }
}

@Suite("The framebuffer's numbers")
struct FramebufferLayoutTests {
  @Test
  func `the visible part starts at yoffset rows and xoffset pixels`() throws {
    let layout = try FramebufferLayout(
      report(100, 50) {
        $0.lineLength = 1024
        $0.memoryLength = 1024 * 200
        $0.offsetX = 7
        $0.offsetY = 50
      }, path: "/dev/fb0")
    #expect(layout.start == 50 * 1024 + 7 * 4)
    #expect(layout.stride == 1024)
    #expect((layout.width, layout.height) == (100, 50))
  }

  @Test
  func `a last row without its padding is enough memory`() throws {
    let exact = report(100, 50) {
      $0.lineLength = 512
      $0.memoryLength = 512 * 49 + 400
    }
    #expect(throws: Never.self) { try FramebufferLayout(exact, path: "/dev/fb0") }
  }

  @Test
  func `numbers that contradict each other are rejected, with the numbers`() {
    #expect(
      refusal(report(640, 480) { $0.lineLength = 1284 }).hasPrefix("/dev/fb7: line_length is 1284 bytes"))
    #expect(refusal(report(640, 480) { $0.lineLength = 1284 }).contains("needs 2560"))
    #expect(refusal(report(640, 480) { $0.memoryLength = 1_228_799 }).contains("memory is 1228799 bytes"))
    #expect(
      refusal(report(640, 480) { $0.offsetY = 1 }).contains("need 1231360"))
    #expect(
      refusal(
        report(640, 480) {
          $0.bitsPerPixel = 16
          $0.lineLength = 1280
        }
      ).contains("red channel (8/16)"))
    #expect(refusal(report(0, 480)).contains("the mode is 0x480 pixels"))
    #expect(refusal(report(640, 480) { $0.memoryLength = 0 }).contains("memory is 0 bytes"))
    #expect(refusal(report(640, 480) { $0.bitsPerPixel = 0 }).contains("0 bits per pixel"))
    #expect(
      refusal(
        report(640, 480) {
          $0.width = .max
          $0.height = .max
          $0.offsetX = .max
          $0.offsetY = .max
        }
      ).contains("the mode is 4294967295x4294967295 pixels"))
    #expect(
      refusal(
        report(640, 480) {
          $0.visual = .mono10
          $0.bitsPerPixel = 1
          $0.lineLength = 79
        }
      ).contains("a row of 0 + 640 pixels of 1 bits needs 80"))
  }

  @Test
  func `an unsupported format is rejected, with its numbers and what would work`() {
    #expect(
      refusal(
        report(640, 480) {
          $0.bitsPerPixel = 32
          $0.visual = .pseudoColor
        }
      ).contains("visual PSEUDOCOLOR is not supported"))
    #expect(refusal(report(640, 480) { $0.visual = .init(rawValue: 77) }).contains("visual number 77"))
    #expect(refusal(report(640, 480) { $0.type = 2 }).contains("type 2"))
    #expect(
      refusal(report(640, 480) { $0.grayscale = 0x3231_564e }).contains(
        "format code 842094158 is not supported"))
    #expect(refusal(report(640, 480) { $0.isReversed = true }).contains("msb_right"))
  }

  struct Guess: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bits: UInt32
    var stride: UInt32
    var channels: [(UInt32, UInt32)]
    var expected: Int
    /// Part of the notice about it; nil for no notice.
    var says: String?

    init(
      _ name: String, _ bits: UInt32, stride: UInt32, _ channels: [(UInt32, UInt32)], is expected: Int,
      says: String? = nil
    ) {
      (testDescription, self.bits, self.stride) = (name, bits, stride)
      (self.channels, self.expected, self.says) = (channels, expected, says)
    }
  }

  @Test(arguments: [
    Guess(
      "16, but rows and channels have 32", 16, stride: 2560, [(8, 16), (8, 8), (8, 0)], is: 32,
      says: "assuming 32"),
    Guess(
      "16, but rows and channels have 24", 16, stride: 1920, [(8, 16), (8, 8), (8, 0)], is: 24,
      says: "assuming 24"),
    Guess(
      "32, but rows and channels have 16", 32, stride: 1280, [(5, 11), (6, 5), (5, 0)], is: 16,
      says: "assuming 16"),
    Guess(
      "32, but rows have 24", 32, stride: 1920, [(8, 16), (8, 8), (8, 0)], is: 24, says: "assuming 24"),
    Guess("15 is kept in 16", 15, stride: 1280, [(5, 10), (5, 5), (5, 0)], is: 16),
    Guess("12 is kept in 16", 12, stride: 1280, [(4, 8), (4, 4), (4, 0)], is: 16),
    Guess("18 in rows of 24", 18, stride: 1920, [(6, 12), (6, 6), (6, 0)], is: 24),
    Guess("18 in rows of 32", 18, stride: 2560, [(6, 12), (6, 6), (6, 0)], is: 32),
    Guess("30 is kept in 32", 30, stride: 2560, [(10, 20), (10, 10), (10, 0)], is: 32),
    Guess("16 with rows twice as long is padding", 16, stride: 2560, [(5, 11), (6, 5), (5, 0)], is: 16),
    Guess(
      "24 with rows of a power of two is padding", 24, stride: 4096, [(8, 16), (8, 8), (8, 0)], is: 24),
    Guess(
      "no channels at all", 16, stride: 1280, [(0, 0), (0, 0), (0, 0)], is: 16,
      says: "assuming red 5/11, green 6/5"),
  ])
  func `an impossible depth is derived from rows and channels and reported; a possible one is kept`(
    _ guess: Guess
  ) throws {
    let fields = guess.channels.map { BitField(offset: $0.1, length: $0.0) }
    let layout = try FramebufferLayout(
      report(640, 480) {
        $0.bitsPerPixel = guess.bits
        $0.lineLength = guess.stride
        $0.memoryLength = 4096 * 480
        ($0.red, $0.green, $0.blue) = (fields[0], fields[1], fields[2])
      }, path: "/dev/fb0")
    #expect(layout.bitsPerPixel == guess.expected)
    #expect(layout.notices.isEmpty == (guess.says == nil))
    if let says = guess.says { #expect(layout.notices.first?.contains(says) == true, "\(layout.notices)") }
  }

  @Test
  func `only formats with a colour map get one, and only up to 8 bits`() throws {
    func count(_ name: String) throws -> Int? {
      let row = try #require(layouts.first { $0.description == name })
      return try FramebufferLayout(row.report(64, 4), path: "/dev/fb0").colorMap?.red.count
    }
    #expect(try count("DIRECTCOLOR 16") == 64)
    #expect(try count("DIRECTCOLOR 32") == 256)
    #expect(try count("PSEUDOCOLOR 8") == 256)
    #expect(try count("PSEUDOCOLOR 2") == 4)
    #expect(try count("r5g6b5") == nil)
    #expect(try count("STATIC_PSEUDOCOLOR grey 8") == nil)
    #expect(try count("MONO01") == nil)
  }
}

@Suite("Copying to the framebuffer")
struct FramebufferCopyTests {
  /// Every intensity of each channel, and black and white.
  private func color(_ x: Int, _ y: Int) -> Color {
    let value = UInt8(truncatingIfNeeded: x * 11 + y * 29)
    switch (x + y) % 4 {
    case 0: return Color(red: value, green: 255 - value, blue: value / 2)
    case 1: return Color(red: 255 - value, green: value, blue: 255)
    case 2: return Color(red: value, green: value, blue: value)
    default: return value.isMultiple(of: 2) ? hex("#000000") : hex("#ffffff")
    }
  }

  private func surface(_ width: Int, _ height: Int) throws -> Surface {
    let surface = try Surface(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { surface.pixels[y * width + x] = color(x, y).premultiplied() }
    }
    return surface
  }

  @Test(arguments: layouts)
  func
    `every byte of a picture matches the layout, and no other byte is written, with any padding and offset`(
      row: LayoutRow
    ) throws
  {
    for (offset, padding) in [((x: 0, y: 0), 0), ((x: 3, y: 2), 5), ((x: 8, y: 1), 1)] {
      let report = row.report(37, 19, offset: offset, padding: padding)
      let layout = try FramebufferLayout(report, path: "/dev/fb0")
      let target = Target(surface: try surface(37, 19))
      var memory = [UInt8](repeating: 0x5a, count: layout.length)
      let written = memory.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { RowConverter(layout: layout).write(layout.bounds, of: target, to: $0) } ?? 0
      }
      let expected = row.memory(report) { color($0, $1) }
      let first = zip(memory, expected).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(first == nil, "\(row), offset \(offset): byte \(first?.offset ?? 0)")
      let end = (offset.x + 37) * row.bits
      #expect(written == ((end + 7) / 8 - offset.x * row.bits / 8) * 19)
    }
  }

  @Test(arguments: layouts)
  func `a rectangle of one pixel has the same bytes as one that was painted`(row: LayoutRow) throws {
    let layout = try FramebufferLayout(row.report(37, 29, offset: (x: 3, y: 2), padding: 5), path: "/dev/fb0")
    let pixel: UInt32 = 0xff4b_8a13
    for part in [layout.bounds, PixelRect(x: 13, y: 6, width: 9, height: 21)] {
      let damage = layout.wholeBytes(part)
      let memories = [nil, pixel].map { filling -> [UInt8] in
        var memory = [UInt8](repeating: 0xa5, count: layout.length)
        guard let surface = try? Surface(width: 37, height: 29) else { return memory }
        let target = Target(surface: surface)
        if filling == nil { target.fill(damage, with: pixel) }
        memory.withUnsafeMutableBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          RowConverter(layout: layout).write(damage, of: target, filledWith: filling, to: base)
        }
        return memory
      }
      #expect(memories[0] == memories[1], "\(row), \(damage)")
      #expect(memories[0].contains { $0 != 0xa5 })
    }
  }

  @Test(arguments: layouts)
  func
    `a part that is painted again has the same bytes as in the whole picture, and only its rows are written`(
      row: LayoutRow
    ) throws
  {
    let report = row.report(37, 19, offset: (x: 3, y: 2), padding: 5)
    let layout = try FramebufferLayout(report, path: "/dev/fb0")
    let picture = try surface(37, 19)
    let whole = row.memory(report) { color($0, $1) }
    let damage = layout.wholeBytes(PixelRect(x: 13, y: 6, width: 9, height: 4))
    #expect(damage.contains(PixelRect(x: 13, y: 6, width: 9, height: 4)))
    #expect(damage.width < 9 + 2 * layout.pixelsPerByte)
    // As in the staging buffer: the part's place in memory differs from its place on the display.
    let part = try Surface(width: damage.width, height: 4)
    for y in 0..<4 {
      for x in 0..<damage.width {
        part.pixels[y * damage.width + x] = picture.pixels[(y + 6) * 37 + x + damage.minX]
      }
    }
    var memory = [UInt8](repeating: 0xa5, count: layout.length)
    let written = memory.withUnsafeMutableBytes { bytes in
      let target = Target(surface: part, originX: damage.minX, originY: 6)
      return bytes.baseAddress.map { RowConverter(layout: layout).write(damage, of: target, to: $0) } ?? 0
    }
    let changed = memory.indices.filter { memory[$0] != 0xa5 }
    let rows = Set(changed.map { $0 / layout.stride })
    #expect(rows.isSubset(of: Set(8..<12)))
    let first = (3 + damage.minX) * row.bits / 8
    let last = ((3 + damage.maxX) * row.bits + 7) / 8
    #expect(written == (last - first) * 4)
    for y in 8..<12 {
      let bytes = y * layout.stride + first..<y * layout.stride + last
      #expect(Array(memory[bytes]) == Array(whole[bytes]), "\(row), row \(y)")
    }
    #expect(memory.count { $0 != 0xa5 } <= written)
  }

  @Test(arguments: layouts)
  func `a picture is reduced to the colours that its bytes have on the screen`(row: LayoutRow) throws {
    let layout = try FramebufferLayout(row.report(37, 19, offset: (x: 3, y: 2), padding: 5), path: "/dev/fb0")
    let picture = try surface(37, 19)
    RowConverter(layout: layout).reduce(picture)
    for y in 0..<19 {
      for x in 0..<37 {
        let seen = Color(premultiplied: picture.pixels[y * 37 + x])
        let expected = row.color(of: row.value(color(x, y), x: x, y: y))
        guard seen == expected else {
          Issue.record("\(row), pixel \(x), \(y): \(seen), not \(expected)")
          return
        }
      }
    }
  }

  @Test
  func `a picture on a fixed colour map has that map's colours`() throws {
    let map = ColorMap(
      red: [0, 65_535, 65_535, 0x4000], green: [0, 0, 65_535, 0x9000], blue: [0, 0, 65_535, 0xff00])
    let row = LayoutRow("STATIC_PSEUDOCOLOR 2 in 8", 8, 5, .grey(bits: 2))
    let picture = try surface(37, 19)
    RowConverter(layout: try FramebufferLayout(row.report(37, 19), path: "/dev/fb0"), fixedMap: map).reduce(
      picture)
    let colors = Set((0..<37 * 19).map { picture.pixels[$0] })
    #expect(colors == [0xff00_0000, 0xffff_0000, 0xffff_ffff, 0xff40_90ff])
  }

  @Test(arguments: [1, 2, 4])
  func `damage grows to whole bytes if pixels share them`(bits: Int) throws {
    let row = LayoutRow("mono", bits, 1, .grey(bits: bits))
    let perByte = 8 / bits
    let layout = try FramebufferLayout(row.report(37, 3, offset: (x: 3, y: 0)), path: "/dev/fb0")
    for minX in 0..<37 {
      for maxX in minX + 1...37 {
        let wide = layout.wholeBytes(PixelRect(minX: minX, minY: 1, maxX: maxX, maxY: 2))
        #expect(wide.minX == 0 || (3 + wide.minX) % perByte == 0)
        #expect(wide.maxX == 37 || (3 + wide.maxX) % perByte == 0)
        #expect(wide.minX <= minX && minX - wide.minX < perByte)
        #expect(wide.maxX >= maxX && wide.maxX - maxX < perByte)
      }
    }
    #expect(layout.wholeBytes(.empty).isEmpty)
  }
}

@Suite("Opening a framebuffer")
struct FramebufferOpenTests {
  private func failure(_ path: String) -> DisplayError? {
    do {
      _ = try Framebuffer(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test
  func `a missing node is an error that names what would provide it`() throws {
    let error = try #require(failure("/dev/fb31"))
    #expect(error.kind == .missing)
    #expect(error.description.hasPrefix("/dev/fb31: there is no such framebuffer"))
    #expect(error.description.contains("CONFIG_DRM_FBDEV_EMULATION"))
    #expect(error.description.hasSuffix("(No such file or directory)"))
  }

  @Test(arguments: [
    ("/dev/null", "another kind of device (1:3)"), ("/dev", "a directory"),
    ("/etc/passwd", "a regular file"),
  ])
  func `a file that is not a framebuffer is rejected with what it is`(path: String, kind: String) throws {
    let error = try #require(failure(path))
    #expect(error.kind == .wrongKind)
    #expect(error.description.contains("this is \(kind), not a framebuffer"))
  }

  @Test
  func `a lock that cannot become exclusive stays shared`() throws {
    let path = "/tmp/touchtree-lock-\(UUID().uuidString)"
    try Data().write(to: URL(filePath: path))
    defer { unlink(path) }
    let open = { try FileDescriptor.open(path, .readWrite) }
    let (first, second, third) = (try open(), try open(), try open())
    #expect(DeviceLock.exclusive.take(on: first))
    #expect(!DeviceLock.shared.take(on: second))
    #expect(DeviceLock.shared.take(on: first))
    #expect(DeviceLock.shared.take(on: second))
    #expect(!DeviceLock.exclusive.take(on: first))
    try second.close()
    #expect(!DeviceLock.exclusive.take(on: third))
    #expect(DeviceLock.none.take(on: first))
    #expect(DeviceLock.exclusive.take(on: third))
    try first.close()
    try third.close()
  }

  @Test
  func `a node that may not be opened is an error that names the group`() {
    let error = FramebufferDevice.openError("/dev/fb0", .permissionDenied)
    #expect(error.kind == .notPermitted)
    #expect(error.description.contains("group video"))
    #expect(FramebufferDevice.openError("/dev/fb0", .noSuchAddressOrDevice).kind == .missing)
    #expect(FramebufferDevice.openError("/dev/fb0", .resourceBusy).kind == .failed)
  }

  @Test(arguments: [(0, 10), (10, -1), (16_385, 1)])
  func `a display without pixels, or too large to paint, is rejected`(width: Int, height: Int) {
    #expect(throws: DisplayError.self) { try Surface(width: width, height: height) }
  }
}
