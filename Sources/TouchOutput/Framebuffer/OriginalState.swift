import CLinux.Display

/// A framebuffer's original colour map and power, restored at the end and after a fatal signal.
final class OriginalState {
  private let device: FramebufferDevice
  private let depth: UInt32?
  /// Red, green and blue of the colour map's entries, for a fault handler; nil if nothing was changed.
  private var colors: UnsafeMutablePointer<UInt16>?
  private var count = 0
  private var isTaken = false

  init(device: FramebufferDevice) {
    self.device = device
    depth = device.variable()?.bits_per_pixel
  }

  deinit {
    if isTaken { restore() }
    colors?.deallocate()
  }

  func remember(colors map: ColorMap) {
    count = map.red.count
    let colors = UnsafeMutablePointer<UInt16>.allocate(capacity: 3 * count)
    for (index, channel) in [map.red, map.green, map.blue].enumerated() {
      (colors + index * count).update(from: channel, count: count)
    }
    self.colors = colors
    resume()
  }

  /// Records that the display was switched off or on.
  func remember(isBlank: Bool) {
    touchtree_fb_remember_blank(device.descriptor.rawValue, isBlank ? 1 : 0)
    if isBlank { isTaken = true }
  }

  func restore() {
    touchtree_fb_restore(device.descriptor.rawValue)
    forget()
  }

  /// Restores the parts that no other program has changed. At another depth the colours stay.
  func restoreUnlessChanged() {
    if let now = device.variable(), now.bits_per_pixel == depth {
      touchtree_fb_restore(device.descriptor.rawValue)
    }
    forget()
  }

  /// Records that touchtree uses the device again after `restore()`, so that it is restored again at the end.
  func resume() {
    isTaken = true
    guard let colors else { return }
    touchtree_fb_remember_colors(
      device.descriptor.rawValue, colors, colors + count, colors + 2 * count, UInt32(count))
  }

  private func forget() {
    isTaken = false
    touchtree_fb_forget(device.descriptor.rawValue)
  }
}
