import CDrm
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// The part of the machine that brings a display's pixels onto the glass. Another program can look at it.
package enum Scanout: Equatable {
  /// A framebuffer, by its path.
  case framebuffer(String)
  case connector(Connector)

  /// A connector of a card, with what drives it.
  package struct Connector: Equatable {
    package let card: String
    /// The connector's name, such as `HDMI-A-1`.
    package let name: String
    package let crtc: UInt32
    /// The card's numbers of the buffers, one of which is shown.
    package let buffers: [UInt32]
    /// The four letters of the buffers' format.
    package let format: String

    package init(card: String, name: String, crtc: UInt32, buffers: [UInt32], format: String) {
      (self.card, self.name, self.crtc, self.buffers, self.format) = (card, name, crtc, buffers, format)
    }
  }
}

/// A look at a scanout, again and again. A framebuffer stays open: to close it wakes the program that draws
/// there.
package final class ScanoutReader {
  package let scanout: Scanout
  private let framebuffer: FramebufferDevice?

  package init(_ scanout: Scanout) {
    self.scanout = scanout
    framebuffer = if case .framebuffer(let path) = scanout { try? FramebufferDevice(path: path) } else { nil }
  }

  /// The reason why the machine shows something else; nil if it does not, or if this user may not know.
  package var problem: HealthProblem? {
    switch scanout {
    case .framebuffer(let path):
      guard let number = framebuffer?.number, let user = KMSSearch.otherHolder(ofFramebuffer: number)
      else { return nil }
      return HealthProblem(
        .otherPicture, "\(path): the card shows another picture: \(user); end that program")
    case .connector(let part): return (try? KMSCard(path: part.card))?.problem(of: part)
    }
  }

  /// Reads the pixels, from slow memory. It throws if this user may not, or other buffers are shown by now.
  package func read() throws(DisplayError) -> ScannedPicture {
    switch scanout {
    case .framebuffer(let path):
      let device: FramebufferDevice
      // Once more, for the reason.
      if let framebuffer { device = framebuffer } else { device = try FramebufferDevice(path: path) }
      let report = try device.report()
      let layout = try FramebufferLayout(report, path: path)
      let inset = Int(report.memoryStart & UInt(sysconf(Int32(_SC_PAGESIZE)) - 1))
      return ScannedPicture(
        try copyOfMemory(device.descriptor, path, skipping: inset, count: layout.length), layout,
        fixedMap: device.fixedMap(for: layout.format))
    case .connector(let part): return try KMSCard(path: part.card).read(part)
    }
  }
}

/// The pixels that a machine showed at a moment.
package struct ScannedPicture {
  private let bytes: [UInt8]
  private let layout: FramebufferLayout
  private let converter: RowConverter

  init(_ bytes: [UInt8], _ layout: FramebufferLayout, fixedMap: ColorMap? = nil) {
    (self.bytes, self.layout) = (bytes, layout)
    converter = RowConverter(layout: layout, fixedMap: fixedMap)
  }

  /// Returns the number of pixels that are not those of a picture; nil if the picture has another size.
  /// Places that differ between the pictures before and after the moment are left out, and so are hidden
  /// ones.
  package func differences(from before: Surface, _ after: Surface, outside hidden: [PixelRect]) -> Int? {
    guard [before, after].allSatisfy({ ($0.width, $0.height) == (layout.width, layout.height) }) else {
      return nil
    }
    let (unit, pixels) = (max(1, layout.bitsPerPixel / 8), layout.pixelsPerByte)
    let mask = (0..<unit).map { $0 < colorBytes.count ? colorBytes[$0] : 0xff }
    var count = 0
    for y in 0..<layout.height {
      let row = converter.convert(Target(surface: before), x: 0, y: y, count: layout.width)
      let place = layout.bytes(ofRow: y, from: 0, to: layout.width)
      guard place.upperBound <= bytes.count else { return nil }
      for first in Swift.stride(from: 0, to: place.count, by: unit) {
        let differs = (0..<unit).contains {
          (row[first + $0] ^ bytes[place.lowerBound + first + $0]) & mask[$0] != 0
        }
        guard differs else { continue }
        let x = min(first / unit * pixels, layout.width - 1)
        let index = y * layout.width + x
        let isStill = (before.pixels[index] ^ after.pixels[index]) & 0xff_ffff == 0
        if isStill, !hidden.contains(where: { $0.contains(x, y) }) { count += pixels }
      }
    }
    return count
  }

  /// The bits of a pixel of 32 bits that have colour, by its bytes.
  private var colorBytes: [UInt8] {
    guard layout.bitsPerPixel == 32, let pixel = try? Surface(width: 1, height: 1) else { return [] }
    func bytes(of color: UInt32) -> [UInt8] {
      pixel.pixels[0] = color
      return Array(converter.convert(Target(surface: pixel), x: 0, y: 0, count: 1))
    }
    return zip(bytes(of: 0xff00_0000), bytes(of: 0xffff_ffff)).map { $0 ^ $1 }
  }
}

extension PixelRect {
  fileprivate func contains(_ x: Int, _ y: Int) -> Bool {
    (minX..<maxX).contains(x) && (minY..<maxY).contains(y)
  }
}

extension KMSCard {
  /// Returns the reason why a connector does not show one of these buffers alone.
  func problem(of part: Scanout.Connector) -> HealthProblem? {
    guard let report = drm.get_crtc(descriptor.rawValue, part.crtc) else { return nil }
    defer { drm.free_crtc(report) }
    let (shown, place) = (report.pointee.buffer_id, "\(path) \(part.name)")
    guard shown != 0, report.pointee.mode_valid != 0 else {
      return HealthProblem(.displayOff, "\(place): its CRTC is off; type: systemctl restart touchtree")
    }
    guard part.buffers.contains(shown) else {
      return HealthProblem(
        .otherPicture, "\(place) shows another picture: \(KMSCardUsers.who(has: self)); end that program")
    }
    guard let plane = overlay(on: part.crtc, besides: part.buffers) else { return nil }
    return HealthProblem(
      .otherPicture, "\(place): plane \(plane) covers the picture; end the program that shows it")
  }

  private func overlay(on crtc: UInt32, besides buffers: [UInt32]) -> UInt32? {
    guard let list = drm.get_plane_resources(descriptor.rawValue) else { return nil }
    defer { drm.free_plane_resources(list) }
    return (0..<Int(list.pointee.count_planes)).map { list.pointee.planes[$0] }.first { number in
      guard let plane = drm.get_plane(descriptor.rawValue, number) else { return false }
      defer { drm.free_plane(plane) }
      return plane.pointee.crtc_id == crtc && plane.pointee.fb_id != 0
        && !buffers.contains(plane.pointee.fb_id)
        && properties(of: number, DRM_MODE_OBJECT_PLANE).choice("type") == "Overlay"
    }
  }

  /// Reads the buffer that a connector shows. The kernel lends it to root alone. (`DRM_IOCTL_MODE_GETFB`)
  fileprivate func read(_ part: Scanout.Connector) throws(DisplayError) -> ScannedPicture {
    func failed(_ detail: String, _ cause: Errno? = nil) -> DisplayError {
      DisplayError(.failed, path: path, detail: detail, cause: cause)
    }
    guard let report = drm.get_crtc(descriptor.rawValue, part.crtc) else { throw isGone }
    defer { drm.free_crtc(report) }
    var buffer = drm_mode_fb_cmd()
    guard part.buffers.contains(report.pointee.buffer_id),
      touchtree_drm_get_buffer(descriptor.rawValue, report.pointee.buffer_id, &buffer) == 0,
      let format = KMSFormat.all.first(where: { $0.name == part.format })
    else { throw failed("the shown buffer is not known") }
    guard buffer.handle != 0 else { throw failed("only root may read what it shows") }
    defer { _ = touchtree_drm_destroy_dumb(descriptor.rawValue, buffer.handle) }
    let count = Int(buffer.pitch) * Int(buffer.height)
    let layout = try FramebufferLayout(
      FramebufferReport(
        driver: driver, lineLength: buffer.pitch, memoryLength: UInt32(clamping: count), width: buffer.width,
        height: buffer.height, bitsPerPixel: UInt32(format.bitsPerPixel), red: format.red,
        green: format.green,
        blue: format.blue), path: path)
    var offset: UInt64 = 0
    guard touchtree_drm_map_dumb(descriptor.rawValue, buffer.handle, &offset) == 0 else {
      throw failed("the shown buffer cannot be mapped", Errno(rawValue: errno))
    }
    return ScannedPicture(try copyOfMemory(descriptor, path, at: offset, count: count), layout)
  }
}

private func copyOfMemory(
  _ device: FileDescriptor, _ path: String, at offset: UInt64 = 0, skipping inset: Int = 0, count: Int
) throws(DisplayError) -> [UInt8] {
  let memory = mmap(nil, inset + count, PROT_READ, MAP_SHARED, device.rawValue, off_t(offset))
  guard let memory, memory != MAP_FAILED else {
    throw DisplayError(
      .failed, path: path, detail: "its memory cannot be read", cause: Errno(rawValue: errno))
  }
  defer { munmap(memory, inset + count) }
  return Array(UnsafeRawBufferPointer(start: memory + inset, count: count))
}
