import TouchCore
import TouchPixels

/// What a framebuffer would show of a picture, in the mode in which it is. The device itself is left alone.
package final class FramebufferLikeness {
  /// Of what can be seen, in pixels.
  package let size: Size
  private let converter: RowConverter

  /// - Parameter path: the device, such as `/dev/fb0`.
  /// - Throws: `DisplayError`.
  package init(path: String) throws(DisplayError) {
    let device = try FramebufferDevice(path: path)
    let layout = try FramebufferLayout(try device.report(), path: path)
    size = Size(width: Double(layout.width), height: Double(layout.height))
    converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.coding))
  }

  /// Leaves of a picture what the framebuffer would keep of it.
  ///
  /// - Parameter picture: as large as the framebuffer.
  package func reduce(_ picture: Surface) {
    converter.reduce(picture)
  }
}
