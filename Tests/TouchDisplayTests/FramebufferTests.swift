import Foundation
import SystemPackage
import Testing
import TouchCore

@testable import TouchDisplay

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
  @Test("the visible part starts at yoffset rows and xoffset pixels")
  func start() throws {
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

  @Test("a last row without its padding is enough memory")
  func lastRow() throws {
    let exact = report(100, 50) {
      $0.lineLength = 512
      $0.memoryLength = 512 * 49 + 400
    }
    #expect(throws: Never.self) { try FramebufferLayout(exact, path: "/dev/fb0") }
  }

  @Test("numbers that contradict each other are refused, with the numbers")
  func contradictory() {
    #expect(
      refusal(report(640, 480) { $0.lineLength = 1280 })
        == "/dev/fb7: line_length is 1280 bytes, but a row of 0 + 640 pixels of 32 bits needs 2560; "
        + "this is a bug of the driver")
    #expect(
      refusal(report(640, 480) { $0.memoryLength = 1_228_799 })
        == "/dev/fb7: the framebuffer's memory is 1228799 bytes, but 640x480 pixels at offset (0, 0) with 2560 "
        + "bytes a row need 1228800; this is a bug of the driver")
    #expect(
      refusal(report(640, 480) { $0.offsetY = 1 }).contains(
        "at offset (0, 1) with 2560 bytes a row need 1231360"))
    #expect(
      refusal(report(640, 480) { $0.bitsPerPixel = 16 }).contains("does not fit into 16 bits per pixel"))
    #expect(refusal(report(0, 480)).contains("the mode is 0x480 pixels"))
    #expect(
      refusal(
        report(640, 480) {
          $0.width = .max
          $0.height = .max
          $0.offsetX = .max
          $0.offsetY = .max
        }
      ).contains("the mode is 4294967295x4294967295 pixels"))
  }

  @Test("what is not built is refused, with what is there and what would work")
  func unsupported() {
    #expect(
      refusal(
        report(640, 480) {
          $0.bitsPerPixel = 8
          $0.visual = .init(rawValue: 3)
        })
        == "/dev/fb7: 8 bits per pixel with visual PSEUDOCOLOR is not built; TRUECOLOR and DIRECTCOLOR with 16, 24 "
        + "or 32 bits are. Set another depth, for example with fbset -depth 32")
    #expect(refusal(report(640, 480) { $0.visual = .init(rawValue: 0) }).contains("visual MONO01"))
    #expect(refusal(report(640, 480) { $0.visual = .init(rawValue: 77) }).contains("visual number 77"))
    #expect(refusal(report(640, 480) { $0.type = 2 }).contains("type 2"))
    #expect(refusal(report(640, 480) { $0.grayscale = 1 }).contains("32 bits per pixel of grey"))
    #expect(refusal(report(640, 480) { $0.isReversed = true }).contains("msb_right"))
    #expect(refusal(report(640, 480) { $0.bitsPerPixel = 8 }).contains("8 bits per pixel is not built"))
  }

  @Test("DIRECTCOLOR gets a linear colour map as long as its widest channel")
  func colorMap() throws {
    let layout = try FramebufferLayout(
      report(64, 4) {
        $0.visual = .directColor
        $0.bitsPerPixel = 16
        $0.red = .init(offset: 11, length: 5)
        $0.green = .init(offset: 5, length: 6)
        $0.blue = .init(offset: 0, length: 5)
      }, path: "/dev/fb0")
    #expect(layout.hasColorMap)
    let map = ColorMap.linear(for: layout.format)
    #expect((map.red.count, map.green.count, map.blue.count) == (64, 64, 64))
    #expect((map.red[0], map.red[1], map.red[31], map.red[63]) == (0, 2114, 65_535, 65_535))
    #expect((map.green[0], map.green[32], map.green[63]) == (0, 33_287, 65_535))
  }
}

@Suite("Copying to the framebuffer")
struct FramebufferCopyTests {
  @Test("only the damaged pixels' bytes change, whatever padding and offset", arguments: layouts.map(\.name))
  func copy(name: String) throws {
    let format = try #require(layouts.first { $0.name == name }).format
    let bytesPerPixel = format.bytesPerPixel
    let stride = 13 * bytesPerPixel + 5
    let layout = try FramebufferLayout(
      report(10, 6) {
        $0.bitsPerPixel = UInt32(format.bitsPerPixel)
        ($0.red, $0.green, $0.blue) = (format.red, format.green, format.blue)
        $0.transparency = format.transparency
        $0.lineLength = UInt32(stride)
        $0.memoryLength = UInt32(stride * 9)
        ($0.offsetX, $0.offsetY) = (2, 3)
      }, path: "/dev/fb0")
    let surface = try Surface(width: 10, height: 6)
    for index in 0..<60 {
      surface.pixels[index] = Color(red: UInt8(index * 4), green: UInt8(255 - index), blue: 99)
        .premultiplied()
    }
    var memory = [UInt8](repeating: 0x5a, count: stride * 9)
    let damage = PixelRect(x: 7, y: 2, width: 40, height: 3)
    memory.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      RowConverter(format: format, width: 10).write(
        damage, of: Target(surface: surface), to: base, layout: layout)
    }
    var expected = [UInt8](repeating: 0x5a, count: stride * 9)
    for y in 2..<5 {
      for x in 7..<10 {
        let pixel = format.pack(surface.color(x: x, y: y))
        for byte in 0..<bytesPerPixel {
          expected[(y + 3) * stride + (x + 2) * bytesPerPixel + byte] = UInt8(
            pixel >> (8 * UInt32(byte)) & 255)
        }
      }
    }
    #expect(memory == expected)
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

  @Test("a node that is missing is answered with what would provide it")
  func missing() throws {
    let error = try #require(failure("/dev/fb31"))
    #expect(error.kind == .missing)
    #expect(error.description.hasPrefix("/dev/fb31: there is no such framebuffer"))
    #expect(error.description.contains("CONFIG_DRM_FBDEV_EMULATION"))
    #expect(error.description.hasSuffix("(No such file or directory)"))
  }

  @Test(
    "something that is no framebuffer is refused with what it is",
    arguments: [
      ("/dev/null", "another device (1:3)"), ("/dev", "a directory"), ("/etc/passwd", "a regular file"),
    ])
  func other(path: String, kind: String) throws {
    let error = try #require(failure(path))
    #expect(error.kind == .notFramebuffer)
    #expect(error.description.contains("this is \(kind), not a framebuffer"))
  }

  @Test("a node that may not be opened is answered with the group")
  func permission() {
    let error = Device.openError("/dev/fb0", .permissionDenied)
    #expect(error.kind == .notPermitted)
    #expect(error.description.contains("group video"))
    #expect(Device.openError("/dev/fb0", .noSuchAddressOrDevice).kind == .missing)
    #expect(Device.openError("/dev/fb0", .resourceBusy).kind == .failed)
  }

  @Test("no display has no pixels or more than can be painted", arguments: [(0, 10), (10, -1), (16_385, 1)])
  func size(width: Int, height: Int) {
    #expect(throws: DisplayError.self) { try HeadlessDisplay(width: width, height: height) }
  }
}
