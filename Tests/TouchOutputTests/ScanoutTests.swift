import CDrm
import Testing
import TouchCore
import TouchSystem

@testable import TouchOutput
@testable import TouchPixels

/// What is compared with a screenshot: the bytes of framebuffers of every depth.
@Suite struct ScanoutTests {
  /// A framebuffer with a picture in it, and the picture as a client gets it.
  private struct Page {
    let memory: MemoryFramebuffer
    let picture: Surface

    init(_ report: FramebufferReport) throws {
      memory = try MemoryFramebuffer(report)
      picture = try Surface(width: memory.width, height: memory.height)
      for index in 0..<picture.width * picture.height {
        picture.pixels[index] = 0xff00_0000 | UInt32(truncatingIfNeeded: index &* 0x9e_3779)
      }
      memory.compose(memory.bounds) { target, rect in
        target.copy(rect, from: Target(surface: picture))
        return nil
      }
      memory.reduce(picture)
    }

    func differences(_ after: Surface? = nil, outside hidden: [PixelRect] = []) -> Int? {
      ScannedPicture(Array(memory.memory), memory.layout).differences(
        from: picture, after ?? picture, outside: hidden)
    }
  }

  @Test(arguments: MemoryFramebuffer.Depth.allCases)
  func `a picture is the same at every depth, until another program draws there`(
    depth: MemoryFramebuffer.Depth
  )
    throws
  {
    let page = try Page(depth.report(64, 32))
    #expect(page.differences() == 0)
    let row = page.memory.memory.count / 32
    for byte in 0..<row { page.memory.memory[byte + row * 3] ^= 0xff }
    #expect(page.differences() == 64)
    #expect(page.differences(outside: [PixelRect(x: 0, y: 3, width: 32, height: 1)]) == 32)
    #expect(page.differences(try Surface(width: 64, height: 31)) == nil)
  }

  @Test func `what moved between two screenshots is left out, and so is what no colour is in`() throws {
    let page = try Page(MemoryFramebuffer.Depth.bits32.report(64, 32))
    let after = try Surface(width: 64, height: 32)
    after.pixels.update(from: page.picture.pixels, count: 64 * 32)
    for x in 0..<10 { after.pixels[64 * 3 + x] ^= 0x10 }
    for byte in 0..<256 { page.memory.memory[byte + 256 * 3] ^= 0xff }
    #expect(page.differences(after) == 54)
    for x in 0..<64 { page.memory.memory[256 * 5 + 4 * x + 3] ^= 0xff }
    #expect(page.differences(after) == 54)
  }

  @Test(
    arguments: [
      (51, 0, nil, ""), (52, 0, nil, ""), (57, 0, "other_picture", "shows another picture: another program"),
      (0, 0, "display_off", "its CRTC is off"), (51, 99, "other_picture", "plane 61 covers the picture"),
      (51, 52, nil, ""), (nil, 0, nil, ""),
    ] as [(UInt32?, UInt32, String?, String)])
  func `a card shows one of touchtree's buffers, and nothing over it`(
    shown: UInt32?, overlay: UInt32, code: String?, text: String
  ) throws {
    var fake = FakeCard(connectors: [FakeConnector(kind: DRM_MODE_CONNECTOR_HDMIA)])
    (fake.shown, fake.overlay, fake.busy) = (shown, overlay, 1)
    let cards = try FakeCards([fake])
    let part = Scanout.Connector(
      card: cards.machine.paths[0], name: "HDMI-A-1", crtc: 11, buffers: [51, 52], format: "XR24")
    let problem = try KMSCard(path: part.card, on: cards.machine).problem(of: part)
    #expect(problem?.code == code && problem?.message.contains(text) ?? true, "\(problem as Any)")
  }
}
